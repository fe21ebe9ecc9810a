// Mandates over MCP: an agent looks at its budget, asks beforehand, pays, and waits for its owner, as clients of both eras.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { start } from "../harness.mjs";
import { answered, send } from "./support/board.mjs";
import { act, approval, ask, bytes32, mandateOf, party, SITE, typed, usdc, VARS } from "./support/mandate.mjs";

const MODERN = "2026-07-28";
const SERVICE = "text.transform";

let stack;
let client;
before(async () => {
  stack = await start(VARS);
  client = new Client({ name: "paying-agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", stack.url)));
});
after(async () => {
  await client?.close();
  await stack?.stop();
});

/** Calls a tool as the official client does. */
const call = (name, args) => client.callTool({ name, arguments: args });

/** Calls a tool as a client of the newer era does that shows addresses to a person. */
async function modern(name, args, more = {}) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { url: {} } },
  };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta, ...more } };
  const headers = { "mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": name };
  return (await answered(await send(stack, "/mcp", body, headers), 200)).result;
}

/** An owner, its agent with a mandate, and a request that the agent has signed. */
async function world(amount) {
  const [owner, agent, provider] = [party(), party(), party()];
  const { mandate } = await mandateOf(stack, owner, agent);
  const wish = { mandate, recipient: provider.address, service: SERVICE, amount };
  const evaluation = (await call("evaluate_payment", wish)).structuredContent;
  const signature = await typed(agent, evaluation.typedData);
  return { owner, agent, provider, mandate, wish, evaluation, args: { request: evaluation.request, signature } };
}

test("an agent sees what it may spend, asks beforehand and pays", async () => {
  const { agent, provider, mandate, wish, evaluation, args } = await world(usdc(2));
  assert.equal(evaluation.verdict, "allowed");
  const budget = (await call("get_mandate_budget", { mandate, recipient: provider.address, service: SERVICE })).structuredContent;
  assert.deepEqual([budget.available, budget.perPayment, budget.needsApprovalAbove], [usdc(100), usdc(10), usdc(5)]);

  const paid = await call("request_payment", args);
  assert.equal(paid.isError, false);
  assert.deepEqual(JSON.parse(paid.content[0].text), paid.structuredContent);
  assert.deepEqual([paid.structuredContent.progress, paid.structuredContent.payment], ["escrowed", evaluation.payment]);
  assert.equal(paid.structuredContent.approvalUrl, undefined);

  // A lost answer is asked for again: nothing more is reserved.
  const again = await Promise.all(Array.from({ length: 5 }, () => call("request_payment", args)));
  for (const { structuredContent } of again) assert.deepEqual(structuredContent, paid.structuredContent);
  const left = (await call("get_mandate_budget", { mandate })).structuredContent;
  assert.equal(left.available, usdc(98));

  for (const payment of [evaluation.payment, evaluation.request.requestId]) {
    const looked = await call("get_payment", { mandate, payment });
    assert.deepEqual(looked.structuredContent, paid.structuredContent);
  }

  const refused = await call("evaluate_payment", { ...wish, amount: usdc(11) });
  assert.deepEqual([refused.isError, refused.structuredContent.verdict], [false, "refused"]);
  const { request, typedData } = refused.structuredContent;
  const no = await call("request_payment", { request, signature: await typed(agent, typedData) });
  assert.equal(no.isError, true);
  assert.match(no.content[0].text, /entry_payment_cap: .*\npayment_cap: /);
  assert.deepEqual(no.structuredContent.errors.map(({ field }) => field), ["entry_payment_cap", "payment_cap"]);
});

test("above the threshold a client that opens addresses is sent to the owner, once", async () => {
  const { owner, mandate, evaluation, args } = await world(usdc(6));
  assert.equal(evaluation.verdict, "needs_approval");
  const asked = await modern("request_payment", { ...args, wait_seconds: 20 });
  assert.equal(asked.resultType, "input_required");
  const { method, params } = asked.inputRequests.visit;
  const approvalUrl = `${SITE}/v1/approvals/${evaluation.payment}`;
  assert.deepEqual([method, params.mode, params.url], ["elicitation/create", "url", approvalUrl]);
  assert.match(params.message, /\$6\.00 in USDC/);

  const agreed = (action) => ({ inputResponses: { visit: { action } } });
  for (const action of ["accept", "decline"]) {
    const waits = await modern("request_payment", { ...args, wait_seconds: 0 }, agreed(action));
    assert.deepEqual([waits.resultType, waits.isError], ["complete", false]);
    assert.deepEqual([waits.structuredContent.progress, waits.structuredContent.approvalUrl], ["awaiting_approval", approvalUrl]);
  }

  // The owner approves while the repeated call waits, and that call submits.
  const waiting = modern("request_payment", args, agreed("accept"));
  const payment = { payment: evaluation.payment, mandate, requestId: evaluation.request.requestId };
  await answered(await act(stack, owner, payment, "approve", await approval(stack, owner, evaluation.payment)), 200);
  const done = await waiting;
  assert.deepEqual([done.resultType, done.structuredContent.progress], ["complete", "escrowed"]);
});

test("every other client reads where the owner approves, and what the owner said", async () => {
  const { owner, evaluation, args } = await world(usdc(6));
  const started = performance.now();
  const waits = await call("request_payment", { ...args, wait_seconds: 2 });
  assert.ok(performance.now() - started >= 1_900, "it waited for the owner");
  assert.equal(waits.isError, false);
  assert.equal(waits.structuredContent.approvalUrl, `${SITE}/v1/approvals/${evaluation.payment}`);
  assert.match(waits.structuredContent.message, /waits for the owner/);

  const path = `/v1/approvals/${evaluation.payment}/decide`;
  await answered(await ask(stack, owner, "POST", path, { decision: "reject", note: "Too dear." }), 200);
  const rejected = await call("request_payment", args);
  assert.deepEqual([rejected.isError, rejected.structuredContent.progress], [true, "rejected"]);
});

test("no tool takes an approval, and none pays what the agent did not sign", async () => {
  const { owner, provider, mandate, evaluation, args } = await world(usdc(6));
  await call("request_payment", args);
  const signed = await approval(stack, owner, evaluation.payment);
  const smuggled = [
    { ...args, approval: signed },
    { ...args, approvalSignature: signed.signature },
    { ...args, request: { ...args.request, approval: signed } },
    { ...args, request: { ...args.request, terms: { ...args.request.terms, approval: signed } } },
  ];
  for (const each of smuggled) {
    const refused = await call("request_payment", each);
    assert.deepEqual([refused.isError, refused.structuredContent.code], [true, "invalid_arguments"]);
    assert.match(refused.content[0].text, /approval/);
  }
  const looked = await call("get_payment", { mandate, payment: evaluation.payment });
  assert.equal(looked.structuredContent.progress, "awaiting_approval");

  const forged = { request: { ...args.request, requestId: bytes32() }, signature: await typed(provider, evaluation.typedData) };
  const refused = await call("request_payment", forged);
  assert.deepEqual([refused.isError, refused.structuredContent.code], [true, "agent_signature"]);
  const unknown = await call("get_mandate_budget", { mandate: bytes32() });
  assert.deepEqual([unknown.isError, unknown.structuredContent.code], [true, "unknown_mandate"]);
});
