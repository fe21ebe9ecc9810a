// The tunnel between a gig's two parties: what goes in comes out, nothing else does, and every end says why.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { act, assertProblem, claim, postGig, reconnect } from "./support/board.mjs";
import { join } from "./support/tunnel.mjs";
import { within } from "./support/waiting.mjs";

const MESSAGE_BYTES = 64 * 1024;
const HELD_MESSAGES = 64;

let stack;
let patience;
const opened = [];

before(async () => {
  stack = await start();
  patience = waitForNobody();
  // Its failure is the last test's to tell.
  patience.catch(() => undefined);
});

after(async () => {
  opened.forEach(({ socket }) => socket.terminate());
  await stack?.stop();
});

async function enter(party, on = stack) {
  const end = await join(on, party);
  opened.push(end);
  return end;
}

/** A gig with both parties in its tunnel. */
async function meeting(on = stack) {
  const gig = await postGig(on);
  const worker = await claim(on, gig.id);
  return { id: gig.id, buyer: gig.buyer, worker, ends: { buyer: await enter(gig.buyer, on), worker: await enter(worker, on) } };
}

/** A buyer that sends to a worker who never comes. Thirty seconds long, so it runs beside the other tests. */
async function waitForNobody() {
  const gig = await postGig(stack);
  await claim(stack, gig.id);
  const buyer = await enter(gig.buyer);
  const sent = Date.now();
  buyer.send("is anybody there?");
  const end = await within("the end of waiting", buyer.closed, 40_000);
  return { ...end, waited: Date.now() - sent };
}

test("messages arrive as they were sent and in order, whatever they look like", async () => {
  const { ends } = await meeting();
  const messages = [
    "hello",
    "",
    JSON.stringify({ type: "ping" }),
    "ping",
    "pong",
    '{"broken": ',
    "emoji 🧵 and \u0000 zero",
    Buffer.alloc(0),
    Buffer.from([0, 255, 128, 10]),
    "x".repeat(MESSAGE_BYTES),
    Buffer.alloc(MESSAGE_BYTES, 7),
  ];
  for (const [from, to] of [[ends.buyer, ends.worker], [ends.worker, ends.buyer]]) {
    for (const message of messages) from.send(message);
    for (const message of messages) assert.deepEqual(await to.next(), message);
  }
  const many = Array.from({ length: 500 }, (_, index) => String(index));
  for (const message of many) ends.buyer.send(message);
  for (const message of many) assert.equal(await ends.worker.next(), message);
  assert.equal(ends.buyer.unread, 0, "nothing comes back to its sender");
});

test("a ping of the protocol is answered and not relayed", async () => {
  const { ends } = await meeting();
  const pong = new Promise((resolve) => ends.buyer.socket.once("pong", (payload) => resolve(String(payload))));
  ends.buyer.socket.ping("are you there");
  assert.equal(await within("the pong", pong), "are you there");
  ends.buyer.send("after");
  assert.equal(await ends.worker.next(), "after");
});

test("a message above 64 KiB ends its sender's socket with 1009, and nobody else's", async () => {
  const { ends, buyer } = await meeting();
  let [seat, end] = [buyer, ends.buyer];
  for (const tooLarge of ["x".repeat(MESSAGE_BYTES + 1), "ü".repeat(MESSAGE_BYTES / 2 + 1), Buffer.alloc(MESSAGE_BYTES + 1)]) {
    end.send(tooLarge);
    const { code, reason } = await end.close();
    assert.equal(code, 1009);
    assert.match(reason, /65536/);
    seat = await reconnect(stack, seat);
    end = await enter(seat);
  }
  end.send("smaller");
  assert.equal(await ends.worker.next(), "smaller");
});

test("S3: a grant opens one socket, for its holder and its gig alone", async () => {
  const gig = await postGig(stack);
  await assert.rejects(join(stack, gig.buyer), { status: 401 }, "no worker has claimed it");
  const worker = await claim(stack, gig.id);
  const other = await meeting();
  const wrong = [
    ["another gig's grant", { ...worker, token: other.worker.token, name: other.worker.name }],
    ["another name", { ...worker, name: "somebody-else" }],
    ["the other party's name", { ...worker, name: gig.buyer.name }],
    ["an invented grant", { ...worker, token: `gld_grant_${"A".repeat(43)}` }],
    ["no grant at all", { ...worker, token: "" }],
  ];
  for (const [about, party] of wrong) await assert.rejects(join(stack, party), { status: 401 }, about);
  await assert.rejects(join(stack, worker, {}), { status: 401 }, "no credentials");
  await enter(worker);
  await assert.rejects(join(stack, worker), { status: 401 }, "the grant is used");
});

test("a plain request is told to upgrade", async () => {
  const { id } = await postGig(stack);
  const answer = await stack.fetch(`/v1/gigs/${id}/tunnel`);
  await assertProblem(answer, 426, "upgrade_required");
});

