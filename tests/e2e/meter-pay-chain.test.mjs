// Bills that a transaction pays: real transfers of the test dollar on a chain of the test's own, named by whoever sent them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { encodeFunctionData, parseAbi } from "viem";
import { DOLLAR, developmentAccount, startChain } from "../chain.mjs";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { billNow, billed, owed, payment, placeOf, settle, stands, used } from "./support/bills.mjs";
import { VARS, ahead, ask, party } from "./support/mandate.mjs";
import { frontRun, mine } from "./support/onchain.mjs";
import { RpcProxy } from "./support/rpc.mjs";
import { until } from "./support/waiting.mjs";

const ABI = parseAbi(["function transfer(address to, uint256 amount)"]);
const FINAL = 3;
const [PAYER, STRANGER] = [developmentAccount(3), developmentAccount(4)];

let chain;
let proxy;
let stack;

before(async () => {
  chain = await startChain();
  proxy = await RpcProxy.open(chain.url);
  stack = await start({ edgeVars: { ...VARS.edgeVars, EVM_RPC_URL: proxy.url } });
});
after(async () => {
  await stack?.stop();
  await proxy?.stop();
  await chain?.stop();
});

/** Transfers test dollars as a bill asks, unless something is changed; the transaction's hash. */
function transfer({ tenant, bill }, { from = PAYER, to = tenant.payTo, amount = bill.amount, ...more } = {}) {
  const data = encodeFunctionData({ abi: ABI, functionName: "transfer", args: [to, BigInt(amount)] });
  return chain.rpc("eth_sendTransaction", [{ from: from.address, to: DOLLAR, data, ...more }]);
}

/** Names a transaction as whoever has sent it. */
function name({ bill }, transaction, { by = PAYER, payer = by ?? PAYER } = {}) {
  return ask(stack, by, "POST", bill.links.transaction, { transaction, payer: payer.address });
}

test("a transfer settles the bill once its block is final, and not before", async () => {
  const one = await billed(stack);
  const transaction = await transfer(one);
  const submitted = await answered(await name(one, transaction), 200);
  assert.equal(submitted.status, "submitted");
  assert.deepEqual([submitted.payment.method, submitted.payment.transaction], ["transaction", transaction]);
  await until("a look at a block that is not final", async () => (await billNow(stack, one)).unknown);
  await mine(chain, FINAL);
  const bill = await stands(stack, one, "verified", 30_000);
  assert.equal(bill.proof, transaction);
  assert.equal(await chain.balanceOf(one.tenant.payTo), BigInt(one.bill.amount));
  assert.equal((await owed(stack, one)).quantity, "0");
});

const WRONG = [
  ["reverted", (one) => transfer(one, { amount: 10n ** 30n, gas: "0x30d40" })],
  ["amount_too_small", (one) => transfer(one, { amount: BigInt(one.bill.amount) - 1n })],
  ["amount_not_exact", (one) => transfer(one, { amount: BigInt(one.bill.amount) + 1n })],
  ["wrong_receiver", (one) => transfer(one, { to: STRANGER.address })],
  ["wrong_payer", (one) => transfer(one, { from: STRANGER })],
  ["not_transferred", () => chain.rpc("eth_sendTransaction", [{ from: PAYER.address, to: STRANGER.address, value: "0x1" }])],
];
for (const [code, make] of WRONG) {
  test(`a transaction that is not the payment fails the bill, whose usage is open again: ${code}`, async () => {
    const one = await billed(stack);
    const transaction = await make(one);
    await mine(chain, FINAL);
    await answered(await name(one, transaction), 200);
    const bill = await stands(stack, one, "failed", 30_000);
    assert.equal(bill.failure.code, code, bill.failure.reason);
    assert.equal((await owed(stack, one)).quantity, one.bill.quantity);
  });
}

test("one transaction pays one bill", async () => {
  const first = await billed(stack);
  const second = await billed(stack, { tenant: first.tenant });
  assert.equal(first.bill.amount, second.bill.amount);
  const transaction = await transfer(first);
  await mine(chain, FINAL);
  // Both are named at once: one of them is paid.
  const named = await Promise.all([first, second].map((one) => name(one, transaction)));
  // The second may be refused before it is submitted, or fail afterwards.
  const ends = await Promise.all([first, second].map(async (one, index) => {
    if (named[index].status === 409) {
      await assertProblem(named[index], 409, "transaction_used");
      return (await billNow(stack, one)).status;
    }
    await answered(named[index], 200);
    return until("an end", async () => {
      const { status } = await billNow(stack, one);
      return ["verified", "failed"].includes(status) && status;
    }, 30_000);
  }));
  assert.equal(ends.filter((status) => status === "verified").length, 1, ends.join());
  assert.ok(ends.includes(named.some(({ status }) => status === 409) ? "drafted" : "failed"), ends.join());
});

