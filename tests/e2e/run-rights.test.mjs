// Who may do what with a run and with an executor: every route, asked by everyone; and what nobody ever gets to see.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { ask, mandateOf, party, usdc } from "./support/mandate.mjs";
import {
  STEPS, allEvents, call, freshKey, freshWallet, purchase, registered, runVars, seen, send, sha256, simulatedSignature, standing,
  stands, walletState, wanted,
} from "./support/run.mjs";
import { Bytes, Socket, fieldsOf, ticketOf } from "./support/run-watch.mjs";

/** Another's word that must never be seen; it is in everything that only parties may know. */
const CODE_19_90 = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865405" +
  "19.905802BR5913Fulano de Tal6008BRASILIA62070503***63048677";

let stack;
let executor;
let others;
let accounts;

before(async () => {
  stack = await start(runVars());
  executor = await registered(stack);
  const stranger = await registered(stack);
  const other = await standing(stack, "REVALIDATING", { executor: stranger });
  others = { executor: stranger, run: other };
  accounts = { owner: party(), agent: party(), someone: party() };
});
after(() => stack?.stop());

/** Asks in a role: by a bearer token, by a signature, or as nobody. */
function knock(role, one, method, path, body) {
  const tokens = {
    runOwner: one.token, otherRunOwner: others.run.token, itsExecutor: one.executor.secret, otherExecutor: others.executor.secret,
    forged: `gld_run_${"A".repeat(43)}`, nonsense: "x",
  };
  if (role in accounts) return ask(stack, accounts[role], method, path, body);
  return call(stack, tokens[role] ?? null, method, path, body);
}

const ROLES = ["nobody", "runOwner", "otherRunOwner", "itsExecutor", "otherExecutor", "forged", "nonsense", "owner", "agent", "someone"];
/** Who has no token that this route takes is told so; who has another's finds nothing there. */
const ANY_REFUSAL = [401, 403, 404];

const confirmBody = async (one) => {
  const { digest, amountCents } = (await seen(stack, one)).run.payment.confirmation;
  return { digest, amountCents };
};

/** Of each route: where the run stands, method, path, body, whose it is. */
const ROUTES = [
  ["the run", "USER_CONFIRMATION", "GET", (p) => p, null, "runOwner"],
  ["its events", "REVALIDATING", "GET", (p) => `${p}/events`, null, "runOwner"],
  ["its journal", "REVALIDATING", "GET", (p) => `${p}/journal`, null, "runOwner"],
  ["a ticket", "REVALIDATING", "POST", (p) => `${p}/ticket`, null, "runOwner"],
  ["a wallet's word", "WALLET_REQUIRED", "POST", (p) => `${p}/wallet-state`, () => walletState(freshWallet()), "runOwner"],
  ["a yes", "USER_CONFIRMATION", "POST", (p) => `${p}/confirm`, confirmBody, "runOwner"],
  ["a no", "USER_CONFIRMATION", "POST", (p) => `${p}/confirm`, () => ({ reject: true }), "runOwner"],
  ["a payment", "PAYMENT_AUTHORIZED", "POST", (p) => `${p}/payment`,
    async (one) => ({ signature: simulatedSignature((await seen(stack, one)).run) }), "runOwner"],
  ["a stop", "REVALIDATING", "POST", (p) => `${p}/cancel`, null, "runOwner"],
  ["another executor", "REVALIDATING", "POST", (p) => `${p}/executor`, () => ({ executorId: others.executor.id }), "runOwner"],
  ["a result", "REVALIDATION_REQUESTED", "POST", (p) => `${p}/browser-result`, async (one) => {
    const { pendingCommand } = (await seen(stack, one)).run;
    return { commandId: pendingCommand.commandId, type: "STARTED" };
  }, "itsExecutor"],
];

