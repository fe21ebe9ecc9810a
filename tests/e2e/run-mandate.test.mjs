// A run that spends from a mandate: what it holds there is paid or given back, exactly once, and never more than the owner
// allowed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  assertJournal as assertMandateJournal, ask, bytes32, counted, mandateNow, mandateOf, party, stored, usdc,
} from "./support/mandate.mjs";
import {
  allEvents, call, freshKey, over, registered, runVars, seen, stands, types, wanted,
} from "./support/run.mjs";
import { until } from "./support/waiting.mjs";

const RUNS = 20;

let stack;
let gross;
let recipient;

before(async () => {
  stack = await start(runVars());
  // What a run of the demonstration costs, and whom it pays: the mandates below are made to measure.
  const { run, runToken } = await answered(await call(stack, null, "POST", "/v1/runs", wanted({ wallet: "simulated" }), freshKey()), 201);
  const view = await stands(stack, { run: run.id, token: runToken }, "USER_CONFIRMATION");
  gross = BigInt(view.run.payment.requirement.gross);
  recipient = view.run.payment.requirement.recipient;
});
after(() => stack?.stop());

/** A mandate whose agent may spend on runs. */
async function world({ policy = {}, ...options } = {}) {
  const [owner, agent] = [party(), party()];
  const caps = { paymentCap: usdc(1000), dayCap: usdc(10_000), approvalAbove: usdc(1000), ...policy };
  const mandate = await mandateOf(stack, owner, agent, { policy: caps, entries: [{ recipient }], funds: usdc(10_000), ...options });
  return { owner, agent, mandate };
}

function body({ mandate }) {
  return wanted({ wallet: "simulated", mandate: mandate.mandate });
}

async function begun(w, account = w.agent) {
  const made = await answered(await ask(stack, account, "POST", "/v1/runs", body(w), freshKey()), 201);
  return { run: made.run.id, token: made.runToken };
}

/** What the mandate's journal says of holds, in its own words, with how often each was said. */
async function holds({ mandate }) {
  const rows = await assertMandateJournal(stack, mandate);
  const kinds = rows.map(({ body: text }) => Object.keys(JSON.parse(text).event.fact)[0]);
  return counted(kinds.filter((kind) => ["Reserved", "Committed", "Released", "ReservationLapsed"].includes(kind)));
}

/** Waits until nothing is held for nobody. */
function settledDown({ mandate }, expected) {
  return until("the mandate to be told", async () => {
    const now = await mandateNow(stack, mandate);
    return now.reservations === 0 && now.funds.reserved === "0" && now.funds.balance === `${expected}` && now;
  });
}

const FUNDS = BigInt(usdc(10_000));

for (const who of ["agent", "owner"]) {
  test(`below the threshold it needs no click: begun by the mandate's ${who}, held once, paid once`, async () => {
    const w = await world();
    const one = await begun(w, w[who]);
    const { run } = await over(stack, one);
    assert.equal(run.state, "ORDER_CONFIRMED", JSON.stringify(run.failure));
    assert.deepEqual([run.payment.authorization.basis.kind, run.mandate.mandate ?? run.mandate], ["mandate", w.mandate.mandate]);
    const events = types(await allEvents(stack, one));
    assert.ok(!events.includes("CONFIRMATION_REQUESTED") && !events.includes("USER_CONFIRMED"));
    const now = await settledDown(w, FUNDS - gross);
    assert.deepEqual([now.spent.today, now.spent.countToday], [`${gross}`, 1]);
    assert.deepEqual(await holds(w), { Reserved: 1, Committed: 1 });
  });
}

test("above the threshold the mandate's owner is asked, and its signature alone is a yes", async () => {
  const w = await world({ policy: { approvalAbove: "1" } });
  const one = await begun(w);
  const { run, nextAction } = await stands(stack, one, "USER_CONFIRMATION");
  assert.equal(run.payment.confirmation.by, "mandate_owner");
  assert.match(nextAction.message, /owner/);
  const { digest, amountCents } = run.payment.confirmation;
  const path = `/v1/runs/${one.run}/confirm`;
  const yes = { digest, amountCents };
  await assertProblem(await call(stack, one.token, "POST", path, yes), 403, "owner_signature_required");
  await assertProblem(await ask(stack, w.agent, "POST", path, yes), 404, "unknown_run");
  assert.ok([403, 404].includes((await ask(stack, party(), "POST", path, yes)).status));
  await assertProblem(await ask(stack, w.owner, "POST", path, { ...yes, amountCents: `${BigInt(amountCents) + 1n}` }), 409, "confirmation_mismatch");
  await answered(await ask(stack, w.owner, "POST", path, yes), 200);
  const end = await over(stack, one);
  assert.equal(end.run.state, "ORDER_CONFIRMED", JSON.stringify(end.run.failure));
  assert.equal(end.run.payment.authorization.basis.kind, "mandate");
  await settledDown(w, FUNDS - gross);
  assert.equal((await holds(w)).Committed, 1);
});

