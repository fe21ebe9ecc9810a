// What the board says about itself is there, can be read by programs, and is true.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem, postGig } from "./support/board.mjs";
import { Contract } from "./support/contract.mjs";
import { VARS, mandateOf, party, paymentAt } from "./support/mandate.mjs";

let stack;

before(async () => {
  stack = await start(VARS);
});

after(() => stack?.stop());

test("the agent card is an A2A 1.0 card with the members of contract 1.0, at both addresses", async () => {
  await postGig(stack);
  const card = await answered(await stack.fetch("/.well-known/agent-card.json"), 200);
  assert.deepEqual(await answered(await stack.fetch("/"), 200), card);
  assert.deepEqual(card.supportedInterfaces, [{ url: `${stack.url}/v1`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" }]);
  for (const member of ["name", "description", "version", "capabilities", "defaultInputModes", "defaultOutputModes"]) {
    assert.ok(card[member], member);
  }
  for (const skill of card.skills) assert.ok(skill.id && skill.name && skill.description && skill.tags.length > 0);
  assert.equal(card.active_tasks, 1);
  assert.equal(card.payment_requirements.amount, "10000");
  for (const [name, endpoint] of Object.entries(card.endpoints)) {
    for (const route of endpoint.split("; ")) {
      const [method, path] = route.split(" ");
      const id = path.startsWith("/v1/runs/") ? `run_${"a".repeat(26)}` : randomUUID();
      const answer = await stack.fetch(path.replace(":id", id), { method });
      assert.notEqual((await answer.json().catch(() => ({}))).code, "not_found", `${name}: ${route}`);
      assert.notEqual(answer.status, 405, `${name}: ${route}`);
    }
  }
});

test("a reader of Markdown is led to the instructions, which name this very host", async () => {
  for (const path of ["/", "/.well-known/agent-card.json"]) {
    const answer = await stack.fetch(path, { headers: { accept: "text/markdown, */*;q=0.1" } });
    assert.equal(answer.status, 307);
    assert.equal(answer.headers.get("location"), `${stack.url}/.well-known/llms.txt`);
  }
  const answer = await stack.fetch("/.well-known/llms.txt");
  assert.match(answer.headers.get("content-type"), /^text\/plain; charset=utf-8$/);
  const text = await answer.text();
  assert.ok(text.includes(`POST ${stack.url}/v1/gigs/create`));
  assert.ok(!text.includes("{origin}"));
  assert.equal(await (await stack.fetch("/v1/system/docs")).text(), text);
});

test("each operation of the OpenAPI document is served, and answers as it says", async () => {
  const contract = new Contract(await answered(await stack.fetch("/v1/openapi.json"), 200));
  const [owner, agent, provider] = [party(), party(), party()];
  const mandate = await mandateOf(stack, owner, agent);
  const { payment } = await paymentAt(stack, "escrowed", { owner, agent, provider, mandate });
  const parts = { id: (await postGig(stack)).id, mandate: mandate.mandate, reference: payment, agent: agent.address, draft: "dft_1" };
  const operations = contract.operations();
  for (const { path, method, operation } of operations) {
    const address = path.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
    const body = method === "get" ? undefined : "{}";
    const headers = { "content-type": "application/json" };
    await contract.answered(operation, await stack.fetch(address, { method: method.toUpperCase(), body, headers }));
  }
  assert.ok(operations.length > 80, `${operations.length} operations`);
});

test("every reference in the OpenAPI document leads somewhere", async () => {
  const document = await answered(await stack.fetch("/v1/openapi.json"), 200);
  const contract = new Contract(document);
  const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
  for (const [, reference] of references) assert.ok(contract.resolve({ $ref: reference }), reference);
});

test("documents answer HEAD as they answer GET, without the body", async () => {
  for (const path of ["/", "/health", "/v1/openapi.json", "/.well-known/llms.txt", "/v1/gigs/discover"]) {
    const answer = await stack.fetch(path, { method: "HEAD" });
    assert.deepEqual([answer.status, await answer.text()], [200, ""], path);
  }
});

test("health says ready, and which part is not when D1 is gone", async () => {
  const ready = await answered(await stack.fetch("/health"), 200);
  assert.deepEqual([ready.service, ready.status, ready.checks.d1], ["guildhall", "ready", "ready"]);
  assert.equal(ready.checks.facilitator, "simulator");
  await stack.d1("ALTER TABLE gigs RENAME TO gigs_away");
  try {
    const gone = await answered(await stack.fetch("/health"), 503);
    assert.deepEqual([gone.status, gone.checks.d1], ["not_ready", "failed"]);
    const card = await answered(await stack.fetch("/"), 200);
    assert.equal(card.active_tasks, 0, "a card is a card without a count");
  } finally {
    await stack.d1("ALTER TABLE gigs_away RENAME TO gigs");
  }
  assert.equal((await answered(await stack.fetch("/health"), 200)).status, "ready");
});

test("each answer carries a correlation id, the caller's when it is safe", async () => {
  const echoed = async (headers) => (await stack.fetch("/health", { headers })).headers.get("x-correlation-id");
  assert.equal(await echoed({ "x-correlation-id": "Run:7.a_b-c" }), "Run:7.a_b-c");
  assert.equal(await echoed({ "x-request-id": "req-1" }), "req-1");
  assert.equal(await echoed({ "x-correlation-id": "one", "x-request-id": "two" }), "one");
  for (const unsafe of ["a b", "<x>", "x".repeat(129), "ä"]) {
    assert.match(await echoed({ "x-correlation-id": unsafe }), /^[0-9a-f]{32}$/, unsafe);
  }
  const refused = await stack.fetch("/nowhere", { headers: { "x-correlation-id": "lost-1" } });
  assert.equal((await assertProblem(refused, 404, "not_found")).requestId, "lost-1");
});
