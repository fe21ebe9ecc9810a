// The reference agents that were published for the board's contract, run against this board as they are.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { start } from "../harness.mjs";
import { discover, row, status } from "./support/board.mjs";
import { until, within } from "./support/waiting.mjs";

const PUBLISHED = join(dirname(dirname(fileURLToPath(import.meta.url))), "agents/published");
/** The mnemonic that every EVM development chain publishes; it holds nothing. */
const MNEMONIC = "test test test test test test test test test test test junk";
/** The agents wait four seconds for a block and five for their work. */
const JOB_MS = 40_000;

let stack;
const running = [];

before(async () => {
  stack = await start();
});

after(async () => {
  running.forEach((agent) => agent.process.kill("SIGKILL"));
  await stack?.stop();
});

/** Starts one published script; `output` grows, `exit` resolves with its code. */
function run(script) {
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), join(PUBLISHED, "scripts", script)], {
    cwd: PUBLISHED,
    env: { PATH: process.env.PATH, API_URL: stack.url, WALLET_MNEMONIC: MNEMONIC },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const agent = { process: child, output: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (agent.output += text));
  agent.exit = new Promise((resolve) => child.on("exit", resolve));
  running.push(agent);
  return agent;
}

test("buyer and worker, unmodified: posted, paid, discovered, claimed, delivered, accepted, CLOSED", async () => {
  const buyer = run("buyer-agent.ts");
  const gig = await until("the buyer's gig", async () => (await discover(stack)).gigs[0], JOB_MS).catch((error) =>
    assert.fail(`${error.message}\n${buyer.output}`),
  );
  assert.equal(gig.title, "Analyze Market Data");
  const worker = run("worker-agent.ts");
  const code = await within("the buyer's end", buyer.exit, JOB_MS).catch((error) =>
    assert.fail(`${error.message}\n${buyer.output}\n${worker.output}`),
  );
  assert.equal(code, 0, buyer.output);
  assert.match(buyer.output, /Worker completed the task/);
  assert.equal(await within("the worker's end", worker.exit, JOB_MS), 0, worker.output);

  const { lifecycle_state: state, lifecycle_version: version, ended_reason: reason } = await status(stack, gig.gig_id);
  assert.deepEqual([state, version, reason], ["CLOSED", 7, "accepted"], `${buyer.output}\n${worker.output}`);
  assert.equal((await row(stack, gig.gig_id)).status, "COMPLETED");
  assert.equal((await stack.simulator()).settlements, 1);
});
