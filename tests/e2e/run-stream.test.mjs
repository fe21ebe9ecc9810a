// A run is watched by EventSource: every event once and in order, whatever breaks in between.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { EventSource } from "eventsource";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { ahead } from "./support/mandate.mjs";
import {
  MINUTE, allEvents, call, freshWallet, over, purchase, registered, runVars, seen, send, standing, walk, walletState,
} from "./support/run.mjs";
import { Bytes, Watcher, assertWhole, fieldsOf, streamUrl, ticketOf } from "./support/run-watch.mjs";
import { until, within } from "./support/waiting.mjs";

const WATCHERS = 100;

let stack;
let executor;

before(async () => {
  stack = await start(runVars());
  executor = await registered(stack);
});
after(() => stack?.stop());

const head = async (one) => (await seen(stack, one)).run.version;

/** One more event: a wallet that is not needed yet is kept. */
async function stir(one) {
  const wallet = walletState(freshWallet(), { checkedAt: undefined });
  await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/wallet-state`, wallet), 200);
  return head(one);
}

/** A run that goes on only when it is stirred, and whose token was used. */
async function begun() {
  const one = await standing(stack, "REVALIDATING", { executor });
  await stir(one);
  return one;
}

const eventsOf = (bytes) => bytes.blocks.map(fieldsOf).filter(({ event }) => event === "run-event");
const seqsOf = (bytes) => eventsOf(bytes).map(({ id }) => Number(id));
const bearer = ({ token }) => ({ authorization: `Bearer ${token}` });
const path = ({ run }) => `/v1/runs/${run}/events`;

test("from the first event to the last, each once, in order, with the run as it was then", async (context) => {
  const one = purchase({ executor });
  await send(stack, one, "create");
  const watcher = await Watcher.open(context, stack, one);
  await walk(stack, one, "ORDER_CONFIRMED");
  const { run } = await over(stack, one);
  await watcher.has(run.version);
  assertWhole(watcher.seqs, run.version);
  const events = await allEvents(stack, one);
  for (const [index, { event, message, run: then, id }] of watcher.frames.entries()) {
    assert.deepEqual([event, message, id], [events[index], events[index].message, `${event.seq}`]);
    assert.ok(then.version >= event.seq, "never older than the event");
  }
  assert.deepEqual(watcher.frames.at(-1).run, run);
});

test("the bytes are what the standard says: retry once, an id on each event, a comment now and then without one", async () => {
  const one = await begun();
  const bytes = await Bytes.open(stack, path(one), bearer(one));
  const headers = ["content-type", "cache-control"].map((name) => bytes.answer.headers.get(name));
  assert.match(headers[0], /^text\/event-stream/);
  assert.match(headers[1], /no-store|no-cache/);
  const beat = await bytes.block("a heartbeat", (block) => block.startsWith(":"), 25_000);
  assert.deepEqual(Object.keys(fieldsOf(beat)), ["comment"]);
  const now = await stir(one);
  await until("the event after it", () => seqsOf(bytes).includes(now));
  const fields = bytes.blocks.map(fieldsOf);
  assert.deepEqual(fields.filter(({ retry }) => retry !== undefined).map(({ retry }) => retry), ["3000"]);
  assert.ok(fields.every(({ event, id, data }) => event !== "run-event" || (/^\d+$/.test(id) && JSON.parse(data).event.seq === Number(id))));
  assert.ok(fields.every(({ event, id }) => event !== undefined || id === undefined), "ids on events only");
  bytes.close();
});

test("killed in the middle: EventSource comes back with the last id by itself, and misses and repeats nothing", async (context) => {
  const one = purchase({ executor });
  await send(stack, one, "create");
  const watcher = await Watcher.open(context, stack, one);
  for (const state of ["REVALIDATING", "CHECKOUT_PREPARED", "USER_CONFIRMATION", "SETTLED"]) {
    await walk(stack, one, state);
    await watcher.has(await head(one), 15_000);
    const last = watcher.seqs.at(-1);
    const opened = watcher.connections.length;
    await stack.crash();
    await until("the next connection", () => watcher.connections.length > opened && watcher.source.readyState === EventSource.OPEN, 15_000);
    assert.equal(watcher.connections.at(-1), `${last}`);
  }
  await walk(stack, one, "ORDER_CONFIRMED");
  await watcher.has(await head(one));
  assertWhole(watcher.seqs, await head(one));
});

test("resumed strictly after an event, by ?after= or by Last-Event-ID, which goes first", async (context) => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const now = await head(one);
  const cases = [
    ["?after=3", {}, 4], ["?after=0", {}, 1], ["", { "last-event-id": "5" }, 6], ["?after=2", { "last-event-id": "7" }, 8],
    [`?after=${now - 1}`, {}, now], ["", {}, 1],
  ];
  for (const [query, headers, from] of cases) {
    const bytes = await Bytes.open(stack, `${path(one)}${query}`, { ...bearer(one), ...headers });
    await until(`all from ${from}`, () => seqsOf(bytes).includes(now));
    bytes.close();
    assertWhole(seqsOf(bytes), now, from);
  }
  const rebuilt = await Watcher.open(context, stack, one, { query: `?after=${now - 2}`, bearer: true });
  await rebuilt.has(now);
  assertWhole(rebuilt.seqs, now, now - 1);
});

test("resumed twice without a new event, the place is kept, and the next event comes once", async () => {
  const one = await begun();
  const now = await head(one);
  for (let round = 0; round < 2; round += 1) {
    const idle = await Bytes.open(stack, path(one), { ...bearer(one), "last-event-id": `${now}` });
    await idle.block("its first block", () => true);
    idle.close();
    assert.deepEqual(idle.blocks.map(fieldsOf).filter(({ id, event }) => id !== undefined || event !== undefined), []);
  }
  const third = await Bytes.open(stack, path(one), { ...bearer(one), "last-event-id": `${now}` });
  assert.equal(await stir(one), now + 1);
  await until("the new event", () => seqsOf(third).length > 0);
  third.close();
  assert.deepEqual(seqsOf(third), [now + 1]);
});

test("an id that this run never had: the watcher is told to begin anew, and hears what comes after", async (context) => {
  const one = await begun();
  for (const id of [`${(await head(one)) + 1}`, "999999999999999999999999", "abc", "-1", "1.5", "0x1", " 1 2"]) {
    const bytes = await Bytes.open(stack, path(one), { ...bearer(one), "last-event-id": id });
    const fields = fieldsOf(await bytes.block("the reset", (block) => fieldsOf(block).event === "reset"));
    assert.equal(fields.id, undefined, id);
    const { run } = JSON.parse(fields.data);
    assert.deepEqual([run.id, run.version], [one.run, await head(one)], id);
    const now = await stir(one);
    await until("the event after it", () => seqsOf(bytes).length > 0);
    bytes.close();
    assert.deepEqual(seqsOf(bytes), [now], id);
  }
  const watcher = await Watcher.open(context, stack, one, { query: "?after=1000000" });
  await until("the reset", () => watcher.frames.length > 0);
  assert.deepEqual([watcher.frames[0].type, watcher.frames[0].id], ["reset", ""], "EventSource keeps no id from it");
});

test("a stream's life is bounded: it ends after a whole frame, and whoever comes back goes on", async () => {
  const one = await begun();
  const bytes = await Bytes.open(stack, path(one), bearer(one));
  await until("what there is", () => seqsOf(bytes).length > 0);
  await ahead(stack, 5 * MINUTE + 1000);
  try {
    assert.equal(await within("the end", bytes.ended, 30_000), "", "nothing half said");
    const last = seqsOf(bytes).at(-1);
    const again = await Bytes.open(stack, path(one), { ...bearer(one), "last-event-id": `${last}` });
    const now = await stir(one);
    await until("the next event", () => seqsOf(again).includes(now));
    again.close();
    assertWhole([...seqsOf(bytes), ...seqsOf(again)], now);
  } finally {
    await ahead(stack, 0);
  }
});

test("a run that is over tells its story to whoever comes late, and ends the stream", async () => {
  const one = await begun();
  await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/cancel`), 200);
  const bytes = await Bytes.open(stack, path(one), bearer(one));
  const now = await head(one);
  assert.equal(await within("the end", bytes.ended), "");
  assertWhole(seqsOf(bytes), now);
  const again = await stack.fetch(path(one), { headers: { ...bearer(one), accept: "text/event-stream", "last-event-id": `${now}` } });
  assert.equal(again.status, 204, "EventSource comes back no more");
});

