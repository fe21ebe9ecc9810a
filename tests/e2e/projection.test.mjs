// D1 only shows. It may refuse, be emptied, or never hear of anything: the gigs go on, and it catches up.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { act, assertProblem, claim, discover, postGig, row, status } from "./support/board.mjs";
import { age, loseAlarms } from "./support/stored.mjs";
import { join } from "./support/tunnel.mjs";
import { until } from "./support/waiting.mjs";

let stack;

before(async () => {
  stack = await start();
});

after(() => stack?.stop());

/** Runs `work` while the board's table cannot be found. */
async function withoutBoard(work) {
  await stack.d1("ALTER TABLE gigs RENAME TO gigs_away");
  try {
    await work();
  } finally {
    await stack.d1("ALTER TABLE gigs_away RENAME TO gigs");
  }
}

test("with D1 refusing, a gig goes from its payment to its end, and the board catches up by itself", async () => {
  const [whole, begun] = [{}, {}];
  await withoutBoard(async () => {
    Object.assign(whole, await postGig(stack));
    const worker = await claim(stack, whole.id);
    const tunnel = await join(stack, worker);
    await act(stack, worker, "TaskDelivery");
    await act(stack, whole.buyer, "TaskAcceptance");
    assert.equal((await status(stack, whole.id)).lifecycle_state, "CLOSED");
    tunnel.socket.terminate();
    Object.assign(begun, await postGig(stack));

    const unread = await assertProblem(await stack.fetch("/v1/gigs/discover"), 503, "unavailable");
    assert.equal(unread.retryable, true);
  });
  await until("the ended gig on the board", async () => (await row(stack, whole.id))?.lifecycle_state === "CLOSED");
  await until("the open gig on the board", async () => (await discover(stack)).gigs.some(({ gig_id: id }) => id === begun.id));
});

test("an object that sleeps while D1 refuses still tells it later", async () => {
  const gig = await postGig(stack);
  await withoutBoard(async () => {
    await claim(stack, gig.id);
    await stack.evictGig(gig.id);
  });
  await until("the claim on the board", async () => (await row(stack, gig.id)).lifecycle_state === "TUNNEL_GRANTED");
});

test("an older row never replaces a newer one", async () => {
  const gig = await postGig(stack);
  await stack.d1("UPDATE gigs SET version = 1000, record = json_set(record, '$.title', 'newer') WHERE gig_id = ?", gig.id);
  await claim(stack, gig.id);
  assert.equal((await row(stack, gig.id)).title, "newer");
});

test("an emptied board is rebuilt by the sweep, open and ended gigs alike", async () => {
  const [open, ended] = [await postGig(stack), await postGig(stack)];
  await act(stack, ended.buyer, "TaskCancellation");
  const records = [await row(stack, open.id), await row(stack, ended.id)];
  await stack.d1("DELETE FROM gigs");
  assert.equal((await discover(stack)).count, 0);
  await until("the sweep to find both", async () => {
    await stack.scheduled();
    return (await row(stack, open.id)) && (await row(stack, ended.id));
  });
  assert.deepEqual([await row(stack, open.id), await row(stack, ended.id)], records);
});

test("a gig whose deadline passed unnoticed is woken by the sweep", async () => {
  const gig = await postGig(stack);
  await age(stack, "GigObject", gig.id, ["expires_at"]);
  await stack.d1("UPDATE gigs SET deadline = ? WHERE gig_id = ?", Date.now() - 120_000, gig.id);
  await stack.scheduled();
  assert.equal((await status(stack, gig.id)).ended_reason, "not_claimed");
  assert.equal((await row(stack, gig.id)).status, "EXPIRED");
});

test("an alarm that the runtime lost is set anew by the next look at its gig", async (context) => {
  const first = await start({ edgeVars: { CLAIM_TIMEOUT_SECONDS: "2" } });
  const gig = await postGig(first);
  await claim(first, gig.id);
  await first.stop({ keep: true });
  assert.ok(loseAlarms(first.persist) > 0, "there was an alarm to lose");

  const second = await start({ persist: first.persist });
  context.after(() => second.stop());
  assert.equal((await status(second, gig.id)).lifecycle_state, "TUNNEL_GRANTED");
  assert.ok(second.events().some(({ event, object }) => event === "alarm_restored" && object === `gig:${gig.id}`));
  await until("the claim to lapse after all", async () => (await status(second, gig.id)).lifecycle_state === "DISCOVERABLE");
});
