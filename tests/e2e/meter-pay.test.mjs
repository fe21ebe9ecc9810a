// Bills that are paid by x402 through our own paywall: the official client pays them unmodified, each is paid once, and what
// is not paid is open again once.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { billNow, billed, keyed, owed, pay, payment, settle, stands, used } from "./support/bills.mjs";
import { VARS } from "./support/mandate.mjs";
import { challengeOf, encode, freshAccount, payingFetch, receiptOf } from "./support/payment.mjs";
import { until } from "./support/waiting.mjs";

const COPIES = 20;
const options = { edgeVars: { ...VARS.edgeVars, FACILITATOR_TIMEOUT_MS: "2000" } };

let stack;

before(async () => {
  stack = await start(options);
});
beforeEach(() => stack.setSimulator("settle"));
after(() => stack?.stop());

async function settlements() {
  return (await stack.simulator()).settlements;
}

/** A bill with a payment that pays it. */
async function payable() {
  const one = await billed(stack);
  const account = freshAccount();
  const signed = await payment(one, account);
  return { ...one, account, signed, header: encode(signed) };
}

/** The usage of a failed bill is open again, and no more than that. */
async function assertOpenAgain(one) {
  const { quantity, amount, pending } = await owed(stack, one);
  assert.deepEqual([quantity, amount, pending], [one.bill.quantity, one.bill.amount, null]);
}

test("the official client pays a bill unmodified", async () => {
  const [one, charged, account] = [await billed(stack), await settlements(), freshAccount()];
  const answer = await payingFetch(account)(new URL(one.bill.links.pay, stack.url), { method: "POST" });
  const bill = await answered(answer, 200);
  const receipt = receiptOf(answer);
  assert.deepEqual([receipt.success, receipt.payer], [true, account.address]);
  assert.deepEqual([bill.id, bill.status, bill.proof], [one.bill.id, "verified", receipt.transaction]);
  assert.equal(bill.payment.method, "x402");
  assert.match(bill.payment.payment, /^pay_[0-9a-f]{32}$/);
  assert.equal(await settlements(), charged + 1);
  const { version: _, ...now } = await billNow(stack, one);
  const { version: __, ...answeredNow } = bill;
  assert.deepEqual(now, answeredNow);
  assert.deepEqual([(await owed(stack, one)).quantity, (await owed(stack, one)).amount], ["0", "0"]);
});

test("the challenge asks for the bill's amount, to whom the tenant said, and names the bill", async () => {
  const one = await billed(stack, { price: "123.5", quantity: "3" });
  const answer = await pay(stack, one);
  await assertProblem(answer, 402, "payment_required");
  const { resource, accepts: [accept] } = challengeOf(answer);
  assert.equal(resource.url, `${stack.url}/v1/settlements/${one.bill.id}/pay`);
  assert.deepEqual([accept.amount, accept.payTo], ["370", one.tenant.payTo]);
  const other = await billed(stack);
  assert.equal(challengeOf(await pay(stack, other)).accepts[0].amount, other.bill.amount, "each bill has a challenge of its own");
  const unknown = `set_${one.bill.id.slice(4, 30)}${"a".repeat(26)}`;
  await assertProblem(await stack.fetch(`/v1/settlements/${unknown}/pay`, { method: "POST" }), 404, "settlement_not_found");
});

