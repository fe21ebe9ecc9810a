// Webhooks end to end, received with the official libraries of Standard Webhooks: what has happened arrives, signed, once
// for whoever knows messages by their ids; what fails is sent again; and whoever does not want it is left alone.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { start } from "../harness.mjs";
import { keyed, placeOf, settle, tenantOf, used } from "./support/bills.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { until } from "./support/waiting.mjs";
import {
  Receiver, asked, attemptsOf, hookNow, hookOf, read, readByPython, registered, tried, webhookVars,
} from "./support/webhook.mjs";

let stack;
let receiver;

before(async () => {
  [stack, receiver] = await Promise.all([start(webhookVars()), Receiver.open()]);
});
beforeEach(() => {
  receiver.got = [];
  receiver.say = () => 204;
});
after(async () => {
  await stack?.stop();
  await receiver?.close();
});

test("what has happened arrives, and both official libraries take it", async () => {
  const hook = await hookOf(stack, receiver.url);
  const serviceId = await registered(stack, hook.tenant);
  const got = await receiver.has(1);
  assert.match(got.headers["content-type"], /^application\/json/);
  assert.match(got.headers["webhook-id"], /^msg_[a-z2-7]{26}$/);
  const payload = read(stack, hook.secret, got);
  assert.deepEqual(await readByPython(hook.secret, got), payload);
  assert.deepEqual(Object.keys(payload).sort(), ["data", "timestamp", "type"]);
  assert.equal(payload.type, "service.registered");
  assert.equal(payload.data.serviceId, serviceId);

  assert.throws(() => read(stack, hook.secret, { ...got, body: `${got.body} ` }), /signature/i);
  assert.ok((await readByPython(`whsec_${Buffer.alloc(32).toString("base64")}`, got)).refused);
  const [attempt] = await until("the attempt", async () => (await attemptsOf(stack, hook)).length > 0 && attemptsOf(stack, hook));
  assert.deepEqual(
    [attempt.message, attempt.type, attempt.attempt, attempt.succeeded, attempt.status, attempt.messageStatus],
    [got.headers["webhook-id"], "service.registered", 1, true, 204, "delivered"],
  );
  assert.ok(!JSON.stringify(attempt).includes("nobody is shown"), "an answer's body is not shown");
});

test("the life of a bill is told, each step once, and only to whoever follows it", async () => {
  const place = await placeOf(stack);
  const [all, some] = [await Receiver.open(), await Receiver.open()];
  try {
    const { tenant } = place;
    const hook = await hookOf(stack, all.url, { tenant, eventTypes: ["usage.*", "settlement.*"] });
    await hookOf(stack, some.url, { tenant, eventTypes: ["settlement.drafted"] });
    await used(stack, place, 3, { id: "e1" });
    await all.has(1);
    await keyed(stack, tenant, "POST", "/v1/usage", { agent: place.agent, serviceId: place.serviceId, quantity: 3, id: "e1" });
    const bill = await settle(stack, place);
    await all.has(2);
    await some.has(1);
    const [recorded, drafted] = all.got.map((got) => read(stack, hook.secret, got));
    assert.deepEqual([recorded.type, recorded.data.agent, recorded.data.quantity], ["usage.recorded", place.agent, "3"]);
    assert.deepEqual([drafted.type, drafted.data.id, drafted.data.amount], ["settlement.drafted", bill.id, bill.amount]);
  } finally {
    await Promise.all([all.close(), some.close()]);
  }
});

test("after a rotation old and new secret are good, and with no overlap the new one alone", async () => {
  const hook = await hookOf(stack, receiver.url);
  const { webhook, secret } = await answered(await asked(stack, hook, "POST", "/rotate"), 200);
  assert.notEqual(secret, hook.secret);
  assert.ok(webhook.formerSecretUntil);
  await tried(stack, hook);
  const both = await receiver.has(1);
  assert.equal(both.headers["webhook-signature"].split(" ").length, 2);
  for (const good of [hook.secret, secret]) {
    assert.equal(read(stack, good, both).type, "webhook.test");
    assert.equal((await readByPython(good, both)).type, "webhook.test");
  }
  const pending = await assertProblem(await asked(stack, hook, "POST", "/rotate"), 409, "rotation_pending");
  assert.match(pending.detail, /overlap of 0 seconds/);
  const key = { "idempotency-key": randomUUID() };
  const rotated = await answered(await asked(stack, hook, "POST", "/rotate", { overlapSeconds: 0 }, key), 200);
  assert.equal(rotated.webhook.formerSecretUntil, null);
  const again = await asked(stack, hook, "POST", "/rotate", { overlapSeconds: 0 }, key);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  assert.equal((await answered(again, 200)).secret, rotated.secret, "the same rotation shows the same secret");
  await tried(stack, hook);
  const alone = await receiver.has(2);
  assert.equal(read(stack, rotated.secret, alone).type, "webhook.test");
  for (const old of [hook.secret, secret]) assert.throws(() => read(stack, old, alone), /signature/i);
});

