// Writes tests/vectors/signin.json: `node tests/peers/signin/vectors.mjs`. viem writes, reads and signs messages of
// EIP-4361; a parser generated from the standard's ABNF says which altered texts are messages.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { ParsedMessage } from "@signinwithethereum/siwe-parser";
import { hashMessage } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createSiweMessage, parseSiweMessage } from "viem/siwe";
import { edits } from "./edits.mjs";

const KEYS = ["0x" + "11".repeat(32), "0x" + "22".repeat(32)];
const time = (minutes) => new Date(Date.UTC(2027, 0, 15, 8, minutes, 0, 7));

const PLAIN = {
  domain: "guildhall.example",
  uri: "https://guildhall.example/owner",
  version: "1",
  chainId: 84532,
  nonce: "8sBGdAvxVQxLdFKE",
  issuedAt: time(0),
};

/** @type {[string, object][]} a name, and what differs from a plain message */
const MESSAGES = [
  ["plain", {}],
  ["with a scheme", { scheme: "https" }],
  ["with a port", { domain: "guildhall.example:8443", uri: "https://guildhall.example:8443" }],
  ["on the developer's machine", { scheme: "http", domain: "localhost:8787", uri: "http://localhost:8787/" }],
  ["at a number", { domain: "127.0.0.1:8787", uri: "http://127.0.0.1:8787/" }],
  ["with a statement", { statement: "Sign in to Guildhall." }],
  ["with every sign in the statement", { statement: "AZaz09 -._~:/?#[]@!$&'()*+,;=" }],
  ["with a statement that looks like a field", { statement: "URI: https://guildhall.example/other" }],
  ["with an expiration", { expirationTime: time(5) }],
  ["with a beginning", { notBefore: time(-5) }],
  ["with a request id", { requestId: "a-b_c~1:@!$" }],
  ["with no resources in a list", { resources: [] }],
  ["with resources", { resources: ["https://guildhall.example/terms", "ipfs://bafy/x", "urn:uuid:1"] }],
  [
    "with everything",
    {
      scheme: "https",
      statement: "Sign in to Guildhall.",
      chainId: 2 ** 53 - 1,
      expirationTime: time(5),
      notBefore: time(-5),
      requestId: "r",
      resources: ["https://guildhall.example/terms"],
    },
  ],
];

async function message([name, differing], index) {
  const privateKey = KEYS[index % KEYS.length];
  const account = privateKeyToAccount(privateKey);
  const fields = { ...PLAIN, ...differing, address: account.address };
  const text = createSiweMessage(fields);
  assert.deepEqual(parseSiweMessage(text), fields, name);
  assert.equal(new ParsedMessage(text).address, account.address, name);
  const digest = hashMessage(text);
  return { name, fields, text, privateKey, digest, signature: await account.signMessage({ message: text }) };
}

function isMessage(text) {
  try {
    return new ParsedMessage(text) !== undefined;
  } catch {
    return false;
  }
}

const vectors = {
  about:
    "Sign-in messages written, read and signed by viem 2.57.20, and altered texts judged by " +
    "@signinwithethereum/siwe-parser 4.2.1; written by tests/peers/signin/vectors.mjs.",
  messages: await Promise.all(MESSAGES.map(message)),
  texts: edits().map((edit) => ({ ...edit, isMessage: isMessage(edit.text) })),
};
writeFileSync(new URL("../../vectors/signin.json", import.meta.url), `${JSON.stringify(vectors, null, 1)}\n`);
const good = vectors.texts.filter((text) => text.isMessage).length;
console.log(`${vectors.messages.length} messages, ${vectors.texts.length} texts, ${good} of them messages`);
