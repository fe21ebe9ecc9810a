// `cargo xtask deploy`: see contracts/README.md. The environment holds RPC_URL and, to deploy, DEPLOYER_KEY.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createPublicClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { isPublicAccount } from "../../tests/chain.mjs";
import { deploy, verify } from "./deployment.mjs";
import { folder } from "./shelf.mjs";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Blocks become safe within seconds to minutes, depending on the chain. */
const PATIENCE_MS = 10 * 60_000;

async function main() {
  const { values } = parseArgs({ options: { verify: { type: "string" }, folder: { type: "string" } } });
  const client = createPublicClient({ transport: http(required("RPC_URL")) });
  if (values.verify !== undefined) {
    const manifest = JSON.parse(readFileSync(values.verify, "utf8"));
    await verify(client, manifest);
    console.log(`Mandates at ${manifest.address} on chain ${manifest.chainId} is what ${values.verify} says.`);
    return;
  }
  const account = deployer();
  // Some servers do not say what they run; anvil does.
  const program = await client.request({ method: "web3_clientVersion" }).catch(() => "");
  const isDevelopment = program.startsWith("anvil/");
  if (isPublicAccount(account.address) && !isDevelopment) {
    throw new Error(`DEPLOYER_KEY is the public development key of ${account.address}. Use a key of your own.`);
  }
  const usual = isDevelopment ? ".wrangler/state/deployments" : "contracts/deployments";
  const { manifest, path, isNew } = await deploy({
    client,
    account,
    shelf: folder(values.folder ?? join(ROOT, usual)),
    confirmation: isDevelopment ? "included" : "safe",
    patienceMs: PATIENCE_MS,
  });
  const { address, chainId, block } = manifest;
  console.log(
    isNew
      ? `Mandates is deployed at ${address} on chain ${chainId}, in block ${block}, and verified.`
      : `Mandates is deployed already at ${address} on chain ${chainId}, since block ${block}, and verified.`,
  );
  console.log(`Its manifest is ${path}.`);
}

function deployer() {
  const key = required("DEPLOYER_KEY");
  try {
    return privateKeyToAccount(key);
  } catch {
    // What is wrong with a key is said without the key.
    throw new Error("DEPLOYER_KEY must be a private key: 0x and 64 hexadecimal digits.");
  }
}

function required(name) {
  const value = process.env[name]?.trim();
  if (!value) throw new Error(`${name} is not set in the environment.`);
  return value;
}

/** In one line, and without the RPC server's address, which often holds a secret. */
function said(error) {
  const words = error.shortMessage ? `${error.shortMessage} ${error.details ?? ""}`.trim() : error.message;
  return words.replaceAll(process.env.RPC_URL?.trim() || "\0", "RPC_URL");
}

await main().catch((error) => {
  console.error(said(error));
  process.exitCode = 1;
});
