// What is wrong with what is sent is refused by its name and place, one fault at a time, and changes nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  VARS, act, ask, bytes32, evaluated, mandateBody, mandateOf, party, paymentAt, request, sealed, usdc,
} from "./support/mandate.mjs";

let stack;
let [owner, agent, provider, newcomer] = [];
let mandate;
let path;
let message;

before(async () => {
  stack = await start(VARS);
  [owner, agent, provider, newcomer] = [party(), party(), party(), party()];
  mandate = await mandateOf(stack, owner, agent);
  path = `/v1/mandates/${mandate.mandate}`;
  ({ request: message } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1) }));
});
after(() => stack?.stop());

const key = () => ({ "idempotency-key": bytes32() });
const shown = async () => answered(await ask(stack, owner, "GET", path), 200);

/** Says it with every fault and its place. */
async function malformed(answer, field, about) {
  const { errors } = await assertProblem(answer, 400, "invalid_body", about);
  const places = errors.map((fault) => fault.field);
  assert.ok(places.includes(field), `${about}: ${JSON.stringify(errors)}`);
  for (const { message: words } of errors) assert.ok(words.length > 0, about);
}

/** A copy of `value` with `to` at `place`, such as `policy.dayCap` or `entries.0.service`; undefined takes it away. */
function set(value, place, to) {
  const copy = structuredClone(value);
  const names = place.split(".");
  const inner = names.slice(0, -1).reduce((part, name) => part[name], copy);
  if (to === undefined) delete inner[names.at(-1)];
  else inner[names.at(-1)] = to;
  return copy;
}

const NO_AMOUNTS = [
  "-1", "1.5", "1e6", "01", "", " 1", "1 ", "+1", "0x10", "one", "١", "1_000", `${2n ** 128n}`, 1, 1.5, true, {}, [],
];
const TOO_MUCH = "79228162514264337593543950336";
const NO_ADDRESSES = [
  "", "0x", "0x12", "alice.eth", `0x${"g".repeat(40)}`, `${"0".repeat(40)}`, `0x${"0".repeat(41)}`, `0X${"1".repeat(40)}`, 7, {},
];
const NO_HASHES = ["", "0x", `0x${"1".repeat(63)}`, `0x${"1".repeat(65)}`, `0x${"g".repeat(64)}`, `0x0x${"1".repeat(62)}`, 7];
const NO_TIMES = ["", "tomorrow", "2027-02-30T00:00:00Z", "2027-01-01", "2027-01-01T00:00:00", 1_800_000_000, "1800000000"];
const NO_SERVICES = [
  "", "Text.Transform", "text transform", "tëxt", "text\u0000",
  "text_transform", "x".repeat(65), "0x12", `0x${"1".repeat(62)}`, " text", 7,
];
const NO_NUMBERS = [-1, 1.5, "86400s", 4294967296, 1e20, true, {}];

const CREATE_FAULTS = [
  ["salt", NO_HASHES], ["label", ["x".repeat(121), "é".repeat(61), 7, {}]], ["agent", [undefined, null, ...NO_ADDRESSES]],
  ["amendDelaySeconds", [...NO_NUMBERS, "86400", null]], ["policy", [undefined, null, "strict", 7]],
  ["policy.validAfter", NO_TIMES], ["policy.validBefore", [undefined, null, ...NO_TIMES]],
  ["policy.paymentCap", [undefined, null, TOO_MUCH, ...NO_AMOUNTS]], ["policy.dayCap", [undefined, TOO_MUCH, ...NO_AMOUNTS]],
  ["policy.monthCap", [TOO_MUCH, ...NO_AMOUNTS]], ["policy.lifetimeCap", [TOO_MUCH, ...NO_AMOUNTS]],
  ["policy.approvalAbove", [TOO_MUCH, ...NO_AMOUNTS]], ["policy.dayCount", [...NO_NUMBERS, "3"]],
  ["policy.terms", [null, 7]], ["policy.terms.challengePeriodSeconds", NO_NUMBERS], ["policy.terms.resolutionTimeoutSeconds", NO_NUMBERS],
  ["policy.terms.silenceBps", [-1, 65536, 1.5, "5000"]], ["policy.terms.resolver", [`0x${"0".repeat(40)}`, ...NO_ADDRESSES]],
  ["entries", [undefined, null, [], {}, "all"]], ["entries.0.recipient", [`0x${"0".repeat(40)}`, ...NO_ADDRESSES]],
  ["entries.0.service", [`0x${"0".repeat(64)}`, ...NO_SERVICES]], ["entries.0.paymentCap", [TOO_MUCH, ...NO_AMOUNTS]],
  ["entries.0.windowCap", [TOO_MUCH, ...NO_AMOUNTS]], ["entries.0.window", ["day", "UTC_DAY", 7, null]],
  ["more", [1]], ["policy.more", [1]], ["policy.terms.more", [1]], ["entries.0.more", [1]],
  ["ownerKind", ["contract", 7, null]], ["agentKind", ["contract", 7, null]],
];

