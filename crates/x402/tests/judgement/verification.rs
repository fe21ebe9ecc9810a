//! What is paid, and what stands at the edges of that.

use eip712::{B256, TransferWithAuthorization, U256};
use primitives::UnixMillis;
use serde_json::{Value, json};
use x402::{Authorized, InvalidReason, PaymentPayload, Proof, sign_exact, verify};

use crate::cast::{NOW, NOW_SECONDS, edited, payment, requirements, resigned, signer};

fn judge(payment: &PaymentPayload) -> Result<Authorized, InvalidReason> {
    verify(&requirements(), payment, NOW)
}

#[test]
fn a_payment_of_the_exact_amount_is_authorized() {
    let authorized = judge(&payment()).unwrap();
    assert_eq!(x402::identify(&requirements(), &payment()), Ok(authorized.payment_id()));
    assert_eq!(authorized.payer, signer().address());
    assert_eq!(authorized.proof, Proof::Recovered);
    assert_eq!(authorized.nonce, [0xab; 32]);
    assert_eq!(authorized.network, "eip155:84532");
    assert_eq!(authorized.value.0, 10_000);
    assert_eq!((authorized.valid_after, authorized.valid_before), (0, NOW_SECONDS + 300));
    assert_eq!(authorized.payment_id(), judge(&resigned(|_| ())).unwrap().payment_id());
    let other = judge(&resigned(|transfer| transfer.nonce = B256::repeat_byte(1))).unwrap();
    assert_ne!(authorized.payment_id(), other.payment_id());
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
    // Nothing changes within a second.
    for now in [NOW, UnixMillis(NOW.0 + 999)] {
        let judge = |change: &dyn Fn(&mut TransferWithAuthorization)| {
            verify(&requirements(), &resigned(change), now).map(|_| ())
        };
        let before = |end: U256| judge(&|transfer| transfer.valid_before = end);
        let after = |start: U256| judge(&|transfer| transfer.valid_after = start);
        let at = |seconds: u64| U256::from(NOW_SECONDS + seconds);
        assert_eq!(before(U256::ZERO), Err(InvalidReason::Expired));
        assert_eq!(before(at(5)), Err(InvalidReason::Expired));
        assert_eq!(before(at(6)), Ok(()));
        assert_eq!(before(at(7)), Ok(()));
        assert_eq!(before(at(300 + 600)), Ok(()));
        assert_eq!(before(at(300 + 601)), Err(InvalidReason::TooLong));
        assert_eq!(before(U256::MAX), Err(InvalidReason::TooLong));

        assert_eq!(after(U256::from(NOW_SECONDS - 1)), Ok(()));
        assert_eq!(after(at(0)), Ok(()));
        assert_eq!(after(at(1)), Err(InvalidReason::NotYet));
        assert_eq!(after(U256::MAX), Err(InvalidReason::NotYet));
    }
}

#[test]
fn the_order_of_reasons_is_the_reference_facilitators() {
    // Everything is wrong; each repair uncovers the next.
    let all = |transfer: &mut TransferWithAuthorization| {
        transfer.to = transfer.from;
        transfer.valid_before = U256::ZERO;
        transfer.valid_after = U256::MAX;
        transfer.value = U256::ZERO;
    };
    let mut unsigned = resigned(all);
    unsigned.payload["signature"] = payment().payload["signature"].clone();
    assert_eq!(judge(&unsigned), Err(InvalidReason::OtherSigner));
    assert_eq!(judge(&resigned(all)), Err(InvalidReason::Recipient));
    let to = requirements().pay_to.parse().unwrap();
    let repaired = |change: fn(&mut TransferWithAuthorization)| {
        judge(&resigned(|transfer| {
            all(transfer);
            transfer.to = to;
            change(transfer);
        }))
    };
    assert_eq!(repaired(|_| ()), Err(InvalidReason::Expired));
    assert_eq!(
        repaired(|transfer| transfer.valid_before = U256::from(NOW_SECONDS + 300)),
        Err(InvalidReason::NotYet)
    );
    let in_time = |transfer: &mut TransferWithAuthorization| {
        transfer.valid_before = U256::from(NOW_SECONDS + 300);
        transfer.valid_after = U256::ZERO;
    };
    assert_eq!(repaired(in_time), Err(InvalidReason::Value));
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
    let splits = json!({ "name": "USDC", "version": "2", "splits": "all" });
    assert_eq!(changed("/extra", splits), malformed);
    let flow = json!({ "name": "USDC", "version": "2", "paymentFlow": "escrow" });
    assert_eq!(changed("/extra", flow), malformed);
}

#[test]
fn what_says_what_is_the_default_anyway_is_met() {
    let explicit = json!({
        "name": "USDC", "version": "2", "assetTransferMethod": "eip3009", "paymentFlow": "upfront", "splits": [],
    });
    let mut requirements = requirements();
    requirements.extra = Some(serde_json::from_value(explicit).unwrap());
    let payment = sign_exact(&requirements, &signer(), [1; 32], NOW, None).unwrap();
    assert!(verify(&requirements, &payment, NOW).is_ok());
}
