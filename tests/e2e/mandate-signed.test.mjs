// What is signed is good for one thing, once: HTTP requests (RFC 9421 with ERC-8128, and the older headers), and messages
// (EIP-712).
import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { after, before, test } from "node:test";
import { keccak256, toBytes } from "viem";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { signIn } from "./support/signin.mjs";
import {
  CHAIN, SITE, VARS, act, approval, ask, bytes32, evaluated, mandateBody, mandateOf, party, paymentAt, request, sealed, typed, usdc,
} from "./support/mandate.mjs";

let stack;
let domain;
let [owner, agent, provider] = [];
let mandate;
let path;

before(async () => {
  stack = await start(VARS);
  ({ eip712Domain: domain } = await answered(await stack.fetch("/v1/status"), 200));
  [owner, agent, provider] = [party(), party(), party()];
  mandate = await mandateOf(stack, owner, agent);
  path = `/v1/mandates/${mandate.mandate}`;
});
after(() => stack?.stop());

const seconds = () => Math.floor(Date.now() / 1000);
const shown = async () => answered(await ask(stack, owner, "GET", path), 200);

/** The same signed request, sent to another place, by another method, with another body or other headers. */
function altered(signed, { to = signed.url, method = signed.method, body, headers = {} }) {
  const all = new Headers(signed.headers);
  for (const [name, value] of Object.entries(headers)) value === null ? all.delete(name) : all.set(name, value);
  return fetch(new URL(to, stack.url), { method, headers: all, body });
}

test("the same signed request is good once, for what is read as for what is written", async () => {
  const { request: message } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1) });
  const requests = [
    [owner, "POST", `${path}/fund`, { amount: "1" }, { "idempotency-key": bytes32() }],
    [owner, "POST", `${path}/pause`],
    [owner, "POST", `${path}/unpause`],
    [agent, "POST", `${path}/requests`, { request: message }],
    [owner, "GET", path],
    [provider, "GET", `${path}/budget`],
    [owner, "GET", `${path}/requests`],
    [owner, "GET", "/v1/mandates"],
    [owner, "GET", "/v1/activity?format=csv"],
    [agent, "GET", "/v1/agent/mandates"],
    [owner, "POST", "/v1/agents", { agent: agent.address, name: "One" }],
    [owner, "GET", "/v1/drafts"],
  ];
  for (const [account, method, where, body, headers] of requests) {
    const signed = await sealed(stack, account, method, where, body, headers);
    const [first, second] = [await fetch(signed.clone()), await fetch(signed.clone())];
    assert.ok(first.ok, `${method} ${where}: ${await first.text()}`);
    await assertProblem(second, 401, "signature_reused", `${method} ${where}`);
    await assertProblem(await fetch(signed), 401, "signature_reused", `${method} ${where} again`);
  }
  const together = await sealed(stack, owner, "GET", path);
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(together.clone())));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(401)]);
});

test("a signature that is not for now, here or this account's is refused by name", async () => {
  const now = seconds();
  const earlier = await shown();
  const cases = [
    ["stale", { created: now - 200, expires: now - 100 }, "request_expired"],
    ["for later", { created: now + 100, expires: now + 160 }, "request_not_yet_valid"],
    ["for long", { created: now, expires: now + 301 }, "request_validity_too_long"],
    ["the wrong way round", { created: now, expires: now }, "invalid_time"],
    ["without a nonce", { replay: "replayable" }, "nonce_required"],
    ["with a nonce too long", { nonce: "n".repeat(129) }, "invalid_nonce"],
    ["of another chain", { signer: { chainId: 1 } }, "unsupported_chain"],
    ["of another's name", { signer: { address: party().address } }, "signature_unproven"],
    ["of less than the request", { components: ["@authority"], binding: "class-bound" }, "insufficient_coverage", "content_digest_required"],
  ];
  for (const [about, options, code, ofBody = code] of cases) {
    for (const [method, where, body] of [["POST", `${path}/fund`, { amount: "7" }], ["GET", path]]) {
      let signed;
      try {
        signed = await sealed(stack, owner, method, where, body, method === "GET" ? {} : { "idempotency-key": bytes32() }, options);
      } catch {
        // The reference client does not make what is wrong in itself.
        assert.equal(code, "invalid_time", about);
        continue;
      }
      await assertProblem(await fetch(signed), 401, body ? ofBody : code, `${about}: ${method}`);
    }
  }
  assert.deepEqual(await shown(), earlier);
});

