// Meters: how many events one takes in bulks, ten of them beside one, what a quote costs after many events beside what it costs
// after few, and how often a bulk is committed.
import { randomUUID } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { answered } from "../e2e/support/board.mjs";
import { start } from "../harness.mjs";
import { load, request } from "./wire.mjs";

const ROUNDS = 3;
const WARM_UP_ROUNDS = 2;
const BULK = 500;
/** Bulks that one meter takes in a round, and how many of them are on their way at once. */
const BULKS = 20;
const WIDTH = 2;
const METERS = 10;
const EVENTS_PER_SECOND_MIN = 20_000;
const FEW = 1_000;
const MANY = 100_000;
const COUNTED_BULKS = 10;
const SERVICE = "bench.service";
/** Requests that a key may send in a minute: more than are sent here. */
const KEY_QUOTA = 1_000_000;

/** Measures all of it; `steadily` and `figures` are those of the other measurements. */
export async function meters(figures, steadily) {
  const rate = { METER_ADDRESS_QUOTA: "1000000" };
  const stack = await start({ edgeVars: rate, measured: true });
  try {
    const tenant = await opened(stack);
    await bulks(stack, tenant, figures);
    await quotes(stack, tenant, steadily);
  } finally {
    await stack.stop();
  }
  await commits(figures, rate);
}

/** A tenant with one service, and the header that its key goes by. */
async function opened(stack) {
  const send = (method, path, body, headers = {}) =>
    stack.fetch(path, { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });
  const { apiKey } = await answered(await send("POST", "/v1/tenants", { name: "bench" }), 201);
  const keyed = { Authorization: `Bearer ${apiKey}` };
  // The work is measured, not the limit: a key that is never told to wait.
  const configuration = await stack.fetch("/v1/config", { headers: keyed });
  const seen = { ...keyed, "if-match": configuration.headers.get("etag") };
  await answered(await send("PATCH", "/v1/config", { rate: { quota: KEY_QUOTA, windowSeconds: 60 } }, seen), 200);
  const tiers = [{ upTo: "1000", price: "250" }, { upTo: null, price: "0.5" }];
  await answered(await send("POST", "/v1/services", { serviceId: SERVICE, pricing: { kind: "graduated", tiers } }, keyed), 201);
  return keyed;
}

/** A bulk that nobody has sent. */
function bulk(keyed, agent) {
  const items = Array.from({ length: BULK }, () => ({ agent, serviceId: SERVICE, quantity: 1, id: randomUUID() }));
  return request("POST", "/v1/usage/bulk", keyed, JSON.stringify({ items }));
}

/** Events a second, of what was measured in bulks. */
const events = ({ perSecond, latencies }) => ({ perSecond: perSecond * BULK, latencies });

/** A load of bulks, each of which counts in full: a refused item would be quick. */
async function taken(stack, requests, width) {
  const measured = await load(new URL(stack.url), { requests, expect: 200, width });
  for (const { body } of measured.answers) {
    const { recorded, results } = JSON.parse(body.toString());
    if (recorded === BULK) continue;
    const refused = results.find(({ error }) => error);
    throw new Error(`a bulk of ${BULK} counted ${recorded}: ${JSON.stringify(refused)}`);
  }
  return measured;
}

async function bulks(stack, keyed, figures) {
  const best = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const [alone, ...others] = Array.from({ length: METERS + 1 }, () => `agent-${randomUUID()}`);
    const own = await taken(stack, Array.from({ length: BULKS }, () => bulk(keyed, alone)), WIDTH);
    const shared = Array.from({ length: BULKS }, (_, index) => bulk(keyed, others[index % METERS]));
    const together = await taken(stack, shared, METERS);
    if (round < 0) continue;
    best.push(events(own).perSecond);
    figures.add("events, one meter", events(own));
    figures.add("events, ten meters", events(together));
  }
  const median = best.toSorted((a, b) => a - b)[Math.floor(best.length / 2)];
  figures.atLeast("events a second at one meter, in bulks of 500", median, EVENTS_PER_SECOND_MIN);
}

/** A quote of many events beside one of few. */
async function quotes(stack, keyed, steadily) {
  const quote = async (count) => {
    const agent = `agent-${randomUUID()}`;
    for (let sent = 0; sent < count; sent += BULK) await taken(stack, [bulk(keyed, agent)], 1);
    return [`quote, ${count} events`, new URL(stack.url), request("GET", `/v1/billing/${agent}/${SERVICE}`, keyed), 200];
  };
  await steadily(await quote(FEW), await quote(MANY));
}

/** How often the store of a meter commits for a bulk: counted in the log that SQLite writes ahead. */
async function commits(figures, edgeVars) {
  const stack = await start({ edgeVars });
  try {
    const keyed = await opened(stack);
    const agent = `agent-${randomUUID()}`;
    await taken(stack, [bulk(keyed, agent)], 1);
    const [id] = await stack.objectIds("MeterObject");
    const log = logOf(stack.persist, String(id));
    const before = committed(log);
    for (let sent = 0; sent < COUNTED_BULKS; sent += 1) await taken(stack, [bulk(keyed, agent)], 1);
    figures.atMost("commits of a bulk", (committed(log) - before) / COUNTED_BULKS, 1);
  } finally {
    await stack.stop();
  }
}

/** The log of an object's store, wherever the runtime keeps it. */
function logOf(folder, id) {
  const found = readdirSync(folder, { recursive: true }).find((path) => path.endsWith(`${id}.sqlite-wal`));
  if (found === undefined) throw new Error(`there is no log of object ${id} below ${folder}`);
  return join(folder, found);
}

/** Transactions in a log: frames that say how large the store is after them (https://sqlite.org/fileformat2.html#walformat). */
function committed(path) {
  const log = readFileSync(path);
  const frame = 24 + log.readUInt32BE(8);
  let count = 0;
  for (let at = 32; at + frame <= log.length; at += frame) {
    // Frames of an earlier use of the file have other salts.
    const isCurrent = log.readBigUInt64BE(at + 8) === log.readBigUInt64BE(16);
    if (isCurrent && log.readUInt32BE(at + 4) !== 0) count += 1;
  }
  return count;
}
