// Agents that pay ahead: money is held before work, paid by what the work came to, and given back where it came to less or
// to nothing. One mandate holds for all services, and never more than it has.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  billNow, billed, commit, keyed, mandateFor, owed, payFrom, placeOf, prepaid, reserve, serviceOf, stands, tenantOf, used,
} from "./support/bills.mjs";
import { VARS, ahead, ask, assertJournal, bytes32, counted, mandateNow, party, usdc } from "./support/mandate.mjs";
import { until } from "./support/waiting.mjs";

const AT_ONCE = 20;
const ROOM = 3;

let stack;

before(async () => {
  stack = await start(VARS);
});
after(() => stack?.stop());

/** A place whose agent pays ahead, from a mandate with `funds`. */
async function ready({ price = "250", funds = usdc(100), policy } = {}) {
  const place = await placeOf(stack, { price });
  const payer = await mandateFor(stack, place.tenant, { funds, policy });
  await prepaid(stack, place.tenant, place.agent, payer);
  return { ...place, payer };
}

const money = async ({ payer }) => {
  const { funds, reservations } = await mandateNow(stack, payer.mandate);
  return { balance: funds.balance, reserved: funds.reserved, reservations };
};

const held = async (place, quantity, more) => answered(await reserve(stack, place, quantity, more), 201);

const shown = async (place, { id }) => answered(await keyed(stack, place.tenant, "GET", `/v1/reservations/${id}`), 200);

test("reserve, work, commit: what the work came to is paid, and the rest is free again", async () => {
  const place = await ready();
  const reservation = await held(place, "100");
  assert.deepEqual([reservation.status, reservation.quantity, reservation.settlement], ["held", "100", null]);
  // The price of all of it, and one base unit for what was carried.
  assert.ok([25_000n, 25_001n].includes(BigInt(reservation.amount)), reservation.amount);
  assert.deepEqual(await money(place), { balance: usdc(100), reserved: reservation.amount, reservations: 1 });
  const done = await answered(await commit(stack, place, reservation, "40"), 200);
  assert.deepEqual([done.reservation.status, done.reservation.settlement], ["committed", done.settlement.id]);
  const bill = await stands(stack, { bill: done.settlement }, "verified");
  assert.deepEqual([bill.amount, bill.quantity, bill.payment.method], ["10000", "40", "reservation"]);
  assert.deepEqual(await money(place), { balance: `${100_000_000 - 10_000}`, reserved: "0", reservations: 0 });
  assert.equal((await owed(stack, place)).quantity, "0", "what was paid ahead is not billed again");
  await assertJournal(stack, place.payer.mandate);
});

test("the same reservation and the same commit again change nothing", async () => {
  const place = await ready();
  const key = bytes32();
  const reservation = await held(place, "10", { key });
  const again = await reserve(stack, place, "10", { key });
  const same = JSON.parse(await again.text());
  assert.equal(again.status, 200);
  assert.equal(same.id, reservation.id);
  await assertProblem(await reserve(stack, place, "11", { key }), 422, "reservation_reused");
  const first = await answered(await commit(stack, place, reservation, "10"), 200);
  const second = await answered(await commit(stack, place, reservation, "10"), 200);
  assert.equal(second.settlement.id, first.settlement.id);
  await stands(stack, { bill: first.settlement }, "verified");
  assert.equal((await money(place)).balance, `${100_000_000 - 2_500}`);
});

test("more than was reserved is refused, and what is held stays held", async () => {
  const place = await ready();
  const reservation = await held(place, "10");
  const problem = await assertProblem(await commit(stack, place, reservation, "10.000001"), 422, "quantity_too_fine");
  assert.ok(problem.detail);
  await assertProblem(await commit(stack, place, reservation, "11"), 422, "above_reservation");
  assert.equal((await shown(place, reservation)).status, "held");
  assert.equal((await money(place)).reserved, reservation.amount);
});

test("work that is not done gives all of it back", async () => {
  const place = await ready();
  const reservation = await held(place, "10");
  const path = `/v1/reservations/${reservation.id}/release`;
  assert.equal((await answered(await keyed(stack, place.tenant, "POST", path), 200)).status, "released");
  await until("the money to be free", async () => (await money(place)).reserved === "0");
  assert.deepEqual(await money(place), { balance: usdc(100), reserved: "0", reservations: 0 });
  const late = await commit(stack, place, reservation, "1");
  assert.equal(late.status, 409, await late.text());
});

