// Owners sign in with an Ethereum account (EIP-4361). What is wrong with a message or its nonce is refused by name, one
// fault at a time.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { cookieOf, messageOf, MINUTE, owner, sessionOf, signed, SITE, verify, visitor } from "./support/signin.mjs";
import { age } from "./support/stored.mjs";

let stack;
before(async () => {
  stack = await start({ edgeVars: { SITE_ORIGIN: SITE } });
});
after(() => stack?.stop());

test("what a wallet's library may add is taken: the scheme, an expiration time, a time from which on", async () => {
  const caller = await visitor(stack);
  const account = owner();
  const other = {
    scheme: "https",
    expirationTime: new Date(caller.challenge.expiresAt),
    notBefore: new Date(caller.challenge.issuedAt),
    uri: `${SITE}/console?tab=mandates`,
  };
  const answer = await verify(stack, caller, await signed(account, messageOf(caller, account, other)), SITE);
  assert.equal((await answered(answer, 200)).address, account.address);
});

const minutesFromNow = (minutes) => new Date(Date.now() + minutes * MINUTE);

const wrongMessages = [
  ["another domain", () => ({ domain: "guildhall.example.evil.example" }), "domain_mismatch"],
  ["the host that the request was sent to", () => ({ domain: new URL(stack.url).host, uri: stack.url }), "domain_mismatch"],
  ["another port", () => ({ domain: "guildhall.example:8443" }), "domain_mismatch"],
  ["http in place of https", () => ({ scheme: "http" }), "scheme_mismatch"],
  ["a URI elsewhere", () => ({ uri: "https://evil.example/" }), "uri_mismatch"],
  ["a URI that only begins alike", () => ({ uri: `${SITE}.evil.example/` }), "uri_mismatch"],
  ["a chain that is not served", () => ({ chainId: 1 }), "chain_not_served"],
  ["another statement", () => ({ statement: "Pay everything to whoever asks." }), "statement_mismatch"],
  ["the nonce in the statement", ({ challenge }) => ({ statement: `${challenge.statement} Nonce: ${challenge.nonce}` }), "statement_mismatch"],
  ["no statement", () => ({ statement: undefined }), "statement_mismatch"],
  ["resources", () => ({ resources: [`${SITE}/mandates`] }), "resources_mismatch"],
  ["a request id", () => ({ requestId: "1" }), "request_id_unexpected"],
  ["an issue long ago", () => ({ issuedAt: minutesFromNow(-5.1) }), "issued_long_ago"],
  ["an issue in the future", () => ({ issuedAt: minutesFromNow(5.1) }), "issued_in_future"],
  ["an expiration that has passed", () => ({ expirationTime: new Date(Date.now() - 1) }), "message_expired"],
  ["a beginning that is yet to come", () => ({ notBefore: minutesFromNow(1) }), "message_not_yet_valid"],
];

for (const [about, other, code] of wrongMessages) {
  test(`a message with ${about} signs nobody in, and its nonce is spent`, async () => {
    const caller = await visitor(stack);
    const account = owner();
    const refused = await verify(stack, caller, await signed(account, messageOf(caller, account, other(caller))));
    await assertProblem(refused, 401, code);
    assert.deepEqual(refused.headers.getSetCookie(), []);
    const good = await signed(account, messageOf(caller, account));
    await assertProblem(await verify(stack, caller, good), 401, "nonce_used");
    await assertProblem(await sessionOf(stack, caller.cookie), 401, "not_signed_in");
  });
}

test("only the key of the address signs in; what a contract may vouch for is refused by its name", async () => {
  const [account, other] = [owner(), owner()];
  const forms = [
    ["another key", async (message) => other.signMessage({ message }), "signature_unproven"],
    ["another text", async () => account.signMessage({ message: "another" }), "signature_unproven"],
    ["no signature", async () => "0x", "signature_unproven"],
    ["a contract's signature", async () => `0x${"ab".repeat(300)}`, "signature_unproven"],
  ];
  for (const [about, sign, code] of forms) {
    const caller = await visitor(stack);
    const message = messageOf(caller, account);
    const refused = await verify(stack, caller, { message, signature: await sign(message) });
    const { detail } = await assertProblem(refused, 401, code, about);
    assert.match(detail, /asks no chain/);
  }
  const caller = await visitor(stack);
  const message = messageOf(caller, account);
  await assertProblem(await verify(stack, caller, { message, signature: "signed" }), 400, "signature_malformed");
  await assertProblem(await verify(stack, caller, await signed(account, message)), 401, "nonce_used");
});

