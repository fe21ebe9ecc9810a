// The programs that the documents show run as they stand there, save for the addresses.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startChain } from "../chain.mjs";
import { start } from "../harness.mjs";
import { command, emptyFolder } from "./support/command.mjs";
import { fundRelayers, settings } from "./support/onchain.mjs";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
// Below the checkout, so that the programs find its packages.
const folder = emptyFolder("readme");

let chain;
let stack;
before(async () => {
  chain = await startChain();
  await fundRelayers(chain);
  stack = await start({ edgeVars: { FACILITATOR_MODE: "binding", FACILITATOR_TIMEOUT_MS: "20000" }, facilitatorVars: settings(chain) });
});
after(async () => {
  await stack?.stop();
  await chain?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the one JavaScript program of a document, with another address in the place of `address` and more at its end. */
async function run(document, address, url, more = "") {
  const programs = readFileSync(join(ROOT, document), "utf8").match(/(?<=```js\n)[^]*?(?=```)/g);
  assert.equal(programs?.length, 1, `${document} shows one program`);
  assert.ok(programs[0].includes(address));
  const path = join(folder, "program.mjs");
  writeFileSync(path, programs[0].replaceAll(address, url) + more);
  return (await promisify(execFile)(process.execPath, [path])).stdout;
}

test("README.md: a stock client pays for a gig", async () => {
  const said = await run("README.md", "http://127.0.0.1:8787", stack.url);
  assert.match(said, /^201 /);
  const { gigs } = await (await stack.fetch("/v1/gigs/discover")).json();
  assert.deepEqual(gigs.map(({ title }) => title), ["Summarise a page"]);
});

test("workers/facilitator/README.md: a stock seller starts with our facilitator", async () => {
  const more = "await server.initialize();\nconsole.log('started');\n";
  const said = await run("workers/facilitator/README.md", "https://facilitator.example", stack.facilitatorUrl, more);
  assert.match(said, /started/);
});

/** The one block of shell commands that says this, run with the `guildhall` command of this checkout. */
async function commands(says, env = {}) {
  const shells = readFileSync(join(ROOT, "README.md"), "utf8").match(/(?<=```sh\n)[^]*?(?=```)/g);
  const block = shells?.filter((shell) => shell.includes(says));
  assert.equal(block?.length, 1);
  const PATH = `${await command()}:${process.env.PATH}`;
  // Each in an empty folder of its own, as the document says.
  const options = { cwd: mkdtempSync(join(folder, "shell-")), env: { ...process.env, PATH, GUILDHALL_API: stack.url, ...env } };
  return promisify(execFile)("bash", ["-euc", block[0]], options);
}

test("README.md: the commands of the budget, with the `guildhall` command of this checkout", async () => {
  const { stdout, stderr } = await commands("guildhall mandate approvals");
  assert.match(stderr, /entry_payment_cap/);
  assert.match(stderr, /awaiting_approval/);
  assert.match(stderr, /settled/);
  assert.match(`${stdout}${stderr}`, /accept +owner +settled/);
  assert.match(`${stdout}${stderr}`, /submit +agent +escrowed/);
});

test("README.md: the commands of the purchase, likewise", async () => {
  const { stdout, stderr } = await commands("guildhall run start");
  const said = `${stdout}${stderr}`;
  assert.match(said, /coca cola 2l/);
  assert.match(said, /The shop has confirmed the order/);
  assert.match(said, /ORDER_CONFIRMED/);
  assert.match(said, /verified|intact|holds/i);
});

test("README.md: the commands of metering, likewise, down to two bills that are paid", async () => {
  const { stdout, stderr } = await commands("guildhall tenant open");
  assert.match(stderr, /It counts\. 130 of text\.translate are open for alice/);
  assert.match(stdout, /"status":"duplicate"/);
  // 100 pages at 100 and 30 at 50; then 40 at 100.
  assert.match(stderr, /amount +0\.0115 USDC/);
  assert.match(stderr, /amount +0\.004 USDC/);
  assert.match(stderr, /paid by +x402 payment/);
  assert.match(stderr, /paid by +mandate 0x/);
  assert.equal(stderr.match(/stands +verified/g)?.length >= 2, true, stderr);
  const bills = [...`${stdout}${stderr}`.matchAll(/^ +bill +(set_[a-z2-7]{52})$/gm)].map(([, bill]) => bill);
  assert.equal(new Set(bills).size, 2);
  for (const bill of new Set(bills)) {
    assert.equal((await (await stack.fetch(`/v1/settlements/${bill}`)).json()).status, "verified", bill);
  }
});
