// The mandate of the vectors, its rules and its payments.
import {
  encodeAbiParameters,
  encodePacked,
  getContractAddress,
  keccak256,
  parseAbiParameters,
  stringToBytes,
} from "viem";
import { CHAIN, DAY, HOUR, START, mandates, parties, structHash, token, vaultImplementation } from "./signing.mjs";

/** Base units of a token with six decimals. */
export const dollars = (amount) => BigInt(amount) * 1_000_000n;
export const text = (words) => keccak256(stringToBytes(words));
const hashOf = (parameters, values) => keccak256(encodeAbiParameters(parseAbiParameters(parameters), values));

export const mandateId = (owner, salt) =>
  hashOf("uint256, address, address, bytes32", [BigInt(CHAIN), mandates, owner, salt]);
export const fundingNonce = (mandate, salt) => hashOf("bytes32, bytes32", [mandate, salt]);

/** The creation code of the minimal proxy as EIP-1167 gives it, after the ten bytes that return it. */
const proxy = encodePacked(
  ["bytes", "bytes", "address", "bytes"],
  ["0x3d602d80600a3d3981f3", "0x363d3d373d3d3d363d73", vaultImplementation, "0x5af43d82803e903d91602b57fd5bf3"],
);
export const vaultOf = (owner) =>
  getContractAddress({
    opcode: "CREATE2",
    from: mandates,
    bytecode: proxy,
    salt: encodeAbiParameters(parseAbiParameters("address"), [owner]),
  });

export const SALTS = [text("first mandate"), text("second mandate"), text("third mandate")];
export const [first, second, third] = SALTS.map((salt) => mandateId(parties.owner, salt));
/** What is named by a hash, and its name. */
export const names = {
  mandates: SALTS.map((salt) => ({ owner: parties.owner, salt, id: mandateId(parties.owner, salt) })),
  vaults: Object.values(parties).map((owner) => ({ owner, vault: vaultOf(owner) })),
  fundings: SALTS.map((salt) => ({ mandate: first, salt, nonce: fundingNonce(first, salt) })),
};
export const SERVICES = ["a", "translate", "api.example.com/v1/summaries", `/${"0-9.z".padEnd(62, "x")}/`];
export const TRANSLATE = text(SERVICES[1]);
export const SUMMARIES = text(SERVICES[2]);
export const ANYONE = "0x0000000000000000000000000000000000000000";

export const terms = {
  challengePeriod: HOUR,
  resolutionTimeout: DAY,
  silenceBps: 2_500,
  resolver: parties.resolver,
};
export const policy = {
  validAfter: START,
  validBefore: START + 365 * DAY,
  paymentCap: dollars(200),
  dayCap: dollars(500),
  monthCap: dollars(900),
  lifetimeCap: dollars(5_000),
  dayCount: 20,
  approvalAbove: dollars(50),
  terms,
};
export const entries = [
  { recipient: parties.provider, service: TRANSLATE, paymentCap: dollars(150), windowCap: dollars(400), window: 0 },
  { recipient: ANYONE, service: SUMMARIES, paymentCap: dollars(20), windowCap: dollars(100), window: 1 },
];
export const creation = {
  salt: SALTS[0],
  ownerKind: 0,
  agentKind: 0,
  agent: parties.agent,
  token,
  amendDelay: 2 * HOUR,
  policy,
  entries,
};

/** A payment to the provider, and its name. */
function payment(label, amount, service = TRANSLATE) {
  const request = {
    mandate: first,
    policyVersion: 1n,
    requestId: text(`request ${label}`),
    token,
    maxAmount: dollars(amount),
    recipient: parties.provider,
    service,
    jobHash: text(`job ${label}`),
    validAfter: START,
    validBefore: START + HOUR,
    deliverBy: START + DAY,
    captureBy: START + 3 * DAY,
    refundBy: START + 30 * DAY,
    terms,
  };
  return { request, id: structHash("PaymentRequest", request), amount: dollars(amount) };
}

export const payments = {
  /** Above the threshold; disputed, resolved, and refunded in part. */
  approved: payment("approved", 120),
  /** Captured in part, then claimed while the provider is frozen. */
  partial: payment("partial", 30),
  /** More than its entry allows. */
  refused: payment("refused", 25, SUMMARIES),
  accepted: payment("accepted", 10),
  timedOut: payment("timed out", 20),
  expired: payment("expired", 5),
  voided: payment("voided", 5),
  cancelled: payment("cancelled", 1),
};

/** Every field at its largest, so that a field of another width or place gives another hash. */
export const largest = {
  mandate: `0x${"f1".repeat(32)}`,
  policyVersion: 2n ** 64n - 1n,
  requestId: `0x${"f2".repeat(32)}`,
  token: parties.owner,
  maxAmount: 2n ** 128n - 1n,
  recipient: parties.agent,
  service: `0x${"f3".repeat(32)}`,
  jobHash: `0x${"f4".repeat(32)}`,
  validAfter: 2 ** 48 - 1,
  validBefore: 2 ** 48 - 2,
  deliverBy: 2 ** 48 - 3,
  captureBy: 2 ** 48 - 4,
  refundBy: 2 ** 48 - 5,
  terms: { challengePeriod: 2 ** 32 - 1, resolutionTimeout: 2 ** 32 - 2, silenceBps: 2 ** 16 - 1, resolver: token },
};
