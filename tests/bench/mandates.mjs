// Mandates: a question, a request that passes, and pages of lists; beside a bare answer and a one-row write, and the pages
// of a long list beside those of a short one.
import { randomUUID } from "node:crypto";
import { bytes32, evaluated, mandateOf, party, sealed, usdc } from "../e2e/support/mandate.mjs";
import { signIn } from "../e2e/support/signin.mjs";
import { load, request } from "./wire.mjs";

/** What is signed is for the authority that the plain client names. */
const NAMED = "http://127.0.0.1/";
const ROUNDS = 3;
const WARM_UP_ROUNDS = 2;
/** Few enough requests of each that none of their escrows has to end. */
const MANDATES = 20;
const REQUESTS_EACH = 20;
/** What lists hold: an owner's mandates, and the requests of each. A short one fills a page. */
const LISTED = [["short", 50, 1], ["long", 200, 50]];

/** Measures all of it; `steadily` and `figures` are those of the other measurements. */
export async function mandates(board, floor, figures, steadily) {
  const stack = { url: board.url.href, fetch: (path, init) => fetch(new URL(path, board.url), init) };
  const [owner, agent, provider] = [party(), party(), party()];
  const wish = { recipient: provider.address, service: "text.transform", amount: usdc(1) };
  const options = { policy: { dayCap: usdc(1_000_000) }, funds: usdc(1_000_000) };
  const made = [];
  for (let index = 0; index < MANDATES; index += 1) made.push(await mandateOf(stack, owner, agent, options));

  const question = request("POST", `/v1/mandates/${made[0].mandate}/evaluate`, {}, JSON.stringify(wish));
  await steadily(
    ["empty Worker", floor.url, request("POST", "/empty", {}, JSON.stringify(wish)), 200],
    ["mandate evaluate", board.url, question, 200],
  );
  await requests({ board, floor, figures, stack, agent, made, wish });
  await lists({ board, stack, steadily });
}

async function requests({ board, floor, figures, stack, agent, made, wish }) {
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const once = async (name, url, options) => {
      const measured = await load(url, options);
      if (round >= 0) figures.add(name, measured);
    };
    const asked = (await Promise.all(made.map((mandate) => signed(stack, agent, mandate, wish)))).flat();
    const objects = asked.map(() => `/object/${randomUUID()}`);
    const write = { requests: objects.map((path) => request("POST", path, {}, "{}")), expect: 200 };
    // The objects of the requests are there already; so are these.
    await load(floor.url, write);
    await once("one-row write", floor.url, write);
    const projected = objects.map((path) => request("POST", `${path}/projected`, {}, "{}"));
    await once("projected write", floor.url, { requests: projected, expect: 200 });
    await once("mandate request", board.url, { requests: asked, expect: 201 });
  }
}

/** Requests of an agent as bytes, signed by its key before the clock runs. */
async function signed(stack, agent, mandate, wish) {
  const { request: message } = await evaluated(stack, mandate, wish);
  const path = `/v1/mandates/${mandate.mandate}/requests`;
  const one = () => sealed({ url: NAMED }, agent, "POST", path, { request: { ...message, requestId: bytes32() } }).then(bytesOf);
  return Promise.all(Array.from({ length: REQUESTS_EACH }, one));
}

/** A request of the Fetch API as the plain client sends it. */
async function bytesOf(sent) {
  const { "content-type": _, ...headers } = Object.fromEntries(sent.headers);
  return request(sent.method, new URL(sent.url).pathname, headers, await sent.text());
}

/** Pages for an owner who is signed in, of short lists and of long ones. Both owners' rows lie in the same tables. */
async function lists({ board, stack, steadily }) {
  const pages = [];
  for (const [length, mandates, requests] of LISTED) {
    const { account, cookie } = await signIn(stack);
    await fill(board, account.address.toLowerCase(), mandates, requests);
    for (const list of ["payments", "mandates", "activity"]) {
      pages.push([`${list} page, ${length} list`, board.url, request("GET", `/v1/${list}`, { Cookie: cookie }), 200]);
    }
  }
  await steadily(...pages);
}

/** Gives an owner mandates with requests, and a line of the log for each: the rows of another, under other names. */
async function fill(board, owner, mandates, requests) {
  const numbers = (name, until) => `${name} (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM ${name} WHERE i < ${until})`;
  const mandate = `printf('0x%s%024x', substr('${owner}', 3), m.i)`;
  const both = `WITH RECURSIVE ${numbers("m", mandates)}, ${numbers("n", requests)}`;
  await board.d1(`WITH RECURSIVE ${numbers("m", mandates)} INSERT INTO mandates
    (mandate_id, version, owner, agent, status, created_at, expires_at, deadline, as_of, record, label)
    SELECT ${mandate}, 9, '${owner}', r.agent, r.status, r.created_at + m.i, r.expires_at, NULL, r.as_of, r.record, r.label
    FROM m JOIN (SELECT * FROM mandates LIMIT 1) r`);
  await board.d1(`${both} INSERT INTO requests
    (payment, version, mandate_id, request_id, owner, agent, progress, requested_at, record, private)
    SELECT printf('0x%s%012x%012x', substr('${owner}', 3), m.i, n.i), 9, ${mandate}, '${bytes32()}', '${owner}', r.agent,
      r.progress, r.requested_at + m.i * 100 + n.i, r.record, r.private
    FROM m JOIN n JOIN (SELECT * FROM requests LIMIT 1) r`);
  await board.d1(`${both} INSERT INTO activity (mandate_id, at, line, owner, kind, result, record)
    SELECT ${mandate}, r.at + m.i * 100 + n.i, printf('%s%08d%08d', ${mandate}, m.i, n.i), '${owner}', r.kind, r.result, r.record
    FROM m JOIN n JOIN (SELECT * FROM activity LIMIT 1) r`);
}
