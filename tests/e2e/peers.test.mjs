// A facilitator with a chain, played by the test: what each of its answers comes to, and payers whose accounts are
// contracts, whose signatures nobody but such a facilitator can judge.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem, create, delegation, discover } from "./support/board.mjs";
import { Facilitator, json, page, settled, TRANSACTION } from "./support/facilitator.mjs";
import { challengeOf, freshAccount, receiptOf, sign } from "./support/payment.mjs";
import { until } from "./support/waiting.mjs";

const LONG_SIGNATURE = `0x${"ab".repeat(200)}`;

let peer;
let stack;

before(async () => {
  peer = new Facilitator();
  const edgeVars = { FACILITATOR_MODE: "binding", FACILITATOR_TIMEOUT_MS: "400" };
  stack = await start({ edgeVars, facilitator: (request) => peer.answer(request) });
});

beforeEach(() => {
  peer.verify = () => json({ isValid: true });
  peer.settle = () => json(settled());
});

after(() => stack?.stop());

async function listed(title) {
  return (await discover(stack)).gigs.filter((gig) => gig.title === title);
}

function nonceOf(payment) {
  return payment.payload.authorization.nonce;
}

/** The payment as a contract account signs it. */
async function byContract(account, changes) {
  const payment = await sign(account, changes);
  return { ...payment, payload: { ...payment.payload, signature: LONG_SIGNATURE } };
}

function silent() {
  return new Promise(() => {});
}

/** Answers that leave the outcome open, and the one that then closes it. */
const OPEN = [
  ["silence", silent],
  ["a dropped connection", () => Promise.reject(new Error("dropped"))],
  ["a page", () => page()],
  ["a page under 502", () => page(502)],
  ["a refusal under 500", () => json(settled({ success: false, errorReason: "insufficient_funds", transaction: "" }), 500)],
  ["success without a transaction", () => json({ success: true, network: "eip155:84532" })],
  ["success with an empty transaction", () => json(settled({ transaction: "" }))],
  ["nothing", () => json(null)],
  ["an unexpected error", () => json(settled({ success: false, errorReason: "unexpected_settle_error", transaction: "" }))],
  ["pending", () => json(settled({ success: false, errorReason: "settlement_pending" }))],
  ["pending under 500", () => json(settled({ success: false, errorReason: "settlement_pending" }), 500)],
];

for (const [about, answer] of OPEN) {
  test(`S5: ${about} leaves the outcome open, shows nothing, and is asked again until it is known`, async () => {
    const title = `open by ${about}`;
    const [message, payment] = [delegation({ payload: { title } }), await sign(freshAccount())];
    peer.settle = answer;
    const first = await create(stack, message, payment);
    const isPending = about.startsWith("pending");
    await assertProblem(first, 402, isPending ? "settlement_pending" : "settlement_unknown");
    assert.equal(challengeOf(first), null, "a challenge would make clients sign again");
    assert.equal(receiptOf(first).transaction, isPending ? TRANSACTION : "");
    assert.deepEqual(await listed(title), []);

    peer.settle = () => json(settled());
    await until("the gig by the alarm alone", async () => (await listed(title)).length === 1);
    const bodies = peer.asked.filter(({ body }) => nonceOf(body.paymentPayload) === nonceOf(payment));
    assert.ok(bodies.length >= 2);
    for (const { route, body } of bodies) {
      assert.deepEqual([route, body], ["settle", bodies[0].body], "the same question, word for word");
    }
    assert.equal(receiptOf(await create(stack, message, payment)).transaction, TRANSACTION);
  });
}

test("S5: a transaction that was named once is shown until the outcome is known, whatever a lookup comes to", async () => {
  const [message, payment] = [delegation({ payload: { title: "named pending" } }), await sign(freshAccount())];
  peer.settle = () => json(settled({ success: false, errorReason: "settlement_pending" }));
  await assertProblem(await create(stack, message, payment), 402, "settlement_pending");
  for (const fault of [() => page(502), silent]) {
    peer.settle = fault;
    const asked = peer.count("settle", nonceOf(payment));
    await until("a lookup", () => peer.count("settle", nonceOf(payment)) > asked);
    assert.equal(receiptOf(await create(stack, message, payment)).transaction, TRANSACTION);
  }
  peer.settle = () => json(settled({ success: false, errorReason: "invalid_exact_evm_transaction_failed" }));
  await until("the refusal", async () => {
    const answer = await create(stack, message, payment);
    return (await answer.json()).code === "payment_refused";
  });
  assert.deepEqual(await listed("named pending"), []);
});

test("a refusal under any status that is not the facilitator's own fault is final", async () => {
  for (const status of [200, 402, 400]) {
    const title = `refused under ${status}`;
    peer.settle = () => json(settled({ success: false, errorReason: "insufficient_funds", transaction: "" }), status);
    const payment = await sign(freshAccount());
    const answer = await create(stack, delegation({ payload: { title } }), payment);
    await assertProblem(answer, 402, "payment_refused");
    assert.equal(challengeOf(answer), null);
    assert.equal(receiptOf(answer).errorReason, "insufficient_funds");
    assert.deepEqual(await listed(title), []);
    assert.equal(peer.count("settle", nonceOf(payment)), 1);
  }
});

