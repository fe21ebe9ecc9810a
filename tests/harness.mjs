// Starts the built Workers inside workerd for a test: real D1, real objects, a socket straight to each
// Worker without the dev proxy in between, and handles for the faults that tests cause.
//
// Bindings, object classes and compatibility date come from the wrangler.toml files themselves, so
// that a test runs what would be deployed. Storage lives in a RAM disk where there is one: objects
// wait for the disk at every write.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// They are CommonJS, and large: `import` would parse them twice to find that out, once in each of a hundred test files.
const require = createRequire(import.meta.url);
const { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response } = require("miniflare");
const { unstable_getMiniflareWorkerOptions: readWorker, unstable_splitSqlQuery: splitSql } = require("wrangler");

/** For tests that start something else than the product. */
export { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response, readWorker, splitSql };

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const RAM_DISK = "/dev/shm";

/** The two Workers of the product: the first one is where `url` leads. */
export const GUILDHALL = {
  migrations: join(ROOT, "migrations"),
  workersFolder: join(ROOT, "workers"),
  workers: [
    { name: "guildhall-edge", config: join(ROOT, "wrangler.toml"), vars: "edgeVars" },
    { name: "guildhall-facilitator", config: join(ROOT, "workers/facilitator/wrangler.toml"), vars: "facilitatorVars" },
  ],
};

/** The facilitator alone, as one that serves other sellers: `url` leads to it. */
export const FACILITATOR = { workersFolder: GUILDHALL.workersFolder, workers: [GUILDHALL.workers[1]] };

/**
 * Starts the stack and returns its handles.
 *
 * @param {object} [options]
 * @param {Record<string, string>} [options.edgeVars] vars over those of wrangler.toml
 * @param {Record<string, string>} [options.facilitatorVars] the same for the facilitator
 * @param {(request: Request) => Response | Promise<Response>} [options.facilitator] answers the edge in the facilitator's place
 * @param {(request: Request) => Response | Promise<Response>} [options.mandateChain] bound as the Worker that reads and writes
 *   the chain of mandates; none is by default
 * @param {string} [options.persist] a folder from an earlier `stop({ keep: true })`, to start again on it
 * @param {object} [options.product] which Workers to start; Guildhall's own by default
 * @param {boolean} [options.measured] nothing that a deployment would not have: no inspection, no kept logs
 */
export async function start(options = {}) {
  const product = options.product ?? GUILDHALL;
  const persist = options.persist ?? mkdtempSync(join(existsSync(RAM_DISK) ? RAM_DISK : tmpdir(), "guildhall-"));
  const lines = [];
  const restarts = [];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: product.workers.map((worker) => workerOptions(product, worker, options)),
      resourcePersistencePath: persist,
      handleStructuredLogs: options.measured ? () => {} : (line) => lines.push(line),
      unsafeHandleRuntimeRestart: () => restarts.splice(0).forEach((resume) => resume()),
      unsafeInspectDurableObjects: !options.measured,
      unsafeTriggerHandlers: true,
      logRequests: false,
      log: new Log(LogLevel.NONE),
      telemetry: { enabled: false },
      cf: false,
    }),
  );
  try {
    await miniflare.ready;
    const edge = product.workers[0].name;
    if (product.migrations) await migrate(await miniflare.getD1Database("DB", edge), product.migrations);
    const stack = new Stack({ miniflare, edge, product, persist, lines, restarts });
    await stack.locate();
    return stack;
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

function workerOptions(product, worker, options) {
  const { workerOptions: fromConfig, main } = readWorker(worker.config, undefined, {
    // A developer's own .dev.vars must not change what a test sees.
    envFiles: [],
  });
  const build = join(dirname(main), "build");
  if (!existsSync(join(build, "index.js"))) {
    throw new Error(`${worker.name} is not built yet. Run: cargo xtask build`);
  }
  const guard = join(product.workersFolder, "panic_guard.js");
  return {
    ...fromConfig,
    name: worker.name,
    bindings: { ...fromConfig.bindings, ...options[worker.vars] },
    serviceBindings: {
      ...fromConfig.serviceBindings,
      ...(options.facilitator && { FACILITATOR: options.facilitator }),
      ...(options.mandateChain && { MANDATE_CHAIN: options.mandateChain }),
    },
    modulesRoot: product.workersFolder,
    modules: [
      { type: "ESModule", path: main },
      ...(existsSync(guard) ? [{ type: "ESModule", path: guard }] : []),
      { type: "ESModule", path: join(build, "index.js") },
      { type: "CompiledWasm", path: join(build, "index_bg.wasm") },
    ],
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
}

/** Applies every migration in order of name. Applied ones are remembered. */
async function migrate(database, folder) {
  await database.exec("CREATE TABLE IF NOT EXISTS applied_migrations (name TEXT PRIMARY KEY)");
  const { results } = await database.prepare("SELECT name FROM applied_migrations").all();
  const applied = new Set(results.map(({ name }) => name));
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".sql")).sort()) {
    if (applied.has(name)) continue;
    // `exec` takes one statement a line and all of them in one call; a call for each of them would cost more than the start.
    const statements = splitSql(readFileSync(join(folder, name), "utf8")).map(onOneLine);
    await database.exec([...statements, `INSERT INTO applied_migrations (name) VALUES ('${name}')`].join("\n"));
  }
}

