// The development chain: the dollar is where stock clients look for USDC, pays what was signed, and outlives a restart.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encodeFunctionData, parseAbi, parseSignature } from "viem";
import { CHAIN_ID, developmentAccount, DOLLAR, startChain } from "../chain.mjs";

const { domains, transfers } = JSON.parse(readFileSync(new URL("../vectors/eip712.json", import.meta.url), "utf8"));
const ABI = parseAbi([
  "function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
  "function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
]);
const FIELDS = { from: "address", to: "address", value: "uint256", validAfter: "uint256", validBefore: "uint256" };
const TYPES = Object.entries({ ...FIELDS, nonce: "bytes32" }).map(([name, type]) => ({ name, type }));

let chain;
before(async () => {
  chain = await startChain();
});
after(() => chain?.stop());

/** Sends an authorization as a relayer does, and returns its receipt. */
function relay({ from, to, value, validAfter, validBefore, nonce }, ...signature) {
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, ...signature];
  const data = encodeFunctionData({ abi: ABI, functionName: "transferWithAuthorization", args });
  return chain.send({ from: developmentAccount(9).address, to: DOLLAR, data });
}

test("the dollar has the domain of USDC on Base Sepolia, and every account has a million", async () => {
  const separator = await chain.rpc("eth_call", [{ to: DOLLAR, data: "0x3644e515" }, "latest"]);
  assert.equal(Number(await chain.rpc("eth_chainId")), CHAIN_ID);
  assert.equal(separator, domains[0].separator);
  for (const index of [0, 9]) assert.equal(await chain.balanceOf(developmentAccount(index).address), 10n ** 12n);
});

test("the payment of the vectors is settled once", async () => {
  const [payment] = transfers;
  const { r, s, v } = parseSignature(payment.signature);
  assert.equal(await chain.authorizationState(payment.from, payment.nonce), false);
  const receipt = await relay(payment, Number(v), r, s);
  assert.equal(receipt.status, "0x1");
  assert.equal(receipt.logs.length, 2);
  assert.equal(await chain.balanceOf(payment.to), 10000n);
  assert.equal(await chain.authorizationState(payment.from, payment.nonce), true);
  await assert.rejects(relay(payment, Number(v), r, s), /revert/);
});

test("a contract pays by the signature of its owner, and not while it is frozen", async () => {
  const owner = developmentAccount(3);
  const wallet = await chain.deployWallet(owner.address);
  await chain.mint(wallet, 500n);
  const message = {
    from: wallet,
    to: "0x00000000000000000000000000000000000000AA",
    value: "500",
    validAfter: "0",
    validBefore: "1900000000",
    nonce: `0x${"01".repeat(32)}`,
  };
  const { separator, ...domain } = domains[0];
  const types = { TransferWithAuthorization: TYPES };
  const signature = await owner.signTypedData({ domain, types, primaryType: "TransferWithAuthorization", message });
  await chain.freeze(wallet);
  await assert.rejects(relay(message, signature), /revert/);
  await chain.unfreeze(wallet);
  assert.equal((await relay(message, signature)).status, "0x1");
  assert.equal(await chain.balanceOf(message.to), 500n);
});

test("a reorganization takes a transfer back", async () => {
  const address = "0x00000000000000000000000000000000000000bb";
  await chain.mint(address, 1n);
  await chain.rpc("anvil_reorg", [1, []]);
  assert.equal(await chain.balanceOf(address), 0n);
});

test("a chain with a file goes on where it stopped, its receipts with it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-chain-"));
  const state = join(folder, "chain.json");
  const address = "0x00000000000000000000000000000000000000cc";
  let kept = await startChain({ state });
  try {
    const { transactionHash } = await kept.mint(address, 5n);
    await kept.stop();
    kept = await startChain({ state });
    assert.equal(await kept.balanceOf(address), 5n);
    assert.equal((await kept.rpc("eth_getTransactionReceipt", [transactionHash])).status, "0x1");
    assert.equal(await kept.balanceOf(developmentAccount(1).address), 10n ** 12n);
  } finally {
    await kept.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
