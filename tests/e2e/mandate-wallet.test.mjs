// Mandates between accounts that are contracts (ERC-1271): the chain is asked whether a signature is theirs, and only where
// the mandate says that its party is a contract.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { getAddress } from "viem";
import { startChain } from "../chain.mjs";
import { start } from "../harness.mjs";
import { answered, assertProblem } from "./support/board.mjs";
import { act, approval, ask, evaluated, mandateOf, party, SITE, typed, usdc } from "./support/mandate.mjs";
import { fundRelayers, settings } from "./support/onchain.mjs";

let chain;
let stack;
before(async () => {
  chain = await startChain();
  await fundRelayers(chain);
  stack = await start({
    edgeVars: { SITE_ORIGIN: SITE, FACILITATOR_MODE: "binding", FACILITATOR_TIMEOUT_MS: "5000" },
    facilitatorVars: settings(chain),
  });
});
after(async () => {
  await stack?.stop();
  await chain?.stop();
});

/** A contract's account: whoever holds its key signs for it. */
async function wallet() {
  const holder = party();
  const address = getAddress(await chain.deployWallet(holder.address));
  return { ...holder, address };
}

test("an owner and an agent that are contracts: asked for and approved by their holders' signatures", async () => {
  const [owner, agent, provider] = [await wallet(), await wallet(), party()];
  const mandate = await mandateOf(stack, owner, agent, { ownerKind: "erc1271", agentKind: "erc1271" });
  assert.deepEqual([mandate.owner, mandate.ownerKind, mandate.agentKind], [owner.address, "erc1271", "erc1271"]);

  const { request, typedData } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(6) });
  const path = `/v1/mandates/${mandate.mandate}/requests`;
  const stranger = await typed(party(), typedData);
  await assertProblem(await ask(stack, null, "POST", path, { request, signature: stranger }), 403, "agent_signature");
  const signature = await typed(agent, typedData);
  const asked = await answered(await ask(stack, null, "POST", path, { request, signature }), 202);

  const { validBefore, signature: signed } = await approval(stack, owner, asked.payment);
  const item = await answered(await ask(stack, owner, "GET", `/v1/approvals/${asked.payment}`), 200);
  const forged = { validBefore, signature: await typed(party(), item.typedData) };
  await assertProblem(await act(stack, null, asked, "approve", forged), 403, "approval_signature");
  assert.equal((await answered(await act(stack, null, asked, "approve", { validBefore, signature: signed }), 200)).progress, "approved");
  const submitted = await answered(await ask(stack, null, "POST", path, { request, signature }), 201);
  assert.equal(submitted.progress, "escrowed");
});

test("a mandate whose parties have keys asks no chain for their words", async () => {
  const [owner, agent, provider] = [await wallet(), party(), party()];
  const mandate = await mandateOf(stack, owner, agent);
  const { request } = await evaluated(stack, mandate, { recipient: provider.address, amount: usdc(6) });
  const asked = await answered(await ask(stack, agent, "POST", `/v1/mandates/${mandate.mandate}/requests`, { request }), 202);
  const signed = await approval(stack, owner, asked.payment);
  await assertProblem(await act(stack, owner, asked, "approve", signed), 403, "approval_signature");
});
