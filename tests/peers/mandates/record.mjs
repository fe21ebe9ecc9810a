// Writes tests/vectors/mandate_recording.json: `node tests/peers/mandates/record.mjs`, after the contract changed.
//
// One mandate lives a whole life on a development chain, beside a second one of the same parties. What a node says of each
// block is kept as it says it: the block, its transactions' receipts, the contract's logs, and the contract's views.
import { writeFileSync } from "node:fs";
import { decodeErrorResult, encodeFunctionData, keccak256, parseAbi, stringToBytes } from "viem";
import { DOLLAR, MANDATES, CHAIN_ID, developmentAccount, startChain } from "../../chain.mjs";
import { abi } from "./story.mjs";
import { types, structHash } from "./signing.mjs";

const HOUR = 3_600;
const DAY = 86_400;
/** Days: a test that plays the recording by the clock of its own day must find requests that are still good. */
const LONG = 36_500;
const [owner, agent, provider, resolver, relayer] = [2, 3, 4, 5, 6].map(developmentAccount);
const domain = { name: "Guildhall Mandates", version: "1", chainId: CHAIN_ID, verifyingContract: MANDATES };
const tokenAbi = parseAbi(["function approve(address spender, uint256 value) returns (bool)"]);
const dollars = (amount) => BigInt(amount) * 1_000_000n;
const text = (words) => keccak256(stringToBytes(words));
const hex = (number) => `0x${number.toString(16)}`;
const NOBODY = { validBefore: 0, signature: "0x" };
const ANYONE = "0x0000000000000000000000000000000000000000";
const TRANSLATE = text("translate");
const SUMMARIES = text("api.example.com/v1/summaries");
const GAS = hex(2_000_000);

const chain = await startChain();
const rpc = (method, ...params) => chain.rpc(method, params);
const block = (tag) => rpc("eth_getBlockByNumber", tag, false);
const start = Number((await block("latest")).timestamp);

const terms = { challengePeriod: HOUR, resolutionTimeout: DAY, silenceBps: 2_500, resolver: resolver.address };
const policy = {
  validAfter: 0,
  validBefore: start + LONG * DAY,
  paymentCap: dollars(100),
  dayCap: dollars(300),
  monthCap: dollars(2_000),
  lifetimeCap: dollars(5_000),
  dayCount: 20,
  approvalAbove: dollars(50),
  terms,
};
const entries = [
  { recipient: provider.address, service: TRANSLATE, paymentCap: dollars(90), windowCap: dollars(280), window: 0 },
  { recipient: ANYONE, service: SUMMARIES, paymentCap: dollars(30), windowCap: dollars(60), window: 1 },
];
const made = { ownerKind: 0, agentKind: 0, agent: agent.address, token: DOLLAR, amendDelay: DAY, policy, entries };
const salts = { first: text("recorded"), second: text("beside it") };

/** What a view answers, as the node says it. */
const view = (functionName, args, tag) =>
  rpc("eth_call", { to: MANDATES, data: encodeFunctionData({ abi, functionName, args }) }, tag);
const first = await view("mandateOf", [owner.address, salts.first], "latest");
const second = await view("mandateOf", [owner.address, salts.second], "latest");

/** Requests by their labels. */
const requests = new Map();
const steps = [];
/** The newest block that is recorded. */
let recorded = Number((await block("latest")).number);
let moment = start;

/** Has the next block be so many seconds after the newest. */
async function pass(seconds) {
  moment = Number((await block("latest")).timestamp) + seconds;
  await rpc("evm_setNextBlockTimestamp", hex(moment));
}

function request(label, amount, { service = TRANSLATE, version = 1n, mandate = first, days = LONG } = {}) {
  const made = {
    mandate,
    policyVersion: version,
    requestId: text(`request ${label}`),
    token: DOLLAR,
    maxAmount: dollars(amount),
    recipient: provider.address,
    service,
    jobHash: text(`job ${label}`),
    validAfter: 0,
    validBefore: moment + days * DAY,
    deliverBy: moment + days * DAY,
    captureBy: moment + (days + 10) * DAY,
    refundBy: moment + (days + 40) * DAY,
    terms,
  };
  requests.set(label, { request: made, payment: structHash("PaymentRequest", made) });
  return made;
}

const sign = (account, primaryType, message) => account.signTypedData({ domain, types, primaryType, message });
const data = (functionName, args) => encodeFunctionData({ abi, functionName, args });
const send = (from, functionName, args) =>
  chain.send({ from: from.address, to: MANDATES, data: data(functionName, args) });

/** Writes down every block since the last one that is written down. */
async function note(did, answers = []) {
  const head = Number((await block("latest")).number);
  for (let number = recorded + 1; number <= head; number += 1) steps.push(await shown(did, hex(number), answers));
  recorded = head;
}

