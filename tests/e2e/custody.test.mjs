// Mandates in custody of the contract: a recorded life is told block by block, and what the mirror shows and sends is what
// the contract showed and was sent. The chain's side is a test's; the requests are signed by the recording's keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFunctionData, hashTypedData, verifyTypedData } from "viem";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import {
  MANDATE, PATH, RecordedChain, abi, agent, at, authorization, block, owner, provider, recording, shown, view,
} from "./support/custody.mjs";
import { VARS, ask, bytes32, inMillis, mandateOf, party, typed, usdc } from "./support/mandate.mjs";
import { until } from "./support/waiting.mjs";

const DAY = 86_400;
const UNKNOWN = `0x${"ab".repeat(32)}`;
const { requests: names } = recording;

/** Runs a test on a stack of its own, with the mandate adopted and told up to a step. */
function onChain(about, told, run) {
  test(about, async (context) => {
    const chain = await RecordedChain.start();
    context.after(() => chain.stop());
    if (told !== null) await adopt(chain, told);
    await run(chain, chain.stack);
  });
}

async function adopt(chain, told) {
  await answered(await ask(chain.stack, owner, "POST", "/v1/mandates/adopt", { mandate: MANDATE, label: "Chain" }), 201);
  chain.adopted();
  await chain.tell(told);
}

const look = async (stack, payment, who = null) => answered(await ask(stack, who, "GET", `${PATH}/requests/${payment}`), 200);
const progress = async (stack, payment) => (await look(stack, payment)).progress;
const comes = (stack, payment, word, limit) => until(`${word}`, async () => (await progress(stack, payment)) === word, limit);
const mandate = async (stack) => answered(await ask(stack, null, "GET", PATH), 200);

/** Asks for a recorded request, with the agent's recorded signature, as nobody in particular. */
async function asks(stack, label, status = 202) {
  const { request, agentSignature } = authorization(label);
  const body = { request: shown(request), signature: agentSignature };
  return answered(await ask(stack, null, "POST", "/v1/agent/payments", body), status);
}

onChain("a status says which custodies are served, and only an owner on the chain has its mandate adopted", null, async (chain, stack) => {
  const status = await answered(await stack.fetch("/v1/status"), 200);
  assert.deepEqual([status.custody, status.contract], [["ledger", "contract"], recording.contract]);
  const body = { mandate: MANDATE };
  const adoption = (who, asked = body) => ask(stack, who, "POST", "/v1/mandates/adopt", asked);
  await assertProblem(await adoption(null), 401, "missing_credentials");
  await assertProblem(await adoption(agent), 403, "not_permitted");
  await assertProblem(await adoption(owner, { mandate: UNKNOWN }), 404, "unknown_mandate");
  await assertProblem(await adoption(owner, { mandate: "0x1", label: "é".repeat(61) }), 400, "invalid_body");
  await assertProblem(await stack.fetch(PATH), 404, "unknown_mandate");
  const made = await answered(await adoption(owner, { ...body, label: "Chain" }), 201);
  assert.deepEqual([made.custody, made.ledger, made.owner, made.label], ["contract", recording.contract, owner.address, "Chain"]);
  assert.equal(made.asOf.block, block(recording.steps[0]).number);
  const again = await adoption(owner);
  assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [200, "true"]);
  await assertProblem(await adoption(agent), 403, "not_permitted", "a stranger to one that is adopted");
  assert.equal((await mandate(stack)).label, undefined);
  const { mandates } = await answered(await ask(stack, owner, "GET", "/v1/mandates"), 200);
  assert.deepEqual(mandates.map(({ mandate: id, label }) => [id, label]), [[MANDATE, "Chain"]]);
  // What the ledger keeps is where it was, and both stand in one list.
  const kept = await mandateOf(stack, owner, party());
  assert.equal(kept.custody, "ledger");
  const both = await answered(await ask(stack, owner, "GET", "/v1/mandates"), 200);
  assert.deepEqual(both.mandates.map(({ custody }) => custody).sort(), ["contract", "ledger"]);
});

test("without a chain to ask, the ledger is all there is", async (context) => {
  const stack = await start(VARS);
  context.after(() => stack.stop());
  const status = await answered(await stack.fetch("/v1/status"), 200);
  assert.deepEqual([status.custody, status.contract], [["ledger"], undefined]);
  await assertProblem(await ask(stack, owner, "POST", "/v1/mandates/adopt", { mandate: MANDATE }), 409, "custody_unavailable");
  await assertProblem(await ask(stack, agent, "POST", "/v1/agent/payments/record", {}), 409, "nothing_to_record");
  await assertProblem(await stack.fetch(PATH), 404, "unknown_mandate");
});