test("an agent that pays ahead uses nothing without a reservation, whatever its mandate has", async () => {
  for (const funds of [usdc(100), "0"]) {
    const place = await ready({ funds });
    const body = { agent: place.agent, serviceId: place.serviceId, quantity: "1" };
    await assertProblem(await keyed(stack, place.tenant, "POST", "/v1/usage", body), 422, "reservation_required");
  }
});

test("a balance of exactly nothing stays prepaid", async () => {
  const place = await ready({ price: "100", funds: "1001" });
  const reservation = await held(place, "10");
  const { settlement } = await answered(await commit(stack, place, reservation, "10"), 200);
  await stands(stack, { bill: settlement }, "verified");
  const left = (await money(place)).balance;
  assert.equal(left, "1");
  const body = { agent: place.agent, serviceId: place.serviceId, quantity: "1" };
  await assertProblem(await keyed(stack, place.tenant, "POST", "/v1/usage", body), 422, "reservation_required");
  const refused = await assertProblem(await reserve(stack, place, "1"), 422, "hold_refused");
  assert.equal(refused.errors.length, 1, JSON.stringify(refused.errors));
});

test("an agent that pays later cannot reserve", async () => {
  const place = await placeOf(stack);
  await assertProblem(await reserve(stack, place, "1"), 422, "agent_not_prepaid");
});

test(`${AT_ONCE} reservations at once at several services, with room for ${ROOM}: ${ROOM} are held`, async () => {
  const place = await ready({ price: "1000", funds: `${ROOM * 10_001}` });
  const services = await Promise.all([1, 2, 3, 4].map(() => serviceOf(stack, place.tenant, "1000")));
  const places = Array.from({ length: AT_ONCE }, (_, index) => ({ ...place, serviceId: services[index % services.length] }));
  const answers = await Promise.all(places.map((one) => reserve(stack, one, "10")));
  const bodies = await Promise.all(answers.map(async (answer) => ({ status: answer.status, ...JSON.parse(await answer.text()), http: answer.status })));
  assert.deepEqual(counted(bodies.map(({ http }) => http)), { 201: ROOM, 422: AT_ONCE - ROOM }, JSON.stringify(bodies));
  const reserved = bodies.filter(({ http }) => http === 201).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const now = await money(place);
  assert.deepEqual([now.reservations, BigInt(now.reserved)], [ROOM, reserved]);
  assert.ok(reserved <= BigInt(now.balance));
  await assertJournal(stack, place.payer.mandate);
});

test("a reservation whose time is over gives back what it held, and no late work is paid from it", async () => {
  const place = await ready();
  const reservation = await held(place, "10", { ttlSeconds: 60 });
  await ahead(stack, 61_000);
  try {
    assert.equal((await shown(place, reservation)).status, "expired");
    const late = await commit(stack, place, reservation, "1");
    assert.equal(late.status, 409, await late.text());
    await until("the money to be free", async () => (await money(place)).reserved === "0");
    assert.deepEqual(await money(place), { balance: usdc(100), reserved: "0", reservations: 0 });
  } finally {
    await ahead(stack, 0);
  }
});

test("killed right after a reservation or a commit was sent: sent again, it is held once and paid once", async () => {
  for (const moment of [0, 5, 15, 30, 60]) {
    const place = await ready();
    const key = bytes32();
    const first = reserve(stack, place, "10", { key }).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, moment));
    await stack.crash();
    await first;
    // Answered as fresh or as a replay, by how far the first one came.
    const again = await reserve(stack, place, "10", { key });
    assert.ok([200, 201].includes(again.status), `${moment} ms: ${again.status}`);
    const reservation = JSON.parse(await again.text());
    assert.equal((await money(place)).reservations, 1, `${moment} ms`);
    const lost = commit(stack, place, reservation, "4").catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, moment));
    await stack.crash();
    await lost;
    const { settlement } = await answered(await commit(stack, place, reservation, "4"), 200);
    await stands(stack, { bill: settlement }, "verified");
    assert.deepEqual(await money(place), { balance: `${100_000_000 - 1_000}`, reserved: "0", reservations: 0 });
  }
});

