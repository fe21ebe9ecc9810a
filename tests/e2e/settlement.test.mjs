// What becomes of a purchase when the facilitator refuses, is silent, answers nonsense or answers late:
// no gig before the money has moved, and never more than one charge.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem, create, delegation, discover } from "./support/board.mjs";
import { challengeOf, freshAccount, payingFetch, receiptOf, sign } from "./support/payment.mjs";
import { until } from "./support/waiting.mjs";

const TRANSACTION = /^0x[0-9a-f]{64}$/;

let stack;

before(async () => {
  stack = await start({ edgeVars: { FACILITATOR_TIMEOUT_MS: "400" } });
});

beforeEach(() => stack.setSimulator("settle"));

after(() => stack?.stop());

async function settlements() {
  return (await stack.simulator()).settlements;
}

async function listed(title) {
  const { gigs } = await discover(stack);
  return gigs.filter((gig) => gig.title === title);
}

/** A purchase that fails for now; its message, its payment, and what came back. */
async function failedPurchase(mode, title) {
  await stack.setSimulator(mode);
  const message = delegation({ payload: { title } });
  const payment = await sign(freshAccount());
  return { message, payment, answer: await create(stack, message, payment) };
}

async function assertUnsettled(answer, code, errorReason) {
  const problem = await assertProblem(answer, 402, code);
  assert.equal(challengeOf(answer), null, "a challenge would make clients sign again");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const receipt = receiptOf(answer);
  assert.deepEqual([receipt.success, receipt.errorReason, receipt.network], [false, errorReason, "eip155:84532"]);
  return { problem, receipt };
}

test("S1: a refused settlement leaves nothing to see, and says why", async () => {
  const charged = await settlements();
  const { message, payment, answer } = await failedPurchase("refuse", "refused");
  const { problem } = await assertUnsettled(answer, "payment_refused", "insufficient_funds");
  assert.equal(problem.retryable, false);
  assert.equal(answer.headers.get("retry-after"), null);
  assert.deepEqual(await listed("refused"), []);

  await stack.setSimulator("settle");
  // A refusal is final for its payment; another one pays for the very same message.
  const again = await create(stack, message, payment);
  await assertUnsettled(again, "payment_refused", "insufficient_funds");
  const { gig } = await answered(await create(stack, message, await sign(freshAccount())), 201);
  assert.deepEqual((await listed("refused")).map(({ gig_id }) => gig_id), [gig.gig_id]);
  assert.equal(await settlements(), charged + 1);
});

for (const mode of ["hang", "garbage", "error", "lost", "delay:2000"]) {
  test(`S5: an answer lost to ${mode} is an unknown outcome, and is looked up by itself`, async () => {
    const charged = await settlements();
    const title = `unknown by ${mode}`;
    const { message, payment, answer } = await failedPurchase(mode, title);
    const { problem, receipt } = await assertUnsettled(answer, "settlement_unknown", "settlement_unknown");
    assert.equal(receipt.transaction, "");
    assert.equal(problem.retryable, true);
    assert.equal(answer.headers.get("retry-after"), "2");
    assert.deepEqual(await listed(title), []);

    await stack.setSimulator("settle");
    const [gig] = await until("the gig by the alarm alone", async () => {
      const found = await listed(title);
      return found.length > 0 && found;
    });
    const again = await create(stack, message, payment);
    const { gig: same, tunnel_grant: grant } = await answered(again, 201);
    assert.equal(same.gig_id, gig.gig_id);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.equal(receiptOf(again).success, true);
    assert.ok(grant.token, "the first answer was lost, and with it the grant");
    assert.equal(await settlements(), charged + 1);
  });
}

test("S5: a pending settlement says so with its transaction, and the gig comes when it lands", async () => {
  const charged = await settlements();
  const { message, payment, answer } = await failedPurchase("pending", "pending");
  const { receipt } = await assertUnsettled(answer, "settlement_pending", "settlement_pending");
  assert.match(receipt.transaction, TRANSACTION);
  assert.equal(answer.headers.get("retry-after"), "2");
  const again = await create(stack, message, payment);
  assert.equal((await assertUnsettled(again, "settlement_pending", "settlement_pending")).receipt.transaction, receipt.transaction);
  assert.deepEqual(await listed("pending"), []);
  assert.equal(await settlements(), charged);

  await stack.setSimulator("settle");
  const landed = await until("the gig by the same request", async () => {
    const tried = await create(stack, message, payment);
    return tried.status === 201 && tried;
  });
  assert.equal(receiptOf(landed).transaction, receipt.transaction);
  assert.equal((await listed("pending")).length, 1);
  assert.equal(await settlements(), charged + 1);
});

test("a second payment of the same payer is let go uncharged, whatever becomes of the first", async () => {
  const charged = await settlements();
  const account = freshAccount();
  const message = delegation({ payload: { title: "twice paid" } });
  await stack.setSimulator("hang");
  const first = await sign(account);
  await assertUnsettled(await create(stack, message, first), "settlement_unknown", "settlement_unknown");
  const problem = await assertProblem(await create(stack, message, await sign(account)), 409, "payment_in_progress");
  assert.equal(problem.retryable, true);

  await stack.setSimulator("settle");
  const { gig } = await answered(
    await until("the gig", async () => {
      const tried = await create(stack, message, first);
      return tried.status === 201 && tried;
    }),
    201,
  );
  const third = await create(stack, message, await sign(account));
  assert.equal((await answered(third, 201)).gig.gig_id, gig.gig_id);
  assert.equal(third.headers.get("idempotency-replayed"), "true");
  assert.equal(await settlements(), charged + 1);
});

test("the official client does not sign again by itself when an outcome is unknown", async () => {
  const charged = await settlements();
  await stack.setSimulator("error");
  const answer = await payingFetch()(`${stack.url}/v1/gigs/create`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(delegation()),
  });
  await assertUnsettled(answer, "settlement_unknown", "settlement_unknown");
  assert.equal(await settlements(), charged + 1);
});
