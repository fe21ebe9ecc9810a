// The statements of the mandates' lists, on the D1 that Workers get: what each page holds, where it goes on, and that it
// costs the same however much lies in the tables.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { convertV4MiniflareOptions, Miniflare, splitSql } from "../harness.mjs";

const MANDATES = 200;
const REQUESTS = 50;
const OWNERS = 4;
const DAY = 86_400_000;
// A noon, so that neither day nor month changes while the rows are read.
const NOW = Date.UTC(2026, 10, 17, 12);
const TODAY = Date.UTC(2026, 10, 17);
const THIS_MONTH = Date.UTC(2026, 10, 1);
const PROGRESS = ["settled", "awaiting_approval", "escrowed", "approved", "rejected", "expired", "delivered", "voided", "cancelled", "refunded"];
const KINDS = ["request", "approve", "deliver", "claim"];
const START = [2 ** 53, ""];

const root = new URL("../../", import.meta.url);
const folder = new URL("workers/edge/src/ports/ledger/", root);
const sql = Object.fromEntries(readdirSync(folder).map((file) => [file.replace(".sql", ""), readFileSync(new URL(file, folder), "utf8")]));

let miniflare;
let database;
const stored = { mandates: [], requests: [], activity: [] };

before(async () => {
  miniflare = new Miniflare(
    convertV4MiniflareOptions({ modules: true, script: "export default {}", d1Databases: { DB: "ledger" }, telemetry: { enabled: false }, cf: false }),
  );
  database = await miniflare.getD1Database("DB");
  const migration = readFileSync(new URL("migrations/0002_mandates.sql", root), "utf8");
  await database.batch(splitSql(migration).map((statement) => database.prepare(statement)));
  fill();
  for (const [table, rows] of Object.entries(stored)) await put(table, rows);
});

after(() => miniflare?.dispose());

const hash = (kind, number) => `0x${kind}${number.toString(16).padStart(62, "0")}`;
const owner = (number) => `0x0${(number % OWNERS).toString()}${"0".repeat(38)}`;
const agent = (number) => `0xa${(number % 10).toString()}${"0".repeat(38)}`;

function fill() {
  for (let m = 0; m < MANDATES; m += 1) {
    stored.mandates.push(mandate(m));
    for (let r = 0; r < REQUESTS; r += 1) {
      const request = requestOf(m, r);
      stored.requests.push(request);
      stored.activity.push(...[0, 1].map((ordinal) => line(request, r, ordinal)));
    }
  }
}

/** Several of one moment, so that ids decide their order. */
function mandate(m, changes = {}) {
  const record = {
    mandate: hash("aa", m),
    status: ["active", "paused", "revoked"][m % 3],
    policy: { dayCap: "100", monthCap: m % 2 === 0 ? null : "1000", dayCount: m % 2 === 0 ? null : 5 },
    spent: { today: "40", thisMonth: "90", lifetime: "90", countToday: 2 },
    remaining: { today: "60", thisMonth: m % 2 === 0 ? null : "910", lifetime: null, countToday: m % 2 === 0 ? null : 3 },
  };
  return {
    mandate_id: record.mandate,
    version: 5,
    owner: owner(m),
    agent: agent(m),
    status: record.status,
    created_at: NOW - 40 * DAY + Math.floor(m / 8) * 1000,
    expires_at: m % 7 === 0 ? NOW : NOW + DAY,
    deadline: m % 4 === 0 ? NOW - m * 1000 : null,
    as_of: [NOW, TODAY, TODAY - 1, THIS_MONTH - 1][(m >> 3) % 4],
    record: JSON.stringify(record),
    label: `mandate "${m}"`,
    ...changes,
  };
}

function requestOf(m, r, changes = {}) {
  const number = m * REQUESTS + r;
  const progress = PROGRESS[(m + r) % PROGRESS.length];
  return {
    payment: hash("bb", number),
    version: 5,
    mandate_id: hash("aa", m),
    request_id: hash("cc", r),
    owner: owner(m),
    agent: agent(m),
    progress,
    requested_at: NOW - 10 * DAY + Math.floor(number / 3) * 1000,
    record: JSON.stringify({ payment: hash("bb", number), progress, since: null }),
    private: JSON.stringify(progress === "rejected" ? { note: "a \"note\", with = and \n" } : {}),
    ...changes,
  };
}

