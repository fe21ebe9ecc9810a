// The life of a meter and its bills over HTTP: what is recorded counts once, at the price of its moment, and is billed once.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { keyed, owed, placeOf, settle, tenantOf, used } from "./support/bills.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { VARS } from "./support/mandate.mjs";
import { until } from "./support/waiting.mjs";

const HOUR = 3_600_000;

let stack;
before(async () => {
  stack = await start(VARS);
});
after(() => stack?.stop());

const path = ({ agent, serviceId }, more = "") => `/v1/usage/${agent}/${serviceId}${more}`;
const record = (place, body, headers) => {
  const { agent, serviceId } = place;
  return keyed(stack, place.tenant, "POST", "/v1/usage", { agent, serviceId, ...body }, headers);
};
const bulk = (place, items) => keyed(stack, place.tenant, "POST", "/v1/usage/bulk", { items });
const itemOf = ({ agent, serviceId }, more = {}) => ({ agent, serviceId, quantity: 1, ...more });
const counted = async (place) => answered(await keyed(stack, place.tenant, "GET", path(place)), 200);
const reverse = ({ tenant, agent, serviceId }, id, more = {}) =>
  keyed(stack, tenant, "POST", "/v1/usage/reverse", { agent, serviceId, reverses: { id }, ...more });
const settling = ({ tenant, agent, serviceId }, headers) =>
  keyed(stack, tenant, "POST", "/v1/settle", { agent, serviceId }, headers);

/** A place whose service is priced by tiers. */
async function tieredPlace(tenant, kind, ...tiers) {
  const place = { tenant, agent: `agent-${randomUUID()}`, serviceId: `service-${randomUUID()}` };
  const pricing = { kind, tiers: tiers.map(([upTo, price]) => ({ upTo, price })) };
  await answered(await keyed(stack, tenant, "POST", "/v1/services", { serviceId: place.serviceId, pricing }), 201);
  return place;
}

test("what is answered is in the counter and in the bill that are read right after it", async () => {
  const place = await placeOf(stack, { price: "0.4" });
  let sum = 0n;
  for (const quantity of [1, "2", 40, "57"]) {
    sum += BigInt(quantity);
    const { status, total, priceVersion } = await used(stack, place, quantity);
    assert.deepEqual([status, total, priceVersion], ["recorded", `${sum}`, 1]);
    const bill = await owed(stack, place);
    assert.deepEqual([bill.quantity, bill.amount], [`${sum}`, `${(sum * 4n) / 10n}`]);
    assert.equal((await counted(place)).total, `${sum}`);
  }
});

test("a bill is exactly its quote, and nothing is open after it; what is cut off is carried", async () => {
  const place = await placeOf(stack, { price: "0.4" });
  await used(stack, place, 3);
  const quote = await owed(stack, place);
  assert.deepEqual([quote.amount, quote.carriedIn, quote.carriedOut], ["1", "0", "0.2"]);
  const bill = await settle(stack, place);
  assert.deepEqual(bill.lines, quote.lines);
  assert.deepEqual([bill.amount, bill.carriedOut, bill.number, bill.status], [quote.amount, "0.2", 1, "drafted"]);
  const next = await owed(stack, place);
  assert.deepEqual([next.quantity, next.amount, next.carriedIn, next.pending], ["0", "0", "0.2", bill.id]);
  await used(stack, place, 2);
  assert.deepEqual([(await owed(stack, place)).amount], ["1"], "0.8 and 0.2 that were carried");
});

test("while a bill waits there is no other; voided, its usage is open again, once", async () => {
  const place = await placeOf(stack);
  await used(stack, place, 4);
  const bill = await settle(stack, place);
  await used(stack, place, 1);
  await assertProblem(await settling(place), 409, "settlement_open");
  const cancel = () => keyed(stack, place.tenant, "POST", `/v1/settlements/${bill.id}/void`, {});
  const voided = await answered(await cancel(), 200);
  assert.equal(voided.status, "failed");
  assert.equal((await owed(stack, place)).quantity, "5");
  await cancel();
  assert.equal((await owed(stack, place)).quantity, "5");
  const again = await settle(stack, place);
  assert.deepEqual([again.quantity, again.number], ["5", 2]);
  assert.equal(again.lines.length, 1, "billed on what there is together");
});

test("the same event again is a duplicate; another one under its name is a conflict", async () => {
  const place = await placeOf(stack);
  const event = { quantity: 7, id: "e-1", source: "/gateway/1", time: new Date().toISOString() };
  const first = await answered(await record(place, event), 201);
  const answer = await record(place, event);
  const second = await answered(answer, 200);
  assert.deepEqual([second.status, second.total, second.event], ["duplicate", "7", first.event]);
  await assertProblem(await record(place, { ...event, quantity: 8 }), 409, "event_conflict");
  assert.equal((await answered(await record(place, { ...event, source: "/gateway/2" }), 201)).total, "14");
  assert.equal((await owed(stack, place)).quantity, "14");
});

