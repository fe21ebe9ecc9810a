// What readers find on the board: newest first, page by page, filtered, and never nonsense for nonsense.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { act, assertProblem, claim, discover, postGig } from "./support/board.mjs";

const SEEDED = 250;
/** Gigs that share one moment. */
const AT_ONCE = 20;
const TYPES = ["web_scrape", "data_extraction", "computation", "api_relay", "custom"];

let stack;
let seeded;

before(async () => {
  stack = await start();
  seeded = Array.from({ length: SEEDED }, (_, index) => seed(index));
  await stack.d1(
    `INSERT INTO gigs (gig_id, version, status, task_type, bounty_sats, created_at, expires_at, title, description, record)
     SELECT value ->> 'gig_id', 1, value ->> 'status', value ->> 'task_type', value ->> 'bounty_sats',
       value ->> 'created_at', value ->> 'expires_at', value ->> 'title', value ->> 'description',
       json_object('gig_id', value ->> 'gig_id', 'title', value ->> 'title', 'task_type', value ->> 'task_type',
         'bounty_sats', value ->> 'bounty_sats')
     FROM json_each(?)`,
    JSON.stringify([...seeded, { ...seed(900), status: "IN_PROGRESS" }, { ...seed(901), expires_at: Date.now() - 1 }]),
  );
  seeded.sort((a, b) => b.created_at - a.created_at || (a.gig_id < b.gig_id ? 1 : -1));
});

after(() => stack?.stop());

function seed(index) {
  // Ids whose order is not that of their making.
  const id = String((index * 7919) % 100_003).padStart(12, "0");
  return {
    gig_id: `00000000-0000-8000-8000-${id}`,
    status: "ACTIVE",
    task_type: TYPES[index % TYPES.length],
    bounty_sats: index + 1,
    created_at: 1_700_000_000_000 + Math.floor(index / AT_ONCE),
    expires_at: Date.now() + 3_600_000,
    title: index % 10 === 0 ? `Rare Orchid ${index}` : `Gig ${index}`,
    description: index === 123 ? "100% of it_all \\ 'quoted'" : "nothing special",
  };
}

/** Every gig that the pages of `query` show, in their order. */
async function all(query) {
  const ids = [];
  let cursor = null;
  let pages = 0;
  do {
    const more = cursor === null ? "" : `&cursor=${cursor}`;
    const page = await discover(stack, `?${query}${more}`);
    assert.equal(page.count, page.gigs.length);
    ids.push(...page.gigs.map(({ gig_id: id }) => id));
    cursor = page.next_cursor;
    pages += 1;
    assert.ok(pages <= SEEDED + 1, "the pages do not end");
  } while (cursor !== null);
  return ids;
}

function idsOf(gigs) {
  return gigs.map(({ gig_id: id }) => id);
}

test("every page size shows each gig once, newest first, also among gigs of one moment", async () => {
  for (const limit of [1, 7, 50, 99, 100]) {
    assert.deepEqual(await all(`limit=${limit}`), idsOf(seeded), `limit ${limit}`);
  }
  const first = await discover(stack);
  assert.equal(first.count, 100, "a page holds 100 unless asked");
  assert.deepEqual(idsOf(first.gigs), idsOf(seeded.slice(0, 100)));
});

test("a gig that comes while somebody pages does not disturb the pages", async () => {
  const first = await discover(stack, "?limit=100");
  const gig = await postGig(stack);
  const second = await discover(stack, `?limit=100&cursor=${first.next_cursor}`);
  assert.deepEqual(idsOf(second.gigs), idsOf(seeded.slice(100, 200)));
  assert.equal((await discover(stack, "?limit=1")).gigs[0].gig_id, gig.id);
  await act(stack, gig.buyer, "TaskCancellation");
  assert.notEqual((await discover(stack, "?limit=1")).gigs[0].gig_id, gig.id);
});

test("each filter, and all of them together, through all pages", async () => {
  const filters = [
    ["task_type=api_relay", (gig) => gig.task_type === "api_relay"],
    ["min_bounty=200", (gig) => gig.bounty_sats >= 200],
    ["max_bounty=10", (gig) => gig.bounty_sats <= 10],
    ["min_bounty=50&max_bounty=50", (gig) => gig.bounty_sats === 50],
    ["q=orchid", (gig) => gig.title.includes("Orchid")],
    ["q=ORCHID%2024", (gig) => gig.title.startsWith("Rare Orchid 24")],
    ["q=it_all", (gig) => gig.description.includes("it_all")],
    ["q=100%25", (gig) => gig.description.includes("100%")],
    ["q=%27quoted%27", (gig) => gig.description.includes("'quoted'")],
    ["q=%25", (gig) => gig.description.includes("%")],
    ["q=_", (gig) => gig.description.includes("_")],
    ["q=no+such+words", () => false],
    ["task_type=web_scrape&q=orchid&min_bounty=100&max_bounty=200", (gig) =>
      gig.task_type === "web_scrape" && gig.title.includes("Orchid") && gig.bounty_sats >= 100 && gig.bounty_sats <= 200],
  ];
  for (const [query, matches] of filters) {
    for (const limit of [3, 100]) {
      assert.deepEqual(await all(`${query}&limit=${limit}`), idsOf(seeded.filter(matches)), query);
    }
  }
});

test("a claimed gig leaves the list", async () => {
  const gig = await postGig(stack);
  assert.equal((await discover(stack, "?limit=1")).gigs[0].gig_id, gig.id);
  await claim(stack, gig.id);
  assert.notEqual((await discover(stack, "?limit=1")).gigs[0]?.gig_id, gig.id);
});

test("nonsense and unknown names are refused, each by its name", async () => {
  const { next_cursor: cursor } = await discover(stack, "?limit=1");
  const nonsense = [
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-1", "limit"],
    ["limit=1e1", "limit"],
    ["limit=", "limit"],
    ["limit=1.5", "limit"],
    ["limit=99999999999999999999", "limit"],
    ["min_bounty=x", "min_bounty"],
    ["max_bounty=1000001", "max_bounty"],
    ["min_bounty=2&max_bounty=1", "min_bounty"],
    ["task_type=magic", "task_type"],
    ["task_type=COMPUTATION", "task_type"],
    ["q=", "q"],
    [`q=${"x".repeat(101)}`, "q"],
    ["cursor=", "cursor"],
    ["cursor=%21", "cursor"],
    [`cursor=${cursor}x`, "cursor"],
    [`cursor=${Buffer.from("1.' OR 1=1 --").toString("base64url")}`, "cursor"],
    ["page=2", "page"],
    ["status=CLOSED", "status"],
    ["Limit=1", "Limit"],
  ];
  for (const [query, field] of nonsense) {
    const { errors } = await assertProblem(await stack.fetch(`/v1/gigs/discover?${query}`), 400, "invalid_body", query);
    assert.equal(errors[0].field, field, query);
  }
});
