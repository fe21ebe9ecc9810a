// Who may do what with a mandate: every route, asked by everyone. Whoever may not changes nothing and learns nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem, send } from "./support/board.mjs";
import { signIn } from "./support/signin.mjs";
import {
  VARS, act, approval, ask, askSignedIn, bytes32, evaluated, mandateBody, mandateOf, party, paymentAt, request, typed, usdc,
} from "./support/mandate.mjs";

let stack;
/** Who asks, by role: an account signs its requests, a session's holder sends a cookie. */
let roles;
/** The accounts behind them. */
let people;

before(async () => {
  stack = await start(VARS);
  const [owner, agent, stranger] = await Promise.all([signIn(stack), signIn(stack), signIn(stack)]);
  const [provider, resolver] = [party(), party()];
  people = { owner: owner.account, agent: agent.account, stranger: stranger.account, provider, resolver };
  const sessions = { ownerSession: owner, agentSession: agent, strangerSession: stranger };
  roles = { nobody: null, ...people, ...sessions };
});
after(() => stack?.stop());

/** Asks in a role. */
function knock(role, method, path, body, headers) {
  const who = roles[role];
  return who?.cookie ? askSignedIn(stack, who, method, path, body, headers) : ask(stack, who, method, path, body, headers);
}

/** A mandate of our owner, and a payment under it that stands at `stage`, if one is named. */
async function world(stage) {
  const { owner, agent, provider, resolver } = people;
  const terms = { resolver: resolver.address };
  const mandate = await mandateOf(stack, owner, agent, { policy: { terms } });
  return { mandate, path: `/v1/mandates/${mandate.mandate}`, ...(stage && (await standing(stage, mandate))) };
}

async function standing(stage, mandate) {
  const { owner, agent, provider } = people;
  const payment = await paymentAt(stack, stage, { owner, agent, provider, mandate });
  const path = `/v1/mandates/${mandate.mandate}`;
  return { payment, act: `${path}/requests/${payment.payment}`, approval: `/v1/approvals/${payment.payment}` };
}

const UNKNOWN = "401 missing_credentials";
const NOT = "403 not_permitted";
const everyone = (expected) => ({ others: expected });
const known = (expected) => ({ nobody: UNKNOWN, others: expected });
const theOwner = (expected) => ({ nobody: UNKNOWN, owner: expected, ownerSession: expected, others: NOT });
/** Only who signs: a session stands for no agent, provider or resolver. */
const signing = (role, expected, refusal = NOT) => ({
  nobody: UNKNOWN, ownerSession: UNKNOWN, agentSession: UNKNOWN, strangerSession: UNKNOWN, [role]: expected, others: refusal,
});

const body = () => ({ ...mandateBody(party()) });
const key = () => ({ "idempotency-key": bytes32() });
const { policy: looser } = mandateBody({ address: "" }, { policy: { dayCap: usdc(31) } });
const amendment = () => ({ expectedVersion: 1, policy: looser });
const asWhole = async ({ mandate }) =>
  ({ request: (await evaluated(stack, mandate, { recipient: people.provider.address, amount: usdc(1) })).request });
const wish = () => ({ recipient: people.provider.address, service: "text.transform", amount: usdc(1) });