test("a signed request that was changed on its way is refused, and nothing is done", async () => {
  const earlier = await shown();
  const text = JSON.stringify({ amount: "7" });
  const fund = () => sealed(stack, owner, "POST", `${path}/fund`, { amount: "7" }, { "idempotency-key": "k" });
  const digest = async (body) => {
    const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
    return `sha-256=:${Buffer.from(sum).toString("base64")}:`;
  };
  const other = JSON.stringify({ amount: "700" });
  const changes = [
    ["the body", { body: other }, "bad_content_digest"],
    ["the body and its digest", { body: other, headers: { "content-digest": await digest(other) } }, "signature_unproven"],
    ["no digest", { body: text, headers: { "content-digest": null } }, "content_digest_required"],
    ["no body", { body: undefined }, "bad_content_digest"],
    ["the path", { body: text, to: `${path}/withdraw` }, "signature_unproven"],
    ["a query", { body: text, to: `${path}/fund?amount=8` }, "insufficient_coverage"],
    ["no signature", { body: text, headers: { signature: null } }, "signature_missing"],
  ];
  for (const [about, change, code] of changes) {
    await assertProblem(await altered(await fund(), { ...change, method: "POST" }), 401, code, about);
  }
  const listed = await sealed(stack, owner, "GET", "/v1/payments?limit=1");
  await assertProblem(await altered(listed.clone(), { to: "/v1/payments?limit=2" }), 401, "signature_unproven");
  await assertProblem(await altered(listed, { method: "POST", to: `${path}/pause?limit=1` }), 401, "signature_unproven");
  assert.deepEqual(await shown(), earlier);
});

test("one signed creation is one mandate, whatever key is put to it", async () => {
  const newcomer = party();
  const signed = await sealed(stack, newcomer, "POST", "/v1/mandates", mandateBody(party()), { "idempotency-key": "first" });
  const body = await signed.clone().text();
  await answered(await fetch(signed.clone()), 201);
  for (const key of ["first", "second"]) {
    await assertProblem(await altered(signed, { body, headers: { "idempotency-key": key } }), 401, "signature_reused", key);
  }
  const { mandates } = await answered(await ask(stack, newcomer, "GET", "/v1/mandates"), 200);
  assert.equal(mandates.length, 1);
});

test("a signature that does not hold is not made good by a cookie", async () => {
  const { account, cookie } = await signIn(stack);
  const own = await mandateOf(stack, account, party());
  const where = `/v1/mandates/${own.mandate}`;
  for (const method of ["GET", "POST"]) {
    const to = method === "GET" ? where : `${where}/pause`;
    const stale = await sealed(stack, account, method, to, undefined, {}, { created: seconds() - 200, expires: seconds() - 100 });
    await assertProblem(await altered(stale, { headers: { cookie, origin: SITE } }), 401, "request_expired", method);
    const others = await sealed(stack, owner, method, to);
    const answer = await altered(others, { headers: { cookie, origin: SITE } });
    if (method === "GET") assert.equal((await answered(answer, 200)).label, undefined, "whoever signs is who asks");
    else await assertProblem(answer, 403, "not_permitted");
  }
});

/** Sends a signed request to us under the name of another host. */
function named(host, { method, url, headers }, body) {
  return new Promise((resolve, reject) => {
    const { pathname: where, port, hostname } = new URL(new URL(url).pathname, stack.url);
    const all = { ...Object.fromEntries(headers), host };
    const sent = httpRequest({ hostname, port, path: where, method, headers: all }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => resolve(new Response(Buffer.concat(parts), { status: answer.statusCode, headers: Object.entries(answer.headers) })));
    });
    sent.on("error", reject).end(body);
  });
}

test("a request signed for another host is not for us, whatever host it says it was sent to", async () => {
  const elsewhere = { ...stack, url: "https://evil.example" };
  const body = { amount: "7" };
  for (const [method, where, text] of [["GET", path], ["POST", `${path}/fund`, JSON.stringify(body)]]) {
    const signed = () => sealed(elsewhere, owner, method, where, text && body, text && { "idempotency-key": bytes32() });
    await assertProblem(await altered(await signed(), { to: where, body: text }), 401, "signature_unproven", method);
    await assertProblem(await named("evil.example", await signed(), text), 401, "wrong_authority", method);
  }
  const signed = await sealed({ ...stack, url: SITE }, owner, "GET", path);
  assert.equal((await answered(await named(new URL(SITE).host, signed), 200)).label, "Research");
});

