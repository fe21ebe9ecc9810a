// Lists of usage, settlements and events: they are the sum of what was recorded, say how far they have come, show each row
// once, and are rebuilt when they are lost.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { keyed, serviceOf, settle, tenantOf, used } from "./support/bills.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { VARS } from "./support/mandate.mjs";
import { until } from "./support/waiting.mjs";
import { asked, hookOf } from "./support/webhook.mjs";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TABLES = ["meters", "meter_hours", "settlements", "audit_events"];

let stack;
before(async () => {
  stack = await start(VARS);
});
after(() => stack?.stop());

const list = async (tenant, path) => answered(await keyed(stack, tenant, "GET", path), 200);
const inMillis = (moment) => new Date(moment).toISOString();

/** Every row of a list, page by page. */
async function all(tenant, name, path, limit) {
  const rows = [];
  let cursor = null;
  do {
    const query = `${path.includes("?") ? "&" : "?"}limit=${limit}${cursor ? `&cursor=${cursor}` : ""}`;
    const page = await list(tenant, `${path}${query}`);
    assert.ok(page[name].length <= limit);
    rows.push(...page[name]);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

/** Numbers in a fixed order: the same at every run. */
function dice(seed) {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % most;
  };
}

/** Micro-units of a quantity, and back. */
const micro = (text) => {
  const [whole, fraction = ""] = text.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
};
const written = (number) => {
  const fraction = `${number % 1_000_000n}`.padStart(6, "0").replace(/0+$/, "");
  return `${number / 1_000_000n}${fraction && "."}${fraction}`;
};

/** A tenant of 7 agents and 3 services, one of which has shards, and what it was told: `{ tenant, events }`. */
async function crowd() {
  const tenant = await tenantOf(stack);
  const services = [
    await serviceOf(stack, tenant, "250"),
    await serviceOf(stack, tenant, "0.5", { scale: 3, unit: "second" }),
    await serviceOf(stack, tenant, "1", { shards: 4 }),
  ];
  const roll = dice(7);
  const events = Array.from({ length: 400 }, (_, number) => {
    const [agent, service] = [`agent-${roll(7)}`, roll(3)];
    const quantity = service === 1 ? `${roll(900)}.${100 + roll(900)}` : `${1 + roll(1_000_000)}`;
    return { agent, serviceId: services[service], quantity, id: `e${number}` };
  });
  for (let from = 0; from < events.length; from += 100) {
    const items = events.slice(from, from + 100);
    const { recorded } = await answered(await keyed(stack, tenant, "POST", "/v1/usage/bulk", { items }), 200);
    assert.equal(recorded, items.length);
  }
  await until("the lists to have come as far", async () => {
    const { agents } = await list(tenant, "/v1/agents");
    return agents.reduce((sum, row) => sum + row.events, 0) === events.length;
  });
  return { tenant, services, events };
}

/** What the events add up to, by a key. */
function added(events, by) {
  const sums = new Map();
  for (const event of events) sums.set(by(event), (sums.get(by(event)) ?? 0n) + micro(event.quantity));
  return sums;
}
const sorted = (sums) => [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, sum]) => [key, written(sum)]);

test("agents, services, totals and top lists are the sums of what was recorded", async () => {
  const { tenant, services, events } = await crowd();
  const byAgent = added(events, ({ agent }) => agent);
  const agents = await all(tenant, "agents", "/v1/agents", 2);
  assert.deepEqual(agents.map(({ agent, quantity }) => [agent, quantity]), sorted(byAgent));
  for (const { agent, quantity, total } of agents) {
    assert.equal(total, quantity, "all of it is open");
    const whole = await list(tenant, `/v1/agents/${agent}/total`);
    assert.deepEqual([whole.agent, whole.quantity], [agent, quantity]);
    const own = events.filter((event) => event.agent === agent);
    const rows = await all(tenant, "services", `/v1/agents/${agent}/usage`, 1);
    assert.deepEqual(rows.map((row) => [row.serviceId, row.quantity]), sorted(added(own, ({ serviceId }) => serviceId)));
  }
  for (const serviceId of services) {
    const own = events.filter((event) => event.serviceId === serviceId);
    const { quantity, events: count, meters } = await list(tenant, `/v1/services/${serviceId}/usage`);
    const sums = added(own, ({ agent }) => agent);
    assert.deepEqual([micro(quantity), count, meters], [[...sums.values()].reduce((a, b) => a + b), own.length, sums.size]);
    const rows = await all(tenant, "agents", `/v1/services/${serviceId}/agents`, 3);
    assert.deepEqual(rows.map((row) => [row.agent, row.quantity]), sorted(sums));
    const most = [...sums].sort((one, other) => (one[1] < other[1] ? 1 : -1)).slice(0, 3);
    const top = await list(tenant, `/v1/services/${serviceId}/agents/top?limit=3`);
    assert.deepEqual(top.agents.map((row) => [row.agent, row.quantity]), most.map(([agent, sum]) => [agent, written(sum)]));
  }
  const most = [...added(events, ({ serviceId }) => serviceId)].sort((one, other) => (one[1] < other[1] ? 1 : -1));
  const top = await list(tenant, "/v1/usage/top?by=service");
  assert.deepEqual(top.services.map((row) => [row.serviceId, row.quantity]), most.map(([service, sum]) => [service, written(sum)]));
  const nobody = await list(tenant, "/v1/agents/nobody/total");
  assert.deepEqual([nobody.quantity, nobody.meters, nobody.asOf], ["0", 0, null]);
});