/** What is asked: its name, where a payment is to stand first, method, path, body, and what each role is told. */
const ROUTES = [
  ["the status", null, "GET", () => "/v1/status", null, everyone(200)],
  ["making a mandate", null, "POST", () => "/v1/mandates", body, known(201)],
  ["mandates", null, "GET", () => "/v1/mandates", null, known(200)],
  ["a mandate", null, "GET", (w) => w.path, null, everyone(200)],
  ["its entries", null, "GET", (w) => `${w.path}/entries`, null, everyone(200)],
  ["its budget", null, "GET", (w) => `${w.path}/budget`, null, everyone(200)],
  ["a question", null, "POST", (w) => `${w.path}/evaluate`, wish, everyone(200)],
  ["money in", null, "POST", (w) => `${w.path}/fund`, () => ({ amount: "1" }), theOwner(200)],
  ["money out", null, "POST", (w) => `${w.path}/withdraw`, () => ({ amount: "1" }), theOwner(200)],
  ["a pause", null, "POST", (w) => `${w.path}/pause`, null, theOwner(200)],
  ["the end of a pause", null, "POST", (w) => `${w.path}/unpause`, null, theOwner("409 not_paused")],
  ["revoking", null, "POST", (w) => `${w.path}/revoke`, null, theOwner(200)],
  ["renouncing", null, "POST", (w) => `${w.path}/renounce`, null, signing("agent", 200)],
  ["amending", null, "POST", (w) => `${w.path}/amend`, amendment, theOwner(202)],
  ["applying an amendment", null, "POST", (w) => `${w.path}/apply-amendment`, amendment, known("409 no_amendment")],
  ["cancelling an amendment", null, "POST", (w) => `${w.path}/cancel-amendment`, null, theOwner("409 no_amendment")],
  ["asking for a payment", null, "POST", (w) => `${w.path}/requests`, asWhole, signing("agent", 201, "403 agent_signature")],
  ["asking by the agent's path", null, "POST", () => "/v1/agent/payments", asWhole, signing("agent", 201, "403 agent_signature")],
  ["asking for an approval", null, "POST", () => "/v1/agent/approvals", asWhole, signing("agent", 201, "403 agent_signature")],
  ["a mandate's requests", "escrowed", "GET", (w) => `${w.path}/requests`, null, known(200)],
  ["a request", "waiting", "GET", (w) => w.act, null, everyone(200)],
  ["a payment", "escrowed", "GET", (w) => `/v1/payments/${w.payment.payment}`, null, everyone(200)],
  ["a yes by the owner's hand", "waiting", "POST", (w) => `${w.act}/approve`, (w) => approval(stack, people.owner, w.payment.payment), everyone(200)],
  ["a no", "waiting", "POST", (w) => `${w.act}/reject`, null, theOwner(200)],
  ["submitting", "approved", "POST", (w) => `${w.act}/submit`, null, signing("agent", 200, "403 agent_signature")],
  ["cancelling", "waiting", "POST", (w) => `${w.act}/cancel`, null, { ...signing("agent", 200), owner: 200, ownerSession: 200 }],
  ["delivering", "escrowed", "POST", (w) => `${w.act}/deliver`, () => ({ receiptHash: bytes32() }), signing("provider", 200)],
  ["accepting", "delivered", "POST", (w) => `${w.act}/accept`, null, theOwner(200)],
  ["disputing", "delivered", "POST", (w) => `${w.act}/dispute`, null, theOwner(200)],
  ["capturing", "delivered", "POST", (w) => `${w.act}/capture`, () => ({ total: "1" }), signing("provider", "409 challenge_open")],
  ["claiming", "delivered", "POST", (w) => `${w.act}/claim`, null, everyone("409 challenge_open")],
  ["voiding", "escrowed", "POST", (w) => `${w.act}/void`, null, signing("provider", 200)],
  ["resolving", "disputed", "POST", (w) => `${w.act}/resolve`, () => ({ toProvider: "0" }), signing("resolver", 200)],
  ["expiring", "escrowed", "POST", (w) => `${w.act}/expire`, null, everyone("409 delivery_open")],
  ["timing out", "disputed", "POST", (w) => `${w.act}/time-out`, null, everyone("409 resolution_open")],
  ["giving back", "settled", "POST", (w) => `${w.act}/refund`, () => ({ total: "1" }), signing("provider", 200)],
  ["approvals", null, "GET", () => "/v1/approvals", null, known(200)],
  ["an approval", "waiting", "GET", (w) => w.approval, null, { ...theOwner(200), agent: 200, agentSession: 200, others: "404 unknown_request" }],
  ["the agent's view of one", "waiting", "GET", (w) => `/v1/agent${w.approval.slice(3)}`, null,
    { ...theOwner(200), agent: 200, agentSession: 200, others: "404 unknown_request" }],
  ["deciding", "waiting", "POST", (w) => `${w.approval}/decide`, () => ({ decision: "reject" }),
    { ...theOwner(200), agent: NOT, agentSession: NOT, others: "404 unknown_request" }],
  ["payments", null, "GET", () => "/v1/payments", null, known(200)],
  ["activity", null, "GET", () => "/v1/activity", null, known(200)],
  ["activity as a file", null, "GET", () => "/v1/activity?format=csv", null, known(200)],
  ["names of agents", null, "GET", () => "/v1/agents", null, known(200)],
  ["naming an agent", null, "POST", () => "/v1/agents", () => ({ agent: party().address, name: "One" }), known(200)],
  ["drafts", null, "GET", () => "/v1/drafts", null, known(200)],
  ["a draft", null, "POST", () => "/v1/drafts", () => ({ mandate: {} }), known(201)],
  ["the agent's mandates", null, "GET", () => "/v1/agent/mandates", null, known(200)],
  ["the agent's question", null, "POST", () => "/v1/agent/evaluate", (w) => ({ ...wish(), mandate: w.mandate.mandate }), everyone(200)],
  ["recording", null, "POST", () => "/v1/agent/payments/record", () => ({}), everyone("409 nothing_to_record")],
];

