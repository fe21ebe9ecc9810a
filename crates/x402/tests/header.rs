//! Reading header values that strangers write.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the test's own")]

use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL};
use proptest::prelude::*;
use serde_json::{Map, Value};
use x402::{
    HEADER_BYTES, HeaderFault, PaymentPayload, PaymentRequired, PaymentRequirements, ResourceInfo,
    SettleResponse, decode, decode_payment, encode,
};

fn fault(value: &str) -> HeaderFault {
    decode_payment(value).unwrap_err()
}

#[test]
fn each_kind_of_damage_is_told_apart() {
    assert_eq!(fault(&"A".repeat(HEADER_BYTES + 4)), HeaderFault::TooLong(HEADER_BYTES + 4));
    assert_eq!(fault("not base64!"), HeaderFault::NotBase64);
    assert_eq!(fault(&BASE64_NOPAD.encode(b"{}")), HeaderFault::NotBase64);
    // These bytes need + and / in the standard alphabet, - and _ in the other.
    assert_eq!(fault(&BASE64URL.encode(b"\xfb\xff\xff")), HeaderFault::NotBase64);
    assert_eq!(fault(&BASE64.encode(b"\xfb\xff\xff")), HeaderFault::NotJson);
    assert_eq!(fault(&BASE64.encode(b"{")), HeaderFault::NotJson);
    assert_eq!(fault(""), HeaderFault::NotJson);
    let missing = Some("x402Version".to_owned());
    assert_eq!(fault(&BASE64.encode(b"{}")), HeaderFault::NotExpected { missing });
    let wrong_type = br#"{"x402Version":"two"}"#;
    assert_eq!(fault(&BASE64.encode(wrong_type)), HeaderFault::NotExpected { missing: None });
}

/// S4: a fault's text may be logged; the value that it is about may not.
#[test]
fn no_fault_repeats_the_value() {
    let values: [&[u8]; 3] = [b"{\"x402Version\":\"c0ffee\"}", b"{\"c0ffee\":1}", b"c0ffee"];
    for value in values {
        assert!(!fault(&BASE64.encode(value)).to_string().contains("c0ffee"));
    }
}

#[test]
fn deep_nesting_is_refused_and_not_followed() {
    let deep = format!("{{\"x402Version\":2,\"extensions\":{{\"a\":{}", "[".repeat(5_000));
    assert_eq!(fault(&BASE64.encode(deep.as_bytes())), HeaderFault::NotJson);
}

/// The bits that padding leaves over must be zero: one message has one text.
#[test]
fn a_value_has_one_text() {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut refused = 0;
    for json in ["1", "12", "{}", "[1]", "\"a\"", "null"] {
        let text = BASE64.encode(json.as_bytes());
        assert!(decode::<Value>(&text).is_ok());
        let last = text.trim_end_matches('=').len() - 1;
        let others = ALPHABET.iter().map(|letter| char::from(*letter));
        for other in others.filter(|letter| !text[last..].starts_with(*letter)) {
            let mut twin = text.clone();
            twin.replace_range(last..=last, &other.to_string());
            let same_bytes = data_encoding::BASE64_NOPAD.decode(twin.trim_end_matches('=').as_bytes());
            let is_twin = text.ends_with('=') && same_bytes.is_err();
            assert!(!is_twin || decode::<Value>(&twin) == Err(HeaderFault::NotBase64), "{twin}");
            refused += usize::from(is_twin);
        }
    }
    assert!(refused > 100, "{refused}");
    for damaged in ["e30", "e30==", "e3 0=", "e30=\n", " e30=", "e30=e30=", "MQ==MQ==", "e30=====", "===="] {
        assert_eq!(fault(damaged), HeaderFault::NotBase64, "{damaged:?}");
    }
}

/// Any JSON, except for fractions: their text is theirs to choose.
fn any_object() -> impl Strategy<Value = Map<String, Value>> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,9}".prop_map(Value::from),
    ];
    let any_json = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,5}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    });
    prop::collection::btree_map(".{0,5}", any_json, 0..4).prop_map(|fields| fields.into_iter().collect())
}

prop_compose! {
    fn any_payment()(
        words in prop::array::uniform5(".{0,12}"),
        max_timeout_seconds in any::<u64>(),
        extra in prop::option::of(any_object()),
        payload in any_object(),
        extensions in prop::option::of(any_object()),
        tags in prop::option::of(prop::collection::vec(".{0,5}", 0..3)),
    ) -> PaymentPayload {
        let [scheme, network, amount, asset, pay_to] = words;
        let resource = ResourceInfo { url: scheme.clone(), tags, ..ResourceInfo::default() };
        PaymentPayload {
            x402_version: 2,
            resource: extra.is_some().then_some(resource),
            accepted: PaymentRequirements { scheme, network, amount, asset, pay_to, max_timeout_seconds, extra },
            payload,
            extensions,
        }
    }
}

proptest! {
    #[test]
    fn a_payment_is_what_it_was(payment in any_payment()) {
        let value = encode(&payment).unwrap();
        if value.len() <= HEADER_BYTES {
            prop_assert_eq!(decode_payment(&value).unwrap(), payment);
        }
    }

    #[test]
    fn a_receipt_is_what_it_was(
        success in any::<bool>(),
        transaction in ".{0,20}",
        amount in prop::option::of("[0-9]{1,20}"),
        extra in prop::option::of(any_object()),
    ) {
        let receipt = SettleResponse { success, transaction, amount, extra, ..SettleResponse::default() };
        let value = encode(&receipt).unwrap();
        if value.len() <= HEADER_BYTES {
            prop_assert_eq!(decode::<SettleResponse>(&value).unwrap(), receipt);
        }
    }

    #[test]
    fn what_is_read_is_canonical(text in "([0-9]{2}==|MQ==|MTI=|MTIz|[A-Za-z0-9+/=]{4}){0,5}") {
        if decode::<Value>(&text).is_ok() {
            let bytes = BASE64.decode(text.as_bytes()).unwrap();
            prop_assert_eq!(BASE64.encode(&bytes), text);
        }
    }

    #[test]
    fn no_text_makes_decoding_panic(text in ".{0,300}", bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = decode_payment(&text);
        let _ = decode_payment(&BASE64.encode(&bytes));
    }

    #[test]
    fn any_text_survives_the_header(
        description in prop::collection::vec(any::<char>(), 0..80),
        title in prop::collection::vec(prop::sample::select(&['🛠', '🎉', '\u{fe0f}', 'é', '漢', '\0', '\n', '"', '\\'][..]), 0..20),
    ) {
        let description: String = description.into_iter().collect();
        let title: String = title.into_iter().collect();
        let required = PaymentRequired {
            x402_version: 2,
            error: Some(title.clone()),
            resource: ResourceInfo { url: title, description: Some(description), ..ResourceInfo::default() },
            accepts: Vec::new(),
            extensions: None,
        };
        let value = encode(&required).unwrap();
        prop_assert!(value.bytes().all(|byte| byte.is_ascii_graphic()));
        if value.len() <= HEADER_BYTES {
            prop_assert_eq!(decode::<PaymentRequired>(&value).unwrap(), required);
        }
    }
}
