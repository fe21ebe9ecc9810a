// A seller who is not ours: the official x402 middleware in a hono server, unmodified. Of Guildhall it knows only the URL
// of a facilitator.
import { serve } from "@hono/node-server";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import { TERMS } from "../e2e/support/payment.mjs";

/** What a paid answer holds. */
export const GOODS = Object.freeze({ weather: "sunny" });

const OFFER = {
  description: "The weather of one city",
  mimeType: "application/json",
  accepts: {
    scheme: TERMS.scheme,
    network: TERMS.network,
    payTo: TERMS.payTo,
    price: "$0.01",
    maxTimeoutSeconds: TERMS.maxTimeoutSeconds,
  },
};

/**
 * Opens the shop. `GET /weather` and `POST /weather` are paid, `GET /broken` is paid and fails after the payment was
 * verified.
 *
 * @param {string} facilitatorUrl
 * @param {object} [options]
 * @param {number} [options.timeoutMs] how long the seller waits for its facilitator
 * @param {string} [options.network] another network than the facilitator's
 * @param {number} [options.crowd] how many paid requests must have come before any is served
 * @returns {Promise<{ url: string, served: () => number, stop: () => Promise<void> }>} `served` counts how often the
 *   handler of `/weather` has run
 */
export async function openShop(facilitatorUrl, { timeoutMs = 5000, network = TERMS.network, crowd = 1 } = {}) {
  const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl, timeoutMs });
  const server = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme());
  const offer = { ...OFFER, accepts: { ...OFFER.accepts, network } };
  const shop = new Hono();
  shop.use(paymentMiddleware({ "GET /weather": offer, "POST /weather": offer, "GET /broken": offer }, server));
  let served = 0;
  const { promise: crowded, resolve: serveAll } = Promise.withResolvers();
  shop.all("/weather", async (context) => {
    served += 1;
    if (served >= crowd) serveAll();
    await crowded;
    return context.json(GOODS, context.req.method === "POST" ? 201 : 200);
  });
  shop.get("/broken", (context) => context.json({ error: "no forecast today" }, 503));
  const { listener, url } = await new Promise((resolve) => {
    const opened = serve({ fetch: shop.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
      resolve({ listener: opened, url: `http://127.0.0.1:${port}` }),
    );
  });
  const stop = () =>
    new Promise((resolve) => {
      listener.close(resolve);
      listener.closeAllConnections();
    });
  return { url, served: () => served, stop };
}
