// A gig from its posting to its end: each transition, who may cause it, and what time alone does.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import {
  act,
  answered,
  asA2a,
  assertProblem,
  claim,
  credentials,
  discover,
  lifecycleMessage,
  postGig,
  row,
  send,
  status,
  tryAct,
  tryClaim,
} from "./support/board.mjs";
import { age } from "./support/stored.mjs";
import { join } from "./support/tunnel.mjs";
import { until } from "./support/waiting.mjs";

let stack;
const opened = [];

before(async () => {
  stack = await start();
});

after(async () => {
  opened.forEach((tunnel) => tunnel.socket.terminate());
  await stack?.stop();
});

/** A gig on which a worker has begun to work. */
async function gigAtWork(on = stack) {
  const gig = await postGig(on);
  const worker = await claim(on, gig.id);
  opened.push(await join(on, worker));
  return { ...gig, worker };
}

/** A gig whose worker has delivered. */
async function deliveredGig(on = stack) {
  const gig = await gigAtWork(on);
  await act(on, gig.worker, "TaskDelivery");
  return gig;
}

async function assertStands(gig, lifecycle, version, legacy, on = stack) {
  const said = await status(on, gig.id);
  assert.deepEqual([said.lifecycle_state, said.lifecycle_version], [lifecycle, version]);
  const shown = await row(on, gig.id);
  assert.deepEqual([shown.lifecycle_state, shown.lifecycle_version, shown.status], [lifecycle, version, legacy]);
  return said;
}

async function isListed(gig) {
  return (await discover(stack)).gigs.some(({ gig_id }) => gig_id === gig.id);
}

test("G9: from the board to CLOSED, each transition adds one to the version and shows on the board", async () => {
  const gig = await postGig(stack);
  await assertStands(gig, "DISCOVERABLE", 1, "ACTIVE");
  assert.ok(await isListed(gig));

  const claimed = await answered(await tryClaim(stack, gig.id), 200);
  assert.equal(claimed.tunnel_url, `${stack.url.replace("http", "ws")}/v1/gigs/${gig.id}/tunnel`);
  const { claim_expires_at: lapse } = await assertStands(gig, "TUNNEL_GRANTED", 3, "IN_PROGRESS");
  assert.ok(Date.parse(lapse) > Date.now());
  assert.ok(!(await isListed(gig)));
  assert.equal((await row(stack, gig.id)).worker_pubkey, "worker-agent");

  const { tunnel_grant: grant } = claimed;
  const worker = { gig: gig.id, name: grant.agent_identity, token: grant.token };
  opened.push(await join(stack, worker));
  await assertStands(gig, "IN_PROGRESS", 4, "IN_PROGRESS");

  const delivery = { reason: "done", result: { words: 3 }, result_hash: "a".repeat(64), result_url: "https://files.example/1" };
  const delivered = await act(stack, worker, "TaskDelivery", delivery);
  assert.deepEqual([delivered.lifecycle_state, delivered.lifecycle_version], ["DELIVERED", 5]);
  assert.deepEqual([delivered.accepted, delivered.duplicate], [true, false]);
  await assertStands(gig, "DELIVERED", 5, "IN_PROGRESS");

  const accepted = await act(stack, gig.buyer, "TaskAcceptance", { reason: "good" });
  assert.deepEqual([accepted.lifecycle_state, accepted.lifecycle_version], ["CLOSED", 7]);
  const { ended_reason: reason } = await assertStands(gig, "CLOSED", 7, "COMPLETED");
  assert.equal(reason, "accepted");
});

test("G6: the other ends: cancelled, abandoned; and nothing leaves an end", async () => {
  const unclaimed = await postGig(stack);
  await act(stack, unclaimed.buyer, "TaskCancellation");
  assert.equal((await assertStands(unclaimed, "CANCELLED", 2, "EXPIRED")).ended_reason, "cancelled");
  await assertProblem(await tryClaim(stack, unclaimed.id), 409, "gig_ended");

  for (const [role, kind, state] of [["buyer", "TaskCancellation", "CANCELLED"], ["worker", "TaskAbandonment", "FAILED"]]) {
    const waiting = await postGig(stack);
    const parties = { buyer: waiting.buyer, worker: await claim(stack, waiting.id) };
    await act(stack, parties[role], kind);
    await assertStands(waiting, state, 4, "EXPIRED");
  }

  const begun = await gigAtWork();
  await act(stack, begun.buyer, "TaskCancellation", { reason: "no more need" });
  await assertStands(begun, "CANCELLED", 5, "EXPIRED");
  await assertProblem(await tryAct(stack, begun.worker, "TaskDelivery"), 409, "gig_ended");

  const given = await gigAtWork();
  await act(stack, given.worker, "TaskAbandonment", { reason: "too hard" });
  assert.equal((await assertStands(given, "FAILED", 5, "EXPIRED")).ended_reason, "abandoned");
  await assertProblem(await tryAct(stack, given.buyer, "TaskCancellation"), 409, "gig_ended");

  const late = await deliveredGig();
  await act(stack, late.worker, "TaskAbandonment");
  await assertStands(late, "FAILED", 6, "EXPIRED");
});

