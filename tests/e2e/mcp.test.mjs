// The board over MCP: by the official client as it is, and request by request for the newer era.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { start } from "../harness.mjs";
import { answered, assertProblem, discover, postGig, send, status } from "./support/board.mjs";

const MODERN = "2026-07-28";
const TOOLS = [
  "get_active_gigs", "get_gig_status",
  "get_mandate_budget", "evaluate_payment", "request_payment", "get_payment",
  "start_run", "get_run", "confirm_run", "cancel_run",
];
const WRITES = ["request_payment", "start_run", "confirm_run", "cancel_run"];
const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
};

let stack;
let client;
let gig;

before(async () => {
  stack = await start();
  gig = await postGig(stack, { payload: { title: "Find the orchid", bounty_sats: 77 } });
  client = new Client({ name: "discovering-agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", stack.url)));
});

after(async () => {
  await client?.close();
  await stack?.stop();
});

/** One request of the newer era, described by itself. */
function modern(method, params = {}, headers = {}) {
  const request = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } };
  const name = params.name ?? params.uri;
  return send(stack, "/mcp", request, {
    "mcp-protocol-version": MODERN,
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
    ...headers,
  });
}

test("the official client finds the tools and the two documents", async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), TOOLS);
  for (const tool of tools) {
    assert.equal(tool.inputSchema.type, "object");
    assert.equal(tool.annotations.readOnlyHint, !WRITES.includes(tool.name));
  }
  const { resources } = await client.listResources();
  assert.deepEqual(resources.map(({ uri }) => uri), ["guildhall://contracts/openapi", "guildhall://contracts/manifest"]);
  const [openapi, manifest] = await Promise.all(resources.map(({ uri }) => client.readResource({ uri })));
  const served = await (await stack.fetch("/v1/openapi.json")).json();
  assert.deepEqual(JSON.parse(openapi.contents[0].text), served);
  assert.equal(JSON.parse(manifest.contents[0].text).contractVersion, "1.0.0");
  await assert.rejects(client.readResource({ uri: "guildhall://contracts/none" }));
});

test("the official client sees the same gigs as a reader of the board", async () => {
  const { content, structuredContent, isError } = await client.callTool({ name: "get_active_gigs", arguments: {} });
  assert.ok(!isError);
  const { gigs } = await discover(stack);
  assert.deepEqual(JSON.parse(content[0].text), gigs);
  assert.deepEqual(structuredContent, { gigs, next_cursor: null });

  const filtered = { min_bounty: 77, max_bounty: 77, q: "orchid", task_type: "computation", limit: 1 };
  const found = await client.callTool({ name: "get_active_gigs", arguments: filtered });
  assert.deepEqual(JSON.parse(found.content[0].text).map(({ gig_id: id }) => id), [gig.id]);
  const none = await client.callTool({ name: "get_active_gigs", arguments: { min_bounty: 78 } });
  assert.equal(none.content[0].text, "[]");

  const looked = await client.callTool({ name: "get_gig_status", arguments: { gig_id: gig.id } });
  assert.deepEqual(JSON.parse(looked.content[0].text), await status(stack, gig.id));
});

test("arguments that do not fit are a failed call that a model can mend", async () => {
  const calls = [
    ["get_active_gigs", { limit: 0 }, /limit/],
    ["get_active_gigs", { limit: "many" }, /limit/],
    ["get_active_gigs", { color: "red" }, /color/],
    ["get_active_gigs", { task_type: ["custom"] }, /task_type/],
    ["get_active_gigs", { cursor: "x" }, /cursor/],
    ["get_gig_status", {}, /gig_id/],
    ["get_gig_status", { gig_id: "1" }, /UUID/],
    ["get_gig_status", { gig_id: 7 }, /UUID/],
    ["get_gig_status", { gig_id: gig.id, more: true }, /exactly one/],
    ["get_gig_status", { gig_id: randomUUID() }, /no gig/],
  ];
  for (const [name, args, words] of calls) {
    const outcome = await client.callTool({ name, arguments: args });
    assert.equal(outcome.isError, true, JSON.stringify(args));
    assert.match(outcome.content[0].text, words);
  }
  await assert.rejects(client.callTool({ name: "post_gig", arguments: {} }), /no tool/i);
});

