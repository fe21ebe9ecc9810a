// The runtime is killed at any moment of a mandate's life, and its lists go away: what was answered stays true, what was
// lost is done once when it is sent again, and the lists catch up.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { encodeAbiParameters, keccak256 } from "viem";
import { splitSql, start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  CHAIN, VARS, act, ahead, approval, ask, assertJournal, bytes32, counted, crowd, evaluated, hold, internally, isListed,
  listRows, mandateBody, mandateNow, mandateOf, party, paymentAt, paymentNow, request, stored, together, usdc, withoutLists,
} from "./support/mandate.mjs";
import { until } from "./support/waiting.mjs";

/** How long after a request is sent the runtime is killed, in milliseconds: spread over the time that one takes. */
const MOMENTS = [0, 2, 5, 10, 20, 35, 60, 100];

let stack;
before(async () => {
  stack = await start(VARS);
});
after(() => stack?.stop());

function cast() {
  return { owner: party(), agent: party(), provider: party() };
}

/** The steps from nothing to a settled payment, each as what it sends and what an answer to it says. */
function steps({ owner, agent, provider }) {
  const life = { key: bytes32(), body: mandateBody(agent), receipt: bytes32() };
  const at = (more = "") => `/v1/mandates/${life.mandate}${more}`;
  const acting = (account, verb, body) => () => act(stack, account, life.payment, verb, body?.());
  return { life, steps: [
    ["create", async () => ask(stack, owner, "POST", "/v1/mandates", life.body, { "idempotency-key": life.key })],
    ["fund", async () => ask(stack, owner, "POST", at("/fund"), { amount: usdc(100) }, { "idempotency-key": "fund" })],
    ["request", async () => {
      life.wish ??= (await evaluated(stack, life.mandate, { recipient: provider.address, amount: usdc(6) })).request;
      return ask(stack, agent, "POST", at("/requests"), { request: life.wish });
    }],
    ["approve", async () => {
      life.word ??= await approval(stack, owner, life.payment.payment);
      return acting(owner, "approve", () => life.word)();
    }],
    ["submit", async () => ask(stack, agent, "POST", at("/requests"), { request: life.wish })],
    ["deliver", acting(provider, "deliver", () => ({ receiptHash: life.receipt }))],
    ["accept", acting(owner, "accept")],
  ] };
}

/** Where a payment stands after each step that is about one. */
const STANDS = { request: "awaiting_approval", approve: "approved", submit: "escrowed", deliver: "delivered", accept: "settled" };
/** What a step says that had been done before it was sent again. */
const DONE = { approve: "already_decided", deliver: "state", accept: "request_unavailable_in_state" };

/** Looks at the mandate after a step: one event for each, the money that it has then, and a whole journal. */
async function assertAfter(life, index, name) {
  const now = await mandateNow(stack, life.mandate);
  assert.equal(now.version, index + 1, `after ${name} there is one event for each step`);
  const paid = name === "accept";
  const held = ["submit", "deliver"].includes(name);
  assert.equal(now.funds.balance, name === "create" ? "0" : usdc(paid ? 94 : 100), name);
  assert.equal(now.funds.reserved, held ? usdc(6) : "0", name);
  assert.equal(now.spent.today, held || paid ? usdc(6) : "0", name);
  if (STANDS[name]) assert.equal((await paymentNow(stack, life.payment)).progress, STANDS[name], name);
  await assertJournal(stack, life.mandate);
}

/** Takes what an answer says into the life, if it says that the step is done. */
function learn(life, name, status, body) {
  if (![200, 201, 202].includes(status)) return false;
  if (name === "create") life.mandate ??= body.mandate;
  if (name === "request") life.payment ??= body;
  if (STANDS[name]) assert.equal(body.progress, STANDS[name]);
  return true;
}

test("killed right after each answer, every answer stays true, and the same again changes nothing", async () => {
  const everyone = cast();
  const { life, steps: all } = steps(everyone);
  for (const [index, [name, send]] of all.entries()) {
    const answer = await send();
    assert.ok(learn(life, name, answer.status, await answer.json()), `${name}: ${answer.status}`);
    await stack.crash();
    await assertAfter(life, index, name);
    const again = await send();
    if (DONE[name]) await assertProblem(again, 409, DONE[name]);
    else assert.equal((await answered(again, 200)) && again.headers.get("idempotency-replayed"), "true", name);
    await assertAfter(life, index, name);
    assert.ok(await isListed(stack, life.mandate), `the lists know ${name}`);
  }
});

