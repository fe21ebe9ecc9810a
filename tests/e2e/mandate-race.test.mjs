// Many ask for the last of a budget at once, or for two things that exclude each other: as many succeed as there is room
// for, and everybody is told the truth.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { answered } from "./support/board.mjs";
import {
  DAY, VARS, act, ahead, approval, ask, assertJournal, bytes32, counted, crowd, evaluated, having, hold, internally,
  mandateNow, mandateOf, party, paymentAt, paymentNow, sealed, together, typed, usdc,
} from "./support/mandate.mjs";
import { until } from "./support/waiting.mjs";

const CROWD = 50;

let stack;
before(async () => {
  stack = await start(VARS);
});
after(() => stack?.stop());

async function cast(options) {
  const [owner, agent, provider] = [party(), party(), party()];
  return { owner, agent, provider, mandate: await mandateOf(stack, owner, agent, options) };
}

/** A signed act on a payment, not sent. */
function sealedAct(account, { mandate, payment }, verb, body = {}) {
  return sealed(stack, account, "POST", `/v1/mandates/${mandate}/requests/${payment}/${verb}`, body);
}

const budgets = [
  ["day_cap", { policy: { dayCap: usdc(6) } }],
  ["month_cap", { policy: { monthCap: usdc(7) } }],
  ["lifetime_cap", { policy: { lifetimeCap: usdc(7.9) } }],
  ["day_count", { policy: { dayCount: 3 } }],
  ["funds", { policy: { dayCap: usdc(1000) }, funds: usdc(6.5) }],
  ["entry_window_cap", { policy: { dayCap: usdc(1000) }, entries: [{ service: "text.transform", windowCap: usdc(6) }], funds: usdc(1000) }],
];
for (const [rule, options] of budgets) {
  test(`fifty requests at once, with room for three by ${rule}: three are escrowed, the others are told why`, async () => {
    const { owner, agent, provider, mandate } = await cast(options);
    const wish = { recipient: provider.address, amount: usdc(2) };
    const answers = await together(await crowd(stack, agent, mandate, wish, CROWD));
    const [made, refused] = [having(answers, 201), having(answers, 422)];
    assert.deepEqual([made.length, refused.length], [3, CROWD - 3], JSON.stringify(counted(answers.map(({ status }) => status))));
    assert.ok(made.every(({ progress }) => progress === "escrowed"));
    assert.deepEqual(counted(refused.map(({ code }) => code)), { [rule]: CROWD - 3 });

    const now = await mandateNow(stack, mandate);
    assert.deepEqual([now.funds.reserved, now.spent.today, now.spent.thisMonth, now.spent.lifetime], Array(4).fill(usdc(6)));
    assert.equal(BigInt(now.funds.balance), BigInt(now.funds.available) + BigInt(now.funds.reserved));
    assert.deepEqual([now.spent.countToday, now.open, now.waiting], [3, 3, 0]);
    const names = made.map(({ payment }) => payment).sort();
    await until("the list to show the three", async () => {
      const { payments } = await answered(await ask(stack, owner, "GET", "/v1/payments"), 200);
      return payments.length === 3 && assert.deepEqual(payments.map(({ payment }) => payment).sort(), names) === undefined;
    });
    const log = await answered(await ask(stack, owner, "GET", "/v1/activity?kind=request"), 200);
    assert.deepEqual(log.activity.map(({ payment }) => payment).sort(), names, "the log has a line for each of the three");
  });
}

test("the same request fifty times at once is one escrow, whoever signs how", async () => {
  const { agent, provider, mandate } = await cast();
  const path = `/v1/mandates/${mandate.mandate}/requests`;
  for (const how of ["by HTTP", "in the body"]) {
    const { request, typedData, payment } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(2) });
    const signature = await typed(agent, typedData);
    const before = await mandateNow(stack, mandate);
    const sends = Array.from({ length: CROWD }, () =>
      how === "by HTTP"
        ? sealed(stack, agent, "POST", path, { request })
        : new Request(new URL(path, stack.url), {
          method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ request, signature }),
        }));
    const answers = await together(await Promise.all(sends));
    assert.deepEqual(counted(answers.map(({ status }) => status)), { 200: CROWD - 1, 201: 1 }, how);
    assert.ok(answers.every((answer) => answer.payment === payment && answer.progress === "escrowed"));
    const now = await mandateNow(stack, mandate);
    assert.equal(now.version, before.version + 1, "one event");
    assert.equal(now.open, before.open + 1);
    assert.equal(BigInt(now.funds.reserved) - BigInt(before.funds.reserved), 2_000_000n);
  }
});

