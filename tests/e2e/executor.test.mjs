// A browser executor: registering, being given commands by waiting or by a push, leases, and being away.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Ajv from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { ahead } from "./support/mandate.mjs";
import {
  MINUTE, STEPS, assertJournal, bring, call, cartOf, command, executorIdOf, freshSource, poll, purchase, quoteOf, registered,
  runVars, seen, send, sha256, standing, stands, types, allEvents, walk,
} from "./support/run.mjs";
import { Socket } from "./support/run-watch.mjs";
import { age, makeAlarmsDue } from "./support/stored.mjs";
import { until } from "./support/waiting.mjs";

/** Far below the longest wait, far above what a wake-up takes. */
const SOON_MS = 5000;

let stack;
before(async () => {
  stack = await start(runVars());
});
after(() => stack?.stop());

const me = (executor) => call(stack, executor.secret, "GET", "/v1/executors/me");
const register = (body, source = freshSource()) => call(stack, null, "POST", "/v1/executors", body, source);

/** A run that waits for an executor. */
async function asking(executor) {
  const one = purchase({ executor });
  await answered(await send(stack, one, "create"), 201);
  return one;
}

test("its secret is shown once, its id follows from it, and only a digest is kept", async () => {
  const body = await answered(await register({ label: "kitchen" }), 201);
  const { executorId, executorSecret: secret } = body;
  assert.match(secret, /^gld_executor_[A-Za-z0-9_-]{43}$/);
  assert.equal(executorId, executorIdOf(secret));
  assert.equal(body.protocolVersion, "1");
  const view = await answered(await me({ secret }), 200);
  assert.deepEqual([view.executorId, view.label, view.status], [executorId, "kitchen", "idle"]);
  assert.ok(!JSON.stringify(view).includes(secret.slice(13)));
  const rows = [
    ...(await stack.objectSql("ExecutorObject", executorId, "SELECT body FROM journal")),
    ...(await stack.objectSql("ExecutorObject", executorId, "SELECT snapshot AS body FROM state")),
  ].map(({ body: text }) => text).join("");
  assert.ok(rows.includes(sha256(secret).toString("hex")) && !rows.includes(secret.slice(13)));
  await assertJournal(stack, { run: executorId }, "ExecutorObject");
});

test("whoever has no executor's secret is nobody", async () => {
  const executor = await registered(stack);
  const wrong = `${executor.secret.slice(0, -1)}${executor.secret.endsWith("A") ? "B" : "A"}`;
  for (const path of ["/v1/executors/me", "/v1/executors/me/commands"]) {
    await assertProblem(await call(stack, null, "GET", path), 401, "missing_credentials", path);
    for (const token of [`gld_run_${"A".repeat(43)}`, "gld_executor_short", "x"]) {
      await assertProblem(await call(stack, token, "GET", path), 401, "invalid_credentials", `${path} ${token}`);
    }
    for (const token of [wrong, `gld_executor_${"A".repeat(43)}`]) {
      await assertProblem(await call(stack, token, "GET", path), 401, "invalid_credentials", `${path} ${token}`);
    }
  }
});

test("registrations from one place are few, and how long to wait is said; other places go on", async () => {
  const source = freshSource();
  const statuses = [];
  let refused;
  for (let time = 0; time < 60 && !refused; time += 1) {
    const answer = await register(undefined, source);
    statuses.push(answer.status);
    if (answer.status === 429) refused = answer;
    else await answered(answer, 201);
  }
  assert.ok(statuses.length >= 3, "a few are welcome");
  const wait = Number(refused.headers.get("retry-after"));
  assert.ok(wait > 0 && wait <= 86_400, `${wait} s`);
  assert.equal((await assertProblem(refused, 429, "too_many_registrations")).retryable, true);
  await answered(await register(undefined), 201);
  await ahead(stack, wait * 1000 + 1000);
  try {
    await answered(await register(undefined, source), 201);
  } finally {
    await ahead(stack, 0);
  }
});

test("what is wrong with a registration is said, and makes nothing", async () => {
  for (const [body, field] of [[{ label: 7 }, "label"], [{ label: "x".repeat(500) }, "label"], [{ name: "x" }, "name"], [{ label: "a\u0000b" }, "label"]]) {
    const { errors } = await assertProblem(await register(body), 400, "invalid_body", JSON.stringify(body));
    assert.ok(errors.some((fault) => fault.field === field), JSON.stringify(errors));
  }
  for (const text of ["[]", "7", "{", "nul"]) assert.equal((await register(text)).status, 400, text);
  await answered(await register({}), 201);
});

