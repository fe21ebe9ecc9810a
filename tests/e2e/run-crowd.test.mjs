// Fifty purchases at once, each whole: nobody waits for another, and nothing of one is in another.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered } from "./support/board.mjs";
import { allEvents, assertJournal, call, freshKey, over, runVars, stands, types, wanted } from "./support/run.mjs";

const RUNS = 50;
const LIMIT_MS = 60_000;

let stack;
before(async () => {
  stack = await start(runVars());
});
after(() => stack?.stop());

async function bought(index) {
  const body = wanted({ requirement: `coca-cola ${index}`, quantity: 1 + (index % 3), wallet: "simulated", userId: `user-${index}` });
  const { run, runToken } = await answered(await call(stack, null, "POST", "/v1/runs", body, freshKey()), 201);
  const one = { run: run.id, token: runToken, index };
  const { confirmation } = (await stands(stack, one, "USER_CONFIRMATION", LIMIT_MS)).run.payment;
  const yes = { digest: confirmation.digest, amountCents: confirmation.amountCents };
  await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/confirm`, yes), 200);
  return { ...one, ...(await over(stack, one, LIMIT_MS)) };
}

test(`${RUNS} runs at once all come to their order`, async (context) => {
  const began = performance.now();
  const ends = await Promise.all(Array.from({ length: RUNS }, (_, index) => bought(index)));
  context.diagnostic(`${Math.round(performance.now() - began)} ms`);
  assert.deepEqual(ends.map(({ run }) => run.state), Array(RUNS).fill("ORDER_CONFIRMED"));
  for (const distinct of [({ run }) => run.id, ({ run }) => run.payment.signature, ({ run }) => run.payment.requirement.payTo]) {
    assert.equal(new Set(ends.map(distinct)).size, RUNS);
  }
  for (const { index, token, run } of ends) {
    assert.deepEqual([run.userId, run.intent.requirement, run.intent.quantity], [`user-${index}`, `coca-cola ${index}`, 1 + (index % 3)]);
    const events = types(await allEvents(stack, { run: run.id, token }));
    for (const once of ["PAYMENT_AUTHORIZED", "PAYMENT_SUBMITTED", "SETTLEMENT_VERIFIED", "ORDER_CONFIRMED"]) {
      assert.equal(events.filter((type) => type === once).length, 1, `${run.id}: ${once}`);
    }
    await assertJournal(stack, { run: run.id });
  }
  assert.equal((await stack.objectIds("ReceiptObject")).length, RUNS, "a receipt for each payment");
  assert.deepEqual(stack.events().filter(({ level }) => level === "error"), []);
});
