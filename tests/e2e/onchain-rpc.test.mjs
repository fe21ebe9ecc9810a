// The chain's RPC servers are away, broken, or lie. What is not known is never called settled or refused, nothing is sent
// on a guess, and one server of two cannot decide alone.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { encodeEventTopics, keccak256, toHex } from "viem";
import { DOLLAR, startChain } from "../chain.mjs";
import {
  assertPaidOnce, assertPending, assertRefused, assertSettled, assertUnknown, cancel, count, mine, outcome, payer,
  RELAYERS, request, settle, startFacilitator, TOKEN, transfers, verify, waiting,
} from "./support/onchain.mjs";
import { TERMS } from "./support/payment.mjs";
import { RpcProxy } from "./support/rpc.mjs";
import { until } from "./support/waiting.mjs";

/** Long enough for a settlement on a chain that answers, with a little trouble on the way. */
const WAIT = { SETTLE_WAIT_MS: "8000" };
const SHORT = { SETTLE_WAIT_MS: "1500" };

let chain;
let first;
let second;

before(async () => {
  chain = await startChain();
  [first, second] = await Promise.all([RpcProxy.open(chain.url), RpcProxy.open(chain.url)]);
});

beforeEach(() => {
  for (const proxy of [first, second]) {
    proxy.heal();
    proxy.asked.length = 0;
  }
});

after(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  await chain?.stop();
});

/** Starts a facilitator for the tests of one group; `use()` is it. */
function facilitator(rpc, vars) {
  let stack;
  before(async () => {
    stack = await startFacilitator(chain, { rpc: rpc(), vars });
  });
  after(() => stack?.stop());
  return () => stack;
}

