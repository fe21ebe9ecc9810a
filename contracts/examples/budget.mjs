// An owner gives an agent a budget; the agent pays within it, is stopped at a cap, and waits for an approval. On the
// development chain, with its public keys:
//
//   cargo xtask dev                                              in one terminal; it prints where its chain answers
//   node contracts/examples/budget.mjs http://127.0.0.1:8545     in another
import { readFileSync } from "node:fs";
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  formatUnits,
  http,
  keccak256,
  parseAbi,
  stringToBytes,
} from "viem";
import { generatePrivateKey, mnemonicToAccount } from "viem/accounts";
import { ADDRESS as MANDATES } from "../deploy/mandates.mjs";

const DOLLAR = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const MNEMONIC = "test test test test test test test test test test test junk";
const DAY = 86_400;
const { abi } = JSON.parse(readFileSync(new URL("../artifacts/Mandates.json", import.meta.url), "utf8"));
const dollarAbi = parseAbi([
  "function approve(address spender, uint256 value) returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
]);
/** Number to name, as in src/mandates/Reason.sol. */
const REASONS = enumNames("Reason.sol", "Reason");
const STATES = enumNames("Types.sol", "State");

const url = process.argv[2];
if (url === undefined) throw new Error("Say where the chain answers: node contracts/examples/budget.mjs <url>");
const transport = http(url);
const chain = createPublicClient({ transport, pollingInterval: 50 });
const [owner, agent, provider, resolver] = [2, 3, 4, 5].map((addressIndex) => mnemonicToAccount(MNEMONIC, { addressIndex }));
const dollars = (amount) => BigInt(amount) * 1_000_000n;
const random = generatePrivateKey;

const chainId = await chain.getChainId();
const domain = { name: "Guildhall Mandates", version: "1", chainId, verifyingContract: MANDATES };
const fields = (text) => text.split(",").map((field) => ({ type: field.split(" ")[0], name: field.split(" ")[1] }));
const types = {
  Terms: fields("uint32 challengePeriod,uint32 resolutionTimeout,uint16 silenceBps,address resolver"),
  PaymentRequest: fields(
    "bytes32 mandate,uint64 policyVersion,bytes32 requestId,address token,uint128 maxAmount,address recipient," +
      "bytes32 service,bytes32 jobHash,uint48 validAfter,uint48 validBefore,uint48 deliverBy,uint48 captureBy," +
      "uint48 refundBy,Terms terms",
  ),
  Approval: fields("PaymentRequest request,address approver,uint48 validBefore"),
};

// 1. The owner makes the rules: at most 100 a payment and 150 a day, to one provider, above 50 only with approval.
const now = Number((await chain.getBlock()).timestamp);
const service = keccak256(stringToBytes("text.transform"));
const terms = { challengePeriod: 600, resolutionTimeout: DAY, silenceBps: 5_000, resolver: resolver.address };
const caps = { paymentCap: dollars(100), dayCap: dollars(150), monthCap: dollars(1_000), lifetimeCap: dollars(5_000) };
const policy = { validAfter: 0, validBefore: now + 30 * DAY, ...caps, dayCount: 20, approvalAbove: dollars(50), terms };
const entry = { recipient: provider.address, service, paymentCap: dollars(100), windowCap: dollars(150), window: 0 };
const salt = random();
const signers = { ownerKind: 0, agentKind: 0, agent: agent.address };
await send(owner, "create", [{ salt, ...signers, token: DOLLAR, amendDelay: DAY, policy, entries: [entry] }]);
const mandate = await read("mandateOf", [owner.address, salt]);
console.log(`1. ${owner.address} made the mandate ${mandate} for ${agent.address}`);

// 2. And gives it money.
await sendTo(DOLLAR, dollarAbi, owner, "approve", [MANDATES, dollars(400)]);
await send(owner, "fund", [mandate, dollars(400)]);
console.log(`2. It holds ${shown((await read("mandate", [mandate])).balance)} dollars in ${await read("vaultOf", [owner.address])}`);

