// What is said to a run and is not so ends in a named refusal or state, and the journal tells the story.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  allEvents, assertJournal, bring, call, cartOf, command, freshWallet, over, purchase, quoteOf, registered, runVars, seen, send,
  sha256, simulatedSignature, standing, stands, types, walk, walletState,
} from "./support/run.mjs";

const MINUTES = (count) => new Date(Date.now() + count * 60_000).toISOString();

let stack;
let executor;

before(async () => {
  stack = await start(runVars());
  executor = await registered(stack);
});
after(() => stack?.stop());

const post = (one, verb, body) => call(stack, one.token, "POST", `/v1/runs/${one.run}/${verb}`, body);

/** Refused signals are told by the journal, with their code. */
async function assertTold(one, code) {
  const events = await allEvents(stack, one);
  assert.ok(events.some(({ type, payload }) => type === "SIGNAL_REFUSED" && payload.code === code), `${code}: ${types(events)}`);
  await assertJournal(stack, one);
}

const plus = (cents, more) => `${BigInt(cents) + BigInt(more)}`;
const spoilt = (cart, change) => {
  const copy = structuredClone(cart);
  change(copy);
  return copy;
};

const FAULTS = [
  ["does_not_reconcile", (cart) => spoilt(cart, (c) => (c.totalCents = plus(c.totalCents, -1)))],
  ["does_not_reconcile", (cart) => spoilt(cart, (c) => (c.items[0].totalCents = plus(c.items[0].totalCents, 1)))],
  ["does_not_reconcile", (cart) => spoilt(cart, (c) => (c.fees[0].amountCents = "0"))],
  ["wrong_product", (cart) => spoilt(cart, (c) => (c.items[0].product = "pepsi 2l"))],
  ["wrong_product", (cart) => spoilt(cart, (c) => {
    c.items.push({ product: "chewing gum", quantity: 1, unitPriceCents: "1", totalCents: "1" });
    c.totalCents = plus(c.totalCents, 1);
  })],
  ["wrong_quantity", (cart) => spoilt(cart, (c) => {
    c.items[0].quantity = 2;
    c.items[0].totalCents = plus(c.items[0].unitPriceCents, c.items[0].unitPriceCents);
    c.totalCents = plus(c.totalCents, c.items[0].unitPriceCents);
  })],
  ["wrong_merchant", (cart) => spoilt(cart, (c) => (c.merchantName = "Another Shop"))],
  ["over_budget", (cart, candidate) => cartOf({ ...candidate, totalCents: "100001" })],
  ["drift_too_high", (cart, candidate) => cartOf({ ...candidate, totalCents: `${(BigInt(candidate.observedTotalCents) * 11n) / 10n + 1n}` })],
];
for (const [index, [code, spoil]] of FAULTS.entries()) {
  test(`a cart with ${code} (${index}): the offer is dropped with this word, and the next one is tried`, async () => {
    const one = await standing(stack, "REVALIDATING", { executor });
    const { commandId, candidate } = await command(stack, executor, one.run, "REVALIDATE_CANDIDATE");
    const cart = spoil(cartOf({ ...candidate, totalCents: candidate.observedTotalCents }), candidate);
    await answered(await bring(stack, executor, one.run, quoteOf(commandId, cart)), 200);
    const { run, events } = await seen(stack, one);
    const [rejected] = run.rejectedCandidates.filter(({ candidateId }) => candidateId === candidate.candidateId);
    assert.ok(rejected.reasons.includes(code), JSON.stringify(rejected));
    assert.ok(types(events).includes("CANDIDATE_REJECTED"));
    assert.ok(run.state === "REVALIDATION_REQUESTED" ? run.selectedCandidate.candidateId !== candidate.candidateId : run.state === "NO_VALID_OPTION");
  });
}

test("exactly a tenth more than it was seen for is still a price that holds", async () => {
  const one = await standing(stack, "REVALIDATING", { executor });
  const { commandId, candidate } = await command(stack, executor, one.run, "REVALIDATE_CANDIDATE");
  const cart = cartOf({ ...candidate, totalCents: `${(BigInt(candidate.observedTotalCents) * 11n) / 10n}` });
  await answered(await bring(stack, executor, one.run, quoteOf(commandId, cart)), 200);
  await stands(stack, one, "QUOTE_VALIDATED");
});

