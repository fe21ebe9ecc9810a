// A JSON-RPC server in front of a chain's own, which does to single methods what real ones do: stays silent, answers
// late, answers wrongly, or is not there at all.
import { createServer } from "node:http";

/** What a rule returns to break the connection off instead of answering. */
const SILENCE = Symbol("no answer");

/** The proxy. `url` goes into the settings in the place of the chain's. */
export class RpcProxy {
  #target;
  #server;
  #rules = new Map();
  /** What every request is answered with, `{ status, headers, body }`; `"nothing"` breaks every connection off. */
  instead = undefined;
  /** Every call so far: `{ method, params }`. */
  asked = [];

  /** Opens one in front of the RPC server at `target`. */
  static async open(target) {
    const proxy = new RpcProxy();
    proxy.#target = target;
    proxy.#server = createServer((request, response) => {
      proxy.#serve(request, response).catch(() => response.destroy());
    });
    await new Promise((opened) => proxy.#server.listen(0, "127.0.0.1", opened));
    proxy.url = `http://127.0.0.1:${proxy.#server.address().port}`;
    return proxy;
  }

  /** Breaks the connection of a method's calls off; the chain does not hear of them. */
  drop(method, concerns = () => true) {
    this.#rules.set(method, (call) => (concerns(call) ? SILENCE : this.#forward(call)));
  }

  /** Lets the chain hear a method's calls, and breaks the connection off all the same. */
  deafen(method) {
    this.#rules.set(method, async (call) => {
      await this.#forward(call);
      return SILENCE;
    });
  }

  /** Answers a method's calls with what `change` makes of the true result, which is undefined where that is an error. */
  falsify(method, change) {
    this.#rules.set(method, async (call) => {
      const { result } = await this.#forward(call);
      return { jsonrpc: "2.0", id: call.id, result: change(result, call) };
    });
  }

  /** Answers a method's calls with what `make` says; the chain does not hear of them. */
  invent(method, make) {
    this.#rules.set(method, ({ id, params }) => ({ jsonrpc: "2.0", id, result: make(params) }));
  }

  /** Answers a method's calls with an error. */
  refuse(method, error) {
    this.#rules.set(method, ({ id }) => ({ jsonrpc: "2.0", id, error }));
  }

  /**
   * Holds a method's calls back from the chain. `arrived` resolves with the first one; `release` lets all of them go on,
   * and those that come later.
   */
  hold(method, concerns = () => true) {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers();
    const { promise: released, resolve: release } = Promise.withResolvers();
    this.#rules.set(method, async (call) => {
      if (!concerns(call)) return this.#forward(call);
      arrive(call);
      await released;
      return this.#forward(call);
    });
    return { arrived, release };
  }

  /** Passes everything on again. Calls that are held stay held, and are never passed on. */
  heal() {
    this.#rules.clear();
    this.instead = undefined;
  }

  /** How often a method was called. */
  count(method) {
    return this.asked.filter((call) => call.method === method).length;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #serve(request, response) {
    const chunks = await request.toArray();
    const asked = JSON.parse(Buffer.concat(chunks).toString());
    const calls = [asked].flat();
    this.asked.push(...calls.map(({ method, params }) => ({ method, params })));
    if (this.instead === "nothing") return response.destroy();
    if (this.instead) {
      response.writeHead(this.instead.status, this.instead.headers);
      return response.end(this.instead.body);
    }
    const replies = [];
    for (const call of calls) {
      const reply = await (this.#rules.get(call.method)?.(call) ?? this.#forward(call));
      if (reply === SILENCE) return response.destroy();
      replies.push(reply);
    }
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify(Array.isArray(asked) ? replies : replies[0]));
  }

  async #forward(call) {
    const answer = await fetch(this.#target, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(call),
    });
    return answer.json();
  }
}
