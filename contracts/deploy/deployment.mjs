// Deploys Mandates once, however often it is asked and wherever it was interrupted: the signed transaction is kept before
// it is sent, and sent again as it is. A manifest is written of what was found on the chain, after it was verified.
import { setTimeout as pause } from "node:timers/promises";
import { getAddress, isAddressEqual, keccak256, TransactionReceiptNotFoundError } from "viem";
import { inspect } from "./inspection.mjs";
import {
  ADDRESS, CALLDATA, compiler, FACTORY, FACTORY_CODE, INIT_CODE_HASH, POLICIES, VAULT,
} from "./mandates.mjs";

const PAUSE_MS = 50;
const PAUSE_MAX_MS = 2_000;

/**
 * Brings Mandates to a chain unless it is there, verifies it, and writes its manifest.
 *
 * @param {object} options
 * @param {import("viem").PublicClient} options.client
 * @param {import("viem").LocalAccount} options.account pays for it, and has no right to it afterwards
 * @param {Shelf} options.shelf see shelf.mjs
 * @param {"included" | "safe"} options.confirmation the kind of block in which it has to be
 * @param {number} options.patienceMs how long to wait for that block
 * @returns {Promise<{ manifest: object, path: string, isNew: boolean }>} `isNew` when it was not there before
 * @throws when it cannot be done, or what stands there is something else; the message says what and what to do
 */
export async function deploy({ client, account, shelf, confirmation, patienceMs }) {
  const chainId = await client.getChainId();
  const names = { manifest: `${chainId}-${ADDRESS}.json`, sent: `${chainId}-${ADDRESS}.sent.json` };
  const end = Date.now() + patienceMs;
  const isNew = (await client.getCode({ address: ADDRESS })) === undefined;
  if (isNew) {
    await requireFactory(client, chainId);
    const sent = (await resumable(client, shelf.read(names.sent))) ?? (await sign(client, account, chainId));
    shelf.write(names.sent, sent);
    await send(client, sent);
    await included(client, sent, end);
  }
  const known = [names.sent, names.manifest].flatMap((name) => shelf.read(name)?.transaction ?? []);
  const receipt = await until(end, () => settled(client, known, confirmation), () =>
    "The block with Mandates is not safe yet. Run this again to wait on.",
  );
  const manifest = await observe(client, await inspect(client), receipt);
  shelf.write(names.manifest, manifest);
  shelf.remove(names.sent);
  return { manifest, path: shelf.place(names.manifest), isNew };
}

/**
 * Holds a manifest against a chain.
 *
 * @throws when they differ, or the manifest is of another contract than this checkout has; the message says what
 */
export async function verify(client, manifest) {
  const chainId = await client.getChainId();
  if (manifest.chainId !== chainId) {
    throw new Error(`The manifest is of chain ${manifest.chainId}, and the RPC server is of chain ${chainId}.`);
  }
  if (manifest.initCodeHash !== INIT_CODE_HASH || manifest.address !== ADDRESS) {
    throw new Error(
      `The manifest is of ${manifest.address}, init code ${manifest.initCodeHash}. This checkout has ${ADDRESS}, init ` +
        `code ${INIT_CODE_HASH}. Verify it with the checkout that it was deployed from.`,
    );
  }
  const codeHash = await inspect(client);
  const receipt = await receiptOfAny(client, [manifest.transaction]);
  if (receipt === undefined) throw new Error(`Transaction ${manifest.transaction} is not on chain ${chainId}.`);
  // How it was compiled is what the init code hash stands for; the files that say so may have changed without it.
  const { compiler: _, ...found } = await observe(client, codeHash, receipt);
  for (const [key, value] of Object.entries(found)) {
    if (manifest[key] !== value) throw new Error(`The manifest says ${key} ${manifest[key]}, the chain says ${value}.`);
  }
}

/** A manifest of what was inspected on the chain, and created by the transaction of `receipt`. */
async function observe(client, codeHash, receipt) {
  const transaction = await client.getTransaction({ hash: receipt.transactionHash });
  if (!isCreation(transaction) || receipt.status !== "success") {
    throw new Error(`Transaction ${transaction.hash} did not create Mandates.`);
  }
  const { timestamp } = await client.getBlock({ blockNumber: receipt.blockNumber });
  return {
    contract: "Mandates",
    chainId: await client.getChainId(),
    address: ADDRESS,
    policies: POLICIES,
    vault: VAULT,
    deployer: getAddress(receipt.from),
    factory: FACTORY,
    transaction: receipt.transactionHash,
    block: Number(receipt.blockNumber),
    time: new Date(Number(timestamp) * 1000).toISOString(),
    codeHash,
    initCodeHash: INIT_CODE_HASH,
    compiler: compiler(),
  };
}

