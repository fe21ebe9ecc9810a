// Metering from the terminal: what each command does at a live board, what it says, and what it never shows.
import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { start } from "../harness.mjs";
import { emptyFolder, guildhall } from "./support/command.mjs";
import { SITE } from "./support/mandate.mjs";
import { until } from "./support/waiting.mjs";

const SERVICE = "text.translate";

let stack;
let folder;
before(async () => {
  folder = emptyFolder("meter-cli");
  const webhooks = { WEBHOOK_ALLOWED_HOSTS: "127.0.0.1:*", DOH_URL: "off" };
  stack = await start({ edgeVars: { SITE_ORIGIN: SITE, ...webhooks } });
  await run("tenant open --name Cli --api-key-file api.key --pay-to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8", { key: false });
  await run(`service register ${SERVICE} --graduated up-to=100,price=100 --graduated price=50 --unit page`);
});
after(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const secret = (file) => readFileSync(join(folder, file), "utf8").trim();

/** Runs a line of the command, as the tenant. Whatever it says, no secret is in it. */
async function attempt(line, { key = true, input } = {}) {
  const env = key ? { GUILDHALL_API_KEY_FILE: "api.key" } : {};
  const said = await guildhall(stack, line.split(" "), { cwd: folder, env, input });
  assert.ok(!/gld_(test|live)_[a-z2-7]{60,}|whsec_/.test(`${said.stdout}${said.stderr}`), `${line} shows a secret`);
  return said;
}

async function run(line, options) {
  const said = await attempt(line, options);
  assert.equal(said.code, 0, `${line}: ${said.stderr}`);
  return said;
}

/** The result as programs read it: one line of JSON, and nothing else on the standard output. */
async function asked(line, options) {
  const { stdout } = await run(`--json ${line}`, options);
  assert.equal(stdout.trim().split("\n").length, 1, line);
  return JSON.parse(stdout);
}

async function refused(line, code, options) {
  const said = await attempt(`--json ${line}`, options);
  assert.equal(said.code, 1, `${line}: ${said.stdout}`);
  const { problem } = JSON.parse(said.stdout);
  assert.equal(problem.code, code, said.stderr);
  return problem;
}

const record = (agent, quantity, more = "") => asked(`usage record ${agent} ${SERVICE} --quantity ${quantity}${more}`);

test("a tenant's key lies in a file that only its user reads, and opens what it may", async () => {
  assert.equal(statSync(join(folder, "api.key")).mode & 0o777, 0o600);
  const tenant = await asked("tenant show");
  assert.deepEqual([tenant.name, tenant.status], ["Cli", "active"]);
  const again = await attempt("tenant open --name Other --api-key-file api.key");
  assert.deepEqual([again.code, (await asked("tenant show")).tenant], [2, tenant.tenant]);

  const made = (await run("key create --out reader.key --label reader --scope usage:read")).stdout.trim();
  const reading = (line) => attempt(`--json ${line} --api-key-file reader.key`);
  assert.equal((await reading(`service show ${SERVICE}`)).code, 0);
  const writing = await reading(`usage record alice ${SERVICE} --quantity 1`);
  assert.equal(JSON.parse(writing.stdout).problem.status, 403);

  await run(`key rotate ${made} --out rotated.key --overlap 3600`);
  assert.notEqual(secret("rotated.key"), secret("reader.key"));
  for (const file of ["reader.key", "rotated.key"]) {
    assert.equal((await attempt(`bill total --api-key-file ${file}`)).code, 0, file);
  }
  const states = Object.fromEntries((await asked("key list")).keys.map(({ id, status }) => [id, status]));
  assert.equal(states[made], "rotated");
  assert.equal((await asked(`key revoke ${made}`)).status, "revoked");
  assert.equal(JSON.parse((await reading("bill total")).stdout).problem.status, 401);
  assert.equal((await asked(`key show ${made}`)).status, "revoked");
});

test("a key that is none is refused here, and said without being shown", async () => {
  writeFileSync(join(folder, "bad.key"), "secretsecret\n");
  const said = await attempt("tenant show --api-key-file bad.key");
  assert.equal(said.code, 2);
  assert.ok(!said.stderr.includes("secretsecret"), said.stderr);
  assert.equal((await attempt("tenant show", { key: false })).code, 2);
});

test("a service is priced anew, switched off and on, and deleted", async () => {
  await run("service register other.one --price 0.5 --scale 2");
  assert.deepEqual((await asked("service list --prefix other.")).services.map(({ serviceId }) => serviceId), ["other.one"]);
  await refused("service register other.one --price 0.5 --scale 2", "service_exists");
  const priced = await asked("service price other.one --price 2");
  assert.deepEqual([priced.price.version, priced.price.price], [2, "2"]);
  assert.equal((await asked("service disable other.one")).status, "disabled");
  await refused("usage record alice other.one --quantity 1", "service_disabled");
  assert.equal((await asked("service enable other.one")).status, "enabled");
  assert.equal((await asked("usage record alice other.one --quantity 0.25")).total, "0.25");
  assert.equal((await asked("service delete other.one")).status, "deleted");
});

test("usage is recorded once under its id, in bulk item by item, and taken back", async () => {
  assert.equal((await record("bulky", 3, " --id one")).status, "recorded");
  assert.equal((await record("bulky", 3, " --id one")).status, "duplicate");
  await refused(`usage record bulky ${SERVICE} --quantity 4 --id one`, "event_conflict");
  const item = (id, quantity) => ({ agent: "bulky", serviceId: SERVICE, quantity, id });
  const bulk = await asked("usage bulk -", { input: JSON.stringify([item("two", "5"), item("one", "3"), item("three", "0")]) });
  assert.deepEqual([bulk.recorded, bulk.duplicates, bulk.refused], [1, 1, 1]);
  assert.deepEqual(bulk.results.map(({ status }) => status), ["recorded", "duplicate", "refused"]);
  assert.equal((await asked(`usage reverse bulky ${SERVICE} --event two`)).quantity, "5");
  assert.equal((await asked(`usage show bulky ${SERVICE}`)).total, "3");
  await until("the export to have it", async () => {
    const { stdout } = await run("usage export");
    return stdout.split("\n").some((line) => line.includes("bulky") && line.includes(SERVICE));
  });
});

test("a bill is drawn up once under its id, and taken back", async () => {
  await record("drawn", 130);
  const open = await asked(`bill show drawn ${SERVICE}`);
  assert.equal(open.amount, "11500");
  const line = `settle drawn ${SERVICE} --message-id 0123456789abcdef`;
  const bill = await asked(line);
  assert.deepEqual([bill.status, bill.amount, bill.number], ["drafted", "11500", 1]);
  assert.equal((await asked(line)).id, bill.id);
  assert.equal((await attempt(`settle drawn ${SERVICE}`)).code, 1);
  assert.equal((await asked(`settle show ${bill.id}`, { key: false })).amount, "11500");
  const said = await run(`settle void ${bill.id}`);
  assert.match(said.stderr, /failed/);
  assert.equal((await asked(`bill show drawn ${SERVICE}`)).amount, "11500");
  assert.equal((await asked("bill total drawn")).amount, "11500");
  await refused(`settle nobody ${SERVICE}`, "meter_not_found");
});

test("a bill above the limit is not signed; one within it is paid", async () => {
  await record("payer", 10);
  const bill = (await run(`settle payer ${SERVICE}`)).stdout.trim();
  await run("key new payer.key");
  const dear = await attempt(`settle pay ${bill} --max-price 999 --key-file payer.key`, { key: false });
  assert.equal(dear.code, 4, dear.stderr);
  const paid = await asked(`settle pay ${bill} --max-price 1000 --key-file payer.key`, { key: false });
  assert.deepEqual([paid.status, paid.payment.method], ["verified", "x402"]);
  const again = await run(`settle pay ${bill} --max-price 1000 --key-file payer.key`, { key: false });
  assert.match(again.stderr, /It was paid before; nothing is paid now\./);
  assert.deepEqual(await asked(`settle pay ${bill} --max-price 1000 --key-file payer.key`, { key: false }), paid);
});

/** A mandate of fresh keys that may pay this tenant's bills: its agent's key is in `file`. */
async function mandate(file, usdc) {
  const owner = `${file}.owner`;
  await run(`key new ${owner}`);
  const agent = (await run(`key new ${file}`)).stdout.trim();
  const { payTo } = await asked("tenant show");
  const entry = `recipient=${payTo},service=meter.usage`;
  const caps = `--payment-cap ${usdc}usdc --day-cap ${usdc}usdc`;
  const made = (await run(`mandate create --key-file ${owner} --agent ${agent} --entry ${entry} ${caps}`)).stdout.trim();
  await run(`mandate fund ${made} --usdc ${usdc} --key-file ${owner}`);
  return made;
}

test("a bill is paid out of a mandate, by its agent alone", async () => {
  const made = await mandate("agent.key", 1);
  await record("mandated", 10);
  const bill = (await run(`settle mandated ${SERVICE}`)).stdout.trim();
  await run("key new stranger.key");
  assert.equal((await attempt(`settle mandate ${bill} --mandate ${made} --key-file stranger.key`)).code, 1);
  await run(`settle mandate ${bill} --mandate ${made} --key-file agent.key`);
  const paid = await until("the bill to be paid", async () => {
    const seen = await asked(`settle show ${bill}`);
    return seen.status === "verified" && seen;
  });
  assert.equal(paid.payment.method, "mandate");
});

test("an agent that prepays reserves, and what it does not use is given back", async () => {
  const made = await mandate("prepaid.key", 1);
  const { tenant } = await asked("tenant show");
  const offer = `account offer ${tenant} prepaid --mandate ${made} --key-file prepaid.key`;
  assert.equal((await asked(offer)).offer.mandate, made);
  assert.equal((await asked(`account prepaid prepaid --mandate ${made}`)).mode, "prepaid");
  await refused(`usage record prepaid ${SERVICE} --quantity 1`, "reservation_required");
  const reserved = (await run(`reserve prepaid ${SERVICE} --quantity 10 --ttl 600`)).stdout.trim();
  assert.equal((await asked(`reserve show ${reserved}`)).status, "held");
  const { reservation, settlement } = await asked(`reserve commit ${reserved} --quantity 4`);
  assert.deepEqual([reservation.status, settlement.amount], ["committed", "400"]);
  const other = (await run(`reserve prepaid ${SERVICE} --quantity 10`)).stdout.trim();
  assert.equal((await asked(`reserve release ${other}`)).status, "released");
  const { funds } = await until("the mandate to hold nothing", async () => {
    const seen = await asked(`mandate show ${made}`);
    return seen.reservations === 0 && seen;
  });
  assert.equal(funds.balance, "999600");
  assert.equal((await asked("account postpaid prepaid")).mode, "postpaid");
});

test("a webhook is tested for real, its secret verifies with the official library, and it is rotated and removed", async () => {
  const got = [];
  const server = createServer((request, answer) => {
    const parts = [];
    request.on("data", (part) => parts.push(part)).on("end", () => {
      got.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      answer.writeHead(204).end();
    });
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const url = `http://127.0.0.1:${server.address().port}/hook`;
    const endpoint = (await run(`webhook add --url ${url} --type usage.* --secret-file hook.secret`)).stdout.trim();
    const tested = await asked(`webhook test ${endpoint}`);
    assert.deepEqual([tested.succeeded, tested.status], [true, 204]);
    new Webhook(secret("hook.secret")).verify(got[0].body, got[0].headers);
    assert.equal((await asked("webhook list")).webhooks.length, 1);
    await run(`webhook resend ${endpoint} ${tested.message}`);
    await until("the message to come again", () => got.length === 2);
    assert.equal(got[1].headers["webhook-id"], tested.message);
    await run(`webhook rotate ${endpoint} --secret-file next.secret`);
    assert.equal((await asked(`webhook test ${endpoint}`)).succeeded, true);
    for (const file of ["hook.secret", "next.secret"]) new Webhook(secret(file)).verify(got[2].body, got[2].headers);
    assert.equal((await asked(`webhook attempts ${endpoint}`)).attempts.length, 3);
    await run(`webhook remove ${endpoint}`);
    assert.equal((await asked("webhook list")).webhooks.length, 0);
  } finally {
    server.close();
  }
});
