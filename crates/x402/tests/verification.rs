//! What is paid, what is refused, and with which code.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the test's own")]

use eip712::{B256, Domain, Signer, TransferWithAuthorization, U256};
use primitives::UnixMillis;
use serde_json::{Value, json};
use x402::{Authorized, InvalidReason, PaymentPayload, PaymentRequirements, sign_exact, verify};

const NOW: UnixMillis = UnixMillis(1_764_513_008_000);
const NOW_SECONDS: u64 = 1_764_513_008;

fn signer() -> Signer {
    Signer::from_bytes(&[0x11; 32]).unwrap()
}

fn requirements() -> PaymentRequirements {
    serde_json::from_value(json!({
        "scheme": "exact",
        "network": "eip155:84532",
        "amount": "10000",
        "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
        "maxTimeoutSeconds": 300,
        "extra": { "name": "USDC", "version": "2" },
    }))
    .unwrap()
}

fn payment() -> PaymentPayload {
    sign_exact(&requirements(), &signer(), [0xab; 32], NOW, None).unwrap()
}

fn judge(payment: &PaymentPayload) -> Result<Authorized, InvalidReason> {
    verify(&requirements(), payment, NOW)
}

/// The payment with one place of its JSON replaced; the signature stays what it was.
fn edited(pointer: &str, value: Value) -> PaymentPayload {
    let mut json = serde_json::to_value(payment()).unwrap();
    *json.pointer_mut(pointer).unwrap() = value;
    serde_json::from_value(json).unwrap()
}

/// A payment over changed values, properly signed by the payer.
fn resigned(change: impl FnOnce(&mut TransferWithAuthorization)) -> PaymentPayload {
    let mut transfer = TransferWithAuthorization {
        from: signer().address(),
        to: requirements().pay_to.parse().unwrap(),
        value: U256::from(10_000),
        valid_after: U256::ZERO,
        valid_before: U256::from(NOW_SECONDS + 300),
        nonce: B256::repeat_byte(0xab),
    };
    change(&mut transfer);
    let domain = Domain {
        name: "USDC".to_owned(),
        version: "2".to_owned(),
        chain_id: 84532,
        verifying_contract: requirements().asset.parse().unwrap(),
    };
    let signature = format!("0x{}", hex::encode(signer().sign(transfer.digest(&domain))));
    let mut payment = payment();
    let payload = json!({
        "signature": signature,
        "authorization": {
            "from": transfer.from.to_string(),
            "to": transfer.to.to_string(),
            "value": transfer.value.to_string(),
            "validAfter": transfer.valid_after.to_string(),
            "validBefore": transfer.valid_before.to_string(),
            "nonce": transfer.nonce.to_string(),
        },
    });
    payment.payload = serde_json::from_value(payload).unwrap();
    payment
}

#[test]
fn a_payment_of_the_exact_amount_is_authorized() {
    let authorized = judge(&payment()).unwrap();
    assert_eq!(x402::identify(&requirements(), &payment()), Ok(authorized.payment_id()));
    assert_eq!(authorized.payer, signer().address());
    assert_eq!(authorized.nonce, [0xab; 32]);
    assert_eq!(authorized.network, "eip155:84532");
    assert_eq!(authorized.value.0, 10_000);
    assert_eq!((authorized.valid_after, authorized.valid_before), (0, NOW_SECONDS + 300));
    assert_eq!(authorized.payment_id(), judge(&resigned(|_| ())).unwrap().payment_id());
    let other = judge(&resigned(|transfer| transfer.nonce = B256::repeat_byte(1))).unwrap();
    assert_ne!(authorized.payment_id(), other.payment_id());
}

#[test]
fn each_fault_has_its_code() {
    let code = |payment: &PaymentPayload| judge(payment).unwrap_err().code();
    let terms = "invalid_payment_requirements";
    let malformed = "invalid_payload";
    let signature = "invalid_exact_evm_signature";
    let cases = [
        ("/x402Version", json!(1), "invalid_x402_version"),
        ("/accepted/scheme", json!("upto"), "invalid_exact_evm_scheme"),
        ("/accepted/network", json!("eip155:8453"), "invalid_exact_evm_network_mismatch"),
        ("/accepted/amount", json!("1"), terms),
        ("/accepted/amount", json!("010000"), terms),
        ("/accepted/asset", json!("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"), terms),
        ("/accepted/payTo", json!("0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"), terms),
        ("/accepted/maxTimeoutSeconds", json!(301), terms),
        ("/accepted/extra/name", json!("USD Coin"), terms),
        ("/payload", json!({}), malformed),
        ("/payload/signature", json!(7), malformed),
        ("/payload/signature", json!("0xzz"), malformed),
        ("/payload/authorization/value", json!(10000), malformed),
        ("/payload/authorization/value", json!("0x2710"), malformed),
        ("/payload/authorization/value", json!("010000"), malformed),
        ("/payload/authorization/value", json!("+10000"), malformed),
        ("/payload/authorization/value", json!("9".repeat(78)), malformed),
        ("/payload/authorization/validAfter", json!(""), malformed),
        ("/payload/authorization/nonce", json!("0xab"), malformed),
        ("/payload/authorization/from", json!("19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"), malformed),
        ("/payload/signature", json!("0x"), signature),
        ("/payload/authorization/value", json!("10001"), signature),
    ];
    for (pointer, value, expected) in cases {
        assert_eq!(code(&edited(pointer, value.clone())), expected, "{pointer} = {value}");
    }
}

