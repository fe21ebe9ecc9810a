//! What a paid route asks for, in x402's words.

use primitives::{BaseUnits, Digest};
use serde_json::{Map, Value, json};
use x402::{PaymentRequired, PaymentRequirements, ResourceInfo};

use crate::limits;

/// Base Sepolia, CAIP-2.
pub const NETWORK: &str = "eip155:84532";
/// USDC on Base Sepolia.
pub const ASSET: &str = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";

/// The terms of one paid route. Everything that reaches a payment comes from here, never from the client (S6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// In base units of USDC.
    pub amount: BaseUnits,
    /// Who is paid, a checksummed address.
    pub pay_to: String,
}

impl Price {
    /// The one thing that this route accepts: `exact` on Base Sepolia, by EIP-3009.
    pub fn requirements(&self) -> PaymentRequirements {
        let extra = [("name", "USDC"), ("version", "2")];
        PaymentRequirements {
            scheme: x402::EXACT.to_owned(),
            network: NETWORK.to_owned(),
            amount: self.amount.to_string(),
            asset: ASSET.to_owned(),
            pay_to: self.pay_to.clone(),
            max_timeout_seconds: limits::PAYMENT_TIMEOUT_SECONDS,
            extra: Some(extra.map(|(key, value)| (key.to_owned(), Value::from(value))).into_iter().collect()),
        }
    }

    /// The challenge for the posting of a gig at `url`. `error` says why there is a challenge.
    pub fn challenge(&self, url: &str, error: &str) -> PaymentRequired {
        PaymentRequired {
            x402_version: x402::VERSION,
            error: Some(error.to_owned()),
            resource: ResourceInfo {
                url: url.to_owned(),
                description: Some("Post one gig to the board".to_owned()),
                mime_type: Some("application/json".to_owned()),
                service_name: Some("Guildhall".to_owned()),
                ..ResourceInfo::default()
            },
            accepts: vec![self.requirements()],
            extensions: None,
        }
    }
}

/// The fingerprint that an authorization is bound to: method, path and what the body says.
pub fn resource(method: &str, path: &str, body: &Value) -> Digest {
    // A `Value` always has a JSON form.
    Digest::of_json(&json!({ "method": method, "path": path, "body": body })).unwrap_or(Digest::ZERO)
}

/// A settlement's answer for a payer whose outcome is not known, in the form of a receipt.
pub fn unknown_receipt(cause: &str, transaction: Option<&str>) -> Value {
    let reason = if cause == "settlement_pending" { cause } else { "settlement_unknown" };
    let mut receipt = Map::new();
    receipt.insert("success".to_owned(), false.into());
    receipt.insert("errorReason".to_owned(), reason.into());
    receipt.insert("transaction".to_owned(), transaction.unwrap_or("").into());
    receipt.insert("network".to_owned(), NETWORK.into());
    Value::Object(receipt)
}
