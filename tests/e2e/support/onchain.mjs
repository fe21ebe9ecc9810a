// The facilitator on a chain of the test's own: starting it, asking it, and seeing on the chain what came of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { encodeDeployData, encodeFunctionData, getAddress, parseAbi, parseEventLogs, parseSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { developmentAccount, DOLLAR, startChain } from "../../chain.mjs";
import { FACILITATOR, start } from "../../harness.mjs";
import { freshAccount, sign, TERMS } from "./payment.mjs";
import { until } from "./waiting.mjs";

export const AMOUNT = BigInt(TERMS.amount);
/** What a fresh payer has. */
export const FUNDS = 1_000_000n;
/** The `Idempotency-Key` of a test that asks as one and the same asker. */
export const OWN_KEY = "a-key-of-the-test";
/** The keys that send, unless a test says otherwise: the first one alone. */
export const KEYS = [2, 3].map((digit) => `0x${`${digit}`.repeat(64)}`);
export const RELAYERS = KEYS.map((key) => privateKeyToAccount(key));
/** A development account that has nothing to do with any payment. */
export const STRANGER = developmentAccount(8).address;

export const TOKEN = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
  "function cancelAuthorization(address,bytes32,bytes)",
]);
const COINS = `0x${(10n ** 20n).toString(16)}`;

/**
 * Starts the facilitator alone, settling on `chain`.
 *
 * @param {object} chain of tests/chain.mjs
 * @param {object} [options]
 * @param {string[]} [options.rpc] RPC URLs in the place of the chain's own
 * @param {object} [options.network] over the settings of the network
 * @param {string[]} [options.keys] private keys of the relayers
 * @param {Record<string, string>} [options.vars] over the Worker's vars
 * @param {string} [options.persist] a folder to go on from
 */
export async function startFacilitator(chain, { persist, ...options } = {}) {
  await fundRelayers(chain);
  return start({ product: FACILITATOR, persist, facilitatorVars: settings(chain, options) });
}

/** Gives the relayers coins for gas. */
export async function fundRelayers(chain) {
  for (const { address } of RELAYERS) await chain.rpc("anvil_setBalance", [address, COINS]);
}

/** The vars that make the facilitator settle on `chain`. */
export function settings(chain, { rpc = [chain.url], network = {}, keys = [KEYS[0]], vars = {} } = {}) {
  const assets = [{ address: DOLLAR, name: "USDC", version: "2" }];
  return {
    SETTLE_ON: "chain",
    NETWORKS: JSON.stringify([{ network: TERMS.network, rpc, assets, ...network }]),
    RELAYER_KEYS: keys.join(","),
    ...vars,
  };
}

/**
 * Starts a chain and a facilitator on it for one test, and stops both after it. Blocks are made only when the test makes
 * them, and `/settle` waits only a moment for them.
 *
 * @param {object} context of the test
 * @param {object} [options] as of `startFacilitator`
 */
export async function slowChain(context, options = {}) {
  const chain = await startChain();
  context.after(() => chain.stop());
  const account = await payer(chain);
  const stack = await startFacilitator(chain, { ...options, vars: { SETTLE_WAIT_MS: "400", ...options.vars } });
  context.after(() => stack.stop());
  await chain.rpc("evm_setAutomine", [false]);
  return { chain, stack, account };
}

/** Asks to settle until the answer is another than that it is pending, or that the chain cannot be asked at the moment. */
export function outcome(stack, body, limit) {
  const ask = async () => {
    const answer = await settle(stack, body);
    return answer.errorReason !== "settlement_pending" && answer.status !== 503 && answer;
  };
  return until("an outcome", ask, limit);
}

/** How a settlement has gone so far: the names of its states, each as often as something happened in it. */
export function passed(stack) {
  const isOne = ({ event, object }) => event === "transition" && object.startsWith("settlement:");
  return stack.events().filter(isOne).map(({ to }) => to);
}

/** A new account with money to pay with, and none for gas. */
export async function payer(chain, funds = FUNDS) {
  const account = freshAccount();
  await chain.mint(account.address, funds);
  return account;
}

/** The body of `/verify` and `/settle` for a payment by `account`; `changes` as `sign` takes them. */
export async function request(account, changes) {
  return asked(await sign(account, changes));
}

/** The body of `/verify` and `/settle` for a payment that is signed already. */
export function asked(paymentPayload, requirements = {}) {
  return { x402Version: 2, paymentPayload, paymentRequirements: { ...TERMS, ...requirements } };
}

/** Asks whether a payment is valid, with the `Idempotency-Key` or, as most do, without one. */
export function verify(stack, body, key = null) {
  return post(stack, "/verify", body, key);
}

/** Asks to settle. Under the same key the answer is the same however often it is asked for; `null` is an asker without one. */
export function settle(stack, body, key = OWN_KEY) {
  return post(stack, "/settle", body, key);
}

async function post(stack, path, body, key) {
  const headers = key === null ? {} : { "idempotency-key": key };
  const answer = await stack.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.equal(answer.headers.get("content-type"), "application/json", text);
  return { status: answer.status, ...JSON.parse(text) };
}

