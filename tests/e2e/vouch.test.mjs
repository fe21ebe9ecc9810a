// Accounts that are contracts (ERC-1271): whom the facilitator's chain vouches for, and that owners sign in with them. A
// contract may answer anything; only its yes counts, and what nobody can say is neither yes nor no.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { createPublicClient, encodeAbiParameters, getAddress, hashMessage, http } from "viem";
import { startChain } from "../chain.mjs";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { fundRelayers, settings, startFacilitator, STRANGER } from "./support/onchain.mjs";
import { freshAccount, TERMS } from "./support/payment.mjs";
import { RpcProxy } from "./support/rpc.mjs";
import { cookieOf, messageOf, sessionOf, signed, SITE, verify, visitor } from "./support/signin.mjs";

const YES = `1626ba7e${"00".repeat(28)}`;
/** The code of a contract that returns `bytes` bytes, beginning with a word. */
const returns = (word, bytes = 32) => `0x7f${word}5f5262${bytes.toString(16).padStart(6, "0")}5ff3`;

let chain;
let proxy;
let stack;
let viem;

before(async () => {
  chain = await startChain();
  proxy = await RpcProxy.open(chain.url);
  viem = createPublicClient({ transport: http(chain.url) });
  await fundRelayers(chain);
  stack = await start({
    edgeVars: { SITE_ORIGIN: SITE, FACILITATOR_MODE: "binding", FACILITATOR_TIMEOUT_MS: "1500" },
    facilitatorVars: settings(chain, { rpc: [proxy.url] }),
  });
});

beforeEach(() => proxy.heal());

after(async () => {
  await stack?.stop();
  await proxy?.stop();
  await chain?.stop();
});

/** A contract's account for which `owner` signs. */
async function walletOf(owner) {
  return getAddress(await chain.deployWallet(owner.address));
}

/** Puts code at an address of its own, and returns the address. */
async function placed(code, { address } = freshAccount()) {
  await chain.rpc("anvil_setCode", [address, code]);
  return address;
}

/** Asks a facilitator; by default that of the stack. `{ status, … }` */
async function ask(question, url = stack.facilitatorUrl) {
  const body = typeof question === "string" ? question : JSON.stringify(question);
  const answer = await fetch(`${url}/signatures`, { method: "POST", body });
  return { status: answer.status, ...(await answer.json()) };
}

/** A question about a text, signed by `signer`. */
async function question(account, signer, message = "a text") {
  return { network: TERMS.network, account, digest: hashMessage("a text"), signature: await signer.signMessage({ message }) };
}

/** A signature as a contract's that is yet to be deployed (ERC-6492). */
function wrapped(signature) {
  const types = [{ type: "address" }, { type: "bytes" }, { type: "bytes" }];
  return `${encodeAbiParameters(types, [STRANGER, "0x1234", signature])}${"6492".repeat(16)}`;
}

/** Contracts that do not vouch: what they do, their code, and the reason that is given. */
const DENIERS = [
  ["reverts", "0x5f5ffd", "reverted"],
  ["uses up all gas", "0x5b5f56", "reverted"],
  ["stops at an invalid instruction", "0xfe", "reverted"],
  ["returns nothing", "0x00", "denied"],
  ["returns only the four bytes of a yes", returns(YES, 4), "denied"],
  ["returns the word of a no", returns(`ffffffff${"00".repeat(28)}`), "denied"],
  ["returns the yes at the wrong end of the word", returns(`${"00".repeat(28)}1626ba7e`), "denied"],
  ["returns what another function's yes would be", returns(`${"00".repeat(31)}01`), "denied"],
];