test("a mandate is made of nothing that is wrong in any field", async () => {
  const good = mandateBody(agent, { policy: { terms: { silenceBps: 5000 } }, entries: [{ service: "text.transform" }] });
  for (const [place, values] of CREATE_FAULTS) {
    for (const value of values) {
      const answer = await ask(stack, newcomer, "POST", "/v1/mandates", set(good, place, value), key());
      await malformed(answer, place.replace(/\.(\d+)/, "[$1]"), `${place} = ${JSON.stringify(value)}`);
    }
  }
  const { errors } = await assertProblem(
    await ask(stack, newcomer, "POST", "/v1/mandates", set(set(good, "agent", "bob"), "policy.dayCap", "-1"), key()), 400, "invalid_body",
  );
  assert.deepEqual(errors.map(({ field }) => field).sort(), ["agent", "policy.dayCap"], "all faults at once");
  const { mandates } = await answered(await ask(stack, newcomer, "GET", "/v1/mandates"), 200);
  assert.deepEqual(mandates, []);
});

test("a mandate that makes no sense is refused by its rule", async () => {
  const zero = `0x${"0".repeat(40)}`;
  const rules = [
    ["agent", zero, "zero_agent"], ["agent", newcomer.address, "agent_is_owner"],
    ["policy.validBefore", "2020-01-01T00:00:00Z", "empty_window"], ["policy.validAfter", "2100-01-01T00:00:00Z", "empty_window"],
    ["policy.paymentCap", "0", "zero_cap"], ["policy.dayCap", "0", "zero_cap"], ["policy.monthCap", "0", "zero_cap"],
    ["policy.lifetimeCap", "0", "zero_cap"], ["policy.dayCount", 0, "zero_cap"],
    ["policy.terms.challengePeriodSeconds", 599, "challenge_period"], ["policy.terms.challengePeriodSeconds", 2_592_001, "challenge_period"],
    ["policy.terms.resolutionTimeoutSeconds", 3_599, "resolution_timeout"], ["policy.terms.silenceBps", 10_001, "silence_share"],
    ["policy.terms.resolver", newcomer.address, "resolver_is_party"], ["policy.terms.resolver", agent.address, "resolver_is_party"],
    ["amendDelaySeconds", 3_599, "amend_delay"], ["amendDelaySeconds", 2_592_001, "amend_delay"],
  ];
  const good = mandateBody(agent, { policy: { terms: {} } });
  for (const [place, value, code] of rules) {
    const answer = await ask(stack, newcomer, "POST", "/v1/mandates", set(good, place, value), key());
    const { errors } = await assertProblem(answer, 422, code, `${place} = ${value}`);
    assert.deepEqual(errors.map(({ field }) => field), [code]);
  }
  const { mandates } = await answered(await ask(stack, newcomer, "GET", "/v1/mandates"), 200);
  assert.deepEqual(mandates, []);
});

test("a key is 1 to 255 characters of visible ASCII", async () => {
  for (const bad of ["", " ", "two words", "k".repeat(256)]) {
    const made = await ask(stack, newcomer, "POST", "/v1/mandates", mandateBody(agent), bad === "" ? {} : { "idempotency-key": bad });
    await assertProblem(made, 400, "idempotency_key_required", bad);
    const funded = await ask(stack, owner, "POST", `${path}/fund`, { amount: "1" }, bad === "" ? {} : { "idempotency-key": bad });
    await assertProblem(funded, 400, "idempotency_key_required", bad);
  }
  const longest = { "idempotency-key": "k".repeat(255) };
  assert.equal((await ask(stack, party(), "POST", "/v1/mandates", mandateBody(agent), longest)).status, 201);
});

