// What time does to a mandate and its payments, with the clock set ahead: waits end, windows close, and money goes where the
// terms say.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  DAY, HOUR, VARS, act, ahead, approval, ask, bytes32, evaluated, inMillis, mandateBody, mandateOf, party, paymentAt, request, usdc,
} from "./support/mandate.mjs";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let stack;
let [owner, agent, provider, resolver] = [];

before(async () => {
  stack = await start(VARS);
});
after(() => stack?.stop());

/** A test whose clock goes ahead, with people of its own; afterwards it is the clock of all again. */
const timed = (name, body) => test(name, async () => {
  [owner, agent, provider, resolver] = [party(), party(), party(), party()];
  try {
    await body();
  } finally {
    await ahead(stack, 0);
  }
});

/** The clock shows this moment. */
const clockAt = (moment) => ahead(stack, Math.ceil(Date.parse(moment) - Date.now()));
const later = (moment, millis) => new Date(Date.parse(moment) + millis).toISOString();
const secondsAt = (seconds, millis = 0) => new Date(seconds * 1000 + millis).toISOString();

const make = (policy = {}, more = {}) =>
  mandateOf(stack, owner, agent, { policy: { validBefore: inMillis(300 * DAY), dayCap: usdc(1000), ...policy }, ...more });
const at = (stage, mandate, wish = {}) => paymentAt(stack, stage, { owner, agent, provider, mandate, ...wish });
const look = async ({ mandate, payment }, account = owner) =>
  answered(await ask(stack, account, "GET", `/v1/mandates/${mandate}/requests/${payment}`), 200);
const show = async ({ mandate }) => answered(await ask(stack, owner, "GET", `/v1/mandates/${mandate}`), 200);
const funds = async (mandate) => (await show(mandate)).funds;
const does = async (account, payment, verb, body) => answered(await act(stack, account, payment, verb, body), 200);
const refuses = async (code, account, payment, verb, body, status = 409) =>
  assertProblem(await act(stack, account, payment, verb, body), status, code, verb);
const pay = (mandate, amount, more = {}) => request(stack, agent, mandate, { recipient: provider.address, amount, ...more });

timed("a request that waits ends by itself, and so does an approval that nobody used", async () => {
  const mandate = await make();
  const [waiting, approved] = [await at("waiting", mandate), await at("waiting", mandate)];
  const { approval: wait, deadline } = await look(waiting);
  assert.equal(wait.waitsUntil, deadline);
  const given = await approval(stack, owner, approved.payment);
  await does(owner, approved, "approve", given);
  await clockAt(later(deadline, -MINUTE));
  assert.equal((await look(waiting)).progress, "awaiting_approval");
  assert.equal((await look(approved)).progress, "approved");
  await clockAt(later(deadline, SECOND));
  for (const payment of [waiting, approved]) {
    assert.equal((await look(payment, null)).progress, "expired", "the look itself says so");
    await refuses("request_unavailable_in_state", agent, payment, "submit");
    await refuses("request_unavailable_in_state", owner, payment, "approve", given);
  }
  const { approvals } = await answered(await ask(stack, owner, "GET", "/v1/approvals?status=expired"), 200);
  assert.deepEqual(approvals.map(({ payment }) => payment).sort(), [waiting.payment, approved.payment].sort());
  assert.deepEqual((await show(mandate)).funds, mandate.funds, "nothing was ever held");
});

timed("what nobody delivers in time goes back, whoever says so", async () => {
  const mandate = await make();
  const deliverBy = inMillis(30 * HOUR);
  const [silent, told, late] = [await at("escrowed", mandate, { deliverBy }), await at("escrowed", mandate), await at("escrowed", mandate)];
  assert.equal(silent.request.deliverBy, Math.floor(Date.parse(deliverBy) / 1000));
  await clockAt(secondsAt(told.request.deliverBy, -MINUTE));
  await refuses("delivery_open", null, told, "expire");
  assert.equal((await funds(mandate)).reserved, usdc(6));
  await clockAt(secondsAt(told.request.deliverBy));
  assert.equal((await does(null, told, "expire")).progress, "refunded");
  await refuses("request_unavailable_in_state", provider, late, "deliver", { receiptHash: bytes32() });
  await clockAt(secondsAt(silent.request.deliverBy));
  for (const payment of [silent, told, late]) {
    const { progress, paid } = await look(payment);
    assert.deepEqual([progress, paid], ["refunded", "0"]);
  }
  assert.deepEqual(await funds(mandate), mandate.funds);
});