describe("POST /signatures", () => {
  test("a contract vouches for its owner's signature of that digest and for no other, as viem says too", async () => {
    const [owner, stranger] = [freshAccount(), freshAccount()];
    const wallet = await walletOf(owner);
    for (const [about, asked, expected] of [
      ["the owner's", await question(wallet, owner), { isValid: true }],
      ["a stranger's", await question(wallet, stranger), { isValid: false, reason: "denied" }],
      ["of another text", await question(wallet, owner, "another text"), { isValid: false, reason: "denied" }],
      ["none", { ...(await question(wallet, owner)), signature: "0x" }, { isValid: false, reason: "denied" }],
    ]) {
      assert.deepEqual(await ask(asked), { status: 200, ...expected }, about);
      const { account: address, digest: hash, signature } = asked;
      assert.equal(await viem.verifyHash({ address, hash, signature }), expected.isValid, about);
    }
  });

  test("a key's account that runs a contract's code (EIP-7702) is asked as a contract", async () => {
    const owner = freshAccount();
    const code = await placed(returns(YES));
    const delegated = await placed(`0xef0100${code.slice(2)}`);
    assert.deepEqual(await ask(await question(delegated, owner)), { status: 200, isValid: true });
  });

  test("a wrapped signature (ERC-6492) is unwrapped; its contract must be deployed", async () => {
    const owner = freshAccount();
    const bare = await question(await walletOf(owner), owner);
    assert.deepEqual(await ask({ ...bare, signature: wrapped(bare.signature) }), { status: 200, isValid: true });
    const away = { ...bare, account: freshAccount().address, signature: wrapped(bare.signature) };
    assert.deepEqual(await ask(away), { status: 200, isValid: false, reason: "no_code" });
  });

  test("where there is no contract nobody vouches, not even for the key's own signature", async () => {
    const account = freshAccount();
    assert.deepEqual(await ask(await question(account.address, account)), { status: 200, isValid: false, reason: "no_code" });
  });

  for (const [what, code, reason] of DENIERS) {
    test(`a contract that ${what} does not vouch`, async () => {
      const account = await placed(code);
      assert.deepEqual(await ask(await question(account, freshAccount())), { status: 200, isValid: false, reason });
    });
  }

  test("one request is one batch of two calls that send nothing", async () => {
    const wallet = await chain.deployWallet(STRANGER);
    proxy.asked.length = 0;
    await ask(await question(wallet, freshAccount()));
    assert.deepEqual(proxy.asked.map(({ method }) => method), ["eth_getCode", "eth_call"]);
  });

  test("a chain that cannot be asked says neither yes nor no", async () => {
    const owner = freshAccount();
    const asked = await question(await walletOf(owner), owner);
    const large = { ...asked, account: await placed(returns(YES, 700_000)) };
    const troubles = [
      ["no answer", () => (proxy.instead = "nothing"), asked],
      ["a page", () => (proxy.instead = { status: 200, body: "<!doctype html>" }), asked],
      ["too many requests", () => (proxy.instead = { status: 429, body: '{"error":{"code":429,"message":"slow down"}}' }), asked],
      ["no word of the contract", () => proxy.drop("eth_call"), asked],
      ["a fault in place of it", () => proxy.refuse("eth_call", { code: -32000, message: "header not found" }), asked],
      ["a fault in place of the code", () => proxy.refuse("eth_getCode", { code: -32000, message: "header not found" }), asked],
      ["something else than bytes", () => proxy.invent("eth_call", () => true), asked],
      ["more than is read", () => {}, large],
    ];
    for (const [about, trouble, body] of troubles) {
      proxy.heal();
      trouble();
      const { status, code, retryable, isValid } = await ask(body);
      assert.deepEqual([status, code, retryable, isValid], [503, "chain_unavailable", true, undefined], about);
    }
    proxy.heal();
    assert.deepEqual(await ask(asked), { status: 200, isValid: true });
  });

  test("of several servers none decides alone, and one that is away is passed over", async () => {
    const [owner, other] = [freshAccount(), await RpcProxy.open(chain.url)];
    const several = await startFacilitator(chain, { rpc: [proxy.url, other.url] });
    try {
      const right = await question(await walletOf(owner), owner);
      const wrong = await question(right.account, freshAccount());
      assert.deepEqual(await ask(right, several.url), { status: 200, isValid: true });
      other.invent("eth_call", () => `0x${YES}`);
      assert.equal((await ask(wrong, several.url)).code, "chain_unavailable", "a yes that is made up");
      other.invent("eth_getCode", () => "0x");
      assert.equal((await ask(right, several.url)).code, "chain_unavailable", "code that is kept back");
      other.instead = "nothing";
      assert.deepEqual(await ask(right, several.url), { status: 200, isValid: true });
      assert.deepEqual(await ask(wrong, several.url), { status: 200, isValid: false, reason: "denied" });
    } finally {
      await several.stop();
      await other.stop();
    }
  });

  test("what is no question is said to be wrong, and the chain is not asked", async () => {
    const good = await question(STRANGER, freshAccount());
    proxy.asked.length = 0;
    for (const wrong of [
      "", "{", "[]", {}, { ...good, account: "0x12" }, { ...good, digest: good.signature }, { ...good, signature: "signed" },
      { ...good, signature: `0x${"00".repeat(4097)}` }, { ...good, network: 84532 }, { ...good, from: STRANGER },
    ]) {
      const { status, code } = await ask(wrong);
      assert.deepEqual([status, code], [400, "invalid_body"], JSON.stringify(wrong));
    }
    const elsewhere = await ask({ ...good, network: "eip155:1" });
    assert.deepEqual([elsewhere.status, elsewhere.code], [400, "invalid_network"]);
    assert.equal((await ask("0".repeat(65_537))).status, 413);
    assert.equal((await fetch(`${stack.facilitatorUrl}/signatures`)).status, 405);
    assert.deepEqual(proxy.asked, []);
  });
});

