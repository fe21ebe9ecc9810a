// Measures the built board beside its floors, round by round in turn, so that both meet the same machine.
// Figures go to tests/out/bench.json; the table at the end is the same in short.
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Figures } from "./figures.mjs";
import { mandates } from "./mandates.mjs";
import { meters } from "./meters.mjs";
import { BUYER, delegation, purchases } from "./purchase.mjs";
import { SIZES, open, roundTrips, stream } from "./relay.mjs";
import { runs } from "./runs.mjs";
import { settlements } from "./settlement.mjs";
import { load, request } from "./wire.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "../..");
const ROUNDS = 3;
/** Short and many: a busy neighbour then falls on both sides alike. */
const STEADY_ROUNDS = 6;
const STEADY_SECONDS = 1;
const GIGS_PER_ROUND = 400;
const WARM_UP_ROUNDS = 2;
const WORKER = "bench-worker";

const figures = new Figures();

/** Starts one stack in its own process. */
async function serve(which) {
  const child = fork(join(HERE, "server.mjs"), [which]);
  const ask = (message) =>
    new Promise((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`the ${which} server ended with ${code}`)));
      child.once("message", (answer) => {
        child.removeAllListeners("exit");
        if (answer.error) reject(new Error(answer.error));
        else resolve(answer);
      });
      if (message) child.send(message);
    });
  const { url } = await ask();
  const stop = () =>
    new Promise((resolve) => {
      child.once("exit", resolve);
      child.send({ stop: true });
    });
  return { url: new URL(url), d1: async (statement) => (await ask({ statement })).rows, stop };
}

/** Measures `steady` loads, one side after the other, for every round. Each is `[figure, url, request, status]`. */
async function steadily(...sides) {
  for (const [, url, bytes, expect] of sides) await load(url, { requests: [bytes], expect, seconds: 0.5 });
  for (let round = 0; round < STEADY_ROUNDS; round += 1) {
    for (const [name, url, bytes, expect] of sides) {
      figures.add(name, await load(url, { requests: [bytes], expect, seconds: STEADY_SECONDS }));
    }
  }
}

async function measuredOnce(name, url, options, counts) {
  const measured = await load(url, options);
  if (counts) figures.add(name, measured);
  return measured;
}

function json({ body }) {
  return JSON.parse(body.toString());
}

function bearer({ token }, identity) {
  return { Authorization: `Bearer ${token}`, "X-Agent-Identity": identity };
}

const UPGRADE = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/**
 * The life of many gigs at once, stage by stage, beside an object that writes one row at each stage. The first rounds
 * do not count: until its code is compiled in full, the runtime measures its compiler.
 */
async function lives(board, floor) {
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const once = (name, url, options) => measuredOnce(name, url, options, round >= 0);
    const paid = await purchases(GIGS_PER_ROUND);
    const objects = paid.map(() => `/object/${randomUUID()}`);
    const write = { requests: objects.map((path) => request("POST", path, {}, "{}")), expect: 200 };
    await once("first write", floor.url, write);
    const created = await once("paid create", board.url, { requests: paid, expect: 201 });
    const gigs = created.answers.map(json).map(({ gig, tunnel_grant }) => ({ id: gig.gig_id, buyer: tunnel_grant }));

    await once("one-row write", floor.url, write);
    const projected = objects.map((path) => request("POST", `${path}/projected`, {}, "{}"));
    await once("projected write", floor.url, { requests: projected, expect: 200 });
    const claim = ({ id }) => message("TaskClaim", WORKER, { gig_id: id });
    const claims = gigs.map((gig) => request("POST", "/v1/gigs/claim", {}, claim(gig)));
    const claimed = await once("claim", board.url, { requests: claims, expect: 200 });
    claimed.answers.forEach((answer, index) => (gigs[index].worker = json(answer).tunnel_grant));

    const plain = objects.map((path) => request("GET", path, UPGRADE));
    (await once("empty upgrade", floor.url, { requests: plain, expect: 101 })).close();
    const joins = gigs.map(({ id, worker }) =>
      request("GET", `/v1/gigs/${id}/tunnel`, { ...UPGRADE, ...bearer(worker, WORKER) }),
    );
    const joined = await once("tunnel upgrade", board.url, { requests: joins, expect: 101, keepOpen: true });

    await once("one-row write", floor.url, write);
    const deliver = (gig) => act(gig, gig.worker, WORKER, "TaskDelivery", { result: { sentences: 3 } });
    await once("deliver", board.url, { requests: gigs.map(deliver), expect: 200 });
    await once("one-row write", floor.url, write);
    const accept = (gig) => act(gig, gig.buyer, BUYER, "TaskAcceptance", {});
    await once("accept", board.url, { requests: gigs.map(accept), expect: 200 });
    joined.close();
  }
}