timed("the owner disputes within the challenge period; after it the provider is paid by whoever asks, or by time", async () => {
  const mandate = await make();
  const [claimed, silent, disputed] = [await at("delivered", mandate), await at("delivered", mandate), await at("delivered", mandate)];
  const ends = later(disputed.since, DAY);
  await clockAt(later(ends, -MINUTE));
  await refuses("challenge_open", null, claimed, "claim");
  assert.equal((await does(owner, disputed, "dispute", { evidenceHash: bytes32() })).progress, "disputed");
  await clockAt(later(ends, 5 * SECOND));
  await refuses("challenge_closed", owner, claimed, "dispute");
  const { progress, paid } = await does(null, claimed, "claim");
  assert.deepEqual([progress, paid], ["settled", usdc(2)]);
  // A minute before captures end, from when on nobody can claim, it is paid.
  const { captureBy } = silent.request;
  assert.equal((await look(silent)).deadline, secondsAt(captureBy, -MINUTE));
  await clockAt(secondsAt(captureBy, -2 * MINUTE));
  assert.equal((await look(silent)).progress, "delivered");
  await clockAt(secondsAt(captureBy, -MINUTE));
  assert.deepEqual((await look(silent)).paid, usdc(2));
  const again = await act(stack, null, silent, "claim");
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  assert.deepEqual(await funds(mandate), { balance: usdc(96), reserved: usdc(2), available: usdc(94) });
});

timed("a dispute is resolved in time, or split as the terms say", async () => {
  const terms = { resolver: resolver.address, resolutionTimeoutSeconds: 3600, silenceBps: 2500 };
  const mandate = await make({ terms });
  const bare = await at("delivered", mandate);
  await does(owner, bare, "dispute");
  const [split, resolved, late] = [await at("disputed", mandate), await at("disputed", mandate), await at("disputed", mandate)];
  await refuses("above_total", resolver, resolved, "resolve", { toProvider: usdc(2.1) }, 422);
  await refuses("resolution_open", null, split, "time-out");
  const part = await does(resolver, resolved, "resolve", { toProvider: usdc(0.5) });
  assert.deepEqual([part.progress, part.paid], ["settled", usdc(0.5)]);
  const none = await at("disputed", mandate);
  assert.equal((await does(resolver, none, "resolve", { toProvider: "0" })).progress, "refunded");
  await clockAt(later(late.since, 3600 * SECOND));
  await refuses("request_unavailable_in_state", resolver, late, "resolve", { toProvider: "0" });
  assert.equal((await act(stack, null, split, "time-out")).status, 200);
  const paid = await Promise.all([bare, split, late].map(async (payment) => [(await look(payment)).progress, (await look(payment)).paid]));
  assert.deepEqual(paid, [["timed_out", usdc(2)], ["timed_out", usdc(0.5)], ["timed_out", usdc(0.5)]], "all without evidence, else a quarter");
  assert.deepEqual(await funds(mandate), { balance: usdc(96.5), reserved: "0", available: usdc(96.5) });
});

timed("a provider captures in parts, gives back what it likes, and what it leaves returns", async () => {
  const mandate = await make();
  const [parts, voided] = [await at("delivered", mandate), await at("escrowed", mandate)];
  await refuses("challenge_open", provider, parts, "capture", { total: usdc(0.5) });
  assert.equal((await does(provider, voided, "void")).progress, "voided");
  await clockAt(later(parts.since, DAY));
  assert.deepEqual((await does(provider, parts, "capture", { total: usdc(0.5) })).paid, usdc(0.5));
  await refuses("nothing_new", provider, parts, "capture", { total: usdc(0.5) }, 422);
  await refuses("above_total", provider, parts, "capture", { total: usdc(2.000001) }, 422);
  assert.deepEqual((await does(provider, parts, "capture", { total: usdc(1.5) })).paid, usdc(1.5));
  assert.deepEqual(await funds(mandate), { balance: usdc(98.5), reserved: usdc(0.5), available: usdc(98) });
  const { captureBy, refundBy } = parts.request;
  await clockAt(secondsAt(captureBy));
  await refuses("request_unavailable_in_state", provider, parts, "capture", { total: usdc(2) });
  const { progress, paid } = await look(parts);
  assert.deepEqual([progress, paid], ["settled", usdc(1.5)]);
  assert.deepEqual(await funds(mandate), { balance: usdc(98.5), reserved: "0", available: usdc(98.5) });

  await refuses("above_total", provider, parts, "refund", { total: usdc(1.6) }, 422);
  assert.equal((await does(provider, parts, "refund", { total: usdc(0.5) })).refunded, usdc(0.5));
  assert.equal((await does(provider, parts, "refund", { total: usdc(1) })).refunded, usdc(1));
  await refuses("nothing_new", provider, parts, "refund", { total: usdc(1) }, 422);
  assert.equal((await funds(mandate)).balance, usdc(99.5));
  await clockAt(secondsAt(refundBy));
  await refuses("refund_closed", provider, parts, "refund", { total: usdc(1.5) });
  assert.equal((await look(parts)).refunded, usdc(1));
});

