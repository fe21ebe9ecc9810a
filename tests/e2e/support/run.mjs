// Buyers, executors and wallets as a run meets them: what they ask is kept, so that a test can ask the very same again.
import assert from "node:assert/strict";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { getAddress } from "viem";
import { answered } from "./board.mjs";
import { SITE } from "./mandate.mjs";
import { until } from "./waiting.mjs";

/** The Workers as runs need them; `more` goes over the edge's vars. */
export const runVars = (more = {}) => ({ edgeVars: { SITE_ORIGIN: SITE, TEST_HOOKS: "enabled", DEMO_EXECUTOR: "1", ...more } });
export const MINUTE = 60_000;
/** What a run can end in. */
export const TERMINAL = [
  "ORDER_CONFIRMED", "NO_VALID_OPTION", "CANCELLED", "SETTLEMENT_FAILED", "FAILED", "SETTLEMENT_UNKNOWN", "ORDER_UNKNOWN",
];

/** Asks with a bearer token, or without one; a text goes as it is. */
export function call(stack, token, method, path, body, headers = {}) {
  const all = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...headers,
  };
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return stack.fetch(path, { method, headers: all, body: text });
}

/** A name that nobody has used, where a caller chooses one. */
export const freshKey = () => ({ "idempotency-key": randomUUID() });

/** A source address that nobody else registers from: registrations from one are few. */
export function freshSource() {
  const [a, b, c] = randomBytes(3);
  return { "cf-connecting-ip": `10.${a}.${b}.${c}` };
}

export const sha256 = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The body of a run's creation. */
export function wanted({ requirement = "coca-cola 2l", quantity = 1, maxBudgetCents = "100000", ...more } = {}) {
  return { request: { requirement, quantity, maxBudgetCents }, ...more };
}

/** A wallet's address that nobody has used, as it is shown. */
export const freshWallet = () => getAddress(`0x${randomBytes(20).toString("hex")}`);

/** What a wallet says that has enough, privately. */
export function walletState(address, more = {}) {
  return { connected: true, address, shieldedUsdc: "1000000000", checkedAt: new Date().toISOString(), ...more };
}

/** A browser executor of the test's own: `{ id, secret }` and what it was given and has read. */
export async function registered(stack, body) {
  const answer = await call(stack, null, "POST", "/v1/executors", body, freshSource());
  const { executorId, executorSecret } = await answered(answer, 201);
  return { id: executorId, secret: executorSecret, commands: [], carts: new Map() };
}

/** What waits for an executor, which takes it. */
export async function poll(stack, executor, query = "") {
  const { commands } = await answered(await call(stack, executor.secret, "GET", `/v1/executors/me/commands${query}`), 200);
  const isNew = ({ commandId, runId }) => !executor.commands.some((one) => one.commandId === commandId && one.runId === runId);
  executor.commands.push(...commands.filter(isNew));
  return commands;
}

/** The executor's newest command of a run, once there is one of this type that it has not answered yet. */
export function command(stack, executor, run, type) {
  const fits = (one) => one.runId === run && one.type === type && !one.isAnswered;
  return until(`${type} of ${run}`, async () => {
    if (!executor.commands.some(fits)) await poll(stack, executor, "?wait=2");
    return executor.commands.findLast(fits);
    // What a kill has cut off is taken up by an alarm some seconds later, each time.
  }, 20_000);
}

/** Comes back to a run with something. */
export async function bring(stack, executor, run, result) {
  const answer = await call(stack, executor.secret, "POST", `/v1/runs/${run}/browser-result`, result);
  const given = executor.commands.find(({ commandId, runId }) => commandId === result.commandId && runId === run);
  if (answer.ok && given && !["STARTED", "NEEDS_USER"].includes(result.type)) given.isAnswered = true;
  return answer;
}

/** A cart that costs so much in total: one product, and a fee for what does not divide. */
export function cartOf({ merchantName, requirement, quantity, totalCents }) {
  const total = BigInt(totalCents);
  const unit = (total - 100n) / BigInt(quantity);
  const items = unit * BigInt(quantity);
  return {
    merchantName,
    items: [{ product: requirement, quantity, unitPriceCents: `${unit}`, totalCents: `${items}` }],
    fees: [{ name: "delivery", amountCents: `${total - items}` }],
    discounts: [],
    totalCents: `${total}`,
    etaMinutes: 30,
  };
}