test("buckets by the hour and by the day are the sums of what happened in them", async () => {
  const tenant = await tenantOf(stack);
  const services = [await serviceOf(stack, tenant), await serviceOf(stack, tenant)];
  // No service takes what happened before it was there: earlier hours are put into the tables.
  const roll = dice(11);
  const begin = Math.floor(Date.now() / DAY) * DAY - 9 * DAY;
  const hours = Array.from({ length: 600 }, (_, number) => ({
    shard: number, agent: `agent-${roll(4)}`, serviceId: services[roll(2)],
    hour: begin + roll(48) * HOUR, quantity: `${roll(2_000_000_000)}${`${roll(1_000_000)}`.padStart(6, "0")}`,
  }));
  for (let from = 0; from < hours.length; from += 200) {
    await stack.d1(
      `INSERT INTO meter_hours SELECT 'm', value ->> 'shard', value ->> 'hour', 1, ?1, 0, value ->> 'agent', value ->> 'serviceId', 1000,
         printf('%039d', value ->> 'quantity'), printf('%039d', 0), 1 FROM json_each(?2)`,
      tenant.id, JSON.stringify(hours.slice(from, from + 200)));
  }
  const events = hours.map((row) => ({ ...row, quantity: written(BigInt(row.quantity)) }));
  const span = `from=${inMillis(begin)}&to=${inMillis(begin + 2 * DAY)}`;
  for (const [size, length] of [["hour", HOUR], ["day", DAY]]) {
    for (const [query, own] of [
      ["", events],
      ["&agent=agent-3", events.filter(({ agent }) => agent === "agent-3")],
      [`&serviceId=${services[1]}`, events.filter(({ serviceId }) => serviceId === services[1])],
    ]) {
      const { buckets, size: said } = await list(tenant, `/v1/usage/buckets?size=${size}&${span}${query}`);
      const begun = ({ hour }) => inMillis(Math.floor(hour / length) * length);
      assert.deepEqual([said, buckets.map(({ from, quantity }) => [from, quantity])], [size, sorted(added(own, begun))]);
      assert.ok(buckets.every(({ from, to }) => Date.parse(to) - Date.parse(from) === length));
    }
  }
  const half = await list(tenant, `/v1/usage/buckets?size=day&from=${inMillis(begin + DAY)}&to=${inMillis(begin + 2 * DAY)}`);
  assert.equal(half.buckets.length, 1);
});