test("a failure is tried again after five seconds, with the same id, a fresh timestamp and the same body", async () => {
  const hook = await hookOf(stack, receiver.url);
  receiver.say = (_, count) => (count === 1 ? 500 : 204);
  const message = await tried(stack, hook);
  const first = await receiver.has(1);
  await until("the failure to be seen", async () => (await hookNow(stack, hook)).status === "failing");
  const [failed] = await attemptsOf(stack, hook);
  assert.deepEqual([failed.succeeded, failed.status, failed.messageStatus], [false, 500, "pending"]);
  const second = await receiver.has(2, 12_000);
  assert.ok(second.at - first.at >= 4_900, `${second.at - first.at} ms`);
  assert.deepEqual([first.headers["webhook-id"], second.headers["webhook-id"]], [message, message]);
  assert.equal(second.body, first.body);
  assert.ok(Number(second.headers["webhook-timestamp"]) >= Number(first.headers["webhook-timestamp"]) + 4);
  assert.equal(read(stack, hook.secret, second).type, "webhook.test");
  await until("it to be well again", async () => (await hookNow(stack, hook)).status === "enabled");
});

test("a redirect is a failure, and is not followed", async () => {
  const elsewhere = await Receiver.open();
  try {
    const hook = await hookOf(stack, receiver.url);
    for (const status of [301, 302, 307, 308]) {
      receiver.say = () => [status, { location: elsewhere.url }];
      await tried(stack, hook);
    }
    await until("four failures", async () => (await attemptsOf(stack, hook)).length === 4);
    const statuses = (await attemptsOf(stack, hook)).map(({ status, succeeded }) => [status, succeeded]);
    assert.ok(statuses.every(([status, succeeded]) => status >= 301 && !succeeded), JSON.stringify(statuses));
    assert.deepEqual(elsewhere.got, []);
    await answered(await asked(stack, hook, "POST", "/disable"), 200);
  } finally {
    await elsewhere.close();
  }
});

test("410 ends it at once: nothing more is sent, others are told, and it can be enabled and recovered", async () => {
  const watcher = await Receiver.open();
  try {
    const hook = await hookOf(stack, receiver.url);
    const watching = await hookOf(stack, watcher.url, { tenant: hook.tenant, eventTypes: ["endpoint.disabled"] });
    receiver.say = () => 410;
    await registered(stack, hook.tenant);
    const now = await until("it to be disabled", async () => {
      const seen = await hookNow(stack, hook);
      return seen.status === "disabled" && seen;
    });
    assert.equal(now.disabled.reason, "gone");
    assert.deepEqual(read(stack, watching.secret, await watcher.has(1)).data, { webhook: hook.id, reason: "gone" });
    await assertProblem(await asked(stack, hook, "POST", "/test"), 409, "endpoint_disabled");
    const missed = await registered(stack, hook.tenant);
    await until("the line in the log", async () => {
      const { events } = await answered(await keyed(stack, hook.tenant, "GET", "/v1/events?type=endpoint.disabled"), 200);
      return events.length === 1;
    });
    assert.equal(receiver.got.length, 1);
    receiver.say = () => 204;
    await answered(await asked(stack, hook, "POST", "/enable"), 200);
    const since = new Date(Date.now() - 60_000).toISOString();
    await until("both to be recovered", async () => {
      const { messages } = await answered(await asked(stack, hook, "POST", "/recover", { since }), 202);
      return messages > 0 || receiver.got.length >= 3;
    });
    await receiver.has(3);
    assert.ok(receiver.got.some(({ body }) => body.includes(missed)));
  } finally {
    await watcher.close();
  }
});

test("429 is left alone as long as it asks", async () => {
  const hook = await hookOf(stack, receiver.url);
  receiver.say = () => [429, { "retry-after": "120" }];
  await tried(stack, hook);
  const [attempt] = await until("the attempt", async () => (await attemptsOf(stack, hook)).length > 0 && attemptsOf(stack, hook));
  const pause = Date.parse(attempt.nextAttemptAt) - Date.parse(attempt.at);
  assert.equal(pause, 120_000);
  await answered(await asked(stack, hook, "POST", "/disable"), 200);
});

