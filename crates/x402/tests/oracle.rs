//! What we write must be read by another implementation, one that refuses every field it does not know.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use r402_protocol::{ErrorReason, payment as other};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use x402::{
    ChainReason, InvalidReason, PaymentPayload, PaymentRequired, SettleResponse, SupportedKind,
    SupportedResponse, VerifyResponse,
    bazaar::{self, Declaration, Input, QueryMethod},
    payment_identifier,
};

fn read_by_other<T: DeserializeOwned>(message: &impl Serialize) -> T {
    serde_json::from_value(serde_json::to_value(message).unwrap()).unwrap()
}

fn simulated() -> Option<Map<String, Value>> {
    Some(Map::from_iter([("simulated".to_owned(), json!(true))]))
}

#[test]
fn challenge_and_payment() {
    let exchange: Value =
        serde_json::from_str(include_str!("../../../tests/vectors/x402_payload.json")).unwrap();
    let required: PaymentRequired = serde_json::from_value(exchange["paymentRequired"].clone()).unwrap();
    let read: other::PaymentRequired = read_by_other(&required);
    assert_eq!(read.accepts.len(), 1);
    let payment: PaymentPayload = serde_json::from_value(exchange["paymentPayload"].clone()).unwrap();
    let read: other::PaymentPayload<other::PaymentRequirements, Value> = read_by_other(&payment);
    assert_eq!(read.accepted.amount, "10000");
}

#[test]
fn every_settle_answer() {
    let settled = SettleResponse {
        success: true,
        transaction: "0xab".to_owned(),
        network: "eip155:84532".to_owned(),
        extra: simulated(),
        ..SettleResponse::default()
    };
    assert!(read_by_other::<other::SettleResponse>(&settled).is_success());
    for (reason, transaction) in [("insufficient_funds", ""), ("settlement_pending", "0xab")] {
        let failed = SettleResponse {
            success: false,
            error_reason: Some(reason.to_owned()),
            error_message: Some("Why.".to_owned()),
            transaction: transaction.to_owned(),
            ..settled.clone()
        };
        assert!(!read_by_other::<other::SettleResponse>(&failed).is_success());
    }
}

#[test]
fn verify_and_supported_answers() {
    let valid =
        VerifyResponse { is_valid: true, payer: Some("0xab".to_owned()), ..VerifyResponse::default() };
    let read: other::VerifyResponse = read_by_other(&valid);
    assert!(matches!(read, other::VerifyResponse::Valid { .. }));
    let invalid = VerifyResponse {
        is_valid: false,
        invalid_reason: Some("invalid_exact_evm_signature".to_owned()),
        invalid_message: Some("Why.".to_owned()),
        ..VerifyResponse::default()
    };
    let read: other::VerifyResponse = read_by_other(&invalid);
    assert!(matches!(read, other::VerifyResponse::Invalid { .. }));
    let kind = SupportedKind {
        x402_version: 2,
        scheme: "exact".to_owned(),
        network: "eip155:84532".to_owned(),
        extra: simulated(),
    };
    let supported = SupportedResponse { kinds: vec![kind], ..SupportedResponse::default() };
    let read: other::SupportedResponse = read_by_other(&supported);
    assert_eq!(read.kinds.len(), 1);
}

#[test]
fn extensions_in_a_challenge() {
    let exchange: Value =
        serde_json::from_str(include_str!("../../../tests/vectors/x402_payload.json")).unwrap();
    let mut required: PaymentRequired = serde_json::from_value(exchange["paymentRequired"].clone()).unwrap();
    let input = Input::Query { method: QueryMethod::Get, example: Map::new(), schema: Map::new() };
    let discovery = Declaration { input, output: None, route: None }.to_value();
    required.extensions = Some(Map::from_iter([
        (payment_identifier::NAME.to_owned(), payment_identifier::declare()),
        (bazaar::NAME.to_owned(), discovery.clone()),
    ]));
    let read: other::PaymentRequired = read_by_other(&required);
    let entry = |name| read.extensions.get(name).unwrap();
    assert_eq!(entry(payment_identifier::NAME).as_info(), Some(&json!({ "required": false })));
    assert_eq!(entry(bazaar::NAME).as_info(), Some(&discovery["info"]));
    assert_eq!(entry(bazaar::NAME).as_schema(), Some(&discovery["schema"]));
    assert!(!other::schema_has_external_ref(&discovery));
}

/// Where the specification has a word (section 9), the other implementation knows ours.
#[test]
fn codes_of_the_specification() {
    let known = |code: &str| !matches!(ErrorReason::from_wire(code), ErrorReason::Custom(_));
    for reason in [
        InvalidReason::Version(1),
        InvalidReason::Payload { field: "payload" },
        InvalidReason::Requirements { field: "amount" },
        InvalidReason::Expired,
        InvalidReason::NotYet,
        InvalidReason::Value,
        InvalidReason::ExtensionEcho { extension: String::new() },
        ChainReason::InsufficientFunds.into(),
    ] {
        assert!(known(reason.code()), "{}", reason.code());
    }
}
