// A session: who holds its cookie is the owner who signed in, for a time, in our own pages, whatever breaks meanwhile.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { COOKIE, cookieOf, messageOf, MINUTE, nameOf, owner, post, sessionOf, signed, signIn, SITE, verify, visitor } from "./support/signin.mjs";
import { age, makeAlarmsDue } from "./support/stored.mjs";
import { until } from "./support/waiting.mjs";

let stack;
before(async () => {
  stack = await start({ edgeVars: { SITE_ORIGIN: SITE } });
});
after(() => stack?.stop());

test("an owner signs in, is known by the cookie, and signs out", async () => {
  const before = Date.now();
  const { account, caller, cookie, session } = await signIn(stack);
  assert.deepEqual(
    { ...caller.challenge, nonce: "", statement: "", issuedAt: "", expiresAt: "" },
    { nonce: "", domain: "guildhall.example", uri: `${SITE}/`, version: "1", statement: "", chainIds: [84532], issuedAt: "", expiresAt: "" },
  );
  assert.equal(Date.parse(caller.challenge.expiresAt) - Date.parse(caller.challenge.issuedAt), 10 * MINUTE);
  assert.deepEqual([session.address, session.chainId], [account.address, 84532]);
  assert.ok(Date.parse(session.signedInAt) >= before);
  assert.equal(Date.parse(session.expiresAt) - Date.parse(session.signedInAt), 60 * MINUTE);
  assert.notEqual(cookie, caller.cookie);
  assert.deepEqual(await answered(await sessionOf(stack, cookie), 200), session);
  // A browser sends its other cookies along.
  assert.deepEqual(await answered(await sessionOf(stack, `theme=dark; ${cookie}; a=b`), 200), session);

  const left = await post(stack, "/v1/auth/logout", { cookie, origin: SITE });
  assert.deepEqual([left.status, await left.text()], [204, ""]);
  assert.deepEqual(left.headers.getSetCookie(), [`${COOKIE}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`]);
  await assertProblem(await sessionOf(stack, cookie), 401, "session_signed_out");
  assert.equal((await post(stack, "/v1/auth/logout", { cookie })).status, 204, "leaving twice is leaving");
  assert.equal((await post(stack, "/v1/auth/logout")).status, 204);
});

test("the paths of the other spelling are the same routes", async () => {
  const answer = await post(stack, "/api/auth/nonce");
  const caller = { cookie: cookieOf(answer), challenge: await answered(answer, 200) };
  const account = owner();
  const body = await signed(account, messageOf(caller, account));
  const entered = await post(stack, "/api/auth/verify", { cookie: caller.cookie, body });
  const cookie = cookieOf(entered);
  assert.deepEqual(await answered(await sessionOf(stack, cookie, "/api/auth/session"), 200), await answered(entered, 200));
  assert.equal((await post(stack, "/api/auth/logout", { cookie })).status, 204);
  await assertProblem(await sessionOf(stack, cookie), 401, "session_signed_out");
});

test("a nonce whose time is over signs nobody in, and the next one comes with a new cookie", async () => {
  const caller = await visitor(stack);
  await age(stack, "SessionObject", nameOf(caller.cookie), ["until"], 0);
  const account = owner();
  const late = await signed(account, messageOf(caller, account, { issuedAt: new Date() }));
  await assertProblem(await verify(stack, caller, late), 401, "session_expired");
  assert.notEqual((await visitor(stack, caller)).cookie, caller.cookie);
});

test("a session is over an hour after its last use, and twelve after the sign-in", async () => {
  for (const [field, minutes] of [["visited_at", 60], ["since", 12 * 60]]) {
    const { cookie, session } = await signIn(stack);
    await age(stack, "SessionObject", nameOf(cookie), [field], minutes * MINUTE - 20_000);
    const near = await answered(await sessionOf(stack, cookie), 200);
    // The use is recorded, which makes an idle session longer, but none longer than a working day.
    const left = Date.parse(near.expiresAt) - Date.now();
    assert.ok(field === "since" ? left <= 20_000 : left > 59 * MINUTE, `${field}: ${left} ms`);
    assert.equal(near.address, session.address);
    await age(stack, "SessionObject", nameOf(cookie), [field], minutes * MINUTE);
    await assertProblem(await sessionOf(stack, cookie), 401, "session_expired", field);
  }
});

test("who is signed in signs out before somebody else signs in", async () => {
  const { cookie } = await signIn(stack);
  await assertProblem(await post(stack, "/v1/auth/nonce", { cookie }), 409, "already_signed_in");
  assert.equal((await post(stack, "/v1/auth/logout", { cookie })).status, 204);
  const next = await visitor(stack, { cookie });
  assert.notEqual(next.cookie, cookie);
});

test("the cookie of before the sign-in opens nothing afterwards", async () => {
  const { caller, cookie } = await signIn(stack);
  await assertProblem(await sessionOf(stack, caller.cookie), 401, "session_rotated");
  assert.equal((await post(stack, "/v1/auth/logout", caller)).status, 204);
  assert.equal((await sessionOf(stack, cookie)).status, 200, "and ends nothing either");
});

test("no other cookie opens a session", async () => {
  const { cookie } = await signIn(stack);
  const value = cookie.slice(COOKIE.length + 1);
  for (const bad of [
    undefined,
    `${COOKIE}=`,
    `${COOKIE}=${value.replace("session", "grant")}`,
    `${COOKIE}=${value}=`,
    `${COOKIE}="${value}"`,
    `guildhall-session=${value}`,
    `${cookie}; ${cookie}`,
    `${COOKIE}=gld_session_${"A".repeat(43)}`,
    `${COOKIE}=${nameOf(cookie)}`,
  ]) {
    await assertProblem(await sessionOf(stack, bad), 401, "not_signed_in", bad);
  }
});

