// What webhooks refuse: addresses that lead inside, by their text when they are given and by what their names stand for when
// they are called; bodies that are not right; and everybody else's endpoints.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { keyed, tenantOf } from "./support/bills.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { until } from "./support/waiting.mjs";
import { Receiver, asked, attemptsOf, hookNow, hookOf, registered, tried, webhookVars } from "./support/webhook.mjs";

let stack;
let resolver;
let receiver;
let tenant;
/** What the resolver answers: a function of name and type to addresses, `undefined` to break off, or text as it is. */
let stands = () => [];
const questions = [];

before(async () => {
  resolver = createServer((request, response) => {
    const { searchParams } = new URL(request.url, "http://resolver");
    const [name, type] = ["name", "type"].map((field) => searchParams.get(field));
    questions.push({ name, type, accept: request.headers.accept });
    const said = stands(name, type);
    if (said === undefined) return response.destroy();
    const records = Array.isArray(said) && said.map((data) => ({ name, type: type === "A" ? 1 : 28, TTL: 60, data }));
    response.writeHead(200, { "content-type": "application/dns-json" });
    return response.end(records ? JSON.stringify({ Status: 0, Answer: records }) : said);
  });
  await new Promise((opened) => resolver.listen(0, "127.0.0.1", opened));
  const doh = `http://127.0.0.1:${resolver.address().port}/dns-query`;
  [stack, receiver] = await Promise.all([start(webhookVars({ DOH_URL: doh })), Receiver.open()]);
  tenant = await tenantOf(stack);
});
after(async () => {
  await stack?.stop();
  await receiver?.close();
  resolver?.closeAllConnections();
  resolver?.close();
});

const create = (body) => keyed(stack, tenant, "POST", "/v1/webhooks", body);

test("addresses that lead inside are refused when they are given, and say why", async () => {
  const { port } = new URL(receiver.url);
  for (const url of [
    "http://example.com/", "https://127.0.0.2/", "https://127.1/", "https://2130706434/", "https://0x7f000002/",
    "https://0177.0.0.2/", "https://[::1]/", "https://[::ffff:7f00:1]/", "https://169.254.169.254/latest/meta-data",
    "https://localhost/", "https://a.localhost/", "https://metadata.google.internal/", "https://user:pass@example.com/",
    "https://example.com:8443/", "https://example.com@127.0.0.1/", "https://example/", "https://example.com./",
    "https://exa mple.com/", "https://example.com\\@127.0.0.1/", "https://127。0。0。2/", "file:///etc/passwd", "",
    `http://127.0.0.2:${port}/`, `http://127.1:${port}/`, `http://localhost:${port}/`,
  ]) {
    const problem = await assertProblem(await create({ url, eventTypes: ["*"] }), 400, "invalid_body");
    assert.deepEqual(problem.errors.map(({ field }) => field), ["url"], url);
  }
  const hook = await hookOf(stack, receiver.url, { tenant });
  const moved = await assertProblem(await asked(stack, hook, "PATCH", "", { url: "https://10.0.0.1/" }), 400, "invalid_body");
  assert.equal(moved.errors[0].field, "url");
  assert.equal((await hookNow(stack, hook)).url, receiver.url);
});

test("a name that stands for an address inside is not called, whatever it stood for before", async () => {
  const hook = await hookOf(stack, "https://hooks.guildhall.example/", { tenant });
  const cases = [
    [() => ["127.0.0.1"], "address_not_public"],
    [(_, type) => (type === "A" ? ["1.1.1.1"] : ["::ffff:127.0.0.1"]), "address_not_public"],
    [(_, type) => (type === "A" ? ["1.1.1.1", "10.0.0.1"] : []), "address_not_public"],
    [(_, type) => (type === "A" ? ["169.254.169.254"] : []), "address_not_public"],
    [(_, type) => (type === "A" ? [] : ["fd00:ec2::254"]), "address_not_public"],
    [() => [], "name_not_found"],
    [() => '{"Status":3}', "name_not_found"],
    [() => '{"Status":2}', "name_not_resolved"],
    [() => "nonsense", "name_not_resolved"],
    [() => undefined, "name_not_resolved"],
  ];
  for (const [index, [answer, error]] of cases.entries()) {
    stands = answer;
    await tried(stack, hook);
    const attempts = await until("the attempt", async () => {
      const all = await attemptsOf(stack, hook);
      return all.length > index && all;
    });
    assert.deepEqual([attempts[0].error, attempts[0].status, attempts[0].succeeded], [error, null, false], `case ${index}`);
  }
  assert.ok(questions.every(({ name, accept }) => name === "hooks.guildhall.example" && accept === "application/dns-json"));
  assert.deepEqual([...new Set(questions.map(({ type }) => type))].sort(), ["A", "AAAA"]);
  await answered(await asked(stack, hook, "POST", "/disable"), 200);
});