test("the owner's no, or the run's owner stopping it, gives back what was held and charges nothing", async () => {
  const w = await world({ policy: { approvalAbove: "1" } });
  const [asked, stopped] = [await begun(w), await begun(w)];
  for (const one of [asked, stopped]) await stands(stack, one, "USER_CONFIRMATION");
  await answered(await ask(stack, w.owner, "POST", `/v1/runs/${asked.run}/confirm`, { reject: true }), 200);
  await answered(await call(stack, stopped.token, "POST", `/v1/runs/${stopped.run}/cancel`), 200);
  for (const one of [asked, stopped]) assert.equal((await over(stack, one)).run.state, "CANCELLED");
  const now = await settledDown(w, FUNDS);
  assert.deepEqual([now.spent.today, now.spent.countToday], ["0", 0]);
});

test("a budget that is held while a payment is waited for goes back when its run is stopped", async () => {
  const w = await world();
  const [executor, owner] = [await registered(stack), w.owner];
  const made = await answered(await ask(stack, owner, "POST", "/v1/runs", wanted({ wallet: "external", mandate: w.mandate.mandate }), freshKey()), 201);
  const one = { run: made.run.id, token: made.runToken, executor };
  await stands(stack, one, "WALLET_REQUIRED");
  const wallet = { connected: true, address: `0x${"ab".repeat(20)}`, shieldedUsdc: "1000000000", checkedAt: new Date().toISOString() };
  await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/wallet-state`, wallet), 200);
  await stands(stack, one, "PAYMENT_AUTHORIZED");
  const held = await mandateNow(stack, w.mandate);
  assert.deepEqual([held.funds.reserved, held.reservations], [`${gross}`, 1]);
  await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/cancel`), 200);
  assert.equal((await over(stack, one)).run.state, "CANCELLED");
  await settledDown(w, FUNDS);
  assert.deepEqual(await holds(w), { Reserved: 1, Released: 1 });
});

const REFUSALS = [
  ["entry_payment_cap", { policy: { paymentCap: "1000", approvalAbove: "1" } }],
  ["day_cap", { policy: { dayCap: "1000" } }],
  ["funds", { funds: "1000" }],
  ["not_allowed", { entries: [{ recipient: `0x${"12".repeat(20)}` }] }],
];
for (const [code, options] of REFUSALS) {
  test(`a mandate that refuses by ${code} ends the run with its words, and nothing is held`, async () => {
    const w = await world(options);
    const one = await begun(w);
    const { run } = await over(stack, one);
    assert.deepEqual([run.state, run.failure.code], ["FAILED", "mandate_refused"]);
    assert.ok(run.failure.reason.includes(code) || run.failure.reason.length > 0, run.failure.reason);
    const refused = (await allEvents(stack, one)).find(({ type }) => type === "BUDGET_REFUSED");
    assert.equal(refused.payload.code, code);
    const now = await mandateNow(stack, w.mandate);
    assert.deepEqual([now.reservations, now.funds.reserved, now.spent.today], [0, "0", "0"]);
  });
}

test("a mandate that is paused or revoked pays for nothing", async () => {
  for (const verb of ["pause", "revoke"]) {
    const w = await world();
    await answered(await ask(stack, w.owner, "POST", `/v1/mandates/${w.mandate.mandate}/${verb}`), 200);
    const answer = await ask(stack, w.agent, "POST", "/v1/runs", body(w), freshKey());
    if (!answer.ok) continue;
    const made = await answer.json();
    const { run } = await over(stack, { run: made.run.id, token: made.runToken });
    assert.deepEqual([run.state, run.failure.code], ["FAILED", "mandate_refused"], verb);
  }
});

test("only its agent and its owner spend from a mandate", async () => {
  const w = await world();
  await assertProblem(await call(stack, null, "POST", "/v1/runs", body(w), freshKey()), 401, "missing_credentials");
  await assertProblem(await ask(stack, party(), "POST", "/v1/runs", body(w), freshKey()), 403, "not_party");
  const unknown = { mandate: { mandate: bytes32() } };
  await assertProblem(await ask(stack, w.agent, "POST", "/v1/runs", body(unknown), freshKey()), 404, "unknown_mandate");
  assert.equal((await mandateNow(stack, w.mandate)).version, 2, "created and funded");
});

test(`${RUNS} runs at once on a mandate with room for three: three are paid, the others are refused by its cap`, async () => {
  const w = await world({ policy: { dayCap: `${gross * 3n + gross / 2n}` } });
  const runs = await Promise.all(Array.from({ length: RUNS }, () => begun(w)));
  const ends = await Promise.all(runs.map((one) => over(stack, one, 60_000)));
  const states = counted(ends.map(({ run }) => (run.state === "FAILED" ? run.failure.code : run.state)));
  assert.deepEqual(states, { ORDER_CONFIRMED: 3, mandate_refused: RUNS - 3 });
  const now = await settledDown(w, FUNDS - 3n * gross);
  assert.deepEqual([now.spent.today, now.spent.countToday], [`${3n * gross}`, 3]);
  assert.deepEqual(await holds(w), { Reserved: 3, Committed: 3 });
  const closed = await stored(stack, w.mandate, "SELECT reservation FROM closed");
  assert.ok(closed.length >= 3);
  assert.ok((await seen(stack, runs[0])).run.isTerminal);
});
