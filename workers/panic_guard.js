// A panic in Rust ends the whole WebAssembly instance: every future that was waiting in it is gone
// and none of their callers would ever hear of it. The bundle notes such a moment by setting
// `__worker_init_state.criticalError`, and starts a fresh instance at the next call. This module
// listens at that same switch and fails every call in flight at once, so that no panic is silence.

import { DurableObject } from "cloudflare:workers";

/** The calls in flight, each by the function that fails it. */
const inFlight = new Set();

/** What a caller receives in place of an answer that can no longer come. */
class Restarting extends Error {
  // The runtime marks such errors across objects: a caller elsewhere sees that it may try again.
  retryable = true;

  constructor() {
    super("The service restarted while it worked on this call. Its outcome is unknown here; ask again.");
    this.name = "Restarting";
  }
}

/** Listens at the bundle's switch. The bundle only ever assigns and reads the property. */
function listen(state) {
  let critical = state.criticalError;
  Object.defineProperty(state, "criticalError", {
    get: () => critical,
    set(value) {
      critical = value;
      // The bundle sets it twice for one panic: when it begins, and when its trap arrives.
      if (!value || inFlight.size === 0) return;
      console.error(JSON.stringify({ event: "restarting", calls_failed: inFlight.size }));
      for (const fail of inFlight) fail(new Restarting());
      inFlight.clear();
    },
  });
}

listen(globalThis.__worker_init_state);

/**
 * Runs one call into the bundle; fails when the bundle fails, whichever comes first. Written without `async` and
 * `Promise.race`, which would cost a relayed message as much again as its relaying.
 */
function watch(call) {
  return new Promise((resolve, fail) => {
    inFlight.add(fail);
    const end = (error) => {
      inFlight.delete(fail);
      // The call that panicked may see its own trap before it sees the switch.
      fail(error instanceof WebAssembly.RuntimeError ? new Restarting() : error);
    };
    try {
      call().then((value) => {
        inFlight.delete(fail);
        resolve(value);
      }, end);
    } catch (error) {
      end(error);
    }
  });
}

/** Whether asking twice is asking once. An upgrade is a GET that uses a grant up. */
function isPureRead(request) {
  return (request.method === "GET" || request.method === "HEAD") && !request.headers.has("upgrade");
}

/** The problem document for a caller of the front, in the form of every other one (RFC 9457). */
function restarting(request) {
  const given = request.headers.get("x-correlation-id") ?? request.headers.get("x-request-id") ?? "";
  const requestId = /^[A-Za-z0-9._:-]{1,128}$/.test(given) ? given : crypto.randomUUID();
  const detail = "The service restarted while it worked on this request. Send the same request again.";
  const problem = {
    type: "https://guildhall.dev/problems/restarting",
    title: "Restarting",
    status: 503,
    detail,
    code: "restarting",
    requestId,
    retryable: true,
    error: true,
    message: detail,
  };
  return new Response(JSON.stringify(problem), {
    status: 503,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "retry-after": "1",
      "x-correlation-id": requestId,
      "access-control-allow-origin": "*",
    },
  });
}

/** The front of a Worker: `Entrypoint` is the bundle's default export. */
export function guardFront(Entrypoint) {
  return {
    async fetch(request, env, ctx) {
      const call = () => watch(() => new Entrypoint(ctx, env).fetch(request));
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof Restarting)) throw error;
        if (!isPureRead(request)) return restarting(request);
      }
      // A read that was merely near somebody else's panic deserves its answer.
      return call().catch((error) => {
        if (error instanceof Restarting) return restarting(request);
        throw error;
      });
    },
    scheduled: (event, env, ctx) => watch(() => new Entrypoint(ctx, env).scheduled(event)),
  };
}

/** An object of a Worker: `Class` is the bundle's export of it. */
export function guardObject(Class) {
  return class extends DurableObject {
    #inner;

    constructor(state, env) {
      super(state, env);
      this.#inner = new Class(state, env);
    }

    fetch(request) {
      return watch(() => this.#inner.fetch(request));
    }

    /** A message from another object or the front: cheaper than the same as HTTP. */
    receive(subject, body) {
      return watch(() => this.#inner.receive(subject, body));
    }

    alarm(info) {
      return watch(() => this.#inner.alarm(info));
    }

    webSocketMessage(socket, message) {
      return watch(() => this.#inner.webSocketMessage(socket, message)).catch((error) => {
        // This message may be lost, and a socket that stays open would hide it. The others stay.
        if (error instanceof Restarting) socket.close(1011, "The service restarted; reconnect and send again.");
        throw error;
      });
    }

    webSocketClose(socket, code, reason, clean) {
      return watch(() => this.#inner.webSocketClose(socket, code, reason, clean));
    }

    webSocketError(socket, error) {
      return watch(() => this.#inner.webSocketError(socket, error));
    }
  };
}
