// A meter of several shards is one meter: whoever uses it does not know, and what it bills is the same.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { commit, keyed, mandateFor, owed, prepaid, reserve, settle, tenantOf, used } from "./support/bills.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { VARS } from "./support/mandate.mjs";
import { assertMeter, meterId, shardOf } from "./support/meter.mjs";
import { until } from "./support/waiting.mjs";

const SHARDS = 8;

let stack;
before(async () => {
  stack = await start(VARS);
});
after(() => stack?.stop());

const pricing = { kind: "graduated", tiers: [{ upTo: "100", price: "0.7" }, { upTo: null, price: "0.3" }] };
const bulk = ({ tenant, agent, serviceId }, events) => {
  const items = events.map((event) => ({ agent, serviceId, ...event }));
  return keyed(stack, tenant, "POST", "/v1/usage/bulk", { items });
};
const reverse = ({ tenant, agent, serviceId }, id, own) =>
  keyed(stack, tenant, "POST", "/v1/usage/reverse", { agent, serviceId, reverses: { id }, ...(own && { id: own }) });
const show = async ({ tenant, agent, serviceId }) => answered(await keyed(stack, tenant, "GET", `/v1/usage/${agent}/${serviceId}`), 200);
const voided = ({ tenant }, { id }) => keyed(stack, tenant, "POST", `/v1/settlements/${id}/void`, {});

/** An event's id that belongs to a shard. */
function idOf(shard, name) {
  for (let index = 0; ; index += 1) if (shardOf("api", `${name}-${index}`, SHARDS) === shard) return `${name}-${index}`;
}

/** Two places alike, one of eight shards and one of one. */
async function pair() {
  const tenant = await tenantOf(stack);
  return Promise.all([SHARDS, 1].map(async (shards) => {
    const place = { tenant, agent: `agent-${randomUUID()}`, serviceId: `service-${randomUUID()}` };
    await answered(await keyed(stack, tenant, "POST", "/v1/services", { serviceId: place.serviceId, pricing, shards }), 201);
    return place;
  }));
}

const amounts = ({ quantity, amount, carriedIn, carriedOut, lines }) => ({
  quantity, amount, carriedIn, carriedOut, lines: lines.map((line) => [line.priceVersion, line.quantity, line.events, line.exact, line.amount]),
});

test("eight shards bill what one bills, round by round", async () => {
  const [many, one] = await pair();
  for (let round = 0; round < 3; round += 1) {
    const events = Array.from({ length: 60 }, (_, index) => ({ id: `${round}-${index}`, quantity: (index % 5) + 1 }));
    for (const place of [many, one]) {
      assert.equal((await answered(await bulk(place, events), 200)).recorded, 60);
      assert.equal((await answered(await bulk(place, events), 200)).duplicates, 60);
    }
    const quotes = await Promise.all([many, one].map((place) => owed(stack, place)));
    assert.deepEqual(amounts(quotes[0]), amounts(quotes[1]), "quoted");
    const bills = [await settle(stack, many), await settle(stack, one)];
    assert.deepEqual(amounts(bills[0]), amounts(quotes[0]), "a bill is its quote");
    assert.deepEqual(amounts(bills[0]), amounts(bills[1]), "billed");
    assert.equal((await owed(stack, many)).quantity, "0");
    // The usage of a failed bill is open again, and in the next one.
    for (const [index, place] of [many, one].entries()) await answered(await voided(place, bills[index]), 200);
  }
  assert.deepEqual(amounts(await owed(stack, many)), amounts(await owed(stack, one)));
  await assertMeter(stack, many, SHARDS);
});

test("usage of any one shard is billed, whichever is used first", async () => {
  const [many] = await pair();
  for (const shard of [5, 0, 7]) {
    const place = { ...many, agent: `agent-of-${shard}-${Date.now()}` };
    const { total } = await used(stack, place, 3, { id: idOf(shard, "first") });
    assert.equal(total, "3");
    assert.equal((await owed(stack, place)).quantity, "3");
    assert.equal((await settle(stack, place)).quantity, "3");
    const ids = await Promise.all(Array.from({ length: SHARDS }, (_, index) => journalOf(place, index)));
    assert.ok(ids[shard] > 0);
  }
});

async function journalOf(place, shard) {
  const name = meterId(place.tenant.id, place.agent, place.serviceId, shard);
  const rows = await stack.objectSql("MeterObject", name, "SELECT name FROM sqlite_master WHERE name = 'journal'");
  if (rows.length === 0) return 0;
  const [{ count }] = await stack.objectSql("MeterObject", name, "SELECT count(*) AS count FROM journal");
  return count;
}

