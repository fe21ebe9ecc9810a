// The official Python client and facilitator client, unmodified, against both Workers.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { start } from "../harness.mjs";
import { python } from "../peers/python.mjs";
import { openShop } from "../peers/seller.mjs";
import { delegation, discover } from "./support/board.mjs";
import { TERMS } from "./support/payment.mjs";

let stack;

before(async () => {
  stack = await start();
});

beforeEach(() => stack.setSimulator("settle"));

after(() => stack?.stop());

async function settlements() {
  return (await stack.simulator()).settlements;
}

/** What one of the client's two libraries gets for a posting, which it pays for itself. */
function post(library, message) {
  return python("pay.py", library, `${stack.url}/v1/gigs/create`, JSON.stringify(message));
}

for (const library of ["httpx", "requests"]) {
  test(`the client on ${library} posts a gig and pays for it`, async () => {
    const charged = await settlements();
    const title = `Count what ${library} says: ₮ and 🧮`;
    const answer = await post(library, delegation({ payload: { title } }));
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.equal(answer.body.gig.title, title);
    assert.equal(answer.body.tunnel_grant.role, "buyer");
    const { transaction, ...receipt } = answer.receipt;
    assert.match(transaction, /^0x[0-9a-f]{64}$/);
    const { network, amount } = TERMS;
    assert.deepEqual(receipt, { success: true, payer: answer.payer, network, amount, extra: { simulated: true } });
    assert.equal(answer.headers["cache-control"], "private, no-store");
    assert.ok((await discover(stack)).gigs.some(({ gig_id: id }) => id === answer.body.gig.gig_id));
    assert.equal(await settlements(), charged + 1);
  });

  test(`S1: the client on ${library} is told of a refused settlement, and does not sign again`, async () => {
    const charged = await settlements();
    await stack.setSimulator("refuse");
    const answer = await post(library, delegation({ payload: { title: `Refused to ${library}` } }));
    assert.equal(answer.status, 402);
    assert.equal(answer.body.code, "payment_refused");
    assert.deepEqual([answer.receipt.success, answer.receipt.errorReason], [false, "insufficient_funds"]);
    assert.equal(answer.headers["payment-required"], undefined);
    assert.ok((await discover(stack)).gigs.every(({ title }) => title !== `Refused to ${library}`));
    assert.equal(await settlements(), charged);
  });

  test(`the client on ${library} buys from the official server behind our facilitator`, async (context) => {
    const shop = await openShop(stack.facilitatorUrl);
    context.after(() => shop.stop());
    const answer = await python("pay.py", library, `${shop.url}/weather`, "{}");
    assert.equal(answer.status, 201);
    assert.deepEqual([answer.receipt.success, answer.receipt.payer], [true, answer.payer]);
  });
}

test("F1 F2 F4: the facilitator client reads every answer of our facilitator", async () => {
  const charged = await settlements();
  const said = await python("facilitate.py", stack.facilitatorUrl, JSON.stringify(TERMS));
  const { payer } = said;
  const extra = { simulated: true };
  const kind = { x402Version: 2, scheme: TERMS.scheme, network: TERMS.network, extra };
  assert.deepEqual(said.supported.kinds, [kind]);
  assert.deepEqual(said.verified, { isValid: true, payer, extra });
  assert.deepEqual([said.settled.success, said.settled.payer, said.settled.network], [true, payer, TERMS.network]);
  assert.match(said.settled.transaction, /^0x[0-9a-f]{64}$/);
  assert.equal(said.again.transaction, said.settled.transaction);
  assert.equal(said.used.invalidReason, "invalid_exact_evm_nonce_already_used");
  assert.equal(said.changed.verified.invalidReason, "invalid_exact_evm_signature");
  assert.deepEqual([said.changed.settled.success, said.changed.settled.transaction], [false, ""]);
  assert.equal(said.changed.settled.errorReason, "invalid_exact_evm_signature");
  assert.equal(await settlements(), charged + 1);
});