function line(request, seq, ordinal) {
  const id = `${request.mandate_id}.${String(seq).padStart(12, "0")}.${String(ordinal).padStart(4, "0")}`;
  const kind = KINDS[(seq + ordinal) % KINDS.length];
  const result = seq === 7 ? "rejected" : "done";
  return {
    mandate_id: request.mandate_id,
    at: request.requested_at,
    line: id,
    owner: request.owner,
    kind,
    result,
    record: JSON.stringify({ seq, kind, result, id }),
  };
}

/** Writes rows as the port does. */
async function put(table, rows) {
  for (let from = 0; from < rows.length; from += 500) {
    await database.prepare(sql[`put_${table}`]).bind(JSON.stringify(rows.slice(from, from + 500))).run();
  }
}

/** The statement of a list's page. */
function paged(list) {
  return sql.page.replace("{rows}", () => sql[list]);
}

/** One page, with the meta of its reading. */
async function page(list, { after: [at, id] = START, limit = 50, looked = limit + 1, values = [] }) {
  const { results, meta } = await database.prepare(paged(list)).bind(at, id, limit, looked, ...values).all();
  const [{ fitting, records, full_at, full_id, last_at, last_id }] = results;
  const next = fitting > limit ? [full_at, full_id] : last_id === null ? null : [last_at, last_id];
  return { records: JSON.parse(`[${records ?? ""}]`), next, meta };
}

/** Every page to the end. */
async function whole(list, options) {
  const found = [];
  for (let after = START, pages = 0; after !== null; pages += 1) {
    assert.ok(pages < 1000, "a list comes to its end");
    const { records, next } = await page(list, { ...options, after });
    found.push(...records);
    after = next;
  }
  return found;
}

const newest = (rows, at, id) => [...rows].sort((a, b) => b[at] - a[at] || (a[id] < b[id] ? 1 : -1));
const shown = ({ status, expires_at: end }) => (status === "revoked" || end > NOW ? status : "expired");

const OWNER = owner(1);
const AGENT = agent(3);
const MANDATE = hash("aa", 5);

/** Every list: its values, the rows that it must show in their order, and the index that carries it. */
const LISTS = {
  mandates_of_owner: {
    values: [OWNER, null, NOW],
    index: "mandates_owner (owner=? AND (created_at,mandate_id)<(?,?))",
    rows: () => newest(stored.mandates.filter((row) => row.owner === OWNER), "created_at", "mandate_id"),
    id: ({ mandate }) => mandate,
  },
  mandates_of_agent: {
    values: [AGENT, NOW],
    looked: 1000,
    index: "mandates_agent (agent=? AND (created_at,mandate_id)<(?,?))",
    rows: () =>
      newest(stored.mandates.filter((row) => row.agent === AGENT && shown(row) === "active"), "created_at", "mandate_id"),
    id: ({ mandate }) => mandate,
  },
  requests_of_mandate: {
    values: [MANDATE, null, owner(5), null],
    index: "requests_mandate (mandate_id=? AND (requested_at,payment)<(?,?))",
    rows: () => newest(stored.requests.filter((row) => row.mandate_id === MANDATE), "requested_at", "payment"),
    id: ({ payment }) => payment,
  },
  requests_of_owner: {
    values: [OWNER],
    index: "requests_owner (owner=? AND (requested_at,payment)<(?,?))",
    rows: () => newest(stored.requests.filter((row) => row.owner === OWNER), "requested_at", "payment"),
    id: ({ payment }) => payment,
  },
  requests_of_owner_at: {
    values: [OWNER, "rejected"],
    index: "requests_progress (owner=? AND progress=? AND (requested_at,payment)<(?,?))",
    rows: () =>
      newest(stored.requests.filter((row) => row.owner === OWNER && row.progress === "rejected"), "requested_at", "payment"),
    id: ({ payment }) => payment,
  },
  approvals: {
    values: [OWNER],
    index: "requests_progress (owner=? AND progress=? AND (requested_at,payment)<(?,?))",
    rows: () => {
      const queue = ["awaiting_approval", "approved", "rejected", "expired"];
      return newest(stored.requests.filter((row) => row.owner === OWNER && queue.includes(row.progress)), "requested_at", "payment");
    },
    id: ({ payment }) => payment,
  },
  activity_of_owner: {
    values: [OWNER, 0, null, null],
    index: "activity_owner (owner=? AND at>? AND (at,line)<(?,?))",
    rows: () => newest(stored.activity.filter((row) => row.owner === OWNER), "at", "line"),
    id: ({ id }) => id,
  },
  activity_of_mandate: {
    values: [owner(5), 0, null, null, MANDATE],
    index: "PRIMARY KEY (mandate_id=? AND at>? AND (at,line)<(?,?))",
    rows: () => newest(stored.activity.filter((row) => row.mandate_id === MANDATE), "at", "line"),
    id: ({ id }) => id,
  },
};

