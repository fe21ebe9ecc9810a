// What forge built from contracts/src, for the scripts beside this one.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SOURCES = join(ROOT, "contracts/src");
const OUT = join(ROOT, "target/contracts/out");
/** Contracts in here are the product; the others are for development chains. */
const PRODUCT = "contracts/src/mandates/";

/** @returns {string[]} every source below contracts/src, from the top of the checkout, in order */
export function sources() {
  const files = readdirSync(SOURCES, { recursive: true }).filter((file) => file.endsWith(".sol"));
  return files.map((file) => relative(ROOT, join(SOURCES, file)).replaceAll("\\", "/")).sort();
}

/**
 * Every contract, interface and library of contracts/src as forge built it.
 *
 * @returns {{ name: string, source: string, isProduct: boolean, node: object, artifact: object }[]} `node` is its
 * definition in the syntax tree, `artifact` is forge's file
 */
export function definitions() {
  const found = files().map(({ name, source, artifact }) => {
    const node = artifact.ast.nodes.find((node) => node.nodeType === "ContractDefinition" && node.name === name);
    return { name, source, isProduct: source.startsWith(PRODUCT), node, artifact };
  });
  return found.filter(({ node }) => node !== undefined);
}

/** Those of them that can be deployed. */
export function deployable() {
  return definitions().filter(({ node }) => node.contractKind === "contract" && !node.abstract);
}

/**
 * The enumerations of the product, with their members in order: the place of a member is the number that callers see.
 *
 * @returns {[string, string[]][]}
 */
export function enumerations() {
  const trees = new Map(files().map(({ source, artifact }) => [source, artifact.ast]));
  const found = new Map();
  const visit = (nodes) => {
    for (const node of nodes) {
      if (node.nodeType === "EnumDefinition") found.set(node.canonicalName, node.members.map(({ name }) => name));
      if (node.nodeType === "ContractDefinition") visit(node.nodes);
    }
  };
  for (const [source, tree] of trees) if (source.startsWith(PRODUCT)) visit(tree.nodes);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Forge's files of contracts/src: one a definition, and one for a source that has none. */
function files() {
  return sources().flatMap((source) => {
    const folder = join(OUT, basename(source));
    // A file of the same name elsewhere shares the folder; a definition built by two profiles has two files.
    const names = new Map(readdirSync(folder).map((file) => [file.split(".")[0], file]));
    const found = [...names].map(([name, file]) => {
      const path = join(folder, file);
      return { name, source, at: statSync(path).mtimeMs, artifact: JSON.parse(readFileSync(path, "utf8")) };
    });
    return current(found.filter(({ artifact }) => artifact.ast?.absolutePath === source));
  });
}

/** Without the files of definitions that the source no more has: forge leaves them where they are. */
function current(found) {
  const newest = found.reduce((one, other) => (other.at > one.at ? other : one));
  const defined = newest.artifact.ast.nodes.filter(({ nodeType }) => nodeType === "ContractDefinition");
  return defined.length === 0 ? [newest] : found.filter(({ name }) => defined.some((node) => node.name === name));
}