test("pages of other origins may do nothing, and read nothing", async () => {
  const [account, caller] = [owner(), await visitor(stack, { origin: SITE })];
  const body = await signed(account, messageOf(caller, account));
  for (const origin of ["https://evil.example", `${SITE}.evil.example`, "http://guildhall.example", "null", stack.url, `${SITE}/`]) {
    for (const path of ["/v1/auth/nonce", "/v1/auth/verify", "/v1/auth/logout", "/api/auth/logout"]) {
      await assertProblem(await post(stack, path, { cookie: caller.cookie, origin, body }), 403, "origin_not_allowed", `${path} ${origin}`);
    }
  }
  const entered = await verify(stack, caller, body, SITE);
  const cookie = cookieOf(entered);
  const answers = [entered, await sessionOf(stack, cookie), await sessionOf(stack), await post(stack, "/v1/auth/nonce"), await post(stack, "/v1/auth/verify"), await stack.fetch("/v1/auth/nonce")];
  for (const path of ["/v1/auth/nonce", "/v1/auth/session", "/api/auth/verify"]) {
    answers.push(await stack.fetch(path, { method: "OPTIONS", headers: { origin: "https://evil.example", "access-control-request-method": "POST" } }));
  }
  for (const answer of answers) {
    const about = `${answer.url} ${answer.status}`;
    const cross = [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
    assert.deepEqual(cross, [], about);
    assert.equal(answer.headers.get("cache-control"), "no-store", about);
  }
  assert.equal((await stack.fetch("/v1/gigs/discover")).headers.get("access-control-allow-origin"), "*");
});

test("a runtime that is killed between nonce and message, and after the sign-in, forgets nothing", async () => {
  const caller = await visitor(stack);
  await stack.crash();
  const account = owner();
  const body = await signed(account, messageOf(caller, account));
  const entered = await verify(stack, caller, body);
  const cookie = cookieOf(entered);
  await stack.crash();
  assert.deepEqual(await answered(await sessionOf(stack, cookie), 200), await answered(entered, 200));
  await assertProblem(await verify(stack, caller, body), 401, "session_rotated");
  const second = await visitor(stack);
  await assertProblem(await verify(stack, second, { ...(await signed(account, messageOf(second, account))), signature: "0x" }), 401, "signature_unproven");
  await stack.crash();
  await assertProblem(await verify(stack, second, await signed(account, messageOf(second, account))), 401, "nonce_used");
  assert.equal((await post(stack, "/v1/auth/logout", { cookie })).status, 204);
  await stack.crash();
  await assertProblem(await sessionOf(stack, cookie), 401, "session_signed_out");
});

test("nobody needs D1 to sign in", async () => {
  await stack.d1("ALTER TABLE gigs RENAME TO gigs_away");
  try {
    const { cookie } = await signIn(stack);
    assert.equal((await sessionOf(stack, cookie)).status, 200);
  } finally {
    await stack.d1("ALTER TABLE gigs_away RENAME TO gigs");
  }
});

test("S4: no secret, nonce or signature is logged or stored", async () => {
  stack.clearLogs();
  const { account, caller, cookie } = await signIn(stack);
  const body = await signed(account, messageOf(caller, account));
  await verify(stack, caller, body);
  await sessionOf(stack, `${COOKIE}=gld_session_short`);
  const stored = [];
  for (const name of [caller.cookie, cookie].map(nameOf)) {
    for (const table of ["journal", "state", "outbox"]) {
      stored.push(await stack.objectSql("SessionObject", name, `SELECT * FROM ${table}`).catch(() => []));
    }
  }
  const lines = JSON.stringify([stack.logs(), stored]);
  assert.ok(stack.events().some(({ event, to }) => event === "transition" && to === "SIGNED_IN"), "the sign-in is logged");
  assert.match(JSON.stringify(stored), /Begun/);
  const secrets = [caller.cookie, cookie].map((text) => text.slice(text.indexOf("gld_session_") + 12));
  for (const secret of [...secrets, caller.challenge.nonce, body.signature.slice(2)]) {
    const beginning = secret.slice(0, 24);
    assert.ok(!lines.includes(beginning) && !lines.includes(Buffer.from(beginning).toString("hex")), "the beginning of a secret");
  }
});

test("what has ended is forgotten an hour later, and nothing else is", async () => {
  const first = await start({ edgeVars: { SITE_ORIGIN: SITE } });
  let [leaving, staying, unanswered, over] = [];
  try {
    [leaving, staying, unanswered] = [await signIn(first), await signIn(first), await visitor(first)];
    assert.equal((await post(first, "/v1/auth/logout", leaving)).status, 204);
    over = [leaving.caller, leaving, staying.caller, unanswered].map(({ cookie }) => nameOf(cookie));
    for (const name of over) await age(first, "SessionObject", name, ["at", "until"], 61 * MINUTE);
  } finally {
    await first.stop({ keep: true });
  }
  const alarms = makeAlarmsDue(first.persist);
  const second = await start({ persist: first.persist, edgeVars: { SITE_ORIGIN: SITE } });
  try {
    assert.equal(alarms, over.length + 1);
    const tables = (name) => second.objectSql("SessionObject", name, "SELECT name FROM sqlite_master WHERE name = 'state'");
    for (const name of over) await until("the end of what is over", async () => (await tables(name)).length === 0);
    assert.equal((await sessionOf(second, staying.cookie)).status, 200);
    await assertProblem(await sessionOf(second, leaving.cookie), 401, "not_signed_in");
    // Nothing is left in memory either: the name is as good as a new one.
    assert.equal((await visitor(second, unanswered)).cookie, unanswered.cookie);
  } finally {
    await second.stop();
  }
});
