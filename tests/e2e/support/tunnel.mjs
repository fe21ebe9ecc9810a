// One party's end of a tunnel: what came is kept in order until the test asks for it.
import WebSocket from "ws";
import { credentials } from "./board.mjs";
import { until, within } from "./waiting.mjs";

/** Where a gig's tunnel is. */
export function tunnelUrl(stack, gigId) {
  return `${stack.url.replace("http", "ws")}/v1/gigs/${gigId}/tunnel`;
}

/** Opens a party's socket. Fails with the refused answer's status in `status` and its text in `body`. */
export function join(stack, party, headers = credentials(party)) {
  const socket = new WebSocket(tunnelUrl(stack, party.gig), { headers });
  const end = new End(socket);
  return within(
    "the tunnel's opening",
    new Promise((resolve, reject) => {
      socket.once("open", () => resolve(end));
      socket.once("unexpected-response", (_, answer) => {
        let body = "";
        answer.on("data", (part) => (body += part));
        answer.on("end", () => reject(Object.assign(new Error(`refused: ${body}`), { status: answer.statusCode, body })));
      });
      socket.on("error", reject);
    }),
  );
}

class End {
  #came = [];
  #waiting = [];

  constructor(socket) {
    /** The socket itself, for what is not said here. */
    this.socket = socket;
    /** `{ code, reason }` once the socket has closed. */
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
    });
    socket.on("message", (bytes, isBinary) => {
      const message = isBinary ? bytes : String(bytes);
      const waiting = this.#waiting.shift();
      if (waiting) waiting(message);
      else this.#came.push(message);
    });
  }

  /** Sends text, or binary for a Buffer. */
  send(message) {
    this.socket.send(message);
  }

  /** The next message: text as a string, binary as a Buffer. */
  next() {
    if (this.#came.length > 0) return Promise.resolve(this.#came.shift());
    return within("a message through the tunnel", new Promise((resolve) => this.#waiting.push(resolve)));
  }

  /** How many messages have come and were not asked for. */
  get unread() {
    return this.#came.length;
  }

  /** How the other side closed the socket: `{ code, reason }` of its close frame. */
  async close() {
    await until("the tunnel's end", () => this.socket.readyState !== WebSocket.OPEN);
    // The local runtime leaves a connection open for seconds after the frames when its client never sent a message.
    this.socket.terminate();
    return within("the socket's end", this.closed);
  }
}
