// What buyers and workers say to the board, in as few words as a test needs.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { encode, freshAccount, sign } from "./payment.mjs";

/** A `TaskDelegation`; `payload` goes over its payload. */
export function delegation({ messageId = randomUUID(), sender = "buyer-agent", payload = {} } = {}) {
  return {
    message_id: messageId,
    sender,
    type: "TaskDelegation",
    payload: {
      title: "Count the words",
      description: "Count the words of a text that comes through the tunnel",
      task_type: "computation",
      task_params: { language: "en" },
      bounty_sats: 1000,
      ttl_minutes: 10,
      ...payload,
    },
  };
}

/** The same message as an A2A 1.0 Message. */
export function asA2a({ message_id: messageId, ...data }) {
  return { messageId, role: "ROLE_USER", parts: [{ data, mediaType: "application/json" }] };
}

/** Posts JSON and shows the answer as it is. */
export function send(stack, path, body, headers = {}) {
  return stack.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Sends a create with the payment in the header given. */
export function create(stack, message, payment, header = "payment-signature") {
  return send(stack, "/v1/gigs/create", message, payment === undefined ? {} : { [header]: encode(payment) });
}

/** Posts a gig and pays for it: `{ id, record, buyer, message, payment }`, `buyer` being a party. */
export async function postGig(stack, options = {}) {
  const message = delegation(options);
  const payment = await sign(options.account ?? freshAccount());
  const { gig, tunnel_grant: grant } = await answered(await create(stack, message, payment), 201);
  return { id: gig.gig_id, record: gig, message, payment, buyer: party(gig.gig_id, grant) };
}

/** Who speaks for one seat of a gig. */
function party(gigId, grant) {
  return { gig: gigId, name: grant.agent_identity, role: grant.role, token: grant.token };
}

/** Asks to claim a gig. */
export function tryClaim(stack, gigId, sender = "worker-agent", messageId = randomUUID()) {
  return send(stack, "/v1/gigs/claim", { message_id: messageId, sender, type: "TaskClaim", payload: { gig_id: gigId } });
}

/** Claims a gig for a worker and returns the worker as a party. */
export async function claim(stack, gigId, sender, messageId) {
  const { tunnel_grant: grant } = await answered(await tryClaim(stack, gigId, sender, messageId), 200);
  return party(gigId, grant);
}

/** The headers by which a party shows who it is. */
export function credentials({ token, name }) {
  return { authorization: `Bearer ${token}`, "x-agent-identity": name };
}

/** A lifecycle message of a party, such as `TaskDelivery`. */
export function lifecycleMessage(party, kind, { messageId = randomUUID(), ...payload } = {}) {
  return { message_id: messageId, sender: party.name, type: kind, payload: { gig_id: party.gig, ...payload } };
}

/** Sends a lifecycle message of a party and shows the answer as it is. */
export function tryAct(stack, party, kind, options) {
  const headers = { authorization: `Bearer ${party.token}` };
  return send(stack, `/v1/gigs/${party.gig}/lifecycle`, lifecycleMessage(party, kind, options), headers);
}

/** Sends a lifecycle message that must take effect. */
export async function act(stack, party, kind, options) {
  return answered(await tryAct(stack, party, kind, options), 200);
}

/** Asks for a new grant for a party's seat. */
export function tryReconnect(stack, party, messageId = randomUUID()) {
  const body = { message_id: messageId, sender: party.name, role: party.role };
  return send(stack, `/v1/gigs/${party.gig}/reconnect`, body, { authorization: `Bearer ${party.token}` });
}

/** The same party with a new grant. */
export async function reconnect(stack, old) {
  const { tunnel_grant: grant } = await answered(await tryReconnect(stack, old), 200);
  return party(old.gig, grant);
}

/** Where a gig stands, as the gig itself says. */
export async function status(stack, gigId) {
  return answered(await stack.fetch(`/v1/gigs/${gigId}/status`), 200);
}

/** A page of the board. */
export async function discover(stack, query = "") {
  return answered(await stack.fetch(`/v1/gigs/discover${query}`), 200);
}

/** A gig as it lies on the board, whatever its state; undefined when the board does not know it. */
export async function row(stack, gigId) {
  const [found] = await stack.d1("SELECT status, record FROM gigs WHERE gig_id = ?", gigId);
  return found && { status: found.status, ...JSON.parse(found.record) };
}

/** The body of an answer that must have this status. */
export async function answered(answer, expected) {
  const text = await answer.text();
  assert.equal(answer.status, expected, text);
  return JSON.parse(text);
}

/** A refusal must be a whole problem document (RFC 9457) with this status and code. */
export async function assertProblem(answer, expected, code, about = "") {
  const text = await answer.text();
  assert.equal(answer.status, expected, `${about} ${text}`);
  assert.equal(answer.headers.get("content-type"), "application/problem+json", about);
  const problem = JSON.parse(text);
  assert.equal(problem.code, code, `${about} ${text}`);
  assert.equal(problem.status, expected);
  assert.equal(problem.type, `https://guildhall.dev/problems/${code}`);
  assert.ok(problem.requestId.length > 0, about);
  assert.equal(problem.requestId, answer.headers.get("x-correlation-id"), about);
  assert.ok(problem.title.length > 0 && problem.detail.length > 0, about);
  assert.equal(typeof problem.retryable, "boolean", about);
  assert.deepEqual([problem.error, problem.message], [true, problem.detail], about);
  return problem;
}
