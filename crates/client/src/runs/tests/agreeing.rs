//! Nobody agrees to anything but what is shown: one amount (R2), one wallet (R3).

use serde_json::{Value, json};

use super::cast::*;
use crate::runs::Question;

#[test]
fn a_question_is_taken_when_its_digest_is_of_what_it_shows() {
    let run = run_with(&[]);
    let question = Question::of(&run).unwrap().unwrap();
    assert_eq!((question.confirmation.number, question.requirement.pay_to.as_str()), (2, "sim_deposit_1"));
    // The same without a code, whose text ends in `|-`.
    let without = "42dd9dcb763a05aea6bbe761422c620b6a6e1789d05e74f133392c5218455013";
    let run = run_with(&[
        ("/checkout/pix/payloadDigest", Value::Null),
        ("/payment/confirmation/digest", json!(without)),
    ]);
    assert!(Question::of(&run).unwrap().is_some());
}

#[test]
fn whatever_the_digest_is_made_of_cannot_be_shown_otherwise() {
    let zeros = "0".repeat(64);
    for (place, value) in [
        ("/id", json!("run_baaaaaaaaaaaaaaaaaaaaaaaaa")),
        ("/payment/confirmation/number", json!(3)),
        ("/payment/confirmation/wallet", json!("sim_wallet_2")),
        ("/payment/confirmation/digest", json!(zeros)),
        ("/payment/requirement/asset", json!("solana:x/usdc")),
        ("/payment/requirement/payTo", json!("sim_deposit_2")),
        ("/selectedCandidate/candidateId", json!("shop-2")),
        ("/checkout/quote/capturedAt", json!("2026-11-30T14:25:08.008Z")),
        ("/checkout/pix/payloadDigest", json!(zeros)),
        ("/checkout/pix/payloadDigest", Value::Null),
    ] {
        is_outside(Question::of(&run_with(&[(place, value)])), "of something else");
    }
    for all in [
        &[
            "/payment/confirmation/amountCents",
            "/checkout/pix/amountCents",
            "/checkout/quote/cart/totalCents",
        ][..],
        &["/payment/confirmation/gross", "/payment/requirement/gross"],
    ] {
        for one in all {
            is_outside(Question::of(&run_with(&[(one, json!("2351"))])), "different amounts");
        }
        let edits: Vec<_> = all.iter().map(|place| (*place, json!("2351"))).collect();
        is_outside(Question::of(&run_with(&edits)), "of something else");
    }
}

#[test]
fn what_is_not_there_or_is_no_such_thing_is_not_agreed_to() {
    for place in ["/checkout", "/checkout/pix", "/payment", "/payment/confirmation", "/payment/requirement"] {
        is_outside(Question::of(&run_with(&[(place, Value::Null)])), "missing");
    }
    for (place, value) in [
        ("/selectedCandidate", Value::Null),
        ("/id", json!("a run")),
        ("/checkout/quote/capturedAt", json!("now")),
        ("/checkout/pix/payloadDigest", json!("d8")),
    ] {
        is_outside(Question::of(&run_with(&[(place, value)])), "no such thing");
    }
}

#[test]
fn a_run_that_asks_nothing_has_no_question() {
    for state in ["PAYMENT_READY", "PAYMENT_AUTHORIZED", "ORDER_CONFIRMED"] {
        let run = run_with(&[("/state", json!(state)), ("/payment/confirmation/digest", json!("x"))]);
        assert!(Question::of(&run).unwrap().is_none(), "{state}");
    }
}