test("what was taken back is in the hour in which it was used, and what was billed is not open", async () => {
  const tenant = await tenantOf(stack);
  const place = { tenant, agent: "a", serviceId: await serviceOf(stack, tenant) };
  await used(stack, place, "7", { id: "e1" });
  await used(stack, place, "5", { id: "e2" });
  const reverses = { agent: "a", serviceId: place.serviceId, reverses: { id: "e1" } };
  await answered(await keyed(stack, tenant, "POST", "/v1/usage/reverse", reverses), 201);
  const bill = await settle(stack, place);
  const { version } = await used(stack, place, "1");
  const row = await until("the list to have come as far", async () => {
    const { agents } = await list(tenant, "/v1/agents");
    return agents[0]?.version >= version && agents[0];
  });
  assert.deepEqual([row.quantity, row.total, row.pending, row.settled], ["6", "1", "5", "0"]);
  const { buckets, asOf } = await list(tenant, "/v1/usage/buckets");
  const sum = (name) => buckets.reduce((all, bucket) => all + micro(bucket[name]), 0n);
  assert.deepEqual([sum("quantity"), sum("reversed")], [13_000_000n, 7_000_000n]);
  assert.ok(Math.abs(Date.parse(asOf) - Date.now()) < 60_000, asOf);
  const { settlements } = await list(tenant, "/v1/settlements");
  assert.deepEqual(settlements, [bill], "as it was answered when it was drawn up");
  for (const [query, count] of [["status=drafted", 1], ["status=verified", 0], ["agent=a", 1], ["agent=b", 0], [`serviceId=${place.serviceId}`, 1]]) {
    assert.equal((await list(tenant, `/v1/settlements?${query}`)).settlements.length, count, query);
  }
});

test("a thousand events of one moment are each seen once, whatever the page", async () => {
  const tenant = await tenantOf(stack);
  const place = { tenant, agent: "a", serviceId: await serviceOf(stack, tenant) };
  await used(stack, place, 1);
  const line = await until("a line", async () => (await list(tenant, "/v1/events?type=usage.recorded")).events[0]);
  const digits = "abcdefghijklmnopqrstuvwxyz234567";
  const id = (n) => `evt_${"a".repeat(22)}${digits[n >> 10]}${digits[(n >> 5) & 31]}${digits[n & 31]}a`;
  const rows = Array.from({ length: 1000 }, (_, n) => ({ id: id(n), kind: n % 4 ? "usage.recorded" : "usage.reversed" }));
  for (let from = 0; from < rows.length; from += 100) {
    const part = rows.slice(from, from + 100).map((row) => ({ ...row, record: JSON.stringify({ ...line, id: row.id, type: row.kind }) }));
    await stack.d1(
      `INSERT INTO audit_events SELECT ?1, 1000, value ->> 'id', value ->> 'kind', 'a', ?2, 1000, value ->> 'record' FROM json_each(?3)`,
      tenant.id, place.serviceId, JSON.stringify(part));
  }
  const names = (events) => events.map((event) => event.id).sort();
  const those = (where) => rows.filter(where).map((row) => row.id).sort();
  const before = "until=1970-01-01T00:00:01.001Z";
  for (const limit of [100, 37]) {
    assert.deepEqual(names(await all(tenant, "events", `/v1/events?${before}`, limit)), those(() => true));
    assert.deepEqual(names(await all(tenant, "events", `/v1/events?${before}&type=usage.reversed`, limit)), those(({ kind }) => kind === "usage.reversed"));
    assert.deepEqual(names(await all(tenant, "events", `/v1/events?${before}&type=usage.*&agent=a`, limit)), those(() => true));
  }
  const none = [`${before}&agent=b`, `${before}&serviceId=other`, "until=1970-01-01T00:00:01Z", "type=settlement.*"];
  for (const query of none) assert.deepEqual(await all(tenant, "events", `/v1/events?${query}`, 100), [], query);
  const newer = await all(tenant, "events", "/v1/events?since=1970-01-01T00:00:01.001Z", 100);
  assert.ok(newer.length > 0 && newer.every(({ timestamp }) => Date.parse(timestamp) > 1000));

  const summary = await list(tenant, `/v1/events/summary?${before}`);
  assert.deepEqual([summary.total, summary.byType], [1000, { "usage.recorded": 750, "usage.reversed": 250 }]);
  const whole = await list(tenant, "/v1/events/summary");
  assert.equal(whole.total, 1000 + newer.length);
});

test("usage as a file is read by Python's csv as it is in JSON", async () => {
  const { tenant, events } = await crowd();
  const { usage, nextCursor } = await list(tenant, "/v1/usage/export.json");
  const sums = sorted(added(events, ({ agent, serviceId }) => `${agent}/${serviceId}`));
  assert.deepEqual(usage.map(({ agent, serviceId, quantity }) => [`${agent}/${serviceId}`, quantity]), sums);
  assert.equal(nextCursor, null);
  const answer = await keyed(stack, tenant, "GET", "/v1/usage/export.csv");
  assert.equal(answer.headers.get("content-type"), "text/csv; charset=utf-8; header=present");
  const program = "import csv,json,sys,io; print(json.dumps(list(csv.DictReader(io.StringIO(sys.stdin.buffer.read().decode(), newline='')))))";
  const python = process.env.GUILDHALL_PYTHON ?? "python3";
  const { stdout, stderr, status } = spawnSync(python, ["-c", program], { input: await answer.text(), encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const texts = usage.map(({ meters: _, ...row }) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, `${value}`])));
  assert.deepEqual(JSON.parse(stdout), texts);
});