test("a cart that was read too long ago, or tomorrow, is asked for again under another name", async () => {
  const one = await standing(stack, "REVALIDATING", { executor });
  for (const capturedAt of [MINUTES(-11), MINUTES(3)]) {
    const { commandId, candidate } = await command(stack, executor, one.run, "REVALIDATE_CANDIDATE");
    const cart = cartOf({ ...candidate, totalCents: candidate.observedTotalCents });
    await answered(await bring(stack, executor, one.run, quoteOf(commandId, cart, { capturedAt })), 200);
    const { run, events } = await seen(stack, one);
    assert.equal(types(events).at(-2), "COMMAND_FAILED");
    assert.notEqual(run.pendingCommand.commandId, commandId);
    assert.equal(run.selectedCandidate.candidateId, candidate.candidateId);
  }
});

test("a result for a command that is not there, is over, or is of another kind", async () => {
  const one = await standing(stack, "QUOTE_VALIDATED", { executor });
  const [first] = executor.commands.filter(({ runId }) => runId === one.run);
  const cart = executor.carts.get(one.run);
  await assertProblem(await bring(stack, executor, one.run, quoteOf("cmd_4711", cart)), 404, "unknown_command");
  const other = quoteOf(first.commandId, cart, { pageRef: "another page" });
  await assertProblem(await bring(stack, executor, one.run, other), 409, "command_answered");
  const { commandId } = await command(stack, executor, one.run, "PREPARE_CHECKOUT");
  const pix = { commandId, type: "PIX", amountCents: cart.totalCents, evidence: "pix-selected" };
  await assertProblem(await bring(stack, executor, one.run, pix), 422, "wrong_result");
  for (const code of ["unknown_command", "command_answered", "wrong_result"]) await assertTold(one, code);
  await walk(stack, one, "CHECKOUT_PREPARED");
});

test("the same result again, however late, is the same answer and no second event", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const { version } = (await seen(stack, one)).run;
  for (const step of ["quote", "checkout", "pix", "start"]) {
    const again = await send(stack, one, step);
    assert.equal((await answered(again, 200)).accepted, true, step);
    assert.equal(again.headers.get("idempotency-replayed"), "true", step);
  }
  assert.equal((await seen(stack, one)).run.version, version);
});

test("another executor's word about this run is nobody's, and leaves no trace", async () => {
  const [one, stranger] = [await standing(stack, "REVALIDATING", { executor }), await registered(stack)];
  const { commandId, candidate } = await command(stack, executor, one.run, "REVALIDATE_CANDIDATE");
  const { version } = (await seen(stack, one)).run;
  const result = quoteOf(commandId, cartOf({ ...candidate, totalCents: candidate.observedTotalCents }));
  const answer = await call(stack, stranger.secret, "POST", `/v1/runs/${one.run}/browser-result`, result);
  await assertProblem(answer, 403, "wrong_executor");
  assert.equal((await seen(stack, one)).run.version, version);
});

test("a yes to another amount or to another thing is none, and is told; the right one still counts", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const { digest, amountCents } = (await seen(stack, one)).run.payment.confirmation;
  for (const wrong of [{ digest, amountCents: plus(amountCents, 1) }, { digest: sha256("x").toString("hex"), amountCents }]) {
    await assertProblem(await post(one, "confirm", wrong), 409, "confirmation_mismatch");
  }
  await assertTold(one, "confirmation_mismatch");
  assert.equal((await seen(stack, one)).run.state, "USER_CONFIRMATION");
  await walk(stack, one, "PAYMENT_AUTHORIZED");
  const again = await send(stack, one, "confirm");
  assert.equal(again.status, 200, "the same yes again");
});