/** The mandate and the payment as their owner sees them. */
async function seen({ path, act }) {
  const looks = [path, ...(act ? [act] : [])].map(async (where) => answered(await ask(stack, people.owner, "GET", where), 200));
  return Promise.all(looks);
}

for (const [what, stage, method, path, body, expected] of ROUTES) {
  test(`${what}: ${method}`, async () => {
    const first = await world(stage);
    const earlier = await seen(first);
    const [refused, allowed] = [[], []];
    for (const role of Object.keys(roles)) {
      const told = expected[role] ?? expected.others;
      (typeof told === "string" ? refused : allowed).push([role, told]);
    }
    for (const [role, told] of refused) {
      const answer = await knock(role, method, path(first), (await body?.(first)) ?? undefined, method === "POST" ? key() : {});
      const [status, code] = told.split(" ");
      await assertProblem(answer, Number(status), code, `${what} by ${role}`);
    }
    assert.deepEqual(await seen(first), earlier, `${what}: refused and yet done`);
    for (const [role, status] of allowed) {
      const fresh = method === "GET" ? first : await world(stage);
      const answer = await knock(role, method, path(fresh), (await body?.(fresh)) ?? undefined, method === "POST" ? key() : {});
      assert.equal(answer.status, status, `${what} by ${role}: ${await answer.text()}`);
    }
  });
}

test("a page of another origin does nothing with the owner's cookie", async () => {
  const writes = ROUTES.filter(([what, , method]) => method === "POST" && what !== "recording");
  const worlds = new Map();
  for (const [what, stage, method, path, body] of writes) {
    if (!worlds.has(stage)) worlds.set(stage, await world(stage));
    const w = worlds.get(stage);
    const earlier = await seen(w);
    for (const origin of ["", "null", stack.url, "https://evil.example", "https://guildhall.example.evil.example", "http://guildhall.example"]) {
      const answer = await knock("ownerSession", method, path(w), (await body?.(w)) ?? undefined, { origin, ...key() });
      await assertProblem(answer, 403, "origin_not_allowed", `${what} from ${origin}`);
    }
    assert.deepEqual(await seen(w), earlier, what);
  }
  const { draft } = await answered(await knock("ownerSession", "POST", "/v1/drafts", { mandate: {}, note: "mine" }), 201);
  const named = party().address;
  await answered(await knock("ownerSession", "POST", "/v1/agents", { agent: named, name: "One" }), 200);
  const more = [["PATCH", `/v1/drafts/${draft}`, { note: "theirs" }], ["DELETE", `/v1/drafts/${draft}`], ["DELETE", `/v1/agents/${named}`]];
  for (const [method, where, change] of more) {
    const foreign = { origin: "https://evil.example" };
    await assertProblem(await knock("ownerSession", method, where, change, foreign), 403, "origin_not_allowed", `${method} ${where}`);
    assert.ok((await knock("ownerSession", method, where, change)).ok, `${method} ${where}`);
  }
});

