// Making a run once, its token, its owner's rights, and the seed's own paths beside ours.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  allEvents, call, executorIdOf, freshKey, freshSource, freshWallet, over, registered, runVars, seen, sha256, standing, types, walletState,
  wanted,
} from "./support/run.mjs";
import { Bytes, fieldsOf, streamUrl } from "./support/run-watch.mjs";

let stack;
let executor;

before(async () => {
  stack = await start(runVars());
  executor = await registered(stack);
});
after(() => stack?.stop());

const create = (body, headers = {}) => call(stack, null, "POST", "/v1/runs", body, headers);
const look = (run, token) => call(stack, token, "GET", `/v1/runs/${run}`);

test("the same key makes one run: its token is issued anew while it is unused, and never again once it was used", async () => {
  const [body, key] = [wanted({ executorId: executor.id }), freshKey()];
  const first = await create(body, key);
  const { run, runToken } = await answered(first, 201);
  assert.equal(first.headers.get("idempotency-replayed"), null);
  assert.match(runToken, /^gld_run_[A-Za-z0-9_-]{43}$/);
  assert.match(run.id, /^run_[a-z2-7]{26}$/);
  const second = await create(body, key);
  const again = await answered(second, 201);
  assert.equal(second.headers.get("idempotency-replayed"), "true");
  assert.equal(again.run.id, run.id);
  assert.notEqual(again.runToken, runToken);
  await assertProblem(await look(run.id, runToken), 404, "unknown_run");
  await answered(await look(run.id, again.runToken), 200);
  // Looking uses no token up; the first word to the run does.
  const third = await answered(await create(body, key), 201);
  await answered(await call(stack, third.runToken, "POST", `/v1/runs/${run.id}/wallet-state`, walletState(freshWallet())), 200);
  await assertProblem(await create(body, key), 409, "token_used");
  await answered(await look(run.id, third.runToken), 200);
  const events = types(await allEvents(stack, { run: run.id, token: third.runToken }));
  assert.deepEqual(["TOKEN_REISSUED", "TOKEN_USED"].map((type) => events.filter((one) => one === type).length), [2, 1]);
});

test("a key belongs to one body; without a key each creation is a run of its own", async () => {
  const key = freshKey();
  await answered(await create(wanted({ executorId: executor.id }), key), 201);
  for (const other of [wanted({ executorId: executor.id, quantity: 2 }), wanted({ executorId: executor.id, userId: "u" }), wanted()]) {
    await assertProblem(await create(other, key), 422, "idempotency_key_reused");
  }
  const made = await Promise.all([1, 2].map(async () => (await answered(await create(wanted({ executorId: executor.id })), 201)).run.id));
  assert.equal(new Set(made).size, 2);
  for (const short of ["k", "k".repeat(15), "k".repeat(256), "with a space in it"]) {
    const answer = await create(wanted({ executorId: executor.id }), { "idempotency-key": short });
    assert.equal((await assertProblem(answer, 400, "invalid_idempotency_key", short)).retryable, false);
  }
});

test("twenty of the same at once are one run", async () => {
  const [body, key] = [wanted({ executorId: executor.id }), freshKey()];
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(body, key)));
  const made = await Promise.all(answers.map((answer) => answered(answer, 201)));
  assert.equal(new Set(made.map(({ run }) => run.id)).size, 1);
  assert.equal(answers.filter((answer) => answer.headers.get("idempotency-replayed") === null).length, 1);
  const valid = [];
  for (const { run, runToken } of made) if ((await look(run.id, runToken)).ok) valid.push(runToken);
  assert.equal(valid.length, 1, "one token holds: the one that was issued last");
});

test("a token is one run's own", async () => {
  const [mine, other] = [await standing(stack, "REVALIDATING", { executor }), await standing(stack, "REVALIDATING", { executor })];
  const unknown = "run_aaaaaaaaaaaaaaaaaaaaaaaaaa";
  const missing = await assertProblem(await look(mine.run, null), 401, "missing_credentials");
  assert.equal(missing.retryable, false);
  const foreign = await assertProblem(await look(mine.run, other.token), 404, "unknown_run");
  const nothing = await assertProblem(await look(unknown, other.token), 404, "unknown_run");
  assert.deepEqual({ ...foreign, requestId: "" }, { ...nothing, requestId: "" }, "not yours looks like not there");
  assert.equal((await look("run_1", other.token)).status, 404);
});

