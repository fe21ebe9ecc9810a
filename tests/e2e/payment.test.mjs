// What the paid route asks for, takes and refuses, before any money moves.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem, create, delegation, discover, send } from "./support/board.mjs";
import { challengeOf, encode, freshAccount, payingFetch, receiptOf, seconds, sign, TERMS } from "./support/payment.mjs";

const PATH = "/v1/gigs/create";
const TRANSACTION = /^0x[0-9a-f]{64}$/;

let stack;

before(async () => {
  stack = await start();
});

after(() => stack?.stop());

async function settlements() {
  return (await stack.simulator()).settlements;
}

/** Runs `work`, during which nothing may be charged and nothing may come onto the board. */
async function withoutTrace(work) {
  const [charged, listed] = [await settlements(), (await discover(stack)).count];
  await work();
  assert.equal(await settlements(), charged, "money moved");
  assert.equal((await discover(stack)).count, listed, "a gig came onto the board");
}

async function assertChallenged(answer, code, about) {
  await assertProblem(answer, 402, code, about);
  assert.equal(answer.headers.get("cache-control"), "no-store", about);
  assert.equal(answer.headers.get("payment-response"), null, about);
  const challenge = challengeOf(answer);
  assert.equal(challenge.x402Version, 2);
  assert.deepEqual(challenge.accepts, [TERMS], about);
  assert.equal(challenge.resource.url, `${stack.url}${PATH}`, about);
  return challenge;
}

