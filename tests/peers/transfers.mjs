// Writes tests/vectors/transfers.json: what a node answers about transfers that were made, failed and never came. Run it
// after an update of anvil: `node tests/peers/transfers.mjs`.
import { writeFileSync } from "node:fs";
import { encodeFunctionData, erc20Abi } from "viem";
import { CHAIN_ID, DOLLAR, developmentAccount, startChain } from "../chain.mjs";

const [payer, receiver, stranger] = [1, 2, 3].map((index) => developmentAccount(index).address);
const AMOUNT = 10_000n;
/** More than any account has. */
const TOO_MUCH = 10n ** 30n;

const chain = await startChain();
const stories = [];

const transfer = (to, amount) => ({
  to: DOLLAR,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }),
  // Without a limit of its own the node would try the call, and not take one that fails.
  gas: "0x30000",
});

/** What the node says, without the half that nobody reads. */
async function ask(method, params) {
  const answer = await chain.rpc(method, params);
  if (answer !== null) delete answer.logsBloom;
  return answer;
}

/** What the node says of a transaction now. */
async function look(name, hash) {
  const receipt = await ask("eth_getTransactionReceipt", [hash]);
  const block = (tag) => ask("eth_getBlockByNumber", [tag, false]);
  const [finalized, latest] = [await block("finalized"), await block("latest")];
  stories.push({ name, transaction: hash, receipt, finalized, latest, block: receipt && (await block(receipt.blockNumber)) });
}

const send = (from, call) => chain.rpc("eth_sendTransaction", [{ from, ...call }]);

try {
  for (const [name, from, call] of [
    ["paid", payer, transfer(receiver, AMOUNT)],
    ["paid more", payer, transfer(receiver, AMOUNT + 1n)],
    ["paid less", payer, transfer(receiver, AMOUNT - 1n)],
    ["paid nothing", payer, transfer(receiver, 0n)],
    ["paid to a stranger", payer, transfer(stranger, AMOUNT)],
    ["paid by a stranger", stranger, transfer(receiver, AMOUNT)],
    ["paid between strangers", stranger, transfer(stranger, AMOUNT)],
    ["reverted", payer, transfer(receiver, TOO_MUCH)],
    ["coins", payer, { to: receiver, value: "0x2710" }],
  ]) {
    const hash = await send(from, call);
    if (name === "paid") {
      await look("paid just now", hash);
      await chain.rpc("anvil_mine", ["0x1"]);
      await look("paid one block ago", hash);
    }
    await chain.rpc("anvil_mine", ["0x2"]);
    await look(name, hash);
  }
  await look("unknown", `0x${"ab".repeat(32)}`);
  await chain.rpc("evm_setAutomine", [false]);
  await look("waiting", await send(payer, transfer(receiver, AMOUNT)));
} finally {
  await chain.stop();
}

const about = `What anvil answers about transfers of a test dollar on chain ${CHAIN_ID}; written by tests/peers/transfers.mjs`;
const vectors = { about, token: DOLLAR, payer, receiver, amount: `${AMOUNT}`, stories };
writeFileSync(new URL("../vectors/transfers.json", import.meta.url), `${JSON.stringify(vectors, null, 1)}\n`);
