// Runs Slither over contracts/src, and holds what it finds against contracts/slither.json: each accepted finding with
// the reason. What is not explained there fails, and so does an explanation of nothing.
//
//   node contracts/tools/slither.mjs <python> <forge>
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import solc from "solc";

import { ROOT, sources } from "./built.mjs";
import { complain } from "./kept.mjs";

const WORK = join(ROOT, "target/contracts/slither");
const ACCEPTED = "contracts/slither.json";
const PREFIX = "@openzeppelin/";

rmSync(WORK, { recursive: true, force: true });
mkdirSync(join(WORK, "build-info"), { recursive: true });
writeFileSync(join(WORK, "build-info/sources.json"), JSON.stringify(analysed()));
const accepted = JSON.parse(readFileSync(join(ROOT, ACCEPTED), "utf8"));
const [python, forge] = process.argv.slice(2);
const found = findings();
const explains = ({ check, where }, finding) => check === finding.check && isAt(where, finding.where);
for (const finding of found) {
  if (accepted.some((entry) => entry.reason && explains(entry, finding))) continue;
  complain(`slither: ${finding.check} (${finding.impact}) in ${finding.where}\n${finding.description}`);
}
for (const entry of accepted) {
  if (found.some((finding) => explains(entry, finding))) continue;
  complain(`slither: nothing is found for ${entry.check} in ${entry.where}; take it out of ${ACCEPTED}`);
}
console.log(`slither: ${found.length} findings, each held against ${accepted.length} reasons in ${ACCEPTED}`);

/**
 * Syntax trees and interfaces of all sources, in the shape of forge's build information. Slither needs no code, and to
 * generate none takes a second; forge's own file lacks what did not change since the last build.
 */
function analysed() {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(sources().map((path) => [path, { content: read(path) }])),
    settings: {
      remappings: [`${PREFIX}=node_modules/${PREFIX}`],
      evmVersion: "cancun",
      outputSelection: { "*": { "": ["ast"], "*": ["abi"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: imported }));
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  const code = { object: "", sourceMap: "" };
  const none = { bytecode: code, deployedBytecode: code, methodIdentifiers: {} };
  for (const contracts of Object.values(output.contracts)) {
    for (const contract of Object.values(contracts)) contract.evm = none;
  }
  return { solcVersion: solc.version().split("+")[0], input, output };
}

function imported(path) {
  try {
    return { contents: read(path) };
  } catch (error) {
    return { error: error.message };
  }
}

function read(path) {
  return readFileSync(join(ROOT, path), "utf8");
}

/** A place that ends with a star is all that begins like it. */
function isAt(place, where) {
  return place.endsWith("*") ? where.startsWith(place.slice(0, -1)) : where === place;
}

function findings() {
  const options = ["--ignore-compile", "--foundry-out-directory", WORK, "--filter-paths", "node_modules", "--json", "-"];
  // Slither asks forge where the project is; the sources are those above.
  const path = [dirname(forge), process.env.PATH].join(delimiter);
  const run = spawnSync(join(dirname(python), "slither"), [ROOT, ...options], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, PATH: path },
  });
  if (run.error) throw run.error;
  // The exit code counts findings; without a result there was a failure.
  const answer = run.stdout.startsWith("{") ? JSON.parse(run.stdout) : { success: false, error: run.stderr };
  if (!answer.success) throw new Error(`slither failed:\n${answer.error}\n${run.stderr}`);
  return (answer.results.detectors ?? []).map(({ check, impact, elements, description }) => {
    return { check, impact, description, where: elements.length > 0 ? placeOf(elements[0]) : "sources" };
  });
}

/** A name within a function within a contract, without lines: an explanation outlives an edit somewhere above. */
function placeOf({ type, name, type_specific_fields: fields }) {
  const parent = ["contract", "function"].includes(fields?.parent?.type) ? placeOf(fields.parent) : undefined;
  if (type === "node") return parent;
  return [parent, fields?.signature ?? name].filter(Boolean).join(".");
}
