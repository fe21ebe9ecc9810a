// The facilitator on a chain, from outside: what it answers, and that the chain says the same.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { x402Client } from "@x402/core/client";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm";
import { startChain } from "../chain.mjs";
import { FACILITATOR, start } from "../harness.mjs";
import {
  AMOUNT, asked, assertPaidOnce, assertRefused, assertSettled, FUNDS, KEYS, OWN_KEY, payer, RELAYERS, request, settings,
  settle, startFacilitator, verify,
} from "./support/onchain.mjs";
import { freshAccount, sign, TERMS } from "./support/payment.mjs";
import { until } from "./support/waiting.mjs";

let chain;
let stack;

before(async () => {
  chain = await startChain();
  stack = await startFacilitator(chain, { keys: KEYS });
});

after(async () => {
  await stack?.stop();
  await chain?.stop();
});

test("F4: the official client pays, and the chain shows what the answer says", async () => {
  const account = await payer(chain);
  const buyer = new x402Client();
  buyer.register(TERMS.network, new ExactEvmScheme(account));
  const resource = { url: "http://127.0.0.1/goods" };
  const payment = await buyer.createPaymentPayload({ x402Version: 2, resource, accepts: [TERMS] });
  const facilitator = new HTTPFacilitatorClient({ url: stack.url });
  assert.equal((await facilitator.verify(payment, TERMS)).isValid, true);
  const answer = await facilitator.settle(payment, TERMS);
  const transaction = assertSettled({ status: 200, ...answer }, asked(payment));
  const receipt = await chain.rpc("eth_getTransactionReceipt", [transaction]);
  assert.equal(receipt.status, "0x1");
  assert.ok(RELAYERS.some(({ address }) => address.toLowerCase() === receipt.from));
  assert.equal(await chain.balanceOf(account.address), FUNDS - AMOUNT);
  await assertPaidOnce(chain, asked(payment), transaction);
  assert.equal(await chain.authorizationState(account.address, payment.payload.authorization.nonce), true);
});

test("F4: a contract pays with the 65 bytes of its owner (ERC-1271), and only with its owner's", async () => {
  const owner = freshAccount();
  const wallet = await chain.deployWallet(owner.address);
  await chain.mint(wallet, FUNDS);
  const body = await request(owner, { signed: { from: wallet } });
  const foreign = await request(freshAccount(), { signed: { from: wallet } });
  assert.equal((await verify(stack, foreign)).invalidReason, "invalid_exact_evm_signature");
  assert.equal((await verify(stack, body)).isValid, true);
  assertRefused(await settle(stack, foreign), "invalid_exact_evm_signature");
  await assertPaidOnce(chain, body, assertSettled(await settle(stack, body), body));
});

test("F4: a key's account that runs a contract's code (EIP-7702) pays if that code vouches for it", async () => {
  const account = await payer(chain);
  const wallet = await chain.deployWallet(account.address);
  await chain.rpc("anvil_setCode", [account.address, `0xef0100${wallet.slice(2)}`]);
  const body = await request(account);
  await assertPaidOnce(chain, body, assertSettled(await settle(stack, body), body));
});

test("F1 F2: ten copies of one request at once are one transfer, and under their key all get its answer", async () => {
  const body = await request(await payer(chain));
  const answers = await Promise.all(Array.from({ length: 10 }, () => settle(stack, body)));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  await assertPaidOnce(chain, body, assertSettled(answers[0], body));
  assert.deepEqual(await settle(stack, body), answers[0]);
  assert.equal((await verify(stack, body, OWN_KEY)).isValid, true, "whoever may hear of it need not have it signed again");
});

test("F5: ten copies without a key are one transfer, and only one of them is told that it is settled", async () => {
  const body = await request(await payer(chain));
  const answers = await Promise.all(Array.from({ length: 10 }, () => settle(stack, body, null)));
  const [told, ...more] = answers.filter(({ success }) => success);
  assert.deepEqual(more, []);
  const transaction = assertSettled(told, body);
  const others = answers.filter(({ success }) => !success);
  for (const answer of [...others, await settle(stack, body, null), await settle(stack, body)]) {
    assertRefused(answer, "duplicate_settlement", transaction);
  }
  for (const key of [null, OWN_KEY]) {
    assert.equal((await verify(stack, body, key)).invalidReason, "invalid_exact_evm_nonce_already_used");
  }
  await assertPaidOnce(chain, body, transaction);
});

