// Writes tests/vectors/pix.json: codes that another implementation of Pix makes, and its judgement of codes that are nearly
// good. To run it: `npm install --no-save @brazilian-utils/brazilian-utils@2.4.0`, then `node tests/peers/pix.mjs`.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { generatePixPayload, getPixPayloadInfo } from "@brazilian-utils/brazilian-utils";

const KEY = "123e4567-e12b-12d1-a456-426655440000";
const URL_ = "pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441";
const PAYEE = { merchantName: "Fulano de Tal", merchantCity: "BRASILIA" };

/** What is paid: every kind of key, and every part that may be left out. */
const ASKED = [
  { key: KEY, ...PAYEE },
  { key: KEY, ...PAYEE, amount: 19.9, txid: "RUN022033" },
  { key: "123.456.789-09", ...PAYEE, amount: 0.01 },
  { key: "+5561912345678", ...PAYEE, txid: "a" },
  { key: "fulano_da_silva.recebedor@example.com", ...PAYEE, amount: 9_999_999_999.99, txid: "x".repeat(25) },
  { key: "00.038.166/0001-05", merchantName: "Padaria do João e da Conceição", merchantCity: "São Paulo", amount: 7 },
  { key: KEY, ...PAYEE, amount: 1234.5, description: "Pedido 17, mesa 4" },
  { url: URL_, ...PAYEE },
  { url: "bx.com.br/pix/k_2.~-", merchantName: "A", merchantCity: "B" },
];

/** A good code's fields, in their order. */
const STATIC = [
  ["00", "01"],
  ["01", "11"],
  ["26", [["00", "br.gov.bcb.pix"], ["01", KEY], ["02", "Pedido 17"]]],
  ["52", "0000"],
  ["53", "986"],
  ["54", "19.90"],
  ["58", "BR"],
  ["59", "Fulano de Tal"],
  ["60", "BRASILIA"],
  ["61", "70074900"],
  ["62", [["05", "RUN1"]]],
];
const DYNAMIC = STATIC.map(([tag, value]) =>
  tag === "26" ? [tag, [["00", "BR.GOV.BCB.PIX"], ["25", URL_]]] : tag === "01" ? [tag, "12"] : [tag, value],
);

/** CRC-16/IBM-3740. */
function checksum(text) {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}
const seal = (text) => `${text}6304${checksum(`${text}6304`)}`;
const two = (number) => `${number}`.padStart(2, "0");
const write = (fields) =>
  fields.map(([tag, value]) => {
    const text = typeof value === "string" ? value : write(value);
    return `${tag}${two(text.length)}${text}`;
  }).join("");

/** Other values of a field, good and bad. */
const VALUES = {
  "00": ["02", "1", "001"],
  "01": ["11", "12", "13", "1", "011"],
  "52": ["5812", "581", "00000", "abcd"],
  "53": ["840", "0986", "BRL"],
  "54": ["0.01", "0.00", "1234567890.12", "12345678901.12", "19.9", "19", "19.900", "19,90", "-1.00", "+1.00", "1e3.00", ".50", "19.", "1.9.0", "\u0661.00", " 1.00"],
  "58": ["br", "US", "BRA"],
  "59": ["x".repeat(25), "x".repeat(26), "São João", "a\nb"],
  "60": ["x".repeat(15), "x".repeat(16), "Sa\u0303o Paulo"],
  "62": [[["05", "***"]], [["05", "a".repeat(25)]], [["05", "a".repeat(26)]], [["05", "a-b"]], [["05", "**"]], [["03", "loja"]], [["05", "A"], ["05", "B"]]],
};
const ACCOUNTS = [
  [["00", "BR.GOV.BCB.PIX"], ["01", KEY]],
  [["01", KEY], ["00", "br.gov.bcb.pix"]],
  [["00", "br.gov.bcb.pix"]],
  [["00", "br.gov.bcb.spi"], ["01", KEY]],
  [["01", KEY]],
  [["00", "br.gov.bcb.pix"], ["01", KEY], ["25", URL_]],
  [["00", "br.gov.bcb.pix"], ["01", "x".repeat(73)]],
  [["00", "br.gov.bcb.pix"], ["01", "a b"]],
  [["00", "br.gov.bcb.pix"], ["01", KEY], ["03", "12345678"]],
  [["00", "br.gov.bcb.pix"], ["25", URL_], ["03", "12345678"]],
  ...[
    "pix.example.com/a", "PIX.Example.com/A%20b", "pix.example.com", "pix.example.com/", "https://pix.example.com/a", "localhost/a",
    "10.0.0.1/a", "pix.example.com:8443/a", "user@pix.example.com/a", "pix..example.com/a", "-pix.example.com/a", "pix-.example.com/a",
    "pix.example.com/a?b=c", "pix.example.com/a#b", "pix.example.com/a b", "pix_example.com/a", "pix.example.com/%zz", "/a", "píx.example.com/a",
  ].map((url) => [["00", "br.gov.bcb.pix"], ["25", url]]),
];

