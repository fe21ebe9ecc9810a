// An owner, its agents and its providers with real keys: requests signed by the reference implementation of ERC-8128,
// messages by viem.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { signRequest } from "@slicekit/erc8128";
import { keccak256, toBytes } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { answered } from "./board.mjs";

export const SITE = "https://guildhall.example";
export const VARS = { edgeVars: { SITE_ORIGIN: SITE, TEST_HOOKS: "enabled" } };
export const CHAIN = 84532;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;
/** The service that mandates are for unless a test says otherwise, as its hash. */
const SERVICE = keccak256(toBytes("text.transform"));

/** One USDC, and parts of it, in base units. */
export const usdc = (amount) => `${Math.round(amount * 1_000_000)}`;

export function party() {
  return privateKeyToAccount(generatePrivateKey());
}

export function bytes32() {
  return `0x${randomBytes(32).toString("hex")}`;
}

/** A time as it travels, so many milliseconds from now. */
export function inMillis(millis) {
  return new Date(Date.now() + millis).toISOString();
}

/** What goes over the wire when an account asks: a signed request, sent or kept to be sent again. */
export async function sealed(stack, account, method, path, body, headers = {}, options = {}) {
  const signer = {
    chainId: CHAIN,
    address: account.address,
    signMessage: (message) => account.signMessage({ message: { raw: message } }),
    ...options.signer,
  };
  const text = body === undefined ? undefined : JSON.stringify(body);
  const all = text === undefined ? headers : { "content-type": "application/json", ...headers };
  const { signer: _, ...rest } = options;
  const created = Math.floor((Date.now() + (stack.ahead ?? 0)) / 1000);
  const times = stack.ahead && { created, expires: created + 60 };
  return signRequest(new URL(path, stack.url), { method, body: text, headers: all }, signer, { ...times, ...rest });
}

/** Asks as an account; as nobody without one. */
export async function ask(stack, account, method, path, body, headers) {
  if (account) return fetch(await sealed(stack, account, method, path, body, headers));
  const all = body === undefined ? headers : { "content-type": "application/json", ...headers };
  return fetch(new URL(path, stack.url), { method, body: body === undefined ? undefined : JSON.stringify(body), headers: all });
}

/** The body of a mandate for `agent` that may pay `recipient` for `service`. */
export function mandateBody(agent, { policy = {}, entries, ...more } = {}) {
  return {
    label: "Research",
    agent: agent.address,
    policy: {
      validBefore: inMillis(30 * DAY),
      paymentCap: usdc(10),
      dayCap: usdc(30),
      approvalAbove: usdc(5),
      ...policy,
    },
    entries: entries ?? [{ service: "text.transform" }],
    ...more,
  };
}

/** A mandate with money. */
export async function mandateOf(stack, owner, agent, options = {}) {
  const { funds = usdc(100), ...rest } = options;
  const made = await answered(
    await ask(stack, owner, "POST", "/v1/mandates", mandateBody(agent, rest), { "idempotency-key": bytes32() }),
    201,
  );
  if (funds === "0") return made;
  const path = `/v1/mandates/${made.mandate}/fund`;
  return answered(await ask(stack, owner, "POST", path, { amount: funds }, { "idempotency-key": bytes32() }), 200);
}

/** What the mandate says to a wish, with the whole request and what is to be signed. */
export async function evaluated(stack, mandate, wish) {
  const body = { service: "text.transform", ...wish };
  return answered(await ask(stack, null, "POST", `/v1/mandates/${mandate.mandate ?? mandate}/evaluate`, body), 200);
}

/** What viem signs for an account, of typed data as JSON has it. */
export async function typed(account, { types, primaryType, domain, message }) {
  const { EIP712Domain: _, ...rest } = types;
  return account.signTypedData({ types: rest, primaryType, domain, message });
}

/** Asks for a payment as its agent, by a request that evaluation completed. */
export async function request(stack, agent, mandate, wish) {
  const { request } = await evaluated(stack, mandate, wish);
  return ask(stack, agent, "POST", `/v1/mandates/${mandate.mandate ?? mandate}/requests`, { request });
}

/** The approval of a payment, as its owner signs what the queue shows. */
export async function approval(stack, owner, payment) {
  const item = await answered(await ask(stack, owner, "GET", `/v1/approvals/${payment}`), 200);
  assert.ok(item.typedData, JSON.stringify(item));
  return { validBefore: item.typedData.message.validBefore, signature: await typed(owner, item.typedData) };
}

/** Does something with a request. */
export function act(stack, account, { mandate, payment }, verb, body = {}) {
  return ask(stack, account, "POST", `/v1/mandates/${mandate}/requests/${payment}/${verb}`, body);
}

/** Sets the clock of the Workers ahead, and that of those who sign requests. */
export async function ahead(stack, millis) {
  stack.ahead = millis;
  assert.equal((await fetch(new URL(`/__test/clock/${millis}`, stack.url), { method: "POST" })).status, 204);
}

/** Asks as whoever is signed in, from our own pages; `origin` null as a browser that names none. */
export function askSignedIn(stack, { cookie }, method, path, body, { origin = SITE, ...headers } = {}) {
  const all = { cookie, ...(origin && { origin }), ...(body !== undefined && { "content-type": "application/json" }), ...headers };
  return stack.fetch(path, { method, headers: all, body: body === undefined ? undefined : JSON.stringify(body) });
}

const STAGES = ["waiting", "approved", "escrowed", "delivered", "disputed"];

/**
 * A payment that stands at a stage: `waiting`, `approved`, `escrowed`, `delivered`, `disputed` or `settled`. What needs no
 * approval is for two USDC.
 */