test("ids that are reused with other content at once: one request stands, and the others are told that the id is taken", async () => {
  const { agent, provider, mandate } = await cast();
  const { request } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(1) });
  const path = `/v1/mandates/${mandate.mandate}/requests`;
  const sends = Array.from({ length: 10 }, (_, index) =>
    sealed(stack, agent, "POST", path, { request: { ...request, maxAmount: `${1000 + index}` } }));
  const answers = await together(await Promise.all(sends));
  assert.equal(having(answers, 201).length, 1);
  assert.deepEqual(counted(having(answers, 422).map(({ code }) => code)), { request_id_reused: 9 });
  assert.equal((await mandateNow(stack, mandate)).open, 1);
});

test("of a yes and a no at once one is heard, and the payment stands as that one said", async () => {
  const everyone = await cast({ policy: { dayCap: usdc(1000) } });
  const { owner } = everyone;
  const heard = [];
  for (let round = 0; round < 8; round += 1) {
    const payment = await paymentAt(stack, "waiting", everyone);
    const words = [["approve", await approval(stack, owner, payment.payment)], ["reject", { note: "no" }]];
    if (round % 2 === 1) words.reverse();
    const answers = await together(await Promise.all(words.map(([verb, body]) => sealedAct(owner, payment, verb, body))));
    const [won, lost] = [having(answers, 200), having(answers, 409)];
    assert.deepEqual([won.length, lost.length], [1, 1], JSON.stringify(answers));
    assert.equal(lost[0].code, "already_decided");
    assert.equal(won[0].progress, words[answers.indexOf(won[0])][0] === "approve" ? "approved" : "rejected");
    assert.equal((await paymentNow(stack, payment)).progress, won[0].progress);
    heard.push(won[0].progress);
  }
  assert.equal(heard.length, 8);
});

test("ten approvals at once are one", async () => {
  const everyone = await cast();
  const payment = await paymentAt(stack, "waiting", everyone);
  const word = await approval(stack, everyone.owner, payment.payment);
  const answers = await together(
    await Promise.all(Array.from({ length: 10 }, () => sealedAct(everyone.owner, payment, "approve", word))),
  );
  assert.deepEqual(counted(answers.map(({ status }) => status)), { 200: 1, 409: 9 });
});

test("a submission and a revocation at once: escrowed before it, or refused by it, and nothing between", async () => {
  for (let round = 0; round < 6; round += 1) {
    const everyone = await cast();
    const { owner, agent, mandate } = everyone;
    const payment = await paymentAt(stack, "approved", everyone);
    const sends = [
      await sealedAct(agent, payment, "submit"),
      await sealed(stack, owner, "POST", `/v1/mandates/${mandate.mandate}/revoke`),
    ];
    const [submitted, revoked] = round % 2 === 0 ? await together(sends) : (await together(sends.reverse())).reverse();
    assert.equal(revoked.status, 200);
    assert.equal(revoked.mandate, mandate.mandate);
    const now = await mandateNow(stack, mandate);
    assert.equal(now.status, "revoked");
    const is = submitted.status === 200;
    if (!is) assert.deepEqual([submitted.status, submitted.code], [422, "revoked"], JSON.stringify(submitted));
    assert.equal((await paymentNow(stack, payment)).progress, is ? "escrowed" : "approved");
    assert.deepEqual([now.funds.reserved, now.open, now.waiting], is ? [usdc(6), 1, 0] : ["0", 0, 1]);
  }
});

test("a capture and a void at once: the provider is paid or gives back, not both", async () => {
  const terms = { challengePeriodSeconds: 600 };
  const everyone = await cast({ policy: { terms, dayCap: usdc(1000) } });
  const payments = [];
  for (let round = 0; round < 6; round += 1) payments.push(await paymentAt(stack, "delivered", everyone));
  await ahead(stack, 700_000);
  try {
    for (const [round, payment] of payments.entries()) {
      const before = await mandateNow(stack, everyone.mandate);
      const created = Math.floor(Date.now() / 1000) + 700;
      const path = (verb) => `/v1/mandates/${payment.mandate}/requests/${payment.payment}/${verb}`;
      const signed = (verb, body) =>
        sealed(stack, everyone.provider, "POST", path(verb), body, {}, { created, expires: created + 60 });
      const sends = [await signed("capture", { total: usdc(2) }), await signed("void", {})];
      const [captured, voided] = round % 2 === 0 ? await together(sends) : (await together(sends.reverse())).reverse();
      assert.deepEqual([captured.status, voided.status].sort(), [200, 409], JSON.stringify([captured, voided]));
      const is = captured.status === 200;
      assert.equal((is ? voided : captured).code, "request_unavailable_in_state");
      const shown = await paymentNow(stack, payment);
      assert.deepEqual([shown.progress, shown.paid], is ? ["settled", usdc(2)] : ["voided", "0"]);
      const now = await mandateNow(stack, everyone.mandate);
      const [balance, reserved] = ["balance", "reserved"].map((name) => BigInt(now.funds[name]) - BigInt(before.funds[name]));
      assert.deepEqual([balance, reserved], [is ? -2_000_000n : 0n, -2_000_000n]);
    }
  } finally {
    await ahead(stack, 0);
  }
});

