//! The shapes themselves: what goes out comes back, and an answer may grow.

use api::wire::{
    ApprovalItem, ApprovalPart, Ask, CreateMandate, Decide, Payment, PaymentRequest, PolicyBody, Progress,
};
use serde_json::{Value, json};

use crate::cast::{creation, vector, with};

fn payment() -> Value {
    let message = vector("PaymentRequest")["message"].clone();
    let request: PaymentRequest = serde_json::from_value(message).unwrap();
    json!({
        "payment": "0x01", "requestId": "0x02", "mandate": "0x03", "owner": "0x04", "agent": "0x05",
        "progress": "awaiting_approval", "amount": "7", "token": "0x06", "recipient": "0x07",
        "service": "0x08", "jobHash": "0x09", "paid": "0", "refunded": "0", "since": null,
        "deadline": "2027-01-15T08:00:00.000Z", "request": request,
        "requestedAt": "2027-01-14T08:00:00.000Z", "receipt": null, "evidence": null,
    })
}

#[test]
fn a_message_goes_out_with_integers_and_its_amount_as_a_text() {
    let mut expected = vector("PaymentRequest")["message"].clone();
    let request: PaymentRequest = serde_json::from_value(expected.clone()).unwrap();
    expected["policyVersion"] = json!(1);
    assert_eq!(json!(request), expected);
}

#[test]
fn an_answer_comes_back_as_it_went_out_and_may_grow() {
    let mut expected = payment();
    assert_eq!(json!(serde_json::from_value::<Payment>(expected.clone()).unwrap()), expected);
    expected["approval"] = json!({ "waitsUntil": "2027-01-15T08:00:00.000Z" });
    expected["typedData"] = json!({ "primaryType": "Approval" });
    let item: ApprovalItem = serde_json::from_value(expected.clone()).unwrap();
    assert!(matches!(item.payment.approval, Some(ApprovalPart::Waits { .. })));
    assert_eq!(json!(item), expected);
    expected["approval"] = json!({ "validBefore": 1_800_000_000, "signature": "0x00" });
    let item: ApprovalItem = serde_json::from_value(expected.clone()).unwrap();
    assert!(matches!(item.payment.approval, Some(ApprovalPart::Given { .. })));
    assert_eq!(json!(item), expected);
    let grown = with(&payment(), "/color", json!("red"));
    assert_eq!(serde_json::from_value::<Payment>(grown).unwrap().progress, Progress::AwaitingApproval);
}

#[test]
fn what_a_client_leaves_out_stays_out() {
    assert_eq!(json!(Ask::default()), json!({}));
    let policy = json!({ "validBefore": "2028-01-15T08:00:00Z", "paymentCap": "7", "dayCap": "9" });
    let body: PolicyBody = serde_json::from_value(policy.clone()).unwrap();
    let mut expected = policy;
    expected["terms"] = json!({
        "challengePeriodSeconds": 86_400,
        "resolutionTimeoutSeconds": 604_800,
        "silenceBps": 5_000,
        "resolver": null,
    });
    assert_eq!(json!(body), expected);
    let body: CreateMandate = serde_json::from_value(creation()).unwrap();
    assert_eq!(serde_json::from_value::<CreateMandate>(json!(body)).unwrap(), body);
    let decide = json!({ "decision": "approve", "validBefore": 1, "signature": "0x00" });
    assert_eq!(json!(serde_json::from_value::<Decide>(decide.clone()).unwrap()), decide);
}

#[test]
fn progress_has_the_names_of_the_core() {
    use mandate::life::Progress as Of;
    for of in [
        Of::AwaitingApproval,
        Of::Approved,
        Of::Rejected,
        Of::Expired,
        Of::Cancelled,
        Of::Escrowed,
        Of::Delivered,
        Of::Disputed,
        Of::Settled,
        Of::Refunded,
        Of::Voided,
        Of::TimedOut,
    ] {
        assert_eq!(json!(Progress::from(of)), of.name());
    }
}