/** What is left of the contract's caps, by what it said at a step, at the moment by which the mirror judges. */
function left(step) {
  const told = view(step, "mandate");
  const [isSet, dayCap, spentToday] = view(step, "ceiling");
  const today = Math.floor(Math.max(block(step).at, Date.now() / 1000) / DAY);
  const isToday = told.spent.day === today;
  const ofCeiling = Math.floor(block(step).at / DAY) === today ? spentToday : 0n;
  const less = (a, b) => (a < b ? a : b);
  const ofDay = told.policy.dayCap - (isToday ? told.spent.daySum : 0n);
  return {
    available: `${told.balance - told.reserved}`,
    today: `${isSet ? less(ofDay, dayCap - ofCeiling) : ofDay}`,
    lifetime: `${told.policy.lifetimeCap - told.lifetimeSpent}`,
    countToday: told.policy.dayCount - (isToday ? told.spent.dayCount : 0),
  };
}

onChain("at every block the mandate and its budget are what the contract shows", 0, async (chain, stack) => {
  for (let position = 1; position < recording.steps.length; position += 1) {
    await chain.tell(position);
    const step = recording.steps[position];
    const [seen, told] = [await mandate(stack), view(step, "mandate")];
    const about = `${step.did}, block ${block(step).number}`;
    assert.equal(seen.asOf.block, block(step).number, about);
    assert.deepEqual([seen.funds.balance, seen.funds.reserved], [`${told.balance}`, `${told.reserved}`], about);
    assert.deepEqual([seen.policyVersion, seen.policy.dayCap, seen.spent.lifetime],
      [Number(told.policyVersion), `${told.policy.dayCap}`, `${told.lifetimeSpent}`], about);
    assert.equal(["active", "paused", "revoked"].indexOf(seen.status) + 1, told.status, about);
    const budget = await answered(await stack.fetch(`${PATH}/budget`), 200);
    const { available, today, lifetime, countToday } = budget;
    assert.deepEqual({ available, today, lifetime, countToday }, left(step), about);
  }
  const { entries } = await answered(await stack.fetch(`${PATH}/entries`), 200);
  assert.equal(entries.length, 2);
  const { payments } = await answered(await ask(stack, owner, "GET", "/v1/payments"), 200);
  const ended = Object.fromEntries(payments.map(({ payment, progress, paid, refunded }) => [payment, [progress, paid, refunded]]));
  assert.deepEqual(ended[names.large], ["settled", usdc(50), usdc(20)]);
  assert.deepEqual(ended[names.silent], ["timed_out", usdc(5), "0"]);
  assert.deepEqual(ended[names.kept], ["delivered", "0", "0"]);
  assert.equal(ended[names.lost], undefined, "its block left the chain");
  for (const payment of Object.keys(ended)) assert.deepEqual((await look(stack, payment)).progress, ended[payment][0]);
});

onChain("a question is judged as the contract judges it", at("authorize small", 1), async (chain, stack) => {
  const evaluates = async (body) => answered(await ask(stack, null, "POST", `${PATH}/evaluate`, body), 200);
  const small = await evaluates({ request: shown(authorization("small").request) });
  assert.deepEqual([small.verdict, small.code, small.payment], ["allowed", null, names.small]);
  assert.equal(small.typedData.domain.verifyingContract, recording.contract);
  assert.equal((await evaluates({ request: shown(authorization("large").request) })).verdict, "needs_approval");
  const wish = { recipient: provider.address, service: authorization("small").request.service };
  const above = await evaluates({ ...wish, amount: usdc(95) });
  assert.deepEqual([above.verdict, above.code], ["refused", "entry_payment_cap"]);
  // What is on its way counts.
  await asks(stack, "small");
  const { available } = await answered(await stack.fetch(`${PATH}/budget`), 200);
  assert.equal(available, usdc(560));
  assert.equal((await mandate(stack)).funds.reserved, "0", "the chain has not said so");
});

