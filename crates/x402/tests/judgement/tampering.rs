//! S2, S6: whatever single thing is changed in a signed payment, it is refused.

use proptest::prelude::*;
use serde_json::{Value, json};
use x402::{PaymentPayload, sign_exact, verify};

use crate::cast::{NOW, requirements_of, signer};

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
        let payment = sign_exact(&requirements_of(amount), &signer(), nonce, NOW, None).unwrap();
        prop_assert!(verify(&requirements_of(amount), &payment, NOW).is_ok());

        let mut json = serde_json::to_value(&payment).unwrap();
        let target = json.pointer_mut(field).unwrap();
        let edit = altered(target, place, by);
        prop_assume!(edit != *target);
        *target = edit;
        let edited: PaymentPayload = serde_json::from_value(json).unwrap();
        prop_assert!(verify(&requirements_of(amount), &edited, NOW).is_err(), "{} was not noticed", field);
    }
}
