// Keeps what was measured, compares it, and writes it down for people and for programs.
import { gzipSync } from "node:zlib";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";

/** What each figure is compared with, and the part of it that should be reached at least. */
const COMPARISONS = [
  { name: "challenge", floor: "empty Worker", target: 0.6 },
  // At most one and a half times what finding the signer's key costs.
  { name: "verification, 50", floor: "k256 recovery, 50", target: 0.667 },
  { name: "settlements, 50 at once", floor: "bare transfers, 50 at once" },
  { name: "paid create", floor: "one-row write", target: 0.25 },
  // Two objects are made for every purchase, and making one costs several writes.
  { name: "paid create", floor: "first write" },
  { name: "claim", floor: "one-row write", target: 0.5 },
  // What a command costs at the least that is on the board when it is answered.
  { name: "claim", floor: "projected write" },
  { name: "tunnel upgrade", floor: "empty upgrade" },
  { name: "deliver", floor: "one-row write", target: 0.5 },
  { name: "deliver", floor: "projected write" },
  { name: "accept", floor: "one-row write", target: 0.5 },
  { name: "accept", floor: "projected write" },
  { name: "discover, 100 gigs", floor: "bare query, 100 gigs", target: 0.8 },
  { name: "discover, 100000 gigs", floor: "bare query, 100000 gigs", target: 0.8 },
  { name: "MCP get_active_gigs, 100 gigs", floor: "bare query, 100 gigs" },
  { name: "mandate evaluate", floor: "empty Worker" },
  { name: "mandate request", floor: "one-row write" },
  { name: "mandate request", floor: "projected write" },
  // A page of a long list costs what one of a short list costs.
  { name: "payments page, long list", floor: "payments page, short list", target: 0.8 },
  { name: "mandates page, long list", floor: "mandates page, short list", target: 0.8 },
  { name: "activity page, long list", floor: "activity page, short list", target: 0.8 },
  // What a word to a run costs does not grow with the run's age: at most a fifth more.
  { name: "append, 10000 events", floor: "append, short run", target: 0.833 },
  // What a quote costs does not grow with what was recorded: at most a fifth more.
  { name: "quote, 100000 events", floor: "quote, 1000 events", target: 0.833 },
  // Objects share the cores that there are: ten meters are five times one only where cores are to spare.
  { name: "events, ten meters", floor: "events, one meter" },
  { name: "relay 100 B", floor: "empty relay 100 B", target: 0.85 },
  { name: "relay 1 KiB", floor: "empty relay 1 KiB", target: 0.85 },
  { name: "relay 64 KiB", floor: "empty relay 64 KiB", target: 0.85 },
  { name: "round trip", floor: "empty round trip" },
];

/** Floors that are shown on their own; a first write also makes its object, a projected one also writes to D1. */
const FLOORS = ["empty Worker", "first write", "one-row write", "projected write", "empty upgrade"];

/** Discovery must not grow slower with the number of gigs: at most this many times. */
const GROWTH_MAX = 1.3;
/** As the checks have it. */
const MODULE_BYTES_MAX = 2_950_000;

export class Figures {
  #samples = new Map();
  #bounded = [];

  /** Adds one round of one figure: how many a second, and how long each took in milliseconds. */
  add(name, { perSecond, latencies }) {
    const sample = this.#samples.get(name) ?? { rounds: [], latencies: [] };
    sample.rounds.push(perSecond);
    for (const latency of latencies) sample.latencies.push(latency);
    this.#samples.set(name, sample);
  }

  /** Adds a figure that must not lie above a bound. */
  atMost(name, value, bound) {
    this.#bounded.push({ name, value: round(value), target_at_most: bound, met: value <= bound });
  }

  /** Adds a figure that must not lie below a bound. */
  atLeast(name, value, bound) {
    this.#bounded.push({ name, value: round(value), target_at_least: bound, met: value >= bound });
  }