/** A statement without its comments. */
const onOneLine = (statement) => statement.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim();

/** The handles of one running stack. */
class Stack {
  #miniflare;
  #edge;
  #facilitator;
  #lines;
  #restarts;

  constructor({ miniflare, edge, product, persist, lines, restarts }) {
    this.#miniflare = miniflare;
    this.#edge = edge;
    this.#facilitator = product.workers[1]?.name;
    this.#lines = lines;
    this.#restarts = restarts;
    /** Where the storage is; pass it to `start` to come back to it. */
    this.persist = persist;
  }

  /** Learns where the sockets are: they move when the runtime starts again. */
  async locate() {
    /** `http://127.0.0.1:<port>` of the edge Worker. */
    this.url = (await this.#miniflare.unsafeGetDirectURL(this.#edge)).origin;
    /** The same of the facilitator, for peers that know it by its URL only; undefined where there is none. */
    this.facilitatorUrl = this.#facilitator && (await this.#miniflare.unsafeGetDirectURL(this.#facilitator)).origin;
  }

  /** `fetch` over the socket, with a path relative to `url`. Redirects are shown, not followed. */
  fetch(path, init) {
    return fetch(new URL(path, this.url), { redirect: "manual", ...init });
  }

  /** Changes how the facilitator's simulator behaves: `settle`, `refuse`, `hang`, `garbage`, … */
  async setSimulator(mode) {
    const facilitator = await this.#miniflare.getWorker(this.#facilitator);
    const answer = await facilitator.fetch("http://facilitator/simulator", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ mode }),
    });
    if (!answer.ok) throw new Error(`the simulator refused mode ${mode}: ${await answer.text()}`);
    return answer.json();
  }

  /** `{ mode, settlements }` of the simulator. */
  async simulator() {
    const facilitator = await this.#miniflare.getWorker(this.#facilitator);
    return (await facilitator.fetch("http://facilitator/simulator")).json();
  }

  /** Runs one statement on the edge's D1 and returns its rows. */
  async d1(statement, ...values) {
    const database = await this.#miniflare.getD1Database("DB", this.#edge);
    const { results } = await database.prepare(statement).bind(...values).all();
    return results;
  }

  /** Runs SQL inside one object's own storage and returns all rows. `className` as in wrangler.toml. */
  async objectSql(className, name, statement, ...values) {
    const storage = await this.#miniflare.unsafeGetDurableObjectStorage(this.#edge, className, { name });
    return storage.exec(statement, ...values);
  }

  /** Ids of the objects of one class that have stored something. */
  objectIds(className) {
    return this.#miniflare.listDurableObjectIds(className, this.#edge);
  }

  /** Drops an object from memory, as an idle runtime does; sockets stay open by default. */
  evict(className, name, webSockets = "hibernate") {
    return this.#miniflare.unsafeEvictDurableObject(this.#edge, className, { name, webSockets });
  }

  /** Drops one gig's object from memory. */
  evictGig(gigId, webSockets) {
    return this.evict("GigObject", gigId, webSockets);
  }

  /** Fires the cron trigger once and waits for its handler. */
  async scheduled(cron = "* * * * *") {
    const worker = await this.#miniflare.getWorker(this.#edge);
    return worker.scheduled({ cron });
  }

  /** Every line the Workers logged since the start or the last `clearLogs`: `{ timestamp, level, message }`. */
  logs() {
    return [...this.#lines];
  }

  /** The structured ones among `logs()`, parsed. */
  events() {
    return this.#lines.flatMap(({ message }) => {
      try {
        const event = JSON.parse(message);
        return event !== null && typeof event === "object" ? [event] : [];
      } catch {
        return [];
      }
    });
  }

  clearLogs() {
    this.#lines.length = 0;
  }

  /** Kills the runtime without warning (SIGKILL) and resolves when a new one serves the same storage. */
  async crash() {
    const back = new Promise((resume) => this.#restarts.push(resume));
    for (const pid of runtimeProcesses()) process.kill(pid, "SIGKILL");
    await back;
    await this.locate();
  }

  /** Stops the stack and removes its storage, unless `keep`. */
  async stop({ keep = false } = {}) {
    await this.#miniflare.dispose();
    if (!keep) rmSync(this.persist, { recursive: true, force: true });
  }
}

/** The workerd processes that this very process started. Linux only, as the crash tests are. */
function runtimeProcesses() {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").trim().split(" ");
  return children
    .filter((pid) => pid !== "" && readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("workerd"))
    .map(Number);
}