const WRONG = {
  "another amount": [{ signed: { value: "9999" }, accepted: { amount: "9999" } }, "invalid_payment_requirements"],
  "less in the signature": [{ signed: { value: "9999" } }, "invalid_exact_evm_payload_authorization_value_mismatch"],
  "another payee": [{ signed: { to: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" } }, "invalid_exact_evm_recipient_mismatch"],
};
for (const [what, [changes, reason]] of Object.entries(WRONG)) {
  test(`a payment with ${what} is not taken, and the bill waits`, async () => {
    const [one, charged] = [await billed(stack), await settlements()];
    const answer = await pay(stack, one, encode(await payment(one, freshAccount(), changes)));
    await assertProblem(answer, 402, "payment_invalid");
    assert.equal(challengeOf(answer).error, reason);
    assert.deepEqual([(await billNow(stack, one)).status, await settlements()], ["drafted", charged]);
  });
}

test("S2: a payment for one bill pays for no other", async () => {
  const first = await payable();
  await answered(await pay(stack, first, first.header), 200);
  const charged = await settlements();
  // The same tenant, the same amount: only the bill is another.
  const second = { ...(await billed(stack, { tenant: first.tenant })) };
  assert.equal(second.bill.amount, first.bill.amount);
  await assertProblem(await pay(stack, second, first.header), 409, "authorization_already_claimed");
  assert.deepEqual([(await billNow(stack, second)).status, await settlements()], ["drafted", charged]);
});

test(`S2: ${COPIES} copies of one payment at once are one charge`, async () => {
  const [one, charged] = [await payable(), await settlements()];
  const answers = await Promise.all(Array.from({ length: COPIES }, () => pay(stack, one, one.header)));
  const bills = await Promise.all(answers.map((answer) => answered(answer, 200)));
  assert.deepEqual(new Set(bills.map(({ status }) => status)), new Set(["verified"]));
  assert.equal(new Set(answers.map((answer) => receiptOf(answer).transaction)).size, 1);
  assert.equal(await settlements(), charged + 1);
});

test(`S2: ${COPIES} payers at once: one pays, nobody else is charged`, async () => {
  const [one, charged] = [await billed(stack), await settlements()];
  const headers = await Promise.all(Array.from({ length: COPIES }, async () => encode(await payment(one, freshAccount()))));
  const answers = await Promise.all(headers.map((header) => pay(stack, one, header)));
  const paid = answers.filter((answer) => answer.status === 200 && receiptOf(answer)?.success);
  assert.equal(paid.length, 1, answers.map(({ status }) => status).join());
  for (const answer of answers.filter((answer) => !paid.includes(answer))) {
    assert.ok([200, 409].includes(answer.status), `${answer.status} ${await answer.text()}`);
    assert.equal(receiptOf(answer), null);
  }
  assert.deepEqual([await settlements(), (await billNow(stack, one)).status], [charged + 1, "verified"]);
});

test("a paid bill is answered again: to its payer with the receipt, to others without a charge", async () => {
  const one = await payable();
  const first = await pay(stack, one, one.header);
  const bill = await answered(first, 200);
  const charged = await settlements();
  const again = await pay(stack, one, one.header);
  assert.deepEqual(await answered(again, 200), bill);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  assert.deepEqual(receiptOf(again), receiptOf(first));
  const unpaid = await pay(stack, one);
  assert.deepEqual(await answered(unpaid, 200), bill, "nobody is asked to pay what is paid");
  const another = await pay(stack, one, encode(await payment(one, freshAccount())));
  assert.deepEqual(await answered(another, 200), bill);
  assert.deepEqual([receiptOf(unpaid), receiptOf(another), await settlements()], [null, null, charged]);
});

test("a facilitator that refuses: nothing is charged, and the usage is open again, once", async () => {
  const [one, charged] = [await payable(), await settlements()];
  await stack.setSimulator("refuse");
  const answer = await pay(stack, one, one.header);
  await assertProblem(answer, 402, "payment_refused");
  assert.equal(receiptOf(answer).errorReason, "insufficient_funds");
  const failed = await stands(stack, one, "failed");
  assert.deepEqual([failed.failure.code, failed.links], ["insufficient_funds", null]);
  await assertOpenAgain(one);
  await assertProblem(await pay(stack, one, one.header), 402, "payment_refused");
  await assertProblem(await pay(stack, one), 409, "settlement_not_drafted");
  await assertOpenAgain(one);

  await stack.setSimulator("settle");
  await used(stack, one, "2");
  const next = { ...one, bill: await settle(stack, one) };
  assert.deepEqual([next.bill.number, next.bill.quantity], [2, "42"]);
  await answered(await pay(stack, next, encode(await payment(next, one.account))), 200);
  assert.equal(await settlements(), charged + 1);
  assert.equal((await owed(stack, one)).quantity, "0");
});

test("S5: while nobody knows, the bill is submitted; it is looked up, charged once, and verified", async () => {
  const [one, charged] = [await payable(), await settlements()];
  await stack.setSimulator("hang");
  const answer = await pay(stack, one, one.header);
  await assertProblem(answer, 402, "settlement_unknown");
  const submitted = await billNow(stack, one);
  assert.deepEqual([submitted.status, submitted.payment.method], ["submitted", "x402"]);
  await assertProblem(await keyed(stack, one.tenant, "POST", "/v1/settle", { agent: one.agent, serviceId: one.serviceId }), 409, "settlement_open");
  await assertProblem(await keyed(stack, one.tenant, "POST", `/v1/settlements/${one.bill.id}/void`), 409, "settlement_not_drafted");
  const other = await pay(stack, one, encode(await payment(one, freshAccount())));
  assert.equal(other.status, 409, await other.text());
  await stack.setSimulator("settle");
  const { proof } = await stands(stack, one, "verified", 30_000);
  assert.match(proof, /^0x[0-9a-f]{64}$/);
  assert.equal(await settlements(), charged + 1);
  assert.equal(receiptOf(await pay(stack, one, one.header)).transaction, proof);
  assert.equal(await settlements(), charged + 1);
});

test("a bill that is voided meanwhile declines its payment uncharged", async () => {
  const [one, charged] = [await payable(), await settlements()];
  const path = `/v1/settlements/${one.bill.id}/void`;
  assert.equal((await answered(await keyed(stack, one.tenant, "POST", path), 200)).status, "failed");
  await assertProblem(await pay(stack, one, one.header), 409, "settlement_not_drafted");
  assert.equal(await settlements(), charged);
  await assertOpenAgain(one);
});

test("a body that says something is refused before any charge", async () => {
  const [one, charged] = [await payable(), await settlements()];
  const headers = { "payment-signature": one.header, "content-type": "application/json" };
  const send = (body) => stack.fetch(one.bill.links.pay, { method: "POST", headers, body });
  await assertProblem(await send('{"amount":"1"}'), 400, "invalid_body");
  assert.deepEqual([(await billNow(stack, one)).status, await settlements()], ["drafted", charged]);
  assert.equal((await answered(await send("{}"), 200)).status, "verified");
});

/** Every place between two steps of a purchase that has no name of the payer's own, and whether it was charged by then. */
const STEPS = [
  ["claimed", false], ["reserved", false], ["intended", false], ["answered", true],
  ["recorded", true], ["told", true], ["concluded", true],
];
for (const [step, wasCharged] of STEPS) {
  test(`killed once ${step}: the same payment again is one charge and one settlement`, async () => {
    const [one, charged] = [await payable(), await settlements()];
    stack.clearLogs();
    assert.equal((await stack.fetch(`/__test/halt/${step}`, { method: "POST" })).status, 204);
    const lost = pay(stack, one, one.header).then(() => assert.fail("the answer should have been lost"), () => undefined);
    await until(`the halt at ${step}`, () => stack.events().some(({ event }) => event === "halted"));
    await stack.crash();
    await lost;
    assert.equal(await settlements(), charged + (wasCharged ? 1 : 0));
    const answer = await pay(stack, one, one.header);
    if (!wasCharged && answer.status === 409) {
      // A claim lapses a few seconds after its process has died, and on a slow machine that was sooner: nothing is charged.
      await stands(stack, one, "failed");
      await assertOpenAgain(one);
      assert.equal(await settlements(), charged);
      return;
    }
    assert.equal((await answered(answer, 200)).status, "verified");
    assert.equal(receiptOf(answer).success, true);
    assert.equal(await settlements(), charged + 1);
    assert.deepEqual([(await owed(stack, one)).quantity, (await billNow(stack, one)).number], ["0", 1]);
  });
}

test("killed with the payment claimed, and nobody comes back: the claim lapses and the usage is open again, once", async () => {
  const [one, charged] = [await payable(), await settlements()];
  stack.clearLogs();
  assert.equal((await stack.fetch("/__test/halt/reserved", { method: "POST" })).status, 204);
  const lost = pay(stack, one, one.header).catch(() => undefined);
  await until("the halt", () => stack.events().some(({ event }) => event === "halted"));
  await stack.crash();
  await lost;
  // A claim lapses a few seconds after its process has died.
  await stands(stack, one, "failed", 20_000);
  await assertOpenAgain(one);
  assert.equal(await settlements(), charged);
});
