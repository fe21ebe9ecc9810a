// What there can be only so much of is refused by name beyond that, whoever fills it fills only their own, and what is over
// costs nothing: a mandate's thousandth request is as quick as its first.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  VARS, act, ahead, approval, ask, assertJournal, bytes32, counted, crowd, evaluated, having, hold, internally, mandateBody,
  mandateNow, mandateOf, party, request, sealed, stored, together, typed, usdc,
} from "./support/mandate.mjs";

const ENTRIES = 1000;
const WAITING = 64;
const OPEN = 200;
const RESERVATIONS = 200;
const SIGNATURES = 2048;
/** The longest row that the runtime's database takes has two megabytes; a state is to stay below half of that. */
const STATE_BYTES = 1_000_000;
/** Requests of one agent, of which each fifth is allowed; as many of them as this time is enough for. */
const REQUESTS = 10_000;
const REQUESTS_MS = 150_000;
/** What is sent at once where only the number counts. */
const WIDTH = 20;

let stack;
before(async () => {
  stack = await start(VARS);
});
after(() => stack?.stop());

const numbered = (index) => `0x${(index + 1).toString(16).padStart(40, "0")}`;
const entriesFor = (count, more = {}) =>
  Array.from({ length: count }, (_, index) => ({ recipient: numbered(index), service: "text.transform", ...more }));

async function stateBytes(mandate) {
  const [{ bytes }] = await stored(stack, mandate, "SELECT length(CAST(snapshot AS BLOB)) AS bytes FROM state");
  return bytes;
}