test("an Idempotency-Key names the event", async () => {
  const [place, key] = [await placeOf(stack), { "idempotency-key": randomUUID() }];
  const first = await answered(await record(place, { quantity: 2 }, key), 201);
  assert.equal(first.event.id, `key:${key["idempotency-key"]}`);
  assert.equal((await answered(await record(place, { quantity: 2 }, key), 200)).status, "duplicate");
  await assertProblem(await record(place, { quantity: 3 }, key), 409, "event_conflict");
  assert.equal((await counted(place)).total, "2");
});

test("events too late, too early, before their service, too fine and without quantity are refused by name", async () => {
  const place = await placeOf(stack);
  const at = (millis) => new Date(Date.now() + millis).toISOString();
  const refused = [
    [{ quantity: 1, time: at(-36 * 24 * HOUR) }, "event_too_late"],
    [{ quantity: 1, time: at(6 * 60_000) }, "event_in_future"],
    [{ quantity: 1, time: at(-HOUR) }, "event_before_service"],
    [{ quantity: "0.5" }, "quantity_too_fine"],
    [{ quantity: 0 }, "quantity_zero"],
    [{ quantity: "1000000000001" }, "quantity_too_large"],
  ];
  for (const [body, code] of refused) {
    const answer = await record(place, body);
    const problem = await answer.json();
    assert.deepEqual([answer.status, problem.code], [422, code], JSON.stringify(body));
  }
  await assertProblem(await keyed(stack, place.tenant, "GET", path(place)), 404, "meter_not_found");
  await answered(await record(place, { quantity: 1, time: at(60_000) }), 201);
});

test("usage has the price of its moment, whatever the price was changed to later", async () => {
  const place = await placeOf(stack, { price: "100" });
  const { tenant, serviceId } = place;
  const before = new Date().toISOString();
  await used(stack, place, 1);
  await new Promise((resume) => setTimeout(resume, 5));
  await answered(await keyed(stack, tenant, "PATCH", `/v1/services/${serviceId}/price`, { price: "300" }), 200);
  await used(stack, place, 1);
  await answered(await record(place, { quantity: 1, time: before }), 201);
  const bill = await owed(stack, place);
  assert.deepEqual(bill.lines.map(({ priceVersion, quantity, amount }) => [priceVersion, quantity, amount]), [[1, "2", "200"], [2, "1", "300"]]);
  await answered(await keyed(stack, tenant, "DELETE", `/v1/services/${serviceId}`), 200);
  await assertProblem(await record(place, { quantity: 1 }), 404, "unknown_service");
  assert.equal((await owed(stack, place)).amount, "500", "deletion never reprices");
  assert.equal((await settle(stack, place)).amount, "500");
});

test("tiers at T-1, T and T+1", async () => {
  const tenant = await tenantOf(stack);
  const of = (kind) => tieredPlace(tenant, kind, ["10", "5"], ["20", "3"], [null, "1"]);
  const amounts = { graduated: { 9: 45, 10: 50, 11: 53, 19: 77, 20: 80, 21: 81 }, volume: { 9: 45, 10: 50, 11: 33, 19: 57, 20: 60, 21: 21 } };
  for (const [kind, table] of Object.entries(amounts)) {
    const place = await of(kind);
    let sum = 0;
    for (const [quantity, amount] of Object.entries(table)) {
      await used(stack, place, Number(quantity) - sum);
      sum = Number(quantity);
      assert.equal((await owed(stack, place)).amount, `${amount}`, `${kind} ${quantity}`);
    }
  }
});

test("an open event is taken back whole and once", async () => {
  const place = await placeOf(stack);
  await used(stack, place, 5, { id: "kept" });
  await used(stack, place, 3, { id: "wrong" });
  const taken = await answered(await reverse(place, "wrong"), 201);
  assert.deepEqual([taken.quantity, taken.reverses], ["3", { source: "api", id: "wrong" }]);
  assert.equal((await owed(stack, place)).quantity, "5");
  const again = await reverse(place, "wrong");
  await answered(again, 200);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  await assertProblem(await reverse(place, "wrong", { id: "another" }), 409, "event_already_reversed");
  await assertProblem(await reverse(place, "nothing"), 404, "event_not_found");
  const { total, reversed, recorded } = await counted(place);
  assert.deepEqual([total, reversed, recorded], ["5", "3", "8"]);
  const { events } = await answered(await keyed(stack, place.tenant, "GET", path(place, "/events")), 200);
  assert.equal(events.length, 3);
  assert.deepEqual(events[0].reverses, { source: "api", id: "wrong" });
  assert.deepEqual(events.find(({ event }) => event.id === "wrong").reversedBy, events[0].event);
});

