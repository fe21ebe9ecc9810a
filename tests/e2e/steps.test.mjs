// The runtime is killed between any two steps of a purchase. Whatever comes afterwards, the same payment again, another
// one under the same name, or nobody at all: one charge or none, one gig or none, and the right answer.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem, create, delegation, discover } from "./support/board.mjs";
import { freshAccount, receiptOf, sign } from "./support/payment.mjs";
import { age, makeAlarmsDue } from "./support/stored.mjs";
import { until } from "./support/waiting.mjs";

const VARS = { edgeVars: { TEST_HOOKS: "enabled", FACILITATOR_TIMEOUT_MS: "20000" } };

/** Every place between two steps, in their order, and whether the facilitator has been asked by then. */
const STEPS = [
  ["bound", false],
  ["claimed", false],
  ["reserved", false],
  ["intended", false],
  ["answered", true],
  ["recorded", true],
  ["told", true],
  ["concluded", true],
];

let stack;

before(async () => {
  stack = await start(VARS);
});

after(() => stack?.stop());

async function settlements() {
  return (await stack.simulator()).settlements;
}

async function listed(title) {
  return (await discover(stack)).gigs.filter((gig) => gig.title === title);
}

function named(payment, id) {
  return { ...payment, extensions: { "payment-identifier": { info: { required: false, id } } } };
}

/** Pays for a gig under a name, and kills the runtime as soon as the purchase has come to `step`. */
async function killedAt(step, title) {
  const charged = await settlements();
  const [account, id, message] = [freshAccount(), `order-${randomUUID()}`, delegation({ payload: { title } })];
  const signed = async () => named(await sign(account), id);
  const payment = await signed();
  stack.clearLogs();
  assert.equal((await stack.fetch(`/__test/halt/${step}`, { method: "POST" })).status, 204);
  const lost = create(stack, message, payment).then(
    () => assert.fail("the answer should have been lost"),
    () => undefined,
  );
  await until(`the halt at ${step}`, () => stack.events().some(({ event }) => event === "halted"));
  const claimed = stack.events().filter(({ to }) => to === "CLAIMED" || to === "SETTLING");
  const names = [...new Set(claimed.flatMap(({ object }) => object.match(/^payment:(.+)/)?.[1] ?? []))];
  await stack.crash();
  await lost;
  return { charged, account, message, payment, signed, names };
}

for (const [step, wasAsked] of STEPS) {
  test(`S2: killed once ${step}, the same payment again is one gig and one charge`, async () => {
    const title = `killed once ${step}, sent again`;
    const { charged, message, payment } = await killedAt(step, title);
    assert.equal(await settlements(), charged + (wasAsked ? 1 : 0));
    const answer = await create(stack, message, payment);
    const { gig, tunnel_grant: grant } = await answered(answer, 201);
    assert.ok(grant.token, "the first answer was lost, and with it the grant");
    assert.equal(receiptOf(answer).success, true);
    assert.deepEqual((await listed(title)).map(({ gig_id }) => gig_id), [gig.gig_id]);
    assert.equal(await settlements(), charged + 1);
  });

  test(`S2: killed once ${step}, another signature under the same name carries the first one on`, async () => {
    const title = `killed once ${step}, signed again`;
    const { charged, message, payment, signed } = await killedAt(step, title);
    const answer = await create(stack, message, await signed());
    const { gig } = await answered(answer, 201);
    assert.equal(receiptOf(answer).success, true);
    assert.equal(answer.headers.get("idempotency-replayed"), "true");
    const first = await create(stack, message, payment);
    assert.equal((await answered(first, 201)).gig.gig_id, gig.gig_id);
    assert.deepEqual(receiptOf(first), receiptOf(answer));
    assert.equal((await listed(title)).length, 1);
    assert.equal(await settlements(), charged + 1);
  });

  test(`S2: killed once ${step}, another signature without a name charges no second time`, async () => {
    const title = `killed once ${step}, nameless`;
    const { charged, account, message, payment } = await killedAt(step, title);
    const other = await create(stack, message, await sign(account));
    if (other.status !== 201) await assertProblem(other, 409, "payment_in_progress");
    await until("the gig", async () => (await create(stack, message, payment)).status === 201);
    assert.equal((await listed(title)).length, 1);
    assert.equal(await settlements(), charged + 1);
  });
}

test("S2: killed anywhere and never sent again, what was charged becomes a gig and the rest is let go", async () => {
  const purchases = [];
  for (const [step, wasAsked] of STEPS) {
    const title = `killed once ${step}, left alone`;
    // Once the intent is on disk, the alarm asks the facilitator if nobody else has.
    purchases.push({ title, ends: wasAsked || step === "intended", ...(await killedAt(step, title)) });
  }
  const charged = await settlements();
  await passTime(purchases.flatMap(({ names }) => names));
  for (const { title, ends } of purchases) {
    if (ends) await until(title, async () => (await listed(title)).length === 1);
  }
  assert.equal(await settlements(), charged + 1, "the one that was intended and not yet asked for");
  for (const { title, message, account } of purchases.filter(({ ends }) => !ends)) {
    assert.deepEqual(await listed(title), []);
    await until(`${title} to be free again`, async () => (await create(stack, message, await sign(account))).status === 201);
  }
  for (const { title } of purchases) assert.equal((await listed(title)).length, 1, title);
});

/** The longest that a facilitator may take goes by, unnoticed; then every alarm rings. */
async function passTime(payments) {
  for (const name of payments) await age(stack, "PaymentObject", name, ["since"], 60_000);
  await stack.stop({ keep: true });
  assert.ok(makeAlarmsDue(stack.persist) > 0);
  stack = await start({ ...VARS, persist: stack.persist });
}