test("what a state has no place for is refused and changes nothing", async () => {
  const gig = await gigAtWork();
  const acts = [
    [gig.buyer, "TaskAcceptance"],
    [gig.buyer, "TaskRevision", { reason: "again" }],
  ];
  for (const [party, kind, payload] of acts) {
    await assertProblem(await tryAct(stack, party, kind, payload), 409, "unavailable_in_state", kind);
  }
  await assertStands(gig, "IN_PROGRESS", 4, "IN_PROGRESS");

  const early = await postGig(stack);
  const worker = await claim(stack, early.id);
  await assertProblem(await tryAct(stack, worker, "TaskDelivery"), 409, "unavailable_in_state");
  await assertStands(early, "TUNNEL_GRANTED", 3, "IN_PROGRESS");
});

test("G8: a delivery may be sent back three times; the buyer cannot cancel it", async () => {
  const gig = await deliveredGig();
  await assertProblem(await tryAct(stack, gig.buyer, "TaskCancellation"), 409, "unavailable_in_state");
  for (const round of [1, 2, 3]) {
    const sentBack = await act(stack, gig.buyer, "TaskRevision", { reason: `mend it, ${round}` });
    assert.equal(sentBack.lifecycle_state, "IN_PROGRESS");
    assert.equal((await status(stack, gig.id)).revisions, round);
    await act(stack, gig.worker, "TaskDelivery");
  }
  await assertProblem(await tryAct(stack, gig.buyer, "TaskRevision", { reason: "more" }), 409, "revisions_used_up");
  await assertStands(gig, "DELIVERED", 11, "IN_PROGRESS");
  await act(stack, gig.buyer, "TaskAcceptance");
});

test("only the party whose act it is can act, and a wrong one changes nothing", async () => {
  const gig = await deliveredGig();
  const stranger = { ...gig.buyer, name: "stranger", token: `gld_grant_${"A".repeat(43)}` };
  const acts = [
    ["TaskDelivery", {}, gig.worker, gig.buyer],
    ["TaskAbandonment", {}, gig.worker, gig.buyer],
    ["TaskAcceptance", {}, gig.buyer, gig.worker],
    ["TaskRevision", { reason: "mend it" }, gig.buyer, gig.worker],
    ["TaskCancellation", {}, gig.buyer, gig.worker],
  ];
  for (const [kind, payload, right, wrong] of acts) {
    const about = (who) => `${kind} by ${who}`;
    await assertProblem(await tryAct(stack, wrong, kind, payload), 401, "invalid_grant", about("the other party"));
    await assertProblem(await tryAct(stack, stranger, kind, payload), 401, "invalid_grant", about("a stranger"));
    const borrowed = { ...right, name: wrong.name };
    await assertProblem(await tryAct(stack, borrowed, kind, payload), 401, "identity_mismatch", about("another name"));
    const bare = await send(stack, `/v1/gigs/${gig.id}/lifecycle`, lifecycleMessage(right, kind, payload));
    await assertProblem(bare, 401, "missing_credentials", about("nobody"));
  }
  await assertStands(gig, "DELIVERED", 5, "IN_PROGRESS");
});

test("a message that took effect is answered again, and only to the one who sent it", async () => {
  const gig = await gigAtWork();
  const messageId = randomUUID();
  const first = await act(stack, gig.worker, "TaskDelivery", { messageId, reason: "done" });
  const again = await tryAct(stack, gig.worker, "TaskDelivery", { messageId, reason: "done" });
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  const replay = await answered(again, 200);
  assert.equal(replay.duplicate, true);
  assert.deepEqual([replay.lifecycle_state, replay.lifecycle_version], [first.lifecycle_state, first.lifecycle_version]);

  const otherBody = await tryAct(stack, gig.worker, "TaskDelivery", { messageId, reason: "done!" });
  await assertProblem(otherBody, 422, "message_id_reused");
  const thief = { ...gig.worker, token: `gld_grant_${"B".repeat(43)}` };
  await assertProblem(await tryAct(stack, thief, "TaskDelivery", { messageId, reason: "done" }), 401, "invalid_grant");
});

test("a message id means nothing to another actor or for another act", async () => {
  const gig = await gigAtWork();
  const messageId = "m-1";
  assert.equal((await act(stack, gig.worker, "TaskDelivery", { messageId })).duplicate, false);
  const sentBack = await act(stack, gig.buyer, "TaskRevision", { messageId, reason: "mend it" });
  assert.deepEqual([sentBack.duplicate, sentBack.lifecycle_state], [false, "IN_PROGRESS"]);
  await act(stack, gig.worker, "TaskDelivery", { messageId: "m-2" });
  const accepted = await act(stack, gig.buyer, "TaskAcceptance", { messageId });
  assert.deepEqual([accepted.duplicate, accepted.lifecycle_state], [false, "CLOSED"]);
});