test("every fault of a body is named, and nothing is made of it", async () => {
  const good = { url: receiver.url, eventTypes: ["usage.*"] };
  for (const [body, ...fields] of [
    [{}, "url"],
    [{ ...good, eventTypes: [] }, "eventTypes"],
    [{ ...good, eventTypes: ["usage.*", "nothing.known"] }, "eventTypes[1]"],
    [{ ...good, eventTypes: ["usage recorded"] }, "eventTypes[0]"],
    [{ ...good, eventTypes: "usage.*" }, "eventTypes"],
    [{ ...good, eventTypes: Array.from({ length: 21 }, () => "*") }, "eventTypes"],
    [{ ...good, description: "" }, "description"],
    [{ ...good, description: "x".repeat(121) }, "description"],
    [{ ...good, secret: "whsec_mine" }, "secret"],
    [{ ...good, url: 7 }, "url"],
    [{ url: "https://10.0.0.1/", eventTypes: ["x.y"], description: " x" }, "url", "eventTypes[0]", "description"],
  ]) {
    const problem = await assertProblem(await create(body), 400, "invalid_body");
    assert.deepEqual(problem.errors.map(({ field }) => field), fields, JSON.stringify(body));
  }
  const hook = await hookOf(stack, receiver.url, { tenant });
  for (const [method, path, body, field] of [
    ["POST", "/rotate", { overlapSeconds: 86_401 }, "overlapSeconds"],
    ["POST", "/rotate", { overlapSeconds: -1 }, "overlapSeconds"],
    ["POST", "/recover", {}, "since"],
    ["POST", "/recover", { since: "yesterday" }, "since"],
    ["POST", "/test", { loud: true }, "loud"],
    ["PATCH", "", { tenant: "x" }, "tenant"],
    ["GET", "/attempts?limit=0", undefined, "limit"],
    ["GET", "/attempts?cursor=!", undefined, "cursor"],
    ["GET", "/attempts?page=2", undefined, "page"],
    ["GET", "?verbose=1", undefined, "verbose"],
  ]) {
    const problem = await assertProblem(await asked(stack, hook, method, path, body), 400, "invalid_body");
    assert.deepEqual(problem.errors.map((error) => error.field), [field], `${method} ${path}`);
  }
});

test("another tenant's endpoint looks like one that is not there", async () => {
  const hook = await hookOf(stack, receiver.url, { tenant });
  const stranger = { tenant: await tenantOf(stack), id: hook.id };
  const nobody = { tenant, id: `whe_${"a".repeat(26)}` };
  for (const [method, path, body] of [
    ["GET", ""], ["PATCH", "", { description: "mine" }], ["DELETE", ""], ["POST", "/test"], ["POST", "/rotate"], ["POST", "/enable"],
    ["POST", "/disable"], ["GET", "/attempts"], ["POST", `/messages/msg_${"a".repeat(26)}/resend`],
    ["POST", "/recover", { since: new Date().toISOString() }],
  ]) {
    const answers = [];
    for (const one of [stranger, nobody]) {
      const { requestId, ...problem } = await assertProblem(await asked(stack, one, method, path, body), 404, "unknown_webhook");
      answers.push(problem);
    }
    assert.deepEqual(answers[0], answers[1], `${method} ${path}`);
  }
  assert.equal((await hookNow(stack, hook)).status, "enabled");
  assert.deepEqual((await answered(await keyed(stack, stranger.tenant, "GET", "/v1/webhooks"), 200)).webhooks, []);
  receiver.got = [];
  await registered(stack, stranger.tenant);
  await registered(stack, tenant);
  await until("the message", () => receiver.got.length > 0);
});

test("the types of events are listed for anyone, and each can be followed", async () => {
  const { eventTypes } = await answered(await stack.fetch("/v1/webhooks/event-types"), 200);
  const types = eventTypes.map(({ type }) => type);
  assert.deepEqual(types, [...types].sort());
  assert.ok(["usage.recorded", "usage.settled", "webhook.test", "endpoint.disabled"].every((type) => types.includes(type)));
  for (const type of types.slice(0, 3)) await hookOf(stack, receiver.url, { tenant: await tenantOf(stack), eventTypes: [type] });
});