test("a receiver that breaks off, and one that is not there, are failures that say so in a word", async () => {
  const gone = await Receiver.open();
  const hook = await hookOf(stack, gone.url);
  gone.say = () => undefined;
  await tried(stack, hook);
  await until("the first", async () => (await attemptsOf(stack, hook)).length === 1);
  await gone.close();
  await tried(stack, hook);
  await until("the second", async () => (await attemptsOf(stack, hook)).length === 2);
  for (const attempt of await attemptsOf(stack, hook)) {
    assert.deepEqual([attempt.status, attempt.error, attempt.succeeded], [null, "unreachable", false]);
  }
});

test("one that hangs is given up after 20 seconds, and holds up nobody else", async () => {
  const hung = await Receiver.open();
  try {
    const slow = await hookOf(stack, hung.url);
    const quick = await hookOf(stack, receiver.url, { tenant: slow.tenant });
    hung.say = () => new Promise(() => {});
    const began = Date.now();
    await registered(stack, slow.tenant);
    await hung.has(1);
    await receiver.has(1);
    assert.ok(Date.now() - began < 5_000);
    await tried(stack, slow);
    await hung.has(2);
    const [attempt] = await until("it to be given up", async () => (await attemptsOf(stack, slow)).length > 0 && attemptsOf(stack, slow), 30_000);
    assert.deepEqual([attempt.error, attempt.status], ["timeout", null]);
    assert.ok(attempt.durationMs >= 19_000 && attempt.durationMs < 25_000, `${attempt.durationMs}`);
    assert.equal((await hookNow(stack, quick)).status, "enabled");
  } finally {
    await hung.close();
  }
});

test("a message is sent once more when it is asked for, under its own id", async () => {
  const hook = await hookOf(stack, receiver.url);
  const message = await tried(stack, hook);
  await receiver.has(1);
  await until("it to be delivered", async () => (await attemptsOf(stack, hook))[0]?.messageStatus === "delivered");
  const { message: resent } = await answered(await asked(stack, hook, "POST", `/messages/${message}/resend`), 202);
  assert.equal(resent, message);
  assert.equal((await receiver.has(2)).headers["webhook-id"], message);
  const unknown = `msg_${"a".repeat(26)}`;
  await assertProblem(await asked(stack, hook, "POST", `/messages/${unknown}/resend`), 404, "unknown_message");
});

test("a creation that is repeated under its key is one endpoint, with the same secret", async () => {
  const tenant = await tenantOf(stack);
  const [body, key] = [{ url: receiver.url, eventTypes: ["*"] }, { "idempotency-key": randomUUID() }];
  const first = await answered(await keyed(stack, tenant, "POST", "/v1/webhooks", body, key), 201);
  const again = await keyed(stack, tenant, "POST", "/v1/webhooks", body, key);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  const { webhook, secret } = await answered(again, 200);
  assert.deepEqual([webhook.id, secret], [first.webhook.id, first.secret]);
  const other = { ...body, url: `${receiver.url}/other` };
  await assertProblem(await keyed(stack, tenant, "POST", "/v1/webhooks", other, key), 422, "idempotency_key_reused");
  const { webhooks } = await answered(await keyed(stack, tenant, "GET", "/v1/webhooks"), 200);
  assert.deepEqual(webhooks.map(({ id }) => id), [webhook.id]);
  assert.ok(!JSON.stringify(webhooks).includes("whsec_"), "lists show no secret");
});

test("what is changed counts from the next message on, and what is deleted is gone", async () => {
  const other = await Receiver.open();
  try {
    const hook = await hookOf(stack, receiver.url);
    const changed = { url: other.url, eventTypes: ["service.disabled"], description: "the new one" };
    const now = await answered(await asked(stack, hook, "PATCH", "", changed), 200);
    assert.deepEqual([now.url, now.eventTypes, now.description], [other.url, ["service.disabled"], "the new one"]);
    const serviceId = await registered(stack, hook.tenant);
    await answered(await keyed(stack, hook.tenant, "POST", `/v1/services/${serviceId}/disable`), 200);
    const got = await other.has(1);
    assert.equal(read(stack, hook.secret, got).type, "service.disabled");
    assert.equal((await answered(await asked(stack, hook, "PATCH", "", { description: null }), 200)).description, null);
    assert.equal((await asked(stack, hook, "DELETE")).status, 204);
    await registered(stack, hook.tenant);
    for (const [method, path] of [["GET", ""], ["DELETE", ""], ["POST", "/test"], ["POST", "/rotate"], ["GET", "/attempts"]]) {
      const answer = await asked(stack, hook, method, path);
      assert.equal(answer.status, 404, `${method} ${path}`);
    }
    assert.deepEqual([receiver.got.length, other.got.length], [0, 1]);
  } finally {
    await other.close();
  }
});