/** Runs `work` for each index below `count`, some at once; what comes back, in order. */
async function inTurns(count, work, width = WIDTH) {
  const results = [];
  for (let from = 0; from < count; from += width) {
    const turn = Array.from({ length: Math.min(width, count - from) }, (_, index) => work(from + index));
    results.push(...await Promise.all(turn));
  }
  return results;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The middle of what so many requests that pass take, in milliseconds, one after the other. */
async function requestTime(agent, mandate, wish, count) {
  const times = [];
  for (const signed of await crowd(stack, agent, mandate, wish, count)) {
    const begun = performance.now();
    const answer = await fetch(signed);
    await answer.text();
    times.push(performance.now() - begun);
    assert.equal(answer.status, 201);
  }
  return median(times);
}

test("a mandate has a thousand entries, each of which counts, and no more", async () => {
  const [owner, agent] = [party(), party()];
  const tooMany = mandateBody(agent, { entries: entriesFor(ENTRIES + 1) });
  const refused = await ask(stack, owner, "POST", "/v1/mandates", tooMany, { "idempotency-key": "n" });
  const { errors } = await assertProblem(refused, 400, "invalid_body");
  assert.deepEqual(errors.map(({ field }) => field), ["entries"]);
  assert.match(errors[0].message, /1001 entries; 1000 are allowed/);
  const mandate = await mandateOf(stack, owner, agent, { entries: entriesFor(ENTRIES) });
  assert.equal(mandate.entryCount, ENTRIES);
  const last = { recipient: numbered(ENTRIES - 1), amount: usdc(1) };
  assert.equal((await evaluated(stack, mandate, last)).verdict, "allowed");
  const beyond = await evaluated(stack, mandate, { ...last, recipient: numbered(ENTRIES) });
  assert.deepEqual([beyond.verdict, beyond.code], ["refused", "not_allowed"]);

  const policy = { ...mandateBody(agent).policy, validBefore: mandate.policy.validBefore };
  const amend = (expectedVersion, entries) =>
    ask(stack, owner, "POST", `/v1/mandates/${mandate.mandate}/amend`, { expectedVersion, policy, entries });
  const version = mandate.policyVersion;
  const one = [{ recipient: numbered(ENTRIES), service: "text.transform" }];
  await assertProblem(await amend(version, one), 422, "too_many_entries");
  // The same entries with less: a tightening, at once.
  const tightened = await answered(await amend(version, entriesFor(ENTRIES, { paymentCap: usdc(0.5) })), 200);
  assert.deepEqual([tightened.policyVersion, tightened.entryCount], [version + 1, ENTRIES]);
  assert.equal((await evaluated(stack, mandate, last)).code, "entry_payment_cap");
  assert.equal((await answered(await request(stack, agent, mandate, { ...last, amount: usdc(0.5) }), 201)).progress, "escrowed");
});

test("entries are read page by page, each once", async () => {
  const [owner, agent] = [party(), party()];
  const mandate = await mandateOf(stack, owner, agent, { entries: entriesFor(250) });
  const seen = [];
  for (let cursor = ""; cursor !== null;) {
    const path = `/v1/mandates/${mandate.mandate}/entries?limit=100${cursor && `&cursor=${cursor}`}`;
    const page = await answered(await ask(stack, null, "GET", path), 200);
    seen.push(...page.entries.map(({ recipient }) => recipient.toLowerCase()));
    cursor = page.nextCursor;
  }
  assert.deepEqual(seen.toSorted(), entriesFor(250).map(({ recipient }) => recipient).sort());
});

test("a mandate as full as can be refuses more by name, takes what has room again, and fits its row", async (context) => {
  const [owner, agent, provider] = [party(), party(), party()];
  const options = { policy: { dayCap: usdc(10_000) }, funds: usdc(10_000) };
  const entries = [...entriesFor(ENTRIES - 1), { service: "text.transform" }];
  const mandate = await mandateOf(stack, owner, agent, { ...options, entries });
  const wish = (amount) => ({ recipient: provider.address, amount: usdc(amount) });
  const fill = async (count, amount, status) => {
    const requests = await crowd(stack, agent, mandate, wish(amount), count);
    const answers = await inTurns(count, async (index) => (await together([requests[index]]))[0]);
    assert.equal(having(answers, status).length, count, JSON.stringify(counted(answers.map((answer) => answer.code ?? answer.status))));
    return answers;
  };
  const waiting = await fill(WAITING, 6, 202);
  await assertProblem(await request(stack, agent, mandate, wish(6)), 409, "too_many_waiting_requests");
  const open = await fill(OPEN, 1, 201);
  await assertProblem(await request(stack, agent, mandate, wish(1)), 409, "too_many_open_payments");
  const word = await approval(stack, owner, waiting[0].payment);
  await answered(await act(stack, owner, waiting[0], "approve", word), 200);
  await assertProblem(await act(stack, agent, waiting[0], "submit"), 409, "too_many_open_payments");

  const reserve = () => internally(stack, mandate, "Reserve", { reservation: bytes32(), hold: hold(provider, { amount: "1" }) });
  const held = await inTurns(RESERVATIONS, reserve);
  assert.equal(having(held, 200).length, RESERVATIONS);
  const more = await reserve();
  assert.deepEqual([more.status, more.code], [409, "too_many_reservations"]);

  const bytes = await stateBytes(mandate);
  context.diagnostic(`the fullest state has ${bytes} bytes`);
  assert.ok(bytes < STATE_BYTES);
  const now = await mandateNow(stack, mandate);
  assert.deepEqual([now.entryCount, now.waiting, now.open, now.reservations], [ENTRIES, WAITING, OPEN, RESERVATIONS]);
  const ended = await inTurns(30, (index) => act(stack, provider, open[index], "void").then(({ status }) => status));
  assert.deepEqual(counted(ended), { 200: 30 });
  assert.equal((await answered(await act(stack, agent, waiting[0], "submit"), 200)).progress, "escrowed");
  await answered(await act(stack, owner, waiting[1], "reject"), 200);
  await answered(await request(stack, agent, mandate, wish(6)), 202);

  const small = await mandateOf(stack, owner, agent, options);
  const [full, least] = [await requestTime(agent, mandate, wish(1), 25), await requestTime(agent, small, wish(1), 25)];
  const ratio = (await stateBytes(mandate)) / (await stateBytes(small));
  const times = `${full.toFixed(1)} ms, to a small one ${least.toFixed(1)} ms (${(full / least).toFixed(1)} times)`;
  context.diagnostic(`a request to it takes ${times}; its state is ${ratio.toFixed(0)} times as long`);
  await assertJournal(stack, mandate);
});

/** Asks with fresh signatures of an account until one is refused, at most so often; how many were taken, and the refusal. */
async function exhaust(account, path) {
  let taken = 0;
  for (let turn = 0; turn * WIDTH < SIGNATURES + 2 * WIDTH; turn += 1) {
    const answers = await inTurns(WIDTH, () => ask(stack, account, "GET", path));
    const refused = answers.find(({ status }) => status !== 200);
    taken += answers.filter(({ status }) => status === 200).length;
    await Promise.all(answers.filter((answer) => answer !== refused).map((answer) => answer.text()));
    if (refused) return { taken, refused };
  }
  assert.fail(`${taken} signatures were taken`);
}

test("who signs too much is told when to come again, and nobody else is kept out by it", async () => {
  const [owner, agent, stranger] = [party(), party(), party()];
  const [mandate, other] = [await mandateOf(stack, owner, agent), await mandateOf(stack, owner, party())];
  const [path, elsewhere] = [mandate, other].map(({ mandate: id }) => `/v1/mandates/${id}/budget`);
  for (const account of [stranger, agent]) {
    const { taken, refused } = await exhaust(account, path);
    // The agent has used one before.
    assert.equal(taken, account === stranger ? SIGNATURES : SIGNATURES - 1);
    assert.equal(refused.headers.get("retry-after"), "60");
    await assertProblem(refused, 429, "too_many_signatures");
    const [kept, free] = account === stranger ? [elsewhere, [owner, agent]] : [path, [owner]];
    await assertProblem(await ask(stack, account, "GET", kept), 429, "too_many_signatures");
    for (const party of free) await answered(await ask(stack, party, "GET", path), 200);
  }
  await answered(await ask(stack, agent, "GET", "/v1/agent/mandates"), 200);
  await answered(await ask(stack, owner, "POST", `/v1/mandates/${mandate.mandate}/pause`), 200);
  const [{ bytes }] = await stored(stack, mandate, "SELECT sum(length(snapshot)) AS bytes FROM used");
  assert.ok(bytes < 50_000, `${bytes} bytes of used signatures`);

  // A signature is kept for its minute and the skew of 30 seconds, and from there to the end of a minute: for 150 seconds at most.
  await ahead(stack, 160_000);
  try {
    const created = Math.floor(Date.now() / 1000) + 160;
    const signed = await sealed(stack, agent, "GET", path, undefined, {}, { created, expires: created + 60 });
    await answered(await fetch(signed), 200);
  } finally {
    await ahead(stack, 0);
  }
});

test("a signed request for a mandate that does not exist leaves nothing in it", async () => {
  const unborn = bytes32();
  for (const account of [party(), party()]) {
    await assertProblem(await ask(stack, account, "GET", `/v1/mandates/${unborn}`), 404, "unknown_mandate");
  }
  assert.deepEqual(await stored(stack, unborn, "SELECT name FROM sqlite_master WHERE substr(name, 1, 1) <> '_'"), []);
});

test("after thousands of requests each costs what the first ones cost, and the state is as long", async (context) => {
  const [owner, agent] = [party(), party()];
  const providers = Array.from({ length: 20 }, party);
  const mandate = await mandateOf(stack, owner, agent, { policy: { dayCap: usdc(100_000) }, funds: usdc(100_000) });
  const { request: message, typedData } = await evaluated(stack, mandate, { recipient: providers[0].address, amount: usdc(1) });
  const path = `/v1/mandates/${mandate.mandate}/requests`;
  const times = [];
  /** One request; each fifth is allowed and then given back, the others ask for too much. */
  const once = async (index) => {
    const [isAllowed, provider] = [index % 5 === 0, providers[index % providers.length]];
    const amount = usdc(isAllowed ? 1 : 11);
    const wish = { ...message, requestId: bytes32(), recipient: provider.address, maxAmount: amount };
    const signature = await typed(agent, { ...typedData, message: wish });
    const begun = performance.now();
    const answer = await ask(stack, null, "POST", path, { request: wish, signature });
    const body = await answer.json();
    times.push(performance.now() - begun);
    assert.equal(answer.status, isAllowed ? 201 : 422, JSON.stringify(body));
    if (isAllowed) await answered(await act(stack, provider, body, "void"), 200);
  };
  await inTurns(100, once, 5);
  times.length = 0;
  const [begun, bytesBefore] = [performance.now(), await stateBytes(mandate)];
  let count = 0;
  for (; count < REQUESTS && performance.now() - begun < REQUESTS_MS; count += 100) await inTurns(100, once, 5);
  const part = Math.min(1000, Math.floor(times.length / 4));
  const [first, last] = [median(times.slice(0, part)), median(times.slice(-part))];
  const bytes = await stateBytes(mandate);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const growth = `${first.toFixed(1)} ms each at first, ${last.toFixed(1)} ms at last (${(last / first).toFixed(2)} times)`;
  context.diagnostic(`${count} requests in ${seconds} s: ${growth}; the state had ${bytesBefore} bytes and has ${bytes}`);
  assert.ok(count >= 1000, "too few to say anything");
  assert.ok(last < first * 4);
  assert.ok(bytes < bytesBefore * 1.2);
  const now = await mandateNow(stack, mandate);
  assert.deepEqual([now.open, now.funds.reserved, now.funds.balance], [0, "0", usdc(100_000)]);
  await assertJournal(stack, mandate);
});