test("an entry for everything has both parts null; a thousand entries fit and no more", async () => {
  const entries = Array.from({ length: 1001 }, (_, index) => ({ service: `service.${index}` }));
  await malformed(await ask(stack, newcomer, "POST", "/v1/mandates", mandateBody(agent, { entries }), key()), "entries", "1,001 entries");
  const amended = await ask(stack, owner, "POST", `${path}/amend`, { expectedVersion: 1, policy: mandateBody(agent).policy, entries });
  await malformed(amended, "entries", "1,001 entries of an amendment");
  const all = await ask(stack, party(), "POST", "/v1/mandates", mandateBody(agent, { entries: [{ recipient: null, service: null }] }), key());
  assert.equal((await answered(all, 201)).entryCount, 1);
  const many = await ask(stack, party(), "POST", "/v1/mandates", mandateBody(agent, { entries: entries.slice(1) }), key());
  assert.equal((await answered(many, 201)).entryCount, 1000);
});

test("money moves by whole amounts that fit", async () => {
  const earlier = await shown();
  for (const verb of ["fund", "withdraw"]) {
    for (const amount of [TOO_MUCH, undefined, null, ...NO_AMOUNTS]) {
      await malformed(await ask(stack, owner, "POST", `${path}/${verb}`, { amount }, key()), "amount", `${verb} ${JSON.stringify(amount)}`);
    }
    await malformed(await ask(stack, owner, "POST", `${path}/${verb}`, { amount: "1", to: owner.address }, key()), "to", verb);
    await assertProblem(await ask(stack, owner, "POST", `${path}/${verb}`, { amount: "0" }, key()), 422, "zero_amount", verb);
  }
  await assertProblem(await ask(stack, owner, "POST", `${path}/withdraw`, { amount: usdc(100.000001) }, key()), 422, "withdrawal");
  await assertProblem(await ask(stack, owner, "POST", `${path}/fund`, { amount: `${2n ** 96n - 1n}` }, key()), 422, "amount_too_large");
  assert.deepEqual(await shown(), earlier);
});

const SIGNED_NUMBERS = ["policyVersion", "validAfter", "validBefore", "deliverBy", "captureBy", "refundBy"];
const REQUEST_FAULTS = [
  ...["mandate", "requestId", "service", "jobHash"].map((name) => [name, [undefined, null, ...NO_HASHES]]),
  ...["token", "recipient"].map((name) => [name, [undefined, null, ...NO_ADDRESSES]]),
  ...SIGNED_NUMBERS.map((name) => [name, [undefined, null, -1, 1.5, 1e30, "01", "-1", "1e9", "0x1", "", true, "18446744073709551616"]]),
  ...SIGNED_NUMBERS.slice(1).map((name) => [name, [2 ** 48, `${2 ** 48}`]]),
  ["maxAmount", [undefined, null, -1, 1.5, 1e30, "-1", "1.5", "1e6", "01", "", `${2n ** 128n}`, {}]],
  ["terms", [undefined, null, 7]], ["terms.resolver", [undefined, null, ...NO_ADDRESSES]],
  ["terms.silenceBps", [undefined, 65536, -1, "65536"]], ["terms.challengePeriod", [undefined, 4294967296]],
  ["terms.more", [1]], ["more", [1]],
];

