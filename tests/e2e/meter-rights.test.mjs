// Every route that takes an API key, asked by whoever may not: nobody, strangers, keys that are over, keys for less, other
// tenants, and anybody at all while a tenant is paused. Each is told why, by the same words everywhere, and nothing changes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { keyed, placeOf, settle, tenantOf, used } from "./support/bills.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { VARS, ahead } from "./support/mandate.mjs";

let stack;
let place;
let ids;

before(async () => {
  stack = await start(VARS);
  place = await placeOf(stack);
  await used(stack, place, 5);
  const bill = await settle(stack, place);
  const { key } = await issued(place.tenant, { scopes: ["usage:read"] });
  ids = { bill: bill.id, key: key.id, webhook: `whe_${"a".repeat(26)}`, reservation: `rsv_${bill.id.slice(4)}`, message: `msg_${"a".repeat(26)}` };
});
after(() => stack?.stop());

const issued = async (tenant, body) => answered(await keyed(stack, tenant, "POST", "/v1/api-keys", body), 201);

/** Method, path, the scope that it takes (none: any key), and what a pause does to it: `read`, `write` or `recover`. */
function routes() {
  const { agent, serviceId } = place;
  const pair = `${agent}/${serviceId}`;
  const service = `/v1/services/${serviceId}`;
  const webhook = `/v1/webhooks/${ids.webhook}`;
  return [
    ["GET", "/v1/tenant", null, "read"],
    ["GET", "/v1/api-keys", "admin", "read"],
    ["POST", "/v1/api-keys", "admin", "recover"],
    ["GET", `/v1/api-keys/${ids.key}`, "admin", "read"],
    ["DELETE", `/v1/api-keys/${ids.key}`, "admin", "recover"],
    ["POST", `/v1/api-keys/${ids.key}/rotate`, "admin", "recover"],
    ["GET", "/v1/services", null, "read"],
    ["POST", "/v1/services", "services:write", "write"],
    ["POST", "/v1/services/bulk", "services:write", "write"],
    ["GET", service, null, "read"],
    ["DELETE", service, "services:write", "write"],
    ["GET", `${service}/prices`, null, "read"],
    ["GET", `${service}/metadata`, null, "read"],
    ["PUT", `${service}/metadata`, "services:write", "write"],
    ["POST", `${service}/enable`, "services:write", "write"],
    ["POST", `${service}/disable`, "services:write", "write"],
    ["PATCH", `${service}/disabled`, "services:write", "write"],
    ["PATCH", `${service}/price`, "services:write", "write"],
    ["GET", `${service}/usage`, "usage:read", "read"],
    ["GET", `${service}/agents`, "usage:read", "read"],
    ["GET", `${service}/agents/top`, "usage:read", "read"],
    ["POST", "/v1/usage", "usage:write", "write"],
    ["POST", "/v1/usage/bulk", "usage:write", "write"],
    ["POST", "/v1/usage/reverse", "usage:write", "write"],
    ["GET", `/v1/usage/${pair}`, "usage:read", "read"],
    ["DELETE", `/v1/usage/${pair}`, "billing:write", "write"],
    ["GET", `/v1/usage/${pair}/events`, "usage:read", "read"],
    ["GET", "/v1/usage/export.json", "usage:read", "read"],
    ["GET", "/v1/usage/export.csv", "usage:read", "read"],
    ["GET", "/v1/usage/buckets", "usage:read", "read"],
    ["GET", "/v1/usage/top", "usage:read", "read"],
    ["GET", "/v1/billing/total", "usage:read", "read"],
    ["GET", `/v1/billing/${pair}`, "usage:read", "read"],
    ["POST", "/v1/settle", "billing:write", "write"],
    ["POST", "/v1/settle/bulk", "billing:write", "write"],
    ["GET", "/v1/settlements", "usage:read", "read"],
    ["POST", `/v1/settlements/${ids.bill}/void`, "billing:write", "write"],
    ["POST", "/v1/reservations", "usage:write", "write"],
    ["GET", `/v1/reservations/${ids.reservation}`, "usage:write", "read"],
    ["POST", `/v1/reservations/${ids.reservation}/commit`, "usage:write", "write"],
    ["POST", `/v1/reservations/${ids.reservation}/release`, "usage:write", "write"],
    ["GET", "/api/v1/agents", "usage:read", "read"],
    ["GET", `/v1/agents/${agent}/total`, "usage:read", "read"],
    ["GET", `/v1/agents/${agent}/usage`, "usage:read", "read"],
    ["GET", `/v1/agents/${agent}/account`, "billing:write", "read"],
    ["PUT", `/v1/agents/${agent}/account`, "billing:write", "write"],
    ["GET", "/v1/webhooks", "webhooks:write", "read"],
    ["POST", "/v1/webhooks", "webhooks:write", "write"],
    ["GET", webhook, "webhooks:write", "read"],
    ["PATCH", webhook, "webhooks:write", "write"],
    ["DELETE", webhook, "webhooks:write", "write"],
    ["POST", `${webhook}/test`, "webhooks:write", "write"],
    ["POST", `${webhook}/rotate`, "webhooks:write", "write"],
    ["POST", `${webhook}/enable`, "webhooks:write", "write"],
    ["POST", `${webhook}/disable`, "webhooks:write", "write"],
    ["GET", `${webhook}/attempts`, "webhooks:write", "read"],
    ["POST", `${webhook}/messages/${ids.message}/resend`, "webhooks:write", "write"],
    ["POST", `${webhook}/recover`, "webhooks:write", "write"],
    ["GET", "/v1/events", null, "read"],
    ["GET", "/v1/events/summary", null, "read"],
    ["POST", "/v1/admin/pause", "admin", "recover"],
    ["POST", "/v1/admin/unpause", "admin", "recover"],
    ["GET", "/v1/admin/status", "admin", "read"],
    ["GET", "/v1/config", "admin", "read"],
    ["PATCH", "/v1/config", "admin", "write"],
    ["GET", "/v1/metrics", "usage:read", "read"],
    ["GET", "/v1/stats", "usage:read", "read"],
  ];
}

