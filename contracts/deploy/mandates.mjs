// What is deployed, and where it comes to stand. The deterministic deployment proxy creates it by CREATE2, so the address
// follows from the creation code alone: it is the same on every chain, and another contract has another address. The
// constructor then creates two contracts more.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  concatHex, encodeAbiParameters, getContractAddress, keccak256, numberToHex, pad, size, stringToHex, zeroHash,
} from "viem";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SALT = zeroHash;
/** Where https://github.com/Arachnid/deterministic-deployment-proxy stands on every chain, and its code. */
export const FACTORY = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
export const FACTORY_CODE =
  "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

const [mandates, policies, vault] = ["Mandates", "Policies", "Vault"].map(artifact);

export const ABI = mandates.abi;
export const INIT_CODE_HASH = keccak256(mandates.bytecode);
/** What the factory is sent. */
export const CALLDATA = concatHex([SALT, mandates.bytecode]);
export const ADDRESS = getContractAddress({ opcode: "CREATE2", from: FACTORY, salt: SALT, bytecode: mandates.bytecode });
/** The code that every owner's vault runs: what `Mandates` creates first. */
export const VAULT = getContractAddress({ from: ADDRESS, nonce: 1n });
/** The owner's rules, run by delegatecall: what it creates second. */
export const POLICIES = getContractAddress({ from: ADDRESS, nonce: 2n });
/** The EIP-712 domain but for its chain and contract. */
export const DOMAIN = { name: "Guildhall Mandates", version: "1" };

/** The three contracts with what their immutables have to be on a chain, as names with 32-byte words. */
export function parts(chainId) {
  const chain = word(chainId);
  return [
    {
      name: "Mandates",
      address: ADDRESS,
      artifact: mandates,
      immutables: {
        chain,
        "domain separator": separator(chainId),
        "domain name": shortString(DOMAIN.name),
        "domain version": shortString(DOMAIN.version),
        "hash of the domain name": keccak256(stringToHex(DOMAIN.name)),
        "hash of the domain version": keccak256(stringToHex(DOMAIN.version)),
        "own address": word(ADDRESS),
        Policies: word(POLICIES),
        Vault: word(VAULT),
      },
    },
    { name: "Policies", address: POLICIES, artifact: policies, immutables: { chain } },
    { name: "Vault", address: VAULT, artifact: vault, immutables: { Mandates: word(ADDRESS) } },
  ];
}

/** How the creation code was made, from the files that say so. */
export function compiler() {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const settings = readFileSync(join(ROOT, "foundry.toml"), "utf8");
  const setting = (key) => {
    const found = new RegExp(`\\b${key} = ("?)([^",\\s}]+)\\1`).exec(settings);
    if (found === null) throw new Error(`foundry.toml does not say what ${key} is`);
    return found[2];
  };
  return {
    solc: devDependencies.solc,
    openzeppelin: devDependencies["@openzeppelin/contracts"],
    evmVersion: setting("evm_version"),
    viaIR: setting("via_ir") === "true",
    optimizer: setting("optimizer") === "true",
    optimizerRuns: Number(setting("optimizer_runs")),
    bytecodeHash: setting("bytecode_hash"),
    cborMetadata: setting("cbor_metadata") === "true",
  };
}

/** Of EIP-712, for the domain that `IMandates` names. */
export function separator(chainId) {
  const type = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
  const hashes = [type, DOMAIN.name, DOMAIN.version].map((text) => keccak256(stringToHex(text)));
  return keccak256(concatHex([...hashes, word(chainId), word(ADDRESS)]));
}

/** The id of a mandate, as `mandateOf` has to answer. */
export function mandateOf(chainId, owner, salt) {
  const types = ["uint256", "address", "address", "bytes32"].map((type) => ({ type }));
  return keccak256(encodeAbiParameters(types, [BigInt(chainId), ADDRESS, owner, salt]));
}

/** Where the vault of an owner has to stand: an ERC-1167 proxy, created with the owner as salt. */
export function vaultOf(owner) {
  const bytecode = concatHex(["0x3d602d80600a3d3981f3363d3d373d3d3d363d73", VAULT, "0x5af43d82803e903d91602b57fd5bf3"]);
  return getContractAddress({ opcode: "CREATE2", from: ADDRESS, salt: word(owner), bytecode });
}

function word(value) {
  return pad(typeof value === "number" ? numberToHex(value) : value.toLowerCase(), { size: 32 });
}

/** A text of at most 31 bytes in one word, its length last, as OpenZeppelin keeps it. */
function shortString(text) {
  const bytes = stringToHex(text);
  return concatHex([pad(bytes, { dir: "right", size: 31 }), numberToHex(size(bytes), { size: 1 })]);
}

function artifact(name) {
  return JSON.parse(readFileSync(join(ROOT, `contracts/artifacts/${name}.json`), "utf8"));
}
