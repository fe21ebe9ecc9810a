// One message is one gig, and one authorization pays for one thing, however many copies arrive at once.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, asA2a, assertProblem, claim, create, delegation, discover, postGig } from "./support/board.mjs";
import { freshAccount, receiptOf, sign } from "./support/payment.mjs";
import { join } from "./support/tunnel.mjs";

const MANY = 10;

let stack;

before(async () => {
  stack = await start();
});

after(() => stack?.stop());

async function settlements() {
  return (await stack.simulator()).settlements;
}

test("the same request again is the same gig, with a fresh grant while the first is unused", async () => {
  const gig = await postGig(stack);
  const charged = await settlements();
  const answer = await create(stack, gig.message, gig.payment);
  const body = await answered(answer, 201);
  assert.deepEqual(body.gig, gig.record);
  assert.equal(answer.headers.get("idempotency-replayed"), "true");
  assert.equal(receiptOf(answer).success, true);
  assert.notEqual(body.tunnel_grant.token, gig.buyer.token);
  assert.equal(await settlements(), charged);

  await claim(stack, gig.id);
  await assert.rejects(join(stack, gig.buyer), { status: 401 }, "the first grant was replaced");
  const tunnel = await join(stack, { ...gig.buyer, token: body.tunnel_grant.token });
  const used = await create(stack, gig.message, gig.payment);
  const late = await answered(used, 201);
  assert.equal(late.tunnel_grant, null);
  assert.match(late.message, /reconnect/);
  tunnel.socket.terminate();
});

test("a new payment for the same message is the same gig, and is never settled", async () => {
  const account = freshAccount();
  const gig = await postGig(stack, { account });
  const charged = await settlements();
  const second = await sign(account);
  const answer = await create(stack, gig.message, second);
  assert.equal((await answered(answer, 201)).gig.gig_id, gig.id);
  assert.equal(answer.headers.get("idempotency-replayed"), "true");
  assert.equal(answer.headers.get("payment-response"), null, "nothing was paid with this one");
  assert.equal(await settlements(), charged);

  // What was not charged is free to pay for something else.
  const other = await answered(await create(stack, delegation(), second), 201);
  assert.notEqual(other.gig.gig_id, gig.id);
  assert.equal(await settlements(), charged + 1);
});

test("the same message in A2A's form is the same gig", async () => {
  const gig = await postGig(stack);
  const answer = await create(stack, asA2a(gig.message), gig.payment);
  assert.equal((await answered(answer, 201)).gig.gig_id, gig.id);
  assert.equal(answer.headers.get("idempotency-replayed"), "true");
});

test("another body under the same message is refused and not charged", async () => {
  const account = freshAccount();
  const gig = await postGig(stack, { account });
  const charged = await settlements();
  for (const payload of [{ title: "Another" }, { bounty_sats: 1001 }, { ttl_minutes: 11 }, { task_params: {} }]) {
    const message = delegation({ messageId: gig.message.message_id, payload });
    await assertProblem(await create(stack, message, await sign(account)), 422, "message_id_reused");
  }
  assert.equal(await settlements(), charged);
});

test("the same message of another payer or sender is another gig", async () => {
  const account = freshAccount();
  const first = await postGig(stack, { account });
  const messageId = first.message.message_id;
  const otherPayer = await postGig(stack, { messageId });
  const otherSender = await postGig(stack, { messageId, account, sender: "somebody-else" });
  assert.equal(new Set([first.id, otherPayer.id, otherSender.id]).size, 3);
});

test("S2: one authorization does not pay for a second thing", async () => {
  const gig = await postGig(stack);
  const charged = await settlements();
  for (const message of [delegation(), { ...gig.message, sender: "another-agent" }]) {
    await assertProblem(await create(stack, message, gig.payment), 409, "authorization_already_claimed");
  }
  assert.equal(await settlements(), charged);
});

test("S2: ten copies of one paid request at once are one gig and one settlement", async () => {
  const charged = await settlements();
  const [message, payment] = [delegation({ payload: { title: "ten copies" } }), await sign(freshAccount())];
  const answers = await Promise.all(Array.from({ length: MANY }, () => create(stack, message, payment)));
  const bodies = await Promise.all(answers.map((answer) => answered(answer, 201)));
  assert.equal(new Set(bodies.map(({ gig }) => gig.gig_id)).size, 1);
  assert.equal(answers.filter((answer) => !answer.headers.has("idempotency-replayed")).length, 1);
  assert.equal(await settlements(), charged + 1);
  assert.equal((await discover(stack)).gigs.filter(({ title }) => title === "ten copies").length, 1);

  const [id] = bodies.map(({ gig }) => gig.gig_id);
  await claim(stack, id);
  const opened = [];
  for (const { tunnel_grant: grant } of bodies) {
    const party = { gig: id, name: grant.agent_identity, token: grant.token };
    await join(stack, party).then((tunnel) => opened.push(tunnel), () => undefined);
  }
  assert.equal(opened.length, 1, "one of the grants is in force");
  opened[0].socket.terminate();
});

test("S2: ten payments for one message at once are one gig and one settlement", async () => {
  const charged = await settlements();
  const account = freshAccount();
  const message = delegation({ payload: { title: "ten payments" } });
  const payments = await Promise.all(Array.from({ length: MANY }, () => sign(account)));
  const answers = await Promise.all(payments.map((payment) => create(stack, message, payment)));
  const created = answers.filter(({ status }) => status === 201);
  assert.ok(created.length >= 1);
  const ids = await Promise.all(created.map(async (answer) => (await answered(answer, 201)).gig.gig_id));
  assert.equal(new Set(ids).size, 1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    await assertProblem(answer, 409, "payment_in_progress");
  }
  assert.equal(await settlements(), charged + 1);
  assert.equal((await discover(stack)).gigs.filter(({ title }) => title === "ten payments").length, 1);

  for (const payment of payments) {
    assert.equal((await answered(await create(stack, message, payment), 201)).gig.gig_id, ids[0]);
  }
  assert.equal(await settlements(), charged + 1);
});

test("S2: one authorization sent for ten messages at once pays for one", async () => {
  const charged = await settlements();
  const payment = await sign(freshAccount());
  const answers = await Promise.all(Array.from({ length: MANY }, () => create(stack, delegation(), payment)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    await assertProblem(answer, 409, "authorization_already_claimed");
  }
  assert.equal(await settlements(), charged + 1);
});
