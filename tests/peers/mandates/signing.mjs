// Who takes part in the vectors of the contract `Mandates`, what they sign, and how viem signs it. The types are
// written by hand from contracts/src/mandates/IMandates.sol and from EIP-2612 and ERC-3009.
import { getContractAddress, hashStruct, keccak256, parseSignature, stringToBytes } from "viem";
import { privateKeyToAccount } from "viem/accounts";

export const CHAIN = 84532;
/** Unix seconds, 2027-01-15 08:00 UTC: when the story begins. */
export const START = 1_800_000_000;
export const HOUR = 3_600;
export const DAY = 86_400;

/** Keys that everyone knows, for tests alone. The relayer deployed both contracts. */
export const KEYS = Object.fromEntries(
  ["owner", "agent", "provider", "resolver", "relayer"].map((name, i) => [name, `0x${`${i + 1}${i + 1}`.repeat(32)}`]),
);
const accounts = Object.fromEntries(Object.entries(KEYS).map(([name, key]) => [name, privateKeyToAccount(key)]));
export const parties = Object.fromEntries(Object.entries(accounts).map(([name, { address }]) => [name, address]));

export const mandates = getContractAddress({ from: parties.relayer, nonce: 0n });
export const token = getContractAddress({ from: parties.relayer, nonce: 1n });
/** The first contract that a contract creates has the nonce 1 (EIP-161). */
export const vaultImplementation = getContractAddress({ from: mandates, nonce: 1n });

export const domain = { name: "Guildhall Mandates", version: "1", chainId: CHAIN, verifyingContract: mandates };
const tokenDomain = { name: "USDC", version: "2", chainId: CHAIN, verifyingContract: token };

const TYPES = {
  Terms: "uint32 challengePeriod,uint32 resolutionTimeout,uint16 silenceBps,address resolver",
  PaymentRequest:
    "bytes32 mandate,uint64 policyVersion,bytes32 requestId,address token,uint128 maxAmount,address recipient," +
    "bytes32 service,bytes32 jobHash,uint48 validAfter,uint48 validBefore,uint48 deliverBy,uint48 captureBy," +
    "uint48 refundBy,Terms terms",
  Approval: "PaymentRequest request,address approver,uint48 validBefore",
  Delivery: "bytes32 payment,bytes32 receiptHash",
  Capture: "bytes32 payment,uint128 total",
  Void: "bytes32 payment",
  Refund: "bytes32 payment,uint128 total",
  Accept: "bytes32 payment",
  Dispute: "bytes32 payment,bytes32 evidenceHash",
  Cancel: "bytes32 payment",
  Resolution: "bytes32 payment,uint128 toProvider",
  CreditWithdrawal: "address owner,address token,address recipient,address to,uint128 total",
};
const TOKEN_TYPES = {
  Permit: "address owner,address spender,uint256 value,uint256 nonce,uint256 deadline",
  ReceiveWithAuthorization:
    "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce",
};

/** The structs that a type holds, at any depth: here a chain. */
const REFERS = { Approval: ["PaymentRequest", "Terms"], PaymentRequest: ["Terms"] };

/** EIP-712's encodeType: the struct, then those that it refers to in the order of their names. */
export const encodeType = (name) =>
  [name, ...(REFERS[name] ?? [])].map((each) => `${each}(${TYPES[each]})`).join("");

export const typeHash = (name) => keccak256(stringToBytes(encodeType(name)));

const fields = (types) =>
  Object.fromEntries(
    Object.entries(types).map(([name, text]) => [
      name,
      text.split(",").map((field) => ({ type: field.split(" ")[0], name: field.split(" ")[1] })),
    ]),
  );
export const types = fields(TYPES);

export const structHash = (primaryType, data) => hashStruct({ types, primaryType, data });

/** @param {string} party whose key signs @param {string} primaryType a name in TYPES */
export const sign = (party, primaryType, message) =>
  accounts[party].signTypedData({ domain, types, primaryType, message });

/** The same for the token's structs, as the token takes them. */
export const signForToken = async (party, primaryType, message) => {
  const signature = await accounts[party].signTypedData({
    domain: tokenDomain,
    types: fields(TOKEN_TYPES),
    primaryType,
    message,
  });
  const { v, r, s } = parseSignature(signature);
  return { signature, v: Number(v), r, s };
};
