// What is wrong with what is sent to a run is refused by its place, one fault at a time, and changes nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  allEvents, bring, call, cartOf, command, executorIdOf, freshKey, freshWallet, quoteOf, registered, runVars, seen, standing,
  walletState, wanted,
} from "./support/run.mjs";

let stack;
let executor;

before(async () => {
  stack = await start(runVars());
  executor = await registered(stack);
});
after(() => stack?.stop());

/** Says it with the fault's place. */
async function malformed(answer, field, about) {
  const { errors, retryable } = await assertProblem(answer, 400, "invalid_body", about);
  assert.ok(errors.some((fault) => fault.field === field && fault.message.length > 0), `${about}: ${JSON.stringify(errors)}`);
  assert.equal(retryable, false);
}

/** A copy of `value` with `to` at `place`, such as `quote.items.0.product`; undefined takes it away. */
function set(value, place, to) {
  const copy = structuredClone(value);
  const names = place.split(".");
  const inner = names.slice(0, -1).reduce((part, name) => part[name], copy);
  if (to === undefined) delete inner[names.at(-1)];
  else inner[names.at(-1)] = to;
  return copy;
}

const named = (place) => place.replace(/\.(\d+)/g, "[$1]");

/** Tries every wrong value at its place with `ask`, and sees that the run did not change. */
async function assertFaults(one, good, faults, ask) {
  const earlier = await seen(stack, one);
  for (const [place, values] of faults) {
    for (const value of values) {
      await malformed(await ask(set(good, place, value)), named(place), `${place} = ${JSON.stringify(value)}`);
    }
  }
  assert.deepEqual(await seen(stack, one), earlier);
}

