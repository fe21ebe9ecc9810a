// A gig bought on a chain, through both Workers: by the official client, by a contract's account, while blocks are late,
// and with the runtime killed in between. The buyer is charged once, and there is one gig or none.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startChain } from "../chain.mjs";
import { start } from "../harness.mjs";
import { answered, assertProblem, create, delegation, discover } from "./support/board.mjs";
import { AMOUNT, count, FUNDS, fundRelayers, mine, payer, settings, transfers, waiting } from "./support/onchain.mjs";
import { challengeOf, freshAccount, payingFetch, receiptOf, sign, TERMS } from "./support/payment.mjs";
import { RpcProxy } from "./support/rpc.mjs";
import { age, makeAlarmsDue } from "./support/stored.mjs";
import { until } from "./support/waiting.mjs";

let chain;
let proxy;
let stack;

async function begin(persist) {
  stack = await start({
    persist,
    edgeVars: { FACILITATOR_MODE: "binding", FACILITATOR_TIMEOUT_MS: "4000" },
    facilitatorVars: settings(chain, { rpc: [proxy.url], vars: { SETTLE_WAIT_MS: "2500" } }),
  });
}

before(async () => {
  chain = await startChain();
  proxy = await RpcProxy.open(chain.url);
  await fundRelayers(chain);
  await begin();
});

beforeEach(async () => {
  proxy.heal();
  await chain.rpc("evm_setAutomine", [true]);
});

after(async () => {
  await stack?.stop();
  await proxy?.stop();
  await chain?.stop();
});

async function listed(title) {
  return (await discover(stack)).gigs.filter((gig) => gig.title === title);
}

/** The same purchase, sent until there is a gig. */
async function bought(message, payment) {
  const tried = async () => {
    const answer = await create(stack, message, payment);
    return answer.status === 201 && answer;
  };
  return until("the gig", tried, 15_000);
}

/** One gig of this title, one charge, and the receipt names the transaction. */
async function assertBought(title, address, answer) {
  const { gig } = await answered(answer, 201);
  const receipt = receiptOf(answer);
  assert.equal(receipt.success, true);
  assert.deepEqual((await transfers(chain, address)).map(({ hash, value }) => [hash, value]), [[receipt.transaction, AMOUNT]]);
  assert.deepEqual((await listed(title)).map(({ gig_id }) => gig_id), [gig.gig_id]);
  return gig;
}

test("the official client, unmodified, buys a gig", async () => {
  const account = await payer(chain);
  const title = "bought by the official client";
  const answer = await payingFetch(account)(`${stack.url}/v1/gigs/create`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(delegation({ payload: { title } })),
  });
  await assertBought(title, account.address, answer);
  assert.equal(await chain.balanceOf(account.address), FUNDS - AMOUNT);
  assert.equal(await chain.balanceOf(TERMS.payTo), AMOUNT);
});

test("the same request again is the same gig, and costs nothing", async () => {
  const account = await payer(chain);
  const [title, payment] = ["asked for twice", await sign(account)];
  const message = delegation({ payload: { title } });
  const gig = await assertBought(title, account.address, await create(stack, message, payment));
  const again = await create(stack, message, payment);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  assert.equal((await assertBought(title, account.address, again)).gig_id, gig.gig_id);
});

test("ten copies of one purchase at once are one gig and one charge", async () => {
  const account = await payer(chain);
  const [title, payment] = ["ten copies", await sign(account)];
  const message = delegation({ payload: { title } });
  await Promise.all(Array.from({ length: 10 }, () => create(stack, message, payment)));
  await assertBought(title, account.address, await bought(message, payment));
});

test("a contract's account buys with the signature of its owner (ERC-1271), and with nobody else's", async () => {
  const owner = freshAccount();
  const wallet = await chain.deployWallet(owner.address);
  await chain.mint(wallet, FUNDS);
  const title = "bought by a contract";
  const message = delegation({ payload: { title } });
  const foreign = await create(stack, message, await sign(freshAccount(), { signed: { from: wallet } }));
  assert.equal(foreign.status, 402);
  assert.equal(challengeOf(foreign).error, "invalid_exact_evm_signature");
  assert.deepEqual(await listed(title), []);
  await assertBought(title, wallet, await create(stack, message, await sign(owner, { signed: { from: wallet } })));
});

