// Runs: a word to a long run beside one to a short run, how many rows a whole purchase writes, and how soon a hundred watchers
// see an event.
import { get } from "node:http";
import { answered } from "../e2e/support/board.mjs";
import { call, freshKey, freshWallet, over, registered, runVars, seen, stands, standing, walletState, wanted } from "../e2e/support/run.mjs";
import { until } from "../e2e/support/waiting.mjs";
import { start } from "../harness.mjs";
import { load, request } from "./wire.mjs";

const ROUNDS = 4;
const LONG = 10_000;
/** Appends of one round, and to how many short runs they go: each of those stays short. */
const APPENDS = 200;
const SHORT_RUNS = 20;
const WATCHERS = 100;
const WATCHED_EVENTS = 50;
const WATCHED_P99_MS_MAX = 250;
const ROWS_MAX = 60;

/** Measures all of it; `figures` are those of the other measurements. */
export async function runs(board, figures) {
  const stack = { url: board.url.href, fetch: (path, init) => fetch(new URL(path, board.url), init) };
  // An executor's queue holds few orders, and each of these runs leaves one there.
  const begin = async () => standing(stack, "REVALIDATING", { executor: await registered(stack) });
  await appends(board, stack, figures, begin);
  await watchers(stack, figures, await begin());
  await rows(figures);
}

/** A wallet that is not needed yet, as it is when this arrives: one more event of a run, and nothing else. */
const anotherWallet = () => walletState(freshWallet(), { checkedAt: undefined });

function append(one) {
  const body = JSON.stringify(anotherWallet());
  return request("POST", `/v1/runs/${one.run}/wallet-state`, { Authorization: `Bearer ${one.token}` }, body);
}

async function appends(board, stack, figures, begin) {
  const many = (targets, count) => Array.from({ length: count }, (_, index) => append(targets[index % targets.length]));
  const say = (targets, count) => load(board.url, { requests: many(targets, count), expect: 200, width: 1 });
  const long = await begin();
  await load(board.url, { requests: many([long], LONG), expect: 200 });
  const { run } = await seen(stack, long, "?limit=1");
  if (run.version < LONG) throw new Error(`the long run has ${run.version} events`);
  for (let round = 0; round < ROUNDS; round += 1) {
    const short = await Promise.all(Array.from({ length: SHORT_RUNS }, begin));
    await say(short, SHORT_RUNS);
    figures.add("append, short run", await say(short, APPENDS));
    figures.add("append, 10000 events", await say([long], APPENDS));
  }
}

/** From when an event is asked for until each of many streams has brought it. */
async function watchers(stack, figures, one) {
  const sent = new Map();
  const latencies = [];
  const counts = new Map();
  const open = () => new Promise((opened, failed) => {
    const headers = { accept: "text/event-stream", authorization: `Bearer ${one.token}` };
    const asked = get(new URL(`/v1/runs/${one.run}/events`, stack.url), { headers, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return failed(new Error(`a watcher was answered ${answer.statusCode}`));
      answer.setEncoding("utf8").on("data", (text) => {
        for (const [, seq] of text.matchAll(/^id: ?(\d+)$/gm)) {
          counts.set(seq, (counts.get(seq) ?? 0) + 1);
          if (sent.has(seq)) latencies.push(performance.now() - sent.get(seq));
        }
      });
      return opened(asked);
    });
    asked.on("error", failed);
  });
  const streams = await Promise.all(Array.from({ length: WATCHERS }, open));
  const first = (await seen(stack, one, "?limit=1")).run.version;
  for (let seq = first + 1; seq <= first + WATCHED_EVENTS; seq += 1) {
    sent.set(`${seq}`, performance.now());
    await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/wallet-state`, anotherWallet()), 200);
    await until(`all to see event ${seq}`, () => counts.get(`${seq}`) === WATCHERS);
  }
  for (const stream of streams) stream.on("error", () => {}).destroy();
  const sorted = Float64Array.from(latencies).sort();
  figures.atMost(`${WATCHERS} watchers see an event, p99 ms`, sorted[Math.floor(sorted.length * 0.99)], WATCHED_P99_MS_MAX);
}

/** The rows that a whole simulated purchase writes, in each object that has a part in it. */
async function rows(figures) {
  const stack = await start(runVars());
  try {
    const buy = async () => {
      const { run, runToken } = await answered(await call(stack, null, "POST", "/v1/runs", wanted({ wallet: "simulated" }), freshKey()), 201);
      const one = { run: run.id, token: runToken };
      const { digest, amountCents } = (await stands(stack, one, "USER_CONFIRMATION")).run.payment.confirmation;
      await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/confirm`, { digest, amountCents }), 200);
      await over(stack, one);
      return run.id;
    };
    const name = await buy();
    // Of the connection to its store, which an object keeps for as long as it is in memory.
    const [{ count }] = await stack.objectSql("RunObject", name, "SELECT total_changes() AS count");
    figures.atMost("rows written by a whole run", count, ROWS_MAX);
  } finally {
    await stack.stop();
  }
}