/** Asks with this `authorization`; a write comes with a body that would be wrong for whoever is let in. */
function knock(method, path, authorization) {
  const headers = { ...(authorization !== undefined && { authorization }), ...(method !== "GET" && { "content-type": "application/json" }) };
  return stack.fetch(path, { method, headers, body: ["POST", "PUT", "PATCH"].includes(method) ? '{"nonsense":true}' : undefined });
}

const bearer = ({ apiKey }) => `Bearer ${apiKey}`;

/** Every route says this no, with the headers that go with it, and the tenant stands as it stood. */
async function everywhere(authorization, status, code, which = () => true) {
  const before = await standing();
  for (const [method, path] of routes().filter(which)) {
    const about = `${method} ${path}`;
    const answer = await knock(method, path, authorization);
    const { headers } = answer;
    await assertProblem(answer, status, code, about);
    assert.equal(headers.get("www-authenticate"), status === 401 ? 'Bearer realm="guildhall"' : null, about);
    const policy = status === 401 ? "address" : "key";
    assert.match(headers.get("ratelimit-policy") ?? "", new RegExp(`^"${policy}";q=\\d+;w=\\d+$`), about);
    assert.match(headers.get("ratelimit") ?? "", new RegExp(`^"${policy}";r=\\d+;t=\\d+$`), about);
  }
  assert.deepEqual(await standing(), before);
}

const standing = () =>
  stack.objectSql("TenantObject", place.tenant.id, "SELECT seq, head FROM state");

test("nobody, and whoever has no key", async () => {
  await everywhere(undefined, 401, "missing_api_key");
  await everywhere("Basic YTpi", 401, "missing_api_key");
});

test("what is no key, a key of nobody, and one with another secret", async () => {
  const { apiKey } = place.tenant;
  await everywhere("Bearer gld_test_nonsense", 401, "invalid_api_key");
  const last = apiKey.endsWith("a") ? "b" : "a";
  await everywhere(`Bearer ${apiKey.slice(0, -1)}${last}`, 401, "invalid_api_key");
  await everywhere(`Bearer ${resealed(apiKey, 9)}`, 401, "invalid_api_key");
  await everywhere(`Bearer ${resealed(apiKey, 60)}`, 401, "invalid_api_key");
});

test("a key of production", async () => {
  await everywhere(`Bearer ${sealed(`gld_live_${place.tenant.apiKey.slice(9, -7)}`)}`, 401, "wrong_environment");
});

