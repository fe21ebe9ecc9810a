// The facilitator is killed between any two steps of a settlement. Left alone it goes on by itself from what was recorded;
// asked again it gives the right answer; and there is one transfer, under one nonce.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { keccak256 } from "viem";
import { startChain } from "../chain.mjs";
import {
  assertPaidOnce, assertSettled, count, mine, outcome, OWN_KEY, payer, RELAYERS, request, settle, startFacilitator,
  transfers, waiting,
} from "./support/onchain.mjs";
import { TERMS } from "./support/payment.mjs";
import { RpcProxy } from "./support/rpc.mjs";
import { until } from "./support/waiting.mjs";

const RELAYER = `${TERMS.network}/${RELAYERS[0].address}`;

let chain;
let proxy;
let stack;

async function begin(persist) {
  stack = await startFacilitator(chain, { rpc: [proxy.url], persist, vars: { SETTLE_WAIT_MS: "8000" } });
}

before(async () => {
  chain = await startChain();
  proxy = await RpcProxy.open(chain.url);
  await begin();
});

beforeEach(async () => {
  proxy.heal();
  stack.clearLogs();
  await chain.rpc("evm_setAutomine", [true]);
  // What it remembers of the price of gas would do for a second; each test shall see it ask. One that does not run has
  // nothing in mind.
  await stack.evict("RelayerObject", RELAYER).catch(() => undefined);
});

after(async () => {
  await stack?.stop();
  await proxy?.stop();
  await chain?.stop();
});

/** A request whose answer nobody will hear. */
function lost(body) {
  return settle(stack, body).then(
    () => assert.fail("the answer should have been lost"),
    () => undefined,
  );
}

/** Waits until an object of this kind has come to a state. */
function moved(kind, to) {
  return until(`${kind} ${to}`, () => stack.events().some((event) => event.object?.startsWith(`${kind}:`) && event.to === to));
}

/** Kills the runtime at a step, starts it again, and lets every call through that comes from then on. */
async function kill() {
  await stack.crash();
  proxy.heal();
}

/**
 * Every step: how to stop there, and whether anything is on record by then. `stop` resolves at the step, with the hash of
 * the transaction if one is signed.
 */
const STEPS = [
  {
    name: "while it is being judged",
    recorded: false,
    stop: async () => void (await proxy.hold("eth_estimateGas").arrived),
  },
  {
    name: "once it is recorded, before the relayer has heard of it",
    recorded: true,
    stop: async () => void (await proxy.hold("eth_maxPriorityFeePerGas").arrived),
    // The settlement's storage says so, and the relayer's is not there.
    down: () => rmSync(join(stack.persist, "do/guildhall-facilitator-RelayerObject"), { recursive: true }),
  },
  {
    name: "once the relayer has it, before it is signed",
    recorded: true,
    stop: async () => void (await proxy.hold("eth_maxPriorityFeePerGas").arrived),
  },
  {
    name: "once it is signed, before it is sent",
    recorded: true,
    stop: async () => keccak256((await proxy.hold("eth_sendRawTransaction").arrived).params[0]),
  },
  {
    name: "once it is sent, before the chain has answered",
    recorded: true,
    stop: async () => {
      await chain.rpc("evm_setAutomine", [false]);
      const { arrived, release } = proxy.hold("eth_sendRawTransaction");
      const hash = keccak256((await arrived).params[0]);
      proxy.hold("eth_getTransactionCount");
      proxy.deafen("eth_sendRawTransaction");
      release();
      await until("it to be in the pool", async () => (await waiting(chain)).includes(hash));
      return hash;
    },
  },
  {
    name: "once it is sent, before it is mined",
    recorded: true,
    stop: async () => {
      await chain.rpc("evm_setAutomine", [false]);
      await moved("settlement", "SENT");
      return (await waiting(chain))[0];
    },
  },
  {
    name: "once it is mined, before anybody has looked",
    recorded: true,
    stop: async () => {
      const sent = await count(chain);
      proxy.hold("eth_getTransactionCount");
      proxy.hold("eth_getBlockByNumber", ({ params }) => params[0] === "safe");
      await until("it to be mined", async () => (await count(chain)) > sent);
      return keccak256(proxy.asked.findLast(({ method }) => method === "eth_sendRawTransaction").params[0]);
    },
  },
  {
    name: "once the relayer has seen it mined, before the settlement has",
    recorded: true,
    stop: async () => {
      const looks = proxy.hold("eth_getBlockByNumber", ({ params }) => params[0] === "safe");
      await moved("relayer", "IDLE");
      await looks.arrived;
    },
  },
];

