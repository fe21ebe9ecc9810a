// Settlements on a chain through one relayer key, beside the same transfers sent to the chain with nothing in between.
import { encodeFunctionData, parseAbi, parseSignature } from "viem";
import { developmentAccount, CHAIN_ID, DOLLAR, startChain } from "../chain.mjs";
import { start, FACILITATOR } from "../harness.mjs";
import { fundRelayers, RELAYERS, settings } from "../e2e/support/onchain.mjs";
import { sign, TERMS } from "../e2e/support/payment.mjs";
import { load, request } from "./wire.mjs";

const ROUNDS = 4;
const AT_ONCE = 50;
const GAS = 120_000;
const FEE = 5_000_000_000n;
const ABI = parseAbi(["function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)"]);

/** Measures both, in turn. Fails when a settlement is missing, or the relayer's nonces have a gap. */
export async function settlements(figures) {
  const chain = await startChain();
  await fundRelayers(chain);
  const stack = await start({ product: FACILITATOR, facilitatorVars: settings(chain), measured: true });
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const payments = await signed();
      const measured = await load(new URL(stack.url), { requests: payments.map(settle), expect: 200, width: AT_ONCE });
      const refused = measured.answers.map(({ body }) => JSON.parse(body.toString())).filter(({ success }) => !success);
      if (refused.length > 0) throw new Error(`${refused.length} of ${AT_ONCE} did not settle: ${JSON.stringify(refused[0])}`);
      const sent = Number(await chain.rpc("eth_getTransactionCount", [RELAYERS[0].address, "latest"]));
      if (sent !== (round + 1) * AT_ONCE) throw new Error(`${sent} transactions for ${(round + 1) * AT_ONCE} settlements`);
      figures.add("settlements, 50 at once", measured);
      figures.add("bare transfers, 50 at once", await bare(chain, await signed()));
    }
  } finally {
    await stack.stop();
    await chain.stop();
  }
}

/** Payments by one account; signing is the buyers' work. */
function signed() {
  return Promise.all(Array.from({ length: AT_ONCE }, () => sign(developmentAccount(1))));
}

function settle(paymentPayload) {
  return request("POST", "/settle", {}, JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: TERMS }));
}

/** The transfers as transactions that are signed beforehand, sent at once; done when each has its receipt. */
async function bare(chain, payments) {
  const account = developmentAccount(7);
  const first = Number(await chain.rpc("eth_getTransactionCount", [account.address, "latest"]));
  const raw = await Promise.all(payments.map(({ payload }, index) => account.signTransaction(transfer(payload, first + index))));
  const started = performance.now();
  const latencies = await Promise.all(
    raw.map(async (bytes) => {
      const hash = await chain.rpc("eth_sendRawTransaction", [bytes]);
      while ((await chain.rpc("eth_getTransactionReceipt", [hash])) === null) await new Promise(setImmediate);
      return performance.now() - started;
    }),
  );
  return { perSecond: (AT_ONCE * 1000) / (performance.now() - started), latencies };
}

function transfer({ authorization, signature }, nonce) {
  const { from, to, value, validAfter, validBefore, nonce: own } = authorization;
  const { r, s, v } = parseSignature(signature);
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), own, Number(v), r, s];
  const data = encodeFunctionData({ abi: ABI, functionName: "transferWithAuthorization", args });
  const fees = { maxFeePerGas: FEE, maxPriorityFeePerGas: 1n };
  return { type: "eip1559", chainId: CHAIN_ID, nonce, to: DOLLAR, data, gas: BigInt(GAS), ...fees };
}
