// What the chain speaks against: each reason has its code, in /verify and in /settle, and nothing is sent for it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { encodeAbiParameters } from "viem";
import { developmentAccount, startChain } from "../chain.mjs";
import {
  AMOUNT, asked, assertPaidOnce, assertRefused, assertSettled, count, deployDollar, frontRun, payer, request, settle,
  startFacilitator, STRANGER, verify, waiting,
} from "./support/onchain.mjs";
import { freshAccount, seconds, sign, TERMS } from "./support/payment.mjs";
import { RpcProxy } from "./support/rpc.mjs";

const CONFIGURED = "0x00000000000000000000000000000000000000C0";

/** The code of a contract that answers every question with ERC-1271's yes. */
const VOUCHES = `0x7f1626ba7e${"00".repeat(28)}5f5260205ff3`;

let chain;
let proxy;
let stack;
let euro;
let wallet;

before(async () => {
  chain = await startChain();
  proxy = await RpcProxy.open(chain.url);
  euro = await deployDollar(chain, "EURX", "7");
  wallet = await chain.deployWallet(STRANGER);
  const assets = [
    { address: TERMS.asset, ...TERMS.extra },
    { address: euro, name: "EURX", version: "7" },
    { address: CONFIGURED, name: "Nothing", version: "1" },
    // A contract, but no token.
    { address: wallet, name: "Wallet", version: "1" },
  ];
  stack = await startFacilitator(chain, { rpc: [proxy.url], network: { assets } });
});

after(async () => {
  await stack?.stop();
  await proxy?.stop();
  await chain?.stop();
});

/** A payment in another token: what is signed, what is accepted and what is asked for name it alike. */
async function inToken(asset, extra) {
  const account = freshAccount();
  const domain = { verifyingContract: asset, ...extra };
  return asked(await sign(account, { accepted: { asset, extra }, domain }), { asset, extra });
}

/** A signature as a contract's that `factory` is yet to deploy (ERC-6492). */
function wrapped(signature, factory) {
  const types = [{ type: "address" }, { type: "bytes" }, { type: "bytes" }];
  return `${encodeAbiParameters(types, [factory, "0x1234", signature])}${"6492".repeat(16)}`;
}

const REFUSED = [
  ["a payer with too little", "insufficient_funds", async () => request(await payer(chain, AMOUNT - 1n))],
  ["a payer with nothing", "insufficient_funds", () => request(freshAccount())],
  [
    "an authorization that a stranger has used", "invalid_exact_evm_nonce_already_used",
    async () => {
      const body = await request(await payer(chain));
      await frontRun(chain, body);
      return body;
    },
  ],
  [
    "an authorization that runs out in five seconds", "invalid_exact_evm_payload_authorization_valid_before",
    async () => request(await payer(chain), { signed: { validBefore: `${seconds() + 5}` } }),
  ],
  [
    "an authorization that does not hold yet", "invalid_exact_evm_payload_authorization_valid_after",
    async () => request(await payer(chain), { signed: { validAfter: `${seconds() + 60}` } }),
  ],
  [
    "somebody else's signature", "invalid_exact_evm_signature",
    async () => request(freshAccount(), { signed: { from: (await payer(chain)).address } }),
  ],
  [
    "a contract that denies the signature", "invalid_exact_evm_signature",
    async () => {
      const denier = await chain.deployWallet(STRANGER);
      await chain.mint(denier, AMOUNT);
      return request(freshAccount(), { signed: { from: denier } });
    },
  ],
  [
    "a payer that is a contract without a word on signatures", "invalid_exact_evm_signature",
    () => request(freshAccount(), { signed: { from: euro } }),
  ],
  [
    "a key's own signature where its account runs a contract's code (EIP-7702)", "invalid_exact_evm_signature",
    async () => {
      const account = await payer(chain);
      const code = await chain.deployWallet(STRANGER);
      await chain.rpc("anvil_setCode", [account.address, `0xef0100${code.slice(2)}`]);
      return request(account);
    },
  ],
  [
    "a contract that an unknown factory is to deploy (ERC-6492)", "eip6492_factory_not_allowed",
    async () => {
      const body = await request(await payer(chain));
      body.paymentPayload.payload.signature = wrapped(body.paymentPayload.payload.signature, euro);
      return body;
    },
  ],
  [
    "a contract's signature that is longer than a transaction may carry", "invalid_payload",
    async () => {
      const account = await payer(chain);
      await chain.rpc("anvil_setCode", [account.address, VOUCHES]);
      const body = await request(account);
      body.paymentPayload.payload.signature = `0x${"00".repeat(4000)}`;
      return body;
    },
  ],
  [
    "a recipient other than the one that is asked for", "invalid_exact_evm_recipient_mismatch",
    async () => request(await payer(chain), { signed: { to: STRANGER } }),
  ],
  [
    "more than is asked for", "invalid_exact_evm_payload_authorization_value_mismatch",
    async () => request(await payer(chain), { signed: { value: `${AMOUNT + 1n}` } }),
  ],
  [
    "a payer who is frozen", "invalid_exact_evm_transaction_simulation_failed",
    async () => {
      const account = await payer(chain);
      await chain.freeze(account.address);
      return request(account);
    },
  ],
  [
    "a token at whose address there is nothing", "asset_not_deployed_contract",
    () => inToken(CONFIGURED, { name: "Nothing", version: "1" }),
  ],
  [
    "a contract that is no such token", "invalid_exact_evm_eip3009_not_supported",
    () => inToken(wallet, { name: "Wallet", version: "1" }),
  ],
  [
    "another name than the token's", "invalid_exact_evm_token_name_mismatch",
    () => inToken(euro, { name: "EUR", version: "7" }),
  ],
  [
    "another version than the token's", "invalid_exact_evm_token_version_mismatch",
    () => inToken(euro, { name: "EURX", version: "8" }),
  ],
  ["a token that is not configured", "invalid_payment_requirements", () => inToken(developmentAccount(7).address, TERMS.extra)],
  [
    "a network that is not configured", "invalid_network",
    async () => {
      const body = await request(await payer(chain));
      body.paymentPayload.accepted.network = "eip155:8453";
      body.paymentRequirements.network = "eip155:8453";
      return body;
    },
  ],
];