test("a yes and a payment that come early are kept; a yes that does not fit when its time comes is dropped and told", async () => {
  const one = await standing(stack, "CHECKOUT_PREPARED", { executor });
  const early = { digest: sha256("early").toString("hex"), amountCents: "100" };
  await answered(await post(one, "confirm", early), 200);
  const kept = (await allEvents(stack, one)).find(({ type }) => type === "SIGNAL_HELD");
  assert.equal(kept.payload.signal.digest, early.digest);
  await walk(stack, one, "USER_CONFIRMATION");
  await assertTold(one, "confirmation_mismatch");

  const twin = await standing(stack, "USER_CONFIRMATION", { executor });
  const view = await seen(stack, twin);
  const authorized = { ...view.run, payment: { ...view.run.payment, authorization: { wallet: view.run.payment.confirmation.wallet } } };
  await answered(await post(twin, "payment", { signature: simulatedSignature(authorized) }), 200);
  assert.equal((await seen(stack, twin)).run.state, "USER_CONFIRMATION", "nothing is paid without a yes");
  await answered(await send(stack, twin, "confirm"), 200);
  await stands(stack, twin, "SETTLED");
  const order = types(await allEvents(stack, twin)).filter((type) => ["SIGNAL_HELD", "PAYMENT_AUTHORIZED", "PAYMENT_SUBMITTED"].includes(type));
  assert.deepEqual(order, ["SIGNAL_HELD", "PAYMENT_AUTHORIZED", "PAYMENT_SUBMITTED"]);
});

for (const state of ["WALLET_REQUIRED", "USER_CONFIRMATION", "PAYMENT_AUTHORIZED", "SETTLED"]) {
  test(`another wallet in ${state}: nobody pays from a wallet that was not checked and agreed to`, async () => {
    const one = await standing(stack, state, { executor });
    const earlier = (await seen(stack, one)).run.payment?.authorization ?? null;
    await answered(await post(one, "wallet-state", walletState(freshWallet())), 200);
    const { run, events } = await seen(stack, one);
    const seenTypes = types(events);
    if (state === "USER_CONFIRMATION") {
      assert.equal(events.find(({ type }) => type === "CHECKOUT_INVALIDATED").payload.reason, "wallet_changed");
    }
    if (earlier) {
      assert.deepEqual(run.payment.authorization, earlier);
      assert.ok(seenTypes.includes("WALLET_IGNORED"));
    }
  });
}

test("a wallet that goes away before the yes is asked for again; afterwards it was signed already", async () => {
  const [early, late] = [await standing(stack, "USER_CONFIRMATION", { executor }), await standing(stack, "PAYMENT_AUTHORIZED", { executor })];
  const gone = () => ({ connected: false, checkedAt: new Date().toISOString() });
  await answered(await post(early, "wallet-state", gone()), 200);
  assert.ok(types(await allEvents(stack, early)).includes("WALLET_DISCONNECTED"));
  assert.notEqual((await seen(stack, early)).run.state, "USER_CONFIRMATION");
  await answered(await post(late, "wallet-state", gone()), 200);
  assert.equal((await seen(stack, late)).run.state, "PAYMENT_AUTHORIZED");
  await walk(stack, late, "SETTLED");
});

test("a wallet with too little waits for more; one that has to shield first is told how much", async () => {
  const one = await standing(stack, "WALLET_REQUIRED", { executor });
  const wallet = freshWallet();
  await answered(await post(one, "wallet-state", walletState(wallet, { shieldedUsdc: "0" })), 200);
  const view = await seen(stack, one);
  assert.ok(["FUNDS_CHECKED", "SHIELD_REQUIRED"].includes(view.run.state), view.run.state);
  const { status, missing } = view.run.payment.assessment;
  assert.ok(["insufficient", "shield_required"].includes(status) && BigInt(missing) > 0n);
  await answered(await post(one, "wallet-state", walletState(wallet)), 200);
  await stands(stack, one, "USER_CONFIRMATION");
});