test("a request is read whole, and nothing in it is guessed", async () => {
  const earlier = await shown();
  for (const [place, values] of REQUEST_FAULTS) {
    for (const value of values) {
      const wrong = { request: set(message, place, value) };
      const about = `${place} = ${JSON.stringify(value)}`;
      await malformed(await ask(stack, agent, "POST", `${path}/requests`, wrong), `request.${place}`, about);
      await malformed(await ask(stack, null, "POST", `${path}/evaluate`, wrong), `request.${place}`, about);
    }
  }
  assert.deepEqual(await shown(), earlier);
  // As wallets and libraries write them: numbers as texts, hex in upper case.
  const texts = Object.fromEntries(SIGNED_NUMBERS.map((name) => [name, `${message[name]}`]));
  const spelled = { ...message, ...texts, maxAmount: Number(message.maxAmount), service: message.service.toUpperCase().replace("0X", "0x") };
  const made = await answered(await ask(stack, agent, "POST", `${path}/requests`, { request: spelled }), 201);
  assert.deepEqual(made.request, message);
});

test("a request that breaks rules is told all of them, the first one first", async () => {
  const fresh = () => ({ ...message, requestId: bytes32() });
  const zero = `0x${"0".repeat(40)}`;
  const late = message.refundBy + 1;
  const rules = [
    [{ policyVersion: 2 }, ["policy_version"]], [{ policyVersion: "9007199254740993" }, ["policy_version"]],
    [{ token: zero }, ["token"]], [{ validAfter: late }, ["request_not_started"]],
    [{ validBefore: message.validAfter }, ["request_expired"]], [{ deliverBy: message.validAfter - 1 }, ["deliver_by"]],
    [{ captureBy: message.deliverBy }, ["capture_by"]], [{ refundBy: message.captureBy - 1 }, ["refund_by"]],
    [{ terms: { ...message.terms, silenceBps: 1 } }, ["terms"]], [{ recipient: zero }, ["zero_recipient", "recipient_is_resolver"]],
    [{ service: bytes32() }, ["not_allowed", "entry_payment_cap"]],
    [{ service: `0x${"0".repeat(64)}` }, ["zero_service", "not_allowed", "entry_payment_cap"]],
    [{ maxAmount: "0" }, ["zero_amount"]], [{ maxAmount: usdc(11) }, ["entry_payment_cap", "payment_cap"]],
    [{ maxAmount: usdc(101) }, ["entry_payment_cap", "payment_cap", "day_cap", "funds"]],
    [{ maxAmount: `${2n ** 128n - 1n}` }, ["entry_payment_cap", "payment_cap", "day_cap", "month_cap", "lifetime_cap", "funds"]],
    [{ requestId: `0x${"0".repeat(64)}` }, ["zero_request_id"]],
  ];
  const earlier = await shown();
  for (const [change, codes] of rules) {
    const wrong = { request: { ...fresh(), ...change } };
    const about = JSON.stringify(change);
    const { errors } = await assertProblem(await ask(stack, agent, "POST", `${path}/requests`, wrong), 422, codes[0], about);
    assert.deepEqual(errors.map(({ field }) => field).filter((code) => code !== "entry_window_cap"), codes, about);
    const told = await answered(await ask(stack, null, "POST", `${path}/evaluate`, wrong), 200);
    assert.deepEqual([told.verdict, told.code], ["refused", codes[0]], about);
    assert.deepEqual(told.checks.filter(({ passes }) => !passes).map(({ rule }) => rule), errors.map(({ field }) => field), about);
  }
  assert.deepEqual(await shown(), earlier);
});

test("what is done with a payment is said in its own words only", async () => {
  const payment = await paymentAt(stack, "delivered", { owner, agent, provider, mandate });
  const earlier = await shown();
  const bodies = [
    [provider, "deliver", "receiptHash", [undefined, null, ...NO_HASHES]], [owner, "dispute", "evidenceHash", NO_HASHES],
    [provider, "capture", "total", [undefined, null, ...NO_AMOUNTS]], [provider, "refund", "total", [undefined, null, ...NO_AMOUNTS]],
    [owner, "resolve", "toProvider", [undefined, null, ...NO_AMOUNTS]], [owner, "reject", "note", [7, "n".repeat(501)]],
    [owner, "approve", "signature", [undefined, null, "", "0x", "0xabc", 7]],
  ];
  for (const [who, verb, field, values] of bodies) {
    for (const value of values) {
      const extra = verb === "approve" ? { validBefore: 1 } : {};
      await malformed(await act(stack, who, payment, verb, { ...extra, [field]: value }), field, `${verb} ${field} = ${JSON.stringify(value)}`);
    }
  }
  for (const verb of ["submit", "claim", "expire", "time-out", "accept", "void", "cancel", "reject"]) {
    await malformed(await act(stack, owner, payment, verb, { force: true }), "force", verb);
  }
  for (const change of ["pause", "unpause", "revoke", "renounce", "cancel-amendment"]) {
    await malformed(await ask(stack, change === "renounce" ? agent : owner, "POST", `${path}/${change}`, { force: true }), "force", change);
  }
  assert.deepEqual(await shown(), earlier);
  for (const verb of ["approves", "APPROVE", "delete", ""]) {
    assert.equal((await act(stack, owner, payment, verb)).status, 404, verb);
  }
});