test("keys that are over", async () => {
  const revoked = await issued(place.tenant, { scopes: ["admin"] });
  await answered(await keyed(stack, place.tenant, "DELETE", `/v1/api-keys/${revoked.key.id}`), 200);
  await everywhere(bearer(revoked), 401, "revoked_api_key");
  const replaced = await issued(place.tenant, { scopes: ["admin"] });
  await answered(await keyed(stack, place.tenant, "POST", `/v1/api-keys/${replaced.key.id}/rotate`, { overlapSeconds: 0 }), 201);
  await everywhere(bearer(replaced), 401, "replaced_api_key");
  const expired = await issued(place.tenant, { scopes: ["admin"], expiresAt: new Date(Date.now() + 600_000).toISOString() });
  await answered(await knock("GET", "/v1/tenant", bearer(expired)), 200);
  await ahead(stack, 600_000);
  try {
    await everywhere(bearer(expired), 401, "expired_api_key");
  } finally {
    await ahead(stack, 0);
  }
});

test("keys for less: each scope opens its own routes and no other", async () => {
  for (const scope of ["usage:write", "usage:read", "billing:write", "services:write", "webhooks:write"]) {
    const key = await issued(place.tenant, { scopes: [scope] });
    await everywhere(bearer(key), 403, "missing_scope", ([, , needed]) => needed !== null && needed !== scope);
    for (const [method, path, needed] of routes().filter(([, , needed]) => needed === null || needed === scope)) {
      if (method !== "GET") continue;
      const answer = await knock(method, path, bearer(key));
      assert.ok(![401, 403].includes(answer.status), `${scope} ${method} ${path} ${needed} ${await answer.text()}`);
    }
  }
});

test("another tenant: what is not theirs is not there, by the same words as what is nowhere", async () => {
  const other = await tenantOf(stack);
  const { agent, serviceId } = place;
  const before = await standing();
  const nowhere = (path) => path.replaceAll(serviceId, "nowhere").replace(ids.key, `key_${"a".repeat(16)}`).replace(ids.bill, `set_${"a".repeat(52)}`);
  const paths = [
    ["GET", `/v1/services/${serviceId}`], ["GET", `/v1/usage/${agent}/${serviceId}`], ["GET", `/v1/billing/${agent}/${serviceId}`],
    ["GET", `/v1/usage/${agent}/${serviceId}/events`], ["DELETE", `/v1/services/${serviceId}`], ["DELETE", `/v1/usage/${agent}/${serviceId}`],
    ["GET", `/v1/api-keys/${ids.key}`], ["DELETE", `/v1/api-keys/${ids.key}`], ["POST", `/v1/settlements/${ids.bill}/void`],
  ];
  for (const [method, path] of paths) {
    const [theirs, none] = [await keyed(stack, other, method, path), await keyed(stack, other, method, nowhere(path))];
    const [one, two] = [await theirs.json(), await none.json()];
    assert.deepEqual([theirs.status, one.code, one.detail], [404, two.code, two.detail], `${method} ${path}`);
    assert.equal(none.status, 404);
  }
  const listed = await answered(await keyed(stack, other, "GET", "/v1/services"), 200);
  assert.deepEqual(listed.services, []);
  assert.deepEqual(await standing(), before);
});

test("while a tenant is paused, writes wait; reads, keys and the pause itself do not", async () => {
  const pause = (verb) => keyed(stack, place.tenant, "POST", `/v1/admin/${verb}`);
  await answered(await pause("pause"), 200);
  await everywhere(bearer(place.tenant), 503, "service_paused", ([, , , kind]) => kind === "write");
  for (const [method, path] of routes().filter(([method, , , kind]) => kind === "read" && method === "GET")) {
    const answer = await knock(method, path, bearer(place.tenant));
    assert.ok(![401, 403, 503].includes(answer.status), `${method} ${path} ${await answer.text()}`);
  }
  await issued(place.tenant, { scopes: ["usage:read"] });
  await answered(await pause("unpause"), 200);
  await used(stack, place, 1);
});

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** CRC-32 by a table, as PNG has it; the product's own goes bit by bit. */
const TABLE = Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** The text with the digits that check it. */
function sealed(text) {
  const crc = [...Buffer.from(text)].reduce((value, byte) => TABLE[(value ^ byte) & 255] ^ (value >>> 8), 0xffffffff);
  const bits = ((crc ^ 0xffffffff) >>> 0).toString(2).padStart(32, "0").padEnd(35, "0");
  return text + bits.match(/.{5}/g).map((digit) => ALPHABET[parseInt(digit, 2)]).join("");
}

/** A key with one character changed and the digits that check it made to fit. */
function resealed(key, at) {
  const text = key.slice(0, -7);
  assert.equal(sealed(text), key, "the key's own digits");
  return sealed(`${text.slice(0, at)}${text[at] === "a" ? "b" : "a"}${text.slice(at + 1)}`);
}