  /** The middle round, so that one round beside a busy neighbour does not decide. */
  #summary(name) {
    const sample = this.#samples.get(name);
    if (sample === undefined) return undefined;
    const latencies = Float64Array.from(sample.latencies).sort();
    const at = (part) => round(latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))]);
    const rounds = sample.rounds.map(round);
    return { per_second: round(median(sample.rounds)), p50_ms: at(0.5), p99_ms: at(0.99), rounds };
  }

  /** Writes `path` and prints the table. Returns whether every target was reached. */
  report(path, { modulePath, versions }) {
    const figures = COMPARISONS.map(({ name, floor, target }) => {
      const [own, least] = [this.#summary(name), this.#summary(floor)];
      const ratio = own && least ? round(median(paired(own.rounds, least.rounds))) : undefined;
      return { name, ...own, floor: { name: floor, ...least }, ratio, target, met: met(ratio, target) };
    });
    const [few, many] = ["discover, 100 gigs", "discover, 100000 gigs"].map((name) => this.#summary(name));
    const growth = round(few.per_second / many.per_second);
    const gzipBytes = gzipSync(readFileSync(modulePath), { level: 9 }).length;
    const document = {
      taken_at: new Date().toISOString(),
      machine: { processors: cpus().length, model: cpus()[0]?.model, ...versions },
      figures,
      floors: Object.fromEntries(FLOORS.map((name) => [name, this.#summary(name)])),
      // How many times as fast discovery is with 100 gigs as with 100000.
      growth: { ratio: growth, target_at_most: GROWTH_MAX, met: growth <= GROWTH_MAX },
      bounded: this.#bounded,
      module: { gzip_bytes: gzipBytes, target_below: MODULE_BYTES_MAX, met: gzipBytes < MODULE_BYTES_MAX },
    };
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
    print(document);
    return [...figures, ...this.#bounded, document.growth, document.module].every(({ met }) => met !== false);
  }
}

function print({ figures, floors, growth, bounded, module }) {
  const cell = (text, index) => (index === 0 ? text.padEnd(32) : text.padStart(11));
  const columns = (texts) => console.log(texts.map(cell).join(""));
  columns(["", "per second", "p50 ms", "p99 ms", "floor", "ratio", "target", "", "  floor's name"]);
  for (const { name, per_second, p50_ms, p99_ms, floor, ratio, target, met } of figures) {
    const words = [per_second, p50_ms, p99_ms, floor.per_second, ratio, target].map((number) => String(number ?? "-"));
    columns([name, ...words, verdict(met), `  ${floor.name}`]);
  }
  for (const [name, floor] of Object.entries(floors)) {
    columns([`floor: ${name}`, ...[floor?.per_second, floor?.p50_ms, floor?.p99_ms].map((number) => String(number ?? "-"))]);
  }
  console.log(`discover with 100 gigs is ${growth.ratio} times as fast as with 100000, at most ${growth.target_at_most}: ${verdict(growth.met)}`);
  for (const { name, value, target_at_most, target_at_least, met } of bounded) {
    const bound = target_at_least === undefined ? `at most ${target_at_most}` : `at least ${target_at_least}`;
    console.log(`${name}: ${value}, ${bound}: ${verdict(met)}`);
  }
  console.log(`module ${Math.ceil(module.gzip_bytes / 1024)} KB compressed, below ${module.target_below / 1024}: ${verdict(module.met)}`);
}

function met(ratio, target) {
  return target === undefined || ratio === undefined ? undefined : ratio >= target;
}

function verdict(met) {
  return met === undefined ? "" : met ? "met" : "MISSED";
}

/** The ratio of each round to the floor's measurements of that same round: the machine's mood cancels out. */
function paired(own, floor) {
  const each = floor.length / own.length;
  return own.map((figure, round) => {
    const beside = floor.slice(round * each, (round + 1) * each);
    return (figure * beside.length) / beside.reduce((sum, one) => sum + one, 0);
  });
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function round(number) {
  return number === undefined ? undefined : Number(number.toPrecision(4));
}
