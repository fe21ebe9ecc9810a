// The `guildhall` command of this checkout.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");

let built;

/** Builds it once, and says in which folder it lies. */
export function command() {
  built ??= promisify(execFile)("cargo", ["build", "--quiet", "--package", "cli"], { cwd: ROOT });
  return built.then(() => join(TARGET, "debug"));
}

/** An empty folder below the checkout; whoever makes it removes it. */
export function emptyFolder(name) {
  mkdirSync(join(ROOT, "tests/out"), { recursive: true });
  return mkdtempSync(join(ROOT, `tests/out/${name}-`));
}

/** Runs one command in `cwd`: `{ code, stdout, stderr }`. Nothing of the caller's own environment is a key to it. */
export async function guildhall(stack, args, { cwd, env = {}, input = "" } = {}) {
  const { GUILDHALL_KEY: _, GUILDHALL_API_KEY: __, ...own } = process.env;
  const options = { cwd, env: { ...own, GUILDHALL_API: stack.url, ...env } };
  const running = promisify(execFile)(join(await command(), "guildhall"), args, options);
  running.child.stdin.end(input);
  return running.then(
    (said) => ({ code: 0, ...said }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}