export async function paymentAt(stack, stage, { owner, agent, provider, mandate, ...wish }) {
  const amount = wish.amount ?? usdc(["waiting", "approved"].includes(stage) ? 6 : 2);
  const asked = await request(stack, agent, mandate, { ...wish, recipient: provider.address, amount });
  let payment = JSON.parse(await asked.text());
  assert.ok([201, 202].includes(asked.status), JSON.stringify(payment));
  const next = async (account, verb, body) => {
    payment = await answered(await act(stack, account, payment, verb, body), 200);
  };
  if (stage === "approved") await next(owner, "approve", await approval(stack, owner, payment.payment));
  if (STAGES.indexOf(stage) > 2 || stage === "settled") await next(provider, "deliver", { receiptHash: bytes32() });
  if (stage === "disputed") await next(owner, "dispute", { evidenceHash: bytes32() });
  if (stage === "settled") await next(owner, "accept");
  return payment;
}

/** What one agent asks of one mandate at once: so many requests that differ in nothing but their ids, signed, not sent. */
export async function crowd(stack, agent, mandate, wish, count) {
  const { request } = await evaluated(stack, mandate, wish);
  const path = `/v1/mandates/${mandate.mandate}/requests`;
  const signed = () => sealed(stack, agent, "POST", path, { request: { ...request, requestId: bytes32() } });
  return Promise.all(Array.from({ length: count }, signed));
}

/** Sends what is signed, all of it at once: the answers' bodies with the HTTP status as theirs, in the requests' order. */
export async function together(requests) {
  const answers = await Promise.all(requests.map((request) => fetch(request)));
  return Promise.all(answers.map(async (answer) => ({ ...JSON.parse(await answer.text()), status: answer.status })));
}

/** Those of the answers that have a status. */
export function having(answers, status) {
  return answers.filter((answer) => answer.status === status);
}

/** How many there are of each, by name. */
export function counted(names) {
  return names.reduce((counts, name) => ({ ...counts, [name]: (counts[name] ?? 0) + 1 }), {});
}

/** Speaks to a mandate as another part of the product does: `Reserve`, `Commit` or `Release` of a reservation. */
export async function internally(stack, mandate, verb, message) {
  const path = `/__test/mandate/${mandate.mandate ?? mandate}`;
  const answer = await stack.fetch(path, { method: "POST", body: JSON.stringify({ [verb]: message }) });
  return { ...JSON.parse(await answer.text()), status: answer.status };
}

/** A hold for a recipient, as `Reserve` takes one: two USDC for two hours, if nothing else is said. */
export function hold(recipient, more = {}) {
  const until = Math.floor(Date.now() / 1000) + 7200;
  return { asker: "gig:a-gig", recipient: recipient.address, service: SERVICE, amount: usdc(2), until, ...more };
}

/** The mandate as anyone sees it. */
export async function mandateNow(stack, mandate) {
  return answered(await ask(stack, null, "GET", `/v1/mandates/${mandate.mandate ?? mandate}`), 200);
}

/** A payment as anyone sees it. */
export async function paymentNow(stack, { mandate, payment }) {
  return answered(await ask(stack, null, "GET", `/v1/mandates/${mandate}/requests/${payment}`), 200);
}

/** Reads from the store of a mandate's object. */
export function stored(stack, mandate, statement) {
  return stack.objectSql("MandateObject", mandate.mandate ?? mandate, statement);
}

/** A mandate's journal must hold: without gaps, chained by its hashes (SHA-256), and as long as its state says. */
export async function assertJournal(stack, mandate) {
  const rows = await stored(stack, mandate, "SELECT seq, body, hash FROM journal ORDER BY seq");
  const [state] = await stored(stack, mandate, "SELECT seq, head FROM state");
  let head = Buffer.alloc(32);
  for (const [index, { seq, body, hash }] of rows.entries()) {
    head = createHash("sha256").update(head).update(body).digest();
    assert.deepEqual([seq, JSON.parse(body).seq, hash], [index + 1, index + 1, head.toString("hex")]);
  }
  assert.deepEqual([state.seq, state.head], [rows.length, head.toString("hex")]);
  return rows;
}

/** Whether the lists show all of a mandate that its object knows. */
export async function isListed(stack, mandate) {
  const id = mandate.mandate ?? mandate;
  const [{ seq }] = await stored(stack, id, "SELECT seq FROM state");
  const lines = await stored(stack, id, "SELECT seq, ordinal FROM activity");
  const [row] = await stack.d1("SELECT version FROM mandates WHERE mandate_id = ?", id);
  const [{ count }] = await stack.d1("SELECT count(*) AS count FROM activity WHERE mandate_id = ?", id);
  return row?.version === seq && count === lines.length;
}

const LISTS = ["mandates", "requests", "activity"];

/** Runs `work` while no list of mandates can be found. */
export async function withoutLists(stack, work) {
  for (const list of LISTS) await stack.d1(`ALTER TABLE ${list} RENAME TO ${list}_away`);
  try {
    await work();
  } finally {
    for (const list of LISTS) await stack.d1(`ALTER TABLE ${list}_away RENAME TO ${list}`);
  }
}

/** Every row of the lists, without what only says when it was written: a mandate's moment, a request's version. */
export async function listRows(stack) {
  const [mandates, requests, activity] = await Promise.all([
    stack.d1("SELECT * FROM mandates ORDER BY mandate_id"),
    stack.d1("SELECT * FROM requests ORDER BY payment"),
    stack.d1("SELECT * FROM activity ORDER BY mandate_id, at, line"),
  ]);
  return {
    mandates: mandates.map(({ as_of: _, ...row }) => row),
    requests: requests.map(({ version: _, ...row }) => row),
    activity,
  };
}
