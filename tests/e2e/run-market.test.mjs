// The market by an observer over HTTP: its offers are taken for what they are, its nonsense for nothing, and its silence is
// borne for a while.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { start } from "../harness.mjs";
import { answered } from "./support/board.mjs";
import { ahead } from "./support/mandate.mjs";
import { allEvents, call, over, registered, runVars, seen, stands, types, wanted } from "./support/run.mjs";
import { until } from "./support/waiting.mjs";

const TOKEN = "an-observer-token-that-stays-here";

let observer;
let stack;
let executor;
/** What the observer answers: a function of the request's body to `[status, text]`, or nothing at all. */
let say;
let asked;

before(async () => {
  observer = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    asked.push({ url: request.url, method: request.method, headers: request.headers, body });
    const [status, text] = (await say(body)) ?? [];
    if (status === undefined) return response.destroy();
    response.writeHead(status, { "content-type": "application/json" });
    return response.end(text);
  });
  await new Promise((opened) => observer.listen(0, "127.0.0.1", opened));
  const url = `http://127.0.0.1:${observer.address().port}`;
  stack = await start(runVars({ DEMO_EXECUTOR: "0", OBSERVER_API_URL: url, OBSERVER_READ_TOKEN: TOKEN }));
  executor = await registered(stack);
});
beforeEach(() => {
  asked = [];
  say = () => found([seenOffer()]);
});
after(async () => {
  await stack?.stop();
  observer?.closeAllConnections();
  observer?.close();
});

const found = (observations, more = {}) => [200, JSON.stringify({ source: "observer", observations, ...more })];

function seenOffer(more = {}) {
  return {
    observationId: `obs-${Math.random()}`, platform: "ifood", merchantName: "Mercado Um", totalCents: "1500",
    observedAt: new Date(Date.now() - 60_000).toISOString(), ...more,
  };
}

async function begun(options) {
  const body = wanted({ executorId: executor.id, maxBudgetCents: "2000", ...options });
  const { run, runToken } = await answered(await call(stack, null, "POST", "/v1/runs", body), 201);
  return { run: run.id, token: runToken };
}

test("it is asked for exactly what is wanted, with its token, and its offers are ranked: cheapest, then newest", async () => {
  const at = (minutes) => new Date(Date.now() - minutes * 60_000).toISOString();
  say = () => found([
    seenOffer({ merchantName: "Dear", totalCents: 1900 }), seenOffer({ merchantName: "Old", totalCents: "1200", observedAt: at(30) }),
    seenOffer({ merchantName: "New", totalCents: "1200", observedAt: at(3) }), seenOffer({ merchantName: "Over", totalCents: "2001" }),
  ], { anythingElse: true });
  const one = await begun({ requirement: "água com gás", quantity: 3 });
  const { run } = await stands(stack, one, "REVALIDATION_REQUESTED");
  assert.deepEqual(run.candidates.map(({ merchantName }) => merchantName), ["New", "Old", "Dear"]);
  assert.ok(run.rejectedCandidates.every(({ reasons }) => reasons.includes("over_budget")) && run.rejectedCandidates.length === 1);
  assert.equal(run.candidates[0].source, "ifood");
  const [{ method, url, headers, body }] = asked;
  assert.deepEqual([method, url, headers.authorization, body], ["POST", "/v1/search", `Bearer ${TOKEN}`, { requirement: "água com gás", quantity: 3 }]);
  const searched = (await allEvents(stack, one)).find(({ type }) => type === "MARKET_SEARCHED");
  assert.equal(searched.payload.source, "observer");
  const everything = JSON.stringify([await allEvents(stack, one), stack.logs()]);
  assert.ok(!everything.includes(TOKEN));
});

test("one offer that makes no sense is left out, and the others stand", async () => {
  const bad = [
    { totalCents: "12.5" }, { totalCents: 12.5 }, { totalCents: -1 }, { totalCents: null }, { observedAt: "yesterday" }, { merchantName: "" },
    { merchantName: 7 }, { observationId: undefined }, { observedAt: "2020-01-01T00:00:00Z" }, { platform: {} }, { merchantName: "x".repeat(5000) },
  ];
  say = () => found([...bad.map((change) => seenOffer(change)), seenOffer({ merchantName: "Whole" })]);
  const { run } = await stands(stack, await begun(), "REVALIDATION_REQUESTED");
  assert.deepEqual(run.candidates.map(({ merchantName }) => merchantName), ["Whole"]);
});

test("nobody has it: no option, at once", async () => {
  say = () => found([]);
  const { run } = await over(stack, await begun());
  assert.deepEqual([run.state, asked.length], ["NO_VALID_OPTION", 1]);
});

test("more offers than anyone looks at: the ten cheapest", async () => {
  say = () => found(Array.from({ length: 150 }, (_, index) => seenOffer({ merchantName: `Shop ${index}`, totalCents: `${1000 + ((index * 37) % 150)}` })));
  const { run } = await stands(stack, await begun(), "REVALIDATION_REQUESTED");
  assert.deepEqual(run.candidates.map(({ observedTotalCents }) => Number(observedTotalCents)), Array.from({ length: 10 }, (_, index) => 1000 + index));
});

const SILENCES = [
  ["a fault", () => [503, "{}"]], ["a page of HTML", () => [200, "<p>It works"]], ["another envelope", () => [200, `{"offers":[]}`]],
  ["a list", () => [200, "[]"]], ["nothing", () => []], ["a refusal of the token", () => [401, "{}"]],
  ["more than anyone reads", () => [200, JSON.stringify({ source: "x", observations: [], pad: "x".repeat(400_000) })]],
];
for (const [what, silence] of SILENCES) {
  test(`an observer that answers ${what} is asked three times, and then the market is away`, async () => {
    say = silence;
    const one = await begun();
    let passed = 0;
    const view = await until("the end", async () => {
      await ahead(stack, (passed += 15_000));
      await stack.scheduled();
      const now = await seen(stack, one);
      return now.run.isTerminal && now;
    }, 40_000);
    await ahead(stack, 0);
    assert.deepEqual([view.run.state, view.run.failure.code], ["FAILED", "market_unavailable"]);
    assert.equal(types(view.events).filter((type) => type === "MARKET_SEARCH_STARTED").length, 3);
    assert.ok(!JSON.stringify(view).includes(TOKEN));
  });
}

test("away and back again: the run goes on by itself", async () => {
  let times = 0;
  say = () => ((times += 1) === 1 ? [503, "{}"] : found([seenOffer()]));
  const one = await begun();
  await stands(stack, one, "REVALIDATION_REQUESTED", 20_000);
  const events = types(await allEvents(stack, one));
  assert.deepEqual(events.filter((type) => type.startsWith("MARKET_SEARCH")), ["MARKET_SEARCH_STARTED", "MARKET_SEARCH_FAILED", "MARKET_SEARCH_STARTED", "MARKET_SEARCHED"]);
});
