//! Whatever a stranger sends, there is an answer.

use data_encoding::BASE64;
use proptest::prelude::*;
use serde_json::Value;
use x402::{
    PayerAccount, PaymentPayload, PaymentRequirements, check, decode_payment, identify, payment_identifier,
    verify, verify_for_chain,
};

use crate::cast::{NOW, payment, requirements, signed_with, wrapped};

/// Any JSON of moderate size, with the protocol's own names among its keys.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[0-9]{0,80}".prop_map(Value::from),
        "0x[0-9a-f]{0,130}".prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    let key = prop_oneof![
        prop::sample::select(
            &["signature", "authorization", "from", "value", "info", "id", "extra", "name"][..]
        )
        .prop_map(str::to_owned),
        ".{0,6}",
    ];
    leaf.prop_recursive(4, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// The places of a value and of everything in it.
fn places(value: &Value, at: String, found: &mut Vec<String>) {
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    for (name, part) in parts {
        places(part, format!("{at}/{name}"), found);
    }
    found.push(at);
}

/// Every way in which this crate looks at a payment.
fn look(requirements: &PaymentRequirements, payment: &PaymentPayload) -> bool {
    let _ = identify(requirements, payment);
    let _ = payment_identifier::read(payment);
    let _ = x402::bazaar::listing(payment, requirements, NOW);
    let _ = verify_for_chain(requirements, payment, NOW);
    if let Ok(checked) = check(requirements, payment) {
        for account in [PayerAccount::WithoutCode, PayerAccount::Vouches, PayerAccount::Denies] {
            let _ = checked.signed_by(account).map(|signed| signed.authorize(NOW));
        }
    }
    verify(requirements, payment, NOW).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_json_in_any_place_of_a_payment_is_answered(place in any::<prop::sample::Index>(), other in any_json()) {
        let mut json = serde_json::to_value(payment()).unwrap();
        let mut found = Vec::new();
        places(&json, String::new(), &mut found);
        let place = found[place.index(found.len())].clone();
        let target = json.pointer_mut(&place).unwrap();
        let is_same = *target == other;
        *target = other;
        let header = BASE64.encode(json.to_string().as_bytes());
        // A place that may be absent may hold `null`, and `extra` says nothing that is signed here.
        let may_pass = is_same || place == "/accepted/extra" || place.starts_with("/accepted/extra/");
        if let Ok(payment) = decode_payment(&header) {
            prop_assert!(!look(&requirements(), &payment) || may_pass, "{} was believed", place);
        }
    }

    #[test]
    fn any_json_in_any_place_of_the_requirements_is_answered(place in any::<prop::sample::Index>(), other in any_json()) {
        let mut json = serde_json::to_value(requirements()).unwrap();
        let mut found = Vec::new();
        places(&json, String::new(), &mut found);
        *json.pointer_mut(&found[place.index(found.len())]).unwrap() = other;
        if let Ok(requirements) = serde_json::from_value(json) {
            let _ = look(&requirements, &payment());
        }
    }

    #[test]
    fn any_bytes_for_a_signature_are_answered(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        place in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        prop_assert!(!look(&requirements(), &signed_with(&bytes)));
        let mut wrapped = wrapped(&bytes);
        let checked = check(&requirements(), &signed_with(&wrapped)).unwrap();
        prop_assert_eq!(checked.signature(), &bytes[..]);
        let place = place.index(wrapped.len());
        wrapped[place] = byte;
        prop_assert!(!look(&requirements(), &signed_with(&wrapped)));
    }

    #[test]
    fn any_number_for_a_moment_is_answered(now in any::<u64>(), timeout in any::<u64>()) {
        let mut requirements = requirements();
        requirements.max_timeout_seconds = timeout;
        let mut payment = payment();
        payment.accepted.max_timeout_seconds = timeout;
        let _ = verify(&requirements, &payment, primitives::UnixMillis(now));
    }
}
