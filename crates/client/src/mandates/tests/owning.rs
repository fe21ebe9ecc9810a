//! An owner gives budgets and decides.

use api::wire::{CreateMandate, EntryBody, MandateStatus, PolicyBody, SignerKind, TermsBody, Window};
use eip712::{B256, mandates::Approval};
use primitives::BaseUnits;
use serde_json::json;

use super::super::{ActivityFilter, Page, Standing, message};
use super::cast::*;
use crate::{Error, double::Reply};

fn creation() -> CreateMandate {
    CreateMandate {
        salt: None,
        owner_kind: SignerKind::Ecdsa,
        agent_kind: SignerKind::Ecdsa,
        label: Some("translations".to_owned()),
        agent: agent().address().to_string(),
        amend_delay_seconds: 86_400,
        policy: PolicyBody {
            valid_after: None,
            valid_before: "2099-01-01T00:00:00.000Z".to_owned(),
            payment_cap: "5000000".to_owned(),
            day_cap: "9000000".to_owned(),
            month_cap: None,
            lifetime_cap: None,
            day_count: None,
            approval_above: None,
            terms: TermsBody::default(),
        },
        entries: vec![EntryBody {
            recipient: None,
            service: None,
            payment_cap: None,
            window_cap: None,
            window: Window::UtcDay,
        }],
    }
}

#[tokio::test]
async fn a_mandate_has_the_id_that_its_owner_and_salt_make() {
    let (ledger, double) = ledger(vec![Reply::Silence, yes(&mandate())]).await;
    let (key, creation) = (owner(), creation());
    let owner = ledger.owner(&key);
    assert_eq!(owner.mandate_of(SALT), mandate_id());
    assert_eq!(owner.create(SALT, &creation).await.unwrap().answer.version, 7);
    let asked = double.asked();
    assert_eq!(asked[1].body, asked[2].body, "the same mandate is asked for again");
    assert_eq!(body(&asked[2])["salt"], json!(SALT));
    assert_ne!(signed_by(&asked[1]), signed_by(&asked[2]));
    let (other, _double) = super::cast::ledger(vec![yes(&mandate())]).await;
    is_outside(other.owner(&key).create(B256::repeat_byte(9), &creation).await, "another mandate");
}

#[tokio::test]
async fn money_moves_once_under_one_key_that_is_signed_too() {
    let (ledger, double) = ledger(vec![Reply::Silence, yes(&mandate())]).await;
    let (key, id) = (owner(), "m-1".parse().unwrap());
    ledger.owner(&key).fund(mandate_id(), BaseUnits(7), &id).await.unwrap();
    let asked = double.asked();
    for asked in &asked[1..] {
        assert_eq!(line(asked), format!("POST /v1/mandates/{}/fund", mandate_id()));
        assert_eq!(body(asked), json!({ "amount": "7" }));
        assert_eq!(asked.header("idempotency-key"), Some("m-1"));
        assert_eq!(signed_by(asked).0, key.address());
    }
    assert_ne!(signed_by(&asked[1]).1, signed_by(&asked[2]).1);
}

#[tokio::test]
async fn a_withdrawal_whose_outcome_stays_unknown_names_its_key() {
    let (ledger, _double) = ledger((0..8).map(|_| no(503, "unavailable")).collect()).await;
    let (key, id) = (owner(), "m-2".parse().unwrap());
    match ledger.owner(&key).withdraw(mandate_id(), BaseUnits(7), &id).await {
        Err(Error::Unresolved(unresolved)) => assert_eq!(unresolved.message_id, id),
        other => panic!("must be unresolved: {other:?}"),
    }
}

#[tokio::test]
async fn an_approval_is_of_the_message_and_nothing_else() {
    let request = completed(&wish());
    let mut item = payment(&request, "awaiting_approval");
    item["typedData"] = json!({ "message": "anything" });
    let id = message::hash(item["payment"].as_str().unwrap()).unwrap();
    let (ledger, double) = ledger(vec![yes(&item), yes(&payment(&request, "approved"))]).await;
    let key = owner();
    let waiting = ledger.owner(&key).approval(id).await.unwrap();
    ledger.owner(&key).approve(&waiting, 1_900_000_000).await.unwrap();
    let asked = double.asked();
    assert_eq!(line(&asked[2]), format!("POST /v1/approvals/{id}/decide"));
    let sent = body(&asked[2]);
    assert_eq!((&sent["decision"], &sent["validBefore"]), (&json!("approve"), &json!(1_900_000_000)));
    let approval = Approval {
        request: signed_form(&request),
        approver: key.address(),
        validBefore: message::seconds(1_900_000_000).unwrap(),
    };
    assert_eq!(sealed_by(&approval, &sent["signature"]), key.address());
}

