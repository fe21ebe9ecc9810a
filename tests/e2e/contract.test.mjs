// What the OpenAPI document says of mandates is what is sent and answered: every operation is asked until it does what it is
// for, and each body, status, header and code on the way is held to the document.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered } from "./support/board.mjs";
import { Contract } from "./support/contract.mjs";
import {
  DAY, VARS, ahead, ask, askSignedIn, bytes32, mandateBody, party, typed, usdc,
} from "./support/mandate.mjs";
import { signIn } from "./support/signin.mjs";

const TAGS = ["mandates", "payments", "agents"];
/** Refused where no contract keeps mandates. */
const IN_VAIN = ["adoptMandate", "recordPayment"];

let stack;
let contract;
const [owner, agent, provider, resolver, stranger] = Array.from({ length: 5 }, party);
const done = new Set();

before(async () => {
  stack = await start(VARS);
  contract = new Contract(await answered(await stack.fetch("/v1/openapi.json"), 200));
});
after(() => stack?.stop());

/** Asks, and holds both sides to the document. */
async function said(status, account, method, path, body, headers) {
  const operation = contract.operation(method, path);
  if (status < 300) contract.sent(operation, body);
  const answer = await ask(stack, account, method, path, body, headers);
  assert.equal(answer.status, status, `${method} ${path}: ${await answer.clone().text()}`);
  if (status < 300) done.add(operation.operationId);
  return contract.answered(operation, answer);
}

const key = () => ({ "idempotency-key": bytes32() });
const at = ({ mandate }) => `/v1/mandates/${mandate}`;

async function funded(options) {
  const made = await said(201, owner, "POST", "/v1/mandates", mandateBody(agent, options), key());
  return said(200, owner, "POST", `${at(made)}/fund`, { amount: usdc(100) }, key());
}

async function evaluated(mandate, amount = usdc(2)) {
  const wish = { recipient: provider.address, service: "text.transform", amount };
  return said(200, null, "POST", `${at(mandate)}/evaluate`, wish);
}

/** A payment that is asked for: of two USDC it is authorized, of six it waits. */
async function requested(mandate, amount) {
  const { request } = await evaluated(mandate, amount);
  return said(amount === undefined ? 201 : 202, agent, "POST", `${at(mandate)}/requests`, { request });
}

function act(status, account, { mandate, payment }, verb, body) {
  return said(status, account, "POST", `/v1/mandates/${mandate}/requests/${payment}/${verb}`, body);
}

async function approval(payment) {
  const { typedData } = await said(200, owner, "GET", `/v1/approvals/${payment.payment}`);
  return { validBefore: typedData.message.validBefore, signature: await typed(owner, typedData) };
}

test("a mandate is made, looked at, funded and refused as it says", async () => {
  await said(200, null, "GET", "/v1/status");
  await said(401, null, "POST", "/v1/mandates", mandateBody(agent));
  await said(400, owner, "POST", "/v1/mandates", { ...mandateBody(agent), colour: "red" }, key());
  await said(400, owner, "POST", "/v1/mandates", mandateBody(agent));
  await said(422, owner, "POST", "/v1/mandates", mandateBody(owner), key());
  const [body, once] = [mandateBody(agent, { entries: [{ recipient: provider.address, windowCap: "9", window: "utc_month" }, {}] }), key()];
  const made = await said(201, owner, "POST", "/v1/mandates", body, once);
  await said(200, owner, "POST", "/v1/mandates", body, once);
  await said(422, owner, "POST", "/v1/mandates", { ...body, label: "Other" }, once);
  await said(409, owner, "POST", "/v1/mandates/adopt", { mandate: bytes32() });
  await said(200, owner, "GET", "/v1/mandates?status=active&limit=1");
  await said(400, owner, "GET", "/v1/mandates?status=asleep");
  for (const reader of [owner, stranger, null]) await said(200, reader, "GET", at(made));
  await said(404, null, "GET", `/v1/mandates/${bytes32()}`);
  await said(404, null, "GET", "/v1/mandates/0xaa");
  await said(200, null, "GET", `${at(made)}/entries?limit=1`);
  await said(200, null, "GET", `${at(made)}/budget`);
  await said(200, null, "GET", `${at(made)}/budget?recipient=${provider.address}&service=text.transform`);
  await said(400, null, "GET", `${at(made)}/budget?colour=red`);
  await said(400, owner, "POST", `${at(made)}/fund`, { amount: "5" });
  await said(403, stranger, "POST", `${at(made)}/fund`, { amount: "5" }, key());
  await said(200, owner, "POST", `${at(made)}/fund`, { amount: "5" }, key());
  await said(422, owner, "POST", `${at(made)}/withdraw`, { amount: "6" }, key());
  await said(200, owner, "POST", `${at(made)}/withdraw`, { amount: "5" }, key());
  const { request } = await evaluated(made, usdc(1000));
  await said(200, agent, "POST", "/v1/agent/evaluate", { request });
  await said(400, agent, "POST", "/v1/agent/evaluate", { recipient: provider.address, service: "text.transform", amount: "1" });
  await said(200, agent, "GET", "/v1/agent/mandates");
});