test("money is paid in once under one key, and as often as there are keys", async () => {
  const { owner, mandate } = await cast({ funds: "0" });
  const path = `/v1/mandates/${mandate.mandate}/fund`;
  const pay = (key) => sealed(stack, owner, "POST", path, { amount: "7" }, { "idempotency-key": key });
  const sent = await Promise.all(Array.from({ length: 20 }, () => pay("one-key")));
  const answers = await Promise.all(sent.map((request) => fetch(request)));
  assert.deepEqual(counted(answers.map(({ status }) => status)), { 200: 20 });
  assert.equal(answers.filter(({ headers }) => headers.get("idempotency-replayed") === "true").length, 19);
  assert.equal((await mandateNow(stack, mandate)).funds.balance, "7");
  await together(await Promise.all(Array.from({ length: 20 }, (_, index) => pay(`key-${index}`))));
  assert.equal((await mandateNow(stack, mandate)).funds.balance, "147");

  const take = (key) => sealed(stack, owner, "POST", path.replace("fund", "withdraw"), { amount: "50" }, { "idempotency-key": key });
  const taken = await together(await Promise.all(Array.from({ length: 10 }, (_, index) => take(`take-${index}`))));
  assert.deepEqual(counted(taken.map(({ status, code }) => code ?? status)), { 200: 2, withdrawal: 8 });
  assert.equal((await mandateNow(stack, mandate)).funds.balance, "47");
});

test("a creation that is sent twenty times at once is one mandate", async () => {
  const [owner, agent] = [party(), party()];
  const body = {
    agent: agent.address,
    policy: { validBefore: new Date(Date.now() + DAY).toISOString(), paymentCap: "5", dayCap: "5" },
    entries: [{}],
  };
  const sends = Array.from({ length: 20 }, () => sealed(stack, owner, "POST", "/v1/mandates", body, { "idempotency-key": "k" }));
  const answers = await together(await Promise.all(sends));
  assert.deepEqual(counted(answers.map(({ status }) => status)), { 200: 19, 201: 1 });
  assert.equal(new Set(answers.map(({ mandate }) => mandate)).size, 1);
  await until("the list to show it", async () => {
    const { mandates } = await answered(await ask(stack, owner, "GET", "/v1/mandates"), 200);
    return mandates.length === 1;
  });
});

test("requests and reservations at once for the last of a budget: together they take three", async () => {
  const { agent, provider, mandate } = await cast({ policy: { dayCap: usdc(6) } });
  const requests = await crowd(stack, agent, mandate, { recipient: provider.address, amount: usdc(2) }, 20);
  const names = Array.from({ length: 20 }, () => bytes32());
  const reserve = (reservation) => internally(stack, mandate, "Reserve", { reservation, hold: hold(provider) });
  const [answers, held] = await Promise.all([together(requests), Promise.all(names.map(reserve))]);
  const [made, kept] = [having(answers, 201), having(held, 200)];
  assert.equal(made.length + kept.length, 3);
  assert.ok([...having(answers, 422), ...having(held, 422)].every(({ code }) => code === "day_cap"));
  const now = await mandateNow(stack, mandate);
  assert.deepEqual([now.funds.reserved, now.spent.today, now.spent.countToday], [usdc(6), usdc(6), 3]);
  assert.deepEqual([now.open, now.reservations], [made.length, kept.length]);
});