const AUTHORIZATION_STATE = "0xe94a0102";
const UNUSED = toHex(0, { size: 32 });
const RELAYER_NAME = `${TERMS.network}/${RELAYERS[0].address}`;
const page = { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html><p>It works" };
const fault = (code, message) => JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
/** What a settlement asks the chain for after it was judged. */
const NEEDED = [
  "eth_getTransactionCount", "eth_maxPriorityFeePerGas", "eth_getBlockByNumber", "eth_getTransactionReceipt",
];
/** Servers that might as well not be there. */
const AWAY = [
  ["is down", "nothing"],
  ["answers with a page", page],
  ["answers with a page and 502", { ...page, status: 502 }],
  ["is asked too often", { status: 429, headers: { "retry-after": "1" }, body: fault(429, "Too Many Requests") }],
  ["says that it is asked too often, with 200", { status: 200, headers: {}, body: fault(-32005, "rate limit exceeded") }],
  ["answers with half a JSON", { status: 200, headers: {}, body: '[{"jsonrpc":"2.0"' }],
  ["answers with other ids", { status: 200, headers: {}, body: '[{"jsonrpc":"2.0","id":77,"result":"0x1"}]' }],
  ["answers with nothing", { status: 200, headers: {}, body: "" }],
];

/** The receipt of a transfer that was not made. */
function forged(transactionHash, { paymentPayload: { payload } }, blockNumber, blockHash) {
  const { from, to, value } = payload.authorization;
  const topics = encodeEventTopics({ abi: TOKEN, eventName: "Transfer", args: { from, to } });
  const log = { address: DOLLAR, topics, data: toHex(BigInt(value), { size: 32 }), blockNumber, blockHash, transactionHash };
  return { transactionHash, blockNumber, blockHash, status: "0x1", gasUsed: "0x13880", logs: [log] };
}

describe("F4: one RPC server that", () => {
  const use = facilitator(() => [first.url], WAIT);

  for (const [what, instead] of AWAY) {
    test(`${what}: nothing is known and nothing is sent, and afterwards the same request is settled`, async () => {
      const body = await request(await payer(chain));
      const sent = await count(chain);
      first.instead = instead;
      const verified = await verify(use(), body);
      assert.deepEqual([verified.status, verified.isValid, verified.invalidReason], [503, false, "unexpected_verify_error"]);
      assertUnknown(await settle(use(), body));
      first.heal();
      assert.deepEqual([await count(chain), await waiting(chain)], [sent, []]);
      await assertPaidOnce(chain, body, assertSettled(await settle(use(), body), body));
    });
  }

  test("is down is no refusal for the official client either", async () => {
    const { paymentPayload } = await request(await payer(chain));
    const client = new HTTPFacilitatorClient({ url: use().url });
    first.instead = "nothing";
    await assert.rejects(client.verify(paymentPayload, TERMS).then(({ isValid }) => assert.ok(isValid)));
    first.heal();
    assert.equal((await client.settle(paymentPayload, TERMS)).success, true);
  });

  for (const method of ["eth_getCode", "eth_call", "eth_estimateGas"]) {
    test(`answers ${method} with an error of its own refuses no payer`, async () => {
      const body = await request(await payer(chain));
      first.refuse(method, { code: -32603, message: "Internal error" });
      assertUnknown(await settle(use(), body));
      first.heal();
      assertSettled(await settle(use(), body), body);
    });
  }

  test("stays silent is not waited for longer than five seconds", async () => {
    const body = await request(await payer(chain));
    const { arrived, release } = first.hold("eth_getCode");
    const asked = settle(use(), body);
    await arrived;
    assertUnknown(await asked);
    first.heal();
    release();
    assertSettled(await settle(use(), body), body);
  });

  for (const method of NEEDED) {
    test(`does not answer ${method} delays what was begun, and loses nothing`, async () => {
      const body = await request(await payer(chain));
      // What it remembers of the price would do for a second.
      await use().evict("RelayerObject", RELAYER_NAME);
      first.drop(method);
      const begun = settle(use(), body);
      await until(method, () => first.asked.some((call) => call.method === method));
      first.asked.length = 0;
      await until(`${method} once more`, () => first.asked.some((call) => call.method === method));
      first.heal();
      await assertPaidOnce(chain, body, assertSettled(await begun, body));
    });
  }

  test("takes a transaction and answers nothing is sent the same once more, and it lands once", async () => {
    const body = await request(await payer(chain));
    first.deafen("eth_sendRawTransaction");
    await assertPaidOnce(chain, body, assertSettled(await settle(use(), body), body));
  });

  test("stays silent on one settlement holds up no other one", async () => {
    const [slow, quick] = [await request(await payer(chain)), await request(await payer(chain))];
    use().clearLogs();
    // The look that the relayer's report causes; the relayer waits for what comes of it.
    const report = first.hold("eth_getBlockByNumber", ({ params }) => params[0] === "safe");
    const begun = settle(use(), slow);
    await report.arrived;
    first.heal();
    const held = use().events().find(({ to }) => to === "SENT").object;
    assertSettled(await settle(use(), quick), quick);
    const sent = use().events().filter(({ object, to }) => object.startsWith("settlement:") && object !== held && to === "SENT");
    assert.ok(sent.length > 0, "its transaction was announced in between");
    report.release();
    assertSettled(await begun, slow);
  });

  for (const [what, lose] of [
    ["loses a transaction", () => first.drop("eth_sendRawTransaction")],
    ["says that it took a transaction and did not", () => first.invent("eth_sendRawTransaction", ([raw]) => keccak256(raw))],
  ]) {
    test(`${what} is sent it again`, async () => {
      const body = await request(await payer(chain));
      const sent = await count(chain);
      lose();
      const begun = settle(use(), body);
      await until("the transaction twice", () => first.count("eth_sendRawTransaction") >= 2);
      assert.equal(await count(chain), sent);
      first.heal();
      await assertPaidOnce(chain, body, assertSettled(await begun, body));
      assert.equal(await count(chain), sent + 1);
    });
  }
});

describe("F1: of two RPC servers", () => {
  const use = facilitator(() => [first.url, second.url], SHORT);

  for (const down of ["first", "second"]) {
    for (const [what, instead] of AWAY) {
      test(`the ${down} ${what}: the other one is enough`, async () => {
        const body = await request(await payer(chain));
        (down === "first" ? first : second).instead = instead;
        assert.equal((await verify(use(), body)).isValid, true);
        const answer = await settle(use(), body);
        await assertPaidOnce(chain, body, assertSettled(answer.success ? answer : await outcome(use(), body), body));
      });
    }

    test(`the ${down} has no word on receipts: the other one's is enough`, async () => {
      const body = await request(await payer(chain));
      (down === "first" ? first : second).refuse("eth_getTransactionReceipt", { code: -32000, message: "overloaded" });
      await assertPaidOnce(chain, body, assertSettled(await outcome(use(), body), body));
    });
  }

  test("both down is not known", async () => {
    const body = await request(await payer(chain));
    first.instead = second.instead = "nothing";
    assertUnknown(await settle(use(), body));
  });

  test("one that lies about what is used makes a transaction fail at worst, and no success", async () => {
    const account = await payer(chain);
    const body = await request(account);
    const used = await cancel(chain, account, body);
    first.falsify("eth_call", (result, { params: [{ data }] }) => (data.startsWith(AUTHORIZATION_STATE) ? UNUSED : result));
    first.falsify("eth_estimateGas", () => "0x13880");
    const sent = await count(chain);
    assertPending(await settle(use(), body));
    assert.equal(await count(chain), sent + 1);
    await mine(chain, 3);
    first.heal();
    assertRefused(await outcome(use(), body), "invalid_exact_evm_nonce_already_used", used);
    assert.deepEqual(await transfers(chain, account.address), []);
  });

  test("a receipt that only one has is no success, until both have it", async () => {
    const body = await request(await payer(chain));
    first.drop("eth_sendRawTransaction");
    second.drop("eth_sendRawTransaction");
    const { number, hash: blockHash } = await chain.rpc("eth_getBlockByNumber", ["latest", false]);
    first.falsify("eth_getTransactionReceipt", (receipt, { params: [hash] }) => receipt ?? forged(hash, body, number, blockHash));
    const hash = assertPending(await settle(use(), body));
    await until("several looks", () => first.count("eth_getTransactionReceipt") >= 4);
    assert.equal(assertPending(await settle(use(), body)), hash);
    assert.deepEqual(await transfers(chain, body.paymentPayload.payload.authorization.from), []);
    for (const proxy of [first, second]) proxy.heal();
    await until("the truth", async () => (await settle(use(), body)).success);
    await assertPaidOnce(chain, body, assertSettled(await settle(use(), body), body));
  });

  test("a receipt that one hides is no failure, and a success once it is shown", async () => {
    const body = await request(await payer(chain));
    second.falsify("eth_getTransactionReceipt", () => null);
    const hash = assertPending(await settle(use(), body));
    await assertPaidOnce(chain, body, hash);
    second.heal();
    await until("the receipt", async () => (await settle(use(), body)).success);
    assert.equal(assertSettled(await settle(use(), body), body), hash);
  });
});
