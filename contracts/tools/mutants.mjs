// Changes the mandate contract in one place at a time, and runs the tests on each change: a comparison is turned at its
// boundary or upside down, a check or a guard is taken out. Lists the changes that no test noticed. One takes as long as
// a build and the tests.
//
//   node contracts/tools/mutants.mjs <forge> [<file of contracts/src/mandates> …]
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "./built.mjs";
import { complain } from "./kept.mjs";

const SCRATCH = join(ROOT, "target/mutants");
const SOURCES = join(SCRATCH, "contracts/src/mandates");
const TURNED = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==" };

const LEAVE = String.raw`(?:return|revert|continue)\b[^;{}]*;`;
const LEAVING = new RegExp(String.raw`^\s*(?:\{\s*${LEAVE}\s*\}|${LEAVE})(?!\s*else)`);

const [forge, ...only] = process.argv.slice(2);
scratch();
const intact = test();
if (intact.status !== 0) throw new Error(`The tests fail on the contract as it is:\n${intact.stdout}${intact.stderr}`);

const survivors = [];
const counts = { noticed: 0, survived: 0, "not compiled": 0 };
for (const file of readdirSync(SOURCES).sort()) {
  if (only.length > 0 && !only.includes(file)) continue;
  const path = join(SOURCES, file);
  const text = readFileSync(path, "utf8");
  for (const { at, end, becomes } of mutations(text)) {
    writeFileSync(path, text.slice(0, at) + becomes + text.slice(end));
    const outcome = judged(test());
    counts[outcome] += 1;
    const shown = `${file}:${text.slice(0, at).split("\n").length} \`${oneLine(text.slice(at, end))}\` -> \`${becomes}\``;
    console.log(`${outcome}: ${shown}`);
    if (outcome === "survived") survivors.push(shown);
  }
  writeFileSync(path, text);
}
console.log(Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`).join(", "));
if (survivors.length > 0) complain(`No test noticed:\n${survivors.join("\n")}`);

/** A copy of what forge reads. Its own outputs stay in it, so that a build is of what changed. */
function scratch() {
  rmSync(SCRATCH, { recursive: true, force: true });
  mkdirSync(SCRATCH, { recursive: true });
  for (const part of ["contracts", "foundry.toml", "tests/vectors"]) {
    cpSync(join(ROOT, part), join(SCRATCH, part), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(SCRATCH, "node_modules"));
}

function test() {
  const run = spawnSync(forge, ["test", "--fail-fast"], { cwd: SCRATCH, encoding: "utf8", maxBuffer: 1 << 28 });
  if (run.error) throw run.error;
  return run;
}

function judged({ status, stdout, stderr }) {
  if (status === 0) return "survived";
  return /Compil(er run|ation) failed/.test(stdout + stderr) ? "not compiled" : "noticed";
}

/** Every change of one source: what stands from `at` to `end` becomes another text. */
export function mutations(text) {
  // Of the same length, so that places are the same.
  const code = text.replace(/\/\/.*|\/\*[^]*?\*\/|"[^"\n]*"/g, (words) => words.replace(/[^\n]/g, " "));
  const found = [];
  for (const { index, 1: operator } of code.matchAll(/(?<= )([<>]=?|[!=]=)(?=\s)/g)) {
    found.push({ at: index, end: index + operator.length, becomes: TURNED[operator] });
  }
  for (const { index } of code.matchAll(/\bif \(/g)) {
    const body = closing(code, index + "if ".length);
    const leaves = LEAVING.exec(code.slice(body));
    if (leaves) found.push({ at: index, end: body + leaves[0].length, becomes: "" });
  }
  for (const { index } of code.matchAll(/(?<=[;{}]\s*)_require\(/g)) {
    found.push({ at: index, end: closing(code, index + "_require".length) + ";".length, becomes: "" });
  }
  for (const { index, 0: guard } of code.matchAll(/(?<=\)[^;{}()]*)\b(nonReentrant|only[A-Z]\w*)\b(?=[^;{}]*\{)/g)) {
    found.push({ at: index, end: index + guard.length, becomes: "" });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** The place after the parenthesis that closes the one at `open`. */
function closing(code, open) {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    depth += { "(": 1, ")": -1 }[code[at]] ?? 0;
    if (depth === 0) return at + 1;
  }
  throw new Error(`a parenthesis at ${open} is not closed`);
}

function oneLine(text) {
  return text.replace(/\s+/g, " ");
}
