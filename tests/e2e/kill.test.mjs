// The runtime is killed in the middle of a purchase: afterwards the payment ends known, charged once, with one gig.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, claim, create, delegation, discover, status } from "./support/board.mjs";
import { freshAccount, receiptOf, sign } from "./support/payment.mjs";
import { age, makeAlarmsDue } from "./support/stored.mjs";
import { join } from "./support/tunnel.mjs";
import { until } from "./support/waiting.mjs";

let stack;

before(async () => {
  stack = await start({ edgeVars: { FACILITATOR_TIMEOUT_MS: "20000" } });
});

after(() => stack?.stop());

async function settlements() {
  return (await stack.simulator()).settlements;
}

async function listed(title) {
  return (await discover(stack)).gigs.filter((gig) => gig.title === title);
}

/** Pays for a gig and kills the runtime after the money has moved and before its answer has come. */
async function killedPurchase(title) {
  await stack.setSimulator("delay:15000");
  const charged = await settlements();
  const message = delegation({ payload: { title } });
  const payment = await sign(freshAccount());
  const lost = create(stack, message, payment).then(
    () => assert.fail("the answer should have been lost"),
    () => undefined,
  );
  await until("the money to move", async () => (await settlements()) === charged + 1);
  assert.deepEqual(await listed(title), []);
  await stack.crash();
  await lost;
  await stack.setSimulator("settle");
  assert.equal(await settlements(), charged + 1, "the simulator remembers");
  assert.deepEqual(await listed(title), [], "nobody has looked yet");
  return { message, payment, charged };
}

test("S5: the same request again finds the settlement that was lost, and its gig is whole", async () => {
  const { message, payment, charged } = await killedPurchase("sent again");
  const answer = await create(stack, message, payment);
  const { gig, tunnel_grant: grant } = await answered(answer, 201);
  assert.equal(receiptOf(answer).success, true);
  assert.equal((await listed("sent again")).length, 1);
  assert.equal(await settlements(), charged + 1);

  const worker = await claim(stack, gig.gig_id);
  const buyer = await join(stack, { gig: gig.gig_id, name: grant.agent_identity, token: grant.token });
  const end = await join(stack, worker);
  buyer.send("hello");
  assert.equal(await end.next(), "hello");
  for (const { socket } of [buyer, end]) socket.terminate();
});

test("S5: without any further request, the payment is looked up when its time has come", async () => {
  const { charged } = await killedPurchase("never sent again");
  const [name] = [...new Set(stack.events().filter(({ to }) => to === "SETTLING").map(({ object }) => object))].slice(-1);
  const payment = name.replace("payment:", "");
  // The alarm waits longer than any facilitator may take; here that time has passed, and the alarm is due.
  await age(stack, "PaymentObject", payment, ["since"], 60_000);
  await stack.stop({ keep: true });
  assert.ok(makeAlarmsDue(stack.persist) > 0);
  stack = await start({ persist: stack.persist });
  const [gig] = await until("the gig", async () => {
    const found = await listed("never sent again");
    return found.length > 0 && found;
  });
  assert.equal((await status(stack, gig.gig_id)).lifecycle_state, "DISCOVERABLE");
  assert.equal(await settlements(), charged + 1);
});

test("S2: killed at any moment of a purchase, it ends in one gig and one charge once it is sent again", async () => {
  await stack.setSimulator("settle");
  // Spread over the time that a purchase takes, so that the kill falls between other steps each time.
  for (const moment of [0, 3, 6, 10, 15, 20, 30, 45]) {
    const title = `killed after ${moment} ms`;
    const [message, payment] = [delegation({ payload: { title } }), await sign(freshAccount())];
    const charged = await settlements();
    const first = create(stack, message, payment).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, moment));
    await stack.crash();
    await first;
    const gig = await until(title, async () => {
      const answer = await create(stack, message, payment).catch(() => undefined);
      return answer?.status === 201 && (await answer.json()).gig;
    });
    assert.deepEqual((await listed(title)).map(({ gig_id: id }) => id), [gig.gig_id], title);
    assert.equal(await settlements(), charged + 1, title);
  }
});

test("a gig survives every kill between its steps", async () => {
  await stack.setSimulator("settle");
  const [message, payment] = [delegation({ payload: { title: "often killed" } }), await sign(freshAccount())];
  const { gig } = await answered(await create(stack, message, payment), 201);
  await stack.crash();
  assert.equal((await answered(await create(stack, message, payment), 201)).gig.gig_id, gig.gig_id);
  const worker = await claim(stack, gig.gig_id);
  await stack.crash();
  assert.equal((await status(stack, gig.gig_id)).lifecycle_state, "TUNNEL_GRANTED");
  const end = await join(stack, worker);
  await stack.crash();
  await until("the socket to end", () => end.socket.readyState === end.socket.CLOSED);
  assert.equal((await status(stack, gig.gig_id)).lifecycle_state, "IN_PROGRESS");
  await assert.rejects(join(stack, worker), { status: 401 }, "a grant stays used");
});
