// The browser's way into a tunnel, with the WebSocket of the web platform: it cannot set headers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem, claim, credentials, postGig, reconnect } from "./support/board.mjs";
import { join, tunnelUrl } from "./support/tunnel.mjs";
import { within } from "./support/waiting.mjs";

const PROTOCOL = "guildhall.tunnel.v1";

let stack;
const opened = [];

before(async () => {
  stack = await start();
});

after(async () => {
  opened.forEach((socket) => socket.close());
  await stack?.stop();
});

function askForTicket(party) {
  return stack.fetch(`/v1/gigs/${party.gig}/ticket`, { method: "POST", headers: credentials(party) });
}

/** Opens a socket as a page does; fails when the server refuses. */
function open(gigId, protocols) {
  const socket = new WebSocket(tunnelUrl(stack, gigId), protocols);
  opened.push(socket);
  const settled = new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(socket));
    socket.addEventListener("error", () => reject(new Error("refused")));
  });
  return within("the socket", settled);
}

function nextMessage(socket) {
  return within("a message", new Promise((resolve) => socket.addEventListener("message", ({ data }) => resolve(data), { once: true })));
}

test("a ticket opens one socket, in place of its grant", async () => {
  const gig = await postGig(stack);
  const worker = await claim(stack, gig.id);
  const { ticket, protocol, expires_at: expiry } = await answered(await askForTicket(worker), 200);
  assert.match(ticket, /^gld_ticket_[A-Za-z0-9_-]{43}$/);
  assert.equal(protocol, PROTOCOL);
  assert.ok(Math.abs(Date.parse(expiry) - Date.now() - 60_000) < 5_000);
  await assert.rejects(join(stack, worker), { status: 401 }, "the grant was given for the ticket");

  const page = await open(gig.id, [PROTOCOL, ticket]);
  assert.equal(page.protocol, PROTOCOL);
  const buyer = await join(stack, gig.buyer);
  const message = nextMessage(page);
  buyer.send("hello, page");
  assert.equal(await message, "hello, page");
  page.send("hello, agent");
  assert.equal(await buyer.next(), "hello, agent");

  await assert.rejects(open(gig.id, [PROTOCOL, ticket]), /refused/, "a ticket opens one socket");
  await assertProblem(await askForTicket(worker), 401, "grant_used");
  buyer.socket.terminate();
});

test("a ticket that got lost is replaced by asking again, and only the newest is good", async () => {
  const gig = await postGig(stack);
  const worker = await claim(stack, gig.id);
  const { ticket: lost } = await answered(await askForTicket(worker), 200);
  const { ticket } = await answered(await askForTicket(worker), 200);
  await assert.rejects(open(gig.id, [PROTOCOL, lost]), /refused/);
  const page = await open(gig.id, [PROTOCOL, ticket]);
  assert.equal(page.readyState, WebSocket.OPEN);
});

test("a newer grant takes a page's seat over as well", async () => {
  const gig = await postGig(stack);
  const worker = await claim(stack, gig.id);
  const { ticket } = await answered(await askForTicket(worker), 200);
  const page = await open(gig.id, [PROTOCOL, ticket]);
  const closed = new Promise((resolve) => page.addEventListener("close", ({ code }) => resolve(code)));
  // A page that never sent anything would learn of its end only seconds later in the local runtime.
  page.send("present");
  const second = await join(stack, await reconnect(stack, worker));
  assert.equal(await within("the close", closed), 4001);
  second.socket.terminate();
});

test("nothing but a ticket of this gig opens its tunnel", async () => {
  const [gig, other] = [await postGig(stack), await postGig(stack)];
  const worker = await claim(stack, gig.id);
  const { ticket: foreign } = await answered(await askForTicket(await claim(stack, other.id)), 200);
  const offers = [
    [PROTOCOL, foreign],
    [PROTOCOL, `gld_ticket_${"A".repeat(43)}`],
    [PROTOCOL, worker.token],
    [PROTOCOL, "gld_ticket_short"],
    [PROTOCOL],
  ];
  for (const protocols of offers) await assert.rejects(open(gig.id, protocols), /refused/, protocols[1]);
  const { ticket } = await answered(await askForTicket(worker), 200);
  await assert.rejects(open(gig.id, [ticket]), /refused/, "without the protocol's name the server could not select one");
  await open(gig.id, [PROTOCOL, ticket]);
});

test("a ticket is given for a grant alone", async () => {
  const gig = await postGig(stack);
  const early = await assertProblem(await askForTicket(gig.buyer), 401, "tunnel_inactive");
  assert.equal(early.retryable, true);
  const worker = await claim(stack, gig.id);
  const path = `/v1/gigs/${gig.id}/ticket`;
  await assertProblem(await stack.fetch(path, { method: "POST" }), 401, "missing_credentials");
  await assertProblem(await askForTicket({ ...worker, name: "somebody-else" }), 401, "identity_mismatch");
  await assertProblem(await askForTicket({ ...worker, token: `gld_grant_${"A".repeat(43)}` }), 401, "invalid_grant");
});
