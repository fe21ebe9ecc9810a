//! Reading header values that strangers write.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the test's own")]

use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL};
use proptest::prelude::*;
use x402::{HEADER_BYTES, HeaderFault, PaymentRequired, ResourceInfo, decode, decode_payment, encode};

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

proptest! {
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
