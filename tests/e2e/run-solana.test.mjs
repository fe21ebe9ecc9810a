// Settlement on Solana, by a node that may say anything: a payment is verified, or failed with its reason, or not yet known,
// and never the wrong one of these.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  MINUTE, allEvents, assertJournal, call, freshWallet, over, purchase, registered, runVars, seen, standing, stands, types, walk,
  walletState,
} from "./support/run.mjs";
import { NETWORK, SolanaNode, USDC, freshAddress, freshSignature } from "./support/solana.mjs";
import { until } from "./support/waiting.mjs";

const KEY = "an-rpc-key-that-stays-here";
const HEADER = "x-rpc-key";

let node;
let stack;
let executor;

before(async () => {
  node = await SolanaNode.open();
  stack = await start(runVars({ RUN_SETTLEMENT: NETWORK, SOLANA_RPC_URL: node.url, SOLANA_RPC_API_KEY: KEY, SOLANA_RPC_API_KEY_HEADER: HEADER }));
  executor = await registered(stack);
});
after(async () => {
  await stack?.stop();
  await node?.stop();
});

const pay = (one, signature, more = {}) => call(stack, one.token, "POST", `/v1/runs/${one.run}/payment`, { signature, ...more });

/** A run whose wallet may now pay, and the transfer that is asked of it. */
async function authorized() {
  node.heal();
  const one = await standing(stack, "PAYMENT_AUTHORIZED", { executor, wallet: freshAddress() });
  const { requirement, authorization } = (await seen(stack, one)).run.payment;
  const transfer = { payer: authorization.wallet, receiver: requirement.payTo, amount: requirement.gross, reference: requirement.reference };
  return { ...one, transfer, requirement };
}

async function unresolved(one) {
  return until("a look that showed nothing", async () => {
    const { events } = await seen(stack, one);
    return events.find(({ type }) => type === "SETTLEMENT_UNRESOLVED");
  });
}

test("a transfer that pays what was asked is verified, and the shop's order follows", async () => {
  const one = await authorized();
  assert.ok(one.requirement.asset.startsWith(`${NETWORK}/`) && one.requirement.asset.endsWith(USDC), one.requirement.asset);
  const signature = node.transfer(one.transfer);
  await answered(await pay(one, signature), 200);
  const { run } = await stands(stack, one, "SETTLED");
  assert.equal(run.payment.signature, signature);
  assert.match(run.payment.settlement, /\d/);
  const verified = (await allEvents(stack, one)).find(({ type }) => type === "SETTLEMENT_VERIFIED");
  assert.equal(verified.payload.received, one.requirement.gross);
  await walk(stack, { ...one, sent: { ...one.sent, pay: true } }, "ORDER_CONFIRMED");
  await assertJournal(stack, one);
  const [{ params }] = node.asked.filter(({ method }) => method === "getTransaction");
  assert.deepEqual(params[1], { encoding: "jsonParsed", commitment: "finalized", maxSupportedTransactionVersion: 0 });
});

const WRONG = [
  ["reverted", (t) => node.transfer({ ...t, change: ({ meta }) => Object.assign(meta, { err: { InstructionError: [0, "Custom"] }, status: { Err: {} } }) })],
  ["amount_too_small", (t) => node.transfer({ ...t, amount: `${BigInt(t.amount) - 1n}` })],
  ["wrong_receiver", (t) => node.transfer({ ...t, receiver: freshAddress() })],
  ["wrong_payer", (t) => node.transfer({ ...t, payer: freshAddress() })],
  ["wrong_mint", (t) => node.transfer({ ...t, mint: freshAddress() })],
  ["outside_window", (t) => node.transfer({ ...t, blockTime: Math.floor(Date.now() / 1000) - 3600 })],
];
for (const [code, make] of WRONG) {
  test(`a final transaction that is not the payment fails the run: ${code}`, async () => {
    const one = await authorized();
    await answered(await pay(one, make(one.transfer)), 200);
    const { run } = await over(stack, one);
    assert.deepEqual([run.state, run.failure.code, run.order], ["SETTLEMENT_FAILED", code, null]);
    await assertJournal(stack, one);
  });
}

const UNKNOWN = [
  ["null", () => node.falsify("getTransaction", null)],
  ["an error", () => node.refuse("getTransaction", { code: -32005, message: "Node is behind" })],
  ["an answer of another form", () => node.falsify("getTransaction", { slot: "seven" })],
  ["another transaction", () => node.falsify("getTransaction", (_, truth) => ({ ...truth, transaction: { ...truth.transaction, signatures: [freshSignature()] } }))],
  ["no meta", () => node.falsify("getTransaction", (_, truth) => ({ ...truth, meta: null }))],
  ["no time", () => node.falsify("getTransaction", (_, truth) => ({ ...truth, blockTime: null }))],
  ["other decimals", () => node.falsify("getTransaction", (_, truth) => JSON.parse(JSON.stringify(truth).replaceAll('"decimals":6', '"decimals":2')))],
  ["a fraction in place of units", () => node.falsify("getTransaction", (_, truth) => JSON.parse(JSON.stringify(truth).replaceAll(/"amount":"(\d+)"/g, '"amount":"$1.0"')))],
  ["a page of HTML", () => (node.instead = { status: 200, body: "<p>It works" })],
  ["too many requests", () => (node.instead = { status: 429, body: "{}" })],
  ["a fault", () => (node.instead = { status: 503, body: "" })],
  ["nothing", () => (node.instead = "nothing")],
  ["more than anybody reads", () => (node.instead = { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: "x".repeat(3_000_000) }) })],
];
for (const [what, lie] of UNKNOWN) {
  test(`a node that answers ${what}: neither paid nor failed, and looked at again`, async () => {
    const one = await authorized();
    const signature = node.transfer(one.transfer);
    lie();
    await answered(await pay(one, signature), 200);
    const { payload } = await unresolved(one);
    assert.ok(payload.reason.length > 0 && !payload.reason.includes(KEY) && !payload.reason.includes("127.0.0.1"), payload.reason);
    assert.equal((await seen(stack, one)).run.state, "SETTLING");
    await assertProblem(await call(stack, one.token, "POST", `/v1/runs/${one.run}/cancel`), 409, "payment_under_way");
    node.heal();
    await stands(stack, one, "SETTLED", 20_000);
  });
}

