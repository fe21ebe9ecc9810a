// Every wait of a run ends: by the clock, in a named state, and never with money in doubt.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { ahead } from "./support/mandate.mjs";
import {
  MINUTE, allEvents, bring, call, cartOf, command, quoteOf, registered, runVars, seen, send, simulatedSignature, standing, types,
} from "./support/run.mjs";
import { until } from "./support/waiting.mjs";

const HOUR = 60 * MINUTE;

let stack;
let executor;

before(async () => {
  stack = await start(runVars());
  executor = await registered(stack);
});
afterEach(() => ahead(stack, 0));
after(() => stack?.stop());

/** Lets so much time pass, and waits until the run shows what came of it. */
async function passes(one, millis, what, fits) {
  await ahead(stack, millis);
  return until(what, async () => {
    await stack.scheduled();
    const view = await seen(stack, one);
    return fits(view) && view;
  });
}

const reasonOf = ({ events }) => events.findLast(({ type }) => type === "CHECKOUT_INVALIDATED")?.payload.reason;

test("a question that nobody answers while the cart holds is asked anew over a cart that is read again", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const { expiresAt, digest, amountCents } = (await seen(stack, one)).run.payment.confirmation;
  assert.ok(Date.parse(expiresAt) <= Date.now() + 10 * MINUTE);
  const view = await passes(one, 11 * MINUTE, "the cart to be too old", ({ run }) => run.state === "QUOTE_VALIDATED");
  assert.ok(["quote_stale", "confirmation_expired"].includes(reasonOf(view)), reasonOf(view));
  assert.equal(view.run.pendingCommand.type, "READ_CHECKOUT");
  const late = await call(stack, one.token, "POST", `/v1/runs/${one.run}/confirm`, { digest, amountCents });
  assert.ok([200, 409, 422].includes(late.status));
  assert.notEqual((await seen(stack, one)).run.state, "PAYMENT_AUTHORIZED", "an old yes pays for nothing");
});

test("a yes in the very moment that the question ends is too late", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const { expiresAt, digest, amountCents } = (await seen(stack, one)).run.payment.confirmation;
  await ahead(stack, Date.parse(expiresAt) - Date.now() + 50);
  const answer = await call(stack, one.token, "POST", `/v1/runs/${one.run}/confirm`, { digest, amountCents });
  assert.ok(answer.status === 200 || answer.status === 409 || answer.status === 422);
  assert.ok(!types(await allEvents(stack, one)).includes("PAYMENT_AUTHORIZED"));
});

test("a wallet that never pays is looked for on the chain, and then nothing was bought", async () => {
  const one = await standing(stack, "PAYMENT_AUTHORIZED", { executor });
  const { run, events } = await passes(one, 11 * MINUTE, "the end", (view) => view.run.isTerminal);
  assert.deepEqual([run.state, run.failure.code], ["FAILED", "payment_not_submitted"]);
  const order = ["PAYMENT_WINDOW_CLOSED", "PAYMENT_TRACE_STARTED", "PAYMENT_ABSENT", "RUN_FAILED"];
  assert.deepEqual(types(events).filter((type) => order.includes(type)), order);
  const signature = simulatedSignature({ ...run, id: one.run });
  await assertProblem(await call(stack, one.token, "POST", `/v1/runs/${one.run}/payment`, { signature }), 409, "run_over");
});

test("a command that nobody answers is given out again, and in the end the run says that its executor is silent", async () => {
  const one = await standing(stack, "REVALIDATION_REQUESTED", { executor: await registered(stack) });
  let passed = 0;
  const view = await until("the end", async () => {
    await ahead(stack, (passed += 11 * MINUTE));
    await stack.scheduled();
    const now = await seen(stack, one);
    return now.run.isTerminal && now;
  });
  assert.deepEqual([view.run.state, view.run.failure.code], ["FAILED", "executor_unresponsive"]);
  assert.ok(types(view.events).filter((type) => type === "COMMAND_TIMED_OUT").length >= 3);
});

test("a run that waits for its buyer's wallet reads the cart a few times and gives up within a day", async () => {
  const one = await standing(stack, "WALLET_REQUIRED", { executor });
  const { run } = await passes(one, 25 * HOUR, "the end", (view) => view.run.isTerminal);
  assert.equal(run.state, "FAILED");
  assert.ok(["run_expired", "checkout_unstable", "executor_unresponsive"].includes(run.failure.code), run.failure.code);
});

test("an order that the shop does not confirm at once is asked for again, and at last said to be unknown: it was paid", async () => {
  const [soon, never] = [await standing(stack, "SETTLED", { executor }), await standing(stack, "SETTLED", { executor })];
  for (const one of [soon, never]) {
    const { commandId } = await command(stack, executor, one.run, "VERIFY_ORDER");
    await answered(await bring(stack, executor, one.run, { commandId, type: "ORDER", confirmed: false, evidence: "in preparation" }), 200);
    const { run } = await seen(stack, one);
    assert.equal(run.state, "SETTLED");
  }
  await ahead(stack, MINUTE);
  await until("the question again", async () => {
    await stack.scheduled();
    return (await seen(stack, soon)).run.pendingCommand !== null;
  });
  const { commandId } = await command(stack, executor, soon.run, "VERIFY_ORDER");
  await answered(await bring(stack, executor, soon.run, { commandId, type: "ORDER", confirmed: true, evidence: "order 1" }), 200);
  assert.equal((await seen(stack, soon)).run.state, "ORDER_CONFIRMED");
  let passed = MINUTE;
  const view = await until("the end", async () => {
    await ahead(stack, (passed += 20 * MINUTE));
    await stack.scheduled();
    const now = await seen(stack, never);
    return now.run.isTerminal && now;
  }, 20_000);
  assert.equal(view.run.state, "ORDER_UNKNOWN");
  assert.ok(types(view.events).includes("SETTLEMENT_VERIFIED"));
});

test("STARTED and NEEDS_USER lengthen the wait for a command", async () => {
  const one = await standing(stack, "REVALIDATION_REQUESTED", { executor });
  const { commandId, candidate } = await command(stack, executor, one.run, "REVALIDATE_CANDIDATE");
  await ahead(stack, 8 * MINUTE);
  await answered(await bring(stack, executor, one.run, { commandId, type: "STARTED" }), 200);
  await ahead(stack, 16 * MINUTE);
  await answered(await bring(stack, executor, one.run, { commandId, type: "NEEDS_USER", reason: "log in" }), 200);
  await ahead(stack, 40 * MINUTE);
  const cart = cartOf({ ...candidate, totalCents: candidate.observedTotalCents });
  const capturedAt = new Date(Date.now() + 40 * MINUTE).toISOString();
  await answered(await bring(stack, executor, one.run, quoteOf(commandId, cart, { capturedAt })), 200);
  assert.equal((await seen(stack, one)).run.state, "QUOTE_VALIDATED");
  assert.ok(!types(await allEvents(stack, one)).includes("COMMAND_TIMED_OUT"));
  assert.equal((await send(stack, { ...one, sent: { start: [executor.secret, "browser-result", { commandId, type: "STARTED" }] } }, "start")).status, 200);
});