test("the official client pays for a gig unmodified, and reads its receipt", async () => {
  const charged = await settlements();
  const account = freshAccount();
  const message = delegation({ sender: account.address, payload: { title: "Übersetze 三 lines 🧵 ₮ \u202eabc" } });
  const answer = await payingFetch(account)(`${stack.url}${PATH}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(message),
  });
  const { gig, tunnel_grant: grant } = await answered(answer, 201);
  assert.equal(answer.headers.get("cache-control"), "private, no-store");
  assert.equal(answer.headers.get("payment-required"), null);
  assert.equal(answer.headers.get("x-payment-response"), null);
  const receipt = receiptOf(answer);
  assert.deepEqual([receipt.success, receipt.network, receipt.payer], [true, TERMS.network, account.address]);
  assert.match(receipt.transaction, TRANSACTION);
  assert.equal(await settlements(), charged + 1);

  assert.equal(gig.title, message.payload.title);
  assert.equal(gig.payload_json, JSON.stringify(message.payload.task_params));
  assert.deepEqual([gig.status, gig.lifecycle_state, gig.lifecycle_version], ["ACTIVE", "DISCOVERABLE", 1]);
  assert.equal(Date.parse(gig.expires_at) - Date.parse(gig.updated_at), 10 * 60_000);
  assert.match(grant.token, /^gld_grant_[A-Za-z0-9_-]{43}$/);
  assert.deepEqual([grant.role, grant.agent_identity], ["buyer", account.address]);
  assert.equal(grant.expires_at, gig.expires_at);
  assert.deepEqual((await discover(stack)).gigs[0], gig);
});

test("whatever the body, without a payment there is a challenge", async () => {
  await withoutTrace(async () => {
    const good = JSON.stringify(delegation());
    const bodies = [
      ["a good body", good, "application/json"],
      ["no body", undefined, undefined],
      ["no JSON", "{", "application/json"],
      ["another type", good, "text/plain"],
      ["a form", "a=b", "application/x-www-form-urlencoded"],
      ["an empty object", "{}", "application/json"],
      ["unknown fields", JSON.stringify({ ...delegation(), paid: true }), "application/json"],
      ["binary", new Uint8Array([0, 255, 254]), "application/octet-stream"],
    ];
    for (const [about, body, type] of bodies) {
      const headers = type === undefined ? {} : { "content-type": type };
      await assertChallenged(await stack.fetch(PATH, { method: "POST", headers, body }), "payment_required", about);
    }
  });
});

test("a payment that cannot be read gets the same challenge", async () => {
  const payment = await sign(freshAccount());
  const standard = encode(payment);
  await withoutTrace(async () => {
    const values = [
      ["raw JSON", "{}"],
      ["no base64", "%%%%"],
      ["empty", ""],
      ["base64url", Buffer.from(JSON.stringify({ ...payment, note: "???>>>" })).toString("base64url")],
      ["no padding", Buffer.from(`${JSON.stringify(payment)} `.padEnd(1000 + 1)).toString("base64").replace(/=+$/, "")],
      ["an empty object", encode({})],
      ["a list", encode([])],
      ["null", encode(null)],
      ["half a payment", standard.slice(0, 400)],
      ["too long", encode({ ...payment, note: "x".repeat(9000) })],
      ["a number for text", encode({ ...payment, accepted: { ...payment.accepted, amount: 10000 } })],
      ["another version's shape", encode({ x402Version: 1, scheme: "exact", network: "base-sepolia", payload: {} })],
    ];
    for (const [about, value] of values) {
      for (const header of ["payment-signature", "x-payment"]) {
        const answer = await send(stack, PATH, delegation(), { [header]: value });
        await assertChallenged(answer, "payment_unreadable", `${header}: ${about}`);
      }
    }
  });
});

test("S6: a payment on other terms than ours is refused with the reference's code", async () => {
  const account = freshAccount();
  const other = freshAccount().address;
  const mismatch = "invalid_payment_requirements";
  const signature = "invalid_exact_evm_signature";
  const before = "invalid_exact_evm_payload_authorization_valid_before";
  const value = "invalid_exact_evm_payload_authorization_value_mismatch";
  const cases = [
    ["accepted amount edited", { accepted: { amount: "1" } }, mismatch],
    ["accepted payTo edited", { accepted: { payTo: other } }, mismatch],
    ["accepted asset edited", { accepted: { asset: other } }, mismatch],
    ["accepted domain edited", { accepted: { extra: { name: "USD Coin", version: "2" } } }, mismatch],
    ["accepted timeout edited", { accepted: { maxTimeoutSeconds: 86400 } }, mismatch],
    ["another network", { accepted: { network: "eip155:8453" } }, "invalid_exact_evm_network_mismatch"],
    ["another scheme", { accepted: { scheme: "upto" } }, "invalid_exact_evm_scheme"],
    ["a base unit too little", { signed: { value: "9999" } }, value],
    ["a base unit too much", { signed: { value: "10001" } }, value],
    ["nothing", { signed: { value: "0" } }, value],
    ["paid to another", { signed: { to: other } }, "invalid_exact_evm_recipient_mismatch"],
    ["expired", { signed: { validBefore: String(seconds() - 1) } }, before],
    ["expires before it can land", { signed: { validBefore: String(seconds() + 3) } }, before],
    ["good for years", { signed: { validBefore: String(seconds() + 86_400 * 365) } }, before],
    ["not good yet", { signed: { validAfter: String(seconds() + 200) } }, "invalid_exact_evm_payload_authorization_valid_after"],
    ["value edited after signing", { edited: { value: "10000" }, signed: { value: "1" } }, signature],
    ["another's money", { edited: { from: other } }, signature],
    ["signed for another token", { domain: { name: "USD Coin" } }, signature],
    ["signed for another chain", { domain: { chainId: 8453 } }, signature],
    ["signed for another contract", { domain: { verifyingContract: other } }, signature],
  ];
  await withoutTrace(async () => {
    for (const [about, changes, code] of cases) {
      const answer = await create(stack, delegation(), await sign(account, changes));
      const challenge = await assertChallenged(answer, "payment_invalid", about);
      assert.equal(challenge.error, code, about);
    }
    const wrong = [
      ["another x402 version", (payment) => ({ ...payment, x402Version: 1 }), "invalid_x402_version"],
      ["a contract's signature", (payment) => withSignature(payment, `${payment.payload.signature}00`), signature],
      ["no signature", (payment) => withSignature(payment, "0x"), signature],
      ["a payload of nothing", (payment) => ({ ...payment, payload: {} }), "invalid_payload"],
    ];
    for (const [about, change, code] of wrong) {
      const answer = await create(stack, delegation(), change(await sign(account)));
      assert.equal((await assertChallenged(answer, "payment_invalid", about)).error, code, about);
    }
  });
});

function withSignature(payment, signature) {
  return { ...payment, payload: { ...payment.payload, signature } };
}

test("a paid create with a bad body is 400, and the same payment still pays for a good one", async () => {
  const payment = await sign(freshAccount());
  await withoutTrace(async () => {
    for (const payload of [{ title: "" }, { bounty_sats: 0 }, { ttl_minutes: 121 }, { more: 1 }, { task_type: "magic" }]) {
      const answer = await create(stack, delegation({ payload }), payment);
      const { errors } = await assertProblem(answer, 400, "invalid_body", JSON.stringify(payload));
      assert.match(errors[0].field, /^payload/);
      assert.equal(answer.headers.get("payment-response"), null);
    }
    await assertProblem(await create(stack, "{", payment), 400, "invalid_body");
  });
  await answered(await create(stack, delegation(), payment), 201);
});

test("what is advertised comes back unchanged, added to, or not at all; anything else is refused", async () => {
  const { extensions } = challengeOf(await create(stack, delegation()));
  const payment = await sign(freshAccount());
  const changed = structuredClone(extensions);
  changed.bazaar.info.input.method = "GET";
  await withoutTrace(async () => {
    const answer = await create(stack, delegation(), { ...payment, extensions: changed });
    assert.equal((await assertChallenged(answer, "payment_invalid")).error, "extension_echo_mismatch");
  });
  const { "payment-identifier": _, ...rest } = extensions;
  rest.bazaar.info.note = "ours";
  await answered(await create(stack, delegation(), { ...payment, extensions: { ...rest, unheard: { info: 1 } } }), 201);
});

test("the challenge describes the route for catalogues, in a header that every client reads", async () => {
  const answer = await create(stack, delegation());
  const header = answer.headers.get("payment-required");
  assert.ok(header.length < 6 * 1024, `${header.length} bytes`);
  assert.match(header, /^[A-Za-z0-9+/]+={0,2}$/);
  const { info, schema } = challengeOf(answer).extensions.bazaar;
  assert.deepEqual([info.input.type, info.input.method, info.input.bodyType], ["http", "POST", "json"]);
  const { components } = await (await stack.fetch("/v1/openapi.json")).json();
  const published = components.schemas.TaskDelegationMessage;
  assert.deepEqual(schema.properties.input.properties.body.required, published.required);
  await answered(await create(stack, info.input.body, await sign(freshAccount())), 201);
});

test("the official client itself refuses more than a dollar, and a token that it does not know", async () => {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(delegation()) };
  // The board's own challenge, changed, as another server might send it.
  for (const [change, words] of [
    [{ amount: "1000001" }, /maxAmountPerPayment/],
    [{ asset: freshAccount().address }, /only default assets/],
  ]) {
    const challenge = challengeOf(await create(stack, delegation()));
    Object.assign(challenge.accepts[0], change);
    const server = createServer((_, answer) => answer.writeHead(402, { "payment-required": encode(challenge) }).end());
    await new Promise((resume) => server.listen(0, "127.0.0.1", resume));
    await assert.rejects(payingFetch()(`http://127.0.0.1:${server.address().port}/`, post), words);
    server.close();
  }
});

