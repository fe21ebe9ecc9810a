// Mandates comes to a chain once, however often and wherever a deployment is interrupted, and its manifest says what is
// there.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createPublicClient, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { deploy, verify } from "../../contracts/deploy/deployment.mjs";
import { CALLDATA, DOMAIN, FACTORY, FACTORY_CODE } from "../../contracts/deploy/mandates.mjs";
import { memory } from "../../contracts/deploy/shelf.mjs";
import { CHAIN_ID, developmentAccount, MANDATES, startChain } from "../chain.mjs";
import { RpcProxy } from "./support/rpc.mjs";
import { until } from "./support/waiting.mjs";

const SCRIPT = fileURLToPath(new URL("../../contracts/deploy/main.mjs", import.meta.url));
const { domain } = JSON.parse(readFileSync(new URL("../vectors/mandates.json", import.meta.url), "utf8"));
const MANIFEST = `${CHAIN_ID}-${MANDATES}.json`;
const SENT = `${CHAIN_ID}-${MANDATES}.sent.json`;
const KEY = generatePrivateKey();
const DEPLOYER = privateKeyToAccount(KEY);

let chain;
let proxy;
let folder;
before(async () => {
  chain = await startChain();
  proxy = await RpcProxy.open(chain.url);
  folder = mkdtempSync(join(tmpdir(), "guildhall-deployment-"));
});
after(async () => {
  await proxy?.stop();
  await chain?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// A chain on which nothing was ever deployed but the factory.
beforeEach(async () => {
  proxy.heal();
  proxy.asked.length = 0;
  await chain.rpc("anvil_reset");
  await chain.rpc("evm_setAutomine", [true]);
  await chain.rpc("anvil_setCode", [FACTORY, FACTORY_CODE]);
  await chain.rpc("anvil_setBalance", [DEPLOYER.address, "0xde0b6b3a7640000"]);
});

function clientOf(url) {
  return createPublicClient({ transport: http(url, { retryCount: 0 }) });
}

function run(shelf, { url = chain.url, confirmation = "included", patienceMs = 8000 } = {}) {
  return deploy({ client: clientOf(url), account: DEPLOYER, shelf, confirmation, patienceMs });
}

/** Runs `cargo xtask deploy`'s script, and returns what it says and how it ends. */
function command(environment, ...args) {
  return new Promise((resolve) => {
    const options = { env: { RPC_URL: proxy.url, DEPLOYER_KEY: KEY, ...environment } };
    execFile(process.execPath, [SCRIPT, "--folder", folder, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
}

const nonce = async () => Number(await chain.rpc("eth_getTransactionCount", [DEPLOYER.address, "latest"]));
const isThere = async () => (await chain.rpc("eth_getCode", [MANDATES, "latest"])) !== "0x";

test("the domain is that of the vectors", () => {
  assert.deepEqual(DOMAIN, { name: domain.name, version: domain.version });
});

test("a second run finds what the first one did, with or without its manifest", async () => {
  const shelf = memory();
  const first = await run(shelf);
  assert.equal(first.isNew, true);
  assert.equal(first.manifest.deployer, DEPLOYER.address);
  assert.deepEqual(shelf.read(MANIFEST), first.manifest);
  assert.equal(shelf.read(SENT), undefined);
  await chain.rpc("anvil_mine", ["0x7"]);
  for (const again of [shelf, memory()]) {
    assert.deepEqual(await run(again), { ...first, isNew: false });
    assert.deepEqual(again.read(MANIFEST), first.manifest);
  }
  assert.equal(await nonce(), 1);
  await verify(clientOf(chain.url), first.manifest);
});

test("what somebody else deployed is taken as it is", async () => {
  const other = developmentAccount(5).address;
  await chain.send({ from: other, to: FACTORY, data: CALLDATA });
  const { manifest, isNew } = await run(memory());
  assert.equal(isNew, false);
  assert.equal(manifest.deployer, other);
  assert.equal(await nonce(), 0);
});

test("a race that somebody else wins ends well", async () => {
  await chain.rpc("evm_setAutomine", [false]);
  const deploying = run(memory());
  await until("the transaction waits", async () => Object.keys((await chain.rpc("txpool_content")).pending).length > 0);
  const [{ hash }] = Object.values(Object.values((await chain.rpc("txpool_content")).pending)[0]);
  const raw = await chain.rpc("eth_getRawTransactionByHash", [hash]);
  await chain.rpc("anvil_dropTransaction", [hash]);
  const winner = { from: developmentAccount(5).address, to: FACTORY, data: CALLDATA, gas: "0x989680" };
  await chain.rpc("eth_sendTransaction", [winner]);
  await chain.rpc("evm_mine");
  await chain.rpc("eth_sendRawTransaction", [raw]);
  await chain.rpc("evm_mine");
  assert.equal((await deploying).manifest.deployer, developmentAccount(5).address);
  assert.equal(await nonce(), 1);
});

test("a transaction that the node never heard of is sent again as it was", async () => {
  const shelf = memory();
  proxy.drop("eth_sendRawTransaction");
  await assert.rejects(run(shelf, { url: proxy.url }), /HTTP request failed/);
  const { transaction } = shelf.read(SENT);
  assert.equal(await isThere(), false);
  // Another fee would make another transaction.
  await chain.rpc("anvil_mine", ["0x5"]);
  assert.equal((await run(shelf)).manifest.transaction, transaction);
});

test("a transaction whose answer was lost is not sent as another", async () => {
  const shelf = memory();
  proxy.deafen("eth_sendRawTransaction");
  proxy.drop("eth_getTransactionByHash");
  await assert.rejects(run(shelf, { url: proxy.url }));
  const { transaction } = shelf.read(SENT);
  assert.equal(await isThere(), true);
  const { manifest, isNew } = await run(shelf);
  assert.deepEqual([manifest.transaction, isNew], [transaction, false]);
  assert.equal(await nonce(), 1);
});

test("a transaction that waits is waited for again", async () => {
  const shelf = memory();
  await chain.rpc("evm_setAutomine", [false]);
  await assert.rejects(run(shelf, { patienceMs: 0 }), /is in no block yet.*nonce 0 of 0x/);
  await assert.rejects(run(memory()), /has 1 transactions that wait/);
  const { transaction } = shelf.read(SENT);
  const again = run(shelf, { url: proxy.url });
  await until("it is waited for", async () => proxy.count("eth_getTransactionReceipt") > 2);
  await chain.rpc("evm_mine");
  assert.equal((await again).manifest.transaction, transaction);
  assert.equal(await nonce(), 1);
});

test("a kept transaction whose nonce is used up is signed anew", async () => {
  const shelf = memory();
  proxy.drop("eth_sendRawTransaction");
  await assert.rejects(run(shelf, { url: proxy.url }));
  const { transaction } = shelf.read(SENT);
  const call = { to: DEPLOYER.address, gas: 21_000n, nonce: 0, chainId: CHAIN_ID, maxFeePerGas: 10n ** 10n };
  const raw = await DEPLOYER.signTransaction({ type: "eip1559", ...call });
  await chain.rpc("eth_sendRawTransaction", [raw]);
  const { manifest } = await run(shelf);
  assert.notEqual(manifest.transaction, transaction);
  assert.equal(await nonce(), 2);
});

test("the manifest waits for a safe block", async () => {
  const shelf = memory();
  await assert.rejects(run(shelf, { confirmation: "safe", patienceMs: 0 }), /is not safe yet/);
  assert.equal(shelf.read(MANIFEST), undefined);
  const waiting = run(shelf, { confirmation: "safe" });
  await chain.rpc("anvil_mine", ["0x3"]);
  const { block } = (await waiting).manifest;
  assert.equal(block, shelf.read(MANIFEST).block);
  assert.ok(Number((await chain.rpc("eth_getBlockByNumber", ["safe", false])).number) >= block);
});

test("a chain without the factory, and a key without money, are refused before anything is sent", async () => {
  await chain.rpc("anvil_setBalance", [DEPLOYER.address, "0x1"]);
  await assert.rejects(run(memory()), /has 1 wei and may need \d+/);
  await chain.rpc("anvil_setCode", [FACTORY, "0x"]);
  await assert.rejects(run(memory()), /Chain 84532 has no deterministic deployment proxy/);
  assert.equal(await nonce(), 0);
});

test("the command, killed while it waits and run again, deploys once; its manifest verifies", async () => {
  await chain.rpc("evm_setAutomine", [false]);
  const environment = { RPC_URL: chain.url, DEPLOYER_KEY: KEY };
  const killed = spawn(process.execPath, [SCRIPT, "--folder", folder], { env: environment, stdio: "ignore" });
  const ended = new Promise((resolve) => killed.once("exit", resolve));
  await until("its transaction waits", async () => (await chain.rpc("txpool_status")).pending === "0x1", 15_000);
  killed.kill("SIGKILL");
  await ended;
  const { transaction } = JSON.parse(readFileSync(join(folder, SENT), "utf8"));
  await chain.rpc("evm_setAutomine", [true]);
  const again = await command();
  assert.deepEqual([again.code, await nonce()], [0, 1]);
  assert.match(again.said, /^Mandates is deployed (already )?at 0x\w{40} (on|since)/);
  assert.equal(JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")).transaction, transaction);
  assert.equal(existsSync(join(folder, SENT)), false);
  assert.match((await command()).said, /is deployed already/);
  const verified = await command({ DEPLOYER_KEY: "" }, "--verify", join(folder, MANIFEST));
  assert.deepEqual([verified.code, /is what .* says/.test(verified.said)], [0, true]);
  await chain.rpc("anvil_setCode", [MANDATES, "0x"]);
  const gone = await command({}, "--verify", join(folder, MANIFEST));
  assert.deepEqual([gone.code, /has no code on chain 84532/.test(gone.said)], [1, true]);
});

test("the command refuses what it was not given, and public keys on a chain that is not for development", async () => {
  const refused = async (environment, words) => {
    const { code, said } = await command(environment);
    assert.equal(code, 1);
    assert.match(said, words);
    return said;
  };
  await refused({ RPC_URL: "" }, /RPC_URL is not set/);
  await refused({ DEPLOYER_KEY: "" }, /DEPLOYER_KEY is not set/);
  const malformed = await refused({ DEPLOYER_KEY: `${KEY}00` }, /DEPLOYER_KEY must be a private key/);
  assert.ok(!malformed.includes(KEY.slice(2)));
  for (const url of ["http://127.0.0.1:1/secret", "secret"]) {
    assert.ok(!(await refused({ RPC_URL: url }, /HTTP request failed/)).includes("secret"));
  }
  const one = `0x${"1".padStart(64, "0")}`;
  const first = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
  await chain.rpc("anvil_setCode", [FACTORY, "0x"]);
  await refused({ DEPLOYER_KEY: first }, /has no deterministic deployment proxy/);
  proxy.invent("web3_clientVersion", () => "Geth/v1.16.7");
  for (const key of [one, first, `0x${"11".repeat(32)}`]) {
    await refused({ DEPLOYER_KEY: key }, /is the public development key of 0x\w{40}/);
  }
  assert.equal(await isThere(), false);
});
