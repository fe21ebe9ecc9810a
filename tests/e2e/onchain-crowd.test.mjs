// Many settlements at once: all of them land, and no relayer key ever skips a nonce.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startChain } from "../chain.mjs";
import {
  AMOUNT, assertSettled, count, KEYS, payer, RELAYERS, request, settle, startFacilitator, waiting,
} from "./support/onchain.mjs";
import { TERMS } from "./support/payment.mjs";

/**
 * Longer than a transaction may be stuck before its fee is raised. anvil can lose one that arrives in the very moment in which
 * the one before it is mined: it then counts as waiting for its predecessor for ever, until another takes its nonce.
 */
const PATIENT = { SETTLE_WAIT_MS: "40000" };

let chain;

before(async () => {
  chain = await startChain();
});

after(() => chain?.stop());

/** What a relayer has sent since the chain began, in the chain's order: `{ nonce, hash }`. */
async function sent({ address }) {
  const last = Number(await chain.rpc("eth_blockNumber"));
  const numbers = Array.from({ length: last + 1 }, (_, number) => `0x${number.toString(16)}`);
  const blocks = await Promise.all(numbers.map((number) => chain.rpc("eth_getBlockByNumber", [number, true])));
  return blocks
    .flatMap(({ transactions }) => transactions)
    .filter(({ from }) => from.toLowerCase() === address.toLowerCase())
    .map(({ nonce, hash }) => ({ nonce: Number(nonce), hash }));
}

/** Settles `size` payments at once, and checks each answer against the chain. */
async function settleAll(stack, size, payers = 5) {
  const before = await chain.balanceOf(TERMS.payTo);
  const accounts = await Promise.all(Array.from({ length: payers }, () => payer(chain)));
  const bodies = await Promise.all(Array.from({ length: size }, (_, index) => request(accounts[index % payers])));
  const answers = await Promise.all(bodies.map((body) => settle(stack, body)));
  const hashes = answers.map((answer, index) => assertSettled(answer, bodies[index]));
  assert.equal(new Set(hashes).size, size);
  assert.equal((await chain.balanceOf(TERMS.payTo)) - before, BigInt(size) * AMOUNT);
  return hashes;
}

/** Every relayer's nonces are 0, 1, 2 and so on, and together they have sent exactly these transactions. */
async function assertGapless(relayers, hashes) {
  const all = await Promise.all(relayers.map(sent));
  for (const list of all) assert.deepEqual(list.map(({ nonce }) => nonce), list.map((_, index) => index));
  assert.deepEqual(all.flat().map(({ hash }) => hash).sort(), [...hashes].sort());
  for (const relayer of relayers) assert.deepEqual(await waiting(chain, relayer), []);
}

test("F1: 20 settlements at once through one key, then 50, land without a gap", async () => {
  const stack = await startFacilitator(chain, { vars: PATIENT });
  try {
    const hashes = [...(await settleAll(stack, 20)), ...(await settleAll(stack, 50))];
    await assertGapless(RELAYERS.slice(0, 1), hashes);
    assert.equal(await count(chain), 70);
  } finally {
    await stack.stop();
  }
});

test("F1: 30 settlements while blocks come once a second land without a gap", async () => {
  const earlier = (await sent(RELAYERS[0])).map(({ hash }) => hash);
  const stack = await startFacilitator(chain, { vars: PATIENT });
  try {
    await chain.rpc("evm_setIntervalMining", [1]);
    const hashes = await settleAll(stack, 30);
    await assertGapless(RELAYERS.slice(0, 1), [...earlier, ...hashes]);
  } finally {
    await chain.rpc("evm_setAutomine", [true]);
    await stack.stop();
  }
});

test("F1: two keys share the payers, and each keeps its own nonces without a gap", async () => {
  const earlier = (await sent(RELAYERS[0])).map(({ hash }) => hash);
  const stack = await startFacilitator(chain, { keys: KEYS, vars: PATIENT });
  try {
    // Who pays decides which key sends: twenty payers leave neither key without work but once in half a million.
    const hashes = await settleAll(stack, 20, 20);
    await assertGapless(RELAYERS, [...earlier, ...hashes]);
    for (const relayer of RELAYERS) assert.ok((await count(chain, relayer)) > (relayer === RELAYERS[0] ? earlier.length : 0));
  } finally {
    await stack.stop();
  }
});
