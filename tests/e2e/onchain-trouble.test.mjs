// What a chain does to transactions: it lets them wait, drops them, mines others first, undoes blocks, asks for more.
// One authorization moves money once all the same, and the answer is never ahead of the chain.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  AMOUNT, assertPaidOnce, assertPending, assertRefused, assertSettled, cancel, count, FIRST, frontRun, fundRelayers,
  FUNDS, mine, outcome, OWN_KEY, passed, RELAYERS, request, settle, slowChain, transfers, verify, waiting,
} from "./support/onchain.mjs";
import { seconds } from "./support/payment.mjs";
import { until } from "./support/waiting.mjs";

/**
 * Most of the time of these tests is waiting for the relayer's patience. Each has a chain of its own, and they wait
 * together; the most patient are first.
 */
const TOGETHER = { concurrency: 6 };

/** Waits until the settlement has looked at the chain `times` times more: after that, what stands there is known. */
async function looked(stack, times = 2) {
  const before = passed(stack).length;
  await until("looks at the chain", () => passed(stack).length >= before + times);
}

describe("F1 F2", TOGETHER, () => {
  test("a transaction that waits until its authorization has run out gives its nonce free, and is refused once that is final", async (context) => {
    const { chain, stack, account } = await slowChain(context);
    const body = await request(account, { signed: { validBefore: `${seconds() + 8}` } });
    assertPending(await settle(stack, body));
    const own = async () => Promise.all((await waiting(chain)).map((waits) => chain.rpc("eth_getTransactionByHash", [waits])));
    // Until then it is offered more and more for; what was just replaced is not found.
    const empty = await until("a cancelling transaction", async () => (await own()).find((sent) => sent?.input === "0x"), 40_000);
    assert.deepEqual([empty.to, empty.value], [RELAYERS[0].address.toLowerCase(), "0x0"]);
    assert.deepEqual(await waiting(chain), [empty.hash]);
    assertPending(await settle(stack, body));
    assert.equal((await verify(stack, body, OWN_KEY)).isValid, true, "it may still land");
    await mine(chain, 4);
    assertRefused(await outcome(stack, body), "invalid_exact_evm_payload_authorization_valid_before");
    assert.equal((await verify(stack, body, OWN_KEY)).isValid, false);
    assert.deepEqual(await transfers(chain, account.address), []);
    await chain.rpc("evm_setAutomine", [true]);
    const next = await request(account);
    await assertPaidOnce(chain, next, assertSettled(await outcome(stack, next), next));
    assert.equal(await count(chain), 2, "the cancelled nonce and the next one");
  });

  test("a transaction that waits while gas becomes dearer than it offers is replaced under its nonce, and one of both lands", async (context) => {
    const { chain, stack, account } = await slowChain(context, { network: { maxFeePerGas: "100000000000" } });
    const body = await request(account);
    const cheap = assertPending(await settle(stack, body));
    await chain.rpc("anvil_setNextBlockBaseFeePerGas", ["0x2540be400"]);
    await mine(chain);
    assert.equal(await count(chain), 0, "nobody mines what pays less than the block burns");
    const dear = await until("a better offer", async () => (await waiting(chain)).find((hash) => hash !== cheap), 20_000);
    assert.deepEqual(await waiting(chain), [dear]);
    await mine(chain);
    assert.equal(assertSettled(await outcome(stack, body), body), dear);
    await assertPaidOnce(chain, body, dear);
    assert.equal(await count(chain), 1);
  });

  test("a stranger's transaction under the relayer's own key moves every settlement to another nonce, and all land", async (context) => {
    const { chain, stack, account } = await slowChain(context);
    // The relayer knows its next nonce from here on.
    const known = await request(account);
    assertPending(await settle(stack, known));
    await mine(chain);
    await outcome(stack, known);
    await chain.rpc("anvil_impersonateAccount", [RELAYERS[0].address]);
    await chain.rpc("eth_sendTransaction", [{ from: RELAYERS[0].address, to: RELAYERS[0].address, value: "0x1", ...FIRST }]);
    await mine(chain);
    assert.equal(await count(chain), 2);
    await chain.rpc("evm_setAutomine", [true]);
    const bodies = await Promise.all(Array.from({ length: 3 }, () => request(account)));
    await Promise.all(bodies.map((body) => settle(stack, body)));
    for (const body of bodies) assertSettled(await outcome(stack, body, 25_000), body);
    const moved = await transfers(chain, account.address);
    assert.equal(new Set(moved.map(({ hash }) => hash)).size, 4);
    assert.equal(await chain.balanceOf(account.address), FUNDS - 4n * AMOUNT);
    assert.equal(await count(chain), 5);
  });

  test("a transaction that waits is pending under its hash, and settled under the same one once it is mined", async (context) => {
    const { chain, stack, account } = await slowChain(context);
    const body = await request(account);
    const hash = assertPending(await settle(stack, body));
    assert.deepEqual(await waiting(chain), [hash]);
    assert.equal(assertPending(await settle(stack, body)), hash);
    await mine(chain);
    assert.equal(assertSettled(await outcome(stack, body), body), hash);
    await assertPaidOnce(chain, body, hash);
    assert.equal(await count(chain), 1);
  });

  test("a transaction that waits and is dropped is sent again, and lands under the same hash", async (context) => {
    const { chain, stack, account } = await slowChain(context);
    const body = await request(account);
    const hash = assertPending(await settle(stack, body));
    assert.equal(await chain.rpc("anvil_dropTransaction", [hash]), hash);
    assert.deepEqual(await waiting(chain), []);
    await until("it to be sent again", async () => (await waiting(chain)).includes(hash));
    await mine(chain);
    assert.equal(assertSettled(await outcome(stack, body), body), hash);
    await assertPaidOnce(chain, body, hash);
  });

  test("a transaction for which the relayer has no coins lands once it has some", async (context) => {
    const { chain, stack, account } = await slowChain(context);
    await chain.rpc("evm_setAutomine", [true]);
    await chain.rpc("anvil_setBalance", [RELAYERS[0].address, "0x1"]);
    const body = await request(account);
    const hash = assertPending(await settle(stack, body));
    assert.deepEqual([await count(chain), await waiting(chain)], [0, []]);
    await fundRelayers(chain);
    assert.equal(assertSettled(await outcome(stack, body), body), hash);
    await assertPaidOnce(chain, body, hash);
  });

  test("a block that is undone takes the settlement back to pending, and the same transaction lands once more", async (context) => {
    const { chain, stack, account } = await slowChain(context);
    const body = await request(account);
    const hash = assertPending(await settle(stack, body));
    await mine(chain);
    assertSettled(await outcome(stack, body), body);
    await chain.rpc("anvil_reorg", [1, []]);
    assert.equal(await chain.balanceOf(account.address), FUNDS);
    await until("the settlement to notice", async () => (await settle(stack, body)).errorReason === "settlement_pending");
    assert.equal(assertPending(await settle(stack, body)), hash);
    await until("it to be sent again", async () => (await waiting(chain)).includes(hash));
    await mine(chain);
    assert.equal(assertSettled(await outcome(stack, body), body), hash);
    await assertPaidOnce(chain, body, hash);
    assert.equal(await count(chain), 1);
    const next = await request(account);
    const second = assertPending(await settle(stack, next));
    await mine(chain);
    assert.equal(assertSettled(await outcome(stack, next), next), second);
    assert.equal(await count(chain), 2);
  });

  for (const [confirmation, blocks] of [["safe", 1], ["final", 2]]) {
    test(`a transfer is called settled only once its block is ${confirmation}`, async (context) => {
      const { chain, stack, account } = await slowChain(context, { network: { confirmation } });
      const body = await request(account);
      const hash = assertPending(await settle(stack, body));
      for (let block = 0; block < blocks; block += 1) {
        await mine(chain);
        await until("the block to be seen", () => passed(stack).filter((to) => to === "INCLUDED").length > block);
        await looked(stack, 1);
        assert.equal(assertPending(await settle(stack, body)), hash);
      }
      await mine(chain);
      assert.equal(assertSettled(await outcome(stack, body), body), hash);
    });
  }

  test("a block that is undone before the tier was reached was never called settled", async (context) => {
    const { chain, stack, account } = await slowChain(context, { network: { confirmation: "final" } });
    const body = await request(account);
    const hash = assertPending(await settle(stack, body));
    await mine(chain);
    await until("the block to be seen", () => passed(stack).includes("INCLUDED"));
    await chain.rpc("anvil_reorg", [1, []]);
    await until("its end to be seen", () => passed(stack).lastIndexOf("SENT") > passed(stack).indexOf("INCLUDED"));
    await until("it to be sent again", async () => (await waiting(chain)).includes(hash));
    assert.ok(!passed(stack).includes("SETTLED"));
    await mine(chain, 4);
    assert.equal(assertSettled(await outcome(stack, body), body), hash);
    await assertPaidOnce(chain, body, hash);
  });

  test("a stranger who makes this very transfer first settles it, in the stranger's transaction", async (context) => {
    const { chain, stack, account } = await slowChain(context);
    const body = await request(account);
    const own = assertPending(await settle(stack, body));
    const foreign = await frontRun(chain, body, FIRST);
    await mine(chain);
    assert.equal(assertSettled(await outcome(stack, body), body), foreign);
    assert.equal((await chain.rpc("eth_getTransactionReceipt", [own])).status, "0x0");
    await assertPaidOnce(chain, body, foreign);
    await assertNextLands(chain, stack, account);
  });

  test("a payer's cancellation that comes first never settles it, and refuses it once that is final", async (context) => {
    const { chain, stack, account } = await slowChain(context);
    const body = await request(account);
    const own = assertPending(await settle(stack, body));
    const cancelled = await cancel(chain, account, body, FIRST);
    await mine(chain);
    assert.equal((await chain.rpc("eth_getTransactionReceipt", [own])).status, "0x0");
    await looked(stack);
    assertPending(await settle(stack, body));
    await mine(chain, 3);
    assertRefused(await outcome(stack, body), "invalid_exact_evm_nonce_already_used", cancelled);
    assert.deepEqual(await transfers(chain, account.address), []);
    await assertNextLands(chain, stack, account);
  });

  test("money that is gone first keeps it pending, and refuses it only once the window is closed on a final block", async (context) => {
    const { chain, stack, account } = await slowChain(context);
    const body = await request(account);
    const own = assertPending(await settle(stack, body));
    const all = await request(account, { signed: { value: `${FUNDS}` } });
    const taken = await frontRun(chain, all, FIRST);
    await mine(chain, 4);
    assert.equal((await chain.rpc("eth_getTransactionReceipt", [own])).status, "0x0");
    await looked(stack);
    assert.equal(assertPending(await settle(stack, body)), own);
    assert.equal((await verify(stack, body, OWN_KEY)).isValid, true, "else the payer would be asked to sign a second payment");
    // The chain's clock runs past the end of the authorization: that counts once it is final.
    await chain.rpc("evm_setNextBlockTimestamp", [Number(body.paymentPayload.payload.authorization.validBefore)]);
    await mine(chain, 2);
    await looked(stack);
    assert.equal(assertPending(await settle(stack, body)), own);
    await mine(chain);
    assertRefused(await outcome(stack, body), "invalid_exact_evm_transaction_failed", own);
    assert.equal((await verify(stack, body, OWN_KEY)).invalidReason, "insufficient_funds");
    assert.deepEqual((await transfers(chain, account.address)).map(({ hash }) => hash), [taken]);
  });

  test("money that was gone for a while settles it if anybody makes the transfer after all", async (context) => {
    const { chain, stack, account } = await slowChain(context);
    const body = await request(account);
    assertPending(await settle(stack, body));
    const all = await request(account, { signed: { value: `${FUNDS}` } });
    await frontRun(chain, all, FIRST);
    await mine(chain, 4);
    await looked(stack);
    assertPending(await settle(stack, body));
    await chain.rpc("evm_setAutomine", [true]);
    await chain.mint(account.address, AMOUNT);
    const late = await frontRun(chain, body, { gas: FIRST.gas });
    assert.equal(assertSettled(await outcome(stack, body, 15_000), body), late);
  });
});

/** The relayer goes on as if nothing had been. */
async function assertNextLands(chain, stack, account) {
  await chain.rpc("evm_setAutomine", [true]);
  const body = await request(account);
  const hash = assertSettled(await outcome(stack, body), body);
  assert.equal((await transfers(chain, account.address)).filter((one) => one.hash === hash).length, 1);
  assert.deepEqual(await waiting(chain), []);
}
