// Metering as the OpenAPI document says it: each operation is served under both of its paths, and answers as it is described.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { keyed, placeOf, settle, tenantOf, used } from "./support/bills.mjs";
import { answered } from "./support/board.mjs";
import { Contract } from "./support/contract.mjs";
import { VARS } from "./support/mandate.mjs";

const TAGS = ["tenants", "services", "usage", "billing", "webhooks", "operations"];
const OPERATOR = "an-operator-of-tests-0123456789abcdef";

let stack;
let contract;

before(async () => {
  stack = await start({ edgeVars: { ...VARS.edgeVars, ALLOW_ADMIN_RESET: "enabled" } });
  contract = new Contract(await answered(await stack.fetch("/v1/openapi.json"), 200));
});
after(() => stack?.stop());

const ours = () => contract.operations().filter(({ operation }) => operation.tags.some((tag) => TAGS.includes(tag)));

/** Asks with a key, and holds what is sent and what is answered to the document. */
async function asked(tenant, method, path, body, headers = {}) {
  const operation = contract.operation(method, path);
  contract.sent(operation, body);
  const answer = await keyed(stack, tenant, method, path, body, headers);
  return { status: answer.status, headers: answer.headers, body: await contract.answered(operation, answer) };
}

test("every operation is served: without a key, with one that is none, and with an empty body", async () => {
  const { tenant, agent, serviceId } = await placeOf(stack);
  const parts = {
    tenant: tenant.id, agent, serviceId, key: `key_${"a".repeat(16)}`, settlement: `set_${"a".repeat(52)}`, reservation: `rsv_${"a".repeat(52)}`,
    endpoint: `whe_${"a".repeat(26)}`, message: `msg_${"a".repeat(26)}`,
  };
  const operations = ours();
  assert.ok(operations.length > 110, `${operations.length} operations`);
  for (const { path, method, operation } of operations) {
    const address = path.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
    const body = method === "get" || operation.requestBody === undefined ? undefined : "{}";
    const type = body && { "content-type": "application/json" };
    for (const authorization of [undefined, "Bearer gld_test_nothing", `Bearer ${tenant.apiKey}`]) {
      // This one ends what the others need.
      if (path.endsWith("/admin/reset") && authorization === `Bearer ${tenant.apiKey}`) continue;
      const headers = { ...type, ...(authorization && { authorization }) };
      await contract.answered(operation, await stack.fetch(address, { method: method.toUpperCase(), body, headers }));
    }
    if (path.endsWith("/admin/pause")) await keyed(stack, tenant, "POST", "/v1/admin/unpause", {});
  }
});

test("the older paths answer as ours do", async () => {
  const place = await placeOf(stack);
  await used(stack, place, 3);
  const volatile = (text) => text.replace(/"(asOf|lastUsedAt)":"[^"]*"/g, "").replace(/_ms":\d+|tookMs":\d+/g, "");
  const older = ours().map(({ path }) => path).filter((path) => path.startsWith("/api/v1/"));
  assert.ok(new Set(older).size > 40);
  for (const path of ["/services", `/services/${place.serviceId}`, `/usage/${place.agent}/${place.serviceId}`, `/billing/${place.agent}/${place.serviceId}`, "/billing/total", "/api-keys", "/config", "/admin/status", "/version", "/changelog", "/health/ready"]) {
    const [one, other] = await Promise.all(["/v1", "/api/v1"].map((root) => keyed(stack, place.tenant, "GET", `${root}${path}`)));
    assert.deepEqual([one.status, volatile(await one.text())], [other.status, volatile(await other.text())], path);
  }
});