test("every list is here with its statement", () => {
  const others = ["page", "locate", "overdue", "put_mandates", "put_requests", "put_activity", "forget_requests"];
  assert.deepEqual(Object.keys(sql).sort(), [...Object.keys(LISTS), ...others].sort());
});

for (const [list, { values, looked, index, rows, id }] of Object.entries(LISTS)) {
  test(`${list}: all of it, once, newest first, page by page`, async () => {
    const expected = rows().map((row) => id({ ...JSON.parse(row.record) }));
    assert.ok(expected.length > 3);
    for (const limit of [1, 7, 50, 100]) {
      if (expected.length / limit > 60) continue;
      const found = await whole(list, { values, limit, looked: looked ?? limit + 1 });
      assert.deepEqual(found.map(id), expected, `limit ${limit}`);
    }
  });

  test(`${list}: an index carries it`, async () => {
    const { results } = await database.prepare(`EXPLAIN QUERY PLAN ${paged(list)}`).bind(...START, 50, 51, ...values).all();
    const steps = results.map(({ detail }) => detail);
    const reads = steps.filter((step) => step.includes("SEARCH"));
    assert.ok(reads.length > 0 && reads.every((step) => step.endsWith(index)), steps.join("\n"));
    // What is left to scan and to sort are the rows of one page.
    const others = steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step));
    const ofPage = (step) => step.startsWith("SCAN (subquery") || step === "USE TEMP B-TREE FOR group_concat(ORDER BY)";
    assert.ok(others.every(ofPage), steps.join("\n"));
  });

  test(`${list}: a page reads no more rows than it may look at`, async () => {
    for (const limit of [2, 20]) {
      const { meta } = await page(list, { values, limit });
      // Each row counts once in its table, and again wherever the page is put together.
      assert.ok(meta.rows_read <= 10 + 8 * limit, `${meta.rows_read} rows for ${limit}`);
    }
  });
}

test("a filter that fits little looks at a bounded number of rows, and the cursor goes on", async () => {
  const values = [OWNER, 0, null, "rejected"];
  const expected = LISTS.activity_of_owner.rows().filter(({ result }) => result === "rejected");
  const first = await page("activity_of_owner", { values, limit: 50, looked: 30 });
  assert.ok(first.records.length < 3 && first.next !== null);
  const found = await whole("activity_of_owner", { values, limit: 50, looked: 30 });
  assert.deepEqual(found.map(({ id }) => id), expected.map(({ line: id }) => id));
  // More fit than a page takes, and fewer than were looked at.
  for (const [list, limit, looked] of [["activity_of_mandate", 3, 40], ["activity_of_owner", 100, 1000]]) {
    const claims = await whole(list, { values: LISTS[list].values.with(2, "claim"), limit, looked });
    const of = LISTS[list].rows().filter(({ kind }) => kind === "claim");
    assert.deepEqual(claims.map(({ id }) => id), of.map(({ line: id }) => id), list);
  }
});

