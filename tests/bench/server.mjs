// One stack in a process of its own, so that the load's Node.js does nothing but send load.
// Started by bench.mjs; speaks with it over the channel of `fork`.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { GUILDHALL, start } from "../harness.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));

/** The floors: the same D1 schema, one object class, nothing else. */
const FLOOR = {
  migrations: GUILDHALL.migrations,
  workersFolder: `${HERE}/floor`,
  workers: [{ name: "floor", config: `${HERE}/floor/wrangler.toml` }],
};

/** Budgets that the measurements never reach; the messages through a tunnel are what is measured. */
const UNBOUNDED = { TUNNEL_MESSAGES_PER_SECOND: "1000000", TUNNEL_BYTES_PER_SECOND: "1000000000" };

const stack =
  process.argv[2] === "floor"
    ? await start({ product: FLOOR, measured: true })
    : await start({ edgeVars: UNBOUNDED, measured: true });

process.on("message", async ({ statement, stop }) => {
  try {
    if (statement !== undefined) process.send({ rows: await stack.d1(statement) });
    if (stop) {
      await stack.stop();
      process.disconnect();
    }
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.send({ url: stack.url });