/** Sends a body as text. */
const raw = (text, where, headers = {}) =>
  stack.fetch(where, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: text });

test("a body is JSON of bounded size and depth, each name in it once", async () => {
  const where = `${path}/evaluate`;
  const wish = JSON.stringify({ recipient: provider.address, service: "text.transform", amount: "1" });
  assert.equal((await raw(wish, where)).status, 200);
  const deep = `${"[".repeat(200)}${"]".repeat(200)}`;
  const texts = ["{", "[]", "null", "7", "\"text\"", "NaN", `${wish}${wish}`, `${wish}x`, wish.replace("}", ",}"), "{'amount':1}", deep,
    `{"amount":${deep}}`, wish.replace("1\"", "\ud800\""), `${"{\"a\":".repeat(300)}1${"}".repeat(300)}`];
  for (const text of texts) await assertProblem(await raw(text, where), 400, "invalid_body", text.slice(0, 40));
  const twice = ["{\"amount\":\"1\",\"amount\":\"2\"", "{\"amount\":\"1\",\"\\u0061mount\":\"2\""];
  for (const text of twice) {
    const body = wish.replace("{", `${text},`).replace(",\"amount\":\"1\"}", "}");
    const { errors } = await assertProblem(await raw(body, where), 400, "invalid_body", text);
    assert.match(errors[0].message, /amount/);
  }
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]) {
    await assertProblem(await raw(wish, where, { "content-type": type }), 415, "unsupported_media_type", type);
  }
  const padded = (bytes) => wish + " ".repeat(bytes - wish.length);
  assert.equal((await raw(padded(1_048_576), where)).status, 200);
  await assertProblem(await raw(padded(1_048_577), where), 413, "body_too_large");
  const signed = await sealed(stack, agent, "POST", `${path}/requests`, { request: message, signature: "0".repeat(1_048_576) });
  await assertProblem(await fetch(signed), 413, "body_too_large");
});

test("a path names 32 bytes, in either case; a query has known names once", async () => {
  const upper = `/v1/mandates/0x${mandate.mandate.slice(2).toUpperCase()}`;
  assert.equal((await answered(await ask(stack, null, "GET", upper), 200)).mandate, mandate.mandate);
  for (const bad of ["0x", "1", mandate.mandate.slice(2), `${mandate.mandate}0`, mandate.mandate.replace("0x", "0X"), "0x%30", "..", "'"]) {
    for (const rest of ["", "/budget", "/requests"]) {
      const answer = await ask(stack, null, "GET", `/v1/mandates/${bad}${rest}`);
      assert.ok([404, 405].includes(answer.status), `${bad}${rest}: ${answer.status}`);
    }
  }
  await assertProblem(await ask(stack, null, "GET", `/v1/mandates/${bytes32()}`), 404, "unknown_mandate");
  const queries = [
    ["/budget", "recipient=bob"], ["/budget", "service=Upper"], ["/budget", "amount=1"], ["/entries", "limit=0"], ["/entries", "limit=101"],
    ["/entries", "cursor=x"], ["/entries", "cursor=-1"], ["/requests", "progress=done"], ["/requests", "limit=1.5"], ["/requests", "limit=1&limit=2"],
    ["/requests", "since=now"],
  ];
  for (const [where, query] of queries) {
    const answer = await ask(stack, owner, "GET", `${path}${where}?${query}`);
    const { errors } = await assertProblem(answer, 400, "malformed", query);
    assert.equal(errors[0].field, query.split("=")[0]);
  }
});
