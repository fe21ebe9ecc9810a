// The example of contracts/README.md does what it says, twice on one chain.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { developmentAccount, startChain } from "../chain.mjs";

const EXAMPLE = fileURLToPath(new URL("../../contracts/examples/budget.mjs", import.meta.url));
const run = promisify(execFile);

let chain;
before(async () => {
  chain = await startChain();
});
after(() => chain?.stop());

test("an agent pays within its budget, is stopped at a cap, and pays more with an approval", async () => {
  const provider = developmentAccount(4).address;
  for (const _ of ["first", "second"]) {
    const had = await chain.balanceOf(provider);
    const { stdout } = await run(process.execPath, [EXAMPLE, chain.url]);
    assert.match(stdout, /^2\. It holds 400 dollars/m);
    assert.match(stdout, /^3\. .* the payment is Settled$/m);
    assert.match(stdout, /^4\. 101 dollars would be refused: EntryPaymentCap \(101 of 100\)$/m);
    assert.match(stdout, /^ {3}And are: EntryPaymentCap \(101 of 100\)$/m);
    assert.match(stdout, /^5\. 80 dollars alone: ApprovalMissing \(80 of 50\)$/m);
    assert.match(stdout, /^ {3}With the owner's approval: the payment is Escrowed$/m);
    assert.match(stdout, /^6\. Left today: 30 dollars$/m);
    assert.equal((await chain.balanceOf(provider)) - had, 40_000_000n);
  }
});

test("without a chain it says what it needs", async () => {
  await assert.rejects(run(process.execPath, [EXAMPLE]), /Say where the chain answers/);
});
