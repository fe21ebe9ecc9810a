// A story that calls every function of `Mandates` and makes it emit every event: who sends what when, and what comes of
// it. viem encodes; the outcomes are worked out by hand from IMandates.sol.
import { readFileSync } from "node:fs";
import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  keccak256,
  parseAbi,
} from "viem";
import { CHAIN, DAY, HOUR, START, domain, mandates, parties, token } from "./signing.mjs";
import { sign, signForToken, structHash } from "./signing.mjs";
import * as values from "./values.mjs";
import { ANYONE, SALTS, SUMMARIES, TRANSLATE, creation, dollars, entries, first, payments, policy } from "./values.mjs";

const file = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
export const { abi } = JSON.parse(file("contracts/artifacts/Mandates.json"));
const tokenAbi = parseAbi([
  "function mint(address to, uint256 value)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function freeze(address account)",
  "function unfreeze(address account)",
]);
/** The number of each reason, counted in the enum. */
const REASONS = file("contracts/src/mandates/Reason.sol")
  .split("enum Reason {")[1]
  .split("\n")
  .map((line) => line.trim())
  .filter((line) => /^[A-Z]\w*,?$/.test(line))
  .map((line) => line.replace(",", ""));
const reason = (name) => REASONS.indexOf(name);
const STATES = ["None", "Cancelled", "Escrowed", "Delivered", "Disputed", "Settled", "Refunded", "Voided", "TimedOut"];
const state = (name) => STATES.indexOf(name);

const { owner, agent, provider, relayer } = parties;
const NOBODY = { validBefore: 0, signature: "0x" };
const RECEIPT = values.text("receipt");
const EVIDENCE = values.text("evidence");

const rows = [];
let now = START;

function event([name, args]) {
  const { inputs } = abi.find((item) => item.type === "event" && item.name === name);
  const plain = inputs.filter(({ indexed }) => !indexed);
  return {
    event: name,
    topics: encodeEventTopics({ abi, eventName: name, args }),
    data: encodeAbiParameters(plain, plain.map((input) => args[input.name])),
  };
}

/** One call of the contract that succeeds. `result` is what it returns, `events` what it logs. */
function call(from, functionName, args, { result, events = [] } = {}) {
  const { outputs } = abi.find((item) => item.type === "function" && item.name === functionName);
  rows.push({
    call: functionName,
    at: now,
    from,
    to: mandates,
    data: encodeFunctionData({ abi, functionName, args }),
    succeeds: true,
    returns: outputs.length === 0 ? "0x" : encodeFunctionResult({ abi, functionName, result }),
    logs: events.map(event),
  });
}

/** One call of the contract that it refuses. */
function refused(from, functionName, args, name, got, limit) {
  rows.push({
    call: functionName,
    at: now,
    from,
    to: mandates,
    data: encodeFunctionData({ abi, functionName, args }),
    succeeds: false,
    returns: encodeErrorResult({ abi, errorName: "Refused", args: [reason(name), got, limit] }),
    logs: [],
  });
}

function ofToken(from, functionName, args) {
  const returns = functionName === "approve" ? encodeAbiParameters([{ type: "bool" }], [true]) : "0x";
  const data = encodeFunctionData({ abi: tokenAbi, functionName, args });
  rows.push({ call: `token.${functionName}`, at: now, from, to: token, data, succeeds: true, returns, logs: [] });
}

function creates() {
  for (const [i, mandate] of [first, values.second, values.third].entries()) {
    const made = { ...creation, salt: SALTS[i] };
    const events = [["MandateCreated", { ...made, mandate, owner }]];
    call(owner, "create", [made], { result: mandate, events });
  }
  refused(owner, "create", [creation], "MandateExists", BigInt(first), 0n);
  call(agent, "renounce", [values.second], { events: [["MandateRevoked", { mandate: values.second, by: agent }]] });
  call(owner, "revoke", [values.third], { events: [["MandateRevoked", { mandate: values.third, by: owner }]] });
  call(owner, "pause", [first], { events: [["MandatePaused", { mandate: first }]] });
  call(owner, "unpause", [first], { events: [["MandateUnpaused", { mandate: first }]] });
  const ceiling = { owner, agent, token, dayCap: dollars(300), effectiveAt: now };
  call(owner, "setCeiling", [agent, token, dollars(300)], { events: [["CeilingSet", ceiling]] });
}

