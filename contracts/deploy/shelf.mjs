// Where a deployment keeps what must outlive it: the transaction that it sends, and its manifest.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files in a folder. Each is written whole or not at all. */
export function folder(path) {
  const file = (name) => join(path, name);
  return {
    place: file,
    read: (name) => (existsSync(file(name)) ? JSON.parse(readFileSync(file(name), "utf8")) : undefined),
    write(name, value) {
      mkdirSync(path, { recursive: true });
      writeFileSync(`${file(name)}.new`, `${JSON.stringify(value, null, 2)}\n`);
      renameSync(`${file(name)}.new`, file(name));
    },
    remove: (name) => rmSync(file(name), { force: true }),
  };
}

/** For a chain that ends with this program. */
export function memory() {
  const kept = new Map();
  return {
    place: (name) => name,
    read: (name) => kept.get(name),
    write: (name, value) => kept.set(name, value),
    remove: (name) => kept.delete(name),
  };
}
