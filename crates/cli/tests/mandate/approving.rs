//! An owner approves what it has seen.

use eip712::mandates::{Approval, Signed as _, payment_id};
use serde_json::json;

use crate::cast::*;

#[tokio::test]
async fn nothing_is_approved_where_nobody_can_be_asked() {
    let message = message();
    let line = format!("approve {}", payment_id(&message));
    let run = run(Some(OWNER), &line, vec![yes(&payment(&message, "awaiting_approval"))]).await;
    assert_eq!((run.code, run.asked.len()), (2, 1), "{}", run.stderr);
    run.says("--yes");
}

#[tokio::test]
async fn every_field_is_shown_before_it_is_signed() {
    let message = message();
    let script = vec![yes(&payment(&message, "awaiting_approval")), yes(&payment(&message, "approved"))];
    let run = run(Some(OWNER), &format!("approve {} --yes", payment_id(&message)), script).await;
    assert_eq!((run.code, run.json()["progress"].clone()), (0, json!("approved")), "{}", run.stderr);
    for field in [
        MANDATE.to_string(),
        REQUEST.to_string(),
        PROVIDER.to_string().to_lowercase(),
        message.token.to_string().to_lowercase(),
        message.service.to_string(),
        message.jobHash.to_string(),
        payment_id(&message).to_string(),
        "1.5 USDC (1500000 units)".to_owned(),
        "86400 seconds".to_owned(),
        "604800 seconds".to_owned(),
        "5000 of 10000".to_owned(),
        "chain 84532".to_owned(),
    ] {
        assert!(
            run.stderr.to_lowercase().contains(&field.to_lowercase()),
            "{field} is not shown: {}",
            run.stderr
        );
    }
    for moment in
        [message.validAfter, message.validBefore, message.deliverBy, message.captureBy, message.refundBy]
    {
        let moment = client::UnixMillis(moment.to::<u64>() * 1_000);
        run.says(&moment.to_rfc3339());
    }
    let valid_before = message.validBefore;
    let approval = Approval { request: message, approver: address_of(OWNER), validBefore: valid_before };
    let sent = run.body(1);
    let signature = hex::decode(sent["signature"].as_str().unwrap().trim_start_matches("0x")).unwrap();
    let domain = eip712::mandates::domain(84_532, eip712::Address::repeat_byte(0x1e));
    assert_eq!(eip712::recover(approval.digest(&domain), &signature), Ok(address_of(OWNER)));
    assert_eq!(sent["validBefore"], json!(valid_before.to::<u64>()));
}

#[tokio::test]
async fn an_approval_ends_with_its_minutes_and_never_after_the_request() {
    let message = message();
    let end = message.validBefore.to::<u64>();
    for (minutes, latest) in [(10, end - 3_600), (9_999, end)] {
        let script = vec![yes(&payment(&message, "awaiting_approval")), yes(&payment(&message, "approved"))];
        let line = format!("approve {} --yes --minutes {minutes}", payment_id(&message));
        let run = run(Some(OWNER), &line, script).await;
        assert!(run.body(1)["validBefore"].as_u64().unwrap() <= latest, "{minutes}");
    }
}

#[tokio::test]
async fn a_request_is_rejected_with_a_note() {
    let message = message();
    let line = format!("reject {} --note no", payment_id(&message));
    let run = run(Some(OWNER), &line, vec![yes(&payment(&message, "rejected"))]).await;
    assert_eq!(run.body(0), json!({ "decision": "reject", "note": "no" }), "{}", run.stderr);
}

#[tokio::test]
async fn a_refusal_is_one_line_for_programs_and_says_what_to_do() {
    let message = message();
    let run =
        run(Some(OWNER), &format!("reject {}", payment_id(&message)), vec![no(409, "already_decided")]).await;
    assert_eq!((run.code, run.json()["problem"]["code"].clone()), (1, json!("already_decided")));
    run.says("guildhall mandate payment");
}