test("with D1 away usage is counted and billed; the lists say so, and catch up", async () => {
  const tenant = await tenantOf(stack);
  const place = { tenant, agent: "a", serviceId: await serviceOf(stack, tenant) };
  await used(stack, place, 1);
  await until("the first row", async () => (await list(tenant, "/v1/agents")).agents.length === 1);
  for (const table of TABLES) await stack.d1(`ALTER TABLE ${table} RENAME TO ${table}_away`);
  try {
    const { total } = await used(stack, place, 2);
    assert.equal(total, "3");
    await assertProblem(await keyed(stack, tenant, "GET", "/v1/agents"), 503, "unavailable");
    assert.equal((await settle(stack, place)).quantity, "3");
  } finally {
    for (const table of TABLES) await stack.d1(`ALTER TABLE ${table}_away RENAME TO ${table}`);
  }
  await until("the lists to catch up", async () => (await list(tenant, "/v1/agents")).agents[0].pending === "3", 30_000);
  await until("the bill", async () => (await list(tenant, "/v1/settlements")).settlements.length === 1, 30_000);
});

test("lists that were lost are rebuilt from the objects", async () => {
  const { tenant } = await crowd();
  // What endpoints say of themselves stays when they are gone.
  const hook = await hookOf(stack, "https://hooks.example.org/", { tenant, eventTypes: ["admin.reset"] });
  for (const [method, more] of [["POST", "/disable"], ["DELETE", ""]]) await asked(stack, hook, method, more);
  await until("the endpoint's line", async () => (await list(tenant, "/v1/events?type=endpoint.disabled")).events.length === 1);
  const paths = ["/v1/usage/export.json", "/v1/usage/buckets?size=day", "/v1/events?limit=100"];
  const bare = ({ asOf: _, ...page }) => page;
  const shown = async () => Promise.all(paths.map(async (path) => bare(await list(tenant, path))));
  let was = await shown();
  await until("the lists to stand still", async () => {
    const now = await shown();
    const still = JSON.stringify(now) === JSON.stringify(was);
    was = now;
    return still;
  });
  for (const table of TABLES) await stack.d1(`DELETE FROM ${table}`);
  await until("the lists to be as they were", async () => {
    await stack.scheduled();
    return JSON.stringify(await shown()) === JSON.stringify(was);
  }, 30_000);
});

test("an older row never replaces a newer one", async () => {
  const tenant = await tenantOf(stack);
  const place = { tenant, agent: `agent-${randomUUID()}`, serviceId: await serviceOf(stack, tenant) };
  await used(stack, place, 4);
  await until("the row", async () => (await list(tenant, "/v1/agents")).agents.length === 1);
  await stack.d1("UPDATE meters SET version = 1000000, events = 77 WHERE tenant = ?", tenant.id);
  await used(stack, place, 4);
  await until("the hour", async () => (await list(tenant, "/v1/usage/buckets")).buckets.reduce((sum, { quantity }) => sum + Number(quantity), 0) === 8);
  assert.equal((await list(tenant, "/v1/agents")).agents[0].events, 77);
});

test("one tenant's lists show nothing of another's", async () => {
  const { tenant, services } = await crowd();
  const other = await tenantOf(stack);
  for (const path of ["/v1/agents", `/v1/services/${services[0]}/agents`, "/v1/usage/top", `/v1/services/${services[0]}/agents/top`]) {
    const { agents } = await list(other, path);
    assert.deepEqual(agents, [], path);
    assert.notDeepEqual((await list(tenant, path)).agents, [], path);
  }
  assert.equal((await list(other, "/v1/agents/agent-1/total")).events, 0);
  assert.deepEqual((await list(other, "/v1/usage/export.json")).usage, []);
  assert.deepEqual((await list(other, "/v1/usage/buckets")).buckets, []);
  assert.deepEqual((await list(other, "/v1/events?type=usage.recorded")).events, []);
});