test("every message may come as an A2A 1.0 Message, and means the same", async () => {
  const gig = await postGig(stack);
  const claiming = { message_id: "a2a-1", sender: "worker-agent", type: "TaskClaim", payload: { gig_id: gig.id } };
  const headers = { "content-type": "application/a2a+json" };
  const { tunnel_grant: grant } = await answered(await send(stack, "/v1/gigs/claim", asA2a(claiming), headers), 200);
  const worker = { gig: gig.id, name: grant.agent_identity, token: grant.token };
  opened.push(await join(stack, worker));
  const delivery = lifecycleMessage(worker, "TaskDelivery", { messageId: "a2a-2" });
  const withExtras = { ...asA2a(delivery), contextId: "c", taskId: "t", metadata: {}, extensions: [], referenceTaskIds: [] };
  const path = `/v1/gigs/${gig.id}/lifecycle`;
  const bearer = { authorization: credentials(worker).authorization };
  assert.equal((await answered(await send(stack, path, withExtras, bearer), 200)).lifecycle_state, "DELIVERED");
  assert.equal((await answered(await send(stack, path, delivery, bearer), 200)).duplicate, true);
});

test("a gig is claimed once: not by its buyer, not by two workers at once", async () => {
  const gig = await postGig(stack);
  await assertProblem(await tryClaim(stack, gig.id, gig.buyer.name), 403, "own_gig");
  await assertProblem(await tryClaim(stack, randomUUID()), 404, "gig_not_found");
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => tryClaim(stack, gig.id, `worker-${index}`)));
  assert.equal(answers.filter(({ status: code }) => code === 200).length, 1);
  for (const answer of answers.filter(({ status: code }) => code !== 200)) {
    await assertProblem(answer, 409, "already_claimed");
  }
  await assertStands(gig, "TUNNEL_GRANTED", 3, "IN_PROGRESS");
});

test("the same claim again is the same claim, with a fresh grant while the first is unused", async () => {
  const gig = await postGig(stack);
  const messageId = randomUUID();
  const first = await claim(stack, gig.id, "worker-agent", messageId);
  const again = await tryClaim(stack, gig.id, "worker-agent", messageId);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  const { tunnel_grant: grant } = await answered(again, 200);
  await assert.rejects(join(stack, first), { status: 401 });
  opened.push(await join(stack, { ...first, token: grant.token }));
  await assertProblem(await tryClaim(stack, gig.id, "worker-agent", messageId), 409, "already_claimed");
  await assertStands(gig, "IN_PROGRESS", 4, "IN_PROGRESS");
});

test("G7: when its time is up, a gig says what was missing, and a late delivery does not count", async () => {
  const [untaken, unfinished, late, unread] = [await postGig(stack), await gigAtWork(), await gigAtWork(), await deliveredGig()];
  for (const gig of [untaken, unfinished, late, unread]) await age(stack, "GigObject", gig.id, ["expires_at"]);
  await assertProblem(await tryAct(stack, late.worker, "TaskDelivery"), 409, "gig_ended");
  // No alarm is due: the sweep notices.
  for (const gig of [untaken, unfinished, unread]) {
    await stack.d1("UPDATE gigs SET deadline = 1 WHERE gig_id = ?", gig.id);
  }
  await stack.scheduled();
  const ends = [
    [untaken, "not_claimed", 2],
    [unfinished, "not_delivered", 5],
    [unread, "not_reviewed", 6],
  ];
  for (const [gig, reason, version] of ends) {
    assert.equal((await assertStands(gig, "EXPIRED", version, "EXPIRED")).ended_reason, reason);
  }
});

test("G10: claims lapse and deliveries are accepted by time alone", async (context) => {
  const hasty = await start({ edgeVars: { CLAIM_TIMEOUT_SECONDS: "2", REVIEW_WINDOW_SECONDS: "1" } });
  context.after(() => hasty.stop());
  const [lapsing, unread] = [await postGig(hasty), await deliveredGig(hasty)];
  const absent = await claim(hasty, lapsing.id);
  // G4: the buyer's presence is not the worker's.
  opened.push(await join(hasty, lapsing.buyer));
  await until("the claim to lapse", async () => (await status(hasty, lapsing.id)).lifecycle_state === "DISCOVERABLE");
  await until("the board to show it", async () => (await row(hasty, lapsing.id)).status === "ACTIVE");
  await assertStands(lapsing, "DISCOVERABLE", 4, "ACTIVE", hasty);
  await assert.rejects(join(hasty, absent), { status: 401 });
  const second = await claim(hasty, lapsing.id, "worker-2");
  opened.push(await join(hasty, second));
  await assertStands(lapsing, "IN_PROGRESS", 7, "IN_PROGRESS", hasty);

  await until("the delivery to be accepted", async () => (await status(hasty, unread.id)).lifecycle_state === "CLOSED");
  await until("the board to show it", async () => (await row(hasty, unread.id)).status === "COMPLETED");
  assert.equal((await assertStands(unread, "CLOSED", 7, "COMPLETED", hasty)).ended_reason, "accepted_by_timeout");
});
