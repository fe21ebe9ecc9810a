// Whatever is wrong with a request, it gets a whole problem document and changes nothing.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { assertProblem, claim, credentials, delegation, discover, lifecycleMessage, postGig, send, status } from "./support/board.mjs";
import { encode, freshAccount, sign } from "./support/payment.mjs";
import { join } from "./support/tunnel.mjs";

let stack;
let open;
let busy;
let tunnel;

before(async () => {
  stack = await start();
  open = await postGig(stack);
  const gig = await postGig(stack);
  busy = { ...gig, worker: await claim(stack, gig.id) };
  tunnel = await join(stack, busy.worker);
});

after(async () => {
  tunnel?.socket.terminate();
  await stack?.stop();
});

/** Everything that a bad request could change. */
async function everything() {
  const states = await Promise.all([open.id, busy.id].map((id) => status(stack, id)));
  return { states, listed: (await discover(stack)).gigs, charged: (await stack.simulator()).settlements };
}

/** Every route that takes a body, with a good one and what else it needs. */
async function routes() {
  const bearer = { authorization: credentials(busy.worker).authorization };
  const reconnect = { message_id: randomUUID(), sender: busy.worker.name, role: "worker" };
  const claiming = { message_id: randomUUID(), sender: "worker-2", type: "TaskClaim", payload: { gig_id: open.id } };
  return [
    ["/v1/gigs/create", delegation(), { "payment-signature": encode(await sign(freshAccount())) }],
    ["/v1/gigs/claim", claiming, {}],
    [`/v1/gigs/${busy.id}/lifecycle`, lifecycleMessage(busy.worker, "TaskDelivery"), bearer],
    [`/v1/gigs/${busy.id}/reconnect`, reconnect, bearer],
  ];
}

/** Sends each bad form of each route's body; `[about, body of the good one, status, code, headers]`. */
async function refuseAll(forms) {
  const untouched = await everything();
  for (const [path, good, headers] of await routes()) {
    for (const [about, body, expected, code, more = {}] of forms(good)) {
      const answer = await send(stack, path, body, { ...headers, ...more });
      await assertProblem(answer, expected, code, `${path}: ${about}`);
    }
  }
  assert.deepEqual(await everything(), untouched);
}

test("bodies that are not JSON", () =>
  refuseAll((good) => {
    const text = JSON.stringify(good);
    return [
      ["nothing", "", 400, "invalid_body"],
      ["half", text.slice(0, -1), 400, "invalid_body"],
      ["two", `${text}${text}`, 400, "invalid_body"],
      ["a comment", `${text}// more`, 400, "invalid_body"],
      ["single quotes", text.replaceAll('"', "'"), 400, "invalid_body"],
      ["NaN", '{"message_id":NaN}', 400, "invalid_body"],
      ["deep lists", "[".repeat(100_000), 400, "invalid_body"],
      ["deep objects", '{"a":'.repeat(5_000) + "1" + "}".repeat(5_000), 400, "invalid_body"],
      ["a lone surrogate", text.replace(good.message_id, "\\ud800"), 400, "invalid_body"],
      ["too large", JSON.stringify({ ...good, filler: "x".repeat(1024 * 1024) }), 413, "body_too_large"],
    ];
  }));

test("other media types", () =>
  refuseAll((good) =>
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", "text/json", ""].map((type) => [
      type,
      good,
      415,
      "unsupported_media_type",
      { "content-type": type },
    ]),
  ));

test("JSON of another shape", () =>
  refuseAll((good) => {
    const without = (name) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
    const bad = (about, body) => [about, body, 400, "invalid_body"];
    const names = [...Object.keys(good).map((name) => bad(`without ${name}`, without(name)))];
    const values = [null, 7, true, [], {}, ["x"]].flatMap((value) =>
      ["message_id", "sender"].map((name) => bad(`${name} is ${JSON.stringify(value)}`, { ...good, [name]: value })),
    );
    const texts = ["", "x".repeat(513), "line\nbreak", "bell\u0007"].flatMap((text) =>
      ["message_id", "sender"].map((name) => bad(`${name} is ${JSON.stringify(text).slice(0, 20)}`, { ...good, [name]: text })),
    );
    return [
      bad("null", "null"),
      bad("text", '"x"'),
      bad("a list", [good]),
      bad("an unknown field", { ...good, admin: true }),
      bad("__proto__", JSON.stringify(good).replace("{", '{"__proto__":{},')),
      ...names,
      ...values,
      ...texts,
    ];
  }));

