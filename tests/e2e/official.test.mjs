// The official x402 server in front of its own goods, with our facilitator behind it and the official client before it:
// what each of the facilitator's answers, right and wrong, becomes for a buyer who knows neither of us.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { start } from "../harness.mjs";
import { judge } from "../peers/baseline.mjs";
import { GOODS, openShop } from "../peers/seller.mjs";
import { challengeOf, encode, freshAccount, payingFetch, receiptOf, sign, TERMS } from "./support/payment.mjs";
import { until } from "./support/waiting.mjs";

const SHORT_PATIENCE_MS = 1500;
const LONG_PATIENCE_MS = 15_000;
const MANY = 10;

let stack;
let shop;

before(async () => {
  stack = await start();
  shop = await openShop(stack.facilitatorUrl);
});

beforeEach(() => stack.setSimulator("settle"));

after(async () => {
  await shop?.stop();
  await stack?.stop();
});

async function settlements() {
  return (await stack.simulator()).settlements;
}

/** Asks for the weather with a payment that was signed by hand. */
function buy(payment, path = "/weather", { url } = shop) {
  return fetch(url + path, {
    headers: { "payment-signature": encode(payment) },
    signal: AbortSignal.timeout(LONG_PATIENCE_MS),
  });
}

/** Buys with a fresh payment, which must not lead to the goods. Returns the answer, its body and the payment. */
async function buyInVain(from = shop) {
  const payment = await sign(freshAccount());
  const answer = await buy(payment, "/weather", from);
  const body = await answer.text();
  assert.ok(!body.includes(GOODS.weather), body);
  return { answer, body, payment };
}

test("the seller starts with what the facilitator says it supports, and asks for it", async () => {
  const answer = await fetch(`${shop.url}/weather`);
  assert.equal(answer.status, 402);
  const challenge = challengeOf(answer);
  assert.equal(challenge.resource.url, `${shop.url}/weather`);
  const [{ extra, ...accepted }] = challenge.accepts;
  const { extra: domain, ...terms } = TERMS;
  assert.deepEqual(accepted, terms);
  assert.deepEqual([extra.name, extra.version], [domain.name, domain.version]);
});

test("a seller on a network that the facilitator does not know does not start", async (context) => {
  const said = context.mock.method(console, "error", () => undefined);
  const exit = context.mock.method(process, "exit", () => undefined);
  const closed = await openShop(stack.facilitatorUrl, { network: "eip155:8453" });
  context.after(() => closed.stop());
  await until("the seller's end", () => exit.mock.callCount() > 0);
  assert.deepEqual(exit.mock.calls[0].arguments, [1]);
  assert.match(String(said.mock.calls[0].arguments[0]), /does not support scheme "exact" on network "eip155:8453"/);
});

for (const [method, status] of [["GET", 200], ["POST", 201]]) {
  test(`${method}: the official client buys, is served once and charged once`, async () => {
    const [charged, served] = [await settlements(), shop.served()];
    const account = freshAccount();
    const answer = await payingFetch(account)(`${shop.url}/weather`, { method });
    assert.equal(answer.status, status);
    assert.deepEqual(await answer.json(), GOODS);
    const receipt = receiptOf(answer);
    assert.equal(receipt.success, true);
    assert.equal(receipt.payer, account.address);
    assert.equal(receipt.network, TERMS.network);
    assert.match(receipt.transaction, /^0x[0-9a-f]{64}$/);
    assert.match(answer.headers.get("cache-control"), /private/);
    assert.deepEqual([await settlements(), shop.served()], [charged + 1, served + 1]);
  });
}