for (const [what, state, method, path, body, allowed] of ROUTES) {
  test(`${what}: ${method}`, async () => {
    const one = await standing(stack, state, { executor });
    const target = path(`/v1/runs/${one.run}`);
    const sent = (await body?.(one)) ?? undefined;
    const earlier = await seen(stack, one);
    for (const role of ROLES.filter((role) => role !== allowed)) {
      const answer = await knock(role, one, method, target, sent);
      const text = await answer.text();
      assert.ok(ANY_REFUSAL.includes(answer.status), `${what} by ${role}: ${answer.status} ${text}`);
      assert.equal(answer.headers.get("content-type"), "application/problem+json", `${what} by ${role}`);
      for (const secret of [one.run, one.token, executor.secret, earlier.run.selectedCandidate.merchantName]) {
        assert.ok(!text.includes(secret), `${what} by ${role} tells ${secret}`);
      }
      if (role === "nobody") assert.equal(answer.status, 401, what);
      if (role === "otherRunOwner") assert.equal(answer.status, method === "GET" || allowed === "runOwner" ? 404 : answer.status, what);
    }
    assert.deepEqual(await seen(stack, one), earlier, `${what}: refused and yet done`);
    const answer = await knock(allowed, one, method, target, sent);
    assert.ok(answer.ok, `${what} by ${allowed}: ${answer.status} ${await answer.text()}`);
  });
}

test("sockets and streams open for the run's owner alone, and an executor's for itself alone", async () => {
  const one = await standing(stack, "REVALIDATING", { executor });
  const paths = [`/v1/runs/${one.run}/socket`, "/v1/executors/me/socket"];
  for (const [path, allowed] of [[paths[0], one.token], [paths[1], executor.secret]]) {
    for (const token of [null, one.token, others.run.token, executor.secret, others.executor.secret, "x"]) {
      if (token === allowed || (path === paths[1] && token === others.executor.secret)) continue;
      const headers = token === null ? {} : { authorization: `Bearer ${token}` };
      await assert.rejects(Socket.open(stack, path, { headers }), ({ status }) => ANY_REFUSAL.includes(status), `${path} ${token}`);
    }
    (await Socket.open(stack, path, { headers: { authorization: `Bearer ${allowed}` } })).close();
  }
});

test("the mandate's owner and agent have no say in a run but for the yes that is asked of the owner", async () => {
  const { owner, agent } = accounts;
  const mandate = await mandateOf(stack, owner, agent, { policy: { approvalAbove: "1", paymentCap: usdc(1000), dayCap: usdc(1000) }, entries: [{}] });
  const body = wanted({ wallet: "simulated", mandate: mandate.mandate });
  const made = await answered(await ask(stack, agent, "POST", "/v1/runs", body, freshKey()), 201);
  const one = { run: made.run.id, token: made.runToken, executor };
  await stands(stack, one, "USER_CONFIRMATION");
  for (const role of ["owner", "agent", "someone"]) {
    for (const [, , method, path, routeBody] of ROUTES.filter(([what]) => !["a yes", "a no", "a result", "a payment"].includes(what))) {
      const answer = await knock(role, one, method, path(`/v1/runs/${one.run}`), routeBody ? await routeBody(one) : undefined);
      assert.ok(ANY_REFUSAL.includes(answer.status), `${method} ${path("")} by ${role}: ${answer.status}`);
    }
  }
});

test("S4: no secret, no digest of a token and no Pix payload is in a log line, an event, a view, a journal or a store", async () => {
  stack.clearLogs();
  const secrets = [];
  const watching = purchase({ executor: await registered(stack), requirement: "pix marzipan" });
  await answered(await send(stack, watching, "create"), 201);
  const stream = await Bytes.open(stack, `/v1/runs/${watching.run}/events?ticket=${await spent(secrets, watching)}`);
  const socket = await Socket.open(stack, `/v1/runs/${watching.run}/socket?ticket=${await spent(secrets, watching)}`);
  for (const [step, state] of STEPS.slice(1)) {
    if (step === "pix") await answerWithCode(watching);
    else await answered(await send(stack, watching, step), 200);
    await stands(stack, watching, state);
  }
  const { run } = await seen(stack, watching);
  assert.ok(run.isTerminal);
  secrets.push(watching.token, watching.executor.secret);
  // What goes wrong is logged as well.
  await call(stack, `${watching.token}x`, "GET", `/v1/runs/${watching.run}?token=${watching.token}`);
  await call(stack, watching.executor.secret, "POST", `/v1/runs/${watching.run}/browser-result`, { commandId: "cmd_1", type: "PIX", payload: CODE_19_90 });
  await stack.fetch(`/v1/executors/me/commands?secret=${watching.executor.secret}`);
  const shown = [
    ["the logs", stack.logs().map(({ message }) => message).join("\n")],
    ["the events", JSON.stringify(await allEvents(stack, watching))],
    ["the view", JSON.stringify(await seen(stack, watching))],
    ["the journal", JSON.stringify(await answered(await call(stack, watching.token, "GET", `/v1/runs/${watching.run}/journal`), 200))],
    ["the stream", stream.blocks.join("\n")],
    ["the socket", JSON.stringify(socket.messages)],
    ["the run's store", await dump("RunObject", watching.run)],
    ["the executor's store", await dump("ExecutorObject", watching.executor.id)],
  ];
  stream.close();
  socket.close();
  for (const [where, text] of shown) {
    assert.ok(text.length > 100, `${where}: ${text}`);
    for (const secret of secrets) assert.ok(!text.includes(secret.replace(/^gld_[a-z]+_/, "")), `${where} holds a secret`);
    for (const part of ["br.gov.bcb.pix", "Fulano", CODE_19_90.slice(-20)]) assert.ok(!text.includes(part), `${where} holds ${part}`);
  }
  const digests = secrets.map((secret) => sha256(secret).toString("hex"));
  for (const [where, text] of shown.filter(([name]) => !name.endsWith("store") && name !== "the journal")) {
    for (const digest of digests) assert.ok(!text.includes(digest), `${where} holds a token's digest`);
  }
});