test("activity keeps to its span, the first moment in it and the last one out", async () => {
  const lines = LISTS.activity_of_owner.rows();
  const [from, to] = [lines[300].at, lines[100].at];
  const found = await page("activity_of_owner", { values: [OWNER, from, null, null], after: [to, ""], limit: 1000 });
  const expected = lines.filter(({ at }) => from <= at && at < to);
  assert.ok(expected.length >= 100 && expected.at(-1).at === from);
  assert.deepEqual(found.records.map(({ id }) => id), expected.map(({ line: id }) => id));
});

test("what is spent is said for the reader's day and month, and the status for now", async () => {
  const records = await whole("mandates_of_owner", { values: LISTS.mandates_of_owner.values });
  for (const record of records) {
    const m = Number.parseInt(record.mandate.slice(4), 16);
    const row = stored.mandates[m];
    const was = JSON.parse(row.record);
    const [sameDay, sameMonth] = [row.as_of >= TODAY, row.as_of >= THIS_MONTH];
    assert.deepEqual(record, {
      ...was,
      status: shown(row),
      spent: { ...was.spent, ...(!sameDay && { today: "0", countToday: 0 }), ...(!sameMonth && { thisMonth: "0" }) },
      remaining: {
        ...was.remaining,
        ...(!sameDay && { today: "100", countToday: was.policy.dayCount }),
        ...(!sameMonth && { thisMonth: was.policy.monthCap }),
      },
      label: `mandate "${m}"`,
    });
  }
  const agents = await whole("mandates_of_agent", { values: LISTS.mandates_of_agent.values });
  assert.ok(agents.some(({ spent }) => spent.thisMonth === "0") && agents.some(({ spent }) => spent.today === "40"));
  for (const record of agents) {
    assert.equal("label" in record, false);
    const { as_of: asOf } = stored.mandates[Number.parseInt(record.mandate.slice(4), 16)];
    assert.equal(record.spent.today, asOf >= TODAY ? "40" : "0");
    assert.equal(record.remaining.today, asOf >= TODAY ? "60" : "100");
    assert.equal(record.spent.thisMonth, asOf >= THIS_MONTH ? "90" : "0");
  }
});

test("mandates by status", async () => {
  for (const status of ["active", "paused", "revoked", "expired"]) {
    const records = await whole("mandates_of_owner", { values: [OWNER, status, NOW], limit: 5, looked: 12 });
    const expected = LISTS.mandates_of_owner.rows().filter((row) => shown(row) === status);
    assert.ok(expected.length > 0);
    assert.deepEqual(records.map(({ mandate: id }) => id), expected.map((row) => row.mandate_id), status);
  }
});

test("a mandate's requests are for its owner and its agent, with what is private to them", async () => {
  const values = (asOwner, asAgent, progress = null) => [MANDATE, progress, asOwner, asAgent];
  const [owners, agents] = [owner(5), agent(5)];
  assert.equal((await page("requests_of_mandate", { values: values(owners, null) })).records.length, REQUESTS);
  assert.equal((await page("requests_of_mandate", { values: values(agents, agents) })).records.length, REQUESTS);
  assert.equal((await page("requests_of_mandate", { values: values(agents, null) })).records.length, 0);
  assert.equal((await page("requests_of_mandate", { values: values(owner(6), owner(6)) })).records.length, 0);
  const rejected = await whole("requests_of_mandate", { values: values(owners, null, "rejected"), limit: 2, looked: 10 });
  assert.equal(rejected.length, REQUESTS / PROGRESS.length);
  for (const request of rejected) {
    assert.deepEqual(Object.keys(request), ["payment", "progress", "since", "note"]);
    assert.equal(request.note, "a \"note\", with = and \n");
  }
});