test("a tenant's life validates, both ways", async () => {
  const opened = await stack.fetch("/v1/tenants", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name: "Weather Ltd" }) });
  const made = await contract.answered(contract.operation("POST", "/v1/tenants"), opened);
  const tenant = { id: made.tenant.tenant, apiKey: made.apiKey };
  const [serviceId, agent] = [`s-${randomUUID()}`, `a-${randomUUID()}`];
  const pricing = { kind: "graduated", tiers: [{ upTo: 10, price: "0.5" }, { price: "0.25" }] };
  const ask = (...rest) => asked(tenant, ...rest);
  assert.equal((await ask("POST", "/v1/services", { serviceId, pricing, unit: "request", description: "Rain" })).status, 201);
  for (const [method, path, body, headers] of [
    ["GET", "/v1/tenant"], ["GET", "/v1/services?limit=1"], ["GET", `/v1/services/${serviceId}`], ["GET", `/v1/services/${serviceId}/prices`],
    ["GET", `/v1/services/${serviceId}/metadata`], ["PUT", `/v1/services/${serviceId}/metadata`, { owner: "Weather Ltd" }],
    ["POST", `/v1/services/${serviceId}/disable`], ["PATCH", `/v1/services/${serviceId}/disabled`, { disabled: false }],
    ["PATCH", `/v1/services/${serviceId}/price`, { price: "2", effectiveFrom: new Date(Date.now() + 3_600_000).toISOString() }],
    ["POST", "/v1/services/bulk", { items: [{ serviceId: "other", price: 1 }, { serviceId, price: 1 }] }],
    ["GET", "/v1/api-keys"], ["GET", `/v1/api-keys/${made.key.id}`], ["GET", "/v1/config"], ["GET", "/v1/admin/status"],
    ["GET", `/v1/agents/${agent}/account`], ["PUT", `/v1/agents/${agent}/account`, { mode: "postpaid" }],
    ["POST", "/v1/usage", { agent, serviceId, quantity: 12 }],
    ["POST", "/v1/usage/bulk", { items: [{ agent, serviceId, quantity: "3", id: "e-1" }, { agent, serviceId, quantity: "1", id: "e-1" }] }],
    ["POST", "/v1/usage/reverse", { agent, serviceId, reverses: { id: "e-1" } }],
    ["GET", `/v1/usage/${agent}/${serviceId}`], ["GET", `/v1/usage/${agent}/${serviceId}/events`], ["GET", `/v1/billing/${agent}/${serviceId}`],
    ["GET", "/v1/billing/total"], ["GET", `/v1/billing/total?agent=${agent}`],
    ["POST", "/v1/admin/pause", { reason: "audit" }], ["POST", "/v1/admin/unpause"],
    ["GET", "/v1/usage/top"], ["GET", "/v1/usage/top?by=service"], ["GET", "/v1/usage/buckets?size=day"], ["GET", "/v1/usage/export.json"],
    ["GET", "/v1/usage/export.csv"], ["GET", `/v1/services/${serviceId}/usage`], ["GET", `/v1/services/${serviceId}/agents`],
    ["GET", `/v1/services/${serviceId}/agents/top`], ["GET", `/v1/agents/${agent}/total`], ["GET", `/v1/agents/${agent}/usage`], ["GET", "/v1/agents"],
    ["GET", "/v1/settlements"], ["GET", "/v1/events"], ["GET", "/v1/events/summary"], ["GET", "/v1/stats"], ["GET", "/v1/metrics"],
    ["POST", "/v1/settle/bulk", { items: [{ agent, serviceId }, { agent, serviceId: "other" }] }],
  ]) {
    const { status } = await ask(method, path, body, headers);
    assert.ok(status < 300, `${method} ${path}: ${status}`);
  }
});

test("a bill validates wherever it is shown, and a key is made, rotated and revoked as described", async () => {
  const place = await placeOf(stack);
  await used(stack, place, 4);
  const bill = await settle(stack, place);
  const shown = await stack.fetch(`/v1/settlements/${bill.id}`);
  await contract.answered(contract.operation("GET", `/v1/settlements/${bill.id}`), shown);
  const pay = await stack.fetch(`/v1/settlements/${bill.id}/pay`, { method: "POST" });
  assert.equal(pay.status, 402);
  await contract.answered(contract.operation("POST", `/v1/settlements/${bill.id}/pay`), pay);
  assert.equal((await asked(place.tenant, "POST", `/v1/settlements/${bill.id}/void`)).body.status, "failed");
  const { body: made } = await asked(place.tenant, "POST", "/v1/api-keys", { scopes: ["usage:read"] });
  const { body: next } = await asked(place.tenant, "POST", `/v1/api-keys/${made.key.id}/rotate`, { overlapSeconds: 60 });
  assert.deepEqual(next.key.scopes, ["usage:read"]);
  assert.equal((await asked(place.tenant, "GET", `/v1/api-keys/${made.key.id}`)).body.rotatedTo, next.key.id);
  assert.equal((await asked(place.tenant, "DELETE", `/v1/api-keys/${next.key.id}`)).body.status, "revoked");
});

test("figures are those of Prometheus, and name what is the isolate's", async () => {
  const tenant = await tenantOf(stack);
  const answer = await keyed(stack, tenant, "GET", "/v1/metrics");
  assert.match(answer.headers.get("content-type"), /^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  const line = /^([a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.]+|# (HELP|TYPE) .*)$/;
  assert.deepEqual(text.trimEnd().split("\n").filter((each) => !line.test(each)), []);
  assert.match(text, /guildhall_isolate_http_requests_total\{method="POST",route="\/v1\/tenants",status="201"\} [1-9]/);
});

test("the operator drains a deployment, and readiness says so", async () => {
  const own = await start({ edgeVars: { ...VARS.edgeVars, ADMIN_TOKEN: OPERATOR } });
  try {
    const drain = (draining, token) => own.fetch("/v1/operator/drain", {
      method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${token}` }, body: JSON.stringify({ draining }),
    });
    assert.equal((await drain(true, "another")).status, 401);
    assert.equal((await own.fetch("/v1/health/ready")).status, 200);
    assert.equal((await drain(true, OPERATOR)).status, 200);
    assert.equal((await own.fetch("/v1/health/ready")).status, 503);
    assert.equal((await own.fetch("/health")).status, 200, "everything else goes on");
    assert.equal((await drain(false, OPERATOR)).status, 200);
    assert.equal((await own.fetch("/v1/health/ready")).status, 200);
  } finally {
    await own.stop();
  }
});