onChain("a request goes to the contract byte by byte, and only the chain says that it is escrowed", at("authorize small", 1), async (chain, stack) => {
  const made = await asks(stack, "small");
  assert.deepEqual([made.payment, made.progress], [names.small, "submitted"]);
  assert.deepEqual(made.transactions, [chain.transaction(names.small)]);
  const { input } = authorization("small");
  assert.deepEqual(chain.questions().map(({ what, calldata }) => [what, calldata]), [["send", input]]);
  assert.equal((await asks(stack, "small", 200)).progress, "submitted", "asked again");
  assert.equal(chain.questions().length, 1);
  await chain.tell(at("authorize small"));
  assert.equal(await progress(stack, names.small), "escrowed");
  await chain.tell(at("deliver and accept small"));
  const settled = await look(stack, names.small);
  assert.deepEqual([settled.progress, settled.paid], ["settled", usdc(40)]);
  const { activity } = await answered(await ask(stack, owner, "GET", "/v1/activity"), 200);
  const lines = activity.filter(({ payment }) => payment === names.small).reverse();
  assert.deepEqual(lines.map(({ kind, source, result }) => `${source} ${kind} ${result}`).sort(), [
    "chain authorize escrowed", "chain close settled", "chain deliver delivered",
    "mirror request requested", "mirror submit submitted",
  ]);
  const authorized = lines.find(({ kind }) => kind === "authorize");
  assert.equal(authorized.transaction, authorization("small").hash);
});

onChain("above the threshold it waits for the owner, whose signature goes along", at("authorize large", 1), async (chain, stack) => {
  const made = await asks(stack, "large");
  assert.equal(made.progress, "awaiting_approval");
  assert.deepEqual(chain.questions(), []);
  const { approvals } = await answered(await ask(stack, owner, "GET", "/v1/approvals"), 200);
  assert.deepEqual(approvals.map(({ payment }) => payment), [names.large]);
  const item = await answered(await ask(stack, owner, "GET", `/v1/approvals/${names.large}`), 200);
  assert.equal(item.typedData.domain.verifyingContract, recording.contract);
  const { validBefore } = item.typedData.message;
  const decide = (signature) => ask(stack, owner, "POST", `/v1/approvals/${names.large}/decide`, { decision: "approve", validBefore, signature });
  await assertProblem(await decide(await typed(agent, item.typedData)), 403, "approval_signature");
  const elsewhere = { ...item.typedData, domain: { ...item.typedData.domain, verifyingContract: UNKNOWN.slice(0, 42) } };
  await assertProblem(await decide(await typed(owner, elsewhere)), 403, "approval_signature");
  const signature = await typed(owner, item.typedData);
  assert.equal((await answered(await decide(signature), 200)).progress, "approved");
  await assertProblem(await decide(signature), 409, "already_decided");
  assert.deepEqual((await look(stack, names.large, agent)).approval, { validBefore, signature });
  assert.equal((await look(stack, names.large)).approval, undefined);
  assert.equal((await asks(stack, "large")).progress, "submitted");
  const [{ calldata }] = chain.questions();
  const { functionName, args: [request, agentSignature, approved] } = decodeFunctionData({ abi, data: calldata });
  assert.deepEqual([functionName, agentSignature], ["authorize", authorization("large").agentSignature]);
  assert.deepEqual(shown(request), shown(authorization("large").request));
  assert.deepEqual(shown(approved), { validBefore, signature });
  await chain.tell(at("authorize large"));
  assert.equal(await progress(stack, names.large), "escrowed");
});

onChain("who has not signed for this contract is refused, and so is what is signed for another", at("authorize small", 1), async (chain, stack) => {
  const { request } = authorization("small");
  const { typedData } = await answered(await ask(stack, null, "POST", `${PATH}/evaluate`, { request: shown(request) }), 200);
  const { ledger } = await answered(await stack.fetch("/v1/status"), 200);
  const bad = [
    undefined,
    await typed(provider, typedData),
    await typed(agent, { ...typedData, domain: { ...typedData.domain, verifyingContract: ledger } }),
  ];
  for (const signature of bad) {
    const body = { request: shown(request), ...(signature && { signature }) };
    await assertProblem(await ask(stack, agent, "POST", `${PATH}/requests`, body), 403, "agent_signature");
  }
  assert.deepEqual(chain.questions(), []);
  await assertProblem(await stack.fetch(`${PATH}/requests/${names.small}`), 404, "unknown_request");
});

