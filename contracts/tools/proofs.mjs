// Runs Halmos on contracts/test/mandates/Proofs.t.sol: each `check_…` holds for every input, or there is an input for
// which it does not. A proof that ran out of time or unrolled a loop to some depth only is none.
//
//   node contracts/tools/proofs.mjs <python> <forge>
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

import { ROOT } from "./built.mjs";
import { complain } from "./kept.mjs";

const OUT = "target/contracts/out";
const RESULT = join(ROOT, "target/contracts/proofs.json");
const [python, forge] = process.argv.slice(2);
const SOLVER = `${python} ${join(ROOT, "contracts/tools/solver.py")}`;

rmSync(RESULT, { force: true });
const options = ["--root", ROOT, "--forge-build-out", OUT, "--match-contract", "^Proofs$", "--no-status"];
options.push("--solver-command", SOLVER, "--solver-timeout-assertion", "60s", "--json-output", RESULT);
// Halmos starts forge, which finds all built.
const path = [dirname(forge), dirname(process.execPath), process.env.PATH].join(delimiter);
const run = spawnSync(join(dirname(python), "halmos"), options, {
  encoding: "utf8",
  maxBuffer: 1 << 28,
  env: { ...process.env, PATH: path },
});
if (run.error) throw run.error;
// What both of forge's profiles compiled is there twice; Halmos warns of each such file, and none has proofs.
const TWICE = /WARNING\s+Skipped \S+ due to[^(]*\('duplicate[^)]*\)\s*\(see[^)]*\)\s*\n/g;
console.log(`${run.stdout}${run.stderr}`.replace(TWICE, "").trim());
const proofs = results();
for (const { name, exitcode, num_bounded_loops: bounded } of proofs) {
  if (exitcode !== 0) complain(`proofs: ${name} is not proven`);
  if (bounded > 0) complain(`proofs: ${name} holds for loops of some length only`);
}
if (run.status !== 0 || proofs.length === 0) complain(`proofs: halmos ended with ${run.status}, ${proofs.length} proofs`);

function results() {
  try {
    return Object.values(JSON.parse(readFileSync(RESULT, "utf8")).test_results).flat();
  } catch {
    return [];
  }
}