test("payloads of another shape", async () => {
  const untouched = await everything();
  const [[createPath, , paid], [claimPath], [lifecyclePath, , bearer], [reconnectPath, seat]] = await routes();
  const post = (payload) => [createPath, delegation({ payload }), paid];
  const act = (kind, payload, by = busy.worker) => [lifecyclePath, lifecycleMessage(by, kind, payload), bearer];
  const long = "x".repeat(501);
  const cases = [
    [...post({ title: "x".repeat(81) }), "payload.title"],
    [...post({ title: 7 }), "payload.title"],
    [...post({ description: "" }), "payload.description"],
    [...post({ description: long }), "payload.description"],
    [...post({ task_type: "Computation" }), "payload.task_type"],
    [...post({ task_params: "{}" }), "payload.task_params"],
    [...post({ task_params: [] }), "payload.task_params"],
    [...post({ task_params: { a: "x".repeat(10_000) } }), "payload.task_params"],
    [...post({ bounty_sats: 0 }), "payload.bounty_sats"],
    [...post({ bounty_sats: 1_000_001 }), "payload.bounty_sats"],
    [...post({ bounty_sats: 1.5 }), "payload.bounty_sats"],
    [...post({ bounty_sats: "1" }), "payload.bounty_sats"],
    [...post({ bounty_sats: -1 }), "payload.bounty_sats"],
    [...post({ ttl_minutes: 0 }), "payload.ttl_minutes"],
    [...post({ ttl_minutes: 121 }), "payload.ttl_minutes"],
    [claimPath, { message_id: "m", sender: "w", type: "TaskClaim", payload: { gig_id: "7" } }, {}, "payload.gig_id"],
    [claimPath, { message_id: "m", sender: "w", type: "TaskDelegation", payload: { gig_id: open.id } }, {}, "type"],
    [...act("TaskDelivery", { gig_id: open.id }), "payload.gig_id"],
    [...act("TaskDelivery", { reason: long }), "payload.reason"],
    [...act("TaskDelivery", { result_hash: "A".repeat(64) }), "payload.result_hash"],
    [...act("TaskDelivery", { result_hash: "a".repeat(63) }), "payload.result_hash"],
    [...act("TaskDelivery", { result: "x".repeat(10_001) }), "payload.result"],
    [...act("TaskDelivery", { result_url: "http://files.example" }), "payload.result_url"],
    [...act("TaskDelivery", { result_url: "javascript:alert(1)" }), "payload.result_url"],
    [...act("TaskDelivery", { result_url: `https://${"x".repeat(2048)}` }), "payload.result_url"],
    [...act("TaskRevision", { reason: "" }, busy.buyer), "payload.reason"],
    [...act("TaskDestruction", {}), "type"],
    [...act("TaskClaim", {}), "type"],
    [reconnectPath, { ...seat, role: "owner" }, bearer, "role"],
  ];
  for (const [path, body, headers, field] of cases) {
    const about = `${path} ${field} ${JSON.stringify(body.payload ?? body).slice(0, 60)}`;
    const { errors } = await assertProblem(await send(stack, path, body, headers), 400, "invalid_body", about);
    assert.ok(errors.some((fault) => fault.field === field), `${about}: ${JSON.stringify(errors)}`);
  }
  const { errors } = await assertProblem(await send(stack, ...post({ title: "", bounty_sats: 0, ttl_minutes: 0 })), 400, "invalid_body");
  assert.equal(errors.length, 3, "every fault is named at once");
  assert.deepEqual(await everything(), untouched);
});

test("A2A Messages that are not exactly one JSON part of a user", () =>
  refuseAll((good) => {
    const { message_id: messageId, ...data } = good;
    const part = { data, mediaType: "application/json" };
    const message = { messageId, role: "ROLE_USER", parts: [part] };
    return [
      ["no part", { ...message, parts: [] }],
      ["two parts", { ...message, parts: [part, part] }],
      ["a text part", { ...message, parts: [{ text: JSON.stringify(data) }] }],
      ["another media type", { ...message, parts: [{ data, mediaType: "text/plain" }] }],
      ["an agent's message", { ...message, role: "ROLE_AGENT" }],
      ["parts that are no list", { ...message, parts: part }],
      ["an unknown field inside", { ...message, parts: [{ ...part, data: { ...data, admin: true } }] }],
    ].map(([about, body]) => [about, body, 400, "invalid_body"]);
  }));

