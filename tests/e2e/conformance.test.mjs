// x402-conformance, a suite of others, on everything of ours that answers in x402's words. What fails is named, with its
// reason, in tests/python/conformance-baseline.json.
import { after, before, test } from "node:test";
import { start } from "../harness.mjs";
import { judge } from "../peers/baseline.mjs";
import { python } from "../peers/python.mjs";
import { openShop } from "../peers/seller.mjs";
import { TERMS } from "./support/payment.mjs";

const SUPPORTED = ["S1", "S2", "S3", "S4"];
const CHALLENGE = ["P1", "P2", "P3", "P4", "P5", "P6", "P7"];
const SAFETY = [...Array.from({ length: 14 }, (_, index) => `F${index + 1}`), "S5"];

let stack;

before(async () => {
  stack = await start();
});

after(() => stack?.stop());

/** What a run of the suite found at its only target. */
async function found(...arguments_) {
  const { results } = await python(...arguments_);
  return results[0].checks;
}

test("the suite itself catches each of the broken facilitators that it brings", () =>
  python("-m", "x402conf", "offline"));

test("our facilitator says what it supports as the specification has it", async () => {
  judge("x402conf live, our facilitator", SUPPORTED, await found("-m", "x402conf", "live", stack.facilitatorUrl));
});

test("our paid route asks for payment as the specification has it", async () => {
  // The suite asks with GET, which this route does not take; the same checks judge what it says to a POST.
  const checks = await found("posted.py", `${stack.url}/v1/gigs/create`);
  judge("x402conf resource, POST /v1/gigs/create", CHALLENGE, checks);
});

test("what the official server learns from our facilitator makes a challenge that passes", async (context) => {
  const shop = await openShop(stack.facilitatorUrl);
  context.after(() => shop.stop());
  const checks = await found("-m", "x402conf", "resource", `${shop.url}/weather`);
  judge("x402conf resource, the official server behind our facilitator", CHALLENGE, checks);
});

test("F1 F2 F3 F4 S10: our facilitator keeps money safe from wrong, repeated and unfinished payments", async () => {
  const checks = await found("safety.py", stack.facilitatorUrl, JSON.stringify(TERMS));
  judge("x402conf safety, our facilitator", SAFETY, checks);
});
