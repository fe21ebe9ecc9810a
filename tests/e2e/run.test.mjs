// One purchase from an intent to a verified order, by each way that leads there, and by those that end elsewhere.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  STEPS, allEvents, assertJournal, bring, call, cartOf, command, confirmationDigest, freshKey, freshWallet, over, purchase,
  quoteOf, registered, runVars, seen, send, simulatedSignature, standing, stands, types, walk, walletState, wanted,
} from "./support/run.mjs";
import { until } from "./support/waiting.mjs";

let stack;
let executor;

before(async () => {
  stack = await start(runVars());
  executor = await registered(stack, { label: "a test's browser" });
});
after(() => stack?.stop());

/** Starts a run that the demonstration's executor drives. */
async function demonstrated(options) {
  const answer = await call(stack, null, "POST", "/v1/runs", wanted(options), freshKey());
  const { run, runToken } = await answered(answer, 201);
  return { run: run.id, token: runToken };
}

async function confirmed(one) {
  const { digest, amountCents } = (await stands(stack, one, "USER_CONFIRMATION")).run.payment.confirmation;
  return answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/confirm`, { digest, amountCents }), 200);
}

/** What was paid is what was read at checkout, by whichever name it goes, and no other run's. */
function assertAmounts({ run }) {
  const { confirmation, authorization, requirement, wallet } = run.payment;
  const cents = run.checkout.quote.cart.totalCents;
  assert.deepEqual([confirmation.amountCents, authorization.amountCents, run.checkout.pix.amountCents], Array(3).fill(cents));
  assert.deepEqual([confirmation.gross, authorization.gross], Array(2).fill(requirement.gross));
  assert.deepEqual([confirmation.wallet, authorization.wallet], Array(2).fill(wallet.address));
  assert.ok(BigInt(cents) <= BigInt(run.intent.maxBudgetCents));
}

const HAPPY = [
  "INTENT_CREATED", "MARKET_SEARCH_STARTED", "MARKET_SEARCHED", "CANDIDATE_SELECTED", "REVALIDATION_REQUESTED",
  "TOKEN_USED", "REVALIDATION_STARTED", "QUOTE_VALIDATED", "CHECKOUT_REQUESTED", "CHECKOUT_READY", "PIX_REQUESTED", "PIX_DETECTED",
  "WALLET_REQUIRED", "WALLET_CONNECTED", "FUNDS_CHECK_STARTED", "FUNDS_CHECKED", "PAYMENT_READY", "CONFIRMATION_REQUESTED",
  "USER_CONFIRMED", "PAYMENT_AUTHORIZED", "PAYMENT_SUBMITTED", "SETTLEMENT_LOOK_STARTED", "SETTLEMENT_VERIFIED", "ORDER_REQUESTED",
  "ORDER_CONFIRMED",
];

test("an executor and a wallet of one's own: each step leads to its state, and the journal tells all of it", async () => {
  const one = purchase({ executor, requirement: "guaraná 2l", quantity: 2, maxBudgetCents: 100000 });
  for (const [step, state] of STEPS) {
    const answer = await answered(await send(stack, one, step), step === "create" ? 201 : 200);
    assert.equal(answer.runId ?? answer.run.id, one.run, step);
    const { run, nextAction } = await stands(stack, one, state);
    assert.equal(run.isTerminal, state === "ORDER_CONFIRMED");
    assert.ok(nextAction.message.length > 0, state);
    if (step === "connect") assert.equal(run.payment.confirmation.digest, confirmationDigest(run));
    if (step === "confirm") assert.equal(one.sent.confirm[2].digest, run.payment.confirmation.digest);
  }
  const view = await seen(stack, one);
  assertAmounts(view);
  assert.equal(view.run.payment.signature, simulatedSignature(view.run));
  assert.equal(view.run.order.confirmed, true);
  const events = await allEvents(stack, one);
  assert.deepEqual(types(events).filter((type) => type !== "TOKEN_USED"), HAPPY.filter((type) => type !== "TOKEN_USED"));
  assert.equal(types(events).filter((type) => type === "TOKEN_USED").length, 1);
  assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => index + 1));
  for (const { type, actor, at, message, payload } of events) {
    assert.ok(message.length > 0 && !message.includes("undefined"), type);
    assert.match(actor, /^(user|agent|browser|wallet|chain|system)$/);
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(typeof payload, "object", type);
  }
  assert.equal(view.run.version, events.length);
  assert.deepEqual((await assertJournal(stack, one)).map(({ type }) => type), types(events));
});

test("the demonstration buys by itself, but for the yes", async () => {
  const one = await demonstrated({ wallet: "simulated" });
  const demo = await answered(await stack.fetch("/v1/demo"), 200);
  const { run } = await stands(stack, one, "USER_CONFIRMATION");
  assert.equal(run.executorId, demo.executorId);
  assert.equal(demo.simulated, true);
  assert.ok(run.candidates.every(({ source }) => source === "synthetic"), JSON.stringify(run.candidates));
  assert.equal(run.payment.requirement.simulated, true);
  await confirmed(one);
  const end = await over(stack, one);
  assert.equal(end.run.state, "ORDER_CONFIRMED", JSON.stringify(end.run.failure));
  assertAmounts(end);
  await assertJournal(stack, one);
});

test("the demonstration buys for a wallet of one's own, which connects and pays when it is asked", async () => {
  const one = await demonstrated({ wallet: "external" });
  await stands(stack, one, "WALLET_REQUIRED");
  const wallet = walletState(freshWallet());
  await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/wallet-state`, wallet), 200);
  await confirmed(one);
  const { run } = await stands(stack, one, "PAYMENT_AUTHORIZED");
  const payment = { signature: simulatedSignature(run) };
  await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/payment`, payment), 200);
  assert.equal((await over(stack, one)).run.state, "ORDER_CONFIRMED");
});

test("a signature that pays something else ends the run, and nothing was bought", async () => {
  const one = await standing(stack, "PAYMENT_AUTHORIZED", { executor });
  const path = `/v1/runs/${one.run}/payment`;
  await answered(await call(stack, one.token, "POST", path, { signature: `sim_${"0".repeat(64)}` }), 200);
  const { run } = await over(stack, one);
  assert.deepEqual([run.state, run.failure.code], ["SETTLEMENT_FAILED", "wrong_signature"]);
  assert.equal(run.order, null);
});

const STORIES = [
  ["gone", "the first shop has none left", ({ run, events }) => {
    assert.equal(run.state, "ORDER_CONFIRMED");
    assert.equal(types(events).filter((type) => type === "CANDIDATE_REJECTED").length, 1);
  }],
  ["drift", "the first shop has become dearer", ({ run }) => {
    assert.equal(run.state, "ORDER_CONFIRMED");
    assert.deepEqual(run.rejectedCandidates.flatMap(({ reasons }) => reasons), ["drift_too_high"]);
  }],
  ["login", "the buyer has to log in first", ({ run, events }) => {
    assert.equal(run.state, "ORDER_CONFIRMED");
    assert.equal(types(events).filter((type) => type === "BROWSER_NEEDS_USER").length, 1);
  }],
  ["dear", "everything costs more than the budget", ({ run }) => {
    assert.equal(run.state, "NO_VALID_OPTION");
    assert.ok(run.rejectedCandidates.every(({ reasons }) => reasons.includes("over_budget")));
  }],
  ["nothing", "nobody sells it", ({ run }) => assert.deepEqual([run.state, run.candidates], ["NO_VALID_OPTION", []])],
];
for (const [word, what, assertEnd] of STORIES) {
  test(`${word}: ${what}`, async () => {
    const one = await demonstrated({ requirement: `coca-cola ${word}`, wallet: "simulated" });
    const view = await until("the question or the end", async () => {
      const now = await seen(stack, one);
      return (now.run.isTerminal || now.run.state === "USER_CONFIRMATION") && now;
    }, 15_000);
    if (!view.run.isTerminal) await confirmed(one);
    const { run } = await over(stack, one);
    assertEnd({ run, events: await allEvents(stack, one) });
    await assertJournal(stack, one);
  });
}

test("a no ends it, and nothing was charged", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const answer = await call(stack, one.token, "POST", `/v1/runs/${one.run}/confirm`, { reject: true });
  assert.equal((await answered(answer, 200)).run.state, "CANCELLED");
  const events = types(await allEvents(stack, one));
  assert.ok(events.includes("USER_REJECTED") && !events.includes("PAYMENT_AUTHORIZED"));
});

const BEFORE_PAYMENT = STEPS.slice(0, 6);
for (const [, state] of BEFORE_PAYMENT) {
  test(`in ${state} its owner stops it at once, and its command is taken back`, async () => {
    const one = await standing(stack, state, { executor });
    const path = `/v1/runs/${one.run}/cancel`;
    const { run } = await answered(await call(stack, one.token, "POST", path), 200);
    assert.deepEqual([run.state, run.isTerminal, run.pendingCommand], ["CANCELLED", true, null]);
    const again = await call(stack, one.token, "POST", path, {});
    assert.equal((await answered(again, 200)).run.state, "CANCELLED");
    const { version } = (await seen(stack, one)).run;
    for (const [step] of STEPS.slice(1)) {
      if (!one.sent[step]) continue;
      const late = await send(stack, one, step);
      assert.ok([200, 409].includes(late.status), `${step}: ${late.status}`);
    }
    assert.equal((await seen(stack, one)).run.version, version, "what is over does not change");
    await until("its command to be taken back", async () => {
      const { commands } = await answered(await call(stack, executor.secret, "GET", "/v1/executors/me/commands"), 200);
      return !commands.some(({ runId }) => runId === one.run);
    });
  });
}

test("once it is paid it cannot be stopped, and says so", async () => {
  const one = await standing(stack, "SETTLED", { executor });
  const path = `/v1/runs/${one.run}/cancel`;
  await assertProblem(await call(stack, one.token, "POST", path), 409, "already_paid");
  await walk(stack, one, "ORDER_CONFIRMED");
  await assertProblem(await call(stack, one.token, "POST", path), 409, "run_over");
});

test("stopped between authorization and payment: it is looked for a payment first, and then given up", async () => {
  const one = await standing(stack, "PAYMENT_AUTHORIZED", { executor });
  await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/cancel`), 200);
  assert.equal((await over(stack, one)).run.state, "CANCELLED");
  const events = types(await allEvents(stack, one));
  const order = ["CANCEL_REQUESTED", "PAYMENT_TRACE_STARTED", "PAYMENT_ABSENT", "CANCELLED"];
  assert.deepEqual(events.filter((type) => order.includes(type)), order);
  await assertProblem(await send(stack, one, "pay"), 409, "run_over");
});

