// The facilitator Worker alone, asked by the official client library: what it answers is read, and one
// authorization settles once, however it is asked and however the answer is lost.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { x402Client } from "@x402/core/client";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, readWorker } from "../harness.mjs";

const WORKERS = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), "workers");
const PATIENCE_MS = 1000;

const REQUIREMENTS = {
  scheme: "exact",
  network: "eip155:84532",
  amount: "10000",
  asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  payTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
  maxTimeoutSeconds: 300,
  extra: { name: "USDC", version: "2" },
};

const account = privateKeyToAccount(generatePrivateKey());
const buyer = new x402Client();
buyer.register(REQUIREMENTS.network, new ExactEvmScheme(account));

/** A seller's client. With a header, every request of the seller carries its key under that name. */
function seller(header) {
  const headers = header === undefined ? {} : { [header]: "seller-1" };
  const createAuthHeaders = async () => ({ supported: {}, verify: headers, settle: headers });
  return new HTTPFacilitatorClient({ url: worker.url, timeoutMs: PATIENCE_MS, createAuthHeaders });
}

let storage;
let worker;
let facilitator;
let lines;

/** Starts the built Worker on `storage`, with `vars` over those of its wrangler.toml. */
async function start(vars = {}) {
  const folder = join(WORKERS, "facilitator");
  const { workerOptions, main } = readWorker(join(folder, "wrangler.toml"), undefined, { envFiles: [] });
  lines = [];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...workerOptions,
      bindings: { ...workerOptions.bindings, ...vars },
      modulesRoot: WORKERS,
      modules: [
        { type: "ESModule", path: main },
        { type: "ESModule", path: join(WORKERS, "panic_guard.js") },
        { type: "ESModule", path: join(folder, "build/index.js") },
        { type: "CompiledWasm", path: join(folder, "build/index_bg.wasm") },
      ],
      resourcePersistencePath: storage,
      handleStructuredLogs: (line) => lines.push(line.message),
      log: new Log(LogLevel.NONE),
      telemetry: { enabled: false },
      cf: false,
    }),
  );
  const url = (await miniflare.ready).origin;
  return { url, stop: () => miniflare.dispose() };
}

async function pay(requirements = REQUIREMENTS) {
  const resource = { url: "http://127.0.0.1/v1/gigs/create" };
  return buyer.createPaymentPayload({ x402Version: 2, resource, accepts: [requirements] });
}

async function set(mode) {
  const answer = await fetch(`${worker.url}/simulator`, { method: "PUT", body: JSON.stringify({ mode }) });
  assert.equal(answer.status, 200);
}

async function settlements() {
  return (await (await fetch(`${worker.url}/simulator`)).json()).settlements;
}

before(async () => {
  storage = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "guildhall-facilitator-"));
  worker = await start();
  facilitator = seller("Idempotency-Key");
});

beforeEach(() => set("settle"));

after(async () => {
  await worker?.stop();
  rmSync(storage, { recursive: true, force: true });
});

test("it says what it supports", async () => {
  const { kinds } = await facilitator.getSupported();
  assert.deepEqual(kinds.map(({ scheme, network }) => [scheme, network]), [["exact", "eip155:84532"]]);
});

test("F1 F2: ten settlements of one authorization at once are one, and the seller with the key gets all its answers", async () => {
  const payment = await pay();
  assert.equal((await facilitator.verify(payment, REQUIREMENTS)).isValid, true);
  const already = await settlements();
  const asked = Array.from({ length: 10 }, () => facilitator.settle(payment, REQUIREMENTS));
  const answers = await Promise.all(asked);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.equal(answers[0].success, true);
  assert.equal(answers[0].payer, account.address);
  assert.match(answers[0].transaction, /^0x[0-9a-f]{64}$/);
  assert.deepEqual(answers[0].extra, { simulated: true });
  assert.equal(await settlements(), already + 1);
  const verified = await facilitator.verify(payment, REQUIREMENTS);
  assert.equal(verified.invalidReason, "invalid_exact_evm_nonce_already_used");
});

test("F5: a seller without a key hears of a settlement once, one with another key never, and both learn the transaction", async () => {
  const payment = await pay();
  const already = await settlements();
  const anonymous = seller();
  const answers = await Promise.all(Array.from({ length: 10 }, () => anonymous.settle(payment, REQUIREMENTS)));
  const [told, ...rest] = answers.toSorted((a, b) => Number(b.success) - Number(a.success));
  assert.equal(told.success, true);
  for (const answer of [...rest, await facilitator.settle(payment, REQUIREMENTS)]) {
    assert.deepEqual([answer.success, answer.errorReason], [false, "duplicate_settlement"]);
    assert.equal(answer.transaction, told.transaction);
  }
  const keyed = await pay();
  assert.equal((await facilitator.settle(keyed, REQUIREMENTS)).success, true);
  assert.equal((await anonymous.settle(keyed, REQUIREMENTS)).errorReason, "duplicate_settlement");
  assert.equal((await facilitator.settle(keyed, REQUIREMENTS)).success, true);
  assert.equal(await settlements(), already + 2);
});

test("a transaction that fails after it was pending is a refusal that names it, and stays one", async () => {
  await set("revert");
  const payment = await pay();
  const pending = await facilitator.settle(payment, REQUIREMENTS);
  assert.equal(pending.errorReason, "settlement_pending");
  for (const mode of ["revert", "settle"]) {
    await set(mode);
    const failed = await facilitator.settle(payment, REQUIREMENTS);
    assert.deepEqual([failed.success, failed.errorReason], [false, "invalid_exact_evm_transaction_failed"]);
    assert.equal(failed.transaction, pending.transaction);
  }
});

