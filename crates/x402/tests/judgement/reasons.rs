//! Each reason, and what causes it.

use std::collections::BTreeSet;

use eip712::{SignatureFault, U256};
use serde_json::{Value, json};
use x402::{
    ChainReason, InvalidReason, PayerAccount, PaymentPayload, PaymentRequirements, check, check_echo, verify,
};

use crate::cast::{NOW, NOW_SECONDS, edited, payment, requirements, resigned, signed_with, signer, wrapped};

const CHAIN_REASONS: [ChainReason; 10] = [
    ChainReason::AssetNotContract,
    ChainReason::NotEip3009,
    ChainReason::TokenName,
    ChainReason::TokenVersion,
    ChainReason::InsufficientFunds,
    ChainReason::SimulationFailed,
    ChainReason::GasCost,
    ChainReason::GasBudget,
    ChainReason::TransactionFailed,
    ChainReason::TransferEventMismatch,
];

fn refusal(payment: &PaymentPayload) -> InvalidReason {
    verify(&requirements(), payment, NOW).unwrap_err()
}

fn refusal_under(pointer: &str, value: Value) -> InvalidReason {
    let mut json = serde_json::to_value(requirements()).unwrap();
    *json.pointer_mut(pointer).unwrap() = value;
    let requirements: PaymentRequirements = serde_json::from_value(json).unwrap();
    verify(&requirements, &payment(), NOW).unwrap_err()
}

fn refused_echo() -> InvalidReason {
    let extensions = |required: bool| {
        let block = json!({ "payment-identifier": { "info": { "required": required } } });
        block.as_object().unwrap().clone()
    };
    check_echo(Some(&extensions(false)), Some(&extensions(true))).unwrap_err()
}

/// Every reason once, with the code that travels and what causes it.
fn table() -> Vec<(InvalidReason, &'static str, InvalidReason)> {
    let undeployed = || {
        let checked = check(&requirements(), &signed_with(&wrapped(&[1; 65]))).unwrap();
        checked.signed_by(PayerAccount::WithoutCode).unwrap_err()
    };
    let other = || signer().address();
    vec![
        (InvalidReason::Version(1), "invalid_x402_version", refusal(&edited("/x402Version", json!(1)))),
        (
            InvalidReason::Requirements { field: "payTo" },
            "invalid_payment_requirements",
            refusal_under("/payTo", json!("0x12")),
        ),
        (
            InvalidReason::Payload { field: "payload.authorization" },
            "invalid_payload",
            refusal(&edited("/payload", json!({}))),
        ),
        (
            InvalidReason::Scheme,
            "invalid_exact_evm_scheme",
            refusal(&edited("/accepted/scheme", json!("upto"))),
        ),
        (
            InvalidReason::MissingDomain,
            "invalid_exact_evm_missing_eip712_domain",
            refusal_under("/extra/name", json!("")),
        ),
        (
            InvalidReason::Network,
            "invalid_exact_evm_network_mismatch",
            refusal(&edited("/accepted/network", json!("eip155:8453"))),
        ),
        (
            InvalidReason::Contradiction { field: "amount" },
            "invalid_payment_requirements",
            refusal(&edited("/accepted/amount", json!("1"))),
        ),
        (
            InvalidReason::Signature(SignatureFault::Length(64)),
            "invalid_exact_evm_signature",
            refusal(&signed_with(&[1; 64])),
        ),
        (InvalidReason::ContractSignature, "invalid_exact_evm_signature", refusal(&signed_with(&[1; 66]))),
        (InvalidReason::FactoryNotAllowed, "eip6492_factory_not_allowed", undeployed()),
        (
            InvalidReason::OtherSigner,
            "invalid_exact_evm_signature",
            refusal(&edited("/payload/authorization/value", json!("10001"))),
        ),
        (
            InvalidReason::Recipient,
            "invalid_exact_evm_recipient_mismatch",
            refusal(&resigned(|transfer| transfer.to = other())),
        ),
        (
            InvalidReason::Expired,
            "invalid_exact_evm_payload_authorization_valid_before",
            refusal(&resigned(|transfer| transfer.valid_before = U256::from(NOW_SECONDS + 5))),
        ),
        (
            InvalidReason::TooLong,
            "invalid_exact_evm_payload_authorization_valid_before",
            refusal(&resigned(|transfer| transfer.valid_before = U256::MAX)),
        ),
        (
            InvalidReason::NotYet,
            "invalid_exact_evm_payload_authorization_valid_after",
            refusal(&resigned(|transfer| transfer.valid_after = U256::from(NOW_SECONDS + 1))),
        ),
        (
            InvalidReason::Value,
            "invalid_exact_evm_payload_authorization_value_mismatch",
            refusal(&resigned(|transfer| transfer.value = U256::from(10_001))),
        ),
        // The next one and the last come from whoever keeps nonces, and from the chain.
        (InvalidReason::NonceUsed, "invalid_exact_evm_nonce_already_used", InvalidReason::NonceUsed),
        (
            InvalidReason::ExtensionEcho { extension: "payment-identifier".to_owned() },
            "extension_echo_mismatch",
            refused_echo(),
        ),
        (
            InvalidReason::Chain(ChainReason::InsufficientFunds),
            "insufficient_funds",
            ChainReason::InsufficientFunds.into(),
        ),
    ]
}