test("a payment target for another amount, or one that is over, is read again", async () => {
  const one = await standing(stack, "CHECKOUT_PREPARED", { executor });
  const bad = [
    ["pix_amount_mismatch", (expected) => ({ amountCents: plus(expected, 1) })],
    ["pix_expired", () => ({ expiresAt: MINUTES(-1) })],
  ];
  for (const [reason, change] of bad) {
    const { commandId, expectedAmountCents } = await command(stack, executor, one.run, "READ_PIX");
    const result = { commandId, type: "PIX", amountCents: expectedAmountCents, evidence: "pix-selected", ...change(expectedAmountCents) };
    await answered(await bring(stack, executor, one.run, result), 200);
    const { run, events } = await seen(stack, one);
    assert.equal(events.findLast(({ type }) => type === "CHECKOUT_INVALIDATED").payload.reason, reason);
    assert.deepEqual([run.state, run.pendingCommand.type], ["QUOTE_VALIDATED", "READ_CHECKOUT"]);
    const again = await command(stack, executor, one.run, "READ_CHECKOUT");
    await answered(await bring(stack, executor, one.run, quoteOf(again.commandId, executor.carts.get(one.run))), 200);
  }
});

test("a checkout that never holds ends the run after a few times", async () => {
  const one = await standing(stack, "CHECKOUT_PREPARED", { executor });
  for (let time = 0; time < 7 && !(await seen(stack, one)).run.isTerminal; time += 1) {
    const { commandId, expectedAmountCents } = await command(stack, executor, one.run, "READ_PIX");
    const wrong = { commandId, type: "PIX", amountCents: plus(expectedAmountCents, 1), evidence: "pix-selected" };
    await answered(await bring(stack, executor, one.run, wrong), 200);
    if ((await seen(stack, one)).run.isTerminal) break;
    const again = await command(stack, executor, one.run, "READ_CHECKOUT");
    await answered(await bring(stack, executor, one.run, quoteOf(again.commandId, executor.carts.get(one.run))), 200);
  }
  const { run } = await over(stack, one);
  assert.deepEqual([run.state, run.failure.code], ["FAILED", "checkout_unstable"]);
});

test("an executor that fails is asked a few times, and then the offer is dropped", async () => {
  const one = purchase({ executor });
  await send(stack, one, "create");
  const ids = new Set();
  let first;
  for (let time = 0; time < 10; time += 1) {
    const { commandId, candidate } = await command(stack, executor, one.run, "REVALIDATE_CANDIDATE");
    first ??= candidate.candidateId;
    if (candidate.candidateId !== first) break;
    ids.add(commandId);
    await answered(await bring(stack, executor, one.run, { commandId, type: "ERROR", reason: "the page did not load" }), 200);
    if ((await seen(stack, one)).run.isTerminal) break;
  }
  assert.ok(ids.size >= 3 && ids.size <= 4, `${ids.size} times`);
  assert.equal((await seen(stack, one)).run.rejectedCandidates[0].candidateId, first);
});

test("a signature that another run has used pays for nothing here", async () => {
  const [first, second] = [await standing(stack, "SETTLED", { executor }), await standing(stack, "PAYMENT_AUTHORIZED", { executor })];
  const [, , { signature }] = first.sent.pay;
  await assertProblem(await post(second, "payment", { signature }), 409, "signature_used");
  await assertTold(second, "signature_used");
  assert.equal((await seen(stack, second)).run.state, "PAYMENT_AUTHORIZED");
  await walk(stack, second, "SETTLED");
  const again = await send(stack, second, "pay");
  assert.equal(again.status, 200, "its own, again");
  await assertProblem(await post(second, "payment", { signature: `sim_${"1".repeat(64)}` }), 409, "already_paid");
});

test("refused words fill no journal: after fifty the rest is refused and not written down", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const wrong = (index) => ({ digest: sha256(`${index}`).toString("hex"), amountCents: "1" });
  for (let index = 0; index < 60; index += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, more) => post(one, "confirm", wrong(index + more))));
    for (const answer of answers) await assertProblem(answer, 409, "confirmation_mismatch");
  }
  const refused = types(await allEvents(stack, one)).filter((type) => type === "SIGNAL_REFUSED");
  assert.equal(refused.length, 50);
});
