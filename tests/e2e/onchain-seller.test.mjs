// A seller and a buyer who are not ours meet over our facilitator, and the money moves on a chain.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startChain } from "../chain.mjs";
import { GOODS, openShop } from "../peers/seller.mjs";
import { AMOUNT, FUNDS, payer, slowChain, startFacilitator } from "./support/onchain.mjs";
import { challengeOf, encode, payingFetch, receiptOf, sign, TERMS } from "./support/payment.mjs";
import { until } from "./support/waiting.mjs";

const MANY = 10;

let chain;
let stack;
before(async () => {
  chain = await startChain();
  stack = await startFacilitator(chain);
});
after(async () => {
  await stack?.stop();
  await chain?.stop();
});

test("the official client buys from the official server, and pays on the chain", async (context) => {
  const shop = await openShop(stack.url, { timeoutMs: 20_000 });
  context.after(() => shop.stop());
  const [account, earned] = [await payer(chain), await chain.balanceOf(TERMS.payTo)];
  const answer = await payingFetch(account)(`${shop.url}/weather`);
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), GOODS);
  const receipt = await chain.rpc("eth_getTransactionReceipt", [receiptOf(answer).transaction]);
  assert.equal(receipt.status, "0x1");
  assert.equal(await chain.balanceOf(account.address), FUNDS - AMOUNT);
  assert.equal(await chain.balanceOf(TERMS.payTo), earned + AMOUNT);
});

test("S2 F5: ten copies of one payment at once are one charge and one sale", async (context) => {
  // Nobody is served before all ten are verified.
  const shop = await openShop(stack.url, { timeoutMs: 20_000, crowd: MANY });
  context.after(() => shop.stop());
  const account = await payer(chain);
  const headers = { "payment-signature": encode(await sign(account)) };
  const answers = await Promise.all(Array.from({ length: MANY }, () => fetch(`${shop.url}/weather`, { headers })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(await chain.balanceOf(account.address), FUNDS - AMOUNT);
  const [transaction, ...others] = new Set(answers.map((answer) => receiptOf(answer).transaction));
  assert.match(transaction, /^0x[0-9a-f]{64}$/);
  assert.deepEqual(others, []);
});

test("S5: a payment that is pending buys once it has landed, without a second signature", async (context) => {
  const { chain: slow, stack: waiting, account } = await slowChain(context);
  const shop = await openShop(waiting.url);
  context.after(() => shop.stop());
  const headers = { "payment-signature": encode(await sign(account)) };
  const pending = await fetch(`${shop.url}/weather`, { headers });
  assert.equal(pending.status, 402);
  assert.equal(challengeOf(pending), null);
  const { errorReason, transaction } = receiptOf(pending);
  assert.equal(errorReason, "settlement_pending");
  await slow.rpc("anvil_mine", []);
  // The nonce is used by now, and the same payment still buys, as soon as the settlement has seen it.
  const answer = await until("the sale", async () => {
    const again = await fetch(`${shop.url}/weather`, { headers });
    if (again.status === 200) return again;
    assert.equal(challengeOf(again), null, "nobody asks for a second signature");
    return false;
  });
  assert.equal(receiptOf(answer).transaction, transaction);
  assert.equal(await slow.balanceOf(account.address), FUNDS - AMOUNT);
});