for (const moment of MOMENTS) {
  test(`killed ${moment} ms into each step, it is done once when it is sent again`, async (context) => {
    const everyone = cast();
    const { life, steps: all } = steps(everyone);
    const given = [];
    for (const [index, [name, send]] of all.entries()) {
      if (name === "request") life.wish = (await evaluated(stack, life.mandate, wishOf(everyone))).request;
      if (name === "approve") life.word = await approvalOf(everyone.owner, life);
      const first = send().then(async (answer) => [answer.status, await answer.json()]).catch(() => undefined);
      await new Promise((resume) => setTimeout(resume, moment));
      await stack.crash();
      const answer = await first;
      if (answer !== undefined) {
        assert.ok(learn(life, name, ...answer), `${name}: ${JSON.stringify(answer)}`);
        await assertAfter(life, index, name);
        given.push(name);
      }
      const second = await send();
      const body = await second.json();
      if (!learn(life, name, second.status, body)) assert.deepEqual([second.status, body.code], [409, DONE[name]], name);
      await assertAfter(life, index, name);
    }
    context.diagnostic(`answered before the kill: ${given.join(", ") || "nothing"}`);
    await until("the lists to catch up", () => isListed(stack, life.mandate));
    const { mandates } = await answered(await ask(stack, everyone.owner, "GET", "/v1/mandates"), 200);
    assert.equal(mandates.length, 1, "one mandate");
    const { payments } = await answered(await ask(stack, everyone.owner, "GET", "/v1/payments"), 200);
    assert.deepEqual(payments.map(({ progress }) => progress), ["settled"]);
  });
}

function wishOf({ provider }) {
  return { recipient: provider.address, amount: usdc(6) };
}

/** The owner's yes, by the queue; after a kill it may be the object that brings it there. */
async function approvalOf(owner, life) {
  await until("the queue to show the request", async () => (await ask(stack, owner, "GET", `/v1/approvals/${life.payment.payment}`)).ok);
  return approval(stack, owner, life.payment.payment);
}

test("killed with twenty requests under way, each answer that was given is true, and each request is escrowed once", async (context) => {
  for (const moment of [10, 40, 100]) {
    const { owner, agent, provider } = cast();
    const mandate = await mandateOf(stack, owner, agent, { policy: { dayCap: usdc(1000) } });
    const { request: wish } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1) });
    const path = `/v1/mandates/${mandate.mandate}/requests`;
    const messages = Array.from({ length: 20 }, () => ({ ...wish, requestId: bytes32() }));
    const send = (message) => ask(stack, agent, "POST", path, { request: message });
    const lost = messages.map((message) => send(message).then((answer) => answered(answer, 201)).catch(() => undefined));
    await new Promise((resume) => setTimeout(resume, moment));
    await stack.crash();
    const given = (await Promise.all(lost)).filter((answer) => answer !== undefined);
    context.diagnostic(`${given.length} answers within ${moment} ms`);
    for (const payment of given) assert.equal((await paymentNow(stack, payment)).progress, "escrowed");
    const found = (await mandateNow(stack, mandate)).open;
    assert.ok(found >= given.length);
    const answers = await Promise.all(messages.map(send));
    const statuses = counted(answers.map(({ status }) => status));
    assert.deepEqual(statuses, { ...(found && { 200: found }), ...(found < 20 && { 201: 20 - found }) });
    const now = await mandateNow(stack, mandate);
    assert.deepEqual([now.open, now.funds.reserved, now.spent.today, now.version], [20, usdc(20), usdc(20), 22]);
    await assertJournal(stack, mandate);
    await until("the lists to catch up", () => isListed(stack, mandate));
  }
});

test("a mandate that was made and never answered for, nor asked for again, is found by the sweep", async (context) => {
  const { ledger } = await answered(await stack.fetch("/v1/status"), 200);
  const ids = [];
  for (let round = 0; round < 24; round += 1) {
    const { owner, agent } = cast();
    // Awake, the runtime takes a few milliseconds; the kill falls between other steps each time.
    await mandateOf(stack, owner, agent, { funds: "0" });
    const body = { ...mandateBody(agent), salt: bytes32() };
    ids.push(idOf(ledger, owner, body.salt));
    const lost = ask(stack, owner, "POST", "/v1/mandates", body).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, 4 + (round % 12)));
    await stack.crash();
    await lost;
  }
  const made = [];
  for (const id of ids) if (await isMade(id)) made.push(id);
  context.diagnostic(`${made.length} of ${ids.length} were made`);
  await until("the sweep to find them", async () => {
    await stack.scheduled();
    const listed = await Promise.all(made.map((id) => isListed(stack, id)));
    return listed.every((is) => is);
  });
});

