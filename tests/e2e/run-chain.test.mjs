// Settlement on an EVM chain: real transfers of the test dollar on a chain of the test's own.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { encodeFunctionData, parseAbi } from "viem";
import { DOLLAR, developmentAccount, startChain } from "../chain.mjs";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { deployDollar, mine } from "./support/onchain.mjs";
import { RpcProxy } from "./support/rpc.mjs";
import {
  allEvents, assertJournal, call, over, registered, runVars, seen, standing, stands, walk,
} from "./support/run.mjs";
import { until } from "./support/waiting.mjs";

const NETWORK = "eip155:84532";
const ABI = parseAbi(["function transfer(address to, uint256 amount)"]);
const FINAL = 3;
const [WALLET, STRANGER] = [developmentAccount(3).address.toLowerCase(), developmentAccount(4).address];

let chain;
let proxy;
let stack;
let executor;

before(async () => {
  chain = await startChain();
  proxy = await RpcProxy.open(chain.url);
  stack = await start(runVars({ RUN_SETTLEMENT: NETWORK, EVM_RPC_URL: proxy.url }));
  executor = await registered(stack);
});
after(async () => {
  await stack?.stop();
  await proxy?.stop();
  await chain?.stop();
});

/** A run whose wallet may now pay, and what it is to pay. */
async function authorized() {
  proxy.heal();
  const one = await standing(stack, "PAYMENT_AUTHORIZED", { executor, wallet: WALLET });
  return { ...one, requirement: (await seen(stack, one)).run.payment.requirement };
}

/** Transfers tokens on the chain, right unless something is changed, and returns the transaction's hash. */
async function transfer({ requirement }, { from = WALLET, to = requirement.payTo, amount = requirement.gross, token = DOLLAR, ...more } = {}) {
  const data = encodeFunctionData({ abi: ABI, functionName: "transfer", args: [to, BigInt(amount)] });
  return chain.rpc("eth_sendTransaction", [{ from, to: token, data, ...more }]);
}

const pay = (one, signature) => call(stack, one.token, "POST", `/v1/runs/${one.run}/payment`, { signature });

test("a transfer on the chain settles the run once its block is final, and not before", async () => {
  const one = await authorized();
  assert.equal(one.requirement.asset.toLowerCase(), `${NETWORK}/${DOLLAR}`.toLowerCase());
  const earlier = await chain.balanceOf(one.requirement.payTo);
  const hash = await transfer(one);
  await answered(await pay(one, hash), 200);
  await until("a look at a block that is not final", async () => (await allEvents(stack, one)).some(({ type }) => type === "SETTLEMENT_UNRESOLVED"));
  assert.equal((await seen(stack, one)).run.state, "SETTLING");
  await mine(chain, FINAL);
  const { run } = await stands(stack, one, "SETTLED", 20_000);
  assert.equal((await chain.balanceOf(one.requirement.payTo)) - earlier, BigInt(one.requirement.gross));
  assert.equal(run.payment.signature, hash);
  await walk(stack, { ...one, sent: { ...one.sent, pay: true } }, "ORDER_CONFIRMED");
  await assertJournal(stack, one);
});

const WRONG = [
  ["reverted", async (one) => transfer(one, { amount: 10n ** 30n, gas: "0x30d40" })],
  ["amount_too_small", (one) => transfer(one, { amount: BigInt(one.requirement.gross) - 1n })],
  ["wrong_receiver", (one) => transfer(one, { to: STRANGER })],
  ["wrong_payer", (one) => transfer(one, { from: STRANGER })],
  ["not_transferred", () => chain.rpc("eth_sendTransaction", [{ from: WALLET, to: STRANGER, value: "0x1" }])],
  ["wrong_mint", async (one) => {
    const token = await deployDollar(chain, "Other", "2");
    const mint = encodeFunctionData({ abi: parseAbi(["function mint(address,uint256)"]), functionName: "mint", args: [WALLET, 10n ** 12n] });
    await chain.send({ to: token, data: mint });
    return transfer(one, { token });
  }],
];
for (const [code, make] of WRONG) {
  test(`a transaction that is not the payment fails the run: ${code}`, async () => {
    const one = await authorized();
    const hash = await make(one);
    await until("its receipt", () => chain.rpc("eth_getTransactionReceipt", [hash]));
    await mine(chain, FINAL);
    await answered(await pay(one, hash), 200);
    const { run } = await over(stack, one);
    assert.deepEqual([run.state, run.failure.code], ["SETTLEMENT_FAILED", code]);
  });
}

const LIES = [
  ["null for the receipt", () => proxy.invent("eth_getTransactionReceipt", () => null)],
  ["an error", () => proxy.refuse("eth_getTransactionReceipt", { code: -32000, message: "header not found" })],
  ["a receipt of another transaction", () => proxy.falsify("eth_getTransactionReceipt", (truth) => ({ ...truth, transactionHash: `0x${"11".repeat(32)}` }))],
  ["another block under the receipt's number", () => proxy.falsify("eth_getBlockByNumber", (truth) => ({ ...truth, hash: `0x${"22".repeat(32)}` }))],
  ["nothing", () => (proxy.instead = "nothing")],
  ["a page of HTML", () => (proxy.instead = { status: 502, headers: { "content-type": "text/html" }, body: "<p>Bad gateway" })],
];
for (const [what, lie] of LIES) {
  test(`a node that answers ${what}: neither paid nor failed, and looked at again`, async () => {
    const one = await authorized();
    const hash = await transfer(one);
    await mine(chain, FINAL);
    lie();
    await answered(await pay(one, hash), 200);
    await until("a look that showed nothing", async () => (await allEvents(stack, one)).some(({ type }) => type === "SETTLEMENT_UNRESOLVED"));
    proxy.heal();
    await stands(stack, one, "SETTLED", 20_000);
  });
}

test("a block that is taken back takes the payment back with it, and the same payment in another block counts", async () => {
  const one = await authorized();
  const snapshot = await chain.rpc("evm_snapshot");
  const hash = await transfer(one);
  await answered(await pay(one, hash), 200);
  await until("a look", async () => (await allEvents(stack, one)).some(({ type }) => type === "SETTLEMENT_UNRESOLVED"));
  await chain.rpc("evm_revert", [snapshot]);
  await mine(chain, FINAL);
  const again = await transfer(one, { gas: "0x30d41" });
  assert.notEqual(again, hash);
  assert.equal((await seen(stack, one)).run.state, "SETTLING", "the first one is gone and may still come");
});

test("one transaction pays for one run", async () => {
  const [first, second] = [await authorized(), await authorized()];
  const hash = await transfer(first);
  await mine(chain, FINAL);
  await answered(await pay(first, hash), 200);
  await stands(stack, first, "SETTLED");
  await assertProblem(await pay(second, hash), 409, "signature_used");
  await assertProblem(await pay(second, hash.toUpperCase().replace("0X", "0x")), 409, "signature_used");
});

test("balances are the chain's", async () => {
  proxy.heal();
  const address = developmentAccount(5).address;
  const body = await answered(await stack.fetch(`/v1/chain/balances?address=${address}`), 200);
  assert.deepEqual([body.network, body.simulated, body.publicUsdc], [NETWORK, false, `${await chain.balanceOf(address)}`]);
  assert.equal(BigInt(body.native), BigInt(await chain.rpc("eth_getBalance", [address, "latest"])));
});