/** Puts 300 + 50 + 100 dollars in and takes 10 out. */
async function funds() {
  const funded = (amount) => ({ events: [["MandateFunded", { mandate: first, from: owner, amount }]] });
  ofToken(relayer, "mint", [owner, dollars(1_000)]);
  ofToken(owner, "approve", [mandates, dollars(300)]);
  ofToken(provider, "approve", [mandates, dollars(300)]);
  call(owner, "fund", [first, dollars(300)], funded(dollars(300)));
  const deadline = BigInt(START + DAY);
  const permit = { owner, spender: mandates, value: dollars(50), nonce: 0n, deadline };
  const { v, r, s } = await signForToken("owner", "Permit", permit);
  call(owner, "fundWithPermit", [first, dollars(50), deadline, v, r, s], funded(dollars(50)));
  const salt = values.text("funding");
  const nonce = values.fundingNonce(first, salt);
  const vault = values.vaultOf(owner);
  const moved = { from: owner, to: vault, value: dollars(100), validAfter: 0n, validBefore: deadline, nonce };
  const { signature } = await signForToken("owner", "ReceiveWithAuthorization", moved);
  const authorization = [first, owner, dollars(100), 0n, deadline, salt, signature];
  call(relayer, "fundWithAuthorization", authorization, funded(dollars(100)));
  const withdrawn = { mandate: first, to: relayer, amount: dollars(10) };
  call(owner, "withdraw", [first, dollars(10), relayer], { events: [["MandateWithdrawn", withdrawn]] });
}

const authorized = ({ id, request }, wasApproved) => [
  "PaymentAuthorized",
  { payment: id, mandate: first, recipient: provider, request, wasApproved },
];

async function authorizes() {
  const { approved, partial, refused: above, cancelled } = payments;
  const validBefore = START + HOUR;
  const approval = {
    validBefore,
    signature: await sign("owner", "Approval", { request: approved.request, approver: owner, validBefore }),
  };
  const signature = await sign("agent", "PaymentRequest", approved.request);
  const remaining = {
    available: dollars(440),
    perPayment: dollars(200),
    today: dollars(500),
    thisMonth: dollars(900),
    lifetime: dollars(5_000),
    countToday: 20n,
    entryPerPayment: dollars(150),
    entryWindow: dollars(400),
    ceiling: dollars(300),
  };
  const preview = { reason: 0, got: 0n, limit: 0n, payment: approved.id, needsApproval: true, remaining };
  call(relayer, "preview", [approved.request, signature, approval, relayer], { result: preview });
  const wholly = [approved.request, signature, approval];
  call(relayer, "authorize", wholly, { result: approved.id, events: [authorized(approved, true)] });
  refused(relayer, "authorize", wholly, "RequestUsed", BigInt(state("Escrowed")), 0n);
  const escrowed = { state: state("Escrowed"), hasEvidence: false, since: now, paid: 0n, refunded: 0n };
  call(relayer, "payment", [approved.id], { result: escrowed });

  const cancellation = await sign("agent", "Cancel", { payment: cancelled.id });
  const killed = ["RequestCancelled", { payment: cancelled.id, mandate: first, by: agent }];
  call(relayer, "cancelRequest", [cancelled.request, cancellation], { events: [killed] });

  const items = [partial, above].map(({ request }) => ({ request, agentSignature: "0x", approval: NOBODY }));
  const no = reason("EntryPaymentCap");
  const refusal = { payment: above.id, mandate: first, reason: no, got: above.amount, limit: dollars(20) };
  const events = [authorized(partial, false), ["PaymentRefused", refusal]];
  call(agent, "authorizeBatch", [items, 0], { result: [0, no], events });
  for (const name of ["accepted", "timedOut", "expired", "voided"]) {
    const { id, request } = payments[name];
    call(agent, "authorize", [request, "0x", NOBODY], { result: id, events: [authorized(payments[name], false)] });
  }
  call(relayer, "ceiling", [owner, agent, token], { result: [true, dollars(300), dollars(190)] });
}