const NO_TEXT = [undefined, null, 7, {}, [], true, ""];
const NO_AMOUNTS = [
  undefined, null, "-1", "1.5", "1e6", "01", "", " 1", "1 ", "+1", "0x10", "one", "١", "1_000", "1000000000001", `${2n ** 64n}`, -1, 1.5, 1e30,
  true, {}, [],
];
const NO_OPTIONAL_AMOUNTS = NO_AMOUNTS.slice(2);
const NO_COUNTS = [undefined, null, 0, -1, 1.5, 100, 1e30, "1", "", {}, true];
const NO_TIMES = ["", "yesterday", "2026-01-01", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", 1767225600000, {}, true];
const NO_EXECUTORS = ["", "exe_1", `run_${"a".repeat(26)}`, `exe_${"A".repeat(26)}`, `exe_${"a".repeat(27)}`, `exe_${"1".repeat(26)}`, 7, {}, true];
const NO_DIGESTS = [undefined, null, "", "0x", "a".repeat(63), "a".repeat(65), "A".repeat(64), `0x${"a".repeat(64)}`, "g".repeat(64), 7, {}];
const CONTROL = "a\u0000b";

test("a creation", async () => {
  const good = wanted({ executorId: executor.id, userId: "u", mandate: undefined, wallet: "external", executionMode: "simulated" });
  const faults = [
    ["request", [undefined, null, 7, "x", []]],
    ["request.requirement", [...NO_TEXT, " ", "x".repeat(201), "é".repeat(101), CONTROL]],
    ["request.quantity", NO_COUNTS],
    ["request.maxBudgetCents", [...NO_AMOUNTS, "0"]],
    ["executorId", NO_EXECUTORS], ["userId", ["", 7, {}, "x".repeat(121), CONTROL]],
    ["mandate", ["", "0x", "0xaa", `0x${"g".repeat(64)}`, 7, {}]],
    ["executionMode", ["", "SIMULATED", "live", 7, {}]], ["wallet", ["", "mine", 7, {}]],
    ["more", [1]], ["request.more", [1]],
  ];
  for (const [place, values] of faults) {
    for (const value of values) {
      const answer = await call(stack, null, "POST", "/v1/runs", set(good, place, value), freshKey());
      await malformed(answer, named(place), `${place} = ${JSON.stringify(value)}`);
    }
  }
  const both = set(set(good, "request.quantity", 0), "executorId", "x");
  const { errors } = await assertProblem(await call(stack, null, "POST", "/v1/runs", both), 400, "invalid_body");
  assert.deepEqual(errors.map(({ field }) => field).sort(), ["executorId", "request.quantity"], "all faults at once");
  for (const text of ["", "nul", "[]", "7", `{"request":`, `{"request":{},"request":{}}`]) {
    assert.equal((await call(stack, null, "POST", "/v1/runs", text)).status, 400, text);
  }
  await assertProblem(await call(stack, null, "POST", "/v1/runs", set(good, "request.requirement", "...")), 422, "malformed_requirement");
  for (const amount of [4500, "4500"]) {
    const { run } = await answered(await call(stack, null, "POST", "/v1/runs", set(good, "request.maxBudgetCents", amount)), 201);
    assert.equal(run.intent.maxBudgetCents, "4500");
  }
});

test("a wallet's word", async () => {
  const one = await standing(stack, "REVALIDATING", { executor });
  const ask = (body) => call(stack, one.token, "POST", `/v1/runs/${one.run}/wallet-state`, body);
  await assertFaults(one, walletState(freshWallet()), [
    ["connected", [undefined, null, "true", 1, {}]],
    ["address", [undefined, null, "", 7, {}, "x".repeat(129), CONTROL]],
    ["shieldedUsdc", [...NO_OPTIONAL_AMOUNTS.filter((value) => value !== "1000000000001" && value !== `${2n ** 64n}`), `${2n ** 128n}`]],
    ["checkedAt", NO_TIMES], ["more", [1]],
  ], ask);
  const off = { connected: false, address: freshWallet() };
  await malformed(await ask(off), "address", "an address of a wallet that is gone");
  for (const [checkedAt, why] of [[new Date(Date.now() - 6 * 60_000), "old"], [new Date(Date.now() + 3 * 60_000), "of tomorrow"]]) {
    await assertProblem(await ask(walletState(freshWallet(), { checkedAt: checkedAt.toISOString() })), 422, "wallet_report_stale", why);
  }
});

test("a yes, a no, a payment, and another executor", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const path = (verb) => `/v1/runs/${one.run}/${verb}`;
  const { digest, amountCents } = (await seen(stack, one)).run.payment.confirmation;
  const posting = (verb) => (body) => call(stack, one.token, "POST", path(verb), body);
  await assertFaults(one, { digest, amountCents }, [
    ["digest", NO_DIGESTS], ["amountCents", NO_AMOUNTS], ["reject", [true, false, "true", 7]], ["more", [1]],
  ], posting("confirm"));
  await assertFaults(one, { reject: true }, [["reject", [false, "true", 1, {}]]], posting("confirm"));
  for (const none of [{}, { amountCents }, { reject: null }]) await malformed(await posting("confirm")(none), "digest", JSON.stringify(none));
  await assertFaults(one, { signature: `sim_${"1".repeat(64)}` }, [
    ["signature", [...NO_TEXT, "x".repeat(129), CONTROL, "has space"]],
    ["lastValidBlockHeight", [-1, 1.5, "1", 2 ** 53 * 4, {}]], ["more", [1]],
  ], posting("payment"));
  await assertFaults(one, { executorId: executor.id }, [["executorId", [undefined, null, ...NO_EXECUTORS]], ["more", [1]]], posting("executor"));
  await assertProblem(await posting("executor")({ executorId: executorIdOf("nobody's") }), 422, "unknown_executor");
  await malformed(await posting("cancel")({ reason: "x" }), "reason", "a stop says nothing");
});