test("what is free is settled at once, and an event of it that is taken back is credited with nothing", async () => {
  const place = await placeOf(stack, { price: "0" });
  await used(stack, place, 5, { id: "one" });
  const bill = await settle(stack, place);
  assert.deepEqual([bill.status, bill.amount], ["verified", "0"]);
  await answered(await reverse(place, "one"), 201);
  const { settled, total, reversed, credited } = await counted(place);
  assert.deepEqual([settled, total, reversed, credited], ["5", "0", "0", "5"]);
});

test("what is written off is not charged for, and that is said", async () => {
  const place = await placeOf(stack);
  await used(stack, place, 9);
  const written = await answered(await keyed(stack, place.tenant, "DELETE", path(place)), 200);
  assert.deepEqual([written.status, written.quantity, written.lines[0].quantity], ["writtenOff", "9", "9"]);
  assert.equal((await owed(stack, place)).quantity, "0");
  assert.equal((await counted(place)).writtenOff, "9");
  await assertProblem(await settling(place), 422, "nothing_to_settle");
});

test("settling what is unknown, was never used, or is empty is refused and changes nothing", async () => {
  const place = await placeOf(stack);
  await assertProblem(await settling({ ...place, serviceId: "nothing" }), 404, "unknown_service");
  await assertProblem(await settling(place), 404, "meter_not_found");
  await used(stack, place, 1);
  const bill = await settle(stack, place);
  await answered(await keyed(stack, place.tenant, "POST", `/v1/settlements/${bill.id}/void`, {}), 200);
  await answered(await keyed(stack, place.tenant, "DELETE", path(place)), 200);
  const { version } = await counted(place);
  await assertProblem(await settling(place), 422, "nothing_to_settle");
  assert.equal((await counted(place)).version, version);
});

test("settled twice under one key is settled once", async () => {
  const [place, key] = [await placeOf(stack), { "idempotency-key": "settle-1" }];
  await used(stack, place, 3);
  const first = await answered(await settling(place, key), 201);
  const answer = await settling(place, key);
  const { version: _, ...again } = await answered(answer, 200);
  const { version: __, ...once } = first;
  assert.deepEqual(again, once);
  assert.equal(answer.headers.get("idempotency-replayed"), "true");
  const writeOff = await keyed(stack, place.tenant, "DELETE", path(place), undefined, key);
  assert.equal(writeOff.status, 422, await writeOff.text());
});

test("a bulk of a thousand is one commit, and each event of it counts once", async () => {
  const place = await placeOf(stack);
  const items = Array.from({ length: 1_000 }, (_, index) => itemOf(place, { quantity: (index % 7) + 1, id: `e-${index}` }));
  const sum = items.reduce((sum, { quantity }) => sum + quantity, 0);
  await used(stack, place, 1);
  const { version } = await counted(place);
  const answer = await answered(await bulk(place, items), 200);
  assert.deepEqual([answer.recorded, answer.duplicates, answer.refused], [1_000, 0, 0]);
  assert.deepEqual(answer.results.map(({ index }) => index), items.map((_, index) => index));
  const after = await counted(place);
  assert.deepEqual([after.total, after.version], [`${sum + 1}`, version + 1]);
  const again = await answered(await bulk(place, items), 200);
  assert.deepEqual([again.recorded, again.duplicates], [0, 1_000]);
  assert.deepEqual(await counted(place), after);
});

test("refused items of a bulk are named in their places and keep the others from nothing", async () => {
  const place = await placeOf(stack);
  const other = await placeOf(stack, { tenant: place.tenant, agent: place.agent });
  await answered(await keyed(stack, place.tenant, "POST", `/v1/services/${other.serviceId}/disable`, {}), 200);
  const items = [
    itemOf(place, { id: "a" }), itemOf(place, { id: "a" }), itemOf(place, { id: "a", quantity: 2 }), itemOf(place, { quantity: 0 }),
    itemOf(place, { quantity: 1.5 }), itemOf({ ...place, serviceId: "none" }), itemOf(other), { agent: "x" }, itemOf(place, { id: "b", quantity: "4" }),
  ];
  const { results, recorded, duplicates, refused } = await answered(await bulk(place, items), 200);
  assert.deepEqual([recorded, duplicates, refused], [2, 1, 6]);
  assert.deepEqual(results.map(({ status, error }) => error?.code ?? status), [
    "recorded", "duplicate", "event_conflict", "quantity_zero", "invalid_event", "unknown_service", "service_disabled", "invalid_event", "recorded",
  ]);
  assert.equal((await counted(place)).total, "5");
});

