// A panic is never silence: who was waiting hears of it within a second, everybody else is served,
// and nothing that was recorded is lost.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { start } from "../harness.mjs";

const SOON_MS = 1000;

let stack;
let pay;

before(async () => {
  stack = await start({ edgeVars: { TEST_HOOKS: "enabled" } });
  const account = privateKeyToAccount(generatePrivateKey());
  pay = wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: "eip155:84532", client: new ExactEvmScheme(account) }],
  });
});

after(() => stack?.stop());

function delegation(messageId) {
  const payload = {
    title: "Count the words",
    description: "Count the words of a text that comes through the tunnel",
    task_type: "computation",
    task_params: { language: "en" },
    bounty_sats: 1000,
    ttl_minutes: 10,
  };
  return { message_id: messageId, sender: "buyer-agent", type: "TaskDelegation", payload };
}

function post(messageId) {
  return pay(new URL("/v1/gigs/create", stack.url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(delegation(messageId)),
  });
}

async function postedGig() {
  const answer = await post(randomUUID());
  assert.equal(answer.status, 201, await answer.clone().text());
  return (await answer.json()).gig.gig_id;
}

async function timed(call) {
  const start = performance.now();
  const answer = await call;
  return { answer, elapsed: performance.now() - start };
}

async function assertToldToAskAgain({ answer, elapsed }) {
  assert.ok(elapsed < SOON_MS, `answered after ${elapsed} ms`);
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  assert.equal(answer.headers.get("x-correlation-id"), "panic-1");
  const problem = await answer.json();
  assert.equal(problem.code, "restarting");
  assert.equal(problem.retryable, true);
  assert.equal(problem.requestId, "panic-1");
}

function panic(where) {
  return timed(stack.fetch(`/__test/panic${where}`, { method: "POST", headers: { "x-correlation-id": "panic-1" } }));
}

test("a panic inside an object: its caller is told at once, reads beside it are answered, its state is whole", async () => {
  const [victim, bystander] = [await postedGig(), await postedGig()];
  const status = async (gig) => (await stack.fetch(`/v1/gigs/${gig}/status`)).json();
  const known = await status(victim);

  const fault = panic(`/${victim}`);
  const reads = Array.from({ length: 20 }, (_, index) =>
    timed(stack.fetch(index % 2 ? "/v1/gigs/discover" : `/v1/gigs/${bystander}/status`)),
  );

  await assertToldToAskAgain(await fault);
  for (const { answer, elapsed } of await Promise.all(reads)) {
    assert.equal(answer.status, 200);
    assert.ok(elapsed < SOON_MS, `answered after ${elapsed} ms`);
  }
  assert.deepEqual(await status(victim), known);
});

test("a panic in the front: the same", async () => {
  const gig = await postedGig();
  const fault = panic("");
  const read = timed(stack.fetch(`/v1/gigs/${gig}/status`));
  await assertToldToAskAgain(await fault);
  assert.equal((await read).answer.status, 200);
});

test("a purchase that a panic interrupts is one gig and one charge, however often it is sent again", async () => {
  const victim = await postedGig();
  const { settlements } = await stack.simulator();
  const messageId = randomUUID();
  const first = post(messageId);
  await panic(`/${victim}`);
  await first.catch(() => undefined);

  let answer = await post(messageId);
  for (let tries = 0; answer.status !== 201 && tries < 10; tries += 1) {
    assert.ok([402, 409, 503].includes(answer.status), `unexpected ${answer.status}: ${await answer.text()}`);
    answer = await post(messageId);
  }
  assert.equal(answer.status, 201);
  const again = await post(messageId);
  assert.equal((await answer.json()).gig.gig_id, (await again.json()).gig.gig_id);
  assert.equal((await stack.simulator()).settlements, settlements + 1);
});

test("the log says how many calls failed with it", () => {
  const restarts = stack.events().filter(({ event }) => event === "restarting");
  assert.ok(restarts.length >= 3, JSON.stringify(restarts));
  assert.ok(restarts.every(({ calls_failed }) => calls_failed >= 1));
});

test("without the test hooks the path does not exist", async () => {
  const plain = await start();
  try {
    assert.equal((await plain.fetch("/__test/panic", { method: "POST" })).status, 404);
  } finally {
    await plain.stop();
  }
});
