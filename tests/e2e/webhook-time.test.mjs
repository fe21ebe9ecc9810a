// Webhooks over time: the whole schedule of a message, what long failure does, and a runtime that is killed between a
// message and its attempts.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { start } from "../harness.mjs";
import { answered } from "./support/board.mjs";
import { ahead } from "./support/mandate.mjs";
import { until } from "./support/waiting.mjs";
import {
  HOUR, MINUTE, Receiver, SECOND, asked, attemptsOf, hookNow, hookOf, read, registered, tried, wait, webhookVars,
} from "./support/webhook.mjs";

const PAUSES = [
  5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR,
];

let stack;
let receiver;

before(async () => {
  [stack, receiver] = await Promise.all([start(webhookVars()), Receiver.open()]);
});
beforeEach(async () => {
  receiver.got = [];
  receiver.say = () => 204;
  await ahead(stack, 0);
});
after(async () => {
  await stack?.stop();
  await receiver?.close();
});

const count = async (hook) => (await attemptsOf(stack, hook)).length;

test("a message is tried ten times in three days, never too soon, and is recovered after that", async () => {
  const hook = await hookOf(stack, receiver.url);
  receiver.say = () => 503;
  const message = await tried(stack, hook);
  await receiver.has(1);
  for (const [index, pause] of PAUSES.entries()) {
    await until("the attempt to be recorded", async () => (await count(hook)) === index + 1);
    const [attempt] = await attemptsOf(stack, hook);
    const planned = Date.parse(attempt.nextAttemptAt) - Date.parse(attempt.at);
    assert.ok(planned >= pause && planned <= pause * 1.1 + 1, `${planned} after attempt ${index + 1}`);
    if (pause > MINUTE) {
      await wait(stack, hook, pause - 30 * SECOND);
      assert.equal(receiver.got.length, index + 1, "not too soon");
    }
    await wait(stack, hook, pause / 10 + 40 * SECOND);
    const got = await receiver.has(index + 2);
    assert.equal(got.headers["webhook-id"], message);
    assert.equal(read(stack, hook.secret, got).type, "webhook.test");
  }
  await until("the last attempt", async () => (await count(hook)) === 10);
  const [last] = await attemptsOf(stack, hook);
  assert.deepEqual([last.attempt, last.nextAttemptAt, last.messageStatus], [10, null, "failed"]);
  await wait(stack, hook, 30 * HOUR);
  assert.equal(receiver.got.length, 10);

  receiver.say = () => 204;
  const since = new Date(Date.now() - HOUR).toISOString();
  assert.deepEqual(await answered(await asked(stack, hook, "POST", "/recover", { since }), 202), { messages: 1, hasMore: false });
  assert.equal((await receiver.has(11)).headers["webhook-id"], message);
  await until("it to be delivered", async () => (await attemptsOf(stack, hook))[0].messageStatus === "delivered");
  assert.deepEqual(await answered(await asked(stack, hook, "POST", "/recover", { since }), 202), { messages: 0, hasMore: false });
});

test("120 hours of nothing but failures disable an endpoint; an hour less does not", async () => {
  const hook = await hookOf(stack, receiver.url);
  receiver.say = () => 500;
  await tried(stack, hook);
  await until("the failure", async () => (await hookNow(stack, hook)).status === "failing");
  await answered(await asked(stack, hook, "POST", `/messages/${(await attemptsOf(stack, hook))[0].message}/resend`), 202);
  await until("another", async () => (await count(hook)) >= 2);
  await wait(stack, hook, 119 * HOUR);
  await until("one more", async () => (await count(hook)) >= 3);
  assert.equal((await hookNow(stack, hook)).status, "failing");
  await wait(stack, hook, 2 * HOUR);
  // An attempt that was due by then may have been the last one already.
  const again = await asked(stack, hook, "POST", "/test");
  assert.ok([202, 409].includes(again.status), `${again.status}`);
  const now = await until("it to be disabled", async () => {
    const seen = await hookNow(stack, hook);
    // One that was under way may still have to come back.
    return seen.status === "disabled" && seen.pending === 0 && seen;
  });
  assert.equal(now.disabled.reason, "failing");
});

test("killed between a message and its answer, it is sent again by itself, and its journal is whole", async () => {
  const hook = await hookOf(stack, receiver.url);
  receiver.say = () => new Promise(() => {});
  await registered(stack, hook.tenant);
  await receiver.has(1);
  await stack.crash();
  receiver.say = () => 204;
  // Nobody asks about it: the alarm alone sees to it.
  await until("the message to come again", () => receiver.got.length >= 2, 20_000);
  const [first, second] = receiver.got;
  assert.equal(second.headers["webhook-id"], first.headers["webhook-id"]);
  assert.equal(second.body, first.body);
  await until("it to be delivered", async () => (await attemptsOf(stack, hook))[0]?.messageStatus === "delivered");
  assert.equal(await count(hook), 1, "the attempt that was cut off is the same attempt");
  const rows = await stack.objectSql("EndpointObject", hook.id, "SELECT count(*) AS count FROM messages");
  assert.equal(rows[0].count, 1);
});

test("killed while messages come, none is lost and none is kept twice", async () => {
  const hook = await hookOf(stack, receiver.url, { eventTypes: ["service.registered"] });
  const services = [];
  for (const pause of [0, 5, 20, 60]) {
    const sending = Promise.allSettled([1, 2, 3].map(async () => services.push(await registered(stack, hook.tenant))));
    await new Promise((resume) => setTimeout(resume, pause));
    await stack.crash();
    await sending;
  }
  await until("every service that was answered for", () => services.every((id) => receiver.got.some(({ body }) => body.includes(id))), 30_000);
  const ids = new Map();
  for (const { headers, body } of receiver.got) {
    assert.equal(ids.get(headers["webhook-id"]) ?? body, body, "one id, one message");
    ids.set(headers["webhook-id"], body);
  }
  assert.equal(new Set(ids.values()).size, ids.size, "one message, one id");
});