test("a payment is found by its own name, and under an agent's name where no payment has it", async () => {
  const locate = async (name, party = null) => {
    const { results } = await database.prepare(sql.locate).bind(name, party, 20).all();
    return results.map(({ mandate_id: id, payment }) => [id, payment]);
  };
  const { payment, mandate_id: mandateId, owner: of } = stored.requests[321];
  assert.deepEqual(await locate(payment), [[mandateId, payment]]);
  assert.deepEqual(await locate(payment, of), [[mandateId, payment]]);
  assert.deepEqual(await locate(payment, "0xstranger"), []);
  assert.deepEqual(await locate(hash("ff", 1)), []);
  // Agents of many mandates have used it; the list of them ends.
  assert.equal((await locate(hash("cc", 4))).length, 20);
  const mine = await locate(hash("cc", 4), AGENT);
  assert.ok(mine.length > 0 && mine.every(([id]) => stored.mandates.some((row) => row.mandate_id === id && row.agent === AGENT)));

  await put("requests", [requestOf(9, 0, { payment: hash("bc", 1), request_id: payment })]);
  assert.deepEqual(await locate(payment), [[mandateId, payment]]);
  const { results } = await database.prepare(`EXPLAIN QUERY PLAN ${sql.locate}`).bind(payment, null, 20).all();
  assert.ok(!results.some(({ detail }) => detail.startsWith("SCAN")), JSON.stringify(results));
  await database.prepare("DELETE FROM requests WHERE payment = ?").bind(hash("bc", 1)).run();
});

test("the sweep finds what is overdue, the longest first", async () => {
  const overdue = await database.prepare(sql.overdue).bind(NOW - 60_000, 10).all();
  const expected = stored.mandates.filter(({ deadline }) => deadline !== null && deadline < NOW - 60_000);
  expected.sort((a, b) => a.deadline - b.deadline);
  assert.deepEqual(overdue.results.map(({ mandate_id: id }) => id), expected.slice(0, 10).map((row) => row.mandate_id));
  const { results } = await database.prepare(`EXPLAIN QUERY PLAN ${sql.overdue}`).bind(NOW, 10).all();
  assert.deepEqual(results.map(({ detail }) => detail), ["SEARCH mandates USING INDEX mandates_deadline (deadline<?)"]);
});

test("an older row never replaces a newer one, and a line is there once", async () => {
  const one = async (statement, ...values) => database.prepare(statement).bind(...values).first();
  for (const [version, status] of [[5, "revoked"], [4, "revoked"], [6, "paused"]]) {
    await put("mandates", [mandate(0, { version, status, deadline: 7, expires_at: 9, as_of: 8, record: `{"v":${version}}` })]);
    await put("requests", [requestOf(0, 0, { version, progress: status, record: `{"v":${version}}`, private: `{"v":${version}}` })]);
    const [of, is] = [await one("SELECT * FROM mandates WHERE mandate_id = ?", hash("aa", 0)), await one("SELECT * FROM requests WHERE payment = ?", hash("bb", 0))];
    if (version < 6) {
      assert.deepEqual(of, stored.mandates[0]);
      assert.deepEqual(is, stored.requests[0]);
    } else {
      const written = { version, status, deadline: 7, expires_at: 9, as_of: 8, record: '{"v":6}' };
      assert.deepEqual(of, { ...stored.mandates[0], ...written });
      assert.deepEqual(is, { ...stored.requests[0], version, progress: status, record: '{"v":6}', private: '{"v":6}' });
    }
  }
  const { count } = await one("SELECT count(*) AS count FROM activity");
  await put("activity", [{ ...stored.activity[0], record: "{}" }]);
  assert.equal((await one("SELECT count(*) AS count FROM activity")).count, count);
  assert.equal((await one("SELECT record FROM activity WHERE line = ?", stored.activity[0].line)).record, stored.activity[0].record);
});

test("a line of the log changes only to say that it is undone, and a request that is no more is forgotten", async () => {
  const request = requestOf(0, 0, { mandate_id: hash("dd", 1), payment: hash("bd", 1) });
  const first = line(request, 1, 0);
  const other = (result) => ({ ...first, result, record: JSON.stringify({ result }) });
  const stands = async () => (await database.prepare("SELECT result FROM activity WHERE line = ?").bind(first.line).first()).result;
  await put("activity", [first]);
  await put("activity", [other("settled")]);
  assert.equal(await stands(), first.result);
  await put("activity", [other("undone")]);
  assert.equal(await stands(), "undone");
  await put("requests", [request]);
  const count = async () => (await database.prepare("SELECT count(*) AS n FROM requests WHERE payment = ?").bind(request.payment).first()).n;
  assert.equal(await count(), 1);
  await database.prepare(sql.forget_requests).bind(JSON.stringify([request.payment])).run();
  assert.equal(await count(), 0);
});
