// What the OpenAPI document says of runs and executors is what is sent and answered: every operation is asked until it does
// what it is for, and each body, status, header and code on the way is held to the document.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered } from "./support/board.mjs";
import { Contract } from "./support/contract.mjs";
import {
  bring, call, command, freshKey, freshSource, freshWallet, purchase, registered, runVars, seen, send, simulatedSignature,
  standing, stands, walk, walletState, wanted,
} from "./support/run.mjs";
import { Bytes, Socket, fieldsOf, streamUrl } from "./support/run-watch.mjs";

const TAGS = ["runs", "executors"];
/** Opened as sockets, which is no answer in JSON; see below. */
const SOCKETS = ["openRunSocket", "openExecutorSocket"];

let stack;
let contract;
let executor;
const done = new Set();

before(async () => {
  stack = await start(runVars());
  contract = new Contract(await answered(await stack.fetch("/v1/openapi.json"), 200));
  executor = await registered(stack);
});
after(() => stack?.stop());

/** Asks, and holds both sides to the document. */
async function said(status, token, method, path, body, headers) {
  const operation = contract.operation(method, path);
  if (status < 300) contract.sent(operation, body);
  const answer = await call(stack, token, method, path, body, headers);
  assert.equal(answer.status, status, `${method} ${path}: ${await answer.clone().text()}`);
  if (status < 300) done.add(operation.operationId);
  return contract.answered(operation, answer);
}

const at = (one, more = "") => `/v1/runs/${one.run}${more}`;

test("a run is made, looked at and refused as it says", async () => {
  const [body, once] = [wanted({ executorId: executor.id, userId: "u" }), freshKey()];
  const { run, runToken } = await said(201, null, "POST", "/v1/runs", body, once);
  await said(201, null, "POST", "/v1/runs", body, once);
  await said(422, null, "POST", "/v1/runs", { ...body, userId: "v" }, once);
  await said(400, null, "POST", "/v1/runs", { ...body, colour: "red" });
  await said(422, null, "POST", "/v1/runs", { ...body, executionMode: "real" });
  const one = { run: run.id };
  await said(404, runToken, "GET", at(one));
  const fresh = await said(201, null, "POST", "/v1/runs", body, once);
  await said(200, fresh.runToken, "GET", at(one));
  await said(200, fresh.runToken, "GET", at(one, "?after=1&limit=2"));
  await said(401, null, "GET", at(one));
  await said(400, fresh.runToken, "GET", at(one, "?limit=0"));
  await said(200, fresh.runToken, "GET", at(one, "/events?limit=1"));
  await said(200, fresh.runToken, "GET", at(one, "/journal"));
  await said(201, fresh.runToken, "POST", at(one, "/ticket"));
  await said(422, fresh.runToken, "POST", at(one, "/executor"), { executorId: `exe_${"a".repeat(26)}` });
  await said(200, fresh.runToken, "POST", at(one, "/executor"), { executorId: (await registered(stack)).id });
  await said(409, null, "POST", "/v1/runs", body, once);
  await said(200, fresh.runToken, "POST", at(one, "/cancel"));
  await said(409, fresh.runToken, "POST", at(one, "/confirm"), { digest: "a".repeat(64), amountCents: "1" });
});

test("each step of a purchase is sent and answered as it says, and every event on the way is one of its events", async () => {
  const one = purchase({ executor });
  await send(stack, one, "create");
  const results = [
    ["start", "browser-result"], ["quote", "browser-result"], ["checkout", "browser-result"], ["pix", "browser-result"],
    ["connect", "wallet-state"], ["confirm", "confirm"], ["pay", "payment"], ["order", "browser-result"],
  ];
  const states = ["REVALIDATING", "QUOTE_VALIDATED", "CHECKOUT_PREPARED", "WALLET_REQUIRED", "USER_CONFIRMATION", "PAYMENT_AUTHORIZED", "SETTLED", "ORDER_CONFIRMED"];
  for (const [index, [step, verb]] of results.entries()) {
    const operation = contract.operation("POST", at(one, `/${verb}`));
    const answer = await send(stack, one, step);
    contract.sent(operation, one.sent[step][2]);
    await contract.answered(operation, answer);
    done.add(operation.operationId);
    await stands(stack, one, states[index]);
    await said(200, one.token, "GET", at(one));
  }
  await said(200, one.token, "GET", at(one, "/events"));
});

