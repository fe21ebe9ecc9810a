// S4: what the Workers log about a whole gig is structured, can be followed by its correlation id, and
// tells no secret, no payment credential and nothing of the work.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import {
  answered,
  create,
  credentials,
  delegation,
  lifecycleMessage,
  reconnect,
  send,
  status,
  tryAct,
} from "./support/board.mjs";
import { encode, freshAccount, sign } from "./support/payment.mjs";
import { join } from "./support/tunnel.mjs";
import { until } from "./support/waiting.mjs";

const MARK = "ZanzibarMarzipan";

let stack;
let story;

before(async () => {
  stack = await start({ edgeVars: { FACILITATOR_TIMEOUT_MS: "400" } });
  story = await tell();
});

after(() => stack?.stop());

function withId(id) {
  return { "x-correlation-id": id };
}

/** A gig with a mark in every text of its parties, and every secret that it was made of. */
async function tell() {
  const account = freshAccount();
  const payload = { title: `${MARK} title`, description: `${MARK} description`, task_params: { key: `${MARK} parameter` } };
  const message = delegation({ payload });
  const payment = await sign(account);
  const secrets = [payment.payload.signature, payment.payload.authorization.nonce, encode(payment)];
  await send(stack, "/v1/gigs/create", message, withId("story-unpaid"));
  const paid = await send(stack, "/v1/gigs/create", message, { ...withId("story-create"), "payment-signature": encode(payment) });
  const { gig, tunnel_grant: buyerGrant } = await answered(paid, 201);
  const buyer = { gig: gig.gig_id, name: buyerGrant.agent_identity, role: "buyer", token: buyerGrant.token };

  const claiming = { message_id: `${MARK}-claim`, sender: "worker-agent", type: "TaskClaim", payload: { gig_id: gig.gig_id } };
  const { tunnel_grant: first } = await answered(await send(stack, "/v1/gigs/claim", claiming, withId("story-claim")), 200);
  const worker = await reconnect(stack, { gig: gig.gig_id, name: first.agent_identity, role: "worker", token: first.token });
  const { ticket } = await answered(await stack.fetch(`/v1/gigs/${gig.gig_id}/ticket`, { method: "POST", headers: credentials(buyer) }), 200);
  secrets.push(buyer.token, first.token, worker.token, ticket);

  const end = await join(stack, worker);
  end.send(`${MARK} message`);
  const path = `/v1/gigs/${gig.gig_id}/lifecycle`;
  const act = (party, kind, rest, id) =>
    send(stack, path, lifecycleMessage(party, kind, rest), { authorization: `Bearer ${party.token}`, ...withId(id) });
  const delivery = { reason: `${MARK} remark`, result: { answer: `${MARK} result` }, result_url: `https://files.example/${MARK}` };
  await answered(await act(worker, "TaskDelivery", delivery, "story-deliver"), 200);
  await answered(await act(buyer, "TaskRevision", { reason: `${MARK} reason` }, "story-revise"), 200);
  await answered(await act(worker, "TaskDelivery", delivery, "story-deliver-2"), 200);
  await answered(await act(buyer, "TaskAcceptance", { reason: `${MARK} thanks` }, "story-accept"), 200);
  assert.equal((await status(stack, gig.gig_id)).lifecycle_state, "CLOSED");

  // What goes wrong is logged as well.
  await tryAct(stack, { ...worker, token: buyer.token }, "TaskDelivery", { reason: MARK });
  await create(stack, delegation({ payload: { title: MARK.repeat(9) } }), payment);
  await send(stack, "/v1/gigs/create", message, { "payment-signature": `${MARK}%` });
  await stack.fetch(`/v1/gigs/discover?q=${MARK}&token=${worker.token}`);
  await stack.fetch(`/${MARK}/${worker.token}?grant=${worker.token}`);
  for (const mode of ["refuse", "garbage", "error", "hang"]) {
    await stack.setSimulator(mode);
    const other = await sign(account);
    secrets.push(other.payload.signature, other.payload.authorization.nonce, encode(other));
    await create(stack, delegation({ payload }), other);
  }
  await stack.setSimulator("settle");
  await stack.d1("ALTER TABLE gigs RENAME TO gigs_away");
  const unseen = await sign(account);
  secrets.push(unseen.payload.signature, encode(unseen));
  await create(stack, delegation({ payload }), unseen);
  await stack.d1("ALTER TABLE gigs_away RENAME TO gigs");
  return { gig: gig.gig_id, secrets };
}

test("each line is one JSON object with an event", () => {
  const lines = stack.logs();
  assert.ok(lines.length > 20, `${lines.length} lines`);
  for (const { message } of lines) {
    const line = JSON.parse(message);
    assert.equal(typeof line.event, "string", message);
  }
});

test("no secret, no credential and no word of the work is in any line", async () => {
  await until("the lookups of the unknown outcomes", () => stack.events().filter(({ to }) => to === "SETTLED").length >= 4);
  const everything = stack.logs().map(({ message }) => message).join("\n").toLowerCase();
  assert.ok(!everything.includes(MARK.toLowerCase()), "a text of the parties");
  for (const secret of story.secrets) {
    const core = secret.replace(/^(0x|gld_[a-z]+_)/, "").toLowerCase();
    assert.ok(!everything.includes(core), "a secret");
    assert.ok(!everything.includes(core.slice(0, 24)), "the beginning of a secret");
  }
});

test("a request is followed by its correlation id from the edge to the objects it moved", () => {
  const moves = [
    ["story-create", "DISCOVERABLE"],
    ["story-claim", "TUNNEL_GRANTED"],
    ["story-deliver", "DELIVERED"],
    ["story-revise", "IN_PROGRESS"],
    ["story-accept", "CLOSED"],
  ];
  const events = stack.events();
  for (const [id, to] of moves) {
    const caused = events.filter((line) => line.correlation_id === id);
    const moved = caused.find((line) => line.event === "transition" && line.object === `gig:${story.gig}` && line.to === to);
    assert.ok(moved, `${id}: ${JSON.stringify(caused)}`);
    assert.equal(typeof moved.from, "string");
    assert.ok(moved.version > 0);
    const [request] = caused.filter(({ event }) => event === "request");
    assert.deepEqual([request.method, Number.isInteger(request.status), Number.isInteger(request.duration_ms)], ["POST", true, true]);
    assert.match(request.route, /^\/v1\/gigs\/(create|claim|\{id\}\/lifecycle)$/);
  }
  // Being told the price is no event: nothing happened.
  assert.deepEqual(events.filter((line) => line.correlation_id === "story-unpaid"), []);
  const settling = events.filter((line) => line.correlation_id === "story-create" && line.object?.startsWith("payment:"));
  assert.deepEqual(settling.map(({ to }) => to), ["CLAIMED", "SETTLING", "SETTLED"]);
});

test("a refusal is logged with its reason", () => {
  const refusals = stack.events().filter(({ event }) => event === "refused");
  assert.ok(refusals.some(({ reason, object }) => reason === "invalid_grant" && object === `gig:${story.gig}`), JSON.stringify(refusals));
});