test("F3: a settled nonce does not pay on other terms", async () => {
  const payment = await pay();
  assert.equal((await facilitator.settle(payment, REQUIREMENTS)).success, true);
  const dearer = { ...REQUIREMENTS, amount: "20000" };
  const answer = await facilitator.settle({ ...payment, accepted: dearer }, dearer);
  assert.equal(answer.success, false);
  assert.equal(answer.errorReason, "invalid_exact_evm_payload_authorization_value_mismatch");
});

test("what was edited after signing is refused", async () => {
  const payment = await pay();
  payment.payload.authorization.value = "1";
  const answer = await facilitator.settle(payment, REQUIREMENTS);
  assert.equal(answer.errorReason, "invalid_exact_evm_signature");
  assert.equal(answer.transaction, "");
  const verified = await facilitator.verify(payment, REQUIREMENTS);
  assert.equal(verified.invalidReason, "invalid_exact_evm_signature");
});

test("a refused payment may be settled later", async () => {
  await set("refuse");
  const payment = await pay();
  assert.equal((await facilitator.settle(payment, REQUIREMENTS)).errorReason, "insufficient_funds");
  await set("settle");
  assert.equal((await facilitator.settle(payment, REQUIREMENTS)).success, true);
});

test("a pending payment names its transaction, and lands under the same hash", async () => {
  await set("pending");
  const payment = await pay();
  const pending = await facilitator.settle(payment, REQUIREMENTS);
  assert.equal(pending.errorReason, "settlement_pending");
  assert.match(pending.transaction, /^0x[0-9a-f]{64}$/);
  await set("settle");
  const settled = await facilitator.settle(payment, REQUIREMENTS);
  assert.equal(settled.success, true);
  assert.equal(settled.transaction, pending.transaction);
});

for (const [mode, moved] of [["garbage", 1], ["error", 1], ["lost", 0], ["hang", 0], ["delay:1500", 1]]) {
  test(`an answer lost to ${mode} is found by asking again, and nothing is paid twice`, async () => {
    await set(mode);
    const payment = await pay();
    const already = await settlements();
    await assert.rejects(facilitator.settle(payment, REQUIREMENTS));
    assert.equal(await settlements(), already + moved);
    await set("settle");
    assert.equal((await facilitator.settle(payment, REQUIREMENTS)).success, true);
    assert.equal(await settlements(), already + 1);
  });
}

test("F4: nonsense is answered in the protocol's words, everything else with a problem", async () => {
  const ask = async (method, path, body) => {
    const answer = await fetch(worker.url + path, { method, body, headers: { "x-correlation-id": "test-1" } });
    assert.equal(answer.headers.get("x-correlation-id"), "test-1");
    return { status: answer.status, ...(await answer.json()) };
  };
  for (const body of ["", "nonsense", "{}", "[]", '{"x402Version":2}', "\xff"]) {
    const settled = await ask("POST", "/settle", body);
    assert.deepEqual([settled.status, settled.success, settled.transaction], [400, false, ""]);
    assert.equal(settled.errorReason, "invalid_payload");
    assert.equal(settled.network, "eip155:84532");
    const verified = await ask("POST", "/verify", body);
    assert.deepEqual([verified.status, verified.isValid, verified.invalidReason], [400, false, "invalid_payload"]);
  }
  const problems = [
    ["GET", "/settle", undefined, 405, "method_not_allowed"],
    ["POST", "/settle/", "{}", 404, "not_found"],
    ["POST", "//settle", "{}", 404, "not_found"],
    ["POST", "/settle", "x".repeat(64 * 1024 + 1), 413, "body_too_large"],
    ["PUT", "/simulator", '{"mode":"nice"}', 400, "invalid_body"],
    ["PUT", "/simulator", '{"mode":"settle","more":1}', 400, "invalid_body"],
  ];
  for (const [method, path, body, status, code] of problems) {
    const problem = await ask(method, path, body);
    assert.deepEqual([problem.status, problem.code, problem.requestId], [status, code, "test-1"], `${method} ${path}`);
  }
});

test("S4: a settlement is one log line, without payload and signature", async () => {
  const payment = await pay();
  lines.length = 0;
  await facilitator.settle(payment, REQUIREMENTS);
  const settled = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "settle");
  assert.equal(settled.length, 1);
  assert.equal(settled[0].outcome, "settled");
  const { authorization, signature } = payment.payload;
  for (const secret of [signature, authorization.nonce, authorization.from]) {
    assert.ok(!lines.join().toLowerCase().includes(secret.slice(2).toLowerCase()));
  }
});

test("what was settled stays settled over a restart; in production nothing is served", async () => {
  const payment = await pay();
  const settled = await facilitator.settle(payment, REQUIREMENTS);
  await worker.stop();

  worker = await start({ ENVIRONMENT: "production" });
  for (const [method, path] of [["POST", "/settle"], ["POST", "/verify"], ["POST", "/signatures"], ["GET", "/supported"], ["GET", "/health"], ["GET", "/simulator"], ["PUT", "/simulator"], ["GET", "/"]]) {
    const answer = await fetch(worker.url + path, { method, body: method === "GET" ? undefined : "{}" });
    assert.equal(answer.status, 503, path);
    const problem = await answer.json();
    assert.equal(problem.code, "misconfigured");
    assert.match(problem.detail, /SETTLE_ON must be `chain`/);
  }
  await worker.stop();

  worker = await start();
  facilitator = seller("Idempotency-Key");
  assert.deepEqual(await facilitator.settle(payment, REQUIREMENTS), settled);
});
