// Meters as they lie in their objects: their names, their journals, and an account of what they hold that is made anew.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Base32 in lower case without padding (RFC 4648). */
function base32(bytes) {
  let [bits, value, text] = [0, 0, ""];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) {
      text += ALPHABET[(value >>> (bits - 5)) & 31];
      value &= (1 << (bits - 5)) - 1;
    }
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text;
}

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

/** The name of a shard's object. */
export function meterId(tenant, agent, serviceId, shard = 0, era = 0) {
  const digest = sha256("guildhall meter v1\0", tenant, "\0", `${era}`, "\0", agent, "\0", serviceId);
  const id = `mtr_${base32(digest.subarray(0, 16))}`;
  return shard === 0 ? id : `${id}.${shard}`;
}

/** The shard that keeps an event. */
export function shardOf(source, id, shards) {
  return sha256(source, "\0", id)[0] % shards;
}

const SCALE = 1_000_000n;

/** A quantity's text in millionths. */
export function millionths(text) {
  const [whole, fraction = ""] = text.split(".");
  return BigInt(whole) * SCALE + BigInt(fraction.padEnd(6, "0"));
}

/** Whether the journals of all shards are whole; each has its state at their head. Their rows, by shard. */
export async function assertMeter(stack, { tenant, agent, serviceId }, shards = 1) {
  const journals = [];
  for (let shard = 0; shard < shards; shard += 1) {
    const name = meterId(tenant.id, agent, serviceId, shard);
    const tables = await stack.objectSql("MeterObject", name, "SELECT name FROM sqlite_master WHERE name = 'journal'");
    if (tables.length === 0) {
      journals.push([]);
      continue;
    }
    const rows = await stack.objectSql("MeterObject", name, "SELECT seq, body, hash FROM journal ORDER BY seq");
    const [state] = await stack.objectSql("MeterObject", name, "SELECT seq, head FROM state");
    let head = Buffer.alloc(32);
    for (const [index, { seq, body, hash }] of rows.entries()) {
      head = sha256(head, body);
      assert.deepEqual([seq, JSON.parse(body).seq, hash], [index + 1, index + 1, head.toString("hex")]);
    }
    assert.deepEqual([state.seq, state.head], [rows.length, head.toString("hex")]);
    journals.push(rows.map(({ body }) => JSON.parse(body)));
    await assertRows(stack, name, journals.at(-1));
  }
  return journals;
}

/** The rows beside a journal say what the journal says: no event is missing, and none is there twice. */
async function assertRows(stack, name, journal) {
  const facts = journal.map(({ event }) => event.fact);
  const recorded = facts.flatMap((fact) => fact.Recorded?.items ?? (fact.Committed ? [fact.Committed.item] : []));
  const reversals = facts.filter((fact) => fact.Reversed).map(({ Reversed }) => Reversed.key);
  const rows = await stack.objectSql("MeterObject", name, "SELECT id, source, quantity FROM events WHERE of_id IS NULL ORDER BY number");
  assert.deepEqual(rows, recorded.map(({ key, quantity }) => ({ id: key.id, source: key.source, quantity })));
  const back = await stack.objectSql("MeterObject", name, "SELECT id, source FROM events WHERE of_id IS NOT NULL ORDER BY number");
  assert.deepEqual(back, reversals.map(({ id, source }) => ({ id, source })));
  const hours = await stack.objectSql("MeterObject", name, "SELECT added_high, added_low FROM hours");
  const added = hours.reduce((sum, { added_high: high, added_low: low }) => sum + BigInt(high) * 10n ** 15n + BigInt(low), 0n);
  assert.equal(added, recorded.reduce((sum, { quantity }) => sum + millionths(quantity), 0n), "hours add up");
}
