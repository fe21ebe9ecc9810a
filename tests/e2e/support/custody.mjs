// The other side of MANDATE_CHAIN in a test's hands: it knows one recorded life of a mandate (tests/vectors/mandate_recording.json),
// tells it block by block, and answers what it is asked to send as a test says. No chain runs here.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { decodeFunctionData, decodeFunctionResult, parseSignature } from "viem";
import { CHAIN_ID, developmentAccount } from "../../chain.mjs";
import { start } from "../../harness.mjs";
import { answered } from "./board.mjs";
import { SITE } from "./signin.mjs";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
export const recording = read("../../vectors/mandate_recording.json");
export const { abi } = read("../../../contracts/artifacts/Mandates.json");
export { CHAIN_ID, parseSignature };

export const [owner, agent, provider] = [2, 3, 4].map(developmentAccount);
export const MANDATE = recording.mandate;
export const PATH = `/v1/mandates/${MANDATE}`;

/** The position of the step that a recording calls so; of several, the last but `back`. */
export const at = (did, back = 0) => recording.steps.map((step) => step.did).lastIndexOf(did) - back;

const number = (hex) => Number(BigInt(hex));
export const block = ({ block: { number: height, hash, timestamp } }) => ({
  number: number(height),
  hash,
  at: number(timestamp),
});

function logs(step) {
  return step.logs.map(({ topics, data, transactionHash: transaction, logIndex }) => ({
    block: block(step),
    index: number(logIndex),
    transaction,
    topics,
    data,
  }));
}

/** The recorded transaction that authorizes a request, by the recording's label: `{ hash, input, request, agentSignature }`. */
export function authorization(label) {
  for (const call of recording.steps.flatMap(({ calls }) => calls)) {
    const { functionName, args } = decodeFunctionData({ abi, data: call.input });
    if (functionName !== "authorize" || call.status !== "0x1") continue;
    const [request, agentSignature, approval] = args;
    const { calls } = recording.steps.find((step) => step.did === `authorize ${label}`);
    if (calls.some(({ hash }) => hash === call.hash)) return { ...call, request, agentSignature, approval };
  }
  throw new Error(`no transaction authorizes ${label}`);
}

/** A request as JSON has it. */
export function shown(request) {
  return JSON.parse(JSON.stringify(request, (_, value) => (typeof value === "bigint" ? `${value}` : value)));
}

/** What a view of the contract answered at a step. */
export function view(step, functionName) {
  const data = { mandate: step.mandate, ceiling: step.ceiling }[functionName];
  return decodeFunctionResult({ abi, functionName, data });
}

/** A stack whose edge is bound to a chain's side that plays the recording. */
export class RecordedChain {
  /** What was asked: `{ what, … }`. */
  asked = [];
  /** What is answered to `send` and `look`: a function of the question. */
  sends = ({ payment }) => ({ transaction: this.transaction(payment), answer: "pending" });
  looks = () => ({ answer: "pending" });
  /** The positions of the steps that were told and stand, oldest first. */
  #told = [];
  #final = 0;

  static async start(options = {}) {
    const chain = new RecordedChain();
    const { edgeVars, ...more } = options;
    const vars = { SITE_ORIGIN: SITE, TEST_HOOKS: "enabled", MANDATES_CONTRACT: recording.contract, ...edgeVars };
    chain.stack = await start({ edgeVars: vars, mandateChain: (request) => chain.#serve(request), ...more });
    return chain;
  }

  stop() {
    return this.stack.stop();
  }

  async #serve(request) {
    const what = new URL(request.url).pathname.slice(1);
    const question = await request.json();
    this.asked.push({ what, ...question });
    const answers = { read: (asked) => this.reads(asked), send: (asked) => this.sends(asked), look: (asked) => this.looks(asked) };
    const answer = await answers[what](question);
    return answer === undefined ? new Response("away", { status: 503 }) : Response.json(answer);
  }

  reads = ({ mandate }) => ({ creation: mandate === MANDATE ? { log: logs(recording.steps[0])[0] } : null });

  /** The transaction of a payment's name: one for each, however often it is asked for. */
  transaction(payment) {
    return `0x${payment.slice(2).split("").reverse().join("")}`;
  }

  /** What was asked to be done, in order, without the questions about creations. */
  questions() {
    return this.asked.filter(({ what }) => what !== "read");
  }

  async #say(subject, body) {
    const answer = await this.stack.fetch(`/__test/mirror/${MANDATE}?${subject}`, { method: "POST", body: JSON.stringify(body) });
    return answered(answer, 200);
  }

  async says(subject, body) {
    const heard = await this.#say(subject, body);
    assert.ok("Ok" in heard, `${subject}: ${JSON.stringify(heard)}`);
  }

  /** The mandate's creation was read by the mirror: what follows is told from there. */
  adopted() {
    this.#told = [0];
  }

  /** Tells the steps up to `last`, each as one block; a block in another's place begins with a rewind. */
  async tell(last) {
    const first = this.seen ?? 0;
    for (let position = first + 1; position <= last; position += 1) await this.#step(position);
    this.seen = Math.max(last, first);
  }

  async #step(position) {
    const { steps, beside } = recording;
    const step = steps[position];
    const to = block(step);
    const tip = this.#told.at(-1);
    this.#told = this.#told.filter((told) => block(steps[told]).number < to.number);
    const after = block(steps[this.#told.at(-1)]);
    this.#final = Math.max(this.#final, number(step.final));
    const known = this.#told.filter((told) => block(steps[told]).number <= this.#final).at(-1);
    const sealed = known === undefined ? { number: 0, hash: `0x${"00".repeat(32)}`, at: 0 } : block(steps[known]);
    const span = { after, to, sealed, logs: logs(step), beside: [beside] };
    this.#told.push(position);
    await this.says(after.hash === block(steps[tip]).hash ? "observe" : "rewind", span);
  }
}