describe("F4: refused before anything is sent", () => {
  for (const [what, code, make] of REFUSED) {
    test(`${what}: ${code}`, async () => {
      const body = await make();
      const verified = await verify(stack, body);
      assert.deepEqual([verified.status, verified.isValid, verified.invalidReason], [200, false, code], JSON.stringify(verified));
      assert.ok(verified.invalidMessage.length > 0);
      const answer = await settle(stack, body);
      assert.deepEqual(
        [answer.status, answer.success, answer.errorReason, answer.transaction, answer.network],
        [200, false, code, "", body.paymentRequirements.network],
        JSON.stringify(answer),
      );
      assert.equal(answer.payer, body.paymentPayload.payload.authorization.from);
      assert.deepEqual([await count(chain), await waiting(chain)], [0, []]);
      assert.equal(proxy.count("eth_sendRawTransaction"), 0);
    });
  }

  test("no settlement has begun for all of that, and verifying asks no object and sends nothing", async () => {
    assert.deepEqual(stack.events().filter(({ event }) => event === "transition"), []);
    assert.deepEqual(await stack.objectIds("RelayerObject"), []);
    const asked = await stack.objectIds("SettlementObject");
    const body = await request(await payer(chain));
    assert.equal((await verify(stack, body)).isValid, true);
    assert.deepEqual(await stack.objectIds("SettlementObject"), asked);
    const methods = new Set(proxy.asked.map(({ method }) => method));
    assert.deepEqual([...methods].sort(), ["eth_call", "eth_estimateGas", "eth_getCode"]);
  });

  test("an authorization may hold for as long as it is asked for, however long that is", async () => {
    const maxTimeoutSeconds = Number.MAX_SAFE_INTEGER;
    const validBefore = `${maxTimeoutSeconds}`;
    const payment = await sign(await payer(chain), { accepted: { maxTimeoutSeconds }, signed: { validBefore } });
    const body = asked(payment, { maxTimeoutSeconds });
    await assertPaidOnce(chain, body, assertSettled(await settle(stack, body), body));
  });

  test("what was refused is settled once it is right", async () => {
    const account = freshAccount();
    const body = await request(account);
    assertRefused(await settle(stack, body), "insufficient_funds");
    await chain.mint(account.address, AMOUNT);
    await assertPaidOnce(chain, body, assertSettled(await settle(stack, body), body));
  });
});

test("a transfer that needs more gas than one may is refused", async () => {
  const frugal = await startFacilitator(chain, { network: { gasMax: 60_000 } });
  try {
    const body = await request(await payer(chain));
    const sent = await count(chain);
    assert.equal((await verify(frugal, body)).invalidReason, "gas_cost_not_allowed");
    assertRefused(await settle(frugal, body), "gas_cost_not_allowed");
    assert.equal(await count(chain), sent);
  } finally {
    await frugal.stop();
  }
});

test("a payer who has used up the day's gas is refused, and nobody else is", async () => {
  const frugal = await startFacilitator(chain, { network: { dailyGasPerPayer: 150_000 } });
  try {
    const account = await payer(chain);
    const first = await request(account);
    const transaction = assertSettled(await settle(frugal, first), first);
    const second = await request(account);
    const sent = await count(chain);
    assertRefused(await settle(frugal, second), "gas_budget_exhausted");
    assertRefused(await settle(frugal, second), "gas_budget_exhausted");
    assert.equal(await count(chain), sent);
    assert.deepEqual(await waiting(chain), []);
    await assertPaidOnce(chain, first, transaction);
    const other = await request(await payer(chain));
    assertSettled(await settle(frugal, other), other);
  } finally {
    await frugal.stop();
  }
});
