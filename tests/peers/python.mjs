// Runs a script of tests/python, or a tool that came with its packages, and reads what it prints.
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPTS = join(dirname(dirname(fileURLToPath(import.meta.url))), "python");
const PATIENCE_MS = 60_000;

/** Runs `python <arguments>` in the folder of the scripts and resolves to the JSON that it printed. */
export async function python(...arguments_) {
  const interpreter = process.env.GUILDHALL_PYTHON;
  if (!interpreter) {
    throw new Error(
      "GUILDHALL_PYTHON does not name a Python with the packages of tests/python/requirements.txt. " +
        "`cargo xtask test` makes one and sets it; by hand: python3 -m venv target/python && " +
        "target/python/bin/pip install -r tests/python/requirements.txt, then GUILDHALL_PYTHON=$PWD/target/python/bin/python",
    );
  }
  return new Promise((resolve, reject) => {
    const options = { cwd: SCRIPTS, timeout: PATIENCE_MS, maxBuffer: 16 * 1024 * 1024 };
    execFile(interpreter, arguments_, options, (fault, printed, complaints) => {
      if (fault) {
        reject(new Error(`python ${arguments_.join(" ")}: ${fault.message}\n${complaints}`));
        return;
      }
      try {
        resolve(JSON.parse(printed));
      } catch {
        reject(new Error(`python ${arguments_.join(" ")} printed no JSON: ${printed}\n${complaints}`));
      }
    });
  });
}
