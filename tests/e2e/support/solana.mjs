// A node of Solana that a test owns: it knows the transactions that it was told of, counts its blocks, and can stay silent,
// answer late, answer nothing, or lie. Answers have the form of Agave's JSON-RPC API with the encoding `jsonParsed`.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
/** USDC of devnet. */
export const USDC = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";
/** Devnet by CAIP-2: the first 32 characters of its genesis hash. */
export const NETWORK = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";

/** Bytes in base58, as addresses and signatures are written. */
export function base58(bytes) {
  let number = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  return "1".repeat(bytes.findIndex((byte) => byte !== 0)) + text;
}

export const freshAddress = () => base58(randomBytes(32));
export const freshSignature = () => base58(randomBytes(64));

export class SolanaNode {
  #server;
  /** What `getTransaction` knows, by signature. */
  #transactions = new Map();
  /** Overrides by method: what it answers instead, or a function of the parameters and of the true result. */
  #rules = new Map();
  /** Blocks that are final. */
  height = 1000;
  /** How far the chain's clock is ahead of ours, in seconds. */
  ahead = 0;
  /** What addresses hold: `{ lamports, usdc }`. */
  holdings = new Map();
  /** Every request so far: `{ method, params, headers }`. */
  asked = [];
  /** What every request is answered with, `{ status, body }`; `"nothing"` breaks every connection off. */
  instead = undefined;

  static async open() {
    const node = new SolanaNode();
    node.#server = createServer((request, response) => {
      node.#serve(request, response).catch(() => response.destroy());
    });
    await new Promise((opened) => node.#server.listen(0, "127.0.0.1", opened));
    node.url = `http://127.0.0.1:${node.#server.address().port}`;
    return node;
  }

  /**
   * Puts a transfer into a final block and returns its signature. `change` gets the whole answer and may make it say
   * something else.
   */
  transfer({ payer, receiver, amount, mint = USDC, reference, signature = freshSignature(), blockTime, change = () => {} }) {
    const accounts = [payer, freshAddress(), freshAddress(), mint, ...(reference ? [reference] : [])];
    const held = (accountIndex, owner, units) => ({
      accountIndex, mint, owner, programId: TOKEN_PROGRAM,
      uiTokenAmount: { amount: `${units}`, decimals: 6, uiAmount: Number(units) / 1e6, uiAmountString: `${Number(units) / 1e6}` },
    });
    const before = BigInt(amount) + 5_000_000n;
    const transaction = {
      slot: this.height,
      blockTime: blockTime ?? Math.floor(Date.now() / 1000),
      version: 0,
      meta: {
        err: null, fee: 5000, status: { Ok: null }, logMessages: [], innerInstructions: [],
        preBalances: accounts.map(() => 1_000_000), postBalances: accounts.map(() => 1_000_000),
        // The receiver's account is made in this very transaction: it is in the second list alone.
        preTokenBalances: [held(1, payer, before)],
        postTokenBalances: [held(1, payer, before - BigInt(amount)), held(2, receiver, BigInt(amount))],
      },
      transaction: {
        signatures: [signature],
        message: {
          accountKeys: accounts.map((pubkey, index) => ({ pubkey, signer: index === 0, writable: index < 3, source: "transaction" })),
          instructions: [], recentBlockhash: freshAddress(),
        },
      },
    };
    change(transaction);
    this.#transactions.set(signature, transaction);
    return signature;
  }

  /** Answers a method with a result, or with what a function of `(params, true result)` makes. */
  falsify(method, result) {
    this.#rules.set(method, (id, params, truth) => ({ jsonrpc: "2.0", id, result: typeof result === "function" ? result(params, truth) : result }));
  }

  /** Answers a method with an error. */
  refuse(method, error) {
    this.#rules.set(method, (id) => ({ jsonrpc: "2.0", id, error }));
  }

  heal() {
    this.#rules.clear();
    this.instead = undefined;
  }

  count(method) {
    return this.asked.filter((call) => call.method === method).length;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #serve(request, response) {
    const calls = JSON.parse(Buffer.concat(await request.toArray()).toString());
    this.asked.push(...[calls].flat().map(({ method, params }) => ({ method, params, headers: request.headers, url: request.url })));
    if (this.instead === "nothing") return response.destroy();
    response.writeHead(this.instead?.status ?? 200, { "content-type": "application/json" });
    if (this.instead) return response.end(this.instead.body);
    const replies = [calls].flat().map(({ id, method, params }) => {
      const truth = this.#result(method, params);
      const reply = truth === undefined ? { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } } : { jsonrpc: "2.0", id, result: truth };
      return this.#rules.get(method)?.(id, params, truth) ?? reply;
    });
    return response.end(JSON.stringify(Array.isArray(calls) ? replies : replies[0]));
  }

  #result(method, [first, second]) {
    const context = { apiVersion: "2.3.0", slot: this.height };
    switch (method) {
      case "getTransaction":
        return this.#transactions.get(first) ?? null;
      case "getSignatureStatuses": {
        const status = (known) => known && { slot: known.slot, confirmations: null, err: known.meta.err, confirmationStatus: "finalized", status: known.meta.status };
        return { context, value: first.map((signature) => status(this.#transactions.get(signature)) ?? null) };
      }
      case "getEpochInfo":
        return { absoluteSlot: this.height, blockHeight: this.height, epoch: 1, slotIndex: 1, slotsInEpoch: 432_000, transactionCount: 1 };
      case "getBlockHeight":
        return this.height;
      case "getBlockTime":
        return Math.floor(Date.now() / 1000) + this.ahead;
      case "getBalance":
        return { context, value: this.holdings.get(first)?.lamports ?? 0 };
      case "getSignaturesForAddress": {
        const names = ({ meta, transaction }) => meta.postTokenBalances.some(({ owner }) => owner === first) || transaction.message.accountKeys.some(({ pubkey }) => pubkey === first);
        const found = [...this.#transactions].filter(([, transaction]) => names(transaction));
        return found.map(([signature, { slot, blockTime, meta }]) => ({ signature, slot, blockTime, err: meta.err, memo: null, confirmationStatus: "finalized" }));
      }
      case "getTokenAccountsByOwner": {
        const amount = this.holdings.get(first)?.usdc;
        const info = { isNative: false, mint: second.mint, owner: first, state: "initialized", tokenAmount: { amount: `${amount}`, decimals: 6 } };
        const account = { data: { parsed: { info, type: "account" }, program: "spl-token", space: 165 }, executable: false, lamports: 2039280, owner: TOKEN_PROGRAM };
        return { context, value: amount === undefined ? [] : [{ pubkey: freshAddress(), account }] };
      }
      default:
        return undefined;
    }
  }
}
