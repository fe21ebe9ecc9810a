// The development chain: anvil with the chain id of Base Sepolia, the test dollar where USDC is there, so that clients
// which know that address pay here unmodified, and Mandates where it is on every chain. Nothing on it is worth anything;
// its keys are public.
//
// A test imports `startChain`. `cargo xtask dev` runs this file: it prints `ready <url> <address of Mandates>` and keeps
// the chain up until its standard input ends.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createPublicClient, decodeFunctionResult, encodeDeployData, encodeFunctionData, http } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { deploy } from "../contracts/deploy/deployment.mjs";
import { ADDRESS as MANDATES } from "../contracts/deploy/mandates.mjs";
import { folder, memory } from "../contracts/deploy/shelf.mjs";

const OWN = fileURLToPath(import.meta.url);
const ROOT = dirname(dirname(OWN));
/** The words from which every anvil derives its keys when nobody says otherwise. */
const MNEMONIC = "test test test test test test test test test test test junk";
const ACCOUNTS = 10;
/** The payer of tests/vectors/eip712.json. */
const VECTOR_PAYER = "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A";
/** The account of the private key 1. */
const ONE = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf";
const MILLION = 1_000_000_000_000n;
const PATIENCE_MS = 15_000;

export const CHAIN_ID = 84532;
/** USDC of Base Sepolia, name `USDC`, version `2`; here the test dollar. */
export const DOLLAR = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";

export { MANDATES };

/** Account 0 to 9 of the chain, as a viem account. Each has a million test dollars and 10,000 coins for gas. */
export function developmentAccount(index) {
  return mnemonicToAccount(MNEMONIC, { addressIndex: index });
}

/** Whether the private key of an account is published: those above, and those of the examples and vectors. */
export function isPublicAccount(address) {
  const own = Array.from({ length: ACCOUNTS }, (_, index) => developmentAccount(index).address);
  return [...own, VECTOR_PAYER, ONE].includes(address);
}

/** Who sends what the handles below do. */
const SENDER = developmentAccount(0).address;

/**
 * Starts a chain on 127.0.0.1. Each transaction is in a block of its own at once; the newest block but one is safe,
 * the one before is final.
 *
 * @param {object} [options]
 * @param {number} [options.port] any free one by default
 * @param {number} [options.blockTime] seconds after which there is a block even without a transaction
 * @param {string} [options.state] a file to go on from, and to keep the chain in when it stops; the manifest of Mandates
 *   is then in the folder `deployments` beside it
 * @returns {Promise<Chain>}
 */
export async function startChain({ port = 0, blockTime, state } = {}) {
  const args = ["--host", "127.0.0.1", "--port", `${port}`, "--chain-id", `${CHAIN_ID}`];
  args.push("--mnemonic", MNEMONIC, "--accounts", `${ACCOUNTS}`, "--slots-in-an-epoch", "1");
  // Else anvil writes a state per block, 250 KB each, below the home folder.
  args.push("--prune-history", "256");
  if (blockTime !== undefined) args.push("--block-time", `${blockTime}`, "--mixed-mining");
  if (state !== undefined) args.push("--state", state);
  const anvil = spawn(program(), args, { stdio: ["ignore", "pipe", "pipe"] });
  const end = () => anvil.kill("SIGKILL");
  process.once("exit", end);
  anvil.once("exit", () => process.off("exit", end));
  try {
    const chain = new Chain(anvil, await listening(anvil));
    await chain.furnish();
    await chain.deployMandates(state === undefined ? memory() : folder(join(dirname(state), "deployments")));
    return chain;
  } catch (error) {
    end();
    throw error;
  }
}

/** The anvil that package.json brings for this machine. */
function program() {
  const processor = { x64: "amd64" }[process.arch] ?? process.arch;
  const path = join(ROOT, `node_modules/@foundry-rs/anvil-${process.platform}-${processor}/bin/anvil`);
  if (existsSync(path)) return path;
  throw new Error(
    `${path} is missing. package.json brings anvil for Linux and macOS, to npm under Node.js 20 or newer: remove ` +
      "node_modules and run cargo xtask build. Without a chain: cargo xtask dev --simulator",
  );
}

/** Waits for the line that says where anvil listens, and returns the URL. */
function listening(anvil) {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (text) => {
      said += text;
      const address = /Listening on (127\.0\.0\.1:\d+)/.exec(said);
      if (address === null) return;
      anvil.off("exit", gone);
      for (const stream of [anvil.stdout, anvil.stderr]) stream.off("data", hear).resume();
      resolve(`http://${address[1]}`);
    };
    const gone = () => reject(new Error(`anvil did not start: ${said.trim()}`));
    anvil.once("exit", gone).once("error", reject);
    anvil.stdout.setEncoding("utf8").on("data", hear);
    anvil.stderr.setEncoding("utf8").on("data", hear);
  });
}

/** The handles of one running chain. */
class Chain {
  #anvil;
  /** The transaction that was handed in last: anvil gives two that arrive together the same nonce. */
  #queue = Promise.resolve();

