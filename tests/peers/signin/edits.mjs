// Texts that are nearly sign-in messages (EIP-4361): a good one, altered in one place.

/** Every part that a message can have, one a line. */
export const WHOLE = [
  "https://guildhall.example:8443 wants you to sign in with your Ethereum account:",
  "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A",
  "",
  "Sign in to Guildhall.",
  "",
  "URI: https://guildhall.example:8443/owner?next=/m#top",
  "Version: 1",
  "Chain ID: 84532",
  "Nonce: 8sBGdAvxVQxLdFKE",
  "Issued At: 2027-01-15T08:00:00.000Z",
  "Expiration Time: 2027-01-15T08:05:00Z",
  "Not Before: 2027-01-15T10:00:00+02:00",
  "Request ID: a%20b",
  "Resources:",
  "- https://guildhall.example/terms",
  "- ipfs://bafy/x",
];
const LAST = WHOLE.length - 1;

/** @returns the lines with `count` of them from `at` on replaced by `lines` */
const splice = (at, count, ...lines) => WHOLE.toSpliced(at, count, ...lines);
const title = (line) => line.split(":")[0].slice(0, 24) || "empty line";

/** Every line on its own: left out, doubled, moved, and dressed up. */
function* everywhere() {
  for (const [at, line] of WHOLE.entries()) {
    const name = `${at + 1} (${title(line)})`;
    yield [`without line ${name}`, splice(at, 1)];
    yield [`line ${name} twice`, splice(at, 1, line, line)];
    if (at < LAST) yield [`line ${name} after the next`, splice(at, 2, WHOLE[at + 1], line)];
    yield [`line ${name} with a carriage return`, splice(at, 1, `${line}\r`)];
    yield [`line ${name} with a space before`, splice(at, 1, ` ${line}`)];
    yield [`line ${name} with a space behind`, splice(at, 1, `${line} `)];
    yield [`line ${name} with a zero-width space`, splice(at, 1, `${line}\u200b`)];
    yield [`line ${name} in lower case`, splice(at, 1, line.toLowerCase())];
    yield [`an empty line after ${name}`, splice(at, 1, line, "")];
  }
}

/** One line, and what stands in its place. */
const REPLACED = [
  [0, ["guildhall.example", "a@guildhall.example", "[::1]:1", "[v1.x]", "10.0.0.1:80", "x-y+z.1://a", "://a", "1a://b", "a://b://c"]],
  [0, ["", "a b", "a/b", "a?b", "a#b", "a:x", "a@b@c", "[::1", "[1]", "a%2", "a%2g", "a%20", "https://", "\u0430.example", "a,b"]],
  [1, ["0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a", "0x19E7E376E7C213B7E7E7E46CC70A5DD086DAFF2A"]],
  [1, ["0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2a", "0X19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"]],
  [1, ["19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A", "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2", "guildhall.eth"]],
  [3, ["", "-._~:/?#[]@!$&'()*+,;=", "URI: https://a", "a<b", 'a"b', "a\\b", "a^b", "a`b", "a{b", "a|b", "a%b", "caf\u00e9", "a\tb"]],
  [5, ["URI: guildhall", "URI: /owner", "URI: ", "URI: a:", "URI: a b:", "URI: a://b:x", "URI: a://[::1]", "URI: a:?#", "URI: a:#b#c"]],
  [5, ["URI: a://[1:2:3:4:5:6:7::]", "URI: a://[1::2::3]", "URI: a://[::1.2.3.256]", "URI:  a:b", "URI:a:b", "URI: a:%zz", "URI: a:[b"]],
  [6, ["Version: 2", "Version: 01", "Version: ", "Version: 1.0", "Version: 11"]],
  [7, ["Chain ID: 0", "Chain ID: 01", "Chain ID: +1", "Chain ID: -1", "Chain ID: 0x1", "Chain ID: ", "Chain ID: 1e3"]],
  [7, ["Chain ID: 9007199254740991", "Chain ID: 18446744073709551616", "Chain ID: \u0661"]],
  [8, ["Nonce: 12345678", "Nonce: 1234567", "Nonce: ", "Nonce: 1234-5678", "Nonce: 1234 5678", "Nonce: 1234567\u00e9"]],
  [9, ["Issued At: 2027-01-15", "Issued At: 2027-01-15 08:00:00Z", "Issued At: 2027-01-15T08:00:00", "Issued At: 1800000000"]],
  [9, ["Issued At: 2027-02-29T08:00:00Z", "Issued At: 2027-01-15T08:00:00.Z", "Issued At: 2027-01-15T08:00:00.123456789012Z"]],
  [9, ["Issued At: 2027-01-15T25:00:00Z", "Issued At: 2027-01-15T08:00:00+0200", "Issued At: 2027-01-15t08:00:00z", "Issued At: "]],
  [9, ["Issued At: 1969-12-31T23:59:59Z", "Issued At: 2027-01-15T08:00:00+24:00"]],
  [10, ["Expiration Time: never", "Expiration Time: 2027-01-15", "Expiration time: 2027-01-15T08:05:00Z"]],
  [11, ["Not Before: now", "Not Before: 2027-13-01T00:00:00Z"]],
  [12, ["Request ID: ", "Request ID: a/b", "Request ID: a b", "Request ID: %", "Request ID: a:@b", "Request ID:"]],
  [13, ["Resources: ", "Resources", "Resources:- a:b"]],
  [14, ["- ", "-", "a:b", "-a:b", "* a:b", "- a:b - c:d", "- nothing", "-  a:b"]],
];

function* replaced() {
  for (const [at, values] of REPLACED) {
    for (const value of values) {
      const line = at === 0 ? WHOLE[0].replace("https://guildhall.example:8443", value) : value;
      yield [`line ${at + 1} is ${JSON.stringify(line)}`, splice(at, 1, line)];
    }
  }
}

function* others() {
  yield ["the whole", WHOLE];
  yield ["no statement", splice(3, 2, "")];
  yield ["an empty statement, then the URI", splice(3, 2)];
  yield ["a statement of two lines", splice(3, 1, "Sign in.", "Or not.")];
  yield ["a statement without the empty line before", splice(2, 1)];
  yield ["no optional part", WHOLE.slice(0, 10)];
  yield ["resources without one", WHOLE.slice(0, 14)];
  yield ["a line feed at the end", [...WHOLE, ""]];
  yield ["words at the end", [...WHOLE, "and so on"]];
  yield ["a space at the end", splice(LAST, 1, `${WHOLE[LAST]} `)];
  yield ["another label's case", splice(8, 1, WHOLE[8].replace("Nonce", "nonce"))];
  yield ["the old wording", splice(0, 1, WHOLE[0].replace("Ethereum account", "Ethereum Account"))];
  yield ["two spaces in the preamble", splice(0, 1, WHOLE[0].replace(" wants", "  wants"))];
  yield ["a nonce in the statement only", splice(3, 6, "Nonce: 8sBGdAvxVQxLdFKE", "", ...WHOLE.slice(5, 8))];
  yield ["nothing", [""]];
}

/** Every altered text once: its name and its text. */
export function edits() {
  const texts = new Map();
  for (const [name, lines] of [...others(), ...replaced(), ...everywhere()]) {
    const text = lines.join("\n");
    if (!texts.has(text)) texts.set(text, name);
  }
  return [...texts].map(([text, name]) => ({ name, text }));
}
