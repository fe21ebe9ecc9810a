// What is said to tenants and services in a form that they do not take: each fault is named, and nothing has changed.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { keyed, placeOf, serviceOf, tenantOf } from "./support/bills.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { VARS } from "./support/mandate.mjs";

let stack;
let tenant;

before(async () => {
  stack = await start(VARS);
  tenant = await tenantOf(stack);
});
after(() => stack?.stop());

const ask = (method, path, body, headers) => keyed(stack, tenant, method, path, body, headers);
const services = async () => (await answered(await ask("GET", "/v1/services?limit=100"), 200)).services;

/** A refusal of a body, with the places that it names. */
async function assertFaults(answer, ...fields) {
  const { errors } = await assertProblem(answer, 400, "invalid_body");
  assert.deepEqual(errors.map(({ field }) => field), fields);
}

test("a service that cannot be read is refused with every fault, and is not there", async () => {
  const before = await services();
  for (const [body, ...fields] of [
    [{ serviceId: "agent::service", price: "1" }, "serviceId"],
    [{ serviceId: "a", price: "-1" }, "price"],
    [{ serviceId: "a", price: 2.5 }, "price"],
    [{ serviceId: "a" }, "price"],
    [{ serviceId: "a", price: "1", shards: 17, scale: 7 }, "scale", "shards"],
    [{ serviceId: "a", price: "1", colour: "red" }, "colour"],
    [{ serviceId: "a", pricing: { kind: "volume", tiers: [{ upTo: 5, price: "1" }] } }, "pricing.tiers"],
  ]) {
    await assertFaults(await ask("POST", "/v1/services", body), ...fields);
  }
  assert.deepEqual(await services(), before);
});

test("a bulk registers what it can, and says of each of the others why not", async () => {
  const [one, two] = [`s-${randomUUID()}`, `s-${randomUUID()}`];
  const items = [{ serviceId: one, price: "1" }, { serviceId: "a b", price: "1" }, { serviceId: one, price: "2" }, { serviceId: two, priceStroops: 3 }];
  const { results, registered, refused } = await answered(await ask("POST", "/v1/services/bulk", { items }), 200);
  assert.deepEqual([registered, refused], [2, 2]);
  assert.deepEqual(results.map(({ error }) => error?.code), [undefined, "invalid_body", "service_exists", undefined]);
  assert.equal(results[1].error.field, "serviceId");
  assert.deepEqual([results[0].service.price.price, results[3].service.price.price], ["1", "3"]);
  await assertProblem(await ask("POST", "/v1/services/bulk", { items: Array(101).fill(items[0]) }), 422, "bulk_too_large");
});

test("unknown query parameters, and those that stand twice, are refused wherever there is a query", async () => {
  const { agent, serviceId } = await placeOf(stack, { tenant });
  for (const path of [
    "/v1/services", "/v1/events", "/v1/events/summary", "/v1/settlements", "/v1/usage/buckets", "/v1/usage/top", "/v1/usage/export.json",
    "/v1/usage/export.csv", "/v1/billing/total", "/v1/agents", `/v1/agents/${agent}/usage`, `/v1/agents/${agent}/total`,
    `/v1/services/${serviceId}/usage`, `/v1/services/${serviceId}/agents`, `/v1/services/${serviceId}/agents/top`, "/v1/stats", "/v1/metrics",
  ]) {
    const { errors } = await assertProblem(await ask("GET", `${path}?colour=red`), 400, "malformed");
    assert.deepEqual(errors.map(({ field }) => field), ["colour"], path);
  }
  await assertProblem(await ask("GET", "/v1/services?limit=1&limit=2"), 400, "malformed");
  await assertProblem(await ask("GET", "/v1/services?limit=101"), 400, "malformed");
  await assertProblem(await ask("GET", "/v1/services?cursor=!"), 400, "malformed");
});

test("a body of another media type is 415, of more than a mebibyte 413, and none at all is named", async () => {
  for (const path of ["/v1/services", "/v1/services/bulk", "/v1/usage", "/v1/usage/bulk", "/v1/settle", "/v1/usage/reverse"]) {
    const headers = { authorization: `Bearer ${tenant.apiKey}`, "content-type": "text/plain" };
    await assertProblem(await stack.fetch(path, { method: "POST", headers, body: "{}" }), 415, "unsupported_media_type");
    const large = { ...headers, "content-type": "application/json" };
    const body = JSON.stringify({ description: "a".repeat(1_048_576) });
    await assertProblem(await stack.fetch(path, { method: "POST", headers: large, body }), 413, "body_too_large");
    const broken = await stack.fetch(path, { method: "POST", headers: large, body: "{" });
    await assertProblem(broken, 400, "invalid_body");
  }
});

test("what was not seen is not changed: If-Match", async () => {
  const serviceId = await serviceOf(stack, tenant);
  const path = `/v1/services/${serviceId}`;
  const first = await ask("GET", path);
  const etag = first.headers.get("etag");
  assert.equal(etag, `"${(await first.json()).revision}"`);
  const described = await ask("PUT", `${path}/metadata`, { description: "Rain" }, { "if-match": etag });
  assert.equal((await answered(described, 200)).description, "Rain");
  assert.notEqual(described.headers.get("etag"), etag);
  await assertProblem(await ask("PUT", `${path}/metadata`, { description: "Snow" }, { "if-match": etag }), 412, "revision_changed");
  await assertProblem(await ask("PATCH", `${path}/price`, { price: "1" }, { "if-match": etag }), 412, "revision_changed");
  await assertProblem(await ask("PATCH", `${path}/price`, { price: "1" }, { "if-match": "W/\"1\"" }), 400, "invalid_if_match");
  assert.equal((await answered(await ask("GET", `${path}/metadata`), 200)).description, "Rain");

  const config = await ask("GET", "/v1/config");
  const seen = config.headers.get("etag");
  await assertProblem(await ask("PATCH", "/v1/config", { bulkMaxItems: 500 }), 428, "if_match_required");
  await assertProblem(await ask("PATCH", "/v1/config", { bulkMaxItems: 500 }, { "if-match": "*" }), 428, "if_match_required");
  const changed = await answered(await ask("PATCH", "/v1/config", { bulkMaxItems: 500 }, { "if-match": seen }), 200);
  assert.equal(changed.bulkMaxItems, 500);
  await assertProblem(await ask("PATCH", "/v1/config", { bulkMaxItems: 400 }, { "if-match": seen }), 412, "revision_changed");
  await assertFaults(await ask("PATCH", "/v1/config", { bulkMaxItems: 1_001 }, { "if-match": seen }), "bulkMaxItems");
});

test("a request under one Idempotency-Key is done once, and its key stands for nothing else", async () => {
  const [key, serviceId] = [randomUUID(), `s-${randomUUID()}`];
  const register = (price) => ask("POST", "/v1/services", { serviceId, price }, { "idempotency-key": key });
  assert.equal((await register("5")).status, 201);
  const again = await register("5");
  assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [200, "true"]);
  await assertProblem(await register("6"), 422, "idempotency_key_reused");
  await assertProblem(await ask("POST", "/v1/services", { serviceId, price: "5" }), 409, "service_exists");
  const made = randomUUID();
  const create = () => ask("POST", "/v1/api-keys", { label: "ci" }, { "idempotency-key": made });
  const first = await answered(await create(), 201);
  const second = await answered(await create(), 200);
  assert.equal(second.key.id, first.key.id);
  assert.notEqual(second.apiKey, first.apiKey, "each secret is shown once");
});
