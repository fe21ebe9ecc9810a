// The runtime is killed at any moment of a purchase: what was answered stays true, what was lost is done once when it is
// sent again, what the run owes itself it does by itself, and nothing is paid, held or claimed twice.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered } from "./support/board.mjs";
import { assertJournal as assertMandateJournal, ask, counted, mandateNow, mandateOf, party, usdc } from "./support/mandate.mjs";
import {
  STEPS, allEvents, assertJournal, call, freshKey, over, prepare, purchase, registered, runVars, seen, send, sha256, standing, stands, types,
  walk, wanted,
} from "./support/run.mjs";
import { loseAlarms, makeAlarmsDue } from "./support/stored.mjs";
import { until } from "./support/waiting.mjs";

/** How long after a step is sent the runtime is killed, in milliseconds: spread over the time that one takes. */
const MOMENTS = [0, 2, 5, 10, 20, 35, 60, 100];
/** Facts of which a run has at most one. */
const ONCE = [
  "INTENT_CREATED", "TOKEN_USED", "MARKET_SEARCHED", "QUOTE_VALIDATED", "CHECKOUT_READY", "PIX_DETECTED", "USER_CONFIRMED",
  "PAYMENT_AUTHORIZED", "PAYMENT_SUBMITTED", "SETTLEMENT_VERIFIED", "ORDER_CONFIRMED", "BUDGET_HELD",
];

let stack;
let executor;

before(async () => {
  stack = await start(runVars());
  executor = await registered(stack);
});
after(() => stack?.stop());

/** A run's journal is whole, says nothing twice, and its receipt is its own. */
async function assertOnce(one) {
  const facts = (await assertJournal(stack, one)).map(({ type }) => type);
  for (const fact of ONCE) assert.ok(facts.filter((type) => type === fact).length <= 1, `${fact} twice: ${facts}`);
  assert.deepEqual(types(await allEvents(stack, one)), facts);
  const { run } = await seen(stack, one);
  if (run.payment?.signature) {
    const name = sha256("guildhall receipt v1\0", networkOf(run), "\0", run.payment.signature).toString("hex");
    await assertJournal(stack, { run: name }, "ReceiptObject");
    const [{ count }] = await stack.objectSql("ReceiptObject", name, "SELECT count(*) AS count FROM journal");
    assert.equal(count, 1, "one claim");
  }
}

const networkOf = ({ settlement }) => settlement.network ?? "simulated";

/** Restarts the runtime on the same storage, after `change` has done something to it. */
async function restart(change = () => {}) {
  await stack.stop({ keep: true });
  change(stack.persist);
  stack = await start({ ...runVars(), persist: stack.persist });
}

test("killed right after each answer, every answer stays true, and the run goes on as if nothing had been", async () => {
  const one = purchase({ executor });
  for (const [step, state] of STEPS) {
    const answer = await send(stack, one, step);
    assert.ok(answer.ok, `${step}: ${answer.status}`);
    const version = (await answer.json()).run?.version ?? 0;
    await stack.crash();
    const { run } = await stands(stack, one, state);
    assert.ok(run.version >= version, `${step}: what was answered is there`);
    if (step !== "create") {
      const again = await send(stack, one, step);
      assert.ok([200, 409].includes(again.status), `${step} again: ${again.status} ${await again.text()}`);
    }
    await stands(stack, one, state);
  }
  await assertOnce(one);
});

for (const moment of MOMENTS) {
  test(`killed ${moment} ms into each step, it is done once when it is sent again`, async (context) => {
    const one = purchase({ executor });
    const given = [];
    for (const [step, state] of STEPS) {
      // A poll whose answer is lost is made up for when its lease ends, a minute later: not what is killed here.
      await prepare(stack, one, step);
      const first = send(stack, one, step).then((answer) => answer.ok).catch(() => false);
      await new Promise((resume) => setTimeout(resume, moment));
      await stack.crash();
      if (await first) given.push(step);
      const again = await send(stack, one, step);
      assert.ok(again.ok, `${step} again: ${again.status} ${await again.clone().text()}`);
      await stands(stack, one, state, 15_000);
    }
    context.diagnostic(`answered before the kill: ${given.join(", ") || "nothing"}`);
    await assertOnce(one);
  });
}

