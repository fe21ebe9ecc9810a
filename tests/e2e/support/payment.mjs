// Payments as a test wants them: by the official client, or signed by hand so that each value can be wrong.
import { randomBytes } from "node:crypto";
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const NETWORK = "eip155:84532";
const CHAIN_ID = 84532;

/** What the paid route asks for with the vars of wrangler.toml. */
export const TERMS = Object.freeze({
  scheme: "exact",
  network: NETWORK,
  amount: "10000",
  asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  payTo: "0x000000000000000000000000000000000000dEaD",
  maxTimeoutSeconds: 300,
  extra: { name: "USDC", version: "2" },
});

const TRANSFER_WITH_AUTHORIZATION = [
  { name: "from", type: "address" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "validAfter", type: "uint256" },
  { name: "validBefore", type: "uint256" },
  { name: "nonce", type: "bytes32" },
];

/** An account that nobody has used before. */
export function freshAccount() {
  return privateKeyToAccount(generatePrivateKey());
}

/** `fetch` that pays by itself: the official client, unmodified. */
export function payingFetch(account = freshAccount()) {
  const client = new x402Client();
  client.register(NETWORK, new ExactEvmScheme(account));
  return wrapFetchWithPayment(fetch, client);
}

/** Now, in Unix seconds. */
export function seconds() {
  return Math.floor(Date.now() / 1000);
}

/**
 * A payment signed by `account`: right, unless something is changed.
 *
 * @param {object} [changes]
 * @param {object} [changes.signed] over the signed values, before signing
 * @param {object} [changes.edited] over the signed values, after signing
 * @param {object} [changes.accepted] over the terms that the payment repeats
 * @param {object} [changes.domain] over the EIP-712 domain
 */
export async function sign(account, { signed = {}, edited = {}, accepted = {}, domain = {} } = {}) {
  const authorization = {
    from: account.address,
    to: TERMS.payTo,
    value: TERMS.amount,
    validAfter: "0",
    validBefore: String(seconds() + TERMS.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString("hex")}`,
    ...signed,
  };
  const signature = await account.signTypedData({
    domain: { name: "USDC", version: "2", chainId: CHAIN_ID, verifyingContract: TERMS.asset, ...domain },
    types: { TransferWithAuthorization: TRANSFER_WITH_AUTHORIZATION },
    primaryType: "TransferWithAuthorization",
    message: authorization,
  });
  return {
    x402Version: 2,
    accepted: { ...TERMS, ...accepted },
    payload: { signature, authorization: { ...authorization, ...edited } },
  };
}

/** The header value of a payment. */
export function encode(payment) {
  return Buffer.from(JSON.stringify(payment)).toString("base64");
}

/** The challenge of an answer, read by the official library; null when there is none. */
export function challengeOf(answer) {
  const header = answer.headers.get("payment-required");
  return header === null ? null : decodePaymentRequiredHeader(header);
}

/** The receipt of an answer, read by the official library; null when there is none. */
export function receiptOf(answer, name = "payment-response") {
  const header = answer.headers.get(name);
  return header === null ? null : decodePaymentResponseHeader(header);
}
