// A mandate from its creation to a settled payment, by an owner, an agent and a provider with keys of their own.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  VARS, act, approval, ask, bytes32, evaluated, mandateBody, mandateOf, party, request, typed, usdc,
} from "./support/mandate.mjs";

let stack;
before(async () => {
  stack = await start(VARS);
});
after(() => stack?.stop());

test("an agent pays within its mandate, is stopped at the cap, waits for an approval and gets it", async () => {
  const [owner, agent, provider] = [party(), party(), party()];
  const mandate = await mandateOf(stack, owner, agent);
  assert.equal(mandate.status, "active");
  assert.equal(mandate.funds.available, usdc(100));
  assert.equal(mandate.label, "Research");

  const wish = { recipient: provider.address, amount: usdc(2) };
  const paid = await answered(await request(stack, agent, mandate, wish), 201);
  assert.equal(paid.progress, "escrowed");

  const tooMuch = await request(stack, agent, mandate, { ...wish, amount: usdc(11) });
  const problem = await assertProblem(tooMuch, 422, "entry_payment_cap");
  assert.deepEqual(problem.errors.map(({ field }) => field), ["entry_payment_cap", "payment_cap"]);

  const asked = await answered(await request(stack, agent, mandate, { ...wish, amount: usdc(6) }), 202);
  assert.equal(asked.progress, "awaiting_approval");
  const queue = await answered(await ask(stack, owner, "GET", "/v1/approvals"), 200);
  assert.deepEqual(queue.approvals.map(({ payment }) => payment), [asked.payment]);
  const signed = await approval(stack, owner, asked.payment);
  const approved = await answered(await act(stack, owner, asked, "approve", signed), 200);
  assert.equal(approved.progress, "approved");
  const path = `/v1/mandates/${mandate.mandate}/requests`;
  const submitted = await answered(await ask(stack, agent, "POST", path, { request: asked.request }), 201);
  assert.equal(submitted.progress, "escrowed");

  const delivered = await answered(await act(stack, provider, submitted, "deliver", { receiptHash: bytes32() }), 200);
  assert.equal(delivered.progress, "delivered");
  const settled = await answered(await act(stack, owner, submitted, "accept"), 200);
  assert.equal(settled.progress, "settled");
  assert.equal(settled.paid, usdc(6));

  const shown = await answered(await ask(stack, null, "GET", `/v1/mandates/${mandate.mandate}`), 200);
  assert.equal(shown.label, undefined);
  assert.equal(shown.funds.balance, usdc(94));
  assert.equal(shown.funds.reserved, usdc(2));
  assert.equal(shown.spent.today, usdc(8));
  const log = await answered(await ask(stack, owner, "GET", "/v1/activity"), 200);
  assert.deepEqual(
    log.activity.map(({ kind, result }) => `${kind}:${result}`),
    ["accept:settled", "deliver:delivered", "submit:escrowed", "approve:approved", "request:awaiting_approval", "request:escrowed", "fund:done", "create:done"],
  );
});

test("a party's own signature is enough, whoever brings it", async () => {
  const [owner, agent, provider] = [party(), party(), party()];
  const mandate = await mandateOf(stack, owner, agent);
  const { request: message, typedData } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1) });
  const path = `/v1/mandates/${mandate.mandate}/requests`;
  await assertProblem(await ask(stack, null, "POST", path, { request: message }), 401, "missing_credentials");
  const signature = await typed(agent, typedData);
  const made = await answered(await ask(stack, null, "POST", path, { request: message, signature }), 201);
  assert.equal(made.progress, "escrowed");
  const again = await ask(stack, null, "POST", path, { request: message, signature });
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  assert.equal((await answered(again, 200)).payment, made.payment);
  const forged = await typed(provider, typedData);
  const other = { ...message, requestId: bytes32() };
  await assertProblem(await ask(stack, null, "POST", path, { request: other, signature: forged }), 403, "agent_signature");
});

test("a creation is done once under its key", async () => {
  const [owner, agent] = [party(), party()];
  const body = mandateBody(agent);
  const key = { "idempotency-key": "a-key" };
  const made = await answered(await ask(stack, owner, "POST", "/v1/mandates", body, key), 201);
  const again = await ask(stack, owner, "POST", "/v1/mandates", body, key);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  assert.equal((await answered(again, 200)).mandate, made.mandate);
  await assertProblem(await ask(stack, owner, "POST", "/v1/mandates", { ...body, label: "x" }, key), 422, "idempotency_key_reused");
  await assertProblem(await ask(stack, owner, "POST", "/v1/mandates", body), 400, "idempotency_key_required");
  const path = `/v1/mandates/${made.mandate}/fund`;
  for (const status of [200, 200]) await answered(await ask(stack, owner, "POST", path, { amount: "5" }, { "idempotency-key": "f" }), status);
  const shown = await answered(await ask(stack, owner, "GET", `/v1/mandates/${made.mandate}`), 200);
  assert.equal(shown.funds.balance, "5");
});