/** A moment just before the first of a UTC month or day, at least an hour from now. */
function border(next) {
  const soon = new Date(Date.now() + HOUR);
  const month = next === "month" ? soon.getUTCMonth() + 1 : soon.getUTCMonth();
  return new Date(Date.UTC(soon.getUTCFullYear(), month, next === "month" ? 1 : soon.getUTCDate() + 1)).toISOString();
}

timed("a day's budget is whole again at midnight UTC, and a month's on the first", async () => {
  const midnight = border("day");
  await clockAt(later(midnight, -MINUTE));
  const daily = await make({ dayCap: usdc(3), dayCount: 2 });
  assert.equal((await pay(daily, usdc(2))).status, 201);
  await assertProblem(await pay(daily, usdc(2)), 422, "day_cap");
  assert.equal((await pay(daily, usdc(1))).status, 201);
  await assertProblem(await pay(daily, "1"), 422, "day_count");
  assert.deepEqual([(await show(daily)).remaining.today, (await show(daily)).spent.countToday], ["0", 2]);
  await clockAt(midnight);
  assert.deepEqual([(await show(daily)).remaining.today, (await show(daily)).spent.countToday], [usdc(3), 0]);
  assert.equal((await pay(daily, usdc(3))).status, 201);
  assert.equal((await show(daily)).spent.lifetime, usdc(6));

  const first = border("month");
  await clockAt(later(first, -MINUTE));
  const window = [{ service: "text.transform", windowCap: usdc(3), window: "utc_month" }];
  const [monthly, entry] = [await make({ monthCap: usdc(3) }), await make({}, { entries: window })];
  for (const [mandate, code] of [[monthly, "month_cap"], [entry, "entry_window_cap"]]) {
    assert.equal((await pay(mandate, usdc(3))).status, 201);
    await assertProblem(await pay(mandate, "1"), 422, code);
  }
  await clockAt(first);
  for (const mandate of [monthly, entry]) assert.equal((await pay(mandate, usdc(3))).status, 201);
});

timed("looser rules wait, tighter ones do not, and only what was announced is applied", async () => {
  const validBefore = inMillis(300 * DAY);
  const mandate = await make({ validBefore, dayCap: usdc(3) }, { amendDelaySeconds: 7200 });
  const path = `/v1/mandates/${mandate.mandate}`;
  const policy = (dayCap) => mandateBody(agent, { policy: { validBefore, dayCap } }).policy;
  const change = (verb, body, account = owner) => ask(stack, account, "POST", `${path}/${verb}`, body);
  const looser = { expectedVersion: 1, policy: policy(usdc(5)) };
  const { pendingAmendment } = await answered(await change("amend", looser), 202);
  assert.equal(Math.round((Date.parse(pendingAmendment.effectiveAt) - Date.now()) / MINUTE), 120);
  await assertProblem(await pay(mandate, usdc(4)), 422, "day_cap");
  await clockAt(later(pendingAmendment.effectiveAt, -MINUTE));
  await assertProblem(await change("apply-amendment", looser, agent), 409, "amendment_early");
  await clockAt(pendingAmendment.effectiveAt);
  await assertProblem(await change("apply-amendment", { ...looser, policy: policy(usdc(6)) }), 409, "no_amendment");
  assert.equal((await show(mandate)).policyVersion, 1, "nothing applies it by itself");
  const applied = await answered(await change("apply-amendment", looser, provider), 200);
  assert.deepEqual([applied.policyVersion, applied.policy.dayCap, applied.pendingAmendment], [2, usdc(5), null]);
  assert.equal((await pay(mandate, usdc(4))).status, 201);

  const next = { expectedVersion: 2, policy: policy(usdc(9)) };
  const announced = await answered(await change("amend", next), 202);
  assert.equal((await answered(await change("cancel-amendment"), 200)).pendingAmendment, null);
  await clockAt(announced.pendingAmendment.effectiveAt);
  await assertProblem(await change("apply-amendment", next), 409, "no_amendment");
  const tight = await answered(await change("amend", { expectedVersion: 2, policy: policy(usdc(4)) }), 200);
  assert.deepEqual([tight.policyVersion, tight.policy.dayCap], [3, usdc(4)]);
});

