// Purchase runs over MCP: an agent starts one, shows it to its user, agrees to exactly that, and never buys twice.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { start } from "../harness.mjs";
import { runVars } from "./support/run.mjs";
import { until } from "./support/waiting.mjs";

let stack;
let client;
before(async () => {
  stack = await start(runVars());
  client = new Client({ name: "buying-agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", stack.url)));
});
after(async () => {
  await client?.close();
  await stack?.stop();
});

const call = (name, args) => client.callTool({ name, arguments: args });
const wish = (more = {}) => ({
  requirement: "coca cola 2l", quantity: 1, max_budget_cents: "10000", wallet: "simulated", idempotency_key: randomUUID(), ...more,
});

/** A run that waits for its owner's word. */
async function waiting(args = wish()) {
  const { structuredContent: made } = await call("start_run", args);
  const named = { run_id: made.run.id, run_token: made.runToken };
  const run = await until("a question", async () => {
    const { run } = (await call("get_run", named)).structuredContent;
    return run.state === "USER_CONFIRMATION" && run;
  });
  return { named, run, confirmation: run.payment.confirmation };
}

test("an agent buys something: it starts a run, agrees to what is shown, and sees the order", async () => {
  const { named, confirmation } = await waiting();
  const agreed = await call("confirm_run", { ...named, digest: confirmation.digest, amount_cents: confirmation.amountCents });
  assert.equal(agreed.isError, false);
  const done = await until("the order", async () => {
    const { run, events } = (await call("get_run", named)).structuredContent;
    return run.isTerminal && { run, events };
  });
  assert.equal(done.run.state, "ORDER_CONFIRMED");
  assert.equal(done.run.payment.authorization.amountCents, confirmation.amountCents);
  assert.equal(done.events.at(-1).type, "ORDER_CONFIRMED");
});

test("one key is one purchase, however often it is asked for, and under it nothing else is bought", async () => {
  const args = wish();
  const answers = await Promise.all(Array.from({ length: 5 }, () => call("start_run", args)));
  assert.equal(new Set(answers.map(({ structuredContent }) => structuredContent.run.id)).size, 1);
  const other = await call("start_run", { ...args, quantity: 2 });
  assert.equal(other.isError, true);
  assert.equal(other.structuredContent.code, "idempotency_key_reused");
});

test("another digest or amount than the one that is shown is refused, and changes nothing", async () => {
  const { named, confirmation } = await waiting();
  for (const wrong of [{ digest: "0".repeat(64) }, { amount_cents: String(Number(confirmation.amountCents) + 1) }]) {
    const refused = await call("confirm_run", { ...named, digest: confirmation.digest, amount_cents: confirmation.amountCents, ...wrong });
    assert.equal(refused.isError, true);
    assert.equal(refused.structuredContent.code, "confirmation_mismatch");
  }
  const { run } = (await call("get_run", named)).structuredContent;
  assert.equal(run.state, "USER_CONFIRMATION");
  const stopped = await call("cancel_run", named);
  assert.equal(stopped.structuredContent.run.state, "CANCELLED");
});

test("the token is shown once, and another run's opens nothing", async () => {
  const [one, other] = [await waiting(), await waiting()];
  const looked = await call("get_run", one.named);
  assert.ok(!JSON.stringify(looked).includes(one.named.run_token));
  const refused = await call("get_run", { run_id: one.named.run_id, run_token: other.named.run_token });
  assert.equal(refused.isError, true);
  assert.equal(refused.structuredContent.code, "unknown_run");
});

test("arguments that do not fit are named", async () => {
  for (const [args, field] of [
    [wish({ idempotency_key: undefined }), "idempotency_key"],
    [wish({ quantity: 0 }), "request.quantity"],
    [wish({ max_budget_cents: "1.5" }), "request.maxBudgetCents"],
    [wish({ approval: "0x00" }), "approval"],
  ]) {
    const refused = await call("start_run", JSON.parse(JSON.stringify(args)));
    assert.equal(refused.isError, true);
    assert.ok(refused.structuredContent.errors.some((fault) => fault.field === field), JSON.stringify(refused.structuredContent));
  }
});
