// A facilitator of a test's own: it says what the test tells it to say, and remembers what it was asked.
import { Response } from "../../harness.mjs";

export const TRANSACTION = `0x${"fe".repeat(32)}`;

/** What a facilitator answers when the money has moved; `more` goes over it. */
export function settled(more = {}) {
  return { success: true, transaction: TRANSACTION, network: "eip155:84532", ...more };
}

/** JSON with a status and headers. */
export function json(body, status = 200, headers = {}) {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

/** A page where JSON should be. */
export function page(status = 200) {
  return new Response("<!doctype html><p>It works", { status, headers: { "content-type": "text/html" } });
}

/** The double. `answer` goes to `start`; `verify` and `settle` are what it says, each a function or a Response's maker. */
export class Facilitator {
  verify = () => json({ isValid: true });
  settle = () => json(settled());
  /** Every request so far: `{ route, body }`. */
  asked = [];

  answer = async (request) => {
    const route = new URL(request.url).pathname.slice(1);
    const body = await request.json();
    this.asked.push({ route, body });
    return this[route](body);
  };

  /** How often a route was asked, about one authorization if its nonce is given. */
  count(route, nonce) {
    const about = ({ body }) => nonce === undefined || body.paymentPayload.payload.authorization.nonce === nonce;
    return this.asked.filter((one) => one.route === route && about(one)).length;
  }
}
