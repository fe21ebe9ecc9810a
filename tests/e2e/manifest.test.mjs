// A manifest holds for the chain, the code and the transaction that it names, and for nothing else.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { createPublicClient, decodeFunctionData, encodeFunctionResult, http, zeroAddress } from "viem";
import { deploy, verify } from "../../contracts/deploy/deployment.mjs";
import { ABI, CALLDATA, FACTORY, parts, POLICIES, VAULT } from "../../contracts/deploy/mandates.mjs";
import { memory } from "../../contracts/deploy/shelf.mjs";
import { CHAIN_ID, developmentAccount, MANDATES, startChain } from "../chain.mjs";
import { RpcProxy } from "./support/rpc.mjs";

let chain;
let proxy;
let client;
let manifest;
let snapshot;
before(async () => {
  chain = await startChain();
  proxy = await RpcProxy.open(chain.url);
  client = createPublicClient({ transport: http(proxy.url, { retryCount: 0 }) });
  const account = developmentAccount(0);
  ({ manifest } = await deploy({ client, account, shelf: memory(), confirmation: "included", patienceMs: 8000 }));
});
after(async () => {
  await proxy?.stop();
  await chain?.stop();
});
beforeEach(async () => {
  snapshot = await chain.rpc("evm_snapshot");
});
afterEach(async () => {
  proxy.heal();
  await chain.rpc("evm_revert", [snapshot]);
});

/** Changes the code at an address. */
async function recode(address, change) {
  const code = Buffer.from((await chain.rpc("eth_getCode", [address, "latest"])).slice(2), "hex");
  change(code);
  await chain.rpc("anvil_setCode", [address, `0x${code.toString("hex")}`]);
}

/** Changes one bit of the code at an address. */
const flip = (address, at) => recode(address, (code) => (code[at] ^= 1));

const refuses = (words, changed = {}) => assert.rejects(verify(client, { ...manifest, ...changed }), words);

test("the manifest of the development chain holds, whatever is mined after it", async () => {
  await chain.rpc("anvil_mine", ["0x3"]);
  await verify(client, manifest);
  assert.equal(manifest.chainId, CHAIN_ID);
  assert.equal(manifest.address, MANDATES);
  assert.match(manifest.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  assert.deepEqual(manifest.compiler.solc, "0.8.37");
});

test("another chain", async () => {
  proxy.invent("eth_chainId", () => "0x2105");
  await refuses(/manifest is of chain 84532, and the RPC server is of chain 8453/);
  // The same code with a manifest that agrees: its immutables are of the chain that it was deployed on.
  await refuses(/Mandates at 0x\w{40} has wrong immutables: .* instead of chain 0x0*2105/, { chainId: 8453 });
});

test("another version of the contract", async () => {
  await refuses(/Verify it with the checkout/, { initCodeHash: `0x${"11".repeat(32)}` });
  await refuses(/Verify it with the checkout/, { address: zeroAddress });
});

describe("each of the three contracts", () => {
  for (const { name, address, artifact } of parts(CHAIN_ID)) {
    const places = Object.values(artifact.immutableReferences).flat();
    const at = new RegExp(`${name} at ${address}`);

    test(`${name} without code, with more, or with other code`, async () => {
      await chain.rpc("anvil_setCode", [address, "0x"]);
      await refuses(new RegExp(`${at.source} has no code on chain 84532`));
      await chain.rpc("anvil_setCode", [address, `${artifact.deployedBytecode}00`]);
      await refuses(new RegExp(`${at.source} has other code: \\d+ bytes`));
    });

    test(`${name} with one other byte at its beginning, end, or beside an immutable`, async () => {
      const [{ start, length }] = places;
      const end = artifact.deployedBytecode.length / 2 - 2;
      for (const byte of [0, start - 1, start + length, end]) {
        await flip(address, byte);
        await refuses(new RegExp(`${at.source} has other code from byte ${byte} on`));
        await flip(address, byte);
      }
      await verify(client, manifest);
    });

    test(`${name} with another value in any place of any of its immutables`, async () => {
      for (const { start, length } of places) {
        await flip(address, start + length - 1);
        await refuses(new RegExp(`${at.source} has wrong immutables: `));
        await flip(address, start + length - 1);
      }
    });
  }

  test("Mandates with one value in the places of all", async () => {
    const [{ artifact }] = parts(CHAIN_ID);
    const [{ start }, ...others] = Object.values(artifact.immutableReferences).flat();
    await recode(MANDATES, (code) => others.forEach((other) => code.copy(code, other.start, start, start + 32)));
    await refuses(/Mandates at 0x\w{40} has wrong immutables: 0x\w{64} instead of chain/);
  });

  test("are where the first one creates the others", () => {
    assert.deepEqual(parts(CHAIN_ID).map(({ address }) => address), [MANDATES, POLICIES, VAULT]);
  });
});

describe("what the contract answers about itself", () => {
  /** Puts another result in the place of one function's. */
  function lie(name, result) {
    proxy.falsify("eth_call", (truth, { params: [{ data }] }) => {
      const { functionName } = decodeFunctionData({ abi: ABI, data });
      return functionName === name ? encodeFunctionResult({ abi: ABI, functionName, result }) : truth;
    });
  }

  const domain = ["0x0f", "Guildhall Mandates", "1", BigInt(CHAIN_ID), MANDATES, `0x${"00".repeat(32)}`, []];
  const lies = [
    [0, "0x1f"],
    [1, "Guildhall"],
    [2, "2"],
    [3, 1n],
    [4, zeroAddress],
    [5, `0x${"01".repeat(32)}`],
    [6, [1n]],
  ];
  for (const [index, value] of lies) {
    test(`eip712Domain() with field ${index} wrong`, async () => {
      lie("eip712Domain", domain.with(index, value));
      await refuses(/eip712Domain\(\) answers/);
    });
  }

  test("another vault or id", async () => {
    lie("vaultOf", zeroAddress);
    await refuses(/vaultOf\(0x\w{40}\) answers 0x0{40}, expected/);
    lie("mandateOf", `0x${"01".repeat(32)}`);
    await refuses(/mandateOf answers 0x(01){32}, expected/);
  });

  test("rules that refuse nothing", async () => {
    lie("pause", undefined);
    await refuses(/pause\(\) of a mandate that does not exist is not refused/);
  });
});

test("what the transaction did not do", async () => {
  await refuses(/says block 1, the chain says/, { block: 1 });
  await refuses(/says deployer 0x0{40}, the chain says/, { deployer: zeroAddress });
  await refuses(/says codeHash 0x, the chain says/, { codeHash: "0x" });
  await refuses(/says time now, the chain says/, { time: "now" });
  await refuses(/says policies 0x0{40}, the chain says/, { policies: zeroAddress });
  await refuses(/Transaction 0x(11){32} is not on chain 84532/, { transaction: `0x${"11".repeat(32)}` });
  const another = `0x${"00".repeat(33)}`;
  for (const call of [{ to: FACTORY, data: another }, { to: developmentAccount(1).address, data: CALLDATA }]) {
    const { transactionHash } = await chain.send(call);
    await refuses(/did not create Mandates/, { transaction: transactionHash });
  }
});