test("F5: what was begun under a key is told under no other", async () => {
  const body = await request(await payer(chain));
  const transaction = assertSettled(await settle(stack, body, "key-1"), body);
  for (const key of ["key-2", null]) {
    assertRefused(await settle(stack, body, key), "duplicate_settlement", transaction);
    assert.equal((await verify(stack, body, key)).isValid, false);
  }
  assert.equal(assertSettled(await settle(stack, body, "key-1"), body), transaction);
  for (const path of ["/settle", "/verify"]) {
    const headers = { "idempotency-key": "a key" };
    const answer = await stack.fetch(path, { method: "POST", body: JSON.stringify(body), headers });
    assert.equal(answer.status, 400);
  }
});

test("F3: an authorization that is settled pays for nothing else", async () => {
  const account = await payer(chain);
  const payment = await sign(account);
  const body = asked(payment);
  const transaction = assertSettled(await settle(stack, body), body);
  const more = { extra: { ...TERMS.extra, order: "another" } };
  assertRefused(await settle(stack, asked(payment, more)), "invalid_exact_evm_nonce_already_used");
  const { nonce } = payment.payload.authorization;
  const validBefore = `${Number(payment.payload.authorization.validBefore) + 1}`;
  const longer = await request(account, { signed: { nonce, validBefore } });
  assertRefused(await settle(stack, longer), "invalid_exact_evm_nonce_already_used");
  await assertPaidOnce(chain, body, transaction);
});

test("F3: of two requests for one authorization at once, one is settled and the other refused", async () => {
  const payment = await sign(await payer(chain));
  const bodies = [asked(payment), asked(payment, { extra: { ...TERMS.extra, order: "another" } })];
  const answers = await Promise.all(bodies.map((body) => settle(stack, body)));
  const winner = answers.findIndex(({ success }) => success);
  await assertPaidOnce(chain, bodies[winner], assertSettled(answers[winner], bodies[winner]));
  assertRefused(answers[1 - winner], "invalid_exact_evm_nonce_already_used");
});

test("it says what it supports, who signs, and that it settles on a chain; the simulator is not there", async () => {
  const supported = await new HTTPFacilitatorClient({ url: stack.url }).getSupported();
  assert.deepEqual(supported, {
    kinds: [{ x402Version: 2, scheme: "exact", network: TERMS.network }],
    extensions: ["bazaar"],
    signers: { "eip155:*": RELAYERS.map(({ address }) => address) },
  });
  assert.deepEqual(await (await stack.fetch("/health")).json(), { status: "ok", settles: "chain" });
  for (const method of ["GET", "PUT"]) assert.equal((await stack.fetch("/simulator", { method })).status, 404);
});

test("S4: what is logged holds neither signature nor nonce", async () => {
  stack.clearLogs();
  const body = await request(await payer(chain));
  assertSettled(await settle(stack, body), body);
  const { signature, authorization } = body.paymentPayload.payload;
  const text = JSON.stringify(stack.logs()).toLowerCase();
  assert.ok(text.includes("settled"), "there are lines");
  for (const secret of [signature.slice(2, 66), authorization.nonce.slice(2), KEYS[0].slice(2)]) {
    assert.ok(!text.includes(secret));
  }
});

/** What an official server says of a resource in the `bazaar` extension, and its client repeats. */
function bazaar(type = "http") {
  const [input, required] =
    type === "http"
      ? [{ type, method: "GET", queryParams: { city: "Ulm" } }, ["type", "method"]]
      : [{ type, toolName: "forecast", inputSchema: { type: "object" } }, ["type", "toolName"]];
  const schema = { type: "object", properties: { input: { type: "object", required } }, required: ["input"] };
  return { bazaar: { info: { input }, schema } };
}

async function sold(path, { extensions = bazaar(), ...terms } = {}) {
  const account = await payer(chain);
  const accepted = { ...TERMS, ...terms };
  const payment = await sign(account, { accepted, signed: { to: accepted.payTo } });
  const resource = { url: `https://shop.example${path}`, description: "Weather", mimeType: "application/json" };
  return asked({ ...payment, resource, extensions }, terms);
}

async function catalogue(query = "") {
  const answer = await stack.fetch(`/discovery/resources${query}`);
  assert.equal(answer.status, 200);
  return answer.json();
}

