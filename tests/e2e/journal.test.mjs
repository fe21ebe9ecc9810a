// A gig's journal: for its two parties, and true by arithmetic that this file does for itself.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { act, answered, assertProblem, claim, credentials, postGig, reconnect } from "./support/board.mjs";
import { join } from "./support/tunnel.mjs";

let stack;

before(async () => {
  stack = await start();
});

after(() => stack?.stop());

function readJournal(gigId, headers) {
  return stack.fetch(`/v1/gigs/${gigId}/journal`, { headers });
}

/** JSON with sorted keys and without spaces. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}

/** The hash after the last entry, computed anew. */
function headOf(entries) {
  let head = Buffer.alloc(32);
  for (const { hash: _, ...body } of entries) {
    head = createHash("sha256").update(head).update(canonical(body)).digest();
  }
  return head.toString("hex");
}

test("both parties read the same chain, during the gig and after it, and it holds", async () => {
  const gig = await postGig(stack, { payload: { title: "日本 \"quoted\" \\ 🧵", task_params: { b: [1, -2.5, 1e21], a: { ü: null } } } });
  const worker = await claim(stack, gig.id);
  const tunnel = await join(stack, worker);
  await act(stack, worker, "TaskDelivery", { result: { z: 1, a: "✓" } });
  const during = await answered(await readJournal(gig.id, credentials(worker)), 200);
  await act(stack, gig.buyer, "TaskAcceptance");
  const journal = await answered(await readJournal(gig.id, credentials(gig.buyer)), 200);
  assert.deepEqual(await answered(await readJournal(gig.id, credentials(worker)), 200), journal);
  tunnel.socket.terminate();

  assert.deepEqual(journal.entries.slice(0, during.entries.length), during.entries, "a journal only grows");
  assert.deepEqual(journal.entries.map(({ seq }) => seq), journal.entries.map((_, index) => index + 1));
  assert.equal(journal.gig_id, gig.id);
  assert.equal(journal.head, journal.entries.at(-1).hash);
  for (const [index, { hash, at, correlation_id: id }] of journal.entries.entries()) {
    assert.equal(headOf(journal.entries.slice(0, index + 1)), hash);
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.match(id, /^[A-Za-z0-9._:-]{1,128}$/);
  }
  const forged = structuredClone(journal.entries);
  forged[1].at = "2026-01-01T00:00:00.000Z";
  assert.notEqual(headOf(forged), journal.head);
});

test("S4: no grant is in a journal", async () => {
  const gig = await postGig(stack);
  const worker = await reconnect(stack, await claim(stack, gig.id));
  const text = await (await readJournal(gig.id, credentials(gig.buyer))).text();
  for (const secret of [gig.buyer.token, worker.token, gig.payment.payload.signature.slice(2)]) {
    assert.ok(!text.includes(secret));
    assert.ok(!text.includes(secret.replace("gld_grant_", "")));
  }
});

test("a journal is nobody else's", async () => {
  const [gig, other] = [await postGig(stack), await postGig(stack)];
  await assertProblem(await readJournal(gig.id, {}), 401, "missing_credentials");
  await assertProblem(await readJournal(gig.id, { authorization: `Bearer ${gig.buyer.token}` }), 401, "missing_credentials");
  await assertProblem(await readJournal(gig.id, credentials(other.buyer)), 401, "invalid_grant");
  const borrowed = credentials({ ...gig.buyer, name: "somebody-else" });
  await assertProblem(await readJournal(gig.id, borrowed), 401, "identity_mismatch");
  const unknown = "00000000-0000-8000-8000-000000000001";
  await assertProblem(await readJournal(unknown, credentials(gig.buyer)), 404, "gig_not_found");
});