test(`${WATCHERS} watch one run, and see all of it; one that reads nothing keeps none of them waiting`, async (context) => {
  const one = purchase({ executor });
  await send(stack, one, "create");
  const deaf = new AbortController();
  await stack.fetch(path(one), { headers: { ...bearer(one), accept: "text/event-stream" }, signal: deaf.signal });
  const watchers = await Promise.all(Array.from({ length: WATCHERS }, () => Watcher.open(context, stack, one)));
  await walk(stack, one, "SETTLED");
  const now = await head(one);
  for (const watcher of watchers) await watcher.has(now, 15_000);
  deaf.abort();
  for (const watcher of watchers) {
    assertWhole(watcher.seqs, now);
    assert.deepEqual(watcher.errors, []);
    assert.equal(watcher.connections.length, 1);
  }
  await seen(stack, one);
});

test("a ticket opens one stream of one run, once, for a minute", async () => {
  const [one, other] = [await begun(), await begun()];
  const url = await streamUrl(stack, one);
  const first = await Bytes.open(stack, url);
  await first.block("an event", (block) => fieldsOf(block).event === "run-event");
  await assertProblem(await stack.fetch(url), 401, "ticket_used");
  first.close();
  const foreign = await ticketOf(stack, other);
  const refused = await stack.fetch(`${path(one)}?ticket=${foreign}`);
  assert.ok([401, 404].includes(refused.status), `${refused.status}`);
  assert.ok((await stack.fetch(`${path(other)}?ticket=${foreign}`)).ok, "its own run still takes it");
  for (const ticket of [one.token, executor.secret, `gld_ticket_${"A".repeat(43)}`, "gld_ticket_short", ""]) {
    const answer = await stack.fetch(`${path(one)}?ticket=${encodeURIComponent(ticket)}`);
    assert.ok([400, 401, 404].includes(answer.status), `${ticket}: ${answer.status}`);
  }
  const late = await streamUrl(stack, one);
  await ahead(stack, MINUTE + 1000);
  try {
    assert.equal((await stack.fetch(late)).status, 401);
  } finally {
    await ahead(stack, 0);
  }
  const { ticket, expiresAt } = await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/ticket`), 201);
  assert.match(ticket, /^gld_ticket_[A-Za-z0-9_-]{43}$/);
  const left = Date.parse(expiresAt) - Date.now();
  assert.ok(left > 50_000 && left <= 60_000, `${left} ms`);
});

test("of many who come with one ticket at once, one is let in", async () => {
  const one = await begun();
  const url = await streamUrl(stack, one);
  const abort = new AbortController();
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(url, { signal: abort.signal })));
  const statuses = answers.map(({ status }) => status).sort();
  abort.abort();
  assert.deepEqual(statuses, [200, ...Array(9).fill(401)]);
});

test("the same route gives pages of JSON to who does not ask for a stream", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const now = await head(one);
  const pages = [];
  for (let after = 0; after !== null; ) {
    const page = await answered(await call(stack, one.token, "GET", `${path(one)}?after=${after}&limit=4`), 200);
    assert.ok(page.events.length <= 4);
    pages.push(...page.events);
    after = page.events.length === 0 ? null : page.nextAfter;
    assert.ok(pages.length <= now);
  }
  assertWhole(pages.map(({ seq }) => seq), now);
  for (const query of ["limit=0", "limit=101", "limit=x", "after=-1", "after=x", "colour=red"]) {
    await assertProblem(await call(stack, one.token, "GET", `${path(one)}?${query}`), 400, "malformed", query);
  }
});