timed("a mandate that is paused, revoked, renounced or over authorizes nothing, and what is escrowed still ends", async () => {
  const stops = [
    ["pause", owner, "paused", "paused"], ["revoke", owner, "revoked", "revoked"], ["renounce", agent, "revoked", "revoked"],
    [null, null, "expired", "mandate_expired"],
  ];
  for (const [verb, who, status, code] of stops) {
    const mandate = await make(verb ? {} : { validBefore: inMillis(2 * DAY) });
    const path = `/v1/mandates/${mandate.mandate}`;
    const { request: message } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1) });
    const [escrowed, delivered, approved] = [await at("escrowed", mandate), await at("delivered", mandate), await at("approved", mandate)];
    if (verb) await answered(await ask(stack, who, "POST", `${path}/${verb}`), 200);
    else await clockAt(mandate.policy.validBefore);
    assert.equal((await show(mandate)).status, status);
    // By then the requests' own time is over, too.
    const ended = verb ? code : "mandate_expired";
    await assertProblem(await ask(stack, agent, "POST", `${path}/requests`, { request: message }), 422, ended, status);
    if (verb) await refuses(code, agent, approved, "submit", undefined, 422);
    if (verb) assert.equal((await does(provider, escrowed, "deliver", { receiptHash: bytes32() })).progress, "delivered");
    else assert.equal((await look(escrowed)).progress, "refunded");
    assert.equal((await does(owner, delivered, "accept")).paid, usdc(2));
    if (verb) assert.equal((await does(owner, escrowed, "accept")).progress, "settled");
    const left = (await funds(mandate)).available;
    assert.equal(left, usdc(verb ? 96 : 98));
    const empty = await ask(stack, owner, "POST", `${path}/withdraw`, { amount: left }, { "idempotency-key": bytes32() });
    assert.equal((await answered(empty, 200)).funds.balance, "0");
    if (verb === "pause") {
      await assertProblem(await ask(stack, owner, "POST", `${path}/pause`), 422, "paused");
      assert.equal((await answered(await ask(stack, owner, "POST", `${path}/unpause`), 200)).status, "active");
    } else {
      const after = verb ? [422, "revoked"] : [409, "not_paused"];
      await assertProblem(await ask(stack, owner, "POST", `${path}/unpause`), ...after);
    }
  }
});

timed("a request is good from its beginning to its end, and a mandate likewise", async () => {
  const [validAfter, validBefore] = [inMillis(DAY), inMillis(3 * DAY)];
  const mandate = await make({ validAfter, validBefore });
  await assertProblem(await pay(mandate, usdc(1)), 422, "mandate_not_started");
  await clockAt(later(validAfter, SECOND));
  const { request: message } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1), validBefore: inMillis(DAY + HOUR) });
  const send = () => ask(stack, agent, "POST", `/v1/mandates/${mandate.mandate}/requests`, { request: message });
  await clockAt(secondsAt(message.validBefore));
  await assertProblem(await send(), 422, "request_expired");
  await clockAt(later(validAfter, 2 * SECOND));
  assert.equal((await send()).status, 201);
  await clockAt(later(validBefore, -MINUTE));
  assert.equal((await pay(mandate, usdc(1))).status, 201);
  await clockAt(validBefore);
  await assertProblem(await pay(mandate, usdc(1)), 422, "mandate_expired");
});
