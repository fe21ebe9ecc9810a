// A tenant of a test's own with services, agents that use them, and the bills that come of it.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { answered } from "./board.mjs";
import { ask, bytes32, mandateOf, party, usdc } from "./mandate.mjs";
import { sign } from "./payment.mjs";
import { until } from "./waiting.mjs";

/** Who is paid, in lower case; another one for each tenant, so that no test's money is another's. */
const payee = () => party().address.toLowerCase();

/** Asks with a tenant's key. */
export function keyed(stack, { apiKey }, method, path, body, headers = {}) {
  const all = { authorization: `Bearer ${apiKey}`, ...(body !== undefined && { "content-type": "application/json" }), ...headers };
  return stack.fetch(path, { method, headers: all, body: body === undefined ? undefined : JSON.stringify(body) });
}

/** A tenant: `{ id, apiKey, payTo }`. */
export async function tenantOf(stack, more = {}) {
  const payTo = payee();
  const answer = await ask(stack, null, "POST", "/v1/tenants", { name: "Provider", payTo, ...more });
  const { tenant, apiKey } = await answered(answer, 201);
  return { id: tenant.tenant, apiKey, payTo };
}

/** A service of a tenant at a price for each unit; its id. */
export async function serviceOf(stack, tenant, price = "250", more = {}) {
  const serviceId = `service-${randomUUID()}`;
  await answered(await keyed(stack, tenant, "POST", "/v1/services", { serviceId, price, ...more }), 201);
  return serviceId;
}

/** Records usage, which must be taken. */
export async function used(stack, { tenant, agent, serviceId }, quantity, more = {}) {
  return answered(await keyed(stack, tenant, "POST", "/v1/usage", { agent, serviceId, quantity, ...more }), 201);
}

/** An agent's place at a service of a tenant, with nothing used there. */
export async function placeOf(stack, { price, tenant, agent, ...more } = {}) {
  const of = tenant ?? (await tenantOf(stack));
  return { tenant: of, agent: agent ?? `agent-${randomUUID()}`, serviceId: await serviceOf(stack, of, price, more) };
}

/** What a bill would be now. */
export async function owed(stack, { tenant, agent, serviceId }) {
  return answered(await keyed(stack, tenant, "GET", `/v1/billing/${agent}/${serviceId}`), 200);
}

/** Draws up a bill of what is open. */
export async function settle(stack, { tenant, agent, serviceId }) {
  return answered(await keyed(stack, tenant, "POST", "/v1/settle", { agent, serviceId }), 201);
}

/** A bill that waits to be paid, of `quantity` units: the place with `bill`. */
export async function billed(stack, { quantity = "40", ...options } = {}) {
  const place = await placeOf(stack, options);
  await used(stack, place, quantity);
  const bill = await settle(stack, place);
  assert.deepEqual([bill.status, bill.quantity], ["drafted", quantity]);
  return { ...place, bill };
}

/** A bill as whoever knows its id sees it. */
export async function billNow(stack, { bill }) {
  return answered(await stack.fetch(`/v1/settlements/${bill.id}`), 200);
}

/** Waits until a bill has a status. */
export function stands(stack, one, status, limit) {
  return until(`the bill to be ${status}`, async () => {
    const now = await billNow(stack, one);
    return now.status === status && now;
  }, limit);
}

/** A payment of a bill, signed by hand; right, unless something is changed. */
export function payment({ tenant, bill }, account, { signed = {}, accepted = {}, ...changes } = {}) {
  const right = { to: tenant.payTo, value: bill.amount };
  return sign(account, { signed: { ...right, ...signed }, accepted: { amount: bill.amount, payTo: tenant.payTo, ...accepted }, ...changes });
}

/** Sends a bill with a payment; without one, as whoever has not paid yet. */
export function pay(stack, { bill }, header) {
  return stack.fetch(bill.links.pay, { method: "POST", headers: header === undefined ? {} : { "payment-signature": header } });
}

/** A mandate of `owner` whose agent may pay the tenant for usage: `{ owner, agent, mandate }`. */
export async function mandateFor(stack, { payTo }, { policy = {}, ...options } = {}) {
  const [owner, agent] = [party(), party()];
  const caps = { paymentCap: usdc(1000), dayCap: usdc(10_000), approvalAbove: usdc(1000), ...policy };
  const entries = [{ recipient: payTo }];
  const mandate = await mandateOf(stack, owner, agent, { policy: caps, entries, funds: usdc(10_000), ...options });
  return { owner, agent, mandate };
}

/** Has a bill paid from a mandate, signed by its agent. */
export function payFrom(stack, { bill }, { agent, mandate }) {
  return ask(stack, agent, "POST", bill.links.mandate, { mandate: mandate.mandate });
}

/** Has an agent of a tenant pay ahead from a mandate that its own agent offers. */
export async function prepaid(stack, tenant, agent, { agent: signer, mandate }) {
  const path = `/v1/tenants/${tenant.id}/agents/${agent}/mandate`;
  await answered(await ask(stack, signer, "PUT", path, { mandate: mandate.mandate }), 200);
  return answered(await keyed(stack, tenant, "PUT", `/v1/agents/${agent}/account`, { mode: "prepaid", mandate: mandate.mandate }), 200);
}

/** Asks for money to be held before work. */
export function reserve(stack, { tenant, agent, serviceId }, quantity, { key = bytes32(), ...more } = {}) {
  return keyed(stack, tenant, "POST", "/v1/reservations", { agent, serviceId, quantity, ...more }, { "idempotency-key": key });
}

/** Says what the work came to. */
export function commit(stack, { tenant }, { id }, quantity, more = {}) {
  return keyed(stack, tenant, "POST", `/v1/reservations/${id}/commit`, { quantity, ...more });
}

/** The name of the object of a bill's or a reservation's meter. */
export function meterOf({ id }) {
  return `mtr_${id.slice(4, 30)}`;
}