test("X-PAYMENT is another name of the header, and its receipt is mirrored", async () => {
  const answer = await create(stack, delegation(), await sign(freshAccount()), "x-payment");
  await answered(answer, 201);
  assert.equal(receiptOf(answer).success, true);
  assert.deepEqual(receiptOf(answer, "x-payment-response"), receiptOf(answer));
});

test("a page in a browser may pay and read what came of it", async () => {
  const asked = "content-type, payment-signature, x-payment, access-control-expose-headers, sign-in-with-x";
  const preflight = await stack.fetch(PATH, {
    method: "OPTIONS",
    headers: {
      origin: "https://shop.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": asked,
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
  assert.match(preflight.headers.get("access-control-allow-methods"), /POST/);
  const allowed = preflight.headers.get("access-control-allow-headers").toLowerCase().split(", ");
  for (const name of asked.split(", ")) assert.ok(allowed.includes(name), name);

  const unpaid = await send(stack, PATH, delegation(), { origin: "https://shop.example" });
  const paid = await create(stack, delegation(), await sign(freshAccount()));
  for (const answer of [unpaid, paid]) {
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    const exposed = answer.headers.get("access-control-expose-headers").split(", ");
    for (const name of ["PAYMENT-REQUIRED", "PAYMENT-RESPONSE", "X-PAYMENT-RESPONSE"]) assert.ok(exposed.includes(name));
  }
});

test("S1: no other spelling of the paid path posts a gig, paid or not", async () => {
  const id = randomUUID();
  const paid = { "payment-signature": encode(await sign(freshAccount())) };
  await withoutTrace(async () => {
    const paths = [
      "//v1/gigs/create",
      "/v1//gigs/create",
      "/v1/gigs//create",
      "/v1/gigs/create/",
      "/v1/gigs%2fcreate",
      "/v1/gigs%2Fcreate",
      "/v1/gigs/%63reate",
      "/v1/gigs/create%20",
      "/v1/gigs/create%00",
      "/V1/gigs/create",
      "/v1/gigs/CREATE",
      "/v1/gigs/create;x=1",
      "/v1/gigs/create.json",
      `/v1/gigs/${id}/create`,
    ];
    for (const path of paths) {
      for (const headers of [{}, paid]) {
        await assertProblem(await send(stack, `${stack.url}${path}`, delegation(), headers), 404, "not_found", path);
      }
    }
    // A client's own parser resolves the dots: this is the paid path itself, and it asks for its price.
    await assertChallenged(await send(stack, "/v1/gigs/x/../create", delegation()), "payment_required");
    await assertChallenged(await send(stack, `${PATH}?free=true#paid`, delegation()), "payment_required");
  });
});

test("no other method posts a gig, and no header makes one method another", async () => {
  const paid = { "payment-signature": encode(await sign(freshAccount())) };
  await withoutTrace(async () => {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const answer = await stack.fetch(PATH, { method, headers: paid, body: method === "GET" ? undefined : "{}" });
      await assertProblem(answer, 405, "method_not_allowed", method);
      assert.equal(answer.headers.get("allow"), "POST");
    }
    const head = await stack.fetch(PATH, { method: "HEAD", headers: paid });
    assert.deepEqual([head.status, await head.text()], [405, ""]);
    for (const name of ["x-http-method-override", "x-http-method", "x-method-override"]) {
      const read = await stack.fetch(PATH, { headers: { ...paid, [name]: "POST" } });
      await assertProblem(read, 405, "method_not_allowed", name);
      const write = await send(stack, PATH, delegation(), { [name]: "GET" });
      await assertChallenged(write, "payment_required", name);
    }
    for (const name of ["x-original-url", "x-rewrite-url", "x-forwarded-path"]) {
      const answer = await send(stack, PATH, delegation(), { [name]: "/health" });
      await assertChallenged(answer, "payment_required", name);
    }
  });
});
