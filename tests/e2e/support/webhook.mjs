// A tenant's webhook endpoints, and receivers that take messages as the official libraries of Standard Webhooks do.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";
import { python } from "../../peers/python.mjs";
import { keyed, tenantOf } from "./bills.mjs";
import { answered } from "./board.mjs";
import { VARS, ahead } from "./mandate.mjs";
import { until } from "./waiting.mjs";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** What the Workers are started with: receivers on this machine may be called. */
export const webhookVars = (more = {}) => ({
  ...VARS,
  edgeVars: { ...VARS.edgeVars, WEBHOOK_ALLOWED_HOSTS: "127.0.0.1:*", ...more },
});

/** A receiver. `say` answers each message: a status, `[status, headers]`, or a promise that never comes. */
export class Receiver {
  #server;
  /** Every message so far: `{ headers, body, at }`. */
  got = [];
  say = () => 204;

  static async open() {
    const receiver = new Receiver();
    receiver.#server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      receiver.got.push({ headers: request.headers, body, path: request.url, at: Date.now() });
      const said = await receiver.say(receiver.got.at(-1), receiver.got.length);
      if (said === undefined) return response.destroy();
      const [status, headers] = [said].flat();
      response.writeHead(status, headers);
      return response.end("a body that nobody is shown");
    });
    await new Promise((opened) => receiver.#server.listen(0, "127.0.0.1", opened));
    receiver.url = `http://127.0.0.1:${receiver.#server.address().port}/hook`;
    return receiver;
  }

  /** Waits for so many messages. */
  async has(count, limit) {
    await until(`${count} messages`, () => this.got.length >= count, limit);
    assert.equal(this.got.length, count);
    return this.got.at(-1);
  }

  async close() {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** An endpoint of a tenant that is told of `eventTypes`: `{ tenant, id, secret }`. */
export async function hookOf(stack, url, { tenant, eventTypes = ["service.*", "usage.*"], ...more } = {}) {
  const of = tenant ?? (await tenantOf(stack));
  const { webhook, secret } = await answered(await keyed(stack, of, "POST", "/v1/webhooks", { url, eventTypes, ...more }), 201);
  return { tenant: of, id: webhook.id, secret };
}

/** Asks about an endpoint. */
export const asked = (stack, { tenant, id }, method, more = "", body = undefined, headers = {}) =>
  keyed(stack, tenant, method, `/v1/webhooks/${id}${more}`, body, headers);

/** An endpoint as it stands. */
export const hookNow = async (stack, one) => answered(await asked(stack, one, "GET"), 200);

/** Its attempts, newest first. */
export const attemptsOf = async (stack, one) => (await answered(await asked(stack, one, "GET", "/attempts"), 200)).attempts;

/** Sends a test message; its id. */
export const tried = async (stack, one) => (await answered(await asked(stack, one, "POST", "/test"), 202)).message;

/** Has something happen that an endpoint is told of: a service is registered. Its id. */
export async function registered(stack, tenant) {
  const serviceId = `service-${randomUUID()}`;
  await answered(await keyed(stack, tenant, "POST", "/v1/services", { serviceId, price: "250" }), 201);
  return serviceId;
}

const headersOf = ({ headers }) =>
  Object.fromEntries(["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, headers[name]]));

/** What the JavaScript library reads out of a message, by the clock of the Workers; throws when it does not take it. */
export function read(stack, secret, got) {
  const real = Date.now;
  Date.now = () => real() + (stack.ahead ?? 0);
  try {
    return new Webhook(secret).verify(got.body, headersOf(got));
  } finally {
    Date.now = real;
  }
}

/** The same with Python's library, which has the clock of this machine. */
export const readByPython = (secret, got) =>
  python("webhook.py", JSON.stringify({ secret, headers: headersOf(got), body: got.body }));

/** Lets time pass, and wakes an endpoint. */
export async function wait(stack, one, millis) {
  await ahead(stack, (stack.ahead ?? 0) + millis);
  return hookNow(stack, one);
}
