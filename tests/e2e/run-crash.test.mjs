// The runtime is killed at any moment of a purchase: what was answered stays true, what was lost is done once when it is
// sent again, what the run owes itself it does by itself, and nothing is paid, held or claimed twice.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered } from "./support/board.mjs";
import { assertJournal as assertMandateJournal, ask, counted, mandateNow, mandateOf, party, usdc } from "./support/mandate.mjs";
import {
  STEPS, allEvents, assertJournal, base32Id, call, freshKey, over, prepare, purchase, registered, runVars, seen, send, sha256, standing, stands, types,
  walk, wanted,
} from "./support/run.mjs";
import { loseAlarms, makeAlarmsDue } from "./support/stored.mjs";
import { until } from "./support/waiting.mjs";

/** How long after a step is sent the runtime is killed, in milliseconds: spread over the time that one takes. */
const MOMENTS = [1, 6, 20, 60];
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
  for (let round = 0; round < 8; round += 1) {
    const [key, body] = [freshKey(), wanted({ wallet: "simulated" })];
    const first = call(stack, null, "POST", "/v1/runs", body, key).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, round * 12));
    await stack.crash();
    await first;
    const { run, runToken } = await answered(await call(stack, null, "POST", "/v1/runs", body, key), 201);
    const one = { run: run.id, token: runToken };
    const { confirmation } = (await stands(stack, one, "USER_CONFIRMATION", 20_000)).run.payment;
    const yes = { digest: confirmation.digest, amountCents: confirmation.amountCents };
    const confirming = call(stack, one.token, "POST", `/v1/runs/${one.run}/confirm`, yes).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, round * 10));
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
  const moments = [5, 20, 40, 70, 110];
  for (const moment of moments) {
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
  assert.deepEqual([now.spent.today, now.spent.countToday, now.funds.reserved], [`${spent}`, moments.length, "0"]);
  assert.equal(BigInt(now.funds.balance), BigInt(usdc(100_000)) - spent);
  const kinds = counted((await assertMandateJournal(stack, mandate)).map(({ body }) => Object.keys(JSON.parse(body).event.fact)[0]));
  assert.deepEqual([kinds.Reserved, kinds.Committed, kinds.Released ?? 0], [moments.length, moments.length, 0]);
});

for (const [what, change] of [["rings when nothing is due", makeAlarmsDue], ["is lost", loseAlarms]]) {
  test(`its alarm ${what}: in every state nothing happens, and it goes on with the next word`, async () => {
    const everyone = [];
    for (const [, state] of STEPS) {
      const one = await standing(stack, state, { executor });
      everyone.push([one, state, (await seen(stack, one)).run.version]);
    }
    await restart(change);
    for (const [one, state, version] of everyone) {
      const { run } = await seen(stack, one);
      assert.deepEqual([run.state, run.version], [state, version]);
      await walk(stack, one, "ORDER_CONFIRMED");
      await assertOnce(one);
    }
  });
}

test("killed as it begins, its alarm lost, and asked for by nobody, a run is found by the sweep and driven on", async (context) => {
  const begun = [];
  for (let round = 0; round < 10; round += 1) {
    const key = freshKey();
    // A runtime that has just started takes longer to load the module than any of these moments is.
    await (await stack.fetch("/v1/demo")).text();
    const lost = call(stack, null, "POST", "/v1/runs", wanted({ wallet: "simulated" }), key).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, 10 + round * 20));
    await stack.crash();
    await lost;
    begun.push(runIdOf(key["idempotency-key"]));
  }
  await restart(loseAlarms);
  const facts = async (run) => (await stack.objectSql("RunObject", run, "SELECT body FROM journal")).map(({ body }) => JSON.parse(body).event.type);
  const made = [];
  for (const run of begun) if (await isMade(run)) made.push([run, (await facts(run)).includes("CONFIRMATION_REQUESTED")]);
  context.diagnostic(`${made.length} of ${begun.length} were made, ${made.filter(([, isDone]) => isDone).length} had come to their question`);
  assert.ok(made.length > 0, "some were killed after they were made");
  for (const [run] of made) {
    await until(`the sweep to find ${run}`, async () => {
      await stack.scheduled();
      return (await facts(run)).includes("CONFIRMATION_REQUESTED");
    });
  }
});

/** The id of the run that is made under a key. */
function runIdOf(key) {
  return base32Id("run_", sha256("guildhall run by key v1\0", key));
}

/** Whether an object has ever recorded anything. */
async function isMade(run) {
  return (await stack.objectSql("RunObject", run, "SELECT name FROM sqlite_master WHERE name = 'state'")).length > 0;
}