async function shown(did, tag, answers) {
  const { number, hash, parentHash, timestamp, transactions } = await block(tag);
  const sent = await Promise.all(transactions.map((hash) => rpc("eth_getTransactionByHash", hash)));
  const receipts = await Promise.all(transactions.map((hash) => rpc("eth_getTransactionReceipt", hash)));
  const calls = sent.map(({ hash, from, to, input }, index) => ({ hash, from, to, input, status: receipts[index].status }));
  const ids = [...requests.values()].map(({ payment }) => payment);
  const payments = await Promise.all(ids.map(async (id) => ({ id, returns: await view("payment", [id], tag) })));
  const logs = await rpc("eth_getLogs", { address: MANDATES, blockHash: hash });
  return {
    did,
    block: { number, hash, parentHash, timestamp },
    calls: calls.filter(({ to }) => to?.toLowerCase() === MANDATES.toLowerCase()),
    answers,
    logs: logs.map(({ topics, data, transactionHash, logIndex }) => ({ topics, data, transactionHash, logIndex })),
    final: (await block("finalized")).number,
    mandate: await view("mandate", [first], tag),
    pending: await view("pendingAmendment", [first], tag),
    ceiling: await view("ceiling", [owner.address, agent.address, DOLLAR], tag),
    entries: await Promise.all(
      entries.map(async ({ recipient, service }) => ({
        recipient,
        service,
        returns: await view("entry", [first, recipient, service], tag),
      })),
    ),
    payments: payments.filter(({ returns }) => BigInt(returns.slice(0, 66)) !== 0n),
  };
}

/** Sends one call in a block of its own, and writes it down. */
async function does(did, from, functionName, args) {
  await send(from, functionName, args);
  await note(did);
}

/** What the contract says to a call that it refuses, by a node that is asked before anything is sent. */
async function refusal(from, args) {
  const answer = await fetch(chain.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "eth_call",
      params: [{ from: from.address, to: MANDATES, data: data("authorize", args) }, "latest"],
    }),
  });
  const { error } = await answer.json();
  const { errorName } = decodeErrorResult({ abi, data: error.data });
  if (errorName !== "Refused") throw new Error(`the contract says ${errorName}`);
  return error.data;
}

const signedBy = (made) => sign(agent, "PaymentRequest", made);
async function authorizes(label, amount, options) {
  const made = request(label, amount, options);
  await does(`authorize ${label}`, relayer, "authorize", [made, await signedBy(made), NOBODY]);
  return made;
}
const delivers = (label, made) => does(`deliver ${label}`, provider, "deliver", [made, text(`receipt ${label}`), "0x"]);
const disputes = (label, made) => does(`dispute ${label}`, owner, "dispute", [made, text(`evidence ${label}`), "0x"]);

async function begins() {
  await does("create", owner, "create", [{ salt: salts.first, ...made }]);
  await does("create the second", owner, "create", [{ salt: salts.second, ...made }]);
  const approve = encodeFunctionData({ abi: tokenAbi, functionName: "approve", args: [MANDATES, dollars(2_000)] });
  for (const from of [owner, provider]) await chain.send({ from: from.address, to: DOLLAR, data: approve });
  await does("fund", owner, "fund", [first, dollars(600)]);
  await does("fund the second", owner, "fund", [second, dollars(100)]);
  await does("set a ceiling", owner, "setCeiling", [agent.address, DOLLAR, dollars(250)]);
}

/** Under the threshold, above it with and without approval, and what is refused. */
async function authorizations() {
  const small = await authorizes("small", 40);
  const above = request("above", 95);
  const told = await refusal(relayer, [above, await signedBy(above), NOBODY]);
  await rpc("evm_mine");
  await note("a request above its entry's cap is refused before it is sent", [{ request: "above", returns: told }]);

  const large = request("large", 80);
  const agents = await signedBy(large);
  const alone = data("authorize", [large, agents, NOBODY]);
  const missing = await refusal(relayer, [large, agents, NOBODY]);
  const hash = await rpc("eth_sendTransaction", { from: relayer.address, to: MANDATES, data: alone, gas: GAS });
  if ((await rpc("eth_getTransactionReceipt", hash)).status !== "0x0") throw new Error("it was not reverted");
  await note("a transaction without the owner's approval is reverted", [{ request: "large", returns: missing }]);

  const validBefore = moment + DAY;
  const signature = await sign(owner, "Approval", { request: large, approver: owner.address, validBefore });
  await does("authorize large", relayer, "authorize", [large, agents, { validBefore, signature }]);
  await authorizes("beside", 10, { mandate: second });

  const batch = [request("batched", 20, { service: SUMMARIES }), request("in vain", 31, { service: SUMMARIES })];
  const items = batch.map((request) => ({ request, agentSignature: "0x", approval: NOBODY }));
  await does("authorize a batch, of which one is refused", agent, "authorizeBatch", [items, 0]);
  return { small, large, batched: batch[0] };
}