async function spent(secrets, one) {
  const ticket = await ticketOf(stack, one);
  secrets.push(ticket);
  return ticket;
}

/** Reads the target as a code, if what is bought costs what the code says; else as a mere choice of Pix. */
async function answerWithCode(one) {
  const { pendingCommand } = (await seen(stack, one)).run;
  const { commandId, expectedAmountCents: amountCents } = pendingCommand;
  const payload = pixCode(amountCents);
  const result = { commandId, type: "PIX", amountCents, evidence: "pix-code", payload };
  await answered(await call(stack, one.executor.secret, "POST", `/v1/runs/${one.run}/browser-result`, result), 200);
  const digest = (await seen(stack, one)).run.checkout.pix.payloadDigest;
  assert.equal(digest, sha256(payload).toString("hex"), "its digest is all that is kept");
  one.sent.pix = [];
}

/** A static code for an amount, with its check (CRC-16/CCITT-FALSE). */
function pixCode(cents) {
  const amount = `${cents.slice(0, -2) || "0"}.${cents.slice(-2).padStart(2, "0")}`;
  const field = (tag, value) => `${tag}${`${value.length}`.padStart(2, "0")}${value}`;
  const account = field("00", "br.gov.bcb.pix") + field("01", "123e4567-e12b-12d1-a456-426655440000");
  const head = [["00", "01"], ["26", account], ["52", "0000"], ["53", "986"], ["54", amount], ["58", "BR"], ["59", "Fulano de Tal"],
    ["60", "BRASILIA"], ["62", field("05", "***")]].map(([tag, value]) => field(tag, value)).join("") + "6304";
  let crc = 0xffff;
  for (const byte of Buffer.from(head)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return head + crc.toString(16).toUpperCase().padStart(4, "0");
}

/** Every text in an object's store. */
async function dump(className, name) {
  const tables = await stack.objectSql(className, name, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'");
  const rows = [];
  for (const { name: table } of tables) rows.push(...(await stack.objectSql(className, name, `SELECT * FROM "${table}"`)));
  return JSON.stringify(rows);
}

test("a code's check is its own: the one above is what the tables say", () => {
  assert.equal(pixCode("1990"), CODE_19_90);
});

test("a ticket, a token or a secret in the place of another opens nothing", async () => {
  const one = await standing(stack, "REVALIDATING", { executor });
  const ticket = await ticketOf(stack, one);
  await assertProblem(await call(stack, ticket, "GET", `/v1/runs/${one.run}`), 401, "invalid_credentials");
  for (const token of [executor.secret, ticket]) {
    const answer = await call(stack, token, "POST", `/v1/runs/${one.run}/cancel`);
    assert.ok(ANY_REFUSAL.includes(answer.status), `${answer.status}`);
  }
  const stream = await Bytes.open(stack, `/v1/runs/${one.run}/events?ticket=${ticket}`);
  await stream.block("an event", (block) => fieldsOf(block).event === "run-event");
  stream.close();
});
