//! What a signature costs in WebAssembly: the bare recovery of a public key beside the whole verification of a payment.

use eip712::B256;
use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use primitives::UnixMillis;
use serde_json::Value;
use worker::{Error, Response, Result};
use x402::{PaymentPayload, PaymentRequirements};

/// So many in one request that the request itself hardly counts.
const TIMES: u32 = 50;
/// A payment that the official client has signed, and the moment at which it did.
const VECTOR: &str = include_str!("../../../vectors/x402_payload.json");

fn broken(error: impl core::fmt::Display) -> Error {
    Error::RustError(error.to_string())
}

fn part<T: serde::de::DeserializeOwned>(vector: &Value, pointer: &str) -> Result<T> {
    let part = vector.pointer(pointer).ok_or_else(|| broken(pointer))?;
    serde_json::from_value(part.clone()).map_err(broken)
}

/// The floor: k256 finds the key, and nothing else is done.
pub(crate) fn recover() -> Result<Response> {
    let vector: Value = serde_json::from_str(VECTOR)?;
    let text: String = part(&vector, "/paymentPayload/payload/signature")?;
    let bytes = hex(&text)?;
    let (v, scalars) = bytes.split_last().ok_or_else(|| broken("no signature"))?;
    let scalars = Signature::from_slice(scalars).map_err(broken)?;
    let recovery = RecoveryId::new(*v == 28, false);
    // Any digest has a key that fits; which one does not matter for what it costs.
    let digest = B256::repeat_byte(7);
    for _ in 0..TIMES {
        let key =
            VerifyingKey::recover_from_prehash(core::hint::black_box(digest.as_slice()), &scalars, recovery);
        core::hint::black_box(key).map_err(broken)?;
    }
    Response::ok("recovered")
}

/// Every check of a payment that needs no chain.
pub(crate) fn verify() -> Result<Response> {
    let vector: Value = serde_json::from_str(VECTOR)?;
    let requirements: PaymentRequirements = part(&vector, "/paymentRequired/accepts/0")?;
    let payment: PaymentPayload = part(&vector, "/paymentPayload")?;
    let now = UnixMillis(part(&vector, "/now")?);
    for _ in 0..TIMES {
        let verdict = x402::verify(core::hint::black_box(&requirements), &payment, now);
        core::hint::black_box(verdict).map_err(broken)?;
    }
    Response::ok("verified")
}

fn hex(text: &str) -> Result<Vec<u8>> {
    hex::decode(text.trim_start_matches("0x")).map_err(broken)
}
