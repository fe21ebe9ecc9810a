// The extension payment-identifier: a payer's own name for a purchase, under which it is charged at most once, whatever
// it signs and however often it asks.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem, create, delegation, discover } from "./support/board.mjs";
import { challengeOf, freshAccount, receiptOf, sign } from "./support/payment.mjs";
import { until } from "./support/waiting.mjs";

const MANY = 8;

let stack;

before(async () => {
  stack = await start({ edgeVars: { FACILITATOR_TIMEOUT_MS: "400" } });
});

beforeEach(() => stack.setSimulator("settle"));

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

/** A purchase under a fresh name: what is bought, and a way to sign for it again and again. */
function purchase(title, { id = `order-${randomUUID()}`, account = freshAccount() } = {}) {
  const message = delegation({ payload: { title } });
  return { id, account, message, signed: async (changes) => named(await sign(account, changes), id) };
}

function replayed(answer) {
  return answer.headers.get("idempotency-replayed") === "true";
}

test("the name is offered and not asked for", async () => {
  const { extensions } = challengeOf(await create(stack, delegation()));
  assert.deepEqual(extensions["payment-identifier"].info, { required: false });
});

test("S2: another signature under the same name is answered by the first, and never settled", async () => {
  const charged = await settlements();
  const { message, signed } = purchase("named twice");
  const first = await create(stack, message, await signed());
  const { gig } = await answered(first, 201);
  assert.equal(replayed(first), false);
  for (let again = 0; again < 2; again += 1) {
    const answer = await create(stack, message, await signed());
    assert.equal((await answered(answer, 201)).gig.gig_id, gig.gig_id);
    assert.equal(replayed(answer), true);
    assert.deepEqual(receiptOf(answer), receiptOf(first), "the receipt of the payment that was charged");
  }
  assert.equal(await settlements(), charged + 1);
});

test("S2: eight signatures under one name at once are one gig and one settlement", async () => {
  const charged = await settlements();
  const { message, signed } = purchase("named by eight");
  const payments = await Promise.all(Array.from({ length: MANY }, () => signed()));
  const answers = await Promise.all(payments.map((payment) => create(stack, message, payment)));
  const bodies = await Promise.all(answers.map((answer) => answered(answer, 201)));
  assert.equal(new Set(bodies.map(({ gig }) => gig.gig_id)).size, 1);
  assert.equal(new Set(answers.map((answer) => receiptOf(answer).transaction)).size, 1);
  assert.ok(answers.filter((answer) => !replayed(answer)).length <= 1);
  assert.equal(await settlements(), charged + 1);
  assert.equal((await listed("named by eight")).length, 1);
});

test("a used name with another body or payer is a conflict that shows and charges nothing", async () => {
  const { id, account, message, signed } = purchase("named once");
  await answered(await create(stack, message, await signed()), 201);
  const charged = await settlements();
  const stranger = freshAccount();
  for (const [about, body, payment] of [
    ["another body", delegation(), await signed()],
    ["another payer", message, named(await sign(stranger), id)],
    ["another payer and body", delegation(), named(await sign(stranger), id)],
  ]) {
    const answer = await create(stack, body, payment);
    await assertProblem(answer, 409, "payment_identifier_reused", about);
    for (const header of ["payment-response", "payment-required", "idempotency-replayed"]) {
      assert.equal(answer.headers.get(header), null, `${about}: ${header}`);
    }
  }
  // What was not charged is free, under no name or another one.
  await answered(await create(stack, delegation(), await sign(account)), 201);
  assert.equal(await settlements(), charged + 1);
});

test("a name that is none is 400, and nothing is charged", async () => {
  const charged = await settlements();
  const payment = await sign(freshAccount());
  for (const id of ["short", "x".repeat(129), "with spaces 0123456789", "ümlaut-0123456789abc", 7, {}]) {
    const { errors } = await assertProblem(
      await create(stack, delegation(), named(payment, id)),
      400,
      "invalid_payment_identifier",
      String(id),
    );
    assert.equal(errors[0].field, "extensions.payment-identifier.info.id");
  }
  assert.equal(await settlements(), charged);
  // An official client echoes the extension without an id unless its application gives one.
  const echoed = { ...payment, extensions: { "payment-identifier": { info: { required: false } } } };
  await answered(await create(stack, delegation(), echoed), 201);
});

test("once the first payment was refused, another takes its place, and only one of many", async () => {
  const charged = await settlements();
  const { message, signed } = purchase("named after a refusal");
  await stack.setSimulator("refuse");
  const poor = await signed();
  await assertProblem(await create(stack, message, poor), 402, "payment_refused");
  const poorer = await Promise.all(Array.from({ length: MANY }, () => signed()));
  const refused = await Promise.all(poorer.map((payment) => create(stack, message, payment)));
  for (const answer of refused) {
    await assertProblem(answer, 402, "payment_refused");
    assert.equal(receiptOf(answer).errorReason, "insufficient_funds");
  }
  await stack.setSimulator("settle");
  const payments = await Promise.all(Array.from({ length: MANY }, () => signed()));
  const answers = await Promise.all(payments.map((payment) => create(stack, message, payment)));
  const ids = await Promise.all(answers.map(async (answer) => (await answered(answer, 201)).gig.gig_id));
  assert.equal(new Set(ids).size, 1);
  assert.equal(await settlements(), charged + 1);
  // The refused one is answered by what took its place.
  const late = await create(stack, message, poor);
  assert.equal((await answered(late, 201)).gig.gig_id, ids[0]);
  assert.equal(await settlements(), charged + 1);
});

for (const mode of ["hang", "error", "pending"]) {
  test(`S5: while the outcome is unknown by ${mode}, every signature under the name hears so, and none is asked for`, async () => {
    const charged = await settlements();
    const title = `named and unknown by ${mode}`;
    const { message, signed } = purchase(title);
    const code = mode === "pending" ? "settlement_pending" : "settlement_unknown";
    await stack.setSimulator(mode);
    const receipts = [];
    for (let asked = 0; asked < 3; asked += 1) {
      const answer = await create(stack, message, await signed());
      await assertProblem(answer, 402, code);
      assert.equal(challengeOf(answer), null);
      receipts.push(receiptOf(answer));
    }
    for (const receipt of receipts) assert.deepEqual(receipt, receipts[0]);
    assert.deepEqual(await listed(title), []);
    await stack.setSimulator("settle");
    const landed = await until("the gig", async () => {
      const answer = await create(stack, message, await signed());
      return answer.status === 201 && answer;
    });
    assert.equal(replayed(landed), true);
    assert.equal((await listed(title)).length, 1);
    assert.equal(await settlements(), charged + 1);
  });
}

test("a name whose first payment is bound to something else goes to the next payment", async () => {
  const { message, signed } = purchase("named late");
  const used = await signed();
  await answered(await create(stack, delegation(), { ...used, extensions: undefined }), 201);
  const charged = await settlements();
  await assertProblem(await create(stack, message, used), 409, "authorization_already_claimed");
  await answered(await create(stack, message, await signed()), 201);
  assert.equal(await settlements(), charged + 1);
});

test("S4: neither the name nor what is kept with it is in the log", async () => {
  const { id, message, signed } = purchase("named in private");
  const payment = await signed();
  await answered(await create(stack, message, payment), 201);
  const text = JSON.stringify(stack.logs());
  for (const secret of [id, payment.payload.signature.slice(2, 60), payment.payload.authorization.nonce.slice(2)]) {
    assert.ok(!text.includes(secret));
  }
});