test("a commit and a release of one reservation at once: one is heard, and the budget has what that one left", async () => {
  const { provider, mandate } = await cast();
  for (let round = 0; round < 6; round += 1) {
    const reservation = bytes32();
    const before = await mandateNow(stack, mandate);
    assert.equal((await internally(stack, mandate, "Reserve", { reservation, hold: hold(provider) })).status, 200);
    const asker = "gig:a-gig";
    const said = [["Commit", { reservation, asker, amount: usdc(1) }], ["Release", { reservation, asker }]];
    const [first, second] = await Promise.all(
      (round % 2 === 0 ? said : said.toReversed()).map(([verb, message]) => internally(stack, mandate, verb, message)),
    );
    assert.deepEqual([first.status, second.status].sort(), [200, 409], JSON.stringify([first, second]));
    const won = first.status === 200 ? first : second;
    const now = await mandateNow(stack, mandate);
    const paid = won.ending === "committed" ? 1_000_000n : 0n;
    assert.equal(BigInt(before.funds.balance) - BigInt(now.funds.balance), paid);
    assert.equal(BigInt(now.spent.today) - BigInt(before.spent.today), paid);
    assert.deepEqual([now.funds.reserved, now.reservations], ["0", 0]);
  }
});

test("a reservation and its release at once: whichever comes first, nothing stays held and nothing is counted", async () => {
  const { provider, mandate } = await cast();
  const before = await mandateNow(stack, mandate);
  for (let round = 0; round < 6; round += 1) {
    const reservation = bytes32();
    const held = hold(provider);
    const release = ["Release", { reservation, asker: held.asker }];
    const said = [["Reserve", { reservation, hold: held }], release];
    const answers = await Promise.all(
      (round % 2 === 0 ? said : said.toReversed()).map(([verb, message]) => internally(stack, mandate, verb, message)),
    );
    const [reserved, released] = round % 2 === 0 ? answers : answers.toReversed();
    assert.deepEqual([released.status, released.ending, released.paid], [200, "released", "0"]);
    if (reserved.status !== 200) assert.deepEqual([reserved.status, reserved.code], [409, "reservation_over"]);
    assert.deepEqual(await internally(stack, mandate, ...release), released, "said again, the same is answered");
    const late = await internally(stack, mandate, "Reserve", { reservation, hold: held });
    assert.deepEqual([late.status, late.code], [409, "reservation_over"]);
    const now = await mandateNow(stack, mandate);
    assert.deepEqual([now.funds, now.spent, now.reservations], [before.funds, before.spent, 0]);
  }
  const unseen = bytes32();
  const commit = { reservation: unseen, asker: hold(provider).asker, amount: usdc(1) };
  for (const verb of ["Commit", "Commit"]) {
    const answer = await internally(stack, mandate, verb, commit);
    assert.deepEqual([answer.status, answer.code], [409, "reservation_over"], "nothing is paid of what was never held");
  }
  await assertJournal(stack, mandate);
});

test("above the threshold a hold needs the owner's yes, which lifts no cap", async () => {
  const { provider, mandate } = await cast({ policy: { approvalAbove: usdc(1), dayCap: usdc(3) } });
  const reserve = (more) => internally(stack, mandate, "Reserve", { reservation: bytes32(), hold: hold(provider, more) });
  const answers = [await reserve({}), await reserve({ approved: true }), await reserve({ approved: true })];
  assert.deepEqual(answers.map(({ status, code }) => code ?? status), ["approval_missing", 200, "day_cap"]);
  assert.equal((await mandateNow(stack, mandate)).funds.reserved, usdc(2));
});

test("a mandate that waits for what a contract says keeps no other waiting, nor its own other callers", async (context) => {
  const held = [];
  const slow = await start({
    edgeVars: { ...VARS.edgeVars, FACILITATOR_MODE: "binding", FACILITATOR_TIMEOUT_MS: "20000" },
    facilitator: () => new Promise((resume) => held.push(() => resume(new Response("{}", { status: 503 })))),
  });
  context.after(() => slow.stop());
  const [agent, provider] = [party(), party()];
  const first = await mandateOf(slow, party(), agent, { agentKind: "erc1271" });
  const second = await mandateOf(slow, party(), agent);
  const wish = { recipient: provider.address, amount: usdc(1) };
  const { request, typedData } = await evaluated(slow, first, wish);
  // Another's signature: only a contract under the agent's address could say that it is the agent's.
  const signature = await typed(party(), typedData);
  const waiting = ask(slow, null, "POST", `/v1/mandates/${first.mandate}/requests`, { request, signature });
  await until("the question to the chain", () => held.length > 0);
  for (const mandate of [first, second]) {
    const [own] = await crowd(slow, agent, mandate, wish, 1);
    await answered(await fetch(own), 201);
  }
  held.forEach((resume) => resume());
  assert.equal((await waiting).status, 503);
  assert.equal((await mandateNow(slow, first)).open, 1);
});