const closed = ({ id }, name, paid, returned) => [
  "PaymentClosed",
  { payment: id, mandate: first, state: state(name), paid: dollars(paid), returned: dollars(returned) },
];

async function settles() {
  const { approved, partial, accepted, timedOut, expired, voided } = payments;
  now = START + 100;
  for (const payment of [approved, partial, accepted, timedOut]) {
    const signed = payment === approved;
    const signature = signed ? await sign("provider", "Delivery", { payment: payment.id, receiptHash: RECEIPT }) : "0x";
    const delivered = { payment: payment.id, mandate: first, receiptHash: RECEIPT, challengeEnds: BigInt(now + HOUR) };
    const events = [["PaymentDelivered", delivered]];
    call(signed ? relayer : provider, "deliver", [payment.request, RECEIPT, signature], { events });
  }
  now = START + 200;
  for (const payment of [approved, timedOut]) {
    const signed = payment === approved;
    const signature = signed ? await sign("owner", "Dispute", { payment: payment.id, evidenceHash: EVIDENCE }) : "0x";
    const disputed = { payment: payment.id, mandate: first, evidenceHash: EVIDENCE, resolutionEnds: BigInt(now + DAY) };
    const events = [["PaymentDisputed", disputed]];
    call(signed ? relayer : owner, "dispute", [payment.request, EVIDENCE, signature], { events });
  }
  const resolution = await sign("resolver", "Resolution", { payment: approved.id, toProvider: dollars(90) });
  const resolved = [approved.request, dollars(90), resolution];
  call(relayer, "resolve", resolved, { events: [closed(approved, "Settled", 90, 30)] });
  const refund = await sign("provider", "Refund", { payment: approved.id, total: dollars(40) });
  const refunded = { payment: approved.id, mandate: first, amount: dollars(40), total: dollars(40) };
  call(relayer, "refund", [approved.request, dollars(40), refund], { events: [["PaymentRefunded", refunded]] });
  const acceptance = await sign("owner", "Accept", { payment: accepted.id });
  call(relayer, "accept", [accepted.request, acceptance], { events: [closed(accepted, "Settled", 10, 0)] });
  const voiding = await sign("provider", "Void", { payment: voided.id });
  call(relayer, "void", [voided.request, voiding], { events: [closed(voided, "Voided", 0, 5)] });

  now = START + 100 + HOUR;
  const capture = await sign("provider", "Capture", { payment: partial.id, total: dollars(12) });
  const captured = { payment: partial.id, mandate: first, amount: dollars(12), total: dollars(12) };
  call(relayer, "capture", [partial.request, dollars(12), capture], { events: [["PaymentCaptured", captured]] });
  await credits();

  now = START + DAY;
  call(relayer, "expire", [expired.request], { events: [closed(expired, "Refunded", 0, 5)] });
  now = START + 200 + DAY;
  call(relayer, "timeOut", [timedOut.request], { events: [closed(timedOut, "TimedOut", 5, 15)] });
}

/** The token pays the provider no more, so 18 dollars become a credit, of which it takes 7 elsewhere. */
async function credits() {
  const { partial } = payments;
  ofToken(relayer, "freeze", [provider]);
  const booked = ["CreditBooked", { owner, token, recipient: provider, amount: dollars(18) }];
  call(relayer, "claim", [partial.request], { events: [closed(partial, "Settled", 30, 0), booked] });
  const withdrawal = { owner, token, recipient: provider, to: relayer, total: dollars(7) };
  const signature = await sign("provider", "CreditWithdrawal", withdrawal);
  const withdrawn = { owner, token, recipient: provider, to: relayer, amount: dollars(7) };
  const args = [owner, token, provider, relayer, dollars(7), signature];
  call(relayer, "withdrawCredit", args, { events: [["CreditWithdrawn", withdrawn]] });
  call(relayer, "credit", [owner, token, provider], { result: [dollars(18), dollars(7)] });
  ofToken(relayer, "unfreeze", [provider]);
}

