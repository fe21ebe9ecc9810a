// API keys over HTTP: shown once, rotated with an overlap, bounded in rate, and never to be read anywhere.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { keyed, tenantOf } from "./support/bills.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { VARS } from "./support/mandate.mjs";

let stack;
before(async () => {
  stack = await start(VARS);
});
after(() => stack?.stop());

const create = (tenant, body, headers) => keyed(stack, tenant, "POST", "/v1/api-keys", body, headers);
const mine = (key) => keyed(stack, key, "GET", "/v1/tenant");

test("a key has its form, is shown once, and lies nowhere", async () => {
  const tenant = await tenantOf(stack);
  assert.match(tenant.apiKey, /^gld_test_[a-z2-7]{101}$/);
  assert.equal(tenant.apiKey.slice(9, 35), tenant.id.slice(4));
  const { apiKey, key } = await answered(await create(tenant, { label: "collector", scopes: ["usage:write"] }), 201);
  assert.ok(apiKey.startsWith(key.prefix));
  assert.deepEqual([key.label, key.scopes, key.status, key.lastUsedAt], ["collector", ["usage:write"], "active", null]);
  const secret = apiKey.slice(-59, -7);
  const { keys } = await answered(await keyed(stack, tenant, "GET", "/v1/api-keys"), 200);
  assert.equal(keys.length, 2);
  const tables = await stack.objectSql("TenantObject", tenant.id, "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 1) <> '_'");
  const rows = [];
  for (const { name } of tables) rows.push(await stack.objectSql("TenantObject", tenant.id, `SELECT * FROM "${name}"`));
  for (const text of [JSON.stringify(keys), JSON.stringify(rows)]) assert.ok(!text.includes(secret));
  assert.ok(JSON.stringify(rows).includes(key.id));
});

test("a key that is asked for twice is one key, with another secret until somebody has used it", async () => {
  const tenant = await tenantOf(stack);
  const once = { "idempotency-key": randomUUID() };
  const first = await answered(await create(tenant, { label: "one" }, once), 201);
  const again = await create(tenant, { label: "one" }, once);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  const replay = await answered(again, 200);
  assert.equal(replay.key.id, first.key.id);
  await assertProblem(await mine(first), 401, "invalid_api_key");
  await answered(await mine(replay), 200);
  // Now it is in somebody's hands: it stays what it is.
  const late = await create(tenant, { label: "one" }, once);
  assert.equal(late.headers.get("idempotency-replayed"), "true");
  const { apiKey, key } = await answered(late, 200);
  assert.deepEqual([apiKey, key.id], [null, first.key.id]);
  await answered(await mine(replay), 200);
  await assertProblem(await create(tenant, { label: "two" }, once), 422, "idempotency_key_reused");
  const { keys } = await answered(await keyed(stack, tenant, "GET", "/v1/api-keys"), 200);
  assert.equal(keys.length, 2);
});

test("both keys open until the overlap is over", async () => {
  const tenant = await tenantOf(stack);
  const old = await answered(await create(tenant, { scopes: ["usage:read"] }), 201);
  const path = `/v1/api-keys/${old.key.id}/rotate`;
  const next = await answered(await keyed(stack, tenant, "POST", path, { overlapSeconds: 3600 }), 201);
  for (const key of [old, next]) await answered(await mine(key), 200);
  await assertProblem(await keyed(stack, tenant, "POST", path, {}), 409, "api_key_rotated");
  const shown = await answered(await keyed(stack, tenant, "GET", `/v1/api-keys/${old.key.id}`), 200);
  assert.deepEqual([shown.status, shown.rotatedTo], ["rotated", next.key.id]);
  assert.ok(Date.parse(shown.lastUsedAt) > Date.now() - 60_000);
  const last = await answered(await keyed(stack, tenant, "POST", `/v1/api-keys/${next.key.id}/rotate`, { overlapSeconds: 0 }), 201);
  await assertProblem(await mine(next), 401, "replaced_api_key");
  await answered(await mine(last), 200);
});

test("nobody locks themselves out", async () => {
  const tenant = await tenantOf(stack);
  const { keys } = await answered(await keyed(stack, tenant, "GET", "/v1/api-keys"), 200);
  const path = `/v1/api-keys/${keys[0].id}`;
  await assertProblem(await keyed(stack, tenant, "DELETE", path), 409, "last_admin_key");
  const other = await answered(await create(tenant, { scopes: ["admin"] }), 201);
  await answered(await keyed(stack, other, "DELETE", path), 200);
  await assertProblem(await mine(tenant), 401, "revoked_api_key");
  // The key that asks is a good one: this is no 401.
  await assertProblem(await keyed(stack, other, "POST", `${path}/rotate`, {}), 409, "api_key_over");
});

test("a key asks as often as it may, and is told when it may again; another key is not held up", async () => {
  const tenant = await tenantOf(stack);
  const slow = await answered(await create(tenant, { rate: { quota: 3, windowSeconds: 60 } }), 201);
  for (const left of [2, 1, 0]) {
    const answer = await mine(slow);
    assert.equal(answer.headers.get("ratelimit-policy"), '"key";q=3;w=60');
    assert.match(answer.headers.get("ratelimit"), new RegExp(`^"key";r=${left};t=\\d+$`));
    await answered(answer, 200);
  }
  const answer = await mine(slow);
  const [, wait] = /^"key";r=0;t=(\d+)$/.exec(answer.headers.get("ratelimit"));
  assert.ok(Number(answer.headers.get("retry-after")) >= Number(wait) && Number(wait) > 50);
  await assertProblem(answer, 429, "rate_limited");
  // The rate is charged before it is said what the key may not do.
  await assertProblem(await keyed(stack, slow, "GET", "/v1/config"), 429, "rate_limited");
  await answered(await mine(tenant), 200);
});

test("what does not verify is charged to nobody's key", async () => {
  const tenant = await tenantOf(stack);
  const { apiKey, key } = await answered(await create(tenant, { rate: { quota: 2, windowSeconds: 60 } }), 201);
  const wrong = { apiKey: `${apiKey.slice(0, -1)}${apiKey.endsWith("a") ? "b" : "a"}` };
  for (let round = 0; round < 5; round += 1) await assertProblem(await mine(wrong), 401, "invalid_api_key");
  await answered(await mine({ apiKey }), 200);
  assert.equal(key.rate.quota, 2);
});

test("bodies that make no key are refused with their place, and make none", async () => {
  const tenant = await tenantOf(stack);
  const wrong = [
    [{ scopes: ["everything"] }, 400], [{ scopes: [] }, 400], [{ label: "" }, 400], [{ expiresAt: "tomorrow" }, 400],
    [{ rate: { quota: 0, windowSeconds: 60 } }, 400], [{ rate: { quota: 1.5, windowSeconds: 60 } }, 400], [{ secret: "mine" }, 400],
    [{ expiresAt: "2001-01-01T00:00:00Z" }, 422],
  ];
  for (const [body, status] of wrong) {
    const answer = await create(tenant, body);
    assert.equal(answer.status, status, `${JSON.stringify(body)} ${await answer.text()}`);
  }
  const { keys } = await answered(await keyed(stack, tenant, "GET", "/v1/api-keys"), 200);
  assert.equal(keys.length, 1);
});
