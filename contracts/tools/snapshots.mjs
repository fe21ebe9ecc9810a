// The pages of contracts/snapshots.
import { keccak256, toBytes } from "viem";

/** How many bytes a piece of forge's bytecode is. */
export function bytes({ object }) {
  return (object.length - 2) / 2;
}

/**
 * One deployable contract: how large its code is, where it stores what, and how it is called.
 *
 * @param {{ name: string, source: string, artifact: object }} contract
 */
export function page({ name, source, artifact }) {
  const size = `${bytes(artifact.deployedBytecode)} bytes of code, made by ${bytes(artifact.bytecode)}`;
  const sections = [`${name} (${source})\n${size}`, storage(artifact.storageLayout), calls(artifact.abi)];
  return `${sections.join("\n\n")}\n`;
}

/** What callers hold as numbers: enumerations, and the ERC-165 ids of the product's interfaces. */
export function numbers(enumerations, definitions) {
  const enums = enumerations.map(([name, members]) => {
    return [`enum ${name}`, ...members.map((member, index) => `${index} ${member}`.padStart(member.length + 4))];
  });
  const interfaces = definitions.filter(({ node, isProduct }) => isProduct && node.contractKind === "interface");
  const ids = interfaces.map(({ name, node }) => `interface ${name} ${interfaceId(node)}`);
  return `${[ids, ...enums].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** The selectors of its own functions, each bit once: an inherited function does not count. */
function interfaceId(node) {
  const selectors = node.nodes.flatMap(({ functionSelector }) => functionSelector ?? []);
  const id = selectors.reduce((id, selector) => id ^ Number.parseInt(selector, 16), 0) >>> 0;
  return `0x${id.toString(16).padStart(8, "0")}`;
}

/** Names, slots and types; the structs that the types speak of stand below, with slots counted from their own. */
function storage({ storage, types }) {
  const structs = Object.values(types ?? {}).filter(({ members }) => members !== undefined);
  structs.sort((a, b) => (a.label < b.label ? -1 : 1));
  const groups = [["storage", storage], ...structs.map(({ label, members }) => [label, members])];
  const lines = groups.map(([title, places]) => {
    return [title, ...places.map(({ label, slot, offset, type }) => `  ${slot}+${offset} ${label}: ${types[type].label}`)];
  });
  return lines.map((group) => group.join("\n")).join("\n\n");
}

/** One signature a line, in the order of the alphabet, with the selector or topic by which it is known. */
function calls(abi) {
  const structs = new Set();
  const list = (parameters) => parameters.map((parameter) => shown(parameter, structs, list)).join(", ");
  const lines = abi.map((item) => {
    const returned = item.outputs?.length > 0 ? ` returns (${list(item.outputs)})` : "";
    const mutability = ["view", "pure", "payable"].includes(item.stateMutability) ? ` ${item.stateMutability}` : "";
    const head = [item.type, item.name].filter(Boolean).join(" ");
    return `${head}(${list(item.inputs ?? [])})${mutability}${returned} ${item.name ? id(item) : ""}`.trim();
  });
  return [[...structs].sort().join("\n"), lines.sort().join("\n")].filter(Boolean).join("\n\n");
}

function id(item) {
  const hash = keccak256(toBytes(`${item.name}(${item.inputs.map(canonical).join(",")})`));
  return item.type === "event" ? hash : hash.slice(0, 10);
}

/** A struct has its name and is written out once; an enumeration has its name beside the type in which it travels. */
function shown({ type, internalType, components, indexed, name }, structs, list) {
  const named = /^(?:struct|enum) ([^[]+)/.exec(internalType ?? "")?.[1];
  if (components) structs.add(`struct ${named}(${list(components)})`);
  const spelled = components ? type.replace("tuple", named) : type + (named ? `/${named}` : "");
  return [spelled, indexed ? "indexed" : "", name].filter(Boolean).join(" ");
}

function canonical({ type, components }) {
  return type.startsWith("tuple") ? `(${components.map(canonical).join(",")})${type.slice("tuple".length)}` : type;
}