test("by the seed's paths the answers are the same", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const pairs = [
    [one.token, `/v1/runs/${one.run}`, `/agent/runs/${one.run}`],
    [one.token, `/v1/runs/${one.run}/events?limit=3`, `/agent/runs/${one.run}/events?limit=3`],
    [one.token, `/v1/runs/${one.run}/journal`, `/agent/runs/${one.run}/journal`],
    [null, "/v1/chain/balances?address=0x00000000000000000000000000000000000000aa", "/agent/chain/balances?address=0x00000000000000000000000000000000000000aa"],
    [null, "/v1/demo", "/agent/demo"],
    [executor.secret, "/v1/executors/me", "/agent/executors/me"],
  ];
  for (const [token, ours, theirs] of pairs) {
    const [first, second] = [await answered(await call(stack, token, "GET", ours), 200), await answered(await call(stack, token, "GET", theirs), 200)];
    const timeless = (text) => JSON.stringify(text).replaceAll(/"lastSeenAt":"[^"]*"/g, "");
    assert.equal(timeless(second), timeless(first), theirs);
  }
  assert.deepEqual(Object.keys(await answered(await stack.fetch("/healthz"), 200)).sort(), Object.keys(await answered(await stack.fetch("/health"), 200)).sort());
  const { executorSecret, executorId } = await answered(await call(stack, null, "POST", "/agent/executors", undefined, freshSource()), 201);
  assert.equal(executorId, executorIdOf(executorSecret));
  const made = await answered(await call(stack, null, "POST", "/agent/runs", wanted({ executorId })), 201);
  const theirs = { id: executorId, secret: executorSecret };
  const { commands } = await answered(await call(stack, theirs.secret, "GET", "/agent/executors/me/commands?wait=5"), 200);
  assert.equal(commands[0].runId, made.run.id);
  const started = { commandId: commands[0].commandId, type: "STARTED" };
  await answered(await call(stack, theirs.secret, "POST", `/agent/runs/${made.run.id}/browser-result`, started), 200);
  const mine = { run: made.run.id, token: made.runToken };
  for (const [verb, body] of [["wallet-state", walletState(freshWallet())], ["executor", { executorId: executor.id }], ["cancel", {}]]) {
    await answered(await call(stack, mine.token, "POST", `/agent/runs/${mine.run}/${verb}`, body), 200);
  }
  const { ticket } = await answered(await call(stack, mine.token, "POST", `/agent/runs/${mine.run}/ticket`), 201);
  const stream = await Bytes.open(stack, `/agent/runs/${mine.run}/events?ticket=${ticket}`);
  await stream.block("an event by the seed's path", (block) => fieldsOf(block).event === "run-event");
  stream.close();
  for (const [verb, body] of [["confirm", { digest: "a".repeat(64), amountCents: "1" }], ["payment", { signature: `sim_${"1".repeat(64)}` }]]) {
    for (const root of ["/v1", "/agent"]) {
      await assertProblem(await call(stack, mine.token, "POST", `${root}/runs/${mine.run}/${verb}`, body), 409, "run_over", `${root} ${verb}`);
    }
  }
});

test("real money is refused, since nobody here would pay it out", async () => {
  const problem = await assertProblem(await create(wanted({ executorId: executor.id, executionMode: "real" })), 422, "real_not_available");
  assert.match(problem.detail, /off-ramp/);
});

test("an executor that nobody registered, or none where there is no demonstration, makes no run", async () => {
  const nobody = executorIdOf(`gld_executor_${"A".repeat(43)}`);
  await assertProblem(await create(wanted({ executorId: nobody })), 422, "unknown_executor");
  const plain = await start(runVars({ DEMO_EXECUTOR: "0" }));
  try {
    await assertProblem(await call(plain, null, "GET", "/v1/demo"), 404, "demo_off");
    const { errors } = await assertProblem(await call(plain, null, "POST", "/v1/runs", wanted()), 400, "invalid_body");
    assert.deepEqual(errors.map(({ field }) => field), ["executorId"]);
  } finally {
    await plain.stop();
  }
});

test("a run's token is kept as its digest only", async () => {
  const { run, runToken } = await answered(await create(wanted({ executorId: executor.id })), 201);
  const [{ body }] = await stack.objectSql("RunObject", run.id, "SELECT body FROM journal WHERE seq = 1");
  assert.ok(body.includes(sha256(runToken).toString("hex")));
  assert.ok(!body.includes(runToken.slice(8)));
  const view = JSON.stringify(await seen(stack, { run: run.id, token: runToken }));
  assert.ok(!view.includes(sha256(runToken).toString("hex")), "not even its digest is shown");
});

test("what the buyer calls a user and a run's mode are shown as they were given", async () => {
  const { run, nextAction } = await answered(await create(wanted({ executorId: executor.id, userId: "user 7 · São Paulo", executionMode: "simulated" })), 201);
  assert.deepEqual([run.userId, run.executionMode, run.settlement.kind], ["user 7 · São Paulo", "simulated", "simulated"]);
  assert.equal(typeof nextAction.message, "string");
  const cancelled = await create(wanted({ wallet: "simulated", requirement: "coca-cola nothing" }));
  const one = await answered(cancelled, 201);
  assert.equal((await over(stack, { run: one.run.id, token: one.runToken })).run.state, "NO_VALID_OPTION");
});