async function endings({ small, large, batched }) {
  // Two transactions in one block.
  await rpc("evm_setAutomine", false);
  const both = [
    chain.send({ from: provider.address, to: MANDATES, data: data("deliver", [small, text("receipt"), "0x"]), gas: GAS }),
    chain.send({ from: owner.address, to: MANDATES, data: data("accept", [small, "0x"]), gas: GAS }),
  ];
  for (let waiting = 0; waiting < 2; ) waiting = Number((await rpc("txpool_status")).pending);
  await rpc("evm_mine");
  await Promise.all(both);
  await rpc("evm_setAutomine", true);
  await note("deliver and accept small");

  await delivers("large", large);
  await disputes("large", large);
  await does("resolve large", resolver, "resolve", [large, dollars(50), "0x"]);
  await does("refund large", provider, "refund", [large, dollars(20), "0x"]);
  await does("void batched", provider, "void", [batched, "0x"]);

  const killed = request("killed", 5);
  await does("cancel killed", agent, "cancelRequest", [killed, "0x"]);
  const late = await authorizes("late", 10, { days: 1 });
  const silent = await authorizes("silent", 20);
  await delivers("silent", silent);
  await disputes("silent", silent);
  const parts = await authorizes("parts", 30);
  await delivers("parts", parts);
  await pass(HOUR);
  await does("capture a part", provider, "capture", [parts, dollars(12), "0x"]);
  await does("claim the rest", relayer, "claim", [parts]);
  const whole = await authorizes("whole", 15, { service: SUMMARIES });
  await delivers("whole", whole);
  await pass(DAY);
  await does("capture all", provider, "capture", [whole, dollars(15), "0x"]);
  await does("time silent out", relayer, "timeOut", [silent]);
  await does("expire late", relayer, "expire", [late]);
}

async function changes() {
  await does("pause", owner, "pause", [first]);
  await does("unpause", owner, "unpause", [first]);
  const tighter = { expectedVersion: 1n, policy: { ...policy, dayCap: dollars(280) }, entries: [] };
  await does("amend, tighter", owner, "amend", [first, tighter]);
  const looser = { expectedVersion: 2n, policy, entries: [{ ...entries[1], windowCap: dollars(90) }] };
  await does("amend, looser", owner, "amend", [first, looser]);
  await does("forget the amendment", owner, "cancelAmendment", [first]);
  await does("amend, looser again", owner, "amend", [first, looser]);
  await pass(DAY);
  await does("apply the amendment", relayer, "applyAmendment", [first, looser]);
  await does("raise the ceiling", owner, "setCeiling", [agent.address, DOLLAR, dollars(270)]);
}

/** Three blocks leave the chain; others come in their place, in which one of two requests is authorized again. */
async function reorganization() {
  const lost = request("lost", 25, { version: 3n });
  const kept = request("kept", 35, { version: 3n });
  const signatures = [await signedBy(lost), await signedBy(kept)];
  await does("authorize lost", relayer, "authorize", [lost, signatures[0], NOBODY]);
  await does("authorize kept", relayer, "authorize", [kept, signatures[1], NOBODY]);
  const depth = 2;
  await rpc("anvil_reorg", depth, []);
  recorded -= depth;
  await note("a reorganization");
  await does("authorize kept again", relayer, "authorize", [kept, signatures[1], NOBODY]);
  await delivers("kept", kept);
}

async function ends() {
  await does("withdraw", owner, "withdraw", [first, dollars(100), owner.address]);
  await does("revoke", owner, "revoke", [first]);
  for (let empty = 0; empty < 3; empty += 1) await rpc("evm_mine");
  await note("nothing");
}

try {
  await begins();
  await endings(await authorizations());
  await changes();
  await reorganization();
  await ends();
} finally {
  await chain.stop();
}

const recording = {
  about:
    "A mandate of the contract Mandates on a development chain, recorded by tests/peers/mandates/record.mjs: for each " +
    "block what a node says of it, with the calls of the contract, its logs, and what its views answer at that block. " +
    "`answers` are the refusals that the contract gave before the block. A block whose number was there before takes the " +
    "place of that one and of all that followed it.",
  chainId: CHAIN_ID,
  contract: MANDATES,
  token: DOLLAR,
  parties: Object.fromEntries(
    Object.entries({ owner, agent, provider, resolver, relayer }).map(([name, { address }]) => [name, address]),
  ),
  mandate: first,
  beside: second,
  requests: Object.fromEntries([...requests].map(([label, { payment }]) => [label, payment])),
  steps,
};
const path = new URL("../../vectors/mandate_recording.json", import.meta.url);
writeFileSync(path, `${JSON.stringify(recording, null, 1)}\n`);
console.log(`${steps.length} blocks, ${requests.size} requests`);