/** A request by the older headers. */
async function older(family, account, method, where, body, { timestamp = `${seconds()}`, said = body, headers = {} } = {}) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const hash = keccak256(toBytes(said === undefined ? "" : JSON.stringify(said)));
  const message = `${family}-agent-auth/1\n${method} ${where}\n${timestamp}\n${hash}`;
  return new Request(new URL(where, stack.url), {
    method,
    body: text || undefined,
    headers: {
      ...(text && { "content-type": "application/json" }),
      [`x-${family}-agent`]: account.address,
      [`x-${family}-timestamp`]: timestamp,
      [`x-${family}-signature`]: await account.signMessage({ message }),
      ...headers,
    },
  });
}

for (const family of ["guildhall", "hestr"]) {
  test(`the older headers x-${family}-* are good for an agent, once`, async () => {
    const wish = { recipient: provider.address, amount: usdc(1) };
    for (const [where, timestamp] of [["/api/agent/payments", `${Date.now()}`], ["/v1/agent/payments", `${seconds()}`]]) {
      const { request: message } = await evaluated(stack, mandate, wish);
      const sent = await older(family, agent, "POST", where, { request: message }, { timestamp });
      const paid = await answered(await fetch(sent.clone()), 201);
      assert.deepEqual([paid.progress, paid.request], ["escrowed", message]);
      await assertProblem(await fetch(sent), 401, "signature_reused");
      const polled = await older(family, agent, "GET", `/api/payments/${paid.requestId}`);
      assert.equal((await answered(await fetch(polled), 200)).payment, paid.payment);
    }
    const { request: message } = await evaluated(stack, mandate, { ...wish, amount: usdc(6) });
    const queued = await answered(await fetch(await older(family, agent, "POST", "/api/agent/approvals", { request: message })), 202);
    const waiting = await fetch(await older(family, agent, "GET", `/api/agent/approvals/${queued.requestId}`));
    assert.equal((await answered(waiting, 200)).progress, "awaiting_approval");
    const mine = await older(family, agent, "GET", "/api/agent/mandates?limit=5");
    const { mandates } = await answered(await fetch(mine.clone()), 200);
    assert.deepEqual(mandates.map((found) => found.mandate), [mandate.mandate]);
    await assertProblem(await fetch(mine), 401, "signature_reused");
    assert.equal((await act(stack, agent, queued, "cancel")).status, 200);
  });

  test(`the older headers x-${family}-* are refused when anything is otherwise`, async () => {
    const { request: message } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1) });
    const where = `${path}/requests`;
    const body = { request: message };
    const send = async (...args) => fetch(await older(...args));
    const earlier = await shown();
    const cases = [
      [send(family, agent, "POST", where, body, { timestamp: `${seconds() - 301}` }), "request_expired"],
      [send(family, agent, "POST", where, body, { timestamp: `${seconds() + 310}` }), "request_not_yet_valid"],
      [send(family, agent, "POST", where, body, { timestamp: "soon" }), "signature_input_invalid"],
      [send(family, agent, "POST", where, body, { said: { request: { ...message, maxAmount: "1" } } }), "signature_unproven"],
      [send(family, agent, "POST", where, body, { headers: { [`x-${family}-agent`]: owner.address } }), "signature_unproven"],
      [send(family, agent, "POST", where, body, { headers: { [`x-${family}-signature`]: "0x" } }), "signature_input_invalid"],
    ];
    for (const [answer, code] of cases) await assertProblem(await answer, 401, code);
    const moved = await older(family, agent, "POST", where, body);
    await assertProblem(await altered(moved, { to: "/v1/agent/payments", body: JSON.stringify(body) }), 401, "signature_unproven");
    const both = await sealed(stack, owner, "POST", where, body);
    for (const [name, value] of (await older(family, agent, "POST", where, body)).headers) both.headers.set(name, value);
    await assertProblem(await fetch(both), 403, "agent_signature");
    assert.deepEqual(await shown(), earlier);
  });
}

/** The types of what parties sign of a payment. */
const ACTS = {
  deliver: ["Delivery", { payment: "bytes32", receiptHash: "bytes32" }],
  accept: ["Accept", { payment: "bytes32" }],
  dispute: ["Dispute", { payment: "bytes32", evidenceHash: "bytes32" }],
  void: ["Void", { payment: "bytes32" }],
  cancel: ["Cancel", { payment: "bytes32" }],
  refund: ["Refund", { payment: "bytes32", total: "uint128" }],
};

/** A party's signature of an act, with `other` in place of what the domain says. */
function ofAct(account, verb, message, other = {}) {
  const [primaryType, fields] = ACTS[verb];
  const types = { [primaryType]: Object.entries(fields).map(([name, type]) => ({ name, type })) };
  return account.signTypedData({ domain: { ...domain, ...other }, types, primaryType, message });
}

