// The Worker as the runtime sees it: the Rust bundle behind the panic guard.
import * as bundle from "./build/index.js";
import { guardFront, guardObject } from "../panic_guard.js";

export default guardFront(bundle.default);
export const GigObject = guardObject(bundle.GigObject);
export const PaymentObject = guardObject(bundle.PaymentObject);
export const IdentifierObject = guardObject(bundle.IdentifierObject);
export const SessionObject = guardObject(bundle.SessionObject);
export const AccountObject = guardObject(bundle.AccountObject);
export const MandateObject = guardObject(bundle.MandateObject);
export const MirrorObject = guardObject(bundle.MirrorObject);
export const SignatureObject = guardObject(bundle.SignatureObject);
export const DirectoryObject = guardObject(bundle.DirectoryObject);
export const RunObject = guardObject(bundle.RunObject);
export const ExecutorObject = guardObject(bundle.ExecutorObject);
export const ReceiptObject = guardObject(bundle.ReceiptObject);
export const GateObject = guardObject(bundle.GateObject);
export const TenantObject = guardObject(bundle.TenantObject);
export const MeterObject = guardObject(bundle.MeterObject);
export const EndpointObject = guardObject(bundle.EndpointObject);
export const AddressObject = guardObject(bundle.AddressObject);
export const OperationsObject = guardObject(bundle.OperationsObject);