test("paths, methods and ids that do not exist", async () => {
  const untouched = await everything();
  const unknown = randomUUID();
  const bearer = credentials(busy.worker);
  const reads = [
    ["/v1/gigs", 404, "not_found"],
    ["/v1/gigs/", 404, "not_found"],
    ["/v2/gigs/discover", 404, "not_found"],
    ["/v1/gigs/7/status", 404, "not_found"],
    ["/v1/gigs/../../health/x", 404, "not_found"],
    [`/v1/gigs/${open.id.replaceAll("-", "")}/status`, 404, "not_found"],
    [`/v1/gigs/{${open.id}}/status`, 404, "not_found"],
    [`/v1/gigs/${open.id}/status/`, 404, "not_found"],
    [`/v1/gigs/${open.id}`, 404, "not_found"],
    [`/v1/gigs/${unknown}/status`, 404, "gig_not_found"],
    ["/favicon.ico", 404, "not_found"],
    ["/%00", 404, "not_found"],
    [`/${"x".repeat(4000)}`, 404, "not_found"],
  ];
  for (const [path, expected, code] of reads) await assertProblem(await stack.fetch(path), expected, code, path);
  const methods = [
    ["/v1/gigs/claim", "POST"],
    ["/mcp", "POST"],
    [`/v1/gigs/${open.id}/lifecycle`, "POST"],
    [`/v1/gigs/${open.id}/ticket`, "POST"],
    ["/v1/gigs/discover", "GET, HEAD"],
    [`/v1/gigs/${open.id}/status`, "GET, HEAD"],
    [`/v1/gigs/${open.id}/tunnel`, "GET, HEAD"],
    ["/health", "GET, HEAD"],
  ];
  for (const [path, allow] of methods) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((name) => !allow.split(", ").includes(name))) {
      const answer = await stack.fetch(path, { method, headers: bearer });
      await assertProblem(answer, 405, "method_not_allowed", `${method} ${path}`);
      assert.equal(answer.headers.get("allow"), allow, path);
    }
  }
  const writes = [
    ["/v1/gigs/claim", { message_id: "m", sender: "w", type: "TaskClaim", payload: { gig_id: unknown } }],
    [`/v1/gigs/${unknown}/lifecycle`, lifecycleMessage({ ...busy.worker, gig: unknown }, "TaskDelivery")],
    [`/v1/gigs/${unknown}/reconnect`, { message_id: "m", sender: busy.worker.name, role: "worker" }],
    [`/v1/gigs/${unknown}/ticket`, ""],
  ];
  for (const [path, body] of writes) await assertProblem(await send(stack, path, body, bearer), 404, "gig_not_found", path);
  assert.deepEqual(await everything(), untouched);
});

test("credentials that are none", async () => {
  const untouched = await everything();
  const body = lifecycleMessage(busy.worker, "TaskDelivery");
  const { token } = busy.worker;
  const path = `/v1/gigs/${busy.id}/lifecycle`;
  const values = [
    ["", "missing_credentials"],
    [`Basic ${token}`, "missing_credentials"],
    [token, "missing_credentials"],
    ["Bearer", "missing_credentials"],
    ["Bearer x", "invalid_grant"],
    [`Bearer ${token.slice(0, -1)}`, "invalid_grant"],
    [`Bearer ${token}=`, "invalid_grant"],
    [`Bearer ${token.replace("grant", "ticket")}`, "invalid_grant"],
    [`Bearer gld_grant_${"A".repeat(43)}`, "invalid_grant"],
    [`Bearer ${"x".repeat(4000)}`, "invalid_grant"],
  ];
  for (const [authorization, code] of values) {
    await assertProblem(await send(stack, path, body, { authorization }), 401, code, authorization.slice(0, 40));
  }
  await assertProblem(await stack.fetch(`${path}?access_token=${token}`, { method: "POST" }), 401, "missing_credentials");
  assert.deepEqual(await everything(), untouched);
});

test("S3: a grant of one gig opens nothing of another", async () => {
  const untouched = await everything();
  for (const party of [busy.worker, busy.buyer]) {
    const foreign = { ...party, gig: open.id };
    const headers = credentials(foreign);
    const at = (name) => `/v1/gigs/${open.id}/${name}`;
    const seat = { message_id: randomUUID(), sender: foreign.name, role: "buyer" };
    await assertProblem(await send(stack, at("lifecycle"), lifecycleMessage(foreign, "TaskCancellation"), headers), 401, "invalid_grant");
    await assertProblem(await send(stack, at("reconnect"), seat, headers), 401, "invalid_grant");
    await assertProblem(await stack.fetch(at("ticket"), { method: "POST", headers }), 401, "invalid_grant");
    await assertProblem(await stack.fetch(at("journal"), { headers }), 401, "invalid_grant");
  }
  assert.deepEqual(await everything(), untouched);
});
