//! S2, S6: whatever single thing is changed in a signed payment, it is refused.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the test's own")]

use eip712::Signer;
use primitives::UnixMillis;
use proptest::prelude::*;
use serde_json::{Value, json};
use x402::{PaymentPayload, PaymentRequirements, sign_exact, verify};

const NOW: UnixMillis = UnixMillis(1_764_513_008_000);

fn requirements(amount: u64) -> PaymentRequirements {
    serde_json::from_value(json!({
        "scheme": "exact",
        "network": "eip155:84532",
        "amount": amount.to_string(),
        "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
        "maxTimeoutSeconds": 300,
        "extra": { "name": "USDC", "version": "2" },
    }))
    .unwrap()
}

const FIELDS: [&str; 16] = [
    "/x402Version",
    "/accepted/scheme",
    "/accepted/network",
    "/accepted/amount",
    "/accepted/asset",
    "/accepted/payTo",
    "/accepted/maxTimeoutSeconds",
    "/accepted/extra/name",
    "/accepted/extra/version",
    "/payload/signature",
    "/payload/authorization/from",
    "/payload/authorization/to",
    "/payload/authorization/value",
    "/payload/authorization/validAfter",
    "/payload/authorization/validBefore",
    "/payload/authorization/nonce",
];

/// Another value of the same type: one character of a text changed, or a greater number.
fn altered(value: &Value, place: usize, by: u8) -> Value {
    match value {
        Value::Number(number) => json!(number.as_u64().unwrap() + u64::from(by)),
        Value::String(text) => {
            let mut bytes = text.clone().into_bytes();
            let place = place % bytes.len();
            bytes[place] = match bytes[place] {
                digit @ b'0'..=b'9' => b'0' + (digit - b'0' + by % 9 + 1) % 10,
                // Another letter, for the other case of the same one means the same in an address.
                b'f' | b'F' | b'z' | b'Z' => b'a',
                letter if letter.is_ascii_alphabetic() => letter + 1,
                _ => b'x',
            };
            Value::String(String::from_utf8(bytes).unwrap())
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => value.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn one_edited_field_is_refused(
        field in prop::sample::select(&FIELDS[..]),
        place in any::<usize>(),
        by in 1u8..=255,
        amount in 1u64..1_000_000,
        nonce in any::<[u8; 32]>(),
    ) {
        let signer = Signer::from_bytes(&[0x11; 32]).unwrap();
        let payment = sign_exact(&requirements(amount), &signer, nonce, NOW, None).unwrap();
        prop_assert!(verify(&requirements(amount), &payment, NOW).is_ok());

        let mut json = serde_json::to_value(&payment).unwrap();
        let target = json.pointer_mut(field).unwrap();
        let edit = altered(target, place, by);
        prop_assume!(edit != *target);
        *target = edit;
        let edited: PaymentPayload = serde_json::from_value(json).unwrap();
        prop_assert!(verify(&requirements(amount), &edited, NOW).is_err(), "{} was not noticed", field);
    }

    #[test]
    fn no_payload_makes_verification_panic(
        from in ".{0,50}",
        value in ".{0,90}",
        signature in "(0x)?[0-9a-f]{0,200}",
    ) {
        let signer = Signer::from_bytes(&[0x11; 32]).unwrap();
        let mut payment = sign_exact(&requirements(1), &signer, [0; 32], NOW, None).unwrap();
        payment.payload["signature"] = json!(signature);
        prop_assert!(verify(&requirements(1), &payment, NOW).is_err());
        payment.payload["authorization"]["from"] = json!(from);
        payment.payload["authorization"]["value"] = json!(value);
        prop_assert!(verify(&requirements(1), &payment, NOW).is_err());
    }
}
