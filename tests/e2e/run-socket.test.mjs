// A run is watched through a WebSocket, which lives on while the run's object sleeps.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered } from "./support/board.mjs";
import { call, freshWallet, purchase, registered, runVars, seen, send, standing, walk, walletState } from "./support/run.mjs";
import { Socket, assertWhole, ticketOf } from "./support/run-watch.mjs";

const PROTOCOL = "guildhall.run.v1";

let stack;
let executor;

before(async () => {
  stack = await start(runVars());
  executor = await registered(stack);
});
after(() => stack?.stop());

const path = ({ run }, query = "") => `/v1/runs/${run}/socket${query}`;
const bearer = ({ token }) => ({ headers: { authorization: `Bearer ${token}` } });
const head = async (one) => (await seen(stack, one)).run.version;

/** One more event: a wallet that is not needed yet is kept. */
async function stir(one) {
  await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/wallet-state`, walletState(freshWallet())), 200);
  return head(one);
}

/** A run that goes on only when it is stirred, and whose token was used. */
async function begun() {
  const one = await standing(stack, "REVALIDATING", { executor });
  await stir(one);
  return one;
}

async function comes(socket, seq) {
  await socket.message(`event ${seq}`, (message) => message.event?.seq === seq);
}

test("every event once and in order, as the stream has it", async () => {
  const one = purchase({ executor });
  await send(stack, one, "create");
  const socket = await Socket.open(stack, path(one), bearer(one));
  await walk(stack, one, "ORDER_CONFIRMED");
  const now = await head(one);
  await comes(socket, now);
  assertWhole(socket.seqs, now);
  const { events } = await seen(stack, one);
  for (const { type, event, run, message } of socket.messages) {
    assert.equal(type, "event");
    assert.deepEqual([event, message], [events[event.seq - 1], events[event.seq - 1].message]);
    assert.ok(run.version >= event.seq);
  }
  socket.close();
});

test("it is opened by the token, by a ticket, and by a ticket under the protocol's name; once each", async () => {
  const one = await begun();
  const ticket = await ticketOf(stack, one);
  const [plain, named] = [await Socket.open(stack, path(one, `?ticket=${ticket}`)),
    await Socket.open(stack, path(one, `?ticket=${await ticketOf(stack, one)}`), { protocols: [PROTOCOL] })];
  assert.deepEqual([plain.wire.protocol, named.wire.protocol], ["", PROTOCOL]);
  const now = await head(one);
  for (const socket of [plain, named]) await comes(socket, now);
  await assert.rejects(Socket.open(stack, path(one, `?ticket=${ticket}`)), { status: 401 });
  await assert.rejects(Socket.open(stack, path(one)), { status: 401 });
  await assert.rejects(Socket.open(stack, path(one), { headers: { authorization: `Bearer ${executor.secret}` } }), /refused/);
  const plainly = await call(stack, one.token, "GET", path(one));
  assert.equal(plainly.status, 426, "without an upgrade");
  for (const socket of [plain, named]) socket.close();
});

test("asleep and awake again, the object keeps its watchers, and each hears what follows once", async () => {
  const one = await begun();
  const sockets = await Promise.all(Array.from({ length: 5 }, () => Socket.open(stack, path(one), bearer(one))));
  for (let round = 0; round < 3; round += 1) {
    const now = await head(one);
    for (const socket of sockets) await comes(socket, now);
    await stack.evict("RunObject", one.run, "hibernate");
    const next = await stir(one);
    assert.equal(next, now + 1);
    for (const socket of sockets) await comes(socket, next);
  }
  for (const socket of sockets) {
    assertWhole(socket.seqs, await head(one));
    socket.close();
  }
});

test("resumed after an event it goes on there; after one that never was, it is told to begin anew", async () => {
  const one = await standing(stack, "USER_CONFIRMATION", { executor });
  const now = await head(one);
  const resumed = await Socket.open(stack, path(one, `?after=${now - 3}`), bearer(one));
  await comes(resumed, now);
  assertWhole(resumed.seqs, now, now - 2);
  const lost = await Socket.open(stack, path(one, `?after=${now + 5}`), bearer(one));
  const { run } = await lost.message("the reset", ({ type }) => type === "reset");
  assert.equal(run.version, now);
  for (const socket of [resumed, lost]) socket.close();
});

test("what a watcher says is not heard, and disturbs nobody", async () => {
  const one = await begun();
  const [loud, quiet] = [await Socket.open(stack, path(one), bearer(one)), await Socket.open(stack, path(one), bearer(one))];
  await comes(quiet, await head(one));
  const before = await seen(stack, one);
  for (const said of ["x".repeat(200_000), "{}", { type: "confirm", reject: true }, { type: "event", event: { seq: 1 } }]) loud.send(said);
  await stack.evict("RunObject", one.run, "hibernate");
  assert.deepEqual(await seen(stack, one), before);
  const now = await stir(one);
  await comes(quiet, now);
  assertWhole(quiet.seqs, now);
  for (const socket of [loud, quiet]) socket.close();
});