/** A cart, read now. */
export function quoteOf(commandId, quote, more = {}) {
  return { commandId, type: "QUOTE", quote, capturedAt: new Date().toISOString(), pageRef: "cart", ...more };
}

/** The steps from nothing to an order, in their order, and the state that each leads to. */
export const STEPS = [
  ["create", "REVALIDATION_REQUESTED"], ["start", "REVALIDATING"], ["quote", "QUOTE_VALIDATED"],
  ["checkout", "CHECKOUT_PREPARED"], ["pix", "WALLET_REQUIRED"], ["connect", "USER_CONFIRMATION"],
  ["confirm", "PAYMENT_AUTHORIZED"], ["pay", "SETTLED"], ["order", "ORDER_CONFIRMED"],
];

/** A purchase that has not begun; `options` are `executor` and what the creation's body holds. */
export function purchase({ executor, wallet = freshWallet(), ...options }) {
  return { executor, wallet, key: freshKey(), create: wanted({ executorId: executor.id, ...options }), sent: {} };
}

/** What a step sends, made when it is first needed: `[token, path below the run, body]`. */
const BODIES = {
  start: async (stack, { executor, run }) => {
    const { commandId } = await command(stack, executor, run, "REVALIDATE_CANDIDATE");
    return [executor.secret, "browser-result", { commandId, type: "STARTED" }];
  },
  quote: async (stack, { executor, run }) => {
    const { commandId, candidate } = await command(stack, executor, run, "REVALIDATE_CANDIDATE");
    const cart = cartOf({ ...candidate, totalCents: candidate.observedTotalCents });
    executor.carts.set(run, cart);
    return [executor.secret, "browser-result", quoteOf(commandId, cart)];
  },
  checkout: async (stack, { executor, run }) => {
    const { commandId } = await command(stack, executor, run, "PREPARE_CHECKOUT");
    return [executor.secret, "browser-result", quoteOf(commandId, executor.carts.get(run))];
  },
  pix: async (stack, { executor, run }) => {
    const { commandId, expectedAmountCents } = await command(stack, executor, run, "READ_PIX");
    const result = { commandId, type: "PIX", amountCents: expectedAmountCents, evidence: "pix-selected" };
    return [executor.secret, "browser-result", result];
  },
  connect: async (_, { token, wallet }) => [token, "wallet-state", walletState(wallet)],
  confirm: async (stack, one) => {
    const { digest, amountCents } = (await seen(stack, one)).run.payment.confirmation;
    return [one.token, "confirm", { digest, amountCents }];
  },
  pay: async (stack, one) => [one.token, "payment", { signature: simulatedSignature((await seen(stack, one)).run) }],
  order: async (stack, { executor, run }) => {
    const { commandId } = await command(stack, executor, run, "VERIFY_ORDER");
    return [executor.secret, "browser-result", { commandId, type: "ORDER", confirmed: true, evidence: "order 4711" }];
  },
};

/** Sends a step of a purchase: the very same whenever it is sent again. */
export async function send(stack, one, step) {
  if (step === "create") {
    const answer = await call(stack, null, "POST", "/v1/runs", one.create, one.key);
    if (answer.ok) learn(one, await answer.clone().json());
    return answer;
  }
  await prepare(stack, one, step);
  const [token, verb, body] = one.sent[step];
  return verb === "browser-result" ? bring(stack, one.executor, one.run, body) : call(stack, token, "POST", `/v1/runs/${one.run}/${verb}`, body);
}

/** Has what a step is sent with: its executor polls for the command, for one. */
export async function prepare(stack, one, step) {
  if (step !== "create") one.sent[step] ??= await BODIES[step](stack, one);
}

function learn(one, { run, runToken }) {
  one.run = run.id;
  one.token = runToken ?? one.token;
}

