// S11: production does not run on a simulator, a missing secret or a public key; it says so and serves nothing paid.
import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem, create, delegation, send } from "./support/board.mjs";
import { challengeOf, freshAccount, sign } from "./support/payment.mjs";

const PAY_TO = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
const PRODUCTION = {
  ENVIRONMENT: "production", FACILITATOR_MODE: "binding", X402_PAY_TO: PAY_TO, SITE_ORIGIN: "", DEMO_EXECUTOR: "",
};

/** Runs `work` against a stack with these vars at the edge. */
async function withVars(edgeVars, work, facilitatorVars) {
  const stack = await start({ edgeVars, facilitatorVars });
  try {
    await work(stack);
  } finally {
    await stack.stop();
  }
}

const refused = [
  ["a simulator in production", { ...PRODUCTION, FACILITATOR_MODE: "simulator" }, /FACILITATOR_MODE/],
  ["no facilitator in production", { ...PRODUCTION, FACILITATOR_MODE: "" }, /FACILITATOR_MODE/],
  ["no address to pay in production", { ...PRODUCTION, X402_PAY_TO: "" }, /X402_PAY_TO/],
  ["the development address in production", { ...PRODUCTION, X402_PAY_TO: "0x000000000000000000000000000000000000dEaD" }, /X402_PAY_TO/],
  ["an address whose key is public", { ...PRODUCTION, X402_PAY_TO: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" }, /X402_PAY_TO/],
  ["an address that is none", { X402_PAY_TO: "0x1234" }, /X402_PAY_TO/],
  ["a fee above one dollar", { POSTING_FEE: "1000001" }, /POSTING_FEE/],
  ["a remote facilitator without https", { FACILITATOR_MODE: "remote", X402_FACILITATOR_URL: "http://pay.example" }, /X402_FACILITATOR_URL/],
  ["a remote facilitator without an address", { FACILITATOR_MODE: "remote" }, /X402_FACILITATOR_URL/],
  ["a mode that does not exist", { FACILITATOR_MODE: "free" }, /FACILITATOR_MODE/],
  ["a signing name that is another token's", { X402_ASSET_NAME: "USD Coin" }, /X402_ASSET_NAME/],
  ["Base's USDC under the test network's name", { X402_NETWORK: "eip155:8453", X402_ASSET_NAME: "USDC" }, /X402_ASSET_NAME/],
  ["a network without a known token", { X402_NETWORK: "eip155:31337" }, /X402_ASSET/],
  ["a tunnel that carries nothing", { TUNNEL_BYTES_PER_SECOND: "0" }, /TUNNEL_BYTES_PER_SECOND/],
  ["a site whose cookies travel in the clear", { ...PRODUCTION, SITE_ORIGIN: "http://127.0.0.1:8787" }, /SITE_ORIGIN/],
  ["a site that is no origin", { SITE_ORIGIN: "https://guildhall.example/" }, /SITE_ORIGIN/],
  ["a time limit that is none", { FACILITATOR_TIMEOUT_MS: "soon" }, /FACILITATOR_TIMEOUT_MS/],
];

for (const [about, vars, names] of refused) {
  test(`S11: ${about} is refused by name, paid or not`, () =>
    withVars(vars, async (stack) => {
      const unpaid = await send(stack, "/v1/gigs/create", delegation());
      assert.match((await assertProblem(unpaid, 503, "not_configured")).detail, names);
      assert.equal(challengeOf(unpaid), null, "nobody is asked for money");
      const paid = await create(stack, delegation(), await sign(freshAccount()));
      await assertProblem(paid, 503, "not_configured");
      const health = await answered(await stack.fetch("/health"), 503);
      assert.equal(health.status, "not_ready");
      assert.match(health.checks.facilitator, names);
    }));
}

test("a whole set-up for production asks for the real address, and has no hooks", () =>
  withVars({ ...PRODUCTION, TEST_HOOKS: "enabled" }, async (stack) => {
    const unpaid = await send(stack, "/v1/gigs/create", delegation());
    await assertProblem(unpaid, 402, "payment_required");
    assert.equal(challengeOf(unpaid).accepts[0].payTo, PAY_TO);
    for (const path of ["/__test/panic", "/__test/panic/x", "/__test/anything"]) {
      await assertProblem(await stack.fetch(path, { method: "POST" }), 404, "not_found", path);
    }
    assert.equal((await answered(await stack.fetch("/health"), 200)).checks.facilitator, "binding");
  }));

test("S1: a production facilitator without a chain settles nothing, and the edge fails closed", () =>
  withVars(
    { X402_PAY_TO: "0x000000000000000000000000000000000000dEaD" },
    async (stack) => {
      const answer = await create(stack, delegation(), await sign(freshAccount()));
      await assertProblem(answer, 402, "settlement_unknown");
      assert.equal((await answered(await stack.fetch("/v1/gigs/discover"), 200)).count, 0);
    },
    { ENVIRONMENT: "production" },
  ));

test("the network and its token are what the operator says", () =>
  withVars({ ...PRODUCTION, X402_NETWORK: "eip155:8453" }, async (stack) => {
    const [terms] = challengeOf(await send(stack, "/v1/gigs/create", delegation())).accepts;
    assert.deepEqual([terms.network, terms.asset], ["eip155:8453", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"]);
    assert.deepEqual(terms.extra, { name: "USD Coin", version: "2" });
    await assertProblem(await create(stack, delegation(), await sign(freshAccount())), 402, "payment_invalid");
    const card = await answered(await stack.fetch("/.well-known/agent-card.json"), 200);
    assert.equal(card.network, "Base (eip155:8453)");
    assert.equal(card.payment_requirements.asset, terms.asset);
  }));

test("the fee is what the operator says", () =>
  withVars({ POSTING_FEE: "1000000" }, async (stack) => {
    const unpaid = await send(stack, "/v1/gigs/create", delegation());
    assert.equal(challengeOf(unpaid).accepts[0].amount, "1000000");
    const cheap = await create(stack, delegation(), await sign(freshAccount()));
    await assertProblem(cheap, 402, "payment_invalid");
    const full = await sign(freshAccount(), { signed: { value: "1000000" }, accepted: { amount: "1000000" } });
    await answered(await create(stack, delegation(), full), 201);
  }));
