//! The stages of a facilitator with a chain, and of a server in front of one.

use eip712::{SignatureFault, TransferWithAuthorization};
use serde_json::json;
use x402::{Checked, InvalidReason, PayerAccount, Proof, check, verify, verify_for_chain};

use crate::cast::{NOW, edited, payment, requirements, resigned, signed_with, signer, wrapped};

fn checked(signature: &[u8]) -> Checked {
    check(&requirements(), &signed_with(signature)).unwrap()
}

fn own_signature() -> Vec<u8> {
    check(&requirements(), &payment()).unwrap().signature().to_vec()
}

#[test]
fn the_stages_of_an_ordinary_account_are_verify() {
    let checked = check(&requirements(), &payment()).unwrap();
    let authorized = checked.signed_by(PayerAccount::WithoutCode).unwrap().authorize(NOW).unwrap();
    assert_eq!(verify(&requirements(), &payment(), NOW), Ok(authorized.clone()));
    assert_eq!(verify_for_chain(&requirements(), &payment(), NOW), Ok(authorized.clone()));
    assert_eq!(checked.payment_id(), authorized.payment_id());
    assert_eq!(checked.network(), "eip155:84532");
    assert_eq!((checked.domain().name.as_str(), checked.domain().version.as_str()), ("USDC", "2"));
    assert_eq!(checked.domain().verifying_contract, authorized.asset);
    assert_eq!(checked.transfer().from, authorized.payer);
    assert_eq!(checked.transfer().digest(checked.domain()), checked.digest());
}

#[test]
fn an_account_without_code_must_have_signed_itself() {
    let signed_by = |signature: &[u8]| checked(signature).signed_by(PayerAccount::WithoutCode).map(|_| ());
    assert_eq!(signed_by(&own_signature()), Ok(()));
    assert_eq!(signed_by(&[1; 96]), Err(InvalidReason::Signature(SignatureFault::Length(96))));
    let mut other = own_signature();
    other[40] ^= 1;
    assert!(signed_by(&other).is_err());
    // Even around a signature that recovers to the payer: whoever wraps asks for the factory.
    assert_eq!(signed_by(&wrapped(&own_signature())), Err(InvalidReason::FactoryNotAllowed));
}

#[test]
fn an_account_with_code_is_believed_when_it_vouches_and_only_then() {
    for signature in [vec![], vec![1; 65], vec![1; 200], own_signature(), wrapped(&[2; 100])] {
        let checked = checked(&signature);
        let vouched = checked.signed_by(PayerAccount::Vouches).unwrap().authorize(NOW).unwrap();
        assert_eq!(vouched.proof, Proof::Vouched);
        // The key of a delegated account does not count against its code.
        assert_eq!(checked.signed_by(PayerAccount::Denies), Err(InvalidReason::OtherSigner));
    }
    let late = resigned(|transfer| transfer.valid_before = transfer.valid_after);
    let late = check(&requirements(), &late).unwrap();
    assert_eq!(late.signed_by(PayerAccount::Vouches).unwrap().authorize(NOW), Err(InvalidReason::Expired));
}

#[test]
fn what_is_wrapped_around_a_signature_is_taken_off() {
    for length in [0, 1, 31, 32, 65, 300] {
        let inner = vec![7; length];
        assert_eq!(checked(&wrapped(&inner)).signature(), inner);
        assert_eq!(checked(&inner).signature(), inner);
    }
}

#[test]
fn a_damaged_wrapper_is_no_signature() {
    let good = wrapped(&[7; 65]);
    let damaged = |place: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[place] = byte;
        check(&requirements(), &signed_with(&bytes)).err()
    };
    let malformed = Some(InvalidReason::Payload { field: "payload.signature" });
    // The offset of the third value, in its high and low bytes, and the length at that offset.
    assert_eq!(damaged(64, 0xff), malformed);
    assert_eq!(damaged(88, 0xff), malformed);
    assert_eq!(damaged(94, 0x10), malformed);
    assert_eq!(damaged(160, 0x01), malformed);
    assert_eq!(damaged(190, 0x01), malformed);
    let suffix_alone = signed_with(&[0x64, 0x92].repeat(16));
    assert_eq!(check(&requirements(), &suffix_alone).err(), malformed);
}

/// S2: a signature that only the chain can judge is marked as such, and believed nowhere else.
#[test]
fn s2_a_contracts_signature_stays_open_before_the_chain() {
    let open = |signature: &[u8]| verify_for_chain(&requirements(), &signed_with(signature), NOW);
    // A contract may take a signature of any length and form.
    for signature in [vec![], vec![1; 64], vec![1; 65], vec![1; 200], wrapped(&[1; 65])] {
        let authorized = open(&signature).unwrap();
        assert_eq!(authorized.proof, Proof::Open);
        assert_eq!(authorized.payer, signer().address());
        assert!(verify(&requirements(), &signed_with(&signature), NOW).is_err());
    }
    let refused = verify(&requirements(), &signed_with(&wrapped(&own_signature())), NOW);
    assert_eq!(refused, Err(InvalidReason::ContractSignature));
}

#[test]
fn all_but_the_signature_is_judged_before_the_chain() {
    let refusal = |change: fn(&mut TransferWithAuthorization)| {
        let mut payment = resigned(change);
        payment.payload["signature"] = json!(format!("0x{}", "01".repeat(100)));
        verify_for_chain(&requirements(), &payment, NOW).unwrap_err()
    };
    assert_eq!(refusal(|transfer| transfer.to = transfer.from), InvalidReason::Recipient);
    assert_eq!(refusal(|transfer| transfer.valid_before = transfer.valid_after), InvalidReason::Expired);
    assert_eq!(refusal(|transfer| transfer.valid_after = transfer.valid_before), InvalidReason::NotYet);
    assert_eq!(refusal(|transfer| transfer.value = transfer.valid_before), InvalidReason::Value);
    let malformed = edited("/payload/signature", json!("0x1"));
    assert!(verify_for_chain(&requirements(), &malformed, NOW).is_err());
}