#[tokio::test]
async fn nothing_is_approved_whose_message_is_another_payments() {
    let (one, other) = (completed(&wish()), completed(&wish()));
    let mut mixed = payment(&one, "awaiting_approval");
    mixed["request"] = other.clone();
    let id = message::hash(mixed["payment"].as_str().unwrap()).unwrap();
    let (ledger, double) = ledger(vec![yes(&mixed), yes(&payment(&other, "awaiting_approval"))]).await;
    let key = owner();
    is_outside(ledger.owner(&key).approval(id).await, "was meant");
    is_outside(ledger.owner(&key).approval(id).await, "was meant");
    is_outside(ledger.owner(&key).approve(&shown(&mixed), 1_900_000_000).await, "was meant");
    assert_eq!(double.asked().len(), 3);
}

#[tokio::test]
async fn nothing_is_approved_that_looks_like_another_payment_or_owner() {
    let request = completed(&wish());
    let item = |edit: fn(&mut serde_json::Value)| {
        let mut item = payment(&request, "awaiting_approval");
        edit(&mut item);
        item
    };
    let id = message::hash(item(|_| {})["payment"].as_str().unwrap()).unwrap();
    let key = owner();
    for (shown, why) in [
        (
            item(|item| item["recipient"] = json!(B256::ZERO.to_string()[..42])),
            "is not what the payment's message says",
        ),
        (item(|item| item["owner"] = json!(PROVIDER)), "to approve"),
    ] {
        let (ledger, _double) = ledger(vec![yes(&shown)]).await;
        is_outside(ledger.owner(&key).approval(id).await, why);
    }
}

#[tokio::test]
async fn nothing_is_approved_in_another_token() {
    let mut request = completed(&wish());
    request["token"] = json!(PROVIDER);
    let item = payment(&request, "awaiting_approval");
    let id = message::hash(item["payment"].as_str().unwrap()).unwrap();
    let (ledger, double) = ledger(vec![yes(&item)]).await;
    let key = owner();
    is_outside(ledger.owner(&key).approval(id).await, "not the ledger's token");
    is_outside(ledger.owner(&key).approve(&shown(&item), 1_900_000_000).await, "not the ledger's token");
    assert_eq!(double.asked().len(), 2);
}

#[tokio::test]
async fn a_list_is_asked_for_page_by_page_and_the_query_is_signed() {
    let page = json!({ "mandates": [mandate()], "nextCursor": "c+1" });
    let approvals =
        json!({ "approvals": [payment(&completed(&wish()), "awaiting_approval")], "nextCursor": null });
    let (ledger, double) = ledger(vec![
        yes(&page),
        yes(&json!({ "mandates": [], "nextCursor": null })),
        yes(&approvals),
        yes(&json!({ "activity": [], "nextCursor": null })),
        Reply::Http { status: 200, headers: Vec::new(), body: "at,mandate\r\n".to_owned() },
    ])
    .await;
    let key = owner();
    let owner = ledger.owner(&key);
    let first =
        owner.mandates(Some(MandateStatus::Active), &Page { limit: Some(1), cursor: None }).await.unwrap();
    let rest = Page { limit: None, cursor: first.next_cursor };
    assert!(owner.mandates(None, &rest).await.unwrap().mandates.is_empty());
    assert_eq!(owner.approvals(Standing::Waiting, &Page::default()).await.unwrap().approvals.len(), 1);
    let filter =
        ActivityFilter { kind: Some("fund".to_owned()), mandate: Some(SALT), ..ActivityFilter::default() };
    owner.activity(&filter, &Page::default()).await.unwrap();
    assert_eq!(owner.activity_csv(&filter, &Page::default()).await.unwrap(), "at,mandate\r\n");
    let asked = double.asked();
    let lines: Vec<_> = asked[1..].iter().map(line).collect();
    let activity = format!("GET /v1/activity?kind=fund&mandate={SALT}");
    assert_eq!(
        lines,
        [
            "GET /v1/mandates?status=active&limit=1",
            "GET /v1/mandates?cursor=c%2B1",
            "GET /v1/approvals?status=waiting",
            &activity,
            &format!("{activity}&format=csv"),
        ]
    );
    assert!(asked[1..].iter().all(|asked| signed_by(asked).0 == key.address()));
}