test("who waits is woken by the command, and not before", async () => {
  const executor = await registered(stack);
  assert.deepEqual(await poll(stack, executor), []);
  const began = performance.now();
  const waiting = poll(stack, executor, "?wait=25");
  const one = await asking(executor);
  const commands = await waiting;
  assert.ok(performance.now() - began < SOON_MS, `${performance.now() - began} ms`);
  assert.deepEqual(commands.map(({ runId, type }) => [runId, type]), [[one.run, "REVALIDATE_CANDIDATE"]]);
  const idle = performance.now();
  assert.deepEqual(await poll(stack, executor, "?wait=1"), []);
  assert.ok(performance.now() - idle >= 900, "it waited as long as it was asked to");
});

test("two who wait at once share what comes: nothing is given out twice", async () => {
  const executor = await registered(stack);
  const waiting = [1, 2].map(() => call(stack, executor.secret, "GET", "/v1/executors/me/commands?wait=3&limit=16"));
  const runs = [await asking(executor), await asking(executor)];
  await until("both commands", async () => (await answered(await me(executor), 200)).pending === 2);
  const given = [];
  for (const answer of waiting) given.push(...(await answered(await answer, 200)).commands);
  given.push(...(await poll(stack, executor)));
  assert.deepEqual(given.map(({ runId }) => runId).sort(), runs.map(({ run }) => run).sort());
});

test("a command is leased for a while: taken by nobody else meanwhile, given again afterwards, gone once it is answered", async () => {
  const executor = await registered(stack);
  const one = await asking(executor);
  const first = await command(stack, executor, one.run, "REVALIDATE_CANDIDATE");
  assert.deepEqual(await poll(stack, executor), []);
  await ahead(stack, MINUTE + 1000);
  try {
    const again = await poll(stack, executor);
    assert.deepEqual(again.map(({ commandId }) => commandId), [first.commandId]);
    const cart = cartOf({ ...first.candidate, totalCents: first.candidate.observedTotalCents });
    const result = quoteOf(first.commandId, cart, { capturedAt: new Date(Date.now() + MINUTE).toISOString() });
    const taken = await bring(stack, executor, one.run, result);
    assert.deepEqual([(await answered(taken, 200)).accepted, taken.headers.get("idempotency-replayed")], [true, null]);
    const twice = await bring(stack, executor, one.run, result);
    assert.deepEqual([twice.status, twice.headers.get("idempotency-replayed")], [200, "true"]);
    await ahead(stack, 3 * MINUTE);
    await until("the next command alone", async () => {
      const ids = (await poll(stack, executor)).map(({ commandId }) => commandId);
      assert.ok(!ids.includes(first.commandId));
      return ids.length === 1;
    });
  } finally {
    await ahead(stack, 0);
  }
});

test("the oldest first, and as many as are asked for", async () => {
  const executor = await registered(stack);
  const runs = [];
  for (let index = 0; index < 5; index += 1) {
    runs.push((await asking(executor)).run);
    await until("its command", async () => (await answered(await me(executor), 200)).pending === index + 1);
  }
  assert.deepEqual((await poll(stack, executor, "?limit=2")).map(({ runId }) => runId), runs.slice(0, 2));
  assert.deepEqual((await poll(stack, executor, "?limit=16")).map(({ runId }) => runId), runs.slice(2));
  for (const query of ["limit=0", "limit=17", "wait=26", "wait=-1", "wait=1.5", "wait=x", "colour=red"]) {
    await assertProblem(await call(stack, executor.secret, "GET", `/v1/executors/me/commands?${query}`), 400, "malformed", query);
  }
});

test("through a socket a command is pushed as soon as it is there, and again to a sleeper's open socket", async () => {
  const executor = await registered(stack);
  const early = await asking(executor);
  const socket = await Socket.open(stack, "/v1/executors/me/socket", { headers: { authorization: `Bearer ${executor.secret}` } });
  const pushed = (run) => socket.message(`a command of ${run}`, ({ type, command: one }) => type === "command" && one.runId === run);
  await pushed(early.run);
  for (let round = 0; round < 2; round += 1) {
    await stack.evict("ExecutorObject", executor.id, "hibernate");
    await pushed((await asking(executor)).run);
  }
  assert.equal(new Set(socket.messages.map(({ command: one }) => one?.commandId + one?.runId)).size, 3, "each once");
  socket.send({ type: "ping" });
  await socket.message("a pong", ({ type }) => type === "pong");
  socket.close();
  const { ticket } = await answered(await call(stack, executor.secret, "POST", "/v1/executors/me/ticket"), 201);
  const byTicket = await Socket.open(stack, `/v1/executors/me/socket?executor=${executor.id}&ticket=${ticket}`);
  await assert.rejects(Socket.open(stack, `/v1/executors/me/socket?executor=${executor.id}&ticket=${ticket}`), { status: 401 });
  await assert.rejects(Socket.open(stack, "/v1/executors/me/socket"), { status: 401 });
  byTicket.close();
});

