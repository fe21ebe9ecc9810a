// What lies in an object's storage, changed behind its back: lost alarms, and time that has passed.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Moves every moment named `fields` in an object's state to `ago` milliseconds before now, as if time had gone by
 * unnoticed. Its alarm stays where it was.
 */
export async function age(stack, className, name, fields, ago = 1000) {
  const [{ snapshot }] = await stack.objectSql(className, name, "SELECT snapshot FROM state");
  const aged = JSON.stringify(JSON.parse(snapshot), (key, value) =>
    fields.includes(key) && typeof value === "number" ? Date.now() - ago : value,
  );
  await stack.objectSql(className, name, "UPDATE state SET snapshot = ?", aged);
  // What the object keeps in memory is older than this.
  await stack.evict(className, name);
}

/** Removes every alarm from the storage of a stopped stack, and says how many there were. */
export function loseAlarms(persist) {
  return onAlarms(persist, "DELETE FROM _cf_ALARM", "DELETE FROM _cf_METADATA WHERE key = 1");
}

/** Makes every alarm in the storage of a stopped stack due at its next start, and says how many there were. */
export function makeAlarmsDue(persist) {
  return onAlarms(
    persist,
    "UPDATE _cf_ALARM SET scheduled_time = 1",
    "UPDATE _cf_METADATA SET value = 1 WHERE key = 1 AND value IS NOT NULL",
  );
}

/** The runtime keeps an alarm twice: with its object, under key 1, and with all others of the object's class. */
function onAlarms(persist, ofClass, ofObject) {
  let changed = 0;
  for (const file of databases(persist)) {
    const database = new DatabaseSync(file);
    try {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all().map(({ name }) => name);
      if (tables.includes("_cf_ALARM")) database.exec(ofClass);
      if (tables.includes("_cf_METADATA")) changed += Number(database.prepare(ofObject).run().changes);
    } finally {
      database.close();
    }
  }
  return changed;
}

function databases(persist) {
  return readdirSync(join(persist, "do"), { recursive: true })
    .filter((name) => name.endsWith(".sqlite"))
    .map((name) => join(persist, "do", name));
}