test("a transaction that has paid a bill is refused by name for another", async () => {
  const first = await billed(stack);
  const transaction = await transfer(first);
  await mine(chain, FINAL);
  await answered(await name(first, transaction), 200);
  await stands(stack, first, "verified", 30_000);
  const second = await billed(stack, { tenant: first.tenant });
  await assertProblem(await name(second, transaction), 409, "transaction_used");
  await assertProblem(await name(second, `0x${transaction.slice(2).toUpperCase()}`), 409, "transaction_used");
  assert.equal((await billNow(stack, second)).status, "drafted");
});

test("nobody names what another has sent", async () => {
  const one = await billed(stack);
  const transaction = await transfer(one);
  await mine(chain, FINAL);
  await assertProblem(await name(one, transaction, { by: party(), payer: PAYER }), 403, "not_party");
  const unsigned = await name(one, transaction, { by: null });
  assert.equal(unsigned.status, 401, await unsigned.text());
  assert.equal((await billNow(stack, one)).status, "drafted");
  await answered(await name(one, transaction), 200);
  await stands(stack, one, "verified", 30_000);
});

test("what an x402 payment has moved pays no other bill", async () => {
  const one = await billed(stack);
  const account = party();
  await chain.mint(account.address, 1_000_000n);
  const paymentPayload = await payment(one, account);
  const transaction = await frontRun(chain, { paymentPayload });
  await mine(chain, FINAL);
  await answered(await name(one, transaction, { by: account }), 200);
  const bill = await stands(stack, one, "failed", 30_000);
  assert.equal(bill.failure.code, "authorized_elsewhere");
});

test("a transaction that nobody knows is looked for, neither paid nor failed", async () => {
  const one = await billed(stack);
  await answered(await name(one, `0x${"11".repeat(32)}`), 200);
  const now = await until("a look", async () => {
    const bill = await billNow(stack, one);
    return bill.unknown && bill;
  });
  assert.equal(now.status, "submitted");
  assert.equal((await owed(stack, one)).quantity, "0");
});

test("a node that is away or lies: neither paid nor failed, and looked at again", async () => {
  for (const lie of [
    () => proxy.invent("eth_getTransactionReceipt", () => null),
    () => proxy.refuse("eth_getTransactionReceipt", { code: -32000, message: "header not found" }),
    () => (proxy.instead = "nothing"),
  ]) {
    const one = await billed(stack);
    const transaction = await transfer(one);
    await mine(chain, FINAL);
    lie();
    await answered(await name(one, transaction), 200);
    await until("a look that showed nothing", async () => (await billNow(stack, one)).unknown, 20_000);
    proxy.heal();
    await stands(stack, one, "verified", 30_000);
  }
});

test("killed while a transaction is looked at: it has paid once", async () => {
  for (const moment of [0, 10, 30, 60]) {
    const one = await billed(stack);
    const transaction = await transfer(one);
    await mine(chain, FINAL);
    const first = name(one, transaction).catch(() => undefined);
    await new Promise((resume) => setTimeout(resume, moment));
    await stack.crash();
    await first;
    const again = await name(one, transaction);
    assert.ok([200, 409].includes(again.status), `${moment} ms: ${await again.text()}`);
    await stands(stack, one, "verified", 30_000);
    assert.equal((await owed(stack, one)).quantity, "0");
  }
});

test("where no chain is looked at, a transaction is refused with what to do instead", async (context) => {
  const blind = await start(VARS);
  context.after(() => blind.stop());
  const seeing = stack;
  stack = blind;
  try {
    const one = await billed(stack);
    const problem = await assertProblem(await name(one, `0x${"22".repeat(32)}`), 422, "transaction_unsupported");
    assert.match(problem.detail, /\/pay/);
    assert.equal((await billNow(stack, one)).status, "drafted");
  } finally {
    stack = seeing;
  }
});

// The last one here: a clock that went back knows signatures no more that were over by then.
test("a transfer from before the bill does not pay it", async () => {
  const place = await placeOf(stack);
  await used(stack, place, "40");
  const transaction = await transfer({ ...place, bill: { amount: "10000" } });
  await mine(chain, FINAL);
  await ahead(stack, 10 * 60_000);
  try {
    const one = { ...place, bill: await settle(stack, place) };
    assert.equal(one.bill.amount, "10000");
    await answered(await name(one, transaction), 200);
    const bill = await stands(stack, one, "failed", 30_000);
    assert.equal(bill.failure.code, "outside_window");
  } finally {
    await ahead(stack, 0);
  }
});
