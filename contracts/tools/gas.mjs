// Compares contracts/gas.json with what the gas tests measured, or with --write brings it up to date. A figure is the
// `gasUsed` of a receipt: the tests run each call as a transaction of its own (`isolate`), on storage that is cold, with
// the 21,000 of a transaction and the price of its calldata, less refunds.
//
// `target` and `reason` are written by people. A reason says why a target is missed.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { ROOT } from "./built.mjs";
import { complain, isWriting } from "./kept.mjs";

const MEASURED = join(ROOT, "target/contracts/gas");
const KEPT = join(ROOT, "contracts/gas.json");
/** A figure may drift by so many percent before it is news. */
const TOLERANCE = 3;

const kept = JSON.parse(readFileSync(KEPT, "utf8"));
const measured = Object.assign({}, ...readdirSync(MEASURED).map(figures));
const names = [...new Set([...Object.keys(kept), ...Object.keys(measured)])].sort();
const table = {};
for (const name of names) {
  const { gas, target, reason } = kept[name] ?? {};
  const now = measured[name];
  if (now === undefined) {
    // A target is a person's word: no program takes it back.
    if (!isWriting || target !== undefined) complain(`gas: no test measures ${name}`);
    if (target !== undefined) table[name] = kept[name];
    continue;
  }
  table[name] = { gas: now, target, reason };
  console.log(`${name}: ${now} gas${target === undefined ? "" : ` of ${target}`}`);
  judgeTarget(name, now, target, reason);
  if (!isWriting) judgeDrift(name, now, gas);
}
if (isWriting) writeFileSync(KEPT, `${JSON.stringify(table, null, 2)}\n`);

/** The figures of one group, each named `group.test`. */
function figures(file) {
  const group = basename(file, ".json");
  const entries = Object.entries(JSON.parse(readFileSync(join(MEASURED, file), "utf8")));
  return Object.fromEntries(entries.map(([name, gas]) => [`${group}.${name}`, Number(gas)]));
}

function judgeTarget(name, now, target, reason) {
  if (target === undefined) return;
  if (now > target && !reason) complain(`gas: ${name} costs ${now}, more than ${target}: spend less, or give a reason`);
  if (now <= target && reason) complain(`gas: ${name} meets its target; take the reason out of contracts/gas.json`);
}

function judgeDrift(name, now, gas) {
  if (gas === undefined) return complain(`gas: ${name} is not in contracts/gas.json`);
  if (now * 100 > gas * (100 + TOLERANCE)) complain(`gas: ${name} grew from ${gas} to ${now}, more than ${TOLERANCE} %`);
  // Else what was saved could be spent again unseen.
  if (now * 100 < gas * (100 - TOLERANCE)) complain(`gas: ${name} fell from ${gas} to ${now}; keep the new figure`);
}
