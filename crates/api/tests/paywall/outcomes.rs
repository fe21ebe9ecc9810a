//! What a payment's outcome means for whoever presented it (x402 v2, HTTP transport, section "settlement").

use api::binding::{Decline, PayReply};
use api::paywall::{Unsold, concluded};
use payment::{Lifecycle, Refusal};
use serde_json::{Value, json};
use x402::{HEADER_BYTES, SettleResponse};

use crate::cast::NETWORK;

const RECEIPT: &str =
    r#"{"success":true,"transaction":"0xfeed","network":"eip155:84532","payer":"0x1","note":"a peer's"}"#;
const NO_FUNDS: &str =
    r#"{"success":false,"errorReason":"insufficient_funds","transaction":"","network":"eip155:84532"}"#;

/// Status, code, and whether there is a challenge, a receipt, a time to ask again.
fn shown(reply: PayReply) -> String {
    match concluded(reply, NETWORK).unwrap_err() {
        Unsold::Challenge { problem, error } => {
            format!("{} {} challenge: {error}", problem.status, problem.code)
        }
        Unsold::Unsettled { problem, receipt, retry_after } => format!(
            "{} {} receipt: {} {} {}, again: {} {:?}",
            problem.status,
            problem.code,
            receipt.success,
            receipt.error_reason.unwrap_or_default(),
            receipt.transaction,
            problem.retryable,
            retry_after
        ),
        Unsold::Declined(problem) => {
            format!("{} {} again: {}", problem.status, problem.code, problem.retryable)
        }
    }
}

fn unknown(cause: &str, transaction: Option<&str>) -> PayReply {
    PayReply::Unknown { cause: cause.to_owned(), transaction: transaction.map(str::to_owned) }
}

/// S5 above all: what is not known has no challenge, and neither has what was refused in settling.
#[test]
fn every_outcome_has_its_answer() {
    let text = str::to_owned;
    for (reply, expected) in [
        (
            PayReply::Declined(Decline::Settlement(meter::Refusal::NotDrafted)),
            "409 settlement_not_drafted again: false",
        ),
        (
            PayReply::FulfilmentPending { receipt: text(RECEIPT) },
            "503 fulfilment_pending receipt: true  0xfeed, again: true Some(2)",
        ),
        (
            PayReply::Refused { reason: text("insufficient_funds"), receipt: text(NO_FUNDS) },
            "402 payment_refused receipt: false insufficient_funds , again: false None",
        ),
        (
            unknown("timeout", None),
            "402 settlement_unknown receipt: false settlement_unknown , again: true Some(2)",
        ),
        (
            unknown("timeout", Some("0xfeed")),
            "402 settlement_unknown receipt: false settlement_unknown 0xfeed, again: true Some(2)",
        ),
        (
            unknown("settlement_pending", Some("0xfeed")),
            "402 settlement_pending receipt: false settlement_pending 0xfeed, again: true Some(2)",
        ),
        (
            PayReply::Invalid { reason: text("invalid_exact_evm_signature"), message: text("No.") },
            "402 payment_invalid challenge: invalid_exact_evm_signature",
        ),
        (PayReply::Unverified { cause: text("timeout") }, "503 verification_unavailable again: true"),
        (
            PayReply::PaymentRefused(Refusal::ClaimedElsewhere),
            "409 authorization_already_claimed again: false",
        ),
        (
            PayReply::PaymentRefused(Refusal::Unavailable(Lifecycle::Settling)),
            "409 payment_unavailable_in_state again: true",
        ),
        (
            PayReply::Declined(Decline::Gig(gig::Refusal::PaymentInProgress)),
            "409 payment_in_progress again: true",
        ),
        (PayReply::Declined(Decline::Gig(gig::Refusal::MessageReused)), "422 message_id_reused again: false"),
        (PayReply::Unavailable, "503 unavailable again: true"),
    ] {
        assert_eq!(shown(reply), expected);
    }
}

#[test]
fn another_payment_takes_the_place_only_of_one_that_was_not_charged_and_never_will_be() {
    let text = str::to_owned;
    let receipt = || text(RECEIPT);
    let void = [
        PayReply::Refused { reason: text("expired"), receipt: receipt() },
        PayReply::Invalid { reason: text("expired"), message: text("") },
        PayReply::PaymentRefused(Refusal::ClaimedElsewhere),
    ];
    let open = [
        PayReply::FulfilmentPending { receipt: receipt() },
        unknown("timeout", None),
        PayReply::Unverified { cause: text("timeout") },
        PayReply::PaymentRefused(Refusal::Unavailable(Lifecycle::Settling)),
        PayReply::Declined(Decline::Gig(gig::Refusal::PaymentInProgress)),
        PayReply::Unavailable,
    ];
    assert!(void.iter().all(PayReply::is_void));
    assert!(!open.iter().any(PayReply::is_void));
}

/// The receipt of a refusal whose answer was `answer`.
fn receipt(answer: &Value) -> SettleResponse {
    let reply = PayReply::Refused { reason: "expired".to_owned(), receipt: answer.to_string() };
    let Unsold::Unsettled { receipt, .. } = concluded(reply, NETWORK).unwrap_err() else {
        panic!("a refusal has a receipt")
    };
    *receipt
}

#[test]
fn a_receipt_is_in_our_own_writing_and_fits_a_header() {
    let mut answer = json!({
        "success": false, "errorReason": "expired", "transaction": "", "network": NETWORK,
        "payer": null, "extensions": { "offer-receipt": { "info": {} } }, "unheard": "of",
    });
    let kept = serde_json::to_value(receipt(&answer)).unwrap();
    assert!(kept.get("unheard").is_none() && kept.get("payer").is_none());
    assert!(kept["extensions"].get("offer-receipt").is_some());
    answer["extensions"]["offer-receipt"]["info"]["long"] = json!("x".repeat(HEADER_BYTES));
    let short = receipt(&answer);
    assert!(x402::encode(&short).unwrap().len() < HEADER_BYTES);
    assert_eq!((short.error_reason.as_deref(), short.extensions), (Some("expired"), None));
    answer["errorReason"] = json!("x".repeat(HEADER_BYTES));
    assert!(x402::encode(&receipt(&answer)).unwrap().len() < HEADER_BYTES);
}