function message(type, sender, payload) {
  return JSON.stringify({ message_id: randomUUID(), sender, type, payload });
}

function act(gig, grant, identity, type, payload) {
  const body = message(type, identity, { gig_id: gig.id, ...payload });
  return request("POST", `/v1/gigs/${gig.id}/lifecycle`, bearer(grant, identity), body);
}

/** Fills both boards with the same active gigs, `count` in all. Nothing wakes for them: they have no deadline. */
async function fill(board, floor, count) {
  const record = (await board.d1("SELECT record FROM gigs LIMIT 1"))[0].record.replaceAll("'", "''");
  const now = Date.now();
  const rows = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO gigs (gig_id, version, status, task_type, bounty_sats, created_at, expires_at, deadline, title, description, record)
    SELECT printf('%08x-0000-8000-8000-%012x', i, i), 2, 'ACTIVE', 'web_scrape', 1000, ${now} + i, ${now} + 7200000 + i,
      NULL, 'Summarise a page', 'Fetch one page.', '${record}' FROM n`;
  for (const side of [board, floor]) {
    await side.d1("DELETE FROM gigs WHERE status = 'ACTIVE'");
    await side.d1(rows);
  }
}

async function discovery(board, floor) {
  const discover = request("GET", "/v1/gigs/discover");
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_active_gigs", arguments: {} } };
  const accept = { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25" };
  for (const count of [100, 100_000]) {
    await fill(board, floor, count);
    const sides = [
      [`bare query, ${count} gigs`, floor.url, request("GET", "/query"), 200],
      [`discover, ${count} gigs`, board.url, discover, 200],
    ];
    if (count === 100) {
      sides.push(["MCP get_active_gigs, 100 gigs", board.url, request("POST", "/mcp", accept, JSON.stringify(call)), 200]);
    }
    await steadily(...sides);
  }
}

async function relays(board, floor) {
  const [paid] = await purchases(1);
  const { answers } = await load(board.url, { requests: [paid], expect: 201, width: 1 });
  const { gig, tunnel_grant: buyer } = json(answers[0]);
  const claim = request("POST", "/v1/gigs/claim", {}, message("TaskClaim", WORKER, { gig_id: gig.gig_id }));
  const claimed = await load(board.url, { requests: [claim], expect: 200, width: 1 });
  const worker = json(claimed.answers[0]).tunnel_grant;
  const tunnel = new URL(`/v1/gigs/${gig.gig_id}/tunnel`, board.url);
  const room = new URL("/object/relay", floor.url);
  const pairs = [
    ["empty ", await open(room, {}), await open(room, {})],
    ["", await open(tunnel, bearer(buyer, BUYER)), await open(tunnel, bearer(worker, WORKER))],
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const size of SIZES) {
      for (const [prefix, from, to] of pairs) figures.add(`${prefix}relay ${size.name}`, await stream(from, to, size));
    }
    for (const [prefix, from, to] of pairs) figures.add(`${prefix}round trip`, await roundTrips(from, to));
  }
  for (const [, from, to] of pairs) [from, to].forEach((socket) => socket.close());
}

const started = performance.now();
const [floor, board] = [await serve("floor"), await serve("board")];
const stages = [
  ["challenge", () => steadily(
    ["empty Worker", floor.url, request("POST", "/empty", {}, delegation()), 200],
    ["challenge", board.url, request("POST", "/v1/gigs/create", {}, delegation()), 402],
  )],
  ["verification", () => steadily(
    ["k256 recovery, 50", floor.url, request("GET", "/recover"), 200],
    ["verification, 50", floor.url, request("GET", "/verify"), 200],
  )],
  ["settlements on a chain", () => settlements(figures)],
  ["the lives of gigs", () => lives(board, floor)],
  ["mandates", () => mandates(board, floor, figures, steadily)],
  ["runs", () => runs(board, figures)],
  ["meters", () => meters(figures, steadily)],
  ["relay", () => relays(board, floor)],
  ["discovery", () => discovery(board, floor)],
];
try {
  for (const [name, measure] of stages) {
    console.log(`bench: ${name} …`);
    await measure();
  }
} finally {
  await Promise.all([floor.stop(), board.stop()]);
}
const version = (name) => JSON.parse(readFileSync(join(ROOT, `node_modules/${name}/package.json`), "utf8")).version;
const reached = figures.report(join(ROOT, "tests/out/bench.json"), {
  modulePath: join(ROOT, "workers/edge/build/index_bg.wasm"),
  versions: { node: process.version, workerd: version("workerd") },
});
console.log(`bench: ${Math.round((performance.now() - started) / 1000)} s; figures in tests/out/bench.json`);
if (!reached) console.log("bench: some targets were missed on this machine; see the table");