/** Tries to sign `address` in with the signature of `signer`: the answer, and the visitor. */
async function signInAs(address, signer, other = stack) {
  const caller = await visitor(other);
  return { caller, answer: await verify(other, caller, await signed(signer, messageOf(caller, { address })), SITE) };
}

describe("owners whose account is a contract", () => {
  test("sign in with their owner's signature, and with it once", async () => {
    const owner = freshAccount();
    const wallet = await walletOf(owner);
    stack.clearLogs();
    const { caller, answer } = await signInAs(wallet, owner);
    const session = await answered(answer.clone(), 200);
    assert.deepEqual([session.address, session.chainId], [wallet, 84532]);
    assert.deepEqual(await answered(await sessionOf(stack, cookieOf(answer)), 200), session);
    const body = await signed(owner, messageOf(caller, { address: wallet }));
    await assertProblem(await verify(stack, caller, body), 401, "session_rotated");
    assert.ok(!JSON.stringify(stack.logs()).includes(body.signature.slice(2, 26)), "S4: the signature is not logged");
  });

  test("are refused with anybody else's, and the nonce is used", async () => {
    const owner = freshAccount();
    const wallet = await walletOf(owner);
    const { caller, answer } = await signInAs(wallet, freshAccount());
    const { detail } = await assertProblem(answer, 401, "signature_of_other_signer");
    assert.match(detail, /the signature is not its own/);
    const good = await signed(owner, messageOf(caller, { address: wallet }));
    await assertProblem(await verify(stack, caller, good), 401, "nonce_used");
  });

  for (const [what, code, reason] of DENIERS) {
    test(`are refused when the contract ${what}`, async () => {
      const { answer } = await signInAs(await placed(code), freshAccount());
      const { detail } = await assertProblem(answer, 401, "signature_of_other_signer");
      assert.match(detail, reason === "denied" ? /is not its own/ : /fails when it is asked/);
    });
  }

  test("are told so when no contract is there", async () => {
    const { answer } = await signInAs(freshAccount().address, freshAccount());
    assert.match((await assertProblem(answer, 401, "signature_of_other_signer")).detail, /No contract stands at that address/);
  });

  test("a key's own signature asks no chain, whatever stands at its address", async () => {
    const account = freshAccount();
    await placed(`0xef0100${STRANGER.slice(2)}`, account);
    proxy.asked.length = 0;
    assert.equal((await signInAs(account.address, account)).answer.status, 200);
    assert.deepEqual(proxy.asked, []);
  });

  test("while the chain is out of reach or slow nothing is known, the nonce is used, and a new one signs in later", async () => {
    const owner = freshAccount();
    const wallet = await walletOf(owner);
    for (const trouble of [() => (proxy.instead = "nothing"), () => proxy.hold("eth_call")]) {
      trouble();
      const begun = Date.now();
      const { caller, answer } = await signInAs(wallet, owner);
      assert.ok(Date.now() - begun < 4000, "the edge waits as long as it is told, and not for the chain");
      const { retryable, detail } = await assertProblem(answer, 503, "chain_unavailable");
      assert.equal(retryable, false);
      assert.match(detail, /Ask for a new nonce/);
      assert.deepEqual(answer.headers.getSetCookie(), []);
      proxy.heal();
      const again = await signed(owner, messageOf(caller, { address: wallet }));
      await assertProblem(await verify(stack, caller, again), 401, "nonce_used");
      assert.equal((await signInAs(wallet, owner)).answer.status, 200);
    }
  });
});

describe("without a chain of its own", () => {
  const modes = [
    ["in its simulator", { FACILITATOR_MODE: "simulator" }, 401, "signature_unproven", /settles in a simulator/],
    [
      "through a facilitator elsewhere", { FACILITATOR_MODE: "remote", X402_FACILITATOR_URL: "https://pay.example" },
      401, "signature_unproven", /settles through a facilitator elsewhere/,
    ],
    ["through a facilitator that has none", { FACILITATOR_MODE: "binding" }, 503, "chain_unavailable", /cannot be asked/],
  ];
  for (const [about, edgeVars, status, code, words] of modes) {
    test(`a deployment that settles ${about} says so, and keys sign in as ever`, async () => {
      const other = await start({ edgeVars: { SITE_ORIGIN: SITE, ...edgeVars } });
      try {
        const account = freshAccount();
        const { answer } = await signInAs(STRANGER, account, other);
        assert.match((await assertProblem(answer, status, code)).detail, words);
        assert.equal((await signInAs(account.address, account, other)).answer.status, 200);
        const { status: said, code: why, retryable } = await ask(await question(STRANGER, account), other.facilitatorUrl);
        assert.deepEqual([said, why, retryable], [503, "chain_unavailable", false]);
      } finally {
        await other.stop();
      }
    });
  }
});