/** Fields that a code may have besides. */
const MORE = [
  ["27", [["00", "br.gov.bcb.pix"], ["01", "a@example.com"]]],
  ["27", [["00", "com.example"], ["01", "a@example.com"]]],
  ["27", "abc"],
  ["55", "01"],
  ["56", "1.00"],
  ["57", "10"],
  ["65", "x"],
  ["80", [["00", "br.gov.bcb.pix"], ["25", "pix.example.com/rec/1"]]],
  ["99", [["00", "BR.GOV.BCB.PIX"], ["25", "pix.example.com/rec/1"]]],
  ["99", [["00", "com.example"]]],
];

const replace = (fields, tag, value) => fields.map((field) => (field[0] === tag ? [tag, value] : field));

/** @yields a name and a text before its checksum: every field left out, doubled, moved and with other values */
function* sealed() {
  yield ["static", write(STATIC)];
  yield ["dynamic", write(DYNAMIC)];
  for (const [at, [tag]] of STATIC.entries()) {
    yield [`without ${tag}`, write(STATIC.toSpliced(at, 1))];
    yield [`${tag} twice`, write(STATIC.toSpliced(at, 0, STATIC[at]))];
    yield [`${tag} last`, write([...STATIC.toSpliced(at, 1), STATIC[at]])];
    for (const value of VALUES[tag] ?? []) yield [`${tag} is ${JSON.stringify(value)}`, write(replace(STATIC, tag, value))];
  }
  for (const tag of ["01", "54", "62"]) {
    yield [`dynamic without ${tag}`, write(DYNAMIC.filter((field) => field[0] !== tag))];
    for (const value of VALUES[tag]) yield [`dynamic, ${tag} is ${JSON.stringify(value)}`, write(replace(DYNAMIC, tag, value))];
  }
  for (const account of ACCOUNTS) yield [`26 is ${JSON.stringify(account)}`, write(replace(STATIC, "26", account))];
  for (const tag of ["25", "51"]) yield [`${tag} for 26`, write(STATIC.map((field) => (field[0] === "26" ? [tag, field[1]] : field)))];
  for (const [tag, value] of MORE) yield [`and ${tag} ${JSON.stringify(value)}`, write([...STATIC, [tag, value]])];
  for (const length of ["3+", "+3", " 3", "3 ", "03x", "", "ab", "\u0660\u0663"]) {
    yield [`length of 53 is ${JSON.stringify(length)}`, write(STATIC).replace("5303986", `53${length}986`)];
  }
  yield ["a length too long", write(STATIC).replace("6208", "6209")];
  yield ["a length too short", write(STATIC).replace("6208", "6207")];
  yield ["an inner length too long", write(STATIC).replace("0504RUN1", "0505RUN1")];
  yield ["an empty field", `${write(STATIC)}6400`];
  yield ["a letter in a tag", `${write(STATIC)}6a0201`];
  yield ["a space before", ` ${write(STATIC)}`];
}

/** @yields a name and a whole text */
function* texts() {
  for (const [name, text] of sealed()) yield [name, seal(text)];
  const good = seal(write(STATIC));
  yield ["a checksum in lower case", good.slice(0, -4) + good.slice(-4).toLowerCase()];
  yield ["a checksum in the middle", seal(`${write(STATIC.slice(0, 5))}63040000${write(STATIC.slice(5))}`)];
  yield ["another checksum", `${good.slice(0, -4)}0000`];
  yield ["no checksum", write(STATIC)];
  yield ["half a checksum", good.slice(0, -2)];
  yield ["words behind", `${good}0`];
  yield ["a line feed behind", `${good}\n`];
  yield ["nothing", ""];
}

/** What the other implementation reads; an amount as text, so that nobody rounds it. */
function says(text) {
  const read = getPixPayloadInfo(text);
  return read?.amount === undefined ? read : { ...read, amount: read.amount.toFixed(2) };
}

const made = ASKED.map((asked) => {
  const text = generatePixPayload(asked);
  assert.ok(text, JSON.stringify(asked));
  return { text, says: says(text) };
});
const judged = [...texts()].map(([name, text]) => ({ name, text, says: says(text) }));
assert.equal(new Set(judged.map(({ name }) => name)).size, judged.length);
const about = "Codes made and judged by @brazilian-utils/brazilian-utils 2.4.0; written by tests/peers/pix.mjs";
writeFileSync(new URL("../vectors/pix.json", import.meta.url), `${JSON.stringify({ about, made, judged }, null, 1)}\n`);
