//! What each client reads of each standing of a payment.

use crate::cast::{APPROVAL_URL, Client, arguments, call, hash, ledger, payment};
use api::mandate_tools::{looked, request_payment, requested};
use api::wire::Progress;
use mcp::finish_call;
use serde_json::{Value, json};

const ALL: [Progress; 16] = [
    Progress::AwaitingApproval,
    Progress::Approved,
    Progress::Requested,
    Progress::Submitted,
    Progress::Cancelling,
    Progress::Failed,
    Progress::Rejected,
    Progress::Expired,
    Progress::Cancelled,
    Progress::Escrowed,
    Progress::Delivered,
    Progress::Disputed,
    Progress::Settled,
    Progress::Refunded,
    Progress::Voided,
    Progress::TimedOut,
];

/// The result of request_payment for a payment that stands at `progress`.
fn result(client: Client, progress: Progress, more: &Value) -> Value {
    let call = call(client, "request_payment", &arguments(), more);
    let asked = request_payment(&call, &ledger()).unwrap();
    let outcome = requested(&asked, &payment(progress), APPROVAL_URL).unwrap();
    let body: Value = serde_json::from_str(&finish_call(&call, &outcome).body.unwrap()).unwrap();
    body["result"].clone()
}

fn answered(action: &str) -> Value {
    json!({ "inputResponses": { "visit": { "action": action } } })
}

#[test]
fn a_client_that_opens_urls_is_sent_to_the_owner_once() {
    let asked = result(Client::OpensUrls, Progress::AwaitingApproval, &json!({}));
    assert_eq!(asked["resultType"], json!("input_required"));
    let visit = &asked["inputRequests"]["visit"]["params"];
    assert_eq!((&visit["mode"], &visit["url"]), (&json!("url"), &json!(APPROVAL_URL)));
    let message = visit["message"].as_str().unwrap();
    assert!(
        message.contains("$2.50") && message.contains(&payment(Progress::AwaitingApproval).owner),
        "{message}"
    );

    for action in ["accept", "decline", "cancel"] {
        let again = result(Client::OpensUrls, Progress::AwaitingApproval, &answered(action));
        assert_eq!(
            (&again["resultType"], &again["isError"]),
            (&json!("complete"), &json!(false)),
            "{action}"
        );
        assert_eq!(again["structuredContent"]["approvalUrl"], json!(APPROVAL_URL));
    }
}

#[test]
fn every_other_client_reads_that_it_waits_and_where_the_owner_approves() {
    for client in [Client::Legacy, Client::Plain] {
        let waits = result(client, Progress::AwaitingApproval, &json!({}));
        assert_eq!(waits["isError"], json!(false), "{client:?}");
        let told = &waits["structuredContent"];
        assert_eq!(
            (&told["progress"], &told["approvalUrl"]),
            (&json!("awaiting_approval"), &json!(APPROVAL_URL))
        );
        assert!(told["message"].as_str().unwrap().contains("waits for the owner"), "{told}");
        let text: Value = serde_json::from_str(waits["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(&text, told);
    }
}

#[test]
fn what_was_never_escrowed_and_never_will_be_is_a_failed_call() {
    for client in [Client::Legacy, Client::Plain, Client::OpensUrls] {
        for progress in ALL.into_iter().filter(|progress| *progress != Progress::AwaitingApproval) {
            let result = result(client, progress, &json!({}));
            let failed = matches!(
                progress,
                Progress::Rejected | Progress::Expired | Progress::Cancelled | Progress::Failed
            );
            assert_eq!(result["isError"], json!(failed), "{progress:?}");
            let told = &result["structuredContent"];
            assert_eq!(
                (&told["payment"], told.get("approvalUrl")),
                (&json!(hash('6')), None),
                "{progress:?}"
            );
            assert_eq!(told["progress"], serde_json::to_value(progress).unwrap());
        }
    }
}

#[test]
fn a_look_is_never_a_failure_and_never_asks() {
    let look = json!({ "mandate": hash('1'), "payment": hash('6') });
    for progress in ALL {
        let call = call(Client::OpensUrls, "get_payment", &look, &json!({}));
        let outcome = looked(&payment(progress), APPROVAL_URL).unwrap();
        let body: Value = serde_json::from_str(&finish_call(&call, &outcome).body.unwrap()).unwrap();
        let result = &body["result"];
        assert_eq!((&result["resultType"], &result["isError"]), (&json!("complete"), &json!(false)));
        let waits = progress == Progress::AwaitingApproval;
        assert_eq!(result["structuredContent"].get("approvalUrl").is_some(), waits, "{progress:?}");
    }
}