#[test]
fn a_contract_accounts_signature_is_refused_and_says_so() {
    let long = format!("0x{}", "ab".repeat(96));
    let refusal = judge(&edited("/payload/signature", json!(long))).unwrap_err();
    assert_eq!(refusal, InvalidReason::ContractSignature);
    assert_eq!(refusal.code(), "invalid_exact_evm_signature");
    assert!(refusal.to_string().contains("ERC-1271"));
}

#[test]
fn well_signed_payments_of_something_else_are_refused() {
    let refusal = |change: fn(&mut TransferWithAuthorization)| judge(&resigned(change)).unwrap_err();
    assert_eq!(refusal(|transfer| transfer.to = transfer.from), InvalidReason::Recipient);
    assert_eq!(refusal(|transfer| transfer.value = U256::from(9_999)), InvalidReason::Value);
    assert_eq!(refusal(|transfer| transfer.value = U256::from(10_001)), InvalidReason::Value);
    assert_eq!(refusal(|transfer| transfer.value = U256::MAX), InvalidReason::Value);
    assert_eq!(refusal(|transfer| transfer.from = transfer.to), InvalidReason::OtherSigner);
}

#[test]
fn the_window_is_exact_to_the_second() {
    let before = |end: U256| judge(&resigned(|transfer| transfer.valid_before = end));
    let at = |seconds: u64| U256::from(NOW_SECONDS + seconds);
    assert_eq!(before(at(5)), Err(InvalidReason::Expired));
    assert!(before(at(6)).is_ok());
    assert!(before(at(300 + 600)).is_ok());
    assert_eq!(before(at(300 + 601)), Err(InvalidReason::TooLong));
    assert_eq!(before(U256::MAX), Err(InvalidReason::TooLong));

    let after = |start: U256| judge(&resigned(|transfer| transfer.valid_after = start));
    assert!(after(at(0)).is_ok());
    assert_eq!(after(at(1)), Err(InvalidReason::NotYet));
    assert_eq!(after(U256::MAX), Err(InvalidReason::NotYet));
}

#[test]
fn a_client_may_add_to_extra_or_leave_it_out() {
    let mut payment = payment();
    payment.accepted.extra = None;
    assert!(judge(&payment).is_ok());
    let added = json!({ "name": "USDC", "version": "2", "note": 1 });
    assert!(judge(&edited("/accepted/extra", added)).is_ok());
    assert!(judge(&edited("/accepted/asset", json!("0x036cbd53842c5426634e7929541ec2318f3dcf7e"))).is_ok());
}

#[test]
fn requirements_that_cannot_be_met_are_refused_before_the_payment_is_looked_at() {
    let changed = |pointer: &str, value: Value| {
        let mut json = serde_json::to_value(requirements()).unwrap();
        *json.pointer_mut(pointer).unwrap() = value;
        let requirements = serde_json::from_value(json).unwrap();
        let unsigned = sign_exact(&requirements, &signer(), [0; 32], NOW, None).unwrap_err();
        assert_eq!(verify(&requirements, &payment(), NOW), Err(unsigned.clone()), "{pointer}");
        unsigned.code()
    };
    let malformed = "invalid_payment_requirements";
    let domain = "invalid_exact_evm_missing_eip712_domain";
    assert_eq!(changed("/scheme", json!("upto")), "invalid_exact_evm_scheme");
    assert_eq!(changed("/extra", json!(null)), domain);
    assert_eq!(changed("/extra/version", json!(2)), domain);
    assert_eq!(changed("/network", json!("solana:mainnet")), malformed);
    assert_eq!(changed("/network", json!("eip155:084532")), malformed);
    assert_eq!(changed("/asset", json!("USDC")), malformed);
    assert_eq!(changed("/payTo", json!("0x12")), malformed);
    assert_eq!(changed("/amount", json!("0.01")), malformed);
    assert_eq!(changed("/maxTimeoutSeconds", json!(0)), malformed);
    let permit2 = json!({ "name": "USDC", "version": "2", "assetTransferMethod": "permit2" });
    assert_eq!(changed("/extra", permit2), malformed);
    let splits = json!({ "name": "USDC", "version": "2", "splits": [{ "payTo": "x" }] });
    assert_eq!(changed("/extra", splits), malformed);
}

#[test]
fn messages_are_sentences() {
    for reason in [
        InvalidReason::Version(1),
        InvalidReason::Payload { field: "payload.signature" },
        InvalidReason::Contradiction { field: "amount" },
        InvalidReason::Signature(eip712::SignatureFault::HighS),
        InvalidReason::Expired,
        InvalidReason::TooLong,
    ] {
        let text = reason.to_string();
        assert!(text.starts_with("The payment") && text.ends_with('.'), "{text}");
    }
}