onChain("what the contract refuses has failed for its reason, frees the budget, and can be tried again", at("authorize small", 1), async (chain, stack) => {
  const [{ returns }] = recording.steps[at("a transaction without the owner's approval is reverted")].answers;
  chain.sends = () => ({ answer: { reverted: returns } });
  const made = await asks(stack, "small");
  assert.equal(made.progress, "failed");
  assert.match(made.reason, /approv/);
  assert.equal((await answered(await stack.fetch(`${PATH}/budget`), 200)).available, usdc(600));
  chain.sends = () => ({ answer: "pending" });
  assert.equal((await asks(stack, "small")).progress, "requested");
  assert.equal(chain.questions().length, 2);
});

onChain("S5: an unknown outcome is looked up before anything is sent again", at("authorize small", 1), async (chain, stack) => {
  chain.sends = () => ({ answer: "unknown" });
  chain.looks = () => {
    chain.sends = ({ payment }) => ({ transaction: chain.transaction(payment), answer: "pending" });
    return { answer: "absent" };
  };
  assert.equal((await asks(stack, "small")).progress, "submitted");
  assert.deepEqual(chain.questions().map(({ what, turn }) => `${what} ${turn}`), ["send 1", "look 2", "send 3"]);
  assert.equal(new Set(chain.questions().flatMap(({ calldata }) => calldata ?? [])).size, 1);
});

onChain("a block that leaves the chain takes what it said with it", at("authorize lost", 1), async (chain, stack) => {
  assert.equal((await asks(stack, "kept")).progress, "submitted");
  await chain.tell(at("authorize kept"));
  for (const label of ["lost", "kept"]) assert.equal(await progress(stack, names[label]), "escrowed");
  await chain.tell(at("a reorganization"));
  assert.equal(await progress(stack, names.kept), "submitted");
  await assertProblem(await stack.fetch(`${PATH}/requests/${names.lost}`), 404, "unknown_request");
  await assertProblem(await stack.fetch(`/v1/payments/${names.lost}`), 404, "unknown_request");
  const { activity } = await answered(await ask(stack, owner, "GET", "/v1/activity?kind=authorize"), 200);
  const results = (label) => activity.filter(({ payment }) => payment === names[label]).map(({ result }) => result);
  assert.deepEqual([results("lost"), results("kept")], [["undone"], ["undone"]]);
  const { payments } = await answered(await ask(stack, owner, "GET", "/v1/payments?progress=submitted"), 200);
  assert.deepEqual(payments.map(({ payment }) => payment), [names.kept]);
  await chain.tell(at("authorize kept again"));
  assert.equal(await progress(stack, names.kept), "escrowed");
});

onChain("a mandate whose creation leaves the chain is in no list, until it is adopted again", 0, async (chain, stack) => {
  const [created] = recording.steps;
  const before = { number: block(created).number - 1, hash: created.block.parentHash, at: block(created).at };
  const instead = { ...block(created), hash: UNKNOWN };
  await chain.says("rewind", { after: before, to: instead, sealed: before, logs: [] });
  await assertProblem(await stack.fetch(PATH), 404, "unknown_mandate");
  assert.deepEqual((await answered(await ask(stack, owner, "GET", "/v1/mandates"), 200)).mandates, []);
  await answered(await ask(stack, owner, "POST", "/v1/mandates/adopt", { mandate: MANDATE }), 201);
  assert.equal((await answered(await ask(stack, owner, "GET", "/v1/mandates"), 200)).mandates.length, 1);
});

onChain("what only a transaction does is refused by name", at("authorize small"), async (chain, stack) => {
  const says = async (path, body, call) => {
    const problem = await assertProblem(await ask(stack, owner, "POST", `${PATH}${path}`, body, { "idempotency-key": bytes32() }), 409, "custody_of_contract", path);
    assert.match(problem.detail, call);
    assert.ok(problem.detail.includes(recording.contract), problem.detail);
  };
  await says("/pause", undefined, /`pause`/);
  await says("/fund", { amount: "1" }, /`fund`/);
  await says(`/requests/${names.small}/accept`, {}, /`accept`/);
  await says(`/requests/${names.small}/time-out`, {}, /`timeOut`/);
  const reserve = await stack.fetch(`/__test/mandate/${MANDATE}`, {
    method: "POST", body: JSON.stringify({ Release: { reservation: bytes32(), asker: "gig:1" } }),
  });
  await assertProblem(reserve, 409, "custody_of_contract");
});

