// Schemathesis, a fuzzer of others, reads our OpenAPI document and asks everything about metering that it can think of: no answer
// is a failure of ours, and each is one that the document has.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, send } from "./support/board.mjs";
import { emptyFolder } from "./support/command.mjs";

/** What metering answers, without what is written in two spellings, and without what would lock the fuzzer out. */
const PATHS = "^/v1/(tenant|services|usage|billing|settle|settlements|reservations|agents|webhooks|events|api-keys|config|stats|version|changelog|health)(/|$)";
const LOCKS_OUT = "^/v1/(admin|operator|tenants)|^/v1/api-keys/\\{key\\}";
const CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance", "response_schema_conformance"];
/** Requests that it thinks of for each operation. */
const EXAMPLES = 8;
/** It ends by itself; this is for when it does not. */
const PATIENCE_MS = 400_000;

let stack;
let folder;
before(async () => {
  folder = emptyFolder("meter-fuzz");
  stack = await start({ edgeVars: { METER_ADDRESS_QUOTA: "1000000" } });
});
after(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("whatever it asks, what is answered stands in the document", async () => {
  const { apiKey } = await answered(await send(stack, "/v1/tenants", { name: "fuzzed" }), 201);
  const keyed = { authorization: `Bearer ${apiKey}` };
  await answered(await send(stack, "/v1/services", { serviceId: "fuzz", price: "1" }, keyed), 201);
  const said = await fuzz([
    "run", `${stack.url}/v1/openapi.json`, "--url", stack.url,
    "--include-path-regex", PATHS, "--exclude-path-regex", LOCKS_OUT,
    "--header", `Authorization: Bearer ${apiKey}`, "--header", "Host: 127.0.0.1",
    "--phases", "fuzzing", "--max-examples", `${EXAMPLES}`, "--seed", "1", "--no-shrink",
    "--generation-database", "none", "--checks", CHECKS.join(","), "--continue-on-failure", "--warnings", "off", "--no-color",
  ]);
  assert.equal(said.code, 0, said.stdout.slice(-12_000));
  // Nothing was left out: no answer is a failure where nothing is asked, either.
  const [, selected] = said.stdout.match(/Selected: (\d+)\//) ?? [];
  const [, tested] = said.stdout.match(/Tested: (\d+)/) ?? [];
  assert.ok(Number(selected) > 50 && tested === selected, said.stdout.slice(-3_000));
});

/** Runs it: `{ code, stdout }`. */
function fuzz(arguments_) {
  const python = process.env.GUILDHALL_PYTHON;
  assert.ok(python, "GUILDHALL_PYTHON names no Python; see tests/peers/python.mjs");
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: PATIENCE_MS, maxBuffer: 64 * 1024 * 1024 };
    execFile(python, ["-m", "schemathesis.cli", ...arguments_], options, (fault, stdout, stderr) =>
      resolve({ code: fault ? (fault.code ?? fault.signal) : 0, stdout: `${stdout}${stderr}` }),
    );
  });
}