test("bills paid from a mandate: with room for one of two, one is paid and the other is open again", async () => {
  const tenant = await tenantOf(stack);
  const payer = await mandateFor(stack, tenant, { funds: "15000" });
  const bills = await Promise.all([1, 2].map(() => billed(stack, { tenant })));
  const views = await Promise.all(bills.map(async (one) => answered(await payFrom(stack, one, payer), 200)));
  assert.deepEqual(views.map(({ status }) => status).sort(), ["failed", "verified"]);
  const [paid, failed] = ["verified", "failed"].map((status) => views.find((view) => view.status === status));
  assert.deepEqual([paid.payment.method, paid.payment.recipient], ["mandate", tenant.payTo]);
  assert.match(paid.proof, /^[0-9a-f]{64}$/);
  assert.ok(failed.failure.code.length > 0 && failed.failure.reason.length > 0);
  assert.deepEqual(await money({ payer }), { balance: "5000", reserved: "0", reservations: 0 });
  const [one, other] = bills.map((bill) => (bill.bill.id === paid.id ? "0" : "40"));
  assert.deepEqual(await Promise.all(bills.map(async (bill) => (await owed(stack, bill)).quantity)), [one, other]);
  const again = await answered(await payFrom(stack, bills.find(({ bill }) => bill.id === paid.id), payer), 200);
  assert.equal(again.status, "verified");
  assert.equal((await money({ payer })).balance, "5000");
  await assertJournal(stack, payer.mandate);
});

test("only the mandate's agent pays from it", async () => {
  const one = await billed(stack);
  const payer = await mandateFor(stack, one.tenant);
  await assertProblem(await payFrom(stack, one, { ...payer, agent: party() }), 403, "not_party");
  await assertProblem(await payFrom(stack, one, { ...payer, agent: payer.owner }), 403, "not_party");
  const unsigned = await payFrom(stack, one, { ...payer, agent: null });
  assert.equal(unsigned.status, 401, await unsigned.text());
  const unknown = await payFrom(stack, one, { ...payer, mandate: { mandate: bytes32() } });
  await assertProblem(unknown, 404, "unknown_mandate");
  await assertProblem(await ask(stack, payer.agent, "POST", one.bill.links.mandate, { mandate: "0x1" }), 400, "invalid_body");
  assert.equal((await billNow(stack, one)).status, "drafted");
});

test("a mandate's rules decide: a payee that it does not allow is not paid", async () => {
  const one = await billed(stack);
  const payer = await mandateFor(stack, { payTo: party().address });
  const { status, failure } = await answered(await payFrom(stack, one, payer), 200);
  assert.equal(status, "failed", JSON.stringify(failure));
  assert.equal((await owed(stack, one)).quantity, "40");
  assert.equal((await money({ payer })).reserved, "0");
});

test("a mandate that is away is asked again until it answers, and pays once", async () => {
  const one = await billed(stack);
  const payer = await mandateFor(stack, one.tenant);
  const id = payer.mandate.mandate;
  const away = async () => {
    await stack.objectSql("MandateObject", id, "CREATE TRIGGER away BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'away'); END");
  };
  await away();
  const answer = await payFrom(stack, one, payer);
  const { status } = await answered(answer, 200);
  assert.equal(status, "submitted");
  await stack.objectSql("MandateObject", id, "DROP TRIGGER away");
  await stands(stack, one, "verified", 30_000);
  assert.equal((await money({ payer })).balance, `${10_000_000_000 - 10_000}`);
  await assertJournal(stack, payer.mandate);
});

test("killed while a mandate pays: it has paid once", async () => {
  for (const moment of [0, 5, 10, 20, 40, 80]) {
    const one = await billed(stack);
    const payer = await mandateFor(stack, one.tenant);
    const first = payFrom(stack, one, payer).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, moment));
    await stack.crash();
    await first;
    const again = await payFrom(stack, one, payer);
    assert.ok([200, 409].includes(again.status), `${moment} ms: ${await again.text()}`);
    await stands(stack, one, "verified", 30_000);
    assert.deepEqual(await money({ payer }), { balance: `${10_000_000_000 - 10_000}`, reserved: "0", reservations: 0 });
  }
});

test("usage of an agent that pays later goes on beside what another pays ahead", async () => {
  const place = await ready();
  const later = { ...place, agent: `${place.agent}-later` };
  await used(stack, later, "3");
  await held(place, "3");
  assert.equal((await owed(stack, later)).quantity, "3");
});