test("away for long with a command: its run says so and whom to call, and another executor goes on", async () => {
  const [lost, other] = [await registered(stack), await registered(stack)];
  const one = await standing(stack, "CHECKOUT_PREPARED", { executor: lost });
  const { pendingCommand } = (await seen(stack, one)).run;
  await age(stack, "ExecutorObject", lost.id, ["seen_at", "since"], 3 * MINUTE);
  await stack.stop({ keep: true });
  assert.ok(makeAlarmsDue(stack.persist) > 0);
  stack = await start({ ...runVars(), persist: stack.persist });
  const told = await until("the run to know", async () => {
    const view = await seen(stack, one);
    return types(view.events).includes("EXECUTOR_OFFLINE") && view;
  });
  assert.equal(told.run.state, "CHECKOUT_PREPARED");
  assert.match(told.nextAction.message, /executor/i);
  const path = `/v1/runs/${one.run}/executor`;
  await answered(await call(stack, one.token, "POST", path, { executorId: other.id }), 200);
  const { run } = await stands(stack, one, "REVALIDATION_REQUESTED");
  assert.deepEqual([run.executorId, run.validatedQuote, run.checkout?.quote ?? null], [other.id, null, null]);
  const late = { commandId: pendingCommand.commandId, type: "PIX", amountCents: "1000", evidence: "pix-selected" };
  await assertProblem(await call(stack, lost.secret, "POST", `/v1/runs/${one.run}/browser-result`, late), 403, "wrong_executor");
  assert.deepEqual(await poll(stack, lost), [], "what it had is taken back");
  const fresh = { ...one, executor: other, sent: {} };
  await walk(stack, fresh, "QUOTE_VALIDATED");
});

test("NEEDS_USER keeps the command: it waits for the buyer, and is answered in the end", async () => {
  const executor = await registered(stack);
  const one = await asking(executor);
  const { commandId, candidate } = await command(stack, executor, one.run, "REVALIDATE_CANDIDATE");
  await answered(await bring(stack, executor, one.run, { commandId, type: "NEEDS_USER", reason: "log in to the shop" }), 200);
  const { run, nextAction } = await seen(stack, one);
  assert.equal(run.pendingCommand.commandId, commandId);
  assert.match(nextAction.message, /log in to the shop/);
  assert.equal(nextAction.actor, "user");
  const cart = cartOf({ ...candidate, totalCents: candidate.observedTotalCents });
  await answered(await bring(stack, executor, one.run, quoteOf(commandId, cart)), 200);
  await stands(stack, one, "QUOTE_VALIDATED");
});

test("its commands survive a kill", async () => {
  const executor = await registered(stack);
  const one = await asking(executor);
  await until("its command", async () => (await answered(await me(executor), 200)).pending === 1);
  await stack.crash();
  const { commandId } = await command(stack, executor, one.run, "REVALIDATE_CANDIDATE");
  await stack.crash();
  assert.deepEqual(await poll(stack, executor), [], "a lease survives as well");
  await answered(await bring(stack, executor, one.run, { commandId, type: "STARTED" }), 200);
});

test("the protocol is published as JSON Schemas, which hold every command that is given and every result that is taken", async () => {
  const published = await answered(await stack.fetch("/v1/executors/protocol.json"), 200);
  const text = JSON.stringify(published);
  assert.ok(text.includes("https://json-schema.org/draft/2020-12/schema"));
  const ajv = formats(new Ajv({ strict: false, allErrors: true }));
  const name = published.$id ?? "protocol";
  ajv.addSchema(published, name);
  const named = Object.keys(published.$defs);
  const [commands, results] = ["AgentBrowserCommand", "BrowserResult"].map((type) => {
    assert.ok(named.includes(type), `${type} among ${named}`);
    return ajv.compile({ $ref: `${name}#/$defs/${type}` });
  });
  const executor = await registered(stack);
  const one = await standing(stack, "ORDER_CONFIRMED", { executor });
  const kinds = executor.commands.map(({ type }) => type);
  assert.deepEqual(kinds, ["REVALIDATE_CANDIDATE", "PREPARE_CHECKOUT", "READ_PIX", "VERIFY_ORDER"]);
  for (const given of executor.commands.map(({ isAnswered: _, ...rest }) => rest)) {
    assert.ok(commands(given), `${JSON.stringify(given)}: ${JSON.stringify(commands.errors)}`);
    assert.equal(given.protocolVersion, "1");
    assert.equal(given.executorId, executor.id);
    assert.ok(Date.parse(given.expiresAt) > Date.now());
    assert.ok(!commands({ ...given, type: "PLACE_ORDER" }), "and nothing else");
  }
  for (const step of STEPS.slice(1).map(([step]) => step)) {
    const [token, , body] = one.sent[step];
    if (token !== executor.secret) continue;
    assert.ok(results(body), `${JSON.stringify(body)}: ${JSON.stringify(results.errors)}`);
    assert.ok(!results({ ...body, commandId: 7 }));
  }
  assert.ok(results({ commandId: "cmd_1", type: "UNAVAILABLE", reason: "closed" }), JSON.stringify(results.errors));
});