test("another wallet at the question: what was read is read again, and the yes to the first one is none to the second", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const first = (await seen(stack, one)).run.payment.confirmation;
  const other = walletState(freshWallet());
  await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/wallet-state`, other), 200);
  const dropped = await stands(stack, one, "QUOTE_VALIDATED");
  assert.deepEqual([dropped.run.payment?.confirmation ?? null, dropped.run.checkout?.pix ?? null], [null, null]);
  const { commandId } = await command(stack, executor, one.run, "READ_CHECKOUT");
  await answered(await bring(stack, executor, one.run, quoteOf(commandId, executor.carts.get(one.run))), 200);
  const pix = await command(stack, executor, one.run, "READ_PIX");
  const result = { commandId: pix.commandId, type: "PIX", amountCents: pix.expectedAmountCents, evidence: "pix-selected" };
  await answered(await bring(stack, executor, one.run, result), 200);
  const { run } = await stands(stack, one, "USER_CONFIRMATION");
  assert.notEqual(run.payment.confirmation.digest, first.digest);
  assert.equal(run.payment.confirmation.wallet, other.address);
  const stale = { digest: first.digest, amountCents: first.amountCents };
  await assertProblem(await call(stack, one.token, "POST", `/v1/runs/${one.run}/confirm`, stale), 409, "confirmation_over");
  await confirmed(one);
});

test("a cart that costs more at checkout than the budget allows is not bought, however little it was before", async () => {
  const one = await standing(stack, "REVALIDATING", { executor });
  const { candidate, commandId } = await command(stack, executor, one.run, "REVALIDATE_CANDIDATE");
  const cart = cartOf({ ...candidate, totalCents: "100001" });
  await answered(await bring(stack, executor, one.run, quoteOf(commandId, cart)), 200);
  const { run } = await seen(stack, one);
  const [rejected] = run.rejectedCandidates;
  assert.equal(rejected.candidateId, candidate.candidateId);
  assert.ok(rejected.reasons.includes("over_budget"), JSON.stringify(rejected));
});