test("a newer grant takes the seat over: the old socket ends with 4001", async () => {
  const { ends, worker } = await meeting();
  const newer = await reconnect(stack, worker);
  ends.buyer.send("to the old socket");
  assert.equal(await ends.worker.next(), "to the old socket", "the grant alone closes nothing");
  const second = await enter(newer);
  const { code, reason } = await ends.worker.close();
  assert.equal(code, 4001);
  assert.match(reason, /newer grant/);
  ends.buyer.send("to the new socket");
  assert.equal(await second.next(), "to the new socket");
  second.send("and back");
  assert.equal(await ends.buyer.next(), "and back");
});

test("a client that dies does not block its seat", async () => {
  const { ends, worker } = await meeting();
  ends.worker.socket.terminate();
  const back = await enter(await reconnect(stack, worker));
  ends.buyer.send("welcome back");
  assert.equal(await back.next(), "welcome back");
  back.send("thank you");
  assert.equal(await ends.buyer.next(), "thank you");
});

test("what is sent before the other party is there waits for it", async () => {
  const gig = await postGig(stack);
  const worker = await claim(stack, gig.id);
  const buyer = await enter(gig.buyer);
  const messages = ["first", Buffer.from("second"), "third"];
  for (const message of messages) buyer.send(message);
  const late = await enter(worker);
  for (const message of messages) assert.deepEqual(await late.next(), message);
  buyer.send("fourth");
  assert.equal(await late.next(), "fourth");
});

test("what is sent while the other party is away waits for it", async () => {
  const { ends, worker } = await meeting();
  ends.worker.socket.close(1000, "a moment");
  await ends.worker.close();
  ends.buyer.send("while you were away");
  const back = await enter(await reconnect(stack, worker));
  assert.equal(await back.next(), "while you were away");
});

test("more than can be kept for an absent party ends the sender's socket with 4008", async () => {
  const gig = await postGig(stack);
  await claim(stack, gig.id);
  const buyer = await enter(gig.buyer);
  for (let sent = 0; sent <= HELD_MESSAGES; sent += 1) buyer.send(String(sent));
  const { code, reason } = await buyer.close();
  assert.equal(code, 4008);
  assert.match(reason, /65 messages were not delivered/);
});

test("the end of a gig ends its tunnel with 4003, and says how it ended", async () => {
  const { ends, worker, buyer } = await meeting();
  await act(stack, worker, "TaskDelivery");
  ends.buyer.send("thank you");
  assert.equal(await ends.worker.next(), "thank you", "a delivery ends nothing yet");
  await act(stack, buyer, "TaskAcceptance");
  for (const end of [ends.buyer, ends.worker]) {
    const { code, reason } = await end.close();
    assert.equal(code, 4003);
    assert.match(reason, /CLOSED/);
  }
  await assert.rejects(join(stack, worker), { status: 401 });
});

test("sockets outlive the object's sleep", async () => {
  const { id, ends, worker, buyer } = await meeting();
  await stack.evictGig(id);
  ends.buyer.send("good morning");
  assert.equal(await ends.worker.next(), "good morning");
  await stack.evictGig(id);
  ends.worker.send(Buffer.from("good morning"));
  assert.deepEqual(await ends.buyer.next(), Buffer.from("good morning"));

  await stack.evictGig(id);
  const second = await enter(await reconnect(stack, worker));
  assert.equal((await ends.worker.close()).code, 4001);
  await stack.evictGig(id);
  await act(stack, buyer, "TaskCancellation");
  for (const end of [ends.buyer, second]) assert.equal((await end.close()).code, 4003);
});

test("a party that sends too fast is cut off with 4029, and only that party", async (context) => {
  const slow = await start({ edgeVars: { TUNNEL_MESSAGES_PER_SECOND: "10", TUNNEL_BYTES_PER_SECOND: "30000" } });
  context.after(() => slow.stop());
  // Five seconds' worth may be sent at once.
  for (const burst of [Array.from({ length: 100 }, () => "x"), Array.from({ length: 3 }, () => "x".repeat(MESSAGE_BYTES))]) {
    const { ends, buyer } = await meeting(slow);
    for (const message of burst) ends.buyer.send(message);
    const { code, reason } = await ends.buyer.close();
    assert.equal(code, 4029);
    assert.match(reason, /slowly/);
    assert.ok(ends.worker.unread < burst.length);
    while (ends.worker.unread > 0) await ends.worker.next();
    const again = await enter(await reconnect(slow, buyer), slow);
    ends.worker.send("still here");
    assert.equal(await again.next(), "still here");
  }
});

test("a sender whose partner does not come in 30 seconds is told with 4008", async () => {
  const { code, reason, waited } = await patience;
  assert.equal(code, 4008);
  assert.match(reason, /1 messages were not delivered/);
  assert.ok(waited > 29_000, `${waited} ms`);
});
