// The plainest HTTP/1.1 client there is, so that on a small machine it is the server that is measured.
//
// Requests are bytes made beforehand. One connection carries one request at a time; a load is many
// connections. Answers are read by Content-Length or by chunks, whichever the server chose.
import { connect } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");
const CHUNKS_END = Buffer.from("0\r\n\r\n");

/** The bytes of one request. `body` is text, already JSON where it should be. */
export function request(method, path, headers = {}, body = "") {
  const lines = [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1"];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== "") lines.push("Content-Type: application/json");
  if (method !== "GET") lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

/** One kept-alive connection. */
export class Connection {
  #socket;
  #received = [];
  #waiting;

  constructor(url) {
    this.#socket = connect(Number(url.port), url.hostname);
    this.#socket.setNoDelay(true);
    this.#socket.on("data", (bytes) => this.#read(bytes));
    this.#socket.on("error", (error) => this.#waiting?.reject(error));
    this.#socket.on("close", () => this.#waiting?.reject(new Error("the server closed the connection")));
  }

  /** Sends one request and resolves with `{ status, head, body }` once all of its answer is here. */
  send(bytes) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #read(bytes) {
    const received = this.#received.length === 0 ? bytes : Buffer.concat([...this.#received, bytes]);
    const answer = parse(received);
    if (answer === undefined) {
      this.#received = [received];
      return;
    }
    this.#received = [];
    const { resolve } = this.#waiting;
    this.#waiting = undefined;
    resolve(answer);
  }
}

/** A whole answer, or nothing while it is incomplete. */
function parse(bytes) {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.latin1Slice(0, end);
  const status = Number(head.slice(9, 12));
  const body = bytes.subarray(end + 4);
  if (status === 101) return { status, head, body };
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (length !== null) return body.length >= Number(length[1]) ? { status, head, body } : undefined;
  if (!body.subarray(-CHUNKS_END.length).equals(CHUNKS_END)) return undefined;
  return { status, head, body: unchunked(body) };
}

function unchunked(bytes) {
  const parts = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.latin1Slice(at, end), 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

/**
 * Sends `requests` (or, with `seconds`, the first one again and again) over `width` connections.
 * Returns `{ perSecond, latencies, answers }`; an answer with another status than `expect` ends the load.
 */
export async function load(url, { requests, expect, width = 16, seconds, keepOpen = false }) {
  const connections = [];
  const latencies = [];
  const answers = new Array(seconds === undefined ? requests.length : 0);
  const start = performance.now();
  const until = seconds === undefined ? Infinity : start + seconds * 1000;
  let next = 0;
  async function work() {
    let connection;
    const open = () => connections.push((connection = new Connection(url)));
    open();
    while (performance.now() < until) {
      const index = next++;
      if (seconds === undefined && index >= requests.length) return;
      const sent = performance.now();
      const answer = await connection.send(requests[seconds === undefined ? index : 0]);
      latencies.push(performance.now() - sent);
      if (answer.status !== expect) throw new Error(`expected ${expect}, got ${answer.status}: ${answer.body}`);
      if (seconds === undefined) answers[index] = answer;
      // An upgraded connection is a socket of its own from here on.
      if (answer.status === 101) open();
    }
  }
  await Promise.all(Array.from({ length: width }, work));
  const elapsed = (performance.now() - start) / 1000;
  const close = () => connections.forEach((connection) => connection.close());
  if (!keepOpen) close();
  return { perSecond: latencies.length / elapsed, latencies, answers, close };
}
