// Compares contracts/artifacts with what forge built, or with --write brings it up to date. An artifact is what a
// program needs to deploy and call a contract, so that nobody needs a compiler for that.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const CONTRACTS = dirname(dirname(fileURLToPath(import.meta.url)));
const BUILT = join(CONTRACTS, "../target/contracts/out");
const KEPT = join(CONTRACTS, "artifacts");

const names = readdirSync(join(CONTRACTS, "src")).map((file) => basename(file, ".sol"));
const write = process.argv.includes("--write");

const stale = readdirSync(KEPT).filter((file) => !names.includes(basename(file, ".json")));
for (const name of names) {
  const { abi, bytecode } = JSON.parse(readFileSync(join(BUILT, `${name}.sol/${name}.json`), "utf8"));
  const text = `${JSON.stringify({ name, abi, bytecode: bytecode.object }, null, 2)}\n`;
  const path = join(KEPT, `${name}.json`);
  if (write) writeFileSync(path, text);
  else if (text !== kept(path)) stale.push(`${name}.json`);
}
if (stale.length > 0) {
  console.error(`contracts/artifacts: ${stale.join(", ")} is not what contracts/src says.`);
  process.exitCode = 1;
}

function kept(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
