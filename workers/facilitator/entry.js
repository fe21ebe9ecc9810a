// The Worker as the runtime sees it: the Rust bundle behind the panic guard.
import * as bundle from "./build/index.js";
import { guardFront, guardObject } from "../panic_guard.js";

export default guardFront(bundle.default);
export const SimulatorObject = guardObject(bundle.SimulatorObject);
export const SettlementObject = guardObject(bundle.SettlementObject);
export const RelayerObject = guardObject(bundle.RelayerObject);
export const CatalogueObject = guardObject(bundle.CatalogueObject);