/** The money has moved, and the answer says so in every field. */
export function assertSettled(answer, { paymentPayload: { payload } }) {
  const { transaction, ...rest } = answer;
  assert.match(transaction ?? "", /^0x[0-9a-f]{64}$/, JSON.stringify(answer));
  const expected = { success: true, payer: payload.authorization.from, network: TERMS.network, amount: TERMS.amount };
  assert.deepEqual(rest, { status: 200, ...expected });
  return transaction;
}

/** The answer is that nobody knows yet, and names the transaction. */
export function assertPending(answer) {
  const { status, success, errorReason } = answer;
  assert.deepEqual([status, success, errorReason], [200, false, "settlement_pending"], JSON.stringify(answer));
  assert.match(answer.transaction, /^0x[0-9a-f]{64}$/);
  return answer.transaction;
}

/** The answer is no, with this code. */
export function assertRefused(answer, code, transaction = "") {
  const said = [answer.success, answer.errorReason, answer.transaction, answer.network];
  assert.deepEqual(said, [false, code, transaction, TERMS.network], JSON.stringify(answer));
  assert.ok(answer.errorMessage.length > 0);
}

/** Neither yes nor no: the fields that official servers demand are there, and a reason that says that nothing is known. */
export function assertUnknown(answer) {
  assert.equal(answer.status, 503, JSON.stringify(answer));
  assertRefused(answer, "unexpected_settle_error");
}

/** The payer paid exactly once, in this transaction. */
export async function assertPaidOnce(chain, body, transaction) {
  const { from, to, value } = body.paymentPayload.payload.authorization;
  const moved = await transfers(chain, from);
  assert.deepEqual(moved.map(({ hash }) => hash), [transaction]);
  assert.deepEqual([moved[0].to.toLowerCase(), moved[0].value], [to.toLowerCase(), BigInt(value)]);
}

/** Deploys another token of the test dollar's kind, and returns its address. */
export async function deployDollar(chain, name, version) {
  const artifact = new URL("../../../contracts/artifacts/TestDollar.json", import.meta.url);
  const { abi, bytecode } = JSON.parse(readFileSync(artifact, "utf8"));
  const { contractAddress } = await chain.send({ data: encodeDeployData({ abi, bytecode, args: [name, version] }) });
  return getAddress(contractAddress);
}

/** What left an account since the chain began: `{ hash, to, value }`. */
export async function transfers(chain, from) {
  const logs = await chain.rpc("eth_getLogs", [{ address: DOLLAR, fromBlock: "0x0", toBlock: "latest" }]);
  return parseEventLogs({ abi: TOKEN, eventName: "Transfer", logs })
    .filter(({ args }) => args.from.toLowerCase() === from.toLowerCase())
    .map(({ transactionHash, args }) => ({ hash: transactionHash, to: args.to, value: args.value }));
}

/** How many transactions of a relayer are mined. */
export async function count(chain, { address } = RELAYERS[0]) {
  return Number(await chain.rpc("eth_getTransactionCount", [address, "latest"]));
}

/** Hashes of an account's transactions that wait to be mined. Those whose nonce is used wait for nothing. */
export async function waiting(chain, relayer = RELAYERS[0]) {
  const [{ pending, queued }, used] = [await chain.rpc("txpool_content"), await count(chain, relayer)];
  const of = (pool) => Object.entries(pool).filter(([from]) => from.toLowerCase() === relayer.address.toLowerCase());
  const lists = [...of(pending), ...of(queued)].map(([, list]) => Object.values(list));
  return lists.flat().filter(({ nonce }) => Number(nonce) >= used).map(({ hash }) => hash);
}

/** Makes `blocks` blocks at once. */
export function mine(chain, blocks = 1) {
  return chain.rpc("anvil_mine", [`0x${blocks.toString(16)}`]);
}

/** Has a stranger hand a payment's authorization to the token; `gas` goes over the transaction. Its hash. */
export function frontRun(chain, body, gas = {}) {
  const { authorization, signature } = body.paymentPayload.payload;
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const { r, s, v } = parseSignature(signature);
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, Number(v), r, s];
  const data = encodeFunctionData({ abi: TOKEN, functionName: "transferWithAuthorization", args });
  return chain.rpc("eth_sendTransaction", [{ from: STRANGER, to: DOLLAR, data, ...gas }]);
}

/** Has a stranger hand the payer's cancellation of its authorization to the token. Its hash. */
export async function cancel(chain, account, body, gas = {}) {
  const { nonce } = body.paymentPayload.payload.authorization;
  const types = { CancelAuthorization: [{ name: "authorizer", type: "address" }, { name: "nonce", type: "bytes32" }] };
  const domain = { name: "USDC", version: "2", chainId: 84532, verifyingContract: DOLLAR };
  const message = { authorizer: account.address, nonce };
  const signature = await account.signTypedData({ domain, types, primaryType: "CancelAuthorization", message });
  const data = encodeFunctionData({ abi: TOKEN, functionName: "cancelAuthorization", args: [account.address, nonce, signature] });
  return chain.rpc("eth_sendTransaction", [{ from: STRANGER, to: DOLLAR, data, ...gas }]);
}

/** A tip that comes before everybody else's. */
export const FIRST = { maxPriorityFeePerGas: "0x2540be400", maxFeePerGas: "0x4a817c800", gas: "0x30d40" };
