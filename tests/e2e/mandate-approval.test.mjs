// The owner's word on a request: whose signature it is, of what and until when, and what ends a request before it is paid.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  VARS, act, approval, ask, bytes32, evaluated, mandateBody, mandateOf, party, paymentAt, request, typed, usdc,
} from "./support/mandate.mjs";

let stack;
let [owner, agent, provider] = [];
let mandate;
let path;

before(async () => {
  stack = await start(VARS);
  [owner, agent, provider] = [party(), party(), party()];
  mandate = await mandateOf(stack, owner, agent, { policy: { dayCap: usdc(1000) }, funds: usdc(1000) });
  path = `/v1/mandates/${mandate.mandate}`;
});
after(() => stack?.stop());

const seconds = () => Math.floor(Date.now() / 1000);
const at = (stage) => paymentAt(stack, stage, { owner, agent, provider, mandate });
const look = async ({ payment }, account = owner) => answered(await ask(stack, account, "GET", `${path}/requests/${payment}`), 200);
const submit = (payment) => ask(stack, agent, "POST", `${path}/requests`, { request: payment.request });
const offered = async ({ payment }) => (await answered(await ask(stack, owner, "GET", `/v1/approvals/${payment}`), 200)).typedData;

test("an approval is the owner's signature of this request until then, for this ledger", async () => {
  const [payment, other] = [await at("waiting"), await at("waiting")];
  const data = await offered(payment);
  const { validBefore } = data.message;
  const signed = (account, message = {}, domain = {}) =>
    typed(account, { ...data, message: { ...data.message, ...message }, domain: { ...data.domain, ...domain } });
  const bad = [
    ["the agent's own", await signed(agent)],
    ["the agent's, as if it were the approver", await signed(agent, { approver: agent.address })],
    ["a provider's", await signed(provider)],
    ["one that names another approver", await signed(owner, { approver: agent.address })],
    ["one of another request", (await approval(stack, owner, other.payment)).signature],
    ["one of another amount", await signed(owner, { request: { ...data.message.request, maxAmount: usdc(7) } })],
    ["one until later", await signed(owner, { validBefore: validBefore + 1 })],
    ["one for another chain", await signed(owner, {}, { chainId: 8453 })],
    ["one for another contract", await signed(owner, {}, { verifyingContract: mandate.token })],
    ["one for another version", await signed(owner, {}, { version: "2" })],
    ["the owner's signature of the request alone", await typed(owner, {
      ...data, primaryType: "PaymentRequest", message: data.message.request,
    })],
    ["zeros", `0x${"00".repeat(65)}`],
  ];
  for (const [about, signature] of bad) {
    for (const caller of [owner, agent]) {
      await assertProblem(await act(stack, caller, payment, "approve", { validBefore, signature }), 403, "approval_signature", about);
    }
    const decision = { decision: "approve", validBefore, signature };
    const decided = await ask(stack, owner, "POST", `/v1/approvals/${payment.payment}/decide`, decision);
    await assertProblem(decided, 403, "approval_signature", about);
  }
  const past = { validBefore: seconds() - 1, signature: await signed(owner, { validBefore: seconds() - 1 }) };
  await assertProblem(await act(stack, owner, payment, "approve", past), 422, "approval_expired");
  for (const wrong of [-1, 1.5, "soon", 2 ** 48, null]) {
    const answer = await act(stack, owner, payment, "approve", { validBefore: wrong, signature: past.signature });
    await assertProblem(answer, 400, "invalid_body", `${wrong}`);
  }
  for (const waits of [payment, other]) assert.equal((await look(waits)).progress, "awaiting_approval");

  const soon = seconds() + 60;
  const good = { validBefore: soon, signature: await signed(owner, { validBefore: soon }) };
  const approved = await answered(await act(stack, owner, payment, "approve", good), 200);
  assert.deepEqual([approved.progress, approved.approval], ["approved", good]);
  assert.equal(Date.parse(approved.deadline), soon * 1000);
  assert.deepEqual((await look(payment, agent)).approval, good);
});

test("an approval is used once, and there is one decision", async () => {
  const [yes, no] = [await at("waiting"), await at("waiting")];
  const [given, late] = [await approval(stack, owner, yes.payment), await approval(stack, owner, no.payment)];
  const decide = (payment, decision) => ask(stack, owner, "POST", `/v1/approvals/${payment.payment}/decide`, decision);

  assert.equal((await answered(await decide(yes, { decision: "approve", ...given }), 200)).progress, "approved");
  for (const again of [{ decision: "approve", ...given }, { decision: "reject", note: "changed my mind" }]) {
    await assertProblem(await decide(yes, again), 409, "already_decided");
  }
  await assertProblem(await act(stack, owner, yes, "approve", given), 409, "already_decided");
  const paid = await answered(await submit(yes), 201);
  assert.deepEqual([paid.progress, paid.approval], ["escrowed", undefined]);
  await assertProblem(await act(stack, owner, yes, "approve", given), 409, "request_unavailable_in_state");
  const again = await submit(yes);
  assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [200, "true"]);
  const same = await request(stack, agent, mandate, { recipient: provider.address, amount: usdc(6) });
  const next = await answered(same, 202);
  await assertProblem(await act(stack, owner, next, "approve", given), 403, "approval_signature", "for a request like it");

  const note = "Too much for \"one\" text,\nask for less.";
  const rejected = await answered(await decide(no, { decision: "reject", note }), 200);
  assert.deepEqual([rejected.progress, rejected.note], ["rejected", note]);
  for (const later of [{ decision: "reject" }, { decision: "approve", ...late }]) {
    await assertProblem(await decide(no, later), 409, "already_decided");
  }
  assert.equal((await look(no, agent)).note, note);
  assert.equal((await look(no, null)).note, undefined);
  assert.equal((await answered(await submit(no), 200)).progress, "rejected", "asking again pays nothing");
  await assertProblem(await act(stack, agent, no, "submit"), 409, "request_unavailable_in_state");
  const long = { decision: "reject", note: "é".repeat(251) };
  for (const bad of [{}, { decision: "maybe" }, long, { decision: "reject", more: 1 }, { decision: "approve" }]) {
    await assertProblem(await decide(next, bad), 400, "invalid_body", JSON.stringify(bad));
  }
});