/** The id of the mandate that an owner makes with a salt. */
function idOf(ledger, { address }, salt) {
  const parts = [{ type: "uint256" }, { type: "address" }, { type: "address" }, { type: "bytes32" }];
  return keccak256(encodeAbiParameters(parts, [BigInt(CHAIN), ledger, address, salt]));
}

/** Whether an object has ever recorded anything. */
async function isMade(id) {
  return (await stored(stack, id, "SELECT name FROM sqlite_master WHERE name = 'state'")).length > 0;
}

test("killed before the lists were told, and asked by nobody again, the object tells them by itself", async () => {
  const { owner, agent, provider } = cast();
  const mandate = await mandateOf(stack, owner, agent);
  let late;
  await withoutLists(stack, async () => {
    const asked = await answered(await request(stack, agent, mandate, { recipient: provider.address, amount: usdc(2) }), 201);
    late = await mandateOf(stack, owner, agent);
    assert.equal(asked.progress, "escrowed");
    await stack.crash();
  });
  assert.equal(await isListed(stack, mandate), false);
  for (const one of [mandate, late]) await until("the object to tell", () => isListed(stack, one));
  const { payments } = await answered(await ask(stack, owner, "GET", "/v1/payments"), 200);
  assert.equal(payments.length, 1);
});

test("with the lists away, mandates go on by themselves, the lists say so, and they catch up", async () => {
  const everyone = cast();
  const { owner, agent, provider } = everyone;
  const mandate = await mandateOf(stack, owner, agent);
  const waiting = await paymentAt(stack, "waiting", { ...everyone, mandate });
  const word = await approval(stack, owner, waiting.payment);
  const path = `/v1/mandates/${mandate.mandate}`;
  const wish = { recipient: provider.address, amount: usdc(2) };
  await withoutLists(stack, async () => {
    const paid = await answered(await request(stack, agent, mandate, wish), 201);
    await assertProblem(await request(stack, agent, mandate, { ...wish, amount: usdc(11) }), 422, "entry_payment_cap");
    await answered(await act(stack, provider, paid, "deliver", { receiptHash: bytes32() }), 200);
    assert.equal((await answered(await act(stack, owner, paid, "accept"), 200)).progress, "settled");
    assert.equal((await answered(await act(stack, owner, waiting, "approve", word), 200)).progress, "approved");
    assert.equal((await mandateNow(stack, mandate)).funds.balance, usdc(98));
    for (const [account, list] of [
      [owner, "/v1/mandates"], [owner, "/v1/payments"], [owner, "/v1/approvals"], [owner, "/v1/activity"],
      [owner, "/v1/activity?format=csv"], [owner, `${path}/requests`], [agent, "/v1/agent/mandates"],
      [owner, `/v1/approvals/${waiting.payment}`], [owner, `/v1/payments/${paid.payment}`],
    ]) {
      const problem = await assertProblem(await ask(stack, account, "GET", list), 503, "unavailable", list);
      assert.equal(problem.retryable, true, list);
    }
  });
  await until("the lists to catch up", () => isListed(stack, mandate));
  const { payments } = await answered(await ask(stack, owner, "GET", "/v1/payments"), 200);
  assert.deepEqual(counted(payments.map(({ progress }) => progress)), { approved: 1, settled: 1 });
});

