// Holds what a suite says against tests/python/conformance-baseline.json: what fails must be known, what is known must
// fail.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const { suites } = JSON.parse(readFileSync(new URL("../python/conformance-baseline.json", import.meta.url), "utf8"));

/**
 * @param {string} suite its name in the baseline
 * @param {string[]} ids every check that the suite must have made, no more and no less
 * @param {{ check: string, pass: boolean, detail?: unknown }[]} checks each begins with its id
 */
export function judge(suite, ids, checks) {
  assert.ok(suite in suites, `the baseline does not know the suite "${suite}"`);
  const known = Object.keys(suites[suite]);
  const idOf = ({ check }) => ids.find((id) => check === id || check.startsWith(`${id} `)) ?? check;
  assert.deepEqual(checks.map(idOf).sort(), [...ids].sort(), `${suite}: other checks were made than are known`);
  const failing = checks.filter(({ pass }) => !pass);
  const surprises = failing.filter((check) => !known.includes(idOf(check)));
  assert.deepEqual(surprises, [], `${suite}: these checks fail, and the baseline does not say why`);
  const stale = known.filter((id) => !failing.some((check) => idOf(check) === id));
  assert.deepEqual(stale, [], `${suite}: these checks pass now; take them out of the baseline`);
}