  constructor(anvil, url) {
    this.#anvil = anvil;
    /** `http://127.0.0.1:<port>`, for JSON-RPC. */
    this.url = url;
    /** Resolves when the chain has stopped, for whatever reason. */
    this.stopped = new Promise((resolve) => anvil.once("exit", resolve));
  }

  /** One JSON-RPC call, anvil's own methods (`anvil_mine`, `anvil_reorg`, `evm_setAutomine`, …) among them. */
  async rpc(method, params = []) {
    const answer = await fetch(this.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = await answer.json();
    if (error) throw new Error(`${method}: ${error.message} (${error.code})`);
    return result;
  }

  /**
   * Sends a transaction of a development account, the first one unless `from` says another, and returns its receipt.
   * It waits for a block: with automatic mining off, somebody has to make one.
   *
   * @param {{ from?: string, to?: string, data: string }} transaction
   * @throws when it is reverted
   */
  async send(transaction) {
    const sent = this.#queue.then(() => this.rpc("eth_sendTransaction", [{ from: SENDER, ...transaction }]));
    this.#queue = sent.catch(() => {});
    const hash = await sent;
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(10)) {
      const receipt = await this.rpc("eth_getTransactionReceipt", [hash]);
      if (receipt?.status === "0x1") return receipt;
      if (receipt) throw new Error(`transaction ${hash} was reverted`);
    }
    throw new Error(`transaction ${hash} is in no block after ${PATIENCE_MS} ms; is automatic mining off?`);
  }

  /** Makes `amount` base units (a millionth of a dollar) for an address. */
  mint(address, amount) {
    return this.#transact("mint", [address, BigInt(amount)]);
  }

  /** Stops transfers from and to an address, as the issuer of USDC can. */
  freeze(address) {
    return this.#transact("freeze", [address]);
  }

  unfreeze(address) {
    return this.#transact("unfreeze", [address]);
  }

  /** Base units, as a bigint. */
  balanceOf(address) {
    return this.#ask("balanceOf", [address]);
  }

  /** Whether an EIP-3009 nonce is used or cancelled. */
  authorizationState(address, nonce) {
    return this.#ask("authorizationState", [address, nonce]);
  }

  /** Deploys a contract account for which `owner` signs (ERC-1271), and returns its address. */
  async deployWallet(owner) {
    const { abi, bytecode } = artifact("TestWallet");
    const receipt = await this.send({ data: encodeDeployData({ abi, bytecode, args: [owner] }) });
    return receipt.contractAddress;
  }

  /** Stops the chain; with `state`, it is in the file afterwards. */
  async stop() {
    this.#anvil.kill("SIGTERM");
    const late = setTimeout(() => this.#anvil.kill("SIGKILL"), PATIENCE_MS);
    await this.stopped;
    clearTimeout(late);
  }

  /** Puts the dollar in its place and gives it to those who pay in development, unless it is there already. */
  async furnish() {
    if ((await this.rpc("eth_getCode", [DOLLAR, "latest"])) !== "0x") return;
    const { abi, bytecode } = artifact("TestDollar");
    const data = encodeDeployData({ abi, bytecode, args: ["USDC", "2"] });
    // Calling a constructor answers with the code that it would leave; the dollar keeps nothing outside of its code.
    const code = await this.rpc("eth_call", [{ data }, "latest"]);
    await this.rpc("anvil_setCode", [DOLLAR, code]);
    const accounts = Array.from({ length: ACCOUNTS }, (_, index) => developmentAccount(index).address);
    await Promise.all([...accounts, VECTOR_PAYER].map((address) => this.mint(address, MILLION)));
  }

  /** Deploys Mandates unless it is there already, and verifies it. */
  async deployMandates(shelf) {
    const client = createPublicClient({ transport: http(this.url) });
    await deploy({ client, account: developmentAccount(0), shelf, confirmation: "included", patienceMs: PATIENCE_MS });
  }

  #transact(functionName, args) {
    return this.send({ to: DOLLAR, data: encodeFunctionData({ abi: artifact("TestDollar").abi, functionName, args }) });
  }

  async #ask(functionName, args) {
    const { abi } = artifact("TestDollar");
    const call = { to: DOLLAR, data: encodeFunctionData({ abi, functionName, args }) };
    return decodeFunctionResult({ abi, functionName, data: await this.rpc("eth_call", [call, "latest"]) });
  }
}

/** Name, ABI and bytecode of a contract, as contracts/artifacts has them. */
function artifact(name) {
  return JSON.parse(readFileSync(join(ROOT, `contracts/artifacts/${name}.json`), "utf8"));
}

async function main() {
  const { values } = parseArgs({
    options: { port: { type: "string" }, "block-time": { type: "string" }, state: { type: "string" } },
  });
  const chain = await startChain({ port: values.port, blockTime: values["block-time"], state: values.state });
  let asked = false;
  const stop = () => {
    asked = true;
    return chain.stop();
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
  process.stdin.on("end", stop).on("error", stop).resume();
  console.log(`ready ${chain.url} ${MANDATES}`);
  await chain.stopped;
  process.exit(asked ? 0 : 1);
}

if (process.argv[1] === OWN) {
  await main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
