// Writes tests/vectors/httpsig.json: requests signed by the reference implementation of ERC-8128, which also verifies them.
// Run it after an update of that package: `node tests/peers/httpsig.mjs`.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { signRequest, verifyRequest } from "@slicekit/erc8128";
import { keccak256, stringToBytes, verifyMessage } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** A key that everyone knows, for tests alone. */
const KEY = `0x${"22".repeat(32)}`;
/** Unix seconds, 2027-01-15 08:00 UTC. */
const CREATED = 1_800_000_000;
const EXPIRES = CREATED + 60;
const account = privateKeyToAccount(KEY);
const signer = (chainId) => ({
  chainId,
  address: account.address,
  signMessage: (message) => account.signMessage({ message: { raw: message } }),
});

/** What is asked, and with which options: every shape of a request that the profile tells apart. */
const ASKED = [
  { method: "GET", url: "https://board.example/v1/agent/mandates" },
  { method: "GET", url: "https://board.example" },
  { method: "DELETE", url: "http://127.0.0.1:8787/v1/agent/approvals/a%20b" },
  { method: "GET", url: "https://Board.Example:443/v1/activity?kind=payment&to=%C3%A9&q=a+b" },
  { method: "GET", url: "https://board.example/v1/activity?" },
  { method: "POST", url: "https://board.example/v1/agent/evaluate", body: '{"amount":"100"}', chainId: 84532 },
  { method: "PUT", url: "https://board.example:8443/v1/note?draft=", body: "Zoë – ½\r\n" },
  { method: "POST", url: "https://board.example/v1/bytes", body: "x".repeat(1_000) },
  {
    method: "POST",
    url: "https://board.example/v1/agent/payments",
    body: "{}",
    headers: { "idempotency-key": "  one, two  ", "content-type": "application/json" },
    components: ["idempotency-key", "content-type"],
  },
];

async function signed({ method, url, body, headers, components, chainId = 1 }, number) {
  const nonce = `nonce-${number}_AbCdEf`;
  const options = { created: CREATED, expires: EXPIRES, nonce, components };
  const request = await signRequest(url, { method, body, headers }, signer(chainId), options);
  const verdict = await verifyRequest({
    request: request.clone(),
    verifyMessage,
    nonceStore: { consume: async () => true },
    policy: { now: () => CREATED },
  });
  assert.equal(verdict.ok, true, JSON.stringify(verdict));
  const { protocol, host, pathname, search } = new URL(request.url);
  return {
    method,
    scheme: protocol.slice(0, -1),
    authority: host,
    path: pathname,
    query: search === "" ? null : search.slice(1),
    body: body ?? "",
    chainId,
    nonce,
    alsoCovered: components ?? [],
    headers: Object.fromEntries(request.headers),
  };
}

/** The older form, by its published description: EIP-191 over four lines. */
async function older(prefix, method, path, timestamp, body) {
  const text = `${prefix}-agent-auth/1\n${method} ${path}\n${timestamp}\n${keccak256(stringToBytes(body))}`;
  const headers = {
    [`x-${prefix}-agent`]: account.address,
    [`x-${prefix}-timestamp`]: timestamp,
    [`x-${prefix}-signature`]: await account.signMessage({ message: text }),
  };
  const [pathname, query = null] = path.split("?");
  return { method, scheme: "https", authority: "board.example", path: pathname, query, body, headers };
}

const vectors = {
  about: "Requests signed and verified by @slicekit/erc8128 0.2.0 with viem; written by tests/peers/httpsig.mjs",
  key: KEY,
  address: account.address,
  created: CREATED,
  expires: EXPIRES,
  messages: await Promise.all(ASKED.map(signed)),
  older: [
    await older("hestr", "GET", "/api/agent/mandates", `${CREATED}`, ""),
    await older("hestr", "POST", "/api/agent/evaluate", `${CREATED}123`, '{"amount":"100"}'),
    await older("guildhall", "GET", "/v1/agent/mandates?limit=2", `${CREATED}`, ""),
    await older("guildhall", "POST", "/v1/agent/payments", `${CREATED}`, "{}"),
  ],
};
writeFileSync(new URL("../vectors/httpsig.json", import.meta.url), `${JSON.stringify(vectors, null, 2)}\n`);