/** The text of an answer without what tells two answers of one sort apart. */
async function bare(answer) {
  const text = await answer.text();
  return [answer.status, text.replace(/"requestId":"[^"]*"/, "")];
}

test("what is somebody else's looks as if it were not there", async () => {
  const { payment, mandate } = await world("waiting");
  const nowhere = bytes32();
  const draft = await answered(await knock("owner", "POST", "/v1/drafts", { mandate: { secret: 1 }, note: "private" }), 201);
  const missing = "0".repeat(draft.draft.length);
  const named = party().address;
  await answered(await knock("owner", "POST", "/v1/agents", { agent: named, name: "Private" }), 200);
  const looks = [
    ["GET", `/v1/approvals/${payment.payment}`, `/v1/approvals/${nowhere}`],
    ["GET", `/v1/approvals/${payment.requestId}`, `/v1/approvals/${nowhere}`],
    ["GET", `/v1/agent/approvals/${payment.payment}`, `/v1/agent/approvals/${nowhere}`],
    ["POST", `/v1/approvals/${payment.payment}/decide`, `/v1/approvals/${nowhere}/decide`, { decision: "reject" }],
    ["GET", `/v1/mandates/${mandate.mandate}/requests`, `/v1/mandates/${nowhere}/requests`],
    ["GET", `/v1/payments?mandate=${mandate.mandate}`, `/v1/payments?mandate=${nowhere}`],
    ["GET", `/v1/activity?mandate=${mandate.mandate}`, `/v1/activity?mandate=${nowhere}`],
    ["GET", `/v1/activity?format=csv&mandate=${mandate.mandate}`, `/v1/activity?format=csv&mandate=${nowhere}`],
    ["PATCH", `/v1/drafts/${draft.draft}`, `/v1/drafts/${missing}`, { note: "mine now" }],
    ["DELETE", `/v1/drafts/${draft.draft}`, `/v1/drafts/${missing}`],
    ["DELETE", `/v1/agents/${named}`, `/v1/agents/${party().address}`],
  ];
  for (const [method, there, elsewhere, body] of looks) {
    for (const role of ["stranger", "strangerSession", "provider"]) {
      const [its, none] = await Promise.all([there, elsewhere].map((path) => knock(role, method, path, body)));
      assert.deepEqual(await bare(its), await bare(none), `${method} ${there} by ${role}`);
    }
  }
  const [kept] = (await answered(await knock("ownerSession", "GET", "/v1/drafts"), 200)).drafts;
  assert.equal(kept.note, "private");
  const { agents } = await answered(await knock("ownerSession", "GET", "/v1/agents"), 200);
  assert.ok(agents.some(({ agent }) => agent === named));
  const newcomer = party();
  for (const list of ["mandates", "payments", "approvals", "activity", "drafts", "agents"]) {
    const page = await answered(await ask(stack, newcomer, "GET", `/v1/${list}`), 200);
    assert.deepEqual(page[list], [], `${list} of one who has none`);
  }
});

test("what anyone may read says no label, no note, no approval", async () => {
  const { owner, agent, provider } = people;
  const label = `label-${bytes32()}`;
  const mandate = await mandateOf(stack, owner, agent, { label });
  const note = `note-${bytes32()}`;
  const rejected = await paymentAt(stack, "waiting", { owner, agent, provider, mandate });
  await answered(await act(stack, owner, rejected, "reject", { note }), 200);
  const approved = await paymentAt(stack, "approved", { owner, agent, provider, mandate });
  const waiting = await paymentAt(stack, "waiting", { owner, agent, provider, mandate });
  const { approval: given } = await answered(await ask(stack, owner, "GET", `/v1/payments/${approved.payment}`), 200);
  const { approval: wait } = await answered(await ask(stack, owner, "GET", `/v1/payments/${waiting.payment}`), 200);
  const secrets = { label, note, signature: given.signature, validBefore: "\"approval\"", waitsUntil: "waitsUntil" };
  assert.ok(Date.parse(wait.waitsUntil) > Date.now());

  const path = `/v1/mandates/${mandate.mandate}`;
  const one = (list) => list.flatMap(({ payment, requestId }) =>
    [payment, requestId].flatMap((name) => [`${path}/requests/${name}`, `/v1/payments/${name}`, `/api/payments/${name}`]));
  const open = [path, `/api/mandates/${mandate.mandate}`, `${path}/entries`, `${path}/budget`, ...one([rejected, approved, waiting])];
  const told = async (role, paths) => (await Promise.all(paths.map(async (where) => (await knock(role, "GET", where)).text()))).join("\n");
  for (const role of ["nobody", "stranger", "strangerSession", "provider"]) {
    const text = await told(role, open);
    for (const [what, secret] of Object.entries(secrets)) assert.ok(!text.includes(secret), `${what} to ${role}`);
    const lists = await told(role, role === "nobody" ? [] : [`${path}/requests`, "/v1/agent/mandates", "/v1/payments", "/v1/activity"]);
    for (const [what, secret] of Object.entries(secrets)) assert.ok(!lists.includes(secret), `${what} in a list to ${role}`);
  }
  // The two whose they are see them, but for the label, which is the owner's alone.
  for (const role of ["owner", "ownerSession", "agent", "agentSession"]) {
    const text = await told(role, [...open, `${path}/requests`, "/v1/agent/mandates"]);
    for (const [what, secret] of Object.entries(secrets)) {
      assert.equal(text.includes(secret), what !== "label" || role.startsWith("owner"), `${what} to ${role}`);
    }
  }
  // What a question or an act answers to whoever brings it is no more than a look.
  const by = await knock("provider", "POST", `${path}/evaluate`, { request: waiting.request });
  const brought = await knock("nobody", "POST", `${path}/requests/${waiting.payment}/approve`, await approval(stack, owner, waiting.payment));
  const texts = [await by.text(), await brought.text()];
  assert.deepEqual([by.status, brought.status], [200, 200]);
  for (const text of texts) for (const [what, secret] of Object.entries(secrets)) assert.ok(!text.includes(secret), `${what} in ${text}`);
});

test("two agents of one owner do nothing for each other", async () => {
  const { owner, agent, provider } = people;
  const other = party();
  const [mine, its] = await Promise.all([mandateOf(stack, owner, agent), mandateOf(stack, owner, other)]);
  const payments = {};
  for (const stage of ["waiting", "approved", "escrowed"]) {
    payments[stage] = await paymentAt(stack, stage, { owner, agent, provider, mandate: mine });
  }
  const earlier = await answered(await ask(stack, owner, "GET", `/v1/mandates/${mine.mandate}`), 200);
  const tries = [
    [await request(stack, other, mine, { recipient: provider.address, amount: usdc(1) }), 403, "agent_signature"],
    [await act(stack, other, payments.approved, "submit"), 403, "agent_signature"],
    [await act(stack, other, payments.waiting, "cancel"), 403, "not_permitted"],
    [await act(stack, other, payments.escrowed, "deliver", { receiptHash: bytes32() }), 403, "not_permitted"],
    [await ask(stack, other, "POST", `/v1/mandates/${mine.mandate}/renounce`), 403, "not_permitted"],
    [await ask(stack, other, "GET", `/v1/agent/approvals/${payments.approved.payment}`), 404, "unknown_request"],
    [await ask(stack, other, "POST", `/v1/mandates/${its.mandate}/requests`, { request: payments.approved.request }), 404, "unknown_mandate"],
  ];
  for (const [answer, status, code] of tries) await assertProblem(answer, status, code);
  const message = (await evaluated(stack, mine, { recipient: provider.address, amount: usdc(1) }));
  const forged = { request: message.request, signature: await typed(other, message.typedData) };
  await assertProblem(await ask(stack, other, "POST", `/v1/mandates/${mine.mandate}/requests`, forged), 403, "agent_signature");
  assert.deepEqual(await answered(await ask(stack, owner, "GET", `/v1/mandates/${mine.mandate}`), 200), earlier);
  const { requests } = await answered(await ask(stack, other, "GET", `/v1/mandates/${mine.mandate}/requests`), 200);
  assert.deepEqual(requests, []);
  const { mandates } = await answered(await ask(stack, other, "GET", "/v1/agent/mandates"), 200);
  assert.deepEqual(mandates.map(({ mandate }) => mandate), [its.mandate]);
});

test("no tool of the MCP server approves, whoever sends along what", async () => {
  const { owner, agent, provider } = people;
  const mandate = await mandateOf(stack, owner, agent);
  const waiting = await paymentAt(stack, "waiting", { owner, agent, provider, mandate });
  const cookie = roles.ownerSession.cookie;
  const rpc = async (method, params) => {
    const answer = await send(stack, "/mcp", { jsonrpc: "2.0", id: 1, method, params }, { cookie });
    return (await answer.json()).result;
  };
  const { tools } = await rpc("tools/list", {});
  assert.deepEqual(
    tools.map(({ name }) => name).filter((name) => /approv|decide|sign|reject|fund|amend/.test(name)), [],
  );
  const { signature, validBefore } = await approval(stack, owner, waiting.payment);
  const { typedData } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1) });
  const its = { request: waiting.request, signature: await typed(agent, { ...typedData, message: waiting.request }) };
  const alone = await rpc("tools/call", { name: "request_payment", arguments: its });
  assert.equal(alone.isError ?? false, false, JSON.stringify(alone));
  for (const more of [{ approval: { signature, validBefore } }, { approvalSignature: signature }, { decision: "approve", signature }]) {
    const called = await rpc("tools/call", { name: "request_payment", arguments: { ...its, ...more } });
    assert.ok(called === undefined || called.isError || /awaiting_approval/.test(JSON.stringify(called)), JSON.stringify(called));
  }
  const now = await answered(await ask(stack, owner, "GET", `/v1/payments/${waiting.payment}`), 200);
  assert.equal(now.progress, "awaiting_approval");
});

test("another mandate's payment is unknown under a mandate, even to the owner of both", async () => {
  const [first, second] = [await world("waiting"), await world("waiting")];
  const crossed = `/v1/mandates/${first.mandate.mandate}/requests/${second.payment.payment}`;
  await assertProblem(await knock("owner", "GET", crossed), 404, "unknown_request");
  await assertProblem(await knock("owner", "POST", `${crossed}/reject`), 404, "unknown_request");
  const ended = await knock("owner", "POST", `${crossed}/cancel`, { request: second.payment.request });
  await assertProblem(ended, 404, "unknown_mandate");
});
