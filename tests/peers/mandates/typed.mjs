// Writes tests/vectors/typed_data.json: `node tests/peers/mandates/typed.mjs`, after what a party signs has changed.
import { writeFileSync } from "node:fs";
import { hashTypedData } from "viem";
import { DAY, START, domain, parties, types } from "./signing.mjs";
import { largest, payments } from "./values.mjs";

/** JavaScript reads greater numbers in JSON wrongly. */
const readable = { ...largest, policyVersion: Number.MAX_SAFE_INTEGER };
const nobodyResolves = {
  ...payments.voided.request,
  terms: { ...payments.voided.request.terms, resolver: "0x0000000000000000000000000000000000000000" },
};
const requests = [payments.approved.request, nobodyResolves, readable];
const ends = [START + DAY, START, 2 ** 48 - 1];

const DOMAIN = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];
const { Terms, PaymentRequest, Approval } = types;
const TYPES = {
  PaymentRequest: { EIP712Domain: DOMAIN, PaymentRequest, Terms },
  Approval: { EIP712Domain: DOMAIN, Approval, PaymentRequest, Terms },
};

/** Amounts are texts; all other numbers are numbers. */
const json = (key, value) => {
  if (typeof value !== "bigint") return value;
  return key === "maxAmount" ? value.toString() : Number(value);
};

/** What `eth_signTypedData_v4` takes, as text; and the digest that viem makes of that text. */
function shown(primaryType, message) {
  const text = JSON.stringify({ types: TYPES[primaryType], primaryType, domain, message }, json);
  const typedData = JSON.parse(text);
  return { typedData, digest: hashTypedData(typedData) };
}

const vectors = {
  about: "Typed data as a wallet is given it, and its digest by viem 2.57.20; written by tests/peers/mandates/typed.mjs.",
  requests: requests.map((request) => shown("PaymentRequest", request)),
  approvals: requests.map((request, i) =>
    shown("Approval", { request, approver: parties.owner, validBefore: ends[i] }),
  ),
};
const path = new URL("../../vectors/typed_data.json", import.meta.url);
writeFileSync(path, `${JSON.stringify(vectors, undefined, 2)}\n`);
