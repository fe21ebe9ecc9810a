//! A 402 and a payment that the official TypeScript client really made (see the file's `about`).
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the test's own")]

use primitives::UnixMillis;
use serde::Deserialize;
use serde_json::Value;
use x402::{InvalidReason, PaymentPayload, PaymentRequired, decode, decode_payment, encode, verify};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Exchange {
    now: UnixMillis,
    payer: String,
    payment_required: Value,
    payment_payload: Value,
    payment_required_header: String,
    payment_signature_header: String,
}

fn exchange() -> Exchange {
    serde_json::from_str(include_str!("../../../tests/vectors/x402_payload.json")).unwrap()
}

#[test]
fn its_payment_is_authorized_until_the_margin() {
    let exchange = exchange();
    let required: PaymentRequired = decode(&exchange.payment_required_header).unwrap();
    let payment = decode_payment(&exchange.payment_signature_header).unwrap();
    let requirements = required.accepts.first().unwrap();
    let judge = |seconds_later: u64| {
        verify(requirements, &payment, UnixMillis(exchange.now.0 + seconds_later * 1_000))
    };
    assert_eq!(judge(0).unwrap().payer.to_string(), exchange.payer);
    assert!(judge(300 - 6).is_ok());
    assert_eq!(judge(300 - 5), Err(InvalidReason::Expired));
}

#[test]
fn nothing_is_lost_between_its_json_and_ours() {
    let exchange = exchange();
    let required: PaymentRequired = decode(&exchange.payment_required_header).unwrap();
    let payment: PaymentPayload = decode(&exchange.payment_signature_header).unwrap();
    assert_eq!(serde_json::to_value(&required).unwrap(), exchange.payment_required);
    assert_eq!(serde_json::to_value(&payment).unwrap(), exchange.payment_payload);
    assert_eq!(decode::<PaymentRequired>(&encode(&required).unwrap()).unwrap(), required);
}