test("a resource is in the catalogue once it is paid for, and found by what it is", async () => {
  assert.deepEqual((await catalogue()).items, []);
  const other = "0x00000000000000000000000000000000000000A1";
  const bodies = [
    await sold("/weather?city=Ulm"),
    await sold("/tool", { extensions: bazaar("mcp"), payTo: other }),
    await sold("/unlisted", { extensions: {} }),
    await sold("/outside", { extensions: { bazaar: { ...bazaar().bazaar, schema: { $ref: "https://elsewhere.example/s" } } } }),
  ];
  for (const body of bodies) assert.equal((await verify(stack, body)).isValid, true);
  assert.deepEqual((await catalogue()).items, []);
  for (const body of bodies) assertSettled(await settle(stack, body), body);
  await until("both entries", async () => (await catalogue()).pagination.total === 2);
  const { items } = await catalogue("?type=http");
  assert.deepEqual(items.map(({ resource, accepts }) => [resource, accepts[0].payTo]), [["https://shop.example/weather", TERMS.payTo]]);
  assert.ok(Math.abs(Date.parse(items[0].lastUpdated) - Date.now()) < 60_000);
  for (const [query, total] of [
    ["type=mcp", 1], [`payTo=${other.toLowerCase()}`, 1], ["scheme=exact", 2], ["scheme=upto", 0],
    [`network=${encodeURIComponent(TERMS.network)}`, 2], ["network=eip155%3A1", 0], ["extensions=bazaar", 2],
    ["extensions=other", 0], ["type=http&extensions=bazaar&scheme=exact", 1],
  ]) {
    assert.equal((await catalogue(`?${query}`)).pagination.total, total, query);
  }
  const pages = [await catalogue("?limit=1"), await catalogue("?limit=1&offset=1"), await catalogue("?limit=1&offset=2")];
  assert.deepEqual(pages.map(({ items: { length } }) => length), [1, 1, 0]);
  assert.notEqual(pages[0].items[0].resource, pages[1].items[0].resource);
  assert.deepEqual(pages[2].pagination, { limit: 1, offset: 2, total: 2 });
});

test("a query of the catalogue that cannot be answered is said to be wrong", async () => {
  for (const query of ["limit=0", "limit=101", "limit=x", "offset=-1", "type=ftp", "limit=1&limit=2", "payTo=%ff"]) {
    const answer = await stack.fetch(`/discovery/resources?${query}`);
    assert.equal(answer.status, 400, query);
    assert.equal((await answer.json()).code, "invalid_query", query);
  }
});

/** The public development key that everybody knows. */
const PUBLIC_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const HTTPS = { rpc: ["https://rpc.example"] };
const ROUTES = [
  ["POST", "/verify"], ["POST", "/settle"], ["POST", "/signatures"], ["GET", "/supported"], ["GET", "/health"],
  ["GET", "/discovery/resources"], ["GET", "/simulator"], ["PUT", "/simulator"], ["GET", "/"],
];

test("S11: production serves no route without a chain and a key of its own, and names the setting at fault", async () => {
  const wrong = [
    ["SETTLE_ON", {}],
    ["SETTLE_ON", { SETTLE_ON: "simulator" }],
    ["NETWORKS", { SETTLE_ON: "chain", RELAYER_KEYS: KEYS[0] }],
    ["NETWORKS", settings(chain)],
    ["RELAYER_KEYS", settings(chain, { ...HTTPS, keys: [] })],
    ["RELAYER_KEYS", settings(chain, { ...HTTPS, keys: [KEYS[0], PUBLIC_KEY] })],
  ];
  await Promise.all(
    wrong.map(async ([setting, vars]) => {
      const refused = await start({ product: FACILITATOR, facilitatorVars: { ENVIRONMENT: "production", ...vars } });
      try {
        for (const [method, path] of ROUTES) {
          const answer = await refused.fetch(path, { method, body: method === "GET" ? undefined : "{}" });
          const problem = await answer.json();
          assert.deepEqual([answer.status, problem.code], [503, "misconfigured"], path);
          assert.ok(problem.detail.startsWith(setting), problem.detail);
          for (const key of [PUBLIC_KEY, KEYS[0]]) assert.ok(!problem.detail.includes(key.slice(2)));
        }
      } finally {
        await refused.stop();
      }
    }),
  );
});
