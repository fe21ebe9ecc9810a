// A folder of files that are made from what forge built and kept in the repository, so that a change of them is seen.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "./built.mjs";

/** Whether the caller asked to bring kept files up to date, rather than to be told. */
export const isWriting = process.argv.includes("--write");

/**
 * Compares a folder with what it should hold, or makes it so. Complains by the exit code.
 *
 * @param {string} folder from the top of the checkout
 * @param {Map<string, string>} texts what it should hold, by file name
 */
export function keep(folder, texts) {
  const path = join(ROOT, folder);
  mkdirSync(path, { recursive: true });
  const stale = readdirSync(path).filter((file) => !texts.has(file));
  if (isWriting) for (const file of stale.splice(0)) rmSync(join(path, file));
  for (const [file, text] of texts) {
    if (isWriting) writeFileSync(join(path, file), text);
    else if (text !== textOf(join(path, file))) stale.push(file);
  }
  if (stale.length > 0) complain(`${folder}: ${stale.join(", ")} is not what contracts/src says.`);
}

/** Says what is wrong, and lets the script go on to what else is. */
export function complain(words) {
  console.error(words);
  process.exitCode = 1;
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