test("killed while the demonstration drives it, at every turn, it comes to the same end by itself", async (context) => {
  for (let round = 0; round < 12; round += 1) {
    const [key, body] = [freshKey(), wanted({ wallet: "simulated" })];
    const first = call(stack, null, "POST", "/v1/runs", body, key).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, round * 8));
    await stack.crash();
    await first;
    const { run, runToken } = await answered(await call(stack, null, "POST", "/v1/runs", body, key), 201);
    const one = { run: run.id, token: runToken };
    const { confirmation } = (await stands(stack, one, "USER_CONFIRMATION", 20_000)).run.payment;
    const yes = { digest: confirmation.digest, amountCents: confirmation.amountCents };
    const confirming = call(stack, one.token, "POST", `/v1/runs/${one.run}/confirm`, yes).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, round * 6));
    await stack.crash();
    await confirming;
    await call(stack, one.token, "POST", `/v1/runs/${one.run}/confirm`, yes);
    const end = await over(stack, one, 30_000);
    assert.equal(end.run.state, "ORDER_CONFIRMED", JSON.stringify(end.run.failure));
    await assertOnce(one);
    context.diagnostic(`round ${round}: ${end.run.version} events`);
  }
});

test("killed with a mandate's hold under way: one hold, one payment, and the budget agrees", async () => {
  const [owner, agent] = [party(), party()];
  const policy = { paymentCap: usdc(1000), dayCap: usdc(100_000), approvalAbove: usdc(1000) };
  const mandate = await mandateOf(stack, owner, agent, { policy, entries: [{}], funds: usdc(100_000) });
  let spent = 0n;
  for (const moment of [2, 8, 15, 25, 40, 60, 80, 120]) {
    const [key, body] = [freshKey(), wanted({ wallet: "simulated", mandate: mandate.mandate })];
    const first = ask(stack, agent, "POST", "/v1/runs", body, key).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, moment));
    await stack.crash();
    await first;
    const answer = await ask(stack, agent, "POST", "/v1/runs", body, key);
    const { run, runToken } = await answered(answer, 201);
    const one = { run: run.id, token: runToken };
    const end = await over(stack, one, 30_000);
    assert.equal(end.run.state, "ORDER_CONFIRMED", JSON.stringify(end.run.failure));
    spent += BigInt(end.run.payment.authorization.gross);
    await assertOnce(one);
  }
  await until("the mandate to be told", async () => (await mandateNow(stack, mandate)).reservations === 0);
  const now = await mandateNow(stack, mandate);
  assert.deepEqual([now.spent.today, now.spent.countToday, now.funds.reserved], [`${spent}`, 8, "0"]);
  assert.equal(BigInt(now.funds.balance), BigInt(usdc(100_000)) - spent);
  const kinds = counted((await assertMandateJournal(stack, mandate)).map(({ body }) => Object.keys(JSON.parse(body).event.fact)[0]));
  assert.deepEqual([kinds.Reserved, kinds.Committed, kinds.Released ?? 0], [8, 8, 0]);
});

for (const [step, state] of STEPS.slice(0, -1)) {
  test(`its alarm lost in ${state}, it goes on with the next word`, async () => {
    const one = await standing(stack, state, { executor });
    await restart(loseAlarms);
    const { run } = await seen(stack, one);
    assert.equal(run.state, state, `after ${step}`);
    await walk(stack, one, "ORDER_CONFIRMED");
    await assertOnce(one);
  });
}

test("its alarm rings when nothing is due: nothing happens, in every state", async () => {
  const everyone = [];
  for (const [, state] of STEPS) everyone.push([state, await standing(stack, state, { executor })]);
  const versions = new Map();
  for (const [, one] of everyone) versions.set(one.run, (await seen(stack, one)).run.version);
  await restart(makeAlarmsDue);
  for (const [state, one] of everyone) {
    const { run } = await seen(stack, one);
    assert.deepEqual([run.state, run.version], [state, versions.get(one.run)]);
  }
});

test("killed before its first effect, with nobody who asks again, a run is found by the sweep", async (context) => {
  const made = [];
  for (let round = 0; round < 12; round += 1) {
    const key = freshKey();
    const body = wanted({ wallet: "simulated" });
    const lost = call(stack, null, "POST", "/v1/runs", body, key).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, 3 + round));
    await stack.crash();
    await lost;
    made.push([body, key]);
  }
  await restart(loseAlarms);
  for (let turn = 0; turn < 3; turn += 1) await stack.scheduled();
  const ids = await stack.objectIds("RunObject");
  context.diagnostic(`${ids.length} runs`);
  for (const [body, key] of made) {
    const { run, runToken } = await answered(await call(stack, null, "POST", "/v1/runs", body, key), 201);
    await stands(stack, { run: run.id, token: runToken }, "USER_CONFIRMATION", 20_000);
  }
});