test("what a facilitator says beside the protocol's fields stays with us", async () => {
  const more = { payer: null, errorReason: null, secret: "of the facilitator", extensions: { known: { info: {} } } };
  peer.settle = () => json(settled(more), 200, { "extension-responses": btoa("{}"), "x-secret": "1" });
  const answer = await create(stack, delegation(), await sign(freshAccount()));
  await answered(answer, 201);
  for (const header of ["extension-responses", "x-secret"]) assert.equal(answer.headers.get(header), null);
  const receipt = receiptOf(answer);
  assert.deepEqual(receipt, settled({ extensions: more.extensions }));
});

test("an ordinary account's signature is judged here, and settled without another question", async () => {
  const payment = await sign(freshAccount());
  await answered(await create(stack, delegation(), payment), 201);
  assert.deepEqual([peer.count("verify", nonceOf(payment)), peer.count("settle", nonceOf(payment))], [0, 1]);
});

test("a contract account pays once the facilitator vouches for its signature, and asking again is a replay", async () => {
  const [message, payment] = [delegation(), await byContract(freshAccount())];
  const first = await create(stack, message, payment);
  const { gig } = await answered(first, 201);
  assert.deepEqual([peer.count("verify", nonceOf(payment)), peer.count("settle", nonceOf(payment))], [1, 1]);
  // From now on the nonce is used, and a facilitator says so.
  peer.verify = () => json({ isValid: false, invalidReason: "invalid_exact_evm_nonce_already_used" });
  const again = await create(stack, message, payment);
  assert.equal((await answered(again, 201)).gig.gig_id, gig.gig_id);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  assert.equal(peer.count("settle", nonceOf(payment)), 1);

  // Whoever saw the nonce on the chain has another signature than the one that was vouched for.
  const forged = { ...payment, payload: { ...payment.payload, signature: `0x${"cd".repeat(200)}` } };
  const stranger = await create(stack, message, forged);
  await assertProblem(stranger, 402, "payment_invalid");
  assert.equal(challengeOf(stranger).error, "invalid_exact_evm_nonce_already_used");
});

test("a contract account's signature that nobody vouches for keeps and charges nothing", async () => {
  const account = freshAccount();
  for (const [about, verify, status, code] of [
    ["a no", () => json({ isValid: false, invalidReason: "invalid_exact_evm_signature" }), 402, "payment_invalid"],
    ["a no under 400", () => json({ isValid: false, invalidReason: "invalid_exact_evm_signature" }, 400), 402, "payment_invalid"],
    ["silence", silent, 503, "verification_unavailable"],
    ["a page", () => page(), 503, "verification_unavailable"],
    ["an answer without isValid", () => json({}), 503, "verification_unavailable"],
    ["a yes under 500", () => json({ isValid: true }, 500), 503, "verification_unavailable"],
  ]) {
    peer.verify = verify;
    const payment = await byContract(account);
    const message = delegation({ payload: { title: `vouched by ${about}` } });
    const answer = await create(stack, message, payment);
    await assertProblem(answer, status, code, about);
    assert.equal(challengeOf(answer) !== null, status === 402, about);
    assert.equal(peer.count("settle", nonceOf(payment)), 0, about);
    // Nothing was kept: once it is vouched for, the same payment pays, even for something else.
    peer.verify = () => json({ isValid: true });
    await answered(await create(stack, delegation(), payment), 201);
  }
});

test("a contract account's name for a purchase is bound to nothing that is not vouched for", async () => {
  const [account, message] = [freshAccount(), delegation()];
  const named = (payment) => ({
    ...payment,
    extensions: { "payment-identifier": { info: { required: false, id: "contract-order-1234567890" } } },
  });
  peer.verify = () => json({ isValid: false, invalidReason: "invalid_exact_evm_signature" });
  await assertProblem(await create(stack, message, named(await byContract(account))), 402, "payment_invalid");
  peer.verify = () => json({ isValid: true });
  const payment = named(await byContract(account));
  await answered(await create(stack, message, payment), 201);
  // Again, word for word: known. Another one: shown only to whom the account vouches for.
  peer.verify = () => json({ isValid: false, invalidReason: "invalid_exact_evm_signature" });
  await answered(await create(stack, message, payment), 201);
  await assertProblem(await create(stack, message, named(await byContract(account))), 402, "payment_invalid");
  peer.verify = () => json({ isValid: true });
  const second = named(await byContract(account));
  assert.equal(receiptOf(await create(stack, message, second)).transaction, TRANSACTION);
  assert.equal(peer.count("settle", nonceOf(second)), 0);
});

test("terms are checked before a contract account is asked about", async () => {
  const asked = peer.count("verify");
  const wrong = await byContract(freshAccount(), { signed: { value: "9999" } });
  await assertProblem(await create(stack, delegation(), wrong), 402, "payment_invalid");
  assert.equal(peer.count("verify"), asked);
});
