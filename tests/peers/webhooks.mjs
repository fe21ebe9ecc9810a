// Writes tests/vectors/webhook.json: messages that the JavaScript library of Standard Webhooks signs, and its judgement of
// messages that are nearly good; and which addresses Python's standard library holds to be public. Run it after an update of
// the library: `GUILDHALL_PYTHON=target/python/bin/python node tests/peers/webhooks.mjs`.
import { writeFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { python } from "./python.mjs";

const NOW = 1_796_047_200;
const bytes = (length, seed) => Buffer.from(Array.from({ length }, (_, at) => (seed + at * 7) % 256));
const secret = (length, seed) => `whsec_${bytes(length, seed).toString("base64")}`;
const SECRET = secret(32, 1);
const ID = "msg_aaaaaaaaaaaaaaaaaaaaaaaaaa";
const BODY = '{"type":"usage.recorded","timestamp":"2026-11-30T14:00:00.000Z","data":{"agent":"ñandú","n":1}}';

/** The library's clock. */
Date.now = () => NOW * 1_000;

const signed = [
  { secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330, body: '{"test": 2432232314}' },
  ...[24, 32, 33, 63, 64].map((length) => ({ secret: secret(length, length), id: ID, at: NOW, body: BODY })),
  { secret: SECRET, id: ID, at: 0, body: "" },
  { secret: SECRET, id: "x", at: NOW, body: "not JSON.\u0000\n" },
  { secret: SECRET, id: ID, at: NOW, body: "é".repeat(9_000) },
].map((message) => {
  const { secret, id, at, body } = message;
  return { ...message, signature: new Webhook(secret).sign(id, new Date(at * 1_000), body) };
});

const good = { id: ID, timestamp: `${NOW}`, body: BODY, signature: new Webhook(SECRET).sign(ID, new Date(NOW * 1_000), BODY) };
const at = (seconds) => ({
  timestamp: `${seconds}`,
  signature: new Webhook(SECRET).sign(ID, new Date(seconds * 1_000), BODY),
});
const other = new Webhook(secret(32, 2)).sign(ID, new Date(NOW * 1_000), BODY);
const base64 = good.signature.slice(3);
const judged = [
  ["as it was sent", {}],
  ["the second of two signatures", { signature: `${other} ${good.signature}` }],
  ["another scheme before it", { signature: `v1a,${base64} ${good.signature}` }],
  ["of another secret", { signature: other }],
  ["another scheme", { signature: `v2,${base64}` }],
  ["no scheme", { signature: base64 }],
  ["nothing behind the scheme", { signature: "v1," }],
  ["nothing", { signature: "" }],
  ["cut short", { signature: `v1,${Buffer.from(base64, "base64").subarray(0, 31).toString("base64")}` }],
  ["cut to its first byte", { signature: `v1,${Buffer.from(base64, "base64").subarray(0, 1).toString("base64")}` }],
  ["written in another form", { body: JSON.stringify(JSON.parse(BODY), null, 1) }],
  ["with a byte more", { body: `${BODY} ` }],
  ["of another id", { id: "msg_b" }],
  ["of another moment", { timestamp: `${NOW + 1}` }],
  ["299 seconds old", at(NOW - 299)],
  ["300 seconds old", at(NOW - 300)],
  ["301 seconds old", at(NOW - 301)],
  ["300 seconds ahead", at(NOW + 300)],
  ["301 seconds ahead", at(NOW + 301)],
  ["without a moment", { timestamp: "" }],
  ["a word for a moment", { timestamp: "now" }],
].map(([about, change]) => {
  const message = { ...good, ...change };
  let taken = true;
  try {
    new Webhook(SECRET).verify(message.body, {
      "webhook-id": message.id,
      "webhook-timestamp": message.timestamp,
      "webhook-signature": message.signature,
    });
  } catch {
    taken = false;
  }
  return { about, ...message, taken };
});

/** The first and last address of every block that is anything but public, and their neighbours; and some by arithmetic. */
const BLOCKS_4 = [
  [0, 8], [10, 8], [0x6440_0000, 10, true], [127, 8], [0xa9fe_0000, 16, true], [0xac10_0000, 12, true],
  [0xc000_0000, 24, true], [0xc000_0200, 24, true], [0xc058_6300, 24, true], [0xc0a8_0000, 16, true],
  [0xc612_0000, 15, true], [0xc633_6400, 24, true], [0xcb00_7100, 24, true], [0xe000_0000, 4, true], [0xf000_0000, 4, true],
].map(([first, length, whole]) => [whole ? first : first * 2 ** 24, length]);
const dotted = (bits) => [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join(".");
const grouped = (bits) => bits.toString(16).padStart(32, "0").match(/.{4}/g).join(":");
const edges = (first, size, one, most) =>
  [first - one, first, first + size - one, first + size].filter((bits) => bits >= 0 && bits <= most);
const four = BLOCKS_4.flatMap(([first, length]) => edges(first, 2 ** (32 - length), 1, 2 ** 32 - 1));
const BLOCKS_6 = [
  ["0", 128], ["1", 128], ["ffff00000000", 96], ["64ff9b0000000000000000000000000", 96], ["64ff9b0001000000000000000000000", 48],
  ["01000000000000000000000000000000", 64], ["20000000000000000000000000000000", 3], ["20010000000000000000000000000000", 23],
  ["20010db8000000000000000000000000", 32], ["20020000000000000000000000000000", 16], ["3fff0000000000000000000000000000", 20],
  ["5f000000000000000000000000000000", 16], ["fc000000000000000000000000000000", 7], ["fe800000000000000000000000000000", 10],
  ["fec00000000000000000000000000000", 10], ["ff000000000000000000000000000000", 8],
];
const six = BLOCKS_6.flatMap(([first, length]) => edges(BigInt(`0x${first}`), 2n ** BigInt(128 - length), 1n, 2n ** 128n - 1n));
const spread = Array.from({ length: 200 }, (_, at) => (at * 2_654_435_761) % 2 ** 32);
const spread6 = Array.from({ length: 100 }, (_, at) => (BigInt(at) * 0x9e3779b97f4a7c15f39cc0605cedc835n) % 2n ** 128n);
const texts = [...[...four, ...spread].map(dotted), ...[...six, ...spread6].map(grouped)];
const global = await python("addresses.py", JSON.stringify(texts));
const addresses = texts.map((address, index) => ({ address, public: global[index] }));

const about = "Signed and judged by standardwebhooks 1.1.1, addresses by Python's ipaddress; written by tests/peers/webhooks.mjs";
writeFileSync(
  new URL("../vectors/webhook.json", import.meta.url),
  `${JSON.stringify({ about, now: NOW, secret: SECRET, signed, judged, addresses }, null, 1)}\n`,
);