test("a buyer without money gets nothing, and no second challenge", async () => {
  const message = delegation({ payload: { title: "without money" } });
  const answer = await create(stack, message, await sign(freshAccount()));
  await assertProblem(answer, 402, "payment_refused");
  assert.equal(receiptOf(answer).errorReason, "insufficient_funds");
  assert.equal(challengeOf(answer), null);
  assert.deepEqual(await listed("without money"), []);
});

test("while blocks are late the payment is pending under its hash; the gig comes by itself once it is mined", async () => {
  const account = await payer(chain);
  await chain.rpc("evm_setAutomine", [false]);
  const [title, payment] = ["late blocks", await sign(account)];
  const message = delegation({ payload: { title } });
  const answer = await create(stack, message, payment);
  await assertProblem(answer, 402, "settlement_pending");
  const { transaction } = receiptOf(answer);
  assert.deepEqual(await waiting(chain), [transaction]);
  assert.equal(challengeOf(answer), null);
  assert.deepEqual(await listed(title), []);
  await chain.rpc("evm_setAutomine", [true]);
  await mine(chain);
  await until("the gig by itself", async () => (await listed(title)).length === 1, 15_000);
  const again = await bought(message, payment);
  assert.equal(receiptOf(again).transaction, transaction);
  await assertBought(title, account.address, again);
});

test("while the chain is out of reach nothing is known, and the same payment buys the gig later", async () => {
  const account = await payer(chain);
  const [title, payment] = ["out of reach", await sign(account)];
  const message = delegation({ payload: { title } });
  proxy.instead = "nothing";
  const answer = await create(stack, message, payment);
  await assertProblem(answer, 402, "settlement_unknown");
  assert.equal(challengeOf(answer), null);
  assert.deepEqual(await listed(title), []);
  proxy.heal();
  await assertBought(title, account.address, await bought(message, payment));
});

/** Where the runtime is killed: while the payment is judged, before its transaction is sent, and once it is mined. */
const STEPS = ["eth_estimateGas", "eth_sendRawTransaction", "eth_getTransactionReceipt"];

/** Buys a gig and kills the runtime as soon as the chain is asked with `method`. */
async function killedAt(method, title) {
  const account = await payer(chain);
  const [message, payment] = [delegation({ payload: { title } }), await sign(account)];
  stack.clearLogs();
  const { arrived } = proxy.hold(method);
  const lost = create(stack, message, payment).then(
    () => assert.fail("the answer should have been lost"),
    () => undefined,
  );
  await arrived;
  const objects = stack.events().flatMap(({ object }) => object?.match(/^payment:(.+)/)?.[1] ?? []);
  await stack.crash();
  proxy.heal();
  await lost;
  return { title, account, message, payment, objects: [...new Set(objects)] };
}

for (const method of STEPS) {
  test(`S2: killed at ${method}, the same payment again is one gig and one charge`, async () => {
    const sent = await count(chain);
    const { title, account, message, payment } = await killedAt(method, `killed at ${method}, sent again`);
    await assertBought(title, account.address, await bought(message, payment));
    assert.equal(await count(chain), sent + 1);
    assert.deepEqual(await waiting(chain), []);
  });
}

test("S2: killed anywhere and never sent again, each purchase becomes one gig by itself, for one charge", async () => {
  const sent = await count(chain);
  const purchases = [];
  for (const method of STEPS) purchases.push(await killedAt(method, `killed at ${method}, left alone`));
  // The longest that a facilitator may take goes by, unnoticed; then every alarm rings.
  for (const name of purchases.flatMap(({ objects }) => objects)) await age(stack, "PaymentObject", name, ["since"], 60_000);
  await stack.stop({ keep: true });
  assert.ok(makeAlarmsDue(stack.persist) > 0);
  await begin(stack.persist);
  for (const { title } of purchases) await until(title, async () => (await listed(title)).length === 1, 15_000);
  assert.equal(await count(chain), sent + STEPS.length);
  for (const { title, account, message, payment } of purchases) {
    await assertBought(title, account.address, await bought(message, payment));
  }
});
