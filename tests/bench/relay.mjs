// Messages from one socket to another through an object: how many a second, and how long one takes there and back.
import { WebSocket } from "ws";

/** Sizes with as many messages as fill about a second. */
export const SIZES = [
  { name: "100 B", bytes: 100, count: 20_000 },
  { name: "1 KiB", bytes: 1024, count: 20_000 },
  { name: "64 KiB", bytes: 65_536, count: 2_000 },
];
const ROUND_TRIPS = 1000;
/** Enough on the way that nobody waits, too little to pile up. */
const ON_THE_WAY_MESSAGES = 256;
const ON_THE_WAY_BYTES = 1024 * 1024;

/** Opens one socket. The mask that clients must send is all zeros: masking is not what is measured. */
export async function open(url, headers) {
  const address = new URL(url);
  address.protocol = "ws:";
  const socket = new WebSocket(address, { headers, perMessageDeflate: false, generateMask: () => {} });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  socket.on("close", (code, reason) => (socket.ended = `socket closed: ${code} ${reason}`));
  return socket;
}

/** Sends `count` messages from one socket to the other. */
export async function stream(from, to, { bytes, count }) {
  const message = Buffer.alloc(bytes, 1);
  const window = Math.min(ON_THE_WAY_MESSAGES, Math.max(2, Math.floor(ON_THE_WAY_BYTES / bytes)));
  const sentAt = new Float64Array(count);
  const latencies = [];
  let sent = 0;
  const send = () => {
    sentAt[sent] = performance.now();
    sent += 1;
    from.send(message);
  };
  const start = performance.now();
  await new Promise((resolve, reject) => {
    const fail = () => reject(new Error(from.ended ?? to.ended ?? "a socket closed"));
    from.once("close", fail);
    to.once("close", fail);
    to.on("message", () => {
      latencies.push(performance.now() - sentAt[latencies.length]);
      if (sent < count) send();
      else if (latencies.length === count) {
        for (const socket of [from, to]) socket.off("close", fail);
        to.removeAllListeners("message");
        resolve();
      }
    });
    while (sent < Math.min(window, count)) send();
  });
  return { perSecond: count / ((performance.now() - start) / 1000), latencies };
}

/** One message there and back, again and again. */
export async function roundTrips(from, to) {
  const message = Buffer.alloc(100, 1);
  const latencies = [];
  to.on("message", (bytes) => to.send(bytes));
  const start = performance.now();
  for (let index = 0; index < ROUND_TRIPS; index += 1) {
    const sent = performance.now();
    await new Promise((resolve) => {
      from.once("message", resolve);
      from.send(message);
    });
    latencies.push(performance.now() - sent);
  }
  to.removeAllListeners("message");
  return { perSecond: ROUND_TRIPS / ((performance.now() - start) / 1000), latencies };
}
