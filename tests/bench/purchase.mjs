// Purchases whose payments are signed before the clock runs: signing is the buyer's work, not the board's.
import { randomUUID } from "node:crypto";
import { encode, freshAccount, sign } from "../e2e/support/payment.mjs";
import { request } from "./wire.mjs";

export const BUYER = "bench-buyer";

/** The body of a gig that anyone would post. */
export function delegation() {
  return JSON.stringify({
    message_id: randomUUID(),
    sender: BUYER,
    type: "TaskDelegation",
    payload: {
      title: "Summarise a page",
      description: "Fetch one page and send back its summary in three sentences.",
      task_type: "web_scrape",
      task_params: { url: "https://example.com/", sentences: 3 },
      bounty_sats: 1000,
      ttl_minutes: 120,
    },
  });
}

/** `count` requests that post a gig each, with a payment each. */
export async function purchases(count) {
  const account = freshAccount();
  const requests = [];
  for (let index = 0; index < count; index += 1) {
    const header = encode(await sign(account));
    requests.push(request("POST", "/v1/gigs/create", { "PAYMENT-SIGNATURE": header }, delegation()));
  }
  return requests;
}