#[test]
fn each_reason_has_its_cause_and_its_code() {
    let table = table();
    for (expected, code, caused) in &table {
        assert_eq!(caused, expected);
        assert_eq!(caused.code(), *code);
    }
    let kinds: BTreeSet<usize> = table.iter().map(|(reason, ..)| place(reason)).collect();
    assert_eq!(kinds.len(), table.len(), "a reason stands twice in the table");
    assert_eq!(kinds.last(), Some(&(table.len() - 1)), "a reason is missing from the table");
}

/// A new reason does not compile before it has a place, and with a place it must stand in the table.
fn place(reason: &InvalidReason) -> usize {
    match reason {
        InvalidReason::Version(_) => 0,
        InvalidReason::Requirements { .. } => 1,
        InvalidReason::Payload { .. } => 2,
        InvalidReason::Scheme => 3,
        InvalidReason::MissingDomain => 4,
        InvalidReason::Network => 5,
        InvalidReason::Contradiction { .. } => 6,
        InvalidReason::Signature(_) => 7,
        InvalidReason::ContractSignature => 8,
        InvalidReason::FactoryNotAllowed => 9,
        InvalidReason::OtherSigner => 10,
        InvalidReason::Recipient => 11,
        InvalidReason::Expired => 12,
        InvalidReason::TooLong => 13,
        InvalidReason::NotYet => 14,
        InvalidReason::Value => 15,
        InvalidReason::NonceUsed => 16,
        InvalidReason::ExtensionEcho { .. } => 17,
        InvalidReason::Chain(_) => 18,
    }
}

#[test]
fn the_chains_reasons_have_codes_of_their_own() {
    let codes: BTreeSet<&str> = CHAIN_REASONS.into_iter().map(ChainReason::code).collect();
    assert_eq!(codes.len(), CHAIN_REASONS.len());
    assert!(codes.contains("asset_not_deployed_contract"));
    assert!(codes.contains("invalid_exact_evm_transfer_event_mismatch"));
}

#[test]
fn messages_are_sentences_about_the_payment() {
    let reasons = table().into_iter().map(|(reason, ..)| reason);
    for reason in reasons.chain(CHAIN_REASONS.map(InvalidReason::Chain)) {
        let text = reason.to_string();
        assert!(text.starts_with("The payment") && text.ends_with('.'), "{text}");
    }
}

#[test]
fn each_field_is_named_when_it_is_at_fault() {
    let payload = |field| InvalidReason::Payload { field };
    let terms = |field| InvalidReason::Contradiction { field };
    let cases = [
        ("/accepted/amount", json!("1"), terms("amount")),
        ("/accepted/amount", json!("010000"), terms("amount")),
        ("/accepted/asset", json!("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"), terms("asset")),
        ("/accepted/asset", json!("USDC"), terms("asset")),
        ("/accepted/payTo", json!("0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"), terms("payTo")),
        ("/accepted/maxTimeoutSeconds", json!(301), terms("maxTimeoutSeconds")),
        ("/accepted/extra/name", json!("USD Coin"), terms("extra")),
        ("/accepted/extra/version", json!(2), terms("extra")),
        ("/payload/signature", json!(7), payload("payload.signature")),
        ("/payload/signature", json!("0xzz"), payload("payload.signature")),
        ("/payload/signature", json!("abab"), payload("payload.signature")),
        ("/payload/authorization", json!([]), payload("payload.authorization")),
        ("/payload/authorization/from", json!(null), payload("payload.authorization.from")),
        (
            "/payload/authorization/from",
            json!("19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"),
            payload("payload.authorization.from"),
        ),
        ("/payload/authorization/to", json!("0x"), payload("payload.authorization.to")),
        ("/payload/authorization/value", json!(10_000), payload("payload.authorization.value")),
        ("/payload/authorization/value", json!("0x2710"), payload("payload.authorization.value")),
        ("/payload/authorization/value", json!("010000"), payload("payload.authorization.value")),
        ("/payload/authorization/value", json!("+10000"), payload("payload.authorization.value")),
        ("/payload/authorization/value", json!("9".repeat(78)), payload("payload.authorization.value")),
        ("/payload/authorization/validAfter", json!(""), payload("payload.authorization.validAfter")),
        ("/payload/authorization/validBefore", json!("1e9"), payload("payload.authorization.validBefore")),
        ("/payload/authorization/nonce", json!("0xab"), payload("payload.authorization.nonce")),
        ("/payload/signature", json!("0x"), InvalidReason::Signature(SignatureFault::Length(0))),
    ];
    for (pointer, value, expected) in cases {
        assert_eq!(refusal(&edited(pointer, value.clone())), expected, "{pointer} = {value}");
    }
    for field in ["from", "to", "value", "validAfter", "validBefore", "nonce"] {
        let mut payment = payment();
        payment.payload["authorization"].as_object_mut().unwrap().remove(field);
        let text = refusal(&payment).to_string();
        assert!(text.contains(&format!("`payload.authorization.{field}`")), "{text}");
    }
}