/** Walks a purchase on, step by step, until it stands at a state. */
export async function walk(stack, one, state) {
  for (const [step, leads] of STEPS.slice(0, STEPS.findIndex(([, leads]) => leads === state) + 1)) {
    if (one.sent[step] || (step === "create" && one.run)) continue;
    const answer = await send(stack, one, step);
    assert.ok(answer.ok, `${step}: ${answer.status} ${await answer.clone().text()}`);
    await stands(stack, one, leads);
  }
  return seen(stack, one);
}

/** A purchase that stands at a state. */
export async function standing(stack, state, options) {
  const one = purchase(options);
  await walk(stack, one, state);
  return one;
}

/** The run as its owner sees it: `{ run, events, nextAction }`. */
export async function seen(stack, { run, token }, query = "") {
  return answered(await call(stack, token, "GET", `/v1/runs/${run}${query}`), 200);
}

/** Waits until a run stands at a state, and shows it. */
export function stands(stack, one, state, limit) {
  let last;
  return until(`${one.run} to be ${state}, ${() => last}`, async () => {
    const view = await seen(stack, one);
    last = view.run.state;
    assert.ok(last === state || !view.run.isTerminal, `${one.run} ended in ${last}: ${JSON.stringify(view.run.failure)}`);
    return last === state && view;
  }, limit);
}

/** Waits until a run is over, and shows it. */
export function over(stack, one, limit = 20_000) {
  return until(`${one.run} to end`, async () => {
    const view = await seen(stack, one);
    return view.run.isTerminal && view;
  }, limit);
}

/** Every event of a run, by pages. */
export async function allEvents(stack, one) {
  const events = [];
  for (;;) {
    const after = events.at(-1)?.seq ?? 0;
    const answer = await call(stack, one.token, "GET", `/v1/runs/${one.run}/events?after=${after}&limit=100`);
    const page = await answered(answer, 200);
    if (page.events.length === 0) return events;
    events.push(...page.events);
  }
}

/** The names of events. */
export const types = (events) => events.map(({ type }) => type);

/** What pays in the simulation: anybody can make it, and it is worth nothing. */
export function simulatedSignature({ id, payment }) {
  const { gross, payTo } = payment.requirement;
  const said = ["guildhall simulated payment v1", id, gross, payment.authorization.wallet, payTo].join("\0");
  return `sim_${sha256(said).toString("hex")}`;
}

/** The digest of what is to be confirmed, by its documented form. */
export function confirmationDigest({ id, payment, checkout, selectedCandidate }) {
  const { number, amountCents, gross, wallet } = payment.confirmation;
  const parts = [
    "guildhall-confirm-v1", id, number, amountCents, gross, payment.requirement.asset, wallet, payment.requirement.payTo,
    sha256(selectedCandidate.candidateId).toString("hex"), Date.parse(checkout.quote.capturedAt), checkout.pix.payloadDigest ?? "-",
  ];
  return sha256(parts.join("|")).toString("hex");
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** The id that follows from a digest: its first 128 bits. */
export function base32Id(prefix, digest) {
  const bits = [...digest.subarray(0, 16)].map((byte) => byte.toString(2).padStart(8, "0")).join("").padEnd(130, "0");
  return prefix + bits.match(/.{5}/g).map((five) => BASE32[Number.parseInt(five, 2)]).join("");
}

/** The id that follows from an executor's secret. */
export function executorIdOf(secret) {
  return base32Id("exe_", sha256("guildhall executor v1\0", sha256(secret)));
}

/** A run's journal must hold: without gaps, chained by its hashes (SHA-256), as long as its state says. Gives its facts. */
export async function assertJournal(stack, { run }, className = "RunObject") {
  const rows = await stack.objectSql(className, run, "SELECT seq, body, hash FROM journal ORDER BY seq");
  const [state] = await stack.objectSql(className, run, "SELECT seq, head FROM state");
  let head = Buffer.alloc(32);
  for (const [index, { seq, body, hash }] of rows.entries()) {
    head = sha256(head, body);
    assert.deepEqual([seq, JSON.parse(body).seq, hash], [index + 1, index + 1, head.toString("hex")]);
  }
  assert.deepEqual([state.seq, state.head], [rows.length, head.toString("hex")]);
  return rows.map(({ body }) => JSON.parse(body).event);
}