function amends() {
  const amendment = abi.find(({ name }) => name === "amend").inputs[1];
  const tighter = { expectedVersion: 1n, policy: { ...policy, dayCap: dollars(400) }, entries: [] };
  const amended = (policyVersion, { policy, entries }) => ({
    events: [["MandateAmended", { mandate: first, policyVersion, policy, entries }]],
  });
  call(owner, "amend", [first, tighter], amended(2n, tighter));
  const looser = { expectedVersion: 2n, policy, entries: [{ ...entries[1], windowCap: dollars(200) }] };
  const effectiveAt = now + 2 * HOUR;
  const scheduled = { events: [["AmendmentScheduled", { mandate: first, effectiveAt, amendment: looser }]] };
  call(owner, "amend", [first, looser], scheduled);
  const hash = keccak256(encodeAbiParameters([amendment], [looser]));
  call(relayer, "pendingAmendment", [first], { result: [hash, effectiveAt] });
  call(owner, "cancelAmendment", [first], { events: [["AmendmentCancelled", { mandate: first }]] });
  call(owner, "amend", [first, looser], scheduled);
  now = effectiveAt - 1;
  refused(relayer, "applyAmendment", [first, looser], "AmendmentEarly", BigInt(now), BigInt(effectiveAt));
  now = effectiveAt;
  call(relayer, "applyAmendment", [first, looser], amended(3n, looser));
}

function reads() {
  const spent = { day: Math.floor(START / DAY), dayCount: 6, daySum: dollars(190), monthSum: dollars(190) };
  const view = {
    status: 1,
    ownerKind: 0,
    agentKind: 0,
    owner,
    agent,
    token,
    vault: values.vaultOf(owner),
    policyVersion: 3n,
    amendDelay: creation.amendDelay,
    policy,
    balance: dollars(440 - 90 + 40 - 10 - 12 - 18 - 5),
    reserved: 0n,
    lifetimeSpent: dollars(190),
    spent,
  };
  call(relayer, "mandate", [first], { result: view });
  call(relayer, "entry", [first, provider, TRANSLATE], { result: [true, entries[0]] });
  call(relayer, "entry", [first, ANYONE, SUMMARIES], { result: [true, { ...entries[1], windowCap: dollars(200) }] });
  for (const { owner, salt, id } of values.names.mandates) call(relayer, "mandateOf", [owner, salt], { result: id });
  for (const { owner, vault } of values.names.vaults) call(relayer, "vaultOf", [owner], { result: vault });
  for (const { mandate, salt, nonce } of values.names.fundings) {
    call(relayer, "fundingNonce", [mandate, salt], { result: nonce });
  }
  for (const request of [payments.approved.request, values.largest]) {
    call(relayer, "paymentOf", [request], { result: structHash("PaymentRequest", request) });
  }
  const settled = { state: state("Settled"), hasEvidence: true, since: START + 200 };
  const money = { paid: dollars(90), refunded: dollars(40) };
  call(relayer, "payment", [payments.approved.id], { result: { ...settled, ...money } });
  const said = ["0x0f", domain.name, domain.version, BigInt(CHAIN), mandates, `0x${"00".repeat(32)}`, []];
  call(relayer, "eip712Domain", [], { result: said });
}

/** @returns the calls in their order, and that none of the contract's functions and events is missing among them */
export async function tell() {
  creates();
  await funds();
  await authorizes();
  await settles();
  amends();
  reads();
  const told = new Set(rows.flatMap(({ call, logs }) => [call, ...logs.map(({ event }) => event)]));
  const missing = abi.filter(({ type, name }) => ["function", "event"].includes(type) && !told.has(name));
  // Its name never changes, so this is not emitted.
  const untold = missing.map(({ name }) => name).filter((name) => name !== "EIP712DomainChanged");
  if (untold.length > 0) throw new Error(`the story leaves out ${untold.join(", ")}`);
  return rows;
}