test("the queue shows what waits, and says by word what was decided", async () => {
  const [its, itsAgent] = [party(), party()];
  const own = await mandateOf(stack, its, itsAgent);
  const made = {};
  for (const stage of ["waiting", "approved", "escrowed"]) {
    made[stage] = await paymentAt(stack, stage, { owner: its, agent: itsAgent, provider, mandate: own });
  }
  made.rejected = await paymentAt(stack, "waiting", { owner: its, agent: itsAgent, provider, mandate: own });
  await answered(await act(stack, its, made.rejected, "reject"), 200);
  const queue = async (status) => {
    const { approvals } = await answered(await ask(stack, its, "GET", `/v1/approvals${status ? `?status=${status}` : ""}`), 200);
    return approvals.map(({ payment }) => payment);
  };
  assert.deepEqual(await queue(), [made.waiting.payment]);
  assert.deepEqual(await queue("waiting"), [made.waiting.payment]);
  assert.deepEqual(await queue("approved"), [made.approved.payment]);
  assert.deepEqual(await queue("rejected"), [made.rejected.payment]);
  assert.deepEqual(await queue("expired"), []);
  assert.deepEqual(await queue("all"), [made.rejected, made.approved, made.waiting].map(({ payment }) => payment));
  await assertProblem(await ask(stack, its, "GET", "/v1/approvals?status=perhaps"), 400, "malformed");
  // Only who is to sign is shown what to sign.
  const seen = await answered(await ask(stack, itsAgent, "GET", `/v1/approvals/${made.waiting.payment}`), 200);
  assert.equal(seen.typedData, undefined);
});

test("a cancelled request is never paid, whether it was made or not", async () => {
  for (const [stage, by] of [["waiting", agent], ["waiting", owner], ["approved", agent], ["approved", owner]]) {
    const payment = await at(stage);
    assert.equal((await answered(await act(stack, by, payment, "cancel"), 200)).progress, "cancelled");
    const twice = await act(stack, by, payment, "cancel");
    assert.equal(twice.headers.get("idempotency-replayed"), "true");
    assert.equal((await answered(await submit(payment), 200)).progress, "cancelled");
    await assertProblem(await act(stack, agent, payment, "submit"), 409, "request_unavailable_in_state");
  }
  const escrowed = await at("escrowed");
  await assertProblem(await act(stack, agent, escrowed, "cancel"), 409, "request_unavailable_in_state");

  const { request: message, payment, typedData } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1) });
  const unmade = { mandate: mandate.mandate, payment };
  await assertProblem(await act(stack, agent, unmade, "cancel"), 404, "unknown_request");
  await assertProblem(await act(stack, provider, unmade, "cancel", { request: message }), 403, "not_permitted");
  await assertProblem(await act(stack, null, unmade, "cancel", { request: message }), 401, "missing_credentials");
  await assertProblem(await act(stack, agent, { ...unmade, payment: bytes32() }, "cancel", { request: message }), 404, "unknown_request");
  const Cancel = [{ name: "payment", type: "bytes32" }];
  const signature = await agent.signTypedData({ domain: typedData.domain, types: { Cancel }, primaryType: "Cancel", message: { payment } });
  assert.equal((await answered(await act(stack, null, unmade, "cancel", { request: message, signature }), 200)).progress, "cancelled");
  const sent = await ask(stack, null, "POST", `${path}/requests`, { request: message, signature: await typed(agent, typedData) });
  assert.equal((await answered(sent, 200)).progress, "cancelled");
});

test("a policy that changes ends what waits under it, and what was signed for it", async () => {
  const [waits, approved, escrowed] = [await at("waiting"), await at("approved"), await at("escrowed")];
  const { request: kept } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1) });
  const { policy } = mandateBody(agent, { policy: { dayCap: usdc(900), validBefore: mandate.policy.validBefore } });
  const tighter = await ask(stack, owner, "POST", `${path}/amend`, { expectedVersion: 1, policy });
  assert.equal((await answered(tighter, 200)).policyVersion, 2);
  for (const payment of [waits, approved]) {
    assert.equal((await look(payment)).progress, "expired");
    await assertProblem(await act(stack, agent, payment, "submit"), 409, "request_unavailable_in_state");
  }
  await assertProblem(await ask(stack, agent, "POST", `${path}/requests`, { request: kept }), 422, "policy_version");
  await assertProblem(await ask(stack, owner, "POST", `${path}/amend`, { expectedVersion: 1, policy }), 422, "policy_version");
  const delivered = await answered(await act(stack, provider, escrowed, "deliver", { receiptHash: bytes32() }), 200);
  assert.equal(delivered.progress, "delivered", "what is escrowed goes on");
  assert.equal((await request(stack, agent, mandate, { recipient: provider.address, amount: usdc(1) })).status, 201);
});