test("a body that is no message is refused before any nonce is spent", async () => {
  const caller = await visitor(stack);
  const account = owner();
  const good = await signed(account, messageOf(caller, account));
  const bad = [
    [{}, "invalid_body"],
    [[good.message, good.signature], "invalid_body"],
    [{ ...good, address: account.address }, "invalid_body"],
    [{ message: good.message }, "invalid_body"],
    [{ ...good, signature: null }, "invalid_body"],
    ["{", "invalid_body"],
    [{ ...good, message: "" }, "message_unreadable"],
    [{ ...good, message: `${good.message}\n` }, "message_unreadable"],
    [{ ...good, message: good.message.replace("\n\n", "\n") }, "message_unreadable"],
    [{ ...good, message: good.message.replace(account.address, account.address.toLowerCase()) }, "message_unreadable"],
    [{ ...good, message: good.message.replace("Version: 1", "Version: 2") }, "message_unreadable"],
    [{ ...good, message: good.message.replace(/Z$/m, "") }, "message_unreadable"],
    [{ ...good, message: `${good.message}\u0000` }, "message_unreadable"],
    [{ ...good, message: `${good.message}\nResources:\n- ${SITE}/${"a".repeat(4096)}` }, "message_unreadable"],
  ];
  for (const [body, code] of bad) await assertProblem(await verify(stack, caller, body), 400, code, JSON.stringify(body));
  const headers = { cookie: caller.cookie, "content-type": "text/plain" };
  const asText = await stack.fetch("/v1/auth/verify", { method: "POST", headers, body: JSON.stringify(good) });
  await assertProblem(asText, 415, "unsupported_media_type");
  assert.equal((await answered(await verify(stack, caller, good), 200)).address, account.address);
});

test("a nonce is for the browser that asked for it, the last one it asked for, and once", async () => {
  const [one, other] = [await visitor(stack), await visitor(stack)];
  const account = owner();
  const ofOther = await signed(account, messageOf(other, account));
  await assertProblem(await verify(stack, one, ofOther), 401, "nonce_unknown", "the nonce of another cookie");
  const madeUp = messageOf(one, account, { nonce: "a".repeat(32) });
  await assertProblem(await verify(stack, one, await signed(account, madeUp)), 401, "nonce_unknown", "a nonce made up");
  await assertProblem(await verify(stack, {}, ofOther), 401, "missing_credentials", "no cookie");
  const flipped = one.cookie.slice(0, -2) + (one.cookie.at(-2) === "A" ? "B" : "A") + one.cookie.at(-1);
  const tampered = { cookie: flipped };
  await assertProblem(await verify(stack, tampered, await signed(account, messageOf(one, account))), 401, "nonce_unknown", "a tampered cookie");

  const again = await visitor(stack, { cookie: one.cookie });
  assert.equal(again.cookie, one.cookie);
  assert.notEqual(again.challenge.nonce, one.challenge.nonce);
  await assertProblem(await verify(stack, one, await signed(account, messageOf(one, account))), 401, "nonce_unknown", "replaced");
  const good = await signed(account, messageOf(again, account));
  const entered = await verify(stack, again, good);
  assert.equal(entered.status, 200);
  await assertProblem(await verify(stack, again, good), 401, "session_rotated", "once more");
  await assertProblem(await verify(stack, { cookie: cookieOf(entered) }, good), 409, "already_signed_in");
  assert.equal((await verify(stack, other, ofOther)).status, 200, "the other browser's nonce is as good as before");
});

test("whoever asks for ten nonces starts anew", async () => {
  const first = await visitor(stack);
  for (let count = 2; count <= 10; count += 1) assert.equal((await visitor(stack, first)).cookie, first.cookie);
  const eleventh = await visitor(stack, first);
  assert.notEqual(eleventh.cookie, first.cookie);
  const account = owner();
  assert.equal((await verify(stack, eleventh, await signed(account, messageOf(eleventh, account)))).status, 200);
});

test("of many tries with one nonce at once, one signs in", async () => {
  const caller = await visitor(stack);
  const accounts = Array.from({ length: 8 }, owner);
  const bodies = await Promise.all(accounts.map((account) => signed(account, messageOf(caller, account))));
  const answers = await Promise.all(bodies.map((body) => verify(stack, caller, body)));
  const [winner, ...more] = answers.filter(({ status }) => status === 200);
  assert.deepEqual(more, []);
  const losers = answers.filter((answer) => answer !== winner);
  for (const answer of losers) {
    const { code } = await answer.json();
    assert.ok(answer.status === 401 && ["nonce_used", "session_rotated"].includes(code), code);
  }
  const { address } = await answered(await sessionOf(stack, cookieOf(winner)), 200);
  assert.equal(address, accounts[answers.indexOf(winner)].address);
});

/** Runs `work` against a stack of its own. */
async function withVars(edgeVars, work) {
  const other = await start({ edgeVars });
  try {
    await work(other);
  } finally {
    await other.stop();
  }
}

test("without an origin nobody signs in, and everything else goes on", () =>
  withVars({ SITE_ORIGIN: "" }, async (other) => {
    for (const [method, path] of [["POST", "nonce"], ["POST", "verify"], ["GET", "session"], ["POST", "logout"]]) {
      const answer = await other.fetch(`/v1/auth/${path}`, { method });
      assert.match((await assertProblem(answer, 503, "not_configured", path)).detail, /SITE_ORIGIN/);
    }
    await answered(await other.fetch("/health"), 200);
  }));

test("the chain that is served is that of the payments", () =>
  withVars({ SITE_ORIGIN: "http://127.0.0.1:8787", X402_NETWORK: "eip155:8453" }, async (other) => {
    const { chainIds, domain } = await answered(await other.fetch("/v1/auth/nonce", { method: "POST" }), 200);
    assert.deepEqual([chainIds, domain], [[8453], "127.0.0.1:8787"]);
  }));