function isCreation({ to, input }) {
  return to !== null && isAddressEqual(to, FACTORY) && input === CALLDATA.toLowerCase();
}

async function requireFactory(client, chainId) {
  if ((await client.getCode({ address: FACTORY })) === FACTORY_CODE) return;
  throw new Error(
    `Chain ${chainId} has no deterministic deployment proxy at ${FACTORY}. Anyone can put it there: see ` +
      "https://github.com/Arachnid/deterministic-deployment-proxy.",
  );
}

/** The kept transaction while it is still the next of its sender: nothing else took its nonce. */
async function resumable(client, sent) {
  if (sent === undefined) return undefined;
  if ((await receiptOfAny(client, [sent.transaction]))?.status === "success") return sent;
  const next = await client.getTransactionCount({ address: sent.sender });
  return next === sent.nonce ? sent : undefined;
}

async function sign(client, account, chainId) {
  const call = { to: FACTORY, data: CALLDATA };
  const [nonce, pending, balance, fees] = await Promise.all([
    client.getTransactionCount({ address: account.address }),
    client.getTransactionCount({ address: account.address, blockTag: "pending" }),
    client.getBalance({ address: account.address }),
    client.estimateFeesPerGas({ chain: null }),
  ]);
  if (pending > nonce) {
    throw new Error(`${account.address} has ${pending - nonce} transactions that wait. Run this when they are over.`);
  }
  // A node estimates for the latest block; on the one that takes it, storage may cost a little more.
  const gas = ((await client.estimateGas({ account: account.address, ...call })) * 11n) / 10n;
  const cost = gas * fees.maxFeePerGas;
  if (balance < cost) throw new Error(`${account.address} has ${balance} wei and may need ${cost}.`);
  const raw = await account.signTransaction({ type: "eip1559", chainId, nonce, gas, ...fees, ...call });
  return { transaction: keccak256(raw), sender: account.address, nonce, raw };
}

/** Sends it. When the node knows it already, the node's complaint does not matter. */
async function send(client, { raw, transaction }) {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw });
  } catch (error) {
    const isKnown = await client.getTransaction({ hash: transaction }).then(() => true, () => false);
    if (!isKnown) throw error;
  }
}

async function included(client, { transaction, sender, nonce }, end) {
  const receipt = await until(end, () => receiptOfAny(client, [transaction]), () =>
    `Transaction ${transaction} is in no block yet. Run this again to wait on. If its fee is too low by now, replace ` +
      `nonce ${nonce} of ${sender} with a wallet, and run this again then.`,
  );
  const stands = (await client.getCode({ address: ADDRESS })) !== undefined;
  // It fails when somebody else was faster, and then all is well.
  if (receipt.status !== "success" && !stands) throw new Error(`Transaction ${transaction} failed. Run this again.`);
}

/** The receipt of the transaction that created it, once its block is of the kind asked for. */
async function settled(client, known, confirmation) {
  const own = await receiptOfAny(client, known);
  const receipt = own?.status === "success" ? own : await find(client);
  if (confirmation === "included") return receipt;
  const { number } = await client.getBlock({ blockTag: "safe" });
  return number >= receipt.blockNumber ? receipt : undefined;
}

/** Repeats a question until the answer is true. */
async function until(end, ask, complaint) {
  for (let wait = PAUSE_MS; ; wait = Math.min(2 * wait, PAUSE_MAX_MS)) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() >= end) throw new Error(complaint());
    await pause(wait);
  }
}

async function receiptOfAny(client, hashes) {
  for (const hash of hashes) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
  }
  return undefined;
}

/** Finds the transaction that created it when nobody kept that: in the first block after which there is code. */
async function find(client) {
  let [without, has] = [0n, await client.getBlockNumber({ cacheTime: 0 })];
  while (has - without > 1n) {
    const middle = (without + has) / 2n;
    const code = await client.getCode({ address: ADDRESS, blockNumber: middle }).catch((error) => {
      throw untraced(`the RPC server does not say what block ${middle} held (${error.details ?? error.message})`);
    });
    if (code === undefined) without = middle;
    else has = middle;
  }
  const { transactions } = await client.getBlock({ blockNumber: has, includeTransactions: true });
  for (const { hash } of transactions.filter(isCreation)) {
    const receipt = await client.getTransactionReceipt({ hash });
    if (receipt.status === "success") return receipt;
  }
  throw untraced(`block ${has} holds no transaction to the deployment proxy that did it`);
}

function untraced(reason) {
  return new Error(
    `Mandates stands at ${ADDRESS}, and when it was created cannot be found: ${reason}. Ask an RPC server that keeps ` +
      "the state of every block.",
  );
}