const OTHER_DOMAINS = [
  ["another chain", { chainId: 8453 }],
  ["another contract", { verifyingContract: "0x698d542BF2a65EA151213ce47B70C698B85CA28a" }],
  ["another version", { version: "2" }],
  ["another name", { name: "Mandates" }],
];

/** The other signature that the curve has for the same message. */
function highS(signature) {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0");
  return `${signature.slice(0, 66)}${s}${signature.endsWith("1b") ? "1c" : "1b"}`;
}

test("a request's message is the agent's, for this ledger, as it is", async () => {
  const { request: message, typedData } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1) });
  assert.deepEqual(typedData.domain, domain);
  assert.equal(domain.chainId, CHAIN);
  const good = await typed(agent, typedData);
  const earlier = await shown();
  const bad = [
    ["the provider's", await typed(provider, typedData)],
    ["the owner's", await typed(owner, typedData)],
    ["one of another amount", await typed(agent, { ...typedData, message: { ...message, maxAmount: "2" } })],
    ["the other on the curve", highS(good)],
    ["half of one", good.slice(0, 66)],
    ["one with more behind it", `${good}00`],
    ["zeros", `0x${"00".repeat(65)}`],
  ];
  for (const [about, other] of OTHER_DOMAINS) bad.push([about, await typed(agent, { ...typedData, domain: { ...domain, ...other } })]);
  for (const [about, signature] of bad) {
    const answer = await ask(stack, null, "POST", `${path}/requests`, { request: message, signature });
    await assertProblem(answer, 403, "agent_signature", about);
  }
  for (const signature of ["", "0x", "signed", good.slice(2), `0x${"ab".repeat(4097)}`, null, 7]) {
    const answer = await ask(stack, null, "POST", `${path}/requests`, { request: message, signature });
    await assertProblem(answer, signature === null ? 401 : 400, signature === null ? "missing_credentials" : "invalid_body", `${signature}`);
  }
  assert.deepEqual(await shown(), earlier);
  assert.equal((await ask(stack, null, "POST", `${path}/requests`, { request: message, signature: good })).status, 201);
  // Under its id there is this request, and no other.
  const reused = { ...message, maxAmount: usdc(2) };
  await assertProblem(await ask(stack, agent, "POST", `${path}/requests`, { request: reused }), 422, "request_id_reused");
});

test("an act's signature is its party's, of this act on this payment, for this ledger", async () => {
  const { payment } = await paymentAt(stack, "escrowed", { owner, agent, provider, mandate });
  const { payment: other } = await paymentAt(stack, "escrowed", { owner, agent, provider, mandate });
  const receiptHash = bytes32();
  const deliver = (signature, body = { receiptHash }) => act(stack, null, { mandate: mandate.mandate, payment }, "deliver", { ...body, signature });
  const said = { payment, receiptHash };
  const bad = [
    ["the agent's", await ofAct(agent, "deliver", said)],
    ["of another payment", await ofAct(provider, "deliver", { ...said, payment: other })],
    ["of another receipt", await ofAct(provider, "deliver", { ...said, receiptHash: bytes32() })],
    ["of another act", await ofAct(provider, "void", { payment })],
  ];
  for (const [about, wrong] of OTHER_DOMAINS) bad.push([about, await ofAct(provider, "deliver", said, wrong)]);
  for (const [about, signature] of bad) await assertProblem(await deliver(signature), 403, "signature", about);
  const good = await ofAct(provider, "deliver", said);
  assert.equal((await answered(await deliver(good), 200)).progress, "delivered");
  const accept = (signature) => act(stack, null, { mandate: mandate.mandate, payment }, "accept", { signature });
  await assertProblem(await accept(await ofAct(agent, "accept", { payment })), 403, "signature");
  await assertProblem(await accept(await ofAct(owner, "cancel", { payment })), 403, "signature");
  assert.equal((await answered(await accept(await ofAct(owner, "accept", { payment })), 200)).progress, "settled");
  const refund = (total, signature) => act(stack, null, { mandate: mandate.mandate, payment }, "refund", { total, signature });
  const half = await ofAct(provider, "refund", { payment, total: usdc(1) });
  await assertProblem(await refund(usdc(2), half), 403, "signature");
  assert.equal((await answered(await refund(usdc(1), half), 200)).refunded, usdc(1));
  await assertProblem(await refund(usdc(1), half), 422, "nothing_new");
});
