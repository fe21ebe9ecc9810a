// Whether what stands on a chain is what this checkout says: the code of all three contracts byte for byte, each of their
// immutables, and what the contract answers about itself.
import { isAddressEqual, keccak256, slice, zeroAddress, zeroHash } from "viem";
import { ABI, ADDRESS, DOMAIN, mandateOf, parts, vaultOf } from "./mandates.mjs";

/** Any owner and salt serve to ask. */
const SAMPLE = { owner: "0x00000000000000000000000000000000000000A1", salt: `0x${"5a".repeat(32)}` };

/**
 * Inspects the contracts on a chain.
 *
 * @returns {Promise<string>} the keccak-256 of the code of Mandates
 * @throws when anything is not as it should be; the message says what
 */
export async function inspect(client) {
  const chainId = await client.getChainId();
  const codes = [];
  for (const part of parts(chainId)) {
    const code = await client.getCode({ address: part.address });
    if (code === undefined) throw new Error(`${place(part)} has no code on chain ${chainId}.`);
    checkCode(part, code);
    checkImmutables(part, code);
    codes.push(code);
  }
  await checkAnswers(client, chainId);
  return keccak256(codes[0]);
}

function checkCode(part, code) {
  const expected = part.artifact.deployedBytecode;
  const [got, wanted] = [code, expected].map((text) => Buffer.from(text.slice(2), "hex"));
  if (got.length !== wanted.length) {
    throw new Error(`${place(part)} has other code: ${got.length} bytes, contracts/artifacts says ${wanted.length}.`);
  }
  for (const { start, length } of places(part)) {
    got.fill(0, start, start + length);
    wanted.fill(0, start, start + length);
  }
  const at = got.findIndex((byte, index) => byte !== wanted[index]);
  if (at >= 0) throw new Error(`${place(part)} has other code from byte ${at} on than contracts/artifacts says.`);
}

/** Which value stands where is part of the creation code, for which the address vouches; here is that all are right. */
function checkImmutables(part, code) {
  const expected = Object.entries(part.immutables);
  const values = new Set(places(part).map(({ start, length }) => slice(code, start, start + length)));
  const strange = [...values].filter((value) => !expected.some(([, right]) => right === value));
  const missing = expected.filter(([, right]) => !values.has(right));
  if (strange.length === 0 && missing.length === 0) return;
  const wanted = expected.map(([name, value]) => `${name} ${value}`);
  throw new Error(`${place(part)} has wrong immutables: ${[...values].join(", ")} instead of ${wanted.join(", ")}.`);
}

async function checkAnswers(client, chainId) {
  const ask = (functionName, args) => client.readContract({ address: ADDRESS, abi: ABI, functionName, args });
  const [fields, name, version, chain, contract, salt, extensions] = await ask("eip712Domain", []);
  const isDomain = fields === "0x0f" && name === DOMAIN.name && version === DOMAIN.version && chain === BigInt(chainId) &&
    isAddressEqual(contract, ADDRESS) && salt === zeroHash && extensions.length === 0;
  if (!isDomain) throw new Error(`eip712Domain() answers ${name}, ${version}, chain ${chain}, contract ${contract}.`);
  const vault = await ask("vaultOf", [SAMPLE.owner]);
  if (!isAddressEqual(vault, vaultOf(SAMPLE.owner))) {
    throw new Error(`vaultOf(${SAMPLE.owner}) answers ${vault}, expected ${vaultOf(SAMPLE.owner)}.`);
  }
  const mandate = await ask("mandateOf", [SAMPLE.owner, SAMPLE.salt]);
  const expected = mandateOf(chainId, SAMPLE.owner, SAMPLE.salt);
  if (mandate !== expected) throw new Error(`mandateOf answers ${mandate}, expected ${expected}.`);
  // The answer comes by delegatecall: a mandate that nobody made is unknown to the rules.
  await checkRules(client);
}

async function checkRules(client) {
  try {
    await client.simulateContract({
      address: ADDRESS, abi: ABI, functionName: "pause", args: [zeroHash], account: zeroAddress,
    });
  } catch (error) {
    const refusal = error.walk?.((cause) => cause.data?.errorName === "Refused");
    if (refusal) return;
    throw error;
  }
  throw new Error("pause() of a mandate that does not exist is not refused.");
}

/** Where constructors write immutables into the code. */
function places({ artifact }) {
  return Object.values(artifact.immutableReferences).flat();
}

function place({ name, address }) {
  return `${name} at ${address}`;
}