test("lists that were dropped are made anew by the sweep from the mandates alone, row for row", async () => {
  const everyone = cast();
  const { owner, agent } = everyone;
  const mandate = await mandateOf(stack, owner, agent, { policy: { dayCap: usdc(1000) } });
  for (const stage of ["waiting", "approved", "escrowed", "delivered", "settled"]) {
    await paymentAt(stack, stage, { ...everyone, mandate });
  }
  // More lines than one telling takes along.
  const fund = (index) => ask(stack, owner, "POST", `/v1/mandates/${mandate.mandate}/fund`, { amount: "1" }, { "idempotency-key": `n${index}` });
  for (let index = 0; index < 130; index += 10) await Promise.all(Array.from({ length: 10 }, (_, n) => fund(index + n)));
  await until("the lists", () => isListed(stack, mandate));
  const before = await listRows(stack);
  for (const list of ["mandates", "requests", "activity"]) await stack.d1(`DROP TABLE ${list}`);
  const migration = new URL("../../migrations/0002_mandates.sql", import.meta.url);
  for (const statement of splitSql(readFileSync(migration, "utf8"))) await stack.d1(statement);
  assert.deepEqual(await answered(await ask(stack, owner, "GET", "/v1/mandates"), 200), { mandates: [], nextCursor: null });
  await until("the sweep to find every mandate", async () => {
    await stack.scheduled();
    const { mandates, activity } = await listRows(stack);
    return mandates.length === before.mandates.length && activity.length === before.activity.length;
  }, 20_000);
  assert.deepEqual(await listRows(stack), before);
});

test("a reservation, its commit and its release survive a kill, and each counts once", async () => {
  const { owner, agent, provider } = cast();
  const mandate = await mandateOf(stack, owner, agent);
  const [paid, freed] = [bytes32(), bytes32()];
  for (const reservation of [paid, freed]) {
    await reserved(mandate, reservation, hold(provider));
  }
  await stack.crash();
  assert.deepEqual(await money(mandate), { balance: usdc(100), reserved: usdc(4), today: usdc(4), count: 2 });
  const asker = "gig:a-gig";
  const endings = [["Commit", { reservation: paid, asker, amount: usdc(1.5) }, "committed"], ["Release", { reservation: freed, asker }, "released"]];
  for (const [verb, message, ending] of endings) {
    for (let time = 0; time < 2; time += 1) {
      assert.equal((await internally(stack, mandate, verb, message)).ending, ending);
      await stack.crash();
    }
    assert.equal((await internally(stack, mandate, verb, message)).status, 200);
  }
  assert.deepEqual(await money(mandate), { balance: usdc(98.5), reserved: "0", today: usdc(1.5), count: 1 });
  const other = await internally(stack, mandate, "Commit", { ...endings[0][1], amount: usdc(1) });
  assert.deepEqual([other.status, other.code], [409, "reservation_over"]);
  assert.equal((await mandateNow(stack, mandate)).version, 6, "created, funded, reserved twice, ended twice");
  await assertJournal(stack, mandate);
});

async function reserved(mandate, reservation, held) {
  const answer = await internally(stack, mandate, "Reserve", { reservation, hold: held });
  assert.equal(answer.status, 200, JSON.stringify(answer));
}

async function money(mandate) {
  const { funds, spent } = await mandateNow(stack, mandate);
  return { balance: funds.balance, reserved: funds.reserved, today: spent.today, count: spent.countToday };
}

test("a reservation whose time is over gives back what it held, once, whoever looks first", async () => {
  const { owner, agent, provider } = cast();
  const mandate = await mandateOf(stack, owner, agent, { policy: { dayCap: usdc(2) } });
  const reservation = bytes32();
  const held = hold(provider, { until: Math.floor(Date.now() / 1000) + 60 });
  await reserved(mandate, reservation, held);
  const [refused] = await together(await crowd(stack, agent, mandate, { recipient: provider.address, amount: usdc(2) }, 1));
  assert.equal(refused.code, "day_cap");
  await ahead(stack, 61_000);
  try {
    const commit = { reservation, asker: held.asker, amount: usdc(2) };
    const late = await Promise.all(Array.from({ length: 10 }, () => internally(stack, mandate, "Commit", commit)));
    assert.deepEqual(counted(late.map(({ code }) => code)), { reservation_over: 10 });
    await until("the sweep to come by", async () => {
      await stack.scheduled();
      return (await mandateNow(stack, mandate)).reservations === 0;
    });
    assert.deepEqual(await money(mandate), { balance: usdc(100), reserved: "0", today: "0", count: 0 });
    await reserved(mandate, bytes32(), { ...held, until: held.until + 3600 });
    assert.deepEqual(await money(mandate), { balance: usdc(100), reserved: usdc(2), today: usdc(2), count: 1 });
    const kinds = (await assertJournal(stack, mandate)).map(({ body }) => Object.keys(JSON.parse(body).event.fact)[0]);
    assert.equal(kinds.filter((kind) => kind === "ReservationLapsed").length, 1);
  } finally {
    await ahead(stack, 0);
  }
});