onChain("a cancellation goes to the contract with its signature, and the chain says which came first", at("cancel killed", 1), async (chain, stack) => {
  const [{ input }] = recording.steps[at("cancel killed")].calls;
  const { args: [request] } = decodeFunctionData({ abi, data: input });
  const path = `${PATH}/requests/${names.killed}/cancel`;
  const body = { request: shown(request) };
  await assertProblem(await ask(stack, agent, "POST", path, body), 422, "signature_required");
  const domain = { name: "Guildhall Mandates", version: "1", chainId: recording.chainId, verifyingContract: recording.contract };
  const cancel = { domain, types: { Cancel: [{ name: "payment", type: "bytes32" }] }, primaryType: "Cancel", message: { payment: names.killed } };
  const signature = await agent.signTypedData(cancel);
  assert.ok(await verifyTypedData({ ...cancel, address: agent.address, signature }), hashTypedData(cancel));
  assert.equal((await answered(await ask(stack, null, "POST", path, { ...body, signature }), 200)).progress, "cancelling");
  const [{ calldata }] = chain.questions();
  assert.deepEqual(decodeFunctionData({ abi, data: calldata }).args[1], signature);
  await chain.tell(at("cancel killed"));
  assert.equal(await progress(stack, names.killed), "cancelled");
});

onChain("a transaction that the agent sent itself is noted", at("authorize small", 1), async (chain, stack) => {
  chain.sends = () => ({ answer: "unavailable" });
  const made = await asks(stack, "small");
  assert.equal(made.progress, "requested");
  const { hash: transaction } = authorization("small");
  const record = (who, requestId = made.requestId) => ask(stack, who, "POST", "/v1/agent/payments/record", { requestId, transaction });
  await assertProblem(await record(null), 401, "missing_credentials");
  await assertProblem(await record(owner), 403, "not_permitted");
  await assertProblem(await record(agent, UNKNOWN), 404, "unknown_request");
  await assertProblem(await ask(stack, agent, "POST", "/v1/agent/payments/record", { requestId: "1" }), 400, "invalid_body");
  const noted = await answered(await record(agent), 200);
  assert.deepEqual([noted.progress, noted.transactions], ["submitted", [transaction]]);
  await chain.tell(at("authorize small"));
  assert.equal((await answered(await record(agent), 200)).progress, "escrowed");
  const kept = await mandateOf(stack, owner, agent);
  const ours = { recipient: provider.address, service: "text.transform", amount: usdc(1), deliverBy: inMillis(1e9) };
  const { request } = await answered(await ask(stack, null, "POST", `/v1/mandates/${kept.mandate}/evaluate`, ours), 200);
  await answered(await ask(stack, agent, "POST", "/v1/agent/payments", { request }), 201);
  await assertProblem(await record(agent, request.requestId), 409, "nothing_to_record");
});

onChain("while the chain's side is away requests are taken, and sent once it is back", at("authorize small", 1), async (chain, stack) => {
  const { sends } = chain;
  chain.sends = () => undefined;
  assert.equal((await asks(stack, "small")).progress, "requested");
  await until("a second try", () => chain.questions().length > 1, 15_000);
  assert.equal(await progress(stack, names.small), "requested");
  chain.sends = sends;
  await comes(stack, names.small, "submitted", 15_000);
  assert.deepEqual(new Set(chain.questions().map(({ what, turn }) => `${what} ${turn}`)), new Set(["send 1"]));
});

onChain("S5: killed between a question and its answer, it asks the same again and nothing is sent twice", at("authorize small", 1), async (chain, stack) => {
  const jobs = new Map();
  const { sends } = chain;
  chain.sends = (question) => {
    jobs.set(question.payment, (jobs.get(question.payment) ?? 0) + 1);
    return new Promise(() => {});
  };
  const lost = asks(stack, "small").then(() => assert.fail("the answer should have been lost"), () => undefined);
  await until("the question", () => jobs.size > 0);
  await stack.crash();
  await lost;
  chain.sends = sends;
  await comes(stack, names.small, "submitted", 20_000);
  const turns = chain.questions().filter(({ what }) => what === "send").map(({ turn }) => turn);
  assert.deepEqual(new Set(turns), new Set([1]), "the same question");
  assert.equal((await look(stack, names.small)).transactions.length, 1);
  await chain.tell(at("authorize small"));
  assert.equal(await progress(stack, names.small), "escrowed");
});
