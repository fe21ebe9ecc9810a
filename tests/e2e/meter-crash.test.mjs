// The runtime is killed at any moment of a meter's life: what was answered stays true, what was lost is done once when it is
// sent again, and the lists catch up.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { keyed, owed, placeOf, tenantOf } from "./support/bills.mjs";
import { answered } from "./support/board.mjs";
import { VARS } from "./support/mandate.mjs";
import { assertMeter } from "./support/meter.mjs";
import { until } from "./support/waiting.mjs";

/** How long after a request is sent the runtime is killed, in milliseconds: spread over the time that one takes. */
const MOMENTS = [0, 2, 5, 10, 20, 40];

let stack;
before(async () => {
  stack = await start(VARS);
});
after(() => stack?.stop());

/** The steps of a meter's life, each as what it sends, and how much is open after it. */
function steps(place) {
  const { tenant, agent, serviceId } = place;
  const life = {};
  const send = (method, path, body, headers) => () => keyed(stack, tenant, method, path, body, headers);
  const key = () => ({ "idempotency-key": randomUUID() });
  const items = Array.from({ length: 100 }, (_, index) => ({ agent, serviceId, quantity: 1, id: `b-${index}` }));
  const usage = (id, quantity) => ({ agent, serviceId, quantity, id });
  return { life, steps: [
    ["record", send("POST", "/v1/usage", usage("one", 5)), "5"],
    ["bulk", send("POST", "/v1/usage/bulk", { items }), "105"],
    ["reverse", send("POST", "/v1/usage/reverse", { agent, serviceId, reverses: { id: "b-0" } }), "104"],
    ["settle", send("POST", "/v1/settle", { agent, serviceId }, key()), "0"],
    ["more", send("POST", "/v1/usage", usage("two", 6)), "6"],
    ["void", () => send("POST", `/v1/settlements/${life.bill}/void`, {})(), "110"],
    ["again", send("POST", "/v1/settle", { agent, serviceId }, key()), "0"],
    ["last", send("POST", "/v1/usage", usage("three", 7)), "7"],
    ["void again", () => send("POST", `/v1/settlements/${life.bill}/void`, {})(), "117"],
    ["write off", send("DELETE", `/v1/usage/${agent}/${serviceId}`, undefined, key()), "0"],
  ] };
}

/** What an answer says is true, and nothing is counted twice. */
async function assertAfter(place, life, name, open, answer) {
  const { status, body } = answer;
  assert.ok([200, 201].includes(status), `${name}: ${status} ${JSON.stringify(body)}`);
  if (["settle", "again"].includes(name)) {
    life.bill ??= body.id;
    if (name === "again") life.bill = body.id;
    assert.equal(body.quantity, name === "settle" ? "104" : "110");
  }
  const { quantity } = await owed(stack, place);
  assert.equal(quantity, open, name);
  await assertMeter(stack, place);
}

const read = async (answer) => ({ status: answer.status, body: await answer.json() });

async function isListed(place) {
  const { version } = await owed(stack, place);
  const [row] = await stack.d1("SELECT version FROM meters WHERE agent = ? AND service = ?", place.agent, place.serviceId);
  return row?.version === version;
}

test("killed right after each answer, every answer stays true, and the same again changes nothing", async () => {
  const place = await placeOf(stack);
  const { life, steps: all } = steps(place);
  for (const [name, send, open] of all) {
    const answer = await read(await send());
    await stack.crash();
    await assertAfter(place, life, name, open, answer);
    const { version } = await owed(stack, place);
    await assertAfter(place, life, name, open, await read(await send()));
    assert.equal((await owed(stack, place)).version, version, `${name} again changes nothing`);
  }
  await until("the lists to catch up", () => isListed(place), 20_000);
});

for (const moment of MOMENTS) {
  test(`killed ${moment} ms into each step, it is done once when it is sent again`, async (context) => {
    const place = await placeOf(stack);
    const { life, steps: all } = steps(place);
    const given = [];
    for (const [name, send, open] of all) {
      const first = send().then(read).catch(() => undefined);
      await new Promise((resume) => setTimeout(resume, moment));
      await stack.crash();
      const answer = await first;
      if (answer !== undefined && answer.status < 500) {
        await assertAfter(place, life, name, open, answer);
        given.push(name);
      }
      await assertAfter(place, life, name, open, await read(await send()));
    }
    context.diagnostic(`answered before the kill: ${given.join(", ") || "nothing"}`);
    await until("the lists to catch up", () => isListed(place), 20_000);
  });
}

test("killed with twenty bulks under way, each event that was answered counts, and each counts once", async (context) => {
  const tenant = await tenantOf(stack);
  for (const moment of [5, 15, 40]) {
    const place = await placeOf(stack, { tenant });
    const { agent, serviceId } = place;
    const bulks = Array.from({ length: 20 }, (_, bulk) =>
      Array.from({ length: 50 }, (_, index) => ({ agent, serviceId, quantity: 1, id: `${bulk}-${index}` })));
    const send = (items) => keyed(stack, tenant, "POST", "/v1/usage/bulk", { items }).then((answer) => answered(answer, 200));
    const lost = bulks.map((items) => send(items).catch(() => undefined));
    await new Promise((resume) => setTimeout(resume, moment));
    await stack.crash();
    const given = (await Promise.all(lost)).filter((answer) => answer?.recorded === 50).length;
    context.diagnostic(`${given} answers within ${moment} ms`);
    const open = await keyed(stack, tenant, "GET", `/v1/usage/${agent}/${serviceId}`).then((answer) => answer.json());
    const counted = Number(open.total ?? "0");
    assert.ok(counted >= given * 50 && counted % 50 === 0, `${counted} of ${given * 50} at least: bulks are whole`);
    for (const items of bulks) {
      const { recorded, duplicates } = await send(items);
      assert.equal(recorded + duplicates, 50);
    }
    assert.equal((await owed(stack, place)).quantity, "1000");
    await assertMeter(stack, place);
  }
});