test("what is refused on the way is refused as it says", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  await said(409, one.token, "POST", at(one, "/confirm"), { digest: "a".repeat(64), amountCents: "1" });
  await said(422, one.token, "POST", at(one, "/wallet-state"), walletState(freshWallet(), { checkedAt: "2026-01-01T00:00:00Z" }));
  await said(404, executor.secret, "POST", at(one, "/browser-result"), { commandId: "cmd_999", type: "STARTED" });
  await said(403, (await registered(stack)).secret, "POST", at(one, "/browser-result"), { commandId: "cmd_999", type: "STARTED" });
  await said(200, one.token, "POST", at(one, "/confirm"), { reject: true });
  const paid = await standing(stack, "SETTLED", { executor });
  await said(409, paid.token, "POST", at(paid, "/cancel"));
  const other = await standing(stack, "PAYMENT_AUTHORIZED", { executor });
  await said(409, other.token, "POST", at(other, "/payment"), { signature: paid.sent.pay[2].signature });
  await said(200, other.token, "POST", at(other, "/payment"), { signature: simulatedSignature((await seen(stack, other)).run), lastValidBlockHeight: 7 });
  const sold = await standing(stack, "REVALIDATING", { executor });
  const { commandId } = await command(stack, executor, sold.run, "REVALIDATE_CANDIDATE");
  await said(200, executor.secret, "POST", at(sold, "/browser-result"), { commandId, type: "UNAVAILABLE", reason: "closed" });
  await walk(stack, sold, "REVALIDATING");
  await said(200, sold.token, "GET", at(sold));
});

test("executors register, look, wait and are refused as it says", async () => {
  const source = freshSource();
  const { executorSecret } = await said(201, null, "POST", "/v1/executors", { label: "one" }, source);
  await said(400, null, "POST", "/v1/executors", { label: 7 }, freshSource());
  for (let time = 0; time < 60; time += 1) {
    if ((await call(stack, null, "POST", "/v1/executors", {}, source)).status === 429) break;
  }
  await said(429, null, "POST", "/v1/executors", {}, source);
  await said(200, executorSecret, "GET", "/v1/executors/me");
  await said(401, null, "GET", "/v1/executors/me");
  await said(200, executorSecret, "GET", "/v1/executors/me/commands?wait=0&limit=3");
  await said(200, executor.secret, "GET", "/v1/executors/me/commands?limit=16");
  await said(400, executorSecret, "GET", "/v1/executors/me/commands?wait=99");
  await said(201, executorSecret, "POST", "/v1/executors/me/ticket");
  await said(200, null, "GET", "/v1/executors/protocol.json");
  await said(200, null, "GET", "/v1/demo");
  await said(200, null, "GET", `/v1/chain/balances?address=${freshWallet()}`);
  await said(400, null, "GET", "/v1/chain/balances");
});

test("a stream is as it says: text/event-stream, and each frame's data one of its frames", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const operation = contract.operation("GET", at(one, "/events"));
  const described = contract.resolve(operation.responses[200]).content;
  assert.ok("text/event-stream" in described && "application/json" in described);
  const bytes = await Bytes.open(stack, await streamUrl(stack, one));
  const { run } = await seen(stack, one);
  await bytes.block("all of it", (block) => fieldsOf(block).id === `${run.version}`);
  bytes.close();
  const frames = bytes.blocks.map(fieldsOf).filter(({ event }) => event === "run-event").map(({ data }) => JSON.parse(data));
  const socket = await Socket.open(stack, at(one, "/socket"), { headers: { authorization: `Bearer ${one.token}` } });
  await socket.message("all of it", ({ event }) => event?.seq === run.version);
  socket.close();
  for (const message of socket.messages) {
    assert.deepEqual(contract.complaints({ $ref: "#/components/schemas/RunFrame" }, message), []);
  }
  for (const [index, { event, run: then, message }] of frames.entries()) {
    assert.deepEqual(contract.complaints({ $ref: "#/components/schemas/RunEvent" }, event), [], event.type);
    assert.deepEqual(contract.complaints({ $ref: "#/components/schemas/Run" }, then), []);
    assert.deepEqual([event, message], [socket.messages[index].event, socket.messages[index].message]);
  }
});

test("nothing that the document says of runs and executors was left out", () => {
  const isOurs = ({ operation }) => TAGS.includes(operation.tags[0]) && !/By\w*Path$/.test(operation.operationId);
  const ours = contract.operations().filter(isOurs).map(({ operation }) => operation.operationId);
  assert.deepEqual(ours.filter((name) => !done.has(name)).sort(), SOCKETS.sort());
  assert.ok(ours.length >= 18, `${ours.length} operations`);
});
