// Compares contracts/artifacts and contracts/snapshots with what forge built, or with --write brings them up to date.
// An artifact is what a program needs to deploy and call a contract, so that nobody needs a compiler for that. A
// snapshot is a page for people: what a change does to storage, interface and size is read there.
import { deployable, definitions, enumerations } from "./built.mjs";
import { complain, keep } from "./kept.mjs";
import { bytes, numbers, page } from "./snapshots.mjs";

/** No chain accepts more code than this (EIP-170). */
const CODE_BYTES_MAX = 24_576;

const contracts = deployable();
const artifacts = new Map();
const snapshots = new Map([["numbers.txt", numbers(enumerations(), definitions())]]);
for (const contract of contracts) {
  artifacts.set(`${contract.name}.json`, `${JSON.stringify(artifactOf(contract), null, 2)}\n`);
  snapshots.set(`${contract.name}.txt`, page(contract));
  const size = bytes(contract.artifact.deployedBytecode);
  if (size > CODE_BYTES_MAX) complain(`${contract.source}: ${size} bytes of code, at most ${CODE_BYTES_MAX} may be`);
  const left = CODE_BYTES_MAX - size;
  console.log(`${contract.name}: ${size} bytes of code, ${left} below the limit`);
}
keep("contracts/artifacts", artifacts);
keep("contracts/snapshots", snapshots);

/** Of the product also what shows that a deployed code is this one: the code, and where constructors write into it. */
function artifactOf({ name, isProduct, artifact: { abi, bytecode, deployedBytecode } }) {
  const artifact = { name, abi, bytecode: bytecode.object };
  if (!isProduct) return artifact;
  // The compiler groups the places by the numbers of its syntax tree, which change with any source.
  const places = Object.values(deployedBytecode.immutableReferences ?? {}).flat();
  const immutableReferences = places.sort((a, b) => a.start - b.start);
  return { ...artifact, deployedBytecode: deployedBytecode.object, immutableReferences };
}