test("requests go every way that they can go", async () => {
  const terms = { resolver: resolver.address, challengePeriodSeconds: 86_400, resolutionTimeoutSeconds: 86_400 };
  const mandate = await funded({ policy: { dayCap: usdc(100), terms } });
  const { request, typedData } = await evaluated(mandate);
  await said(401, null, "POST", `${at(mandate)}/requests`, { request });
  await said(403, stranger, "POST", `${at(mandate)}/requests`, { request });
  const signature = await typed(agent, typedData);
  const paid = await said(201, null, "POST", "/v1/agent/payments", { request, signature });
  await said(200, null, "POST", "/v1/agent/approvals", { request, signature });
  await said(422, agent, "POST", `${at(mandate)}/requests`, { request: { ...request, maxAmount: usdc(50), requestId: bytes32() } });
  await said(422, agent, "POST", `${at(mandate)}/requests`, { request: { ...request, maxAmount: "1" } });
  await said(409, agent, "POST", "/v1/agent/payments/record", { requestId: request.requestId, transaction: bytes32() });
  await said(403, stranger, "POST", `${at(mandate)}/requests/${paid.payment}/deliver`, { receiptHash: bytes32() });
  await act(409, owner, paid, "accept");
  await act(404, owner, { ...paid, payment: bytes32() }, "accept");
  await act(200, provider, paid, "deliver", { receiptHash: bytes32() });
  await act(409, null, paid, "claim");
  await act(200, owner, paid, "accept", {});
  await act(422, provider, paid, "refund", { total: usdc(3) });
  await act(200, provider, paid, "refund", { total: usdc(1) });
  for (const reader of [owner, agent, null]) await said(200, reader, "GET", `${at(mandate)}/requests/${paid.requestId}`);

  await act(200, provider, await requested(mandate), "void");
  const delivered = async () => act(200, provider, await requested(mandate), "deliver", { receiptHash: bytes32() });
  const disputed = async () => act(200, owner, await delivered(), "dispute", { evidenceHash: bytes32() });
  await act(200, resolver, await disputed(), "resolve", { toProvider: usdc(1) });

  const [captured, claimed, silent, late] = [await delivered(), await delivered(), await disputed(), await requested(mandate)];
  await ahead(stack, DAY + 60_000);
  await act(200, provider, captured, "capture", { total: usdc(1) });
  await act(422, provider, captured, "capture", { total: usdc(1) });
  await act(200, null, claimed, "claim");
  await act(200, null, silent, "time-out", {});
  await ahead(stack, 2 * DAY);
  await act(200, null, late, "expire");
});

test("what waits for the owner is approved, rejected or cancelled", async () => {
  const mandate = await funded({ policy: { dayCap: usdc(100) } });
  const wait = () => requested(mandate, usdc(6));
  const [first, second, third, fourth, fifth] = [await wait(), await wait(), await wait(), await wait(), await wait()];
  await said(200, owner, "GET", "/v1/approvals?limit=2");
  await said(200, owner, "GET", "/v1/approvals?status=all");
  await said(200, agent, "GET", `/v1/agent/approvals/${first.requestId}`);
  await said(404, stranger, "GET", `/v1/approvals/${first.payment}`);
  const forged = { ...(await approval(first)), signature: `0x${"11".repeat(65)}` };
  await act(403, null, first, "approve", forged);
  await act(200, null, first, "approve", await approval(first));
  await act(409, owner, first, "reject", { note: "Too late" });
  await act(200, agent, first, "submit");
  const decision = { decision: "approve", ...(await approval(second)) };
  await said(200, owner, "POST", `/v1/approvals/${second.payment}/decide`, decision);
  await said(201, agent, "POST", `${at(mandate)}/requests`, { request: second.request });
  await said(200, owner, "POST", `/v1/approvals/${third.payment}/decide`, { decision: "reject", note: "Not now" });
  await said(409, owner, "POST", `/v1/approvals/${third.payment}/decide`, { decision: "reject" });
  await act(200, owner, fourth, "reject");
  await act(200, agent, fifth, "cancel");
  const { request, payment } = await evaluated(mandate);
  await act(200, owner, { ...mandate, payment }, "cancel", { request });
  await said(200, agent, "GET", `${at(mandate)}/requests?progress=rejected`);
  await said(200, stranger, "GET", `${at(mandate)}/requests`);
  await said(200, owner, "GET", `/v1/payments?mandate=${mandate.mandate}&limit=3`);
  await said(200, null, "GET", `/v1/payments/${first.payment}`);
  await said(404, null, "GET", `/v1/payments/${bytes32()}`);
  await said(200, owner, "GET", "/v1/activity?kind=reject&result=rejected");
  const csv = await said(200, owner, "GET", "/v1/activity?format=csv");
  assert.match(csv, /^at,mandate,seq,kind,/);
  await said(400, owner, "GET", "/v1/activity?format=csv&limit=3");
});