for (const { name, recorded, stop, down } of STEPS) {
  test(`F1 F2: killed ${name}`, async () => {
    const body = await request(await payer(chain));
    const sent = await count(chain);
    const stopped = stop();
    const answer = lost(body);
    const hash = await stopped;
    if (down) {
      await stack.stop({ keep: true });
      await answer;
      down();
      proxy.heal();
      await begin(stack.persist);
    } else {
      await kill();
      await answer;
    }
    await chain.rpc("evm_setAutomine", [true]);
    await mine(chain);
    const { from } = body.paymentPayload.payload.authorization;
    if (recorded) await until("the transfer", async () => (await transfers(chain, from)).length > 0, 15_000);
    const transaction = assertSettled(await outcome(stack, body), body);
    if (hash) assert.equal(transaction, hash, "the transaction that was signed first");
    await assertPaidOnce(chain, body, transaction);
    const next = await request(await payer(chain));
    await assertPaidOnce(chain, next, assertSettled(await settle(stack, next), next));
    assert.equal(await count(chain), sent + 2, "one nonce for each");
    assert.deepEqual(await waiting(chain), []);
    assert.equal(assertSettled(await settle(stack, body), body), transaction);
  });
}

test("F2: killed once it is settled, when whoever asked has gone", async () => {
  const body = await request(await payer(chain));
  const { arrived, release } = proxy.hold("eth_estimateGas");
  const gone = new AbortController();
  const init = { method: "POST", body: JSON.stringify(body), headers: { "idempotency-key": OWN_KEY } };
  const asked = stack.fetch("/settle", { ...init, signal: gone.signal });
  await arrived;
  gone.abort();
  await assert.rejects(asked);
  release();
  const answer = await outcome(stack, body);
  const transaction = assertSettled(answer, body);
  await kill();
  assert.deepEqual(await settle(stack, body), answer);
  await assertPaidOnce(chain, body, transaction);
});

test("F1: whoever asked goes while the relayer works; it is carried through, and nothing else waits for it", async () => {
  const [body, next] = [await request(await payer(chain)), await request(await payer(chain))];
  const { arrived, release } = proxy.hold("eth_maxPriorityFeePerGas");
  const gone = new AbortController();
  const init = { method: "POST", body: JSON.stringify(body), headers: { "idempotency-key": OWN_KEY } };
  const asked = stack.fetch("/settle", { ...init, signal: gone.signal });
  await arrived;
  gone.abort();
  await assert.rejects(asked);
  release();
  await assertPaidOnce(chain, next, assertSettled(await settle(stack, next), next));
  const [{ hash }] = await until("the transfer", async () => {
    const made = await transfers(chain, body.paymentPayload.payload.authorization.from);
    return made.length > 0 && made;
  });
  assert.equal(assertSettled(await settle(stack, body), body), hash);
});

test("F1: killed three times while many wait, all of them land once and no nonce is missing", async () => {
  const sent = await count(chain);
  const account = await payer(chain);
  const bodies = await Promise.all(Array.from({ length: 12 }, () => request(account)));
  for (const step of ["eth_maxPriorityFeePerGas", "eth_sendRawTransaction", "eth_getTransactionReceipt"]) {
    const { arrived } = proxy.hold(step);
    const answers = bodies.map(lost);
    await arrived;
    await kill();
    await Promise.all(answers);
  }
  const hashes = [];
  for (const body of bodies) hashes.push(assertSettled(await outcome(stack, body, 20_000), body));
  const moved = await transfers(chain, account.address);
  assert.deepEqual(moved.map(({ hash }) => hash).sort(), [...hashes].sort());
  assert.equal(await count(chain), sent + bodies.length);
  assert.deepEqual(await waiting(chain), []);
});