const WRONG = {
  "a changed value": [{ edited: { value: "9999" } }, "invalid_exact_evm_signature"],
  "another receiver": [
    { signed: { to: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" } },
    "invalid_exact_evm_recipient_mismatch",
  ],
  "an end in the past": [{ signed: { validBefore: "1" } }, "invalid_exact_evm_payload_authorization_valid_before"],
  "more than was asked": [{ signed: { value: "20000" } }, "invalid_exact_evm_payload_authorization_value_mismatch"],
};
for (const [what, [changes, reason]] of Object.entries(WRONG)) {
  test(`a payment with ${what} is answered with a fresh challenge that says ${reason}`, async () => {
    const [charged, served] = [await settlements(), shop.served()];
    const answer = await buy(await sign(freshAccount(), changes));
    assert.equal(answer.status, 402);
    assert.equal(challengeOf(answer).error, reason);
    assert.equal(receiptOf(answer), null);
    assert.deepEqual([await settlements(), shop.served()], [charged, served]);
  });
}

test("what the facilitator cannot read is a 400 of its own, and a fresh challenge for the buyer", async () => {
  const answer = await buy({ ...(await sign(freshAccount())), payload: "not an object" });
  assert.equal(answer.status, 402);
  assert.match(challengeOf(answer).error, /^invalid_payload\b/);
});

test("S1: a refused settlement withholds the goods and says why, without a challenge", async () => {
  await stack.setSimulator("refuse");
  const { answer, payment } = await buyInVain();
  assert.equal(answer.status, 402);
  assert.equal(challengeOf(answer), null);
  const receipt = receiptOf(answer);
  assert.deepEqual([receipt.success, receipt.errorReason, receipt.transaction], [false, "insufficient_funds", ""]);

  await stack.setSimulator("settle");
  assert.equal((await buy(payment)).status, 200, "what was not charged still pays");
});

test("S5: a pending settlement is asked for once more, shown as pending, and pays when it has landed", async () => {
  const charged = await settlements();
  await stack.setSimulator("pending");
  stack.clearLogs();
  const { answer, payment } = await buyInVain();
  assert.equal(answer.status, 402);
  assert.equal(challengeOf(answer), null);
  const pending = receiptOf(answer);
  assert.deepEqual([pending.success, pending.errorReason], [false, "settlement_pending"]);
  assert.match(pending.transaction, /^0x[0-9a-f]{64}$/);
  assert.equal(stack.events().filter(({ event }) => event === "settle").length, 2);
  assert.equal(await settlements(), charged);

  await stack.setSimulator("settle");
  const landed = await buy(payment);
  assert.equal(landed.status, 200);
  assert.equal(receiptOf(landed).transaction, pending.transaction);
  assert.equal(await settlements(), charged + 1);
});

test("S5: a facilitator that hangs ends the seller's patience, not the payment", async (context) => {
  const impatient = await openShop(stack.facilitatorUrl, { timeoutMs: SHORT_PATIENCE_MS });
  context.after(() => impatient.stop());
  const charged = await settlements();
  await stack.setSimulator("hang");
  const { answer, body, payment } = await buyInVain(impatient);
  assert.equal(answer.status, 502);
  assert.match(body, new RegExp(`settle request timed out after ${SHORT_PATIENCE_MS}ms`));
  assert.equal(await settlements(), charged);

  await stack.setSimulator("settle");
  assert.equal((await buy(payment)).status, 200);
  assert.equal(await settlements(), charged + 1);
});

// `moved` is how many authorizations the simulator settled before its answer was lost.
for (const [mode, status, moved] of [["garbage", 502, 1], ["error", 402, 1], ["lost", 402, 0]]) {
  test(`S1 S5: an answer lost to ${mode} is no answer: nothing is served for it, nothing is charged twice`, async (context) => {
    // The official middleware tells its operator what it could not read.
    context.mock.method(console, "error", () => undefined);
    const [charged, account] = [await settlements(), freshAccount()];
    await stack.setSimulator(mode);
    const payment = await sign(account);
    const answer = await buy(payment);
    assert.equal(answer.status, status, await answer.text());
    assert.equal(receiptOf(answer)?.success ?? false, false);
    assert.equal(await settlements(), charged + moved);

    await stack.setSimulator("settle");
    const again = await buy(payment);
    if (moved === 0) assert.equal(again.status, 200);
    else assert.equal(challengeOf(again).error, "invalid_exact_evm_nonce_already_used");
    // This seller keeps no record of what it settled, but the facilitator does: asked again, it names the transaction.
    const facilitator = new HTTPFacilitatorClient({ url: stack.facilitatorUrl });
    const found = await facilitator.settle(payment, TERMS);
    assert.equal(found.payer, account.address);
    assert.match(found.transaction, /^0x[0-9a-f]{64}$/);
    assert.equal(await settlements(), charged + 1);
  });
}

test("a handler that fails leaves the payment unsettled", async () => {
  const charged = await settlements();
  const payment = await sign(freshAccount());
  const answer = await buy(payment, "/broken");
  assert.equal(answer.status, 503);
  assert.deepEqual(await answer.json(), { error: "no forecast today" });
  assert.equal(receiptOf(answer), null);
  assert.equal(await settlements(), charged);
  assert.equal((await buy(payment)).status, 200);
});

test("S2: one payment sent again buys nothing more", async () => {
  const charged = await settlements();
  const payment = await sign(freshAccount());
  assert.equal((await buy(payment)).status, 200);
  const again = await buy(payment);
  assert.equal(again.status, 402);
  assert.equal(challengeOf(again).error, "invalid_exact_evm_nonce_already_used");
  assert.equal(await settlements(), charged + 1);
});

test("S1 S2: ten copies of one payment at once are one charge", async (context) => {
  // Nobody is served before all ten are verified, as it may happen wherever settling takes a while.
  const crowded = await openShop(stack.facilitatorUrl, { crowd: MANY });
  context.after(() => crowded.stop());
  const charged = await settlements();
  const payment = await sign(freshAccount());
  const answers = await Promise.all(Array.from({ length: MANY }, () => buy(payment, "/weather", crowded)));
  const receipts = answers.map((answer) => receiptOf(answer));
  const served = answers.filter(({ status }) => status === 200).length;
  judge("the official server, one payment in ten copies at once", ["charged once", "one transaction", "served once"], [
    { check: "charged once", pass: (await settlements()) === charged + 1 },
    { check: "one transaction", pass: new Set(receipts.map(({ transaction }) => transaction)).size === 1 },
    { check: "served once", pass: served === 1, detail: { served } },
  ]);
});
