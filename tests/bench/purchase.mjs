// Purchases whose payments are signed before the clock runs: signing is the buyer's work, not the board's.
import { randomBytes, randomUUID } from "node:crypto";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { Connection, request } from "./wire.mjs";

export const BUYER = "bench-buyer";

const TYPES = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
};

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
export async function purchases(url, count) {
  const { resource, accepts } = await terms(url);
  const [accepted] = accepts;
  const account = privateKeyToAccount(generatePrivateKey());
  const domain = {
    name: accepted.extra.name,
    version: accepted.extra.version,
    chainId: Number(accepted.network.split(":")[1]),
    verifyingContract: accepted.asset,
  };
  const now = Math.floor(Date.now() / 1000);
  const requests = [];
  for (let index = 0; index < count; index += 1) {
    const authorization = {
      from: account.address,
      to: accepted.payTo,
      value: accepted.amount,
      validAfter: String(now - 600),
      validBefore: String(now + accepted.maxTimeoutSeconds),
      nonce: `0x${randomBytes(32).toString("hex")}`,
    };
    const message = { ...authorization, value: BigInt(authorization.value) };
    const signature = await account.signTypedData({ domain, types: TYPES, primaryType: "TransferWithAuthorization", message });
    const payment = { x402Version: 2, resource, accepted, payload: { signature, authorization } };
    const header = Buffer.from(JSON.stringify(payment)).toString("base64");
    requests.push(request("POST", "/v1/gigs/create", { "PAYMENT-SIGNATURE": header }, delegation()));
  }
  return requests;
}

/** What the board asks for a posting. */
async function terms(url) {
  const connection = new Connection(url);
  const { head } = await connection.send(request("POST", "/v1/gigs/create", {}, delegation()));
  connection.close();
  const [, encoded] = /\r\npayment-required: *(\S+)/i.exec(head);
  return JSON.parse(Buffer.from(encoded, "base64").toString());
}
