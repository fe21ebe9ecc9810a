// Owners and their browsers, as a test needs them: viem writes the messages and signs them, as a page would have a wallet do.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { answered, send } from "./board.mjs";

/** Not the address on which the tests reach the Worker: the configuration counts, and no request's Host. */
export const SITE = "https://guildhall.example";
export const COOKIE = "__Host-guildhall-session";
export const MINUTE = 60_000;

/** The cookie that an answer hands over, as it is sent back; the attributes are what they must be. */
export function cookieOf(answer) {
  const [set, ...more] = answer.headers.getSetCookie();
  assert.deepEqual(more, []);
  const [cookie, ...attributes] = set.split("; ");
  assert.deepEqual(attributes.slice(0, -1), ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]);
  assert.match(attributes.at(-1), /^Max-Age=\d+$/);
  assert.match(cookie, new RegExp(`^${COOKIE}=gld_session_[A-Za-z0-9_-]{43}$`));
  return cookie;
}

/** The name of the object behind a cookie. */
export function nameOf(cookie) {
  return createHash("sha256").update(cookie.slice(COOKIE.length + 1)).digest("hex");
}

export function post(stack, path, { cookie, origin, body } = {}) {
  const headers = { ...(cookie && { cookie }), ...(origin && { origin }) };
  return body === undefined ? stack.fetch(path, { method: "POST", headers }) : send(stack, path, body, headers);
}

/** A browser that was asked to sign in: its cookie, and what the message must say. */
export async function visitor(stack, options) {
  const answer = await post(stack, "/v1/auth/nonce", options);
  return { cookie: cookieOf(answer), challenge: await answered(answer, 200) };
}

/** The message that was asked for, with `other` in place of what it should say. */
export function messageOf({ challenge }, account, other = {}) {
  const { nonce, domain, uri, version, statement, chainIds, issuedAt } = challenge;
  return createSiweMessage({
    address: account.address,
    chainId: chainIds[0],
    domain,
    issuedAt: new Date(issuedAt),
    nonce,
    statement,
    uri,
    version,
    ...other,
  });
}

/** The body of a sign-in: a message, signed. */
export async function signed(account, message) {
  return { message, signature: await account.signMessage({ message }) };
}

export function verify(stack, { cookie }, body, origin) {
  return post(stack, "/v1/auth/verify", { cookie, origin, body });
}

export function sessionOf(stack, cookie, path = "/v1/auth/session") {
  return stack.fetch(path, { headers: cookie === undefined ? {} : { cookie } });
}

export function owner() {
  return privateKeyToAccount(generatePrivateKey());
}

/** Signs a fresh account in: `{ account, caller, cookie, session }`. */
export async function signIn(stack) {
  const account = owner();
  const caller = await visitor(stack);
  const answer = await verify(stack, caller, await signed(account, messageOf(caller, account)));
  return { account, caller, cookie: cookieOf(answer), session: await answered(answer, 200) };
}