// 3. The agent signs a request; anyone may bring it to the contract, here the provider, who also delivers.
const first = request(dollars(40));
await send(provider, "authorize", [first, await signed(agent, "PaymentRequest", first), none()]);
await send(provider, "deliver", [first, keccak256(stringToBytes("the result")), "0x"]);
await send(owner, "accept", [first, "0x"]);
console.log(`3. 40 dollars were reserved, delivered and accepted: the payment is ${await state(first)}`);

// 4. More than the cap is refused, before anything is sent and by the same rule.
const tooMuch = request(dollars(101));
const preview = await read("preview", [tooMuch, "0x", none(), agent.address]);
console.log(`4. 101 dollars would be refused: ${REASONS[preview.reason]} (${shown(preview.got)} of ${shown(preview.limit)})`);
console.log(`   And are: ${await refusal(agent, "authorize", [tooMuch, "0x", none()])}`);

// 5. Above the threshold the owner must sign the very request.
const large = request(dollars(80));
console.log(`5. 80 dollars alone: ${await refusal(agent, "authorize", [large, "0x", none()])}`);
const validBefore = now + 3_600;
const yes = { request: large, approver: owner.address, validBefore };
const approval = { validBefore, signature: await signed(owner, "Approval", yes) };
await send(agent, "authorize", [large, "0x", approval]);
console.log(`   With the owner's approval: the payment is ${await state(large)}`);

// 6. 40 and 80 were authorized today, so 30 are left.
const { remaining } = await read("preview", [request(1n), "0x", none(), agent.address]);
console.log(`6. Left today: ${shown(remaining.today)} dollars`);

/** A request of this amount for the one service, valid for an hour. */
function request(maxAmount) {
  const windows = { validAfter: 0, validBefore: now + 3_600, deliverBy: now + DAY, captureBy: now + 3 * DAY, refundBy: now + 9 * DAY };
  const what = { token: DOLLAR, maxAmount, recipient: provider.address, service, jobHash: keccak256(stringToBytes("job")) };
  return { mandate, policyVersion: 1n, requestId: random(), ...what, ...windows, terms };
}

function none() {
  return { validBefore: 0, signature: "0x" };
}

function signed(account, primaryType, message) {
  return account.signTypedData({ domain, types, primaryType, message });
}

function read(functionName, args) {
  return chain.readContract({ address: MANDATES, abi, functionName, args });
}

async function state(of) {
  return STATES[(await read("payment", [await read("paymentOf", [of])])).state];
}

function send(account, functionName, args) {
  return sendTo(MANDATES, abi, account, functionName, args);
}

async function sendTo(address, contract, account, functionName, args) {
  const call = { address, abi: contract, account, functionName, args };
  await chain.simulateContract(call);
  const hash = await createWalletClient({ transport }).writeContract({ ...call, chain: null });
  const receipt = await chain.waitForTransactionReceipt({ hash });
  if (receipt.status !== "success") throw new Error(`${functionName} was reverted: ${hash}`);
}

/** What the contract says when it refuses this call. */
async function refusal(account, functionName, args) {
  try {
    await chain.simulateContract({ address: MANDATES, abi, account, functionName, args });
  } catch (error) {
    const reverted = error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
    if (!reverted || reverted.data?.errorName !== "Refused") throw error;
    const [reason, got, limit] = reverted.data.args;
    return `${REASONS[reason]} (${shown(got)} of ${shown(limit)})`;
  }
  throw new Error(`${functionName} was not refused`);
}

function shown(amount) {
  return formatUnits(amount, 6);
}

function enumNames(file, name) {
  const text = readFileSync(new URL(`../src/mandates/${file}`, import.meta.url), "utf8");
  const body = text.split(`enum ${name} {`)[1].split("\n}")[0].replace(/\/\/.*/g, "");
  return body.match(/\w+/g);
}
