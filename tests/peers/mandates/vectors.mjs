// Writes tests/vectors/mandates.json: `node tests/peers/mandates/vectors.mjs`, after the contract's interface changed.
import { writeFileSync } from "node:fs";
import { domainSeparator, hashTypedData, toEventSelector, toFunctionSelector, toFunctionSignature } from "viem";
import * as signing from "./signing.mjs";
import { abi, tell } from "./story.mjs";
import * as values from "./values.mjs";

const { KEYS, domain, parties, token, vaultImplementation } = signing;
const { owner, provider, relayer } = parties;
const payment = values.payments.approved.id;

/** @type {[string, string | undefined, object][]} the struct, who signs it, and what it says */
const SIGNED = [
  ["Terms", undefined, values.terms],
  ["PaymentRequest", "agent", values.payments.approved.request],
  ["PaymentRequest", "agent", values.largest],
  ["Approval", "owner", { request: values.largest, approver: owner, validBefore: 2 ** 48 - 6 }],
  ["Delivery", "provider", { payment, receiptHash: values.text("receipt") }],
  ["Capture", "provider", { payment, total: 2n ** 128n - 1n }],
  ["Void", "provider", { payment }],
  ["Refund", "provider", { payment, total: 2n ** 128n - 1n }],
  ["Accept", "owner", { payment }],
  ["Dispute", "owner", { payment, evidenceHash: values.text("evidence") }],
  ["Cancel", "agent", { payment }],
  ["Resolution", "resolver", { payment, toProvider: 2n ** 128n - 1n }],
  ["CreditWithdrawal", "provider", { owner, token, recipient: provider, to: relayer, total: 2n ** 128n - 1n }],
];

async function struct([type, signer, message]) {
  const shown = {
    type,
    encodeType: signing.encodeType(type),
    typeHash: signing.typeHash(type),
    message,
    structHash: signing.structHash(type, message),
  };
  if (signer === undefined) return shown;
  const digest = hashTypedData({ domain, types: signing.types, primaryType: type, message });
  return { ...shown, signer, digest, signature: await signing.sign(signer, type, message) };
}

/** What the contract has of a kind. An error has a selector as a function has. */
const named = (kind) =>
  abi
    .filter(({ type }) => type === kind)
    .map((item) => ({ ...item, type: "function" }))
    .map((item) => ({
      signature: toFunctionSignature(item),
      selector: kind === "event" ? toEventSelector(toFunctionSignature(item)) : toFunctionSelector(item),
    }));

const vectors = {
  about:
    "Everything that is hashed, signed, encoded and logged around the contract Mandates, computed with viem 2.57.20 " +
    "by tests/peers/mandates/vectors.mjs. The relayer deploys Mandates with its nonce 0 and TestDollar(USDC, 2) with " +
    "its nonce 1. `calls` happen one after the other, each at its Unix second; `logs` are those of Mandates.",
  parties: Object.fromEntries(
    Object.entries(parties).map(([name, address]) => [name, { address, privateKey: KEYS[name] }]),
  ),
  domain: { ...domain, separator: domainSeparator({ domain }) },
  token,
  vaultImplementation,
  services: values.SERVICES.map((name) => ({ name, id: values.text(name) })),
  ...values.names,
  creation: values.creation,
  structs: await Promise.all(SIGNED.map(struct)),
  functions: named("function"),
  events: named("event"),
  errors: named("error"),
  calls: await tell(),
};
const decimal = (_, value) => (typeof value === "bigint" ? value.toString() : value);
const path = new URL("../../vectors/mandates.json", import.meta.url);
writeFileSync(path, `${JSON.stringify(vectors, decimal, 2)}\n`);
console.log(`${vectors.calls.length} calls, ${vectors.structs.length} structs`);
