//! The messages of x402 version 2, as they travel in the payment headers. Peers may add fields.

use serde_json::{Value, json};

use super::parts::schema;

/// Every message by its component name.
pub(super) fn schemas() -> [(&'static str, Value); 5] {
    [
        ("X402PaymentRequired", payment_required()),
        ("X402PaymentRequirements", payment_requirements()),
        ("X402PaymentPayload", payment_payload()),
        ("X402SettleResponse", settle_response()),
        ("X402Resource", resource()),
    ]
}

fn payment_required() -> Value {
    json!({
        "type": "object",
        "description": "What is to be paid, for what, and how.",
        "required": ["x402Version", "resource", "accepts"],
        "properties": {
            "x402Version": version(),
            "error": { "type": "string", "description": "Why there is a challenge: a code, or a sentence." },
            "resource": schema("X402Resource"),
            "accepts": { "type": "array", "minItems": 1, "items": schema("X402PaymentRequirements") },
            "extensions": { "type": "object" },
        },
    })
}

fn resource() -> Value {
    json!({
        "type": "object",
        "description": "What is paid for.",
        "required": ["url"],
        "properties": {
            "url": { "type": "string", "format": "uri" },
            "description": { "type": "string" },
            "mimeType": { "type": "string" },
            "serviceName": { "type": "string", "maxLength": 32 },
            "tags": { "type": "array", "items": { "type": "string" } },
            "iconUrl": { "type": "string", "format": "uri" },
        },
    })
}

fn payment_requirements() -> Value {
    json!({
        "type": "object",
        "description": "One way to pay.",
        "required": ["scheme", "network", "amount", "asset", "payTo", "maxTimeoutSeconds"],
        "properties": {
            "scheme": { "type": "string", "examples": ["exact"] },
            "network": { "type": "string", "description": "CAIP-2.", "examples": ["eip155:84532"] },
            "amount": { "type": "string", "pattern": "^(0|[1-9][0-9]*)$", "description": "Base units of the asset." },
            "asset": { "type": "string", "description": "The token's address." },
            "payTo": { "type": "string", "description": "Who is paid." },
            "maxTimeoutSeconds": { "type": "integer", "minimum": 1 },
            "extra": {
                "type": "object",
                "description": "For `exact`: the token's EIP-712 `name` and `version`.",
                "properties": { "name": { "type": "string" }, "version": { "type": "string" } },
            },
        },
    })
}

fn payment_payload() -> Value {
    let number = json!({ "type": "string", "pattern": "^(0|[1-9][0-9]*)$" });
    json!({
        "type": "object",
        "description": "A signed payment.",
        "required": ["x402Version", "accepted", "payload"],
        "properties": {
            "x402Version": version(),
            "resource": schema("X402Resource"),
            "accepted": schema("X402PaymentRequirements"),
            "payload": {
                "type": "object",
                "required": ["signature", "authorization"],
                "properties": {
                    "signature": {
                        "type": "string",
                        "pattern": "^0x([0-9a-fA-F]{2})+$",
                        "description": "65 bytes of an ordinary account; whatever its contract takes for a contract account (ERC-1271).",
                    },
                    "authorization": {
                        "type": "object",
                        "description": "EIP-3009 TransferWithAuthorization.",
                        "required": ["from", "to", "value", "validAfter", "validBefore", "nonce"],
                        "properties": {
                            "from": { "type": "string" },
                            "to": { "type": "string" },
                            "value": number,
                            "validAfter": number,
                            "validBefore": number,
                            "nonce": { "type": "string", "pattern": "^0x[0-9a-fA-F]{64}$" },
                        },
                    },
                },
            },
            "extensions": { "type": "object" },
        },
    })
}

fn settle_response() -> Value {
    json!({
        "type": "object",
        "description": "What became of a payment.",
        "required": ["success", "transaction", "network"],
        "properties": {
            "success": { "type": "boolean" },
            "errorReason": { "type": "string", "examples": ["settlement_unknown", "settlement_pending"] },
            "errorMessage": { "type": "string" },
            "payer": { "type": "string" },
            "transaction": { "type": "string", "description": "Empty when there is none." },
            "network": { "type": "string" },
            "amount": { "type": "string" },
            "extensions": { "type": "object" },
        },
    })
}

fn version() -> Value {
    json!({ "type": "integer", "const": x402::VERSION })
}

#[cfg(test)]
mod tests {
    use primitives::BaseUnits;

    use super::*;
    use crate::paywall::{Asset, Till, posting};

    /// The challenge is written by the x402 crate and described here: neither may have a field that the other lacks.
    #[test]
    fn a_real_challenge_fits_its_description() {
        let asset = Asset {
            network: "eip155:84532".to_owned(),
            address: "0x036CbD53842c5426634e7929541eC2318f3dCF7e".to_owned(),
            name: "USDC".to_owned(),
            version: "2".to_owned(),
        };
        let till = Till { asset, pay_to: "0x0000000000000000000000000000000000000001".to_owned() };
        let offer = posting(till, BaseUnits(10_000));
        let challenge =
            serde_json::to_value(offer.challenge("https://board.example/v1/gigs/create", "pay")).unwrap();
        for (value, schema) in [
            (&challenge, payment_required()),
            (&challenge["resource"], resource()),
            (&challenge["accepts"][0], payment_requirements()),
        ] {
            for name in schema["required"].as_array().unwrap() {
                assert!(value.get(name.as_str().unwrap()).is_some(), "{name} is missing in {value}");
            }
            for name in value.as_object().unwrap().keys() {
                assert!(schema["properties"].get(name).is_some(), "{name} is not described");
            }
        }
    }
}