test("what an executor comes back with", async () => {
  const one = await standing(stack, "REVALIDATING", { executor });
  const { commandId, candidate } = await command(stack, executor, one.run, "REVALIDATE_CANDIDATE");
  const ask = (body) => bring(stack, executor, one.run, body);
  const cart = { ...cartOf({ ...candidate, totalCents: candidate.observedTotalCents }), discounts: [{ name: "coupon", amountCents: "0" }] };
  const TOO_MANY = (item) => Array.from({ length: 21 }, () => item);
  await assertFaults(one, quoteOf(commandId, cart), [
    ["commandId", [...NO_TEXT, "x".repeat(300)]], ["type", [...NO_TEXT, "quote", "PAID"]],
    ["quote", [undefined, null, 7, []]], ["quote.merchantName", [...NO_TEXT, "x".repeat(201), CONTROL]],
    ["quote.items", [undefined, null, {}, TOO_MANY(cart.items[0])]], ["quote.items.0.product", [...NO_TEXT, "x".repeat(201)]],
    ["quote.items.0.quantity", [undefined, null, -1, 1.5, "1"]], ["quote.items.0.unitPriceCents", NO_AMOUNTS],
    ["quote.items.0.totalCents", NO_AMOUNTS], ["quote.items.0.more", [1]],
    ["quote.fees", [null, {}, TOO_MANY(cart.fees[0])]], ["quote.fees.0.name", [...NO_TEXT, "x".repeat(201)]],
    ["quote.fees.0.amountCents", NO_AMOUNTS], ["quote.discounts", [null, {}, TOO_MANY(cart.fees[0])]],
    ["quote.discounts.0.amountCents", NO_AMOUNTS], ["quote.totalCents", NO_AMOUNTS],
    ["quote.etaMinutes", [-1, 1.5, "30", 2 ** 32]], ["quote.more", [1]],
    ["capturedAt", [undefined, null, ...NO_TIMES]], ["pageRef", [...NO_TEXT, "x".repeat(201)]], ["more", [1]],
  ], ask);
  for (const type of ["NEEDS_USER", "UNAVAILABLE", "ERROR"]) {
    await assertFaults(one, { commandId, type, reason: "closed" }, [["reason", [...NO_TEXT, "x".repeat(501)]], ["quote", [cart]]], ask);
  }
  await assertFaults(one, { commandId, type: "STARTED" }, [["reason", ["x"]]], ask);
});

// By the tables of the EMV QRCPS-MPM: one code for 19.90, and the same with a wrong last digit of its check.
const CODE = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865405" +
  "19.905802BR5913Fulano de Tal6008BRASILIA62070503***63048677";

test("a payment target and an order", async () => {
  const one = await standing(stack, "CHECKOUT_PREPARED", { executor });
  const { commandId, expectedAmountCents } = await command(stack, executor, one.run, "READ_PIX");
  const ask = (body) => bring(stack, executor, one.run, body);
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const good = { commandId, type: "PIX", amountCents: expectedAmountCents, evidence: "pix-code", expiresAt, payloadDigest: "a".repeat(64) };
  await assertFaults(one, good, [
    ["amountCents", NO_AMOUNTS], ["evidence", [...NO_TEXT, "pix", "PIX_CODE"]], ["expiresAt", NO_TIMES], ["payloadDigest", NO_DIGESTS.slice(2)],
    ["payload", ["", 7, {}, "x", "x".repeat(600), CODE.slice(0, -1), `${CODE.slice(0, -1)}8`, CODE.replace("986", "840"), "00020101"]],
    ["more", [1]],
  ], ask);
  const events = JSON.stringify(await allEvents(stack, one));
  assert.ok(!events.includes("br.gov.bcb.pix"), "not even of a refused code");
  const paid = await standing(stack, "SETTLED", { executor });
  const order = await command(stack, executor, paid.run, "VERIFY_ORDER");
  await assertFaults(paid, { commandId: order.commandId, type: "ORDER", confirmed: true, evidence: "order 1" }, [
    ["confirmed", [undefined, null, "true", 1]], ["evidence", [...NO_TEXT, "x".repeat(501)]], ["more", [1]],
  ], (body) => bring(stack, executor, paid.run, body));
});

test("a body that is too long, of another kind, or by another method", async () => {
  const one = await standing(stack, "REVALIDATING", { executor });
  const long = JSON.stringify(wanted({ userId: "x".repeat(2_000_000) }));
  assert.equal((await call(stack, null, "POST", "/v1/runs", long)).status, 413);
  assert.equal((await call(stack, null, "POST", "/v1/runs", JSON.stringify(wanted()), { "content-type": "text/plain" })).status, 415);
  for (const [method, path] of [["PUT", "/v1/runs"], ["DELETE", `/v1/runs/${one.run}`], ["GET", `/v1/runs/${one.run}/confirm`], ["PATCH", "/v1/executors"]]) {
    const answer = await call(stack, one.token, method, path);
    assert.equal(answer.status, 405, `${method} ${path}`);
    assert.ok(answer.headers.get("allow").length > 0);
  }
  for (const query of ["after=-1", "after=x", "limit=0", "limit=101", "limit=1.5", "colour=red"]) {
    await assertProblem(await call(stack, one.token, "GET", `/v1/runs/${one.run}?${query}`), 400, "malformed", query);
  }
  for (const query of ["", "?address=", `?address=${"x".repeat(129)}`, "?address=a&more=1"]) {
    assert.equal((await stack.fetch(`/v1/chain/balances${query}`)).status, 400, query);
  }
});