test("how many events a bulk has, and how long a bill waits, is as the tenant has set it", async () => {
  const place = await placeOf(stack);
  const { tenant } = place;
  const etag = (await keyed(stack, tenant, "GET", "/v1/config")).headers.get("etag");
  const set = { bulkMaxItems: 2, draftWaitSeconds: 60 };
  await answered(await keyed(stack, tenant, "PATCH", "/v1/config", set, { "if-match": etag }), 200);
  await assertProblem(await bulk(place, [itemOf(place), itemOf(place), itemOf(place)]), 422, "bulk_too_large");
  assert.equal((await answered(await bulk(place, [itemOf(place), itemOf(place)]), 200)).recorded, 2);
  const { createdAt, payUntil } = await settle(stack, place);
  assert.equal(Date.parse(payUntil) - Date.parse(createdAt), 60_000);
});

test("a bulk settle is the sum of the singles", async () => {
  const tenant = await tenantOf(stack);
  const places = await Promise.all([1, 2, 3].map((quantity) => placeOf(stack, { tenant, price: `${quantity}00` })));
  for (const [index, place] of places.entries()) await used(stack, place, index + 1);
  const quotes = await Promise.all(places.map((place) => owed(stack, place)));
  const total = await answered(await keyed(stack, tenant, "GET", "/v1/billing/total"), 200);
  assert.equal(total.amount, "1400");
  const items = [...places.map(({ agent, serviceId }) => ({ agent, serviceId })), { agent: "nobody", serviceId: places[0].serviceId }];
  const { results } = await answered(await keyed(stack, tenant, "POST", "/v1/settle/bulk", { items }), 200);
  assert.deepEqual(results.slice(0, 3).map(({ settlement }) => settlement.amount), quotes.map(({ amount }) => amount));
  assert.equal(results[3].error.code, "meter_not_found");
  const one = await answered(await keyed(stack, tenant, "GET", `/v1/billing/total?agent=${places[0].agent}`), 200);
  assert.equal(one.amount, "0");
});

test("what is another tenant's looks like what is not there", async () => {
  const [mine, theirs] = [await placeOf(stack), await placeOf(stack)];
  await used(stack, mine, 2);
  const bill = await settle(stack, mine);
  const strange = { ...mine, tenant: theirs.tenant };
  await assertProblem(await keyed(stack, theirs.tenant, "GET", path(mine)), 404, "unknown_service");
  await assertProblem(await keyed(stack, theirs.tenant, "GET", `/v1/billing/${mine.agent}/${mine.serviceId}`), 404, "unknown_service");
  await assertProblem(await settling(strange), 404, "unknown_service");
  await assertProblem(await reverse(strange, "x"), 404, "unknown_service");
  await assertProblem(await keyed(stack, theirs.tenant, "POST", `/v1/settlements/${bill.id}/void`, {}), 404, "settlement_not_found");
  assert.equal((await answered(await keyed(stack, theirs.tenant, "GET", "/v1/billing/total"), 200)).amount, "0");
});

test("events are listed newest first, page by page, each once", async () => {
  const place = await placeOf(stack, { shards: 3 });
  const items = Array.from({ length: 25 }, (_, index) => itemOf(place, { id: `e-${index}` }));
  await answered(await bulk(place, items), 200);
  const seen = [];
  let cursor = "";
  do {
    const page = await answered(await keyed(stack, place.tenant, "GET", path(place, `/events?limit=10${cursor && `&cursor=${cursor}`}`)), 200);
    seen.push(...page.events.map(({ event }) => event.id));
    cursor = page.nextCursor;
  } while (cursor);
  assert.deepEqual([...seen].sort(), items.map(({ id }) => id).sort());
});

test("with D1 away everything but the lists goes on, and the lists catch up", async () => {
  const place = await placeOf(stack);
  await used(stack, place, 1);
  await stack.d1("ALTER TABLE meters RENAME TO meters_away");
  try {
    await used(stack, place, 2);
    assert.equal((await owed(stack, place)).quantity, "3");
    assert.equal((await settle(stack, place)).quantity, "3");
  } finally {
    await stack.d1("ALTER TABLE meters_away RENAME TO meters");
  }
  const { version } = await counted(place);
  const listed = () => stack.d1("SELECT version FROM meters WHERE agent = ?", place.agent);
  await until("the lists to catch up", async () => (await listed())[0]?.version === version, 20_000);
});