test("a mandate is paused, amended and stopped", async () => {
  const [mandate, other] = [await funded(), await funded()];
  const policy = (change) => ({ ...mandateBody(agent).policy, validBefore: mandate.policy.validBefore, ...change });
  await said(200, owner, "POST", `${at(mandate)}/pause`);
  await said(409, owner, "POST", `${at(other)}/unpause`);
  await said(200, owner, "POST", `${at(mandate)}/unpause`, {});
  const tighter = { expectedVersion: 1, policy: policy({ dayCap: usdc(20) }) };
  await said(200, owner, "POST", `${at(mandate)}/amend`, tighter);
  await said(422, owner, "POST", `${at(mandate)}/amend`, tighter);
  const looser = { expectedVersion: 2, policy: policy({ dayCap: usdc(50) }), entries: [{ service: "image.render" }] };
  await said(202, owner, "POST", `${at(mandate)}/amend`, looser);
  await said(409, stranger, "POST", `${at(mandate)}/apply-amendment`, looser);
  await said(200, owner, "POST", `${at(mandate)}/cancel-amendment`);
  await said(202, owner, "POST", `${at(mandate)}/amend`, looser);
  await ahead(stack, 4 * DAY);
  await said(200, stranger, "POST", `${at(mandate)}/apply-amendment`, looser);
  await said(403, stranger, "POST", `${at(mandate)}/revoke`);
  await said(200, owner, "POST", `${at(mandate)}/revoke`);
  await said(200, agent, "POST", `${at(other)}/renounce`);
});

test("an owner keeps names and drafts", async () => {
  const draft = { label: "Later", mandate: { agent: agent.address }, note: "Ask first", transaction: bytes32() };
  await said(200, owner, "POST", "/v1/agents", { agent: agent.address, name: "Scout" });
  await said(400, owner, "POST", "/v1/agents", { agent: agent.address, name: "" });
  await said(200, owner, "GET", "/v1/agents");
  await said(204, owner, "DELETE", `/v1/agents/${agent.address}`);
  await said(404, owner, "DELETE", `/v1/agents/${agent.address}`);
  const once = key();
  const kept = await said(201, owner, "POST", "/v1/drafts", draft, once);
  await said(200, owner, "POST", "/v1/drafts", draft, once);
  await said(422, owner, "POST", "/v1/drafts", { mandate: {} }, once);
  await said(200, owner, "GET", "/v1/drafts");
  await said(200, owner, "PATCH", `/v1/drafts/${kept.draft}`, { transaction: "", note: "Asked" }, { "if-match": '"1"' });
  await said(409, owner, "PATCH", `/v1/drafts/${kept.draft}`, { label: "Sooner" }, { "if-match": '"1"' });
  await said(400, owner, "PATCH", `/v1/drafts/${kept.draft}`, {}, { "if-match": "1" });
  await said(204, owner, "DELETE", `/v1/drafts/${kept.draft}`);
  await said(404, owner, "PATCH", `/v1/drafts/${kept.draft}`, {});
});

test("a page of another origin is told so by every route that changes something", async () => {
  const [visitor, name] = [await signIn(stack), bytes32()];
  const written = ({ path, method, operation }) =>
    [...TAGS, "owners"].includes(operation.tags[0]) && method !== "get" && !path.includes("/auth/") && !IN_VAIN.includes(operation.operationId.replace("ByApiPath", ""));
  for (const { path, method, operation } of contract.operations().filter(written)) {
    const parts = { mandate: name, reference: name, agent: stranger.address, draft: "dft_1" };
    const target = path.replace(/\{(\w+)\}/g, (_, part) => parts[part]);
    const body = { expectedVersion: 1 };
    const answer = await askSignedIn(stack, visitor, method.toUpperCase(), target, body, { origin: "https://other.example" });
    assert.ok([400, 403].includes(answer.status), `${operation.operationId}: ${answer.status}`);
    await contract.answered(operation, answer);
  }
});

test("nothing that the document says of mandates was left out", () => {
  const isOurs = ({ operation }) => TAGS.includes(operation.tags[0]) && !operation.operationId.endsWith("ByApiPath");
  const ours = contract.operations().filter(isOurs).map(({ operation }) => operation.operationId);
  assert.deepEqual(ours.filter((name) => !done.has(name)).sort(), IN_VAIN);
  assert.ok(ours.length > 40, `${ours.length} operations`);
});

test("every example of the document is what its schema says", async () => {
  const { components } = await answered(await stack.fetch("/v1/openapi.json"), 200);
  let examples = 0;
  for (const [name, schema] of Object.entries(components.schemas)) {
    for (const example of schema.examples ?? []) {
      assert.deepEqual(contract.complaints({ $ref: `#/components/schemas/${name}` }, example), [], name);
      examples += 1;
    }
  }
  assert.ok(examples > 20, `${examples} examples`);
});
