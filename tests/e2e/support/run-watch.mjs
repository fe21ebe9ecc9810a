// Those who watch a run: EventSource as browsers have it, the bare bytes of a stream, and a WebSocket.
import assert from "node:assert/strict";
import { EventSource } from "eventsource";
import WebSocket from "ws";
import { answered } from "./board.mjs";
import { call } from "./run.mjs";
import { until, within } from "./waiting.mjs";

/** A one-time ticket for a run's stream. */
export async function ticketOf(stack, one) {
  return (await answered(await call(stack, one.token, "POST", `/v1/runs/${one.run}/ticket`), 201)).ticket;
}

/** Where a run's events are, for who has a ticket. */
export async function streamUrl(stack, one, query = "") {
  return new URL(`/v1/runs/${one.run}/events?ticket=${await ticketOf(stack, one)}${query}`, stack.url);
}

/**
 * An EventSource on a run. Its own `fetch` shows what it sends at each connection, and gets a fresh ticket for each after
 * the first: a used one opens nothing. With `bearer` it sends the run's token instead.
 */
export class Watcher {
  /** Every frame that was dispatched: `{ type, id, ...data }`. */
  frames = [];
  /** The `Last-Event-ID` of every connection, null where there was none. */
  connections = [];
  errors = [];

  /** Opens one, which is closed at the end of the test at the latest. */
  static async open(context, stack, one, { query = "", bearer = false } = {}) {
    const watcher = new Watcher();
    context.after(() => watcher.source.close());
    const url = new URL(`/v1/runs/${one.run}/events${query}`, stack.url);
    watcher.source = new EventSource(url, {
      fetch: async (_, init) => {
        watcher.connections.push(new Headers(init.headers).get("last-event-id"));
        const target = new URL(`${url.pathname}${url.search}`, stack.url);
        if (!bearer) target.searchParams.set("ticket", await ticketOf(stack, one));
        const headers = { ...Object.fromEntries(new Headers(init.headers)), ...(bearer && { authorization: `Bearer ${one.token}` }) };
        return fetch(target, { ...init, headers });
      },
    });
    for (const type of ["run-event", "reset", "message"]) {
      watcher.source.addEventListener(type, ({ data, lastEventId }) => watcher.frames.push({ ...JSON.parse(data), type, id: lastEventId }));
    }
    watcher.source.addEventListener("error", ({ code, message }) => watcher.errors.push({ code, message }));
    await until("the stream to open", () => watcher.source.readyState === EventSource.OPEN || watcher.errors.length > 0);
    return watcher;
  }

  /** The numbers of the events that came, in the order in which they came. */
  get seqs() {
    return this.frames.filter(({ type }) => type === "run-event").map(({ event }) => event.seq);
  }

  /** Waits until an event has come. */
  has(seq, limit) {
    return until(`event ${seq}, after ${this.seqs.at(-1)}`, () => this.seqs.includes(seq), limit);
  }
}

/** Every event up to `head`, each once and in order. */
export function assertWhole(seqs, head, from = 1) {
  assert.deepEqual(seqs, Array.from({ length: head - from + 1 }, (_, index) => from + index));
}

/** The bytes of a stream, by blocks: what lies between two blank lines. */
export class Bytes {
  blocks = [];
  #rest = "";

  static async open(stack, target, headers = {}) {
    const bytes = new Bytes();
    bytes.abort = new AbortController();
    bytes.answer = await stack.fetch(target, { headers: { accept: "text/event-stream", ...headers }, signal: bytes.abort.signal });
    assert.equal(bytes.answer.status, 200, bytes.answer.ok ? "" : await bytes.answer.text());
    /** Resolves with what is left over when the stream has ended by itself; nothing is left over at a clean end. */
    bytes.ended = bytes.#read();
    return bytes;
  }

  async #read() {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    try {
      for await (const chunk of this.answer.body) {
        const parts = (this.#rest + decoder.decode(chunk, { stream: true })).split("\n\n");
        this.#rest = parts.pop();
        this.blocks.push(...parts);
      }
    } catch (error) {
      return this.abort.signal.aborted ? "closed" : String(error);
    }
    return this.#rest;
  }

  /** Waits for a block. */
  block(what, fits, limit) {
    return until(what, () => this.blocks.find(fits), limit);
  }

  close() {
    this.abort.abort();
  }
}

/** The fields of a block: `{ id, event, data, retry, comment }`. */
export function fieldsOf(block) {
  return Object.fromEntries(block.split("\n").map((line) => {
    const at = line.indexOf(":");
    return at === 0 ? ["comment", line.slice(1).trim()] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, "")];
  }));
}

/** A WebSocket that keeps what came, as JSON. */
export class Socket {
  messages = [];

  static open(stack, path, { headers, protocols } = {}) {
    const socket = new Socket();
    socket.wire = new WebSocket(`${stack.url.replace("http", "ws")}${path}`, protocols, { headers });
    socket.closed = new Promise((resolve) => socket.wire.on("close", (code, reason) => resolve({ code, reason: String(reason) })));
    socket.wire.on("message", (bytes) => socket.messages.push(JSON.parse(String(bytes))));
    return within("the socket's opening", new Promise((resolve, reject) => {
      socket.wire.once("open", () => resolve(socket));
      socket.wire.once("unexpected-response", (_, answer) => {
        let body = "";
        answer.on("data", (part) => (body += part));
        answer.on("end", () => reject(Object.assign(new Error(`refused: ${body}`), { status: answer.statusCode, body })));
      });
      socket.wire.on("error", reject);
    }));
  }

  get seqs() {
    return this.messages.filter(({ type }) => type === "event").map(({ event }) => event.seq);
  }

  message(what, fits, limit) {
    return until(what, () => this.messages.find(fits), limit);
  }

  send(message) {
    this.wire.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  close() {
    this.wire.terminate();
  }
}