test("there is no stream to open: GET is refused at once", async () => {
  const started = performance.now();
  const answer = await stack.fetch("/mcp", { headers: { accept: "text/event-stream" } });
  await assertProblem(answer, 405, "method_not_allowed");
  assert.equal(answer.headers.get("allow"), "POST");
  assert.ok(performance.now() - started < 1000);
  await assertProblem(await stack.fetch("/mcp", { method: "DELETE" }), 405, "method_not_allowed");
});

test("a legacy request needs no handshake before it", async () => {
  const list = { jsonrpc: "2.0", id: "a", method: "tools/list" };
  const answer = await send(stack, "/mcp", list, { "mcp-protocol-version": "2025-11-25" });
  assert.equal((await answered(answer, 200)).result.tools.length, TOOLS.length);
  for (const protocolVersion of [MODERN, "1999-01-01"]) {
    const open = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion, capabilities: {}, clientInfo: { name: "x", version: "1" } } };
    const { result } = await answered(await send(stack, "/mcp", open), 200);
    assert.equal(result.protocolVersion, "2025-11-25");
  }
  const note = await send(stack, "/mcp", { jsonrpc: "2.0", method: "notifications/initialized" });
  assert.deepEqual([note.status, await note.text()], [202, ""]);
});

test("the newer era: each request stands for itself, and its answers say who gave them", async () => {
  const { result } = await answered(await modern("server/discover"), 200);
  assert.ok(result.supportedVersions.includes(MODERN));
  assert.equal(result.resultType, "complete");
  const listed = (await answered(await modern("tools/list"), 200)).result;
  assert.deepEqual([listed.tools.length, listed.cacheScope], [TOOLS.length, "public"]);
  const called = (await answered(await modern("tools/call", { name: "get_gig_status", arguments: { gig_id: gig.id } }), 200)).result;
  assert.equal(JSON.parse(called.content[0].text).lifecycle_state, "DISCOVERABLE");
  const read = (await answered(await modern("resources/read", { uri: "guildhall://contracts/manifest" }), 200)).result;
  assert.equal(JSON.parse(read.contents[0].text).x402, 2);
});

test("the newer era: a request that contradicts itself does not run", async () => {
  const call = { name: "get_gig_status", arguments: { gig_id: gig.id } };
  const contradictions = [
    ["another method in the header", modern("tools/call", call, { "mcp-method": "tools/list" })],
    ["another tool in the header", modern("tools/call", call, { "mcp-name": "get_active_gigs" })],
    ["another version in the header", modern("tools/call", call, { "mcp-protocol-version": "2025-11-25" })],
    ["no _meta", send(stack, "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call }, { "mcp-protocol-version": MODERN })],
  ];
  for (const [about, sent] of contradictions) {
    const { error, result } = await answered(await sent, 400);
    assert.ok(error.message.length > 0, about);
    assert.equal(result, undefined, about);
  }
});

test("what is no request is answered in the protocol's words", async () => {
  for (const body of ["", "{", "[]", "null", '{"jsonrpc":"1.0","id":1,"method":"ping"}', '{"jsonrpc":"2.0","id":{},"method":"ping"}']) {
    const { error } = await answered(await send(stack, "/mcp", body), 400);
    assert.ok([-32700, -32600].includes(error.code), body);
  }
  await assertProblem(await send(stack, "/mcp", " ".repeat(1024 * 1024 + 1)), 413, "body_too_large");
});

test("a page of another site cannot reach into a board on this machine", async () => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  for (const origin of ["https://evil.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example:80", "null"]) {
    await assertProblem(await send(stack, "/mcp", ping, { origin }), 403, "origin_not_allowed", origin);
  }
  for (const origin of ["http://localhost:3000", "http://127.0.0.1:8787", "http://[::1]:1"]) {
    assert.equal((await send(stack, "/mcp", ping, { origin })).status, 200, origin);
  }
});

test("a name that was made to point at this machine does not reach into its board", async () => {
  const ask = (host) =>
    new Promise((resolve, reject) => {
      const options = { method: "POST", headers: { host, "content-type": "application/json" } };
      httpRequest(new URL("/mcp", stack.url), options, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    });
  assert.equal(await ask("evil.example:8787"), 403);
  assert.equal(await ask("localhost:8787"), 200);
});