test("one signature pays for one run, whoever comes second", async () => {
  const [first, second] = [await authorized(), await authorized()];
  const signature = node.transfer(first.transfer);
  await answered(await pay(first, signature), 200);
  await stands(stack, first, "SETTLED");
  await assertProblem(await pay(second, signature), 409, "signature_used");
  assert.equal((await seen(stack, second)).run.state, "PAYMENT_AUTHORIZED");
  const twins = [await authorized(), await authorized()];
  const shared = node.transfer(twins[0].transfer);
  const answers = await Promise.all(twins.map((one) => pay(one, shared)));
  await stands(stack, twins[0], "SETTLED");
  if (answers[1].ok) assert.equal((await over(stack, twins[1])).run.state, "SETTLEMENT_FAILED");
  else await assertProblem(answers[1], 409, "signature_used");
});

test("a transaction that is in no block when its time is over has failed, whatever its wallet says before", async () => {
  const one = await authorized();
  await answered(await pay(one, freshSignature(), { lastValidBlockHeight: node.height + 150 }), 200);
  await unresolved(one);
  assert.equal((await seen(stack, one)).run.state, "SETTLING");
  // The wallet's word of the last block is no proof: it could be too low, and the payment still land.
  node.height += 200;
  await until("another look", async () => types((await seen(stack, one)).events).filter((type) => type === "SETTLEMENT_UNRESOLVED").length > 1);
  assert.equal((await seen(stack, one)).run.state, "SETTLING");
  node.ahead = 3600;
  const { run } = await over(stack, one, 20_000);
  assert.equal(run.state, "SETTLEMENT_FAILED");
  node.ahead = 0;
});

test("what is no signature of this chain is refused, and the right one still counts", async () => {
  const one = await authorized();
  const others = [`sim_${"1".repeat(64)}`, `0x${"ab".repeat(32)}`, freshSignature().slice(1, 40), `${freshSignature()}0`, freshAddress()];
  for (const bad of others) {
    const answer = await pay(one, bad);
    assert.ok([400, 422].includes(answer.status), `${bad}: ${answer.status}`);
  }
  assert.equal((await seen(stack, one)).run.state, "PAYMENT_AUTHORIZED");
  await answered(await pay(one, node.transfer(one.transfer)), 200);
  await stands(stack, one, "SETTLED");
});

test("a wallet of another chain is refused: it could pay nothing here", async () => {
  const one = await standing(stack, "WALLET_REQUIRED", { executor });
  for (const other of [freshWallet(), "sim_wallet_1", freshAddress().slice(0, 30)]) {
    const answer = await call(stack, one.token, "POST", `/v1/runs/${one.run}/wallet-state`, walletState(other));
    assert.ok([400, 422].includes(answer.status), `${other}: ${answer.status}`);
  }
  assert.equal((await seen(stack, one)).run.state, "WALLET_REQUIRED");
});

test("balances come through our server, and the node's key stays there", async () => {
  node.heal();
  const address = freshAddress();
  node.holdings.set(address, { lamports: 2_500_000_000, usdc: 12_345_678 });
  stack.clearLogs();
  const answer = await stack.fetch(`/v1/chain/balances?address=${address}`);
  const body = await answered(answer, 200);
  assert.deepEqual(body, { address, network: NETWORK, publicUsdc: "12345678", native: "2500000000", simulated: false });
  assert.ok(node.asked.every(({ headers, url }) => headers[HEADER] === KEY && !url.includes(KEY)), "the key goes with each request, as a header");
  node.instead = { status: 401, body: `{"error":"bad key ${KEY}"}` };
  const refused = await stack.fetch(`/v1/chain/balances?address=${address}`);
  const text = await refused.text();
  assert.equal(refused.status, 503, text);
  node.heal();
  const everything = [JSON.stringify(body), JSON.stringify([...answer.headers]), text, stack.logs().map(({ message }) => message).join("\n")].join("\n");
  assert.ok(!everything.includes(KEY) && !everything.includes(node.url), "neither the key nor the node's address");
  for (const bad of ["0x00000000000000000000000000000000000000aa", "x", address.slice(1, 20)]) {
    assert.ok([400, 422].includes((await stack.fetch(`/v1/chain/balances?address=${bad}`)).status), bad);
  }
});

test("what the wallet has is read from the chain, whatever it says of itself", async () => {
  node.heal();
  const wallet = freshAddress();
  node.holdings.set(wallet, { lamports: 1, usdc: 777 });
  const one = purchase({ executor, wallet });
  await walk(stack, one, "USER_CONFIRMATION");
  const { run } = await seen(stack, one);
  assert.equal(run.payment.balances.publicUsdc, "777");
  assert.ok(Date.parse(run.payment.requirement.expiresAt) > Date.now() && Date.parse(run.payment.requirement.expiresAt) < Date.now() + 24 * 60 * MINUTE);
  assert.ok(types(await allEvents(stack, one)).includes("FUNDS_CHECKED"));
});