test("an event is taken back at its shard, before it is handed over, after, and after it was billed", async () => {
  const [many] = await pair();
  const [open, handed] = [idOf(3, "open"), idOf(4, "handed")];
  await used(stack, many, 10, { id: open });
  await used(stack, many, 20, { id: handed });
  await used(stack, many, 1, { id: idOf(0, "kept") });
  assert.equal((await answered(await reverse(many, open), 201)).quantity, "10");
  assert.equal((await owed(stack, many)).quantity, "21");
  const bill = await settle(stack, many);
  assert.equal(bill.quantity, "21");
  // What is taken back of a bill that waits does not come back with it.
  await answered(await reverse(many, handed), 201);
  await answered(await voided(many, bill), 200);
  await assertOwed(many, "1");
  await assertProblem(await reverse(many, handed, "another"), 409, "event_already_reversed");
  const { recorded, reversed, credited } = await show(many);
  assert.deepEqual([recorded, reversed, credited], ["31", "30", "0"]);
  await until("the lists to say the same", async () => {
    const { agents } = await answered(await keyed(stack, many.tenant, "GET", "/v1/agents"), 200);
    return agents[0]?.quantity === "1";
  });
  await assertMeter(stack, many, SHARDS);
});

async function assertOwed(place, quantity) {
  // A credit travels from shard to shard in the background.
  for (let tries = 0; tries < 100 && (await owed(stack, place)).quantity !== quantity; tries += 1) {
    await new Promise((resume) => setTimeout(resume, 50));
  }
  assert.equal((await owed(stack, place)).quantity, quantity);
}

test("one identity stands for one thing, whichever shards it touches", async () => {
  const [many] = await pair();
  const [event, other] = [idOf(2, "event"), idOf(2, "other")];
  const reversal = idOf(6, "reversal");
  await used(stack, many, 4, { id: event });
  await used(stack, many, 4, { id: other });
  await answered(await reverse(many, event, reversal), 201);
  const again = await reverse(many, event, reversal);
  assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [200, "true"], await again.text());
  await assertProblem(await reverse(many, other, reversal), 409, "event_conflict");
  const { agent, serviceId, tenant } = many;
  const usage = await keyed(stack, tenant, "POST", "/v1/usage", { agent, serviceId, quantity: 4, id: reversal });
  await assertProblem(usage, 409, "event_conflict");
  // A reversal that is refused leaves its name free.
  const free = idOf(5, "free");
  await assertProblem(await reverse(many, "nothing-there", free), 404, "event_not_found");
  await used(stack, many, 1, { id: free });
  assert.deepEqual([(await show(many)).total, (await show(many)).reversed], ["5", "4"]);
});

test("what a reservation paid is taken back wherever its identity belongs", async () => {
  const [many] = await pair();
  await prepaid(stack, many.tenant, many.agent, await mandateFor(stack, many.tenant));
  for (const [shard, own] of [[0, 0], [0, 5], [3, 3], [4, 0], [5, 6]]) {
    const event = idOf(shard, `paid-${own}`);
    const reversal = idOf(own, `reversal-${shard}`);
    const held = await answered(await reserve(stack, many, "10"), 201);
    const { settlement } = await answered(await commit(stack, many, held, "10", { id: event }), 200);
    const taken = await answered(await reverse(many, event, reversal), 201);
    assert.deepEqual([taken.quantity, settlement.quantity], ["10", "10"], `${shard}, ${own}`);
    const again = await reverse(many, event, reversal);
    assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [200, "true"], await again.text());
    await assertProblem(await reverse(many, event, "another"), 409, "event_already_reversed");
  }
  const { reversed, credited } = await show(many);
  assert.deepEqual([reversed, credited], ["0", "50"], "what is taken back of what was paid is credited");
});

for (const moment of [0, 2, 5, 10, 20, 40]) {
  test(`killed ${moment} ms into a settlement, between hand-over and draft or elsewhere, nothing is lost or billed twice`, async () => {
    const [many] = await pair();
    const events = Array.from({ length: 40 }, (_, index) => ({ id: `e-${index}`, quantity: 2 }));
    await answered(await bulk(many, events), 200);
    const key = { "idempotency-key": `settle-${moment}` };
    const send = () => keyed(stack, many.tenant, "POST", "/v1/settle", { agent: many.agent, serviceId: many.serviceId }, key);
    const first = send().then((answer) => answer.json()).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, moment));
    await stack.crash();
    const given = await first;
    const quoted = await owed(stack, many);
    if (given?.id) assert.equal(quoted.quantity, "0", "what was answered stays true");
    // What was handed over and not taken is in the quote as before.
    else if (quoted.pending === null) assert.equal(quoted.quantity, "80");
    const answer = await send();
    const bill = await answer.json();
    assert.ok([200, 201].includes(answer.status), JSON.stringify(bill));
    assert.deepEqual([bill.quantity, bill.number], ["80", 1]);
    if (given?.id) assert.equal(bill.id, given.id);
    assert.equal((await owed(stack, many)).quantity, "0");
    await assertMeter(stack, many, SHARDS);
  });
}
