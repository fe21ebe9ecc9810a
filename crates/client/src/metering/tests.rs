//! What is sent for metering: where it goes, what it says, who it is from, and what is repeated.

use api::{
    problem::Problem,
    wire::metering::{NewService, OpenTenant, SettlementStatus},
};
use primitives::{AgentName, BaseUnits, ServiceName, SettlementId};
use serde_json::{Value, json};
use x402::PaymentRequired;

use super::{ApiKey, Metering, Page, Quantity, SettlementFilter, used};
use crate::{
    Budget, Error, Guildhall, MessageId, Signer,
    double::{Asked, Double, Reply},
    mandates::tests::cast as signed,
};

const KEY: &str = "gld_test_shownonce";

fn bill_id() -> SettlementId {
    format!("set_{}", "a".repeat(52)).parse().unwrap()
}

fn alice() -> AgentName {
    "alice".parse().unwrap()
}

fn translate() -> ServiceName {
    "text.translate".parse().unwrap()
}

fn once() -> MessageId {
    "0123456789abcdef".parse().unwrap()
}

fn yes(body: &Value) -> Reply {
    Reply::Http { status: 200, headers: Vec::new(), body: body.to_string() }
}

fn no(problem: &Problem) -> Reply {
    let headers = vec![("Retry-After", "0".to_owned())];
    Reply::Http { status: problem.status, headers, body: serde_json::to_string(problem).unwrap() }
}

async fn metering(script: Vec<Reply>) -> (Metering, Double) {
    let double = Double::start(script).await;
    (Guildhall::new(&double.url).unwrap().metering(KEY.parse().unwrap()), double)
}

fn body(asked: &Asked) -> Value {
    serde_json::from_str(&asked.body).unwrap()
}

fn line(asked: &Asked) -> String {
    asked.head.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned()
}

fn bill(status: &str) -> Value {
    json!({
        "id": bill_id().as_str(), "number": 1, "agent": "alice", "serviceId": "text.translate", "tenant": "t",
        "status": status, "amount": "11500", "asset": { "network": "eip155:84532", "address": "0x0" },
        "payTo": "0x0", "quantity": "130", "lines": [], "adjustments": [], "carriedIn": "0", "carriedOut": "0",
        "createdAt": "t", "payUntil": null, "payment": null, "unknown": null, "proof": null, "failure": null,
        "links": null, "version": 3, "aFieldOfTheFuture": 1,
    })
}

fn counted(status: &str) -> Value {
    json!({
        "event": { "source": "api", "id": "e" }, "agent": "alice", "serviceId": "text.translate",
        "status": status, "quantity": "3", "total": "3", "priceVersion": 1, "time": "t", "meter": "m", "version": 1,
    })
}

#[test]
fn a_key_is_shown_by_nothing_and_what_is_none_is_not_repeated() {
    let key: ApiKey = KEY.parse().unwrap();
    assert!(!format!("{key:?}").contains("shownonce"));
    for bad in ["", "secretsecret", "gld_run_x", "gld_test_a b", "gld_test_a\nb"] {
        let why = bad.parse::<ApiKey>().unwrap_err();
        assert!(bad.is_empty() || !why.contains(bad), "{why}");
    }
}

#[tokio::test]
async fn every_call_is_the_tenants() {
    let page = json!({ "settlements": [], "nextCursor": null, "asOf": null });
    let script = vec![yes(&page), yes(&counted("recorded")), yes(&bill("failed"))];
    let (metering, double) = metering(script).await;
    let filter = SettlementFilter { agent: Some(alice()), service: Some(translate()) };
    metering.settlements(&filter, &Page { limit: Some(5), cursor: Some("c/1".to_owned()) }).await.unwrap();
    metering.record(&used(&alice(), &translate(), Quantity::whole(3)).unwrap()).await.unwrap();
    metering.void(&bill_id()).await.unwrap();
    let asked = double.asked();
    let lines: Vec<_> = asked.iter().map(line).collect();
    assert_eq!(
        lines,
        [
            "GET /v1/settlements?agent=alice&serviceId=text.translate&limit=5&cursor=c%2F1".to_owned(),
            "POST /v1/usage".to_owned(),
            format!("POST /v1/settlements/{}/void", bill_id()),
        ]
    );
    for asked in &asked {
        assert_eq!(asked.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    }
}

#[tokio::test]
async fn an_event_whose_answer_is_lost_is_recorded_again_under_the_same_id() {
    let (metering, double) = metering(vec![Reply::Silence, yes(&counted("duplicate"))]).await;
    let mut event = used(&alice(), &translate(), Quantity::whole(3)).unwrap();
    event.id = None;
    metering.record(&event).await.unwrap();
    let asked = double.asked();
    assert_eq!(asked.len(), 2);
    assert_eq!(body(&asked[0]), body(&asked[1]));
    assert_eq!(body(&asked[0])["id"].as_str().map(str::len), Some(64));
}

#[tokio::test]
async fn one_id_draws_up_one_bill() {
    let (metering, double) = metering(vec![Reply::Silence, yes(&bill("drafted"))]).await;
    let recorded = metering.settle(&alice(), &translate(), &once()).await.unwrap();
    assert_eq!(recorded.answer.amount, "11500");
    for asked in double.asked() {
        assert_eq!(asked.header("idempotency-key"), Some("0123456789abcdef"));
        assert_eq!(body(&asked), json!({ "agent": "alice", "serviceId": "text.translate" }));
    }
}

#[tokio::test]
async fn a_bill_that_waits_is_a_lasting_no() {
    let problem = Problem::new(409, "settlement_open", "because");
    let (metering, double) = metering(vec![no(&problem)]).await;
    let refused = metering.settle(&alice(), &translate(), &once()).await.unwrap_err();
    assert_eq!(refused.code(), Some("settlement_open"));
    assert!(matches!(refused, Error::Refused(_)), "{refused:?}");
    assert_eq!(double.asked().len(), 1);
}

#[tokio::test]
async fn a_tenant_is_opened_with_the_operators_token_where_there_is_one() {
    let problem = Problem::new(401, "invalid_operator", "because");
    let double = Double::start(vec![no(&problem), no(&problem)]).await;
    let board = Guildhall::new(&double.url).unwrap();
    let wanted = OpenTenant { name: "n".to_owned(), pay_to: None };
    board.open_tenant(Some("token"), &wanted).await.unwrap_err();
    board.open_tenant(None, &wanted).await.unwrap_err();
    let [with, without] = &double.asked()[..] else { panic!("two were asked") };
    assert_eq!(with.header("authorization"), Some("Bearer token"));
    assert_eq!(without.header("authorization"), None);
}

fn asking(amount: &str) -> Reply {
    let asked: PaymentRequired = serde_json::from_value(json!({
        "x402Version": 2,
        "resource": { "url": "http://board/bill", "description": "", "mimeType": "application/json" },
        "accepts": [{
            "scheme": "exact", "network": "eip155:84532", "amount": amount,
            "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
            "payTo": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "maxTimeoutSeconds": 60,
            "extra": { "name": "USDC", "version": "2" },
        }],
    }))
    .unwrap();
    let headers = vec![("Payment-Required", x402::encode(&asked).unwrap())];
    let problem = Problem::new(402, "payment_required", "because");
    Reply::Http { status: 402, headers, body: serde_json::to_string(&problem).unwrap() }
}

#[tokio::test]
async fn a_bill_is_paid_within_the_budget_with_one_payment_however_often_it_is_sent() {
    let signer = Signer::from_bytes(&[0x33; 32]).unwrap();
    let budget = Budget::usdc_on_base_sepolia(BaseUnits(11_500));
    let double = Double::start(vec![asking("11500"), Reply::Silence, yes(&bill("verified"))]).await;
    let board = Guildhall::new(&double.url).unwrap();
    let paid = board.pay_bill(&signer, &budget, &bill_id()).await.unwrap();
    assert_eq!(paid.attempts, 2);
    let asked = double.asked();
    assert!(asked.iter().all(|asked| line(asked) == format!("POST /v1/settlements/{}/pay", bill_id())));
    let payments: Vec<_> = asked.iter().map(|asked| asked.header("payment-signature")).collect();
    assert_eq!((payments[0], payments[1].is_some()), (None, true));
    assert_eq!(payments[1], payments[2]);
    assert!(asked.iter().all(|asked| asked.header("authorization").is_none()));

    let double = Double::start(vec![asking("11501")]).await;
    let board = Guildhall::new(&double.url).unwrap();
    assert!(matches!(board.pay_bill(&signer, &budget, &bill_id()).await, Err(Error::Terms(_))));
    assert_eq!(double.asked().len(), 1);
}

#[tokio::test]
async fn nothing_is_signed_for_a_bill_that_is_paid_and_what_is_not_paid_must_have_a_price() {
    let signer = Signer::from_bytes(&[0x33; 32]).unwrap();
    let budget = Budget::usdc_on_base_sepolia(BaseUnits(11_500));
    let double = Double::start(vec![yes(&bill("verified")), yes(&bill("drafted"))]).await;
    let board = Guildhall::new(&double.url).unwrap();
    let paid = board.pay_bill(&signer, &budget, &bill_id()).await.unwrap();
    assert_eq!((paid.bill.status, paid.attempts), (SettlementStatus::Verified, 0));
    assert!(paid.receipt.is_none());
    assert!(matches!(board.pay_bill(&signer, &budget, &bill_id()).await, Err(Error::OutsideContract { .. })));
    assert!(double.asked().iter().all(|asked| asked.header("payment-signature").is_none()));
}

#[tokio::test]
async fn a_bill_is_paid_out_of_a_mandate_and_a_mandate_is_offered_with_its_agents_signature() {
    let account = json!({
        "agent": "alice", "mode": "postpaid", "revision": 1,
        "offer": { "mandate": "0x", "signer": "0x", "at": "t" },
    });
    let (ledger, double) = signed::ledger(vec![Reply::Silence, yes(&bill("submitted")), yes(&account)]).await;
    let key = signed::agent();
    let agent = ledger.agent(&key);
    let mandate = eip712::B256::repeat_byte(0x4d);
    let tenant = format!("ten_{}", "a".repeat(26)).parse().unwrap();
    agent.pay_bill(mandate, &bill_id()).await.unwrap();
    agent.offer_mandate(&tenant, &alice(), mandate).await.unwrap();
    let asked = double.asked();
    let [_, lost, again, offered] = &asked[..] else { panic!("four were asked: {asked:?}") };
    assert_eq!(line(lost), format!("POST /v1/settlements/{}/mandate", bill_id()));
    assert_eq!(line(offered), format!("PUT /v1/tenants/{tenant}/agents/alice/mandate"));
    for asked in [lost, again, offered] {
        assert_eq!(body(asked), json!({ "mandate": mandate.to_string() }));
        assert_eq!(signed::signed_by(asked).0, key.address());
    }
    // Each attempt has a signature of its own, which is good once.
    assert_ne!(signed::signed_by(lost).1, signed::signed_by(again).1);
}

#[tokio::test]
async fn a_service_is_sent_as_it_is() {
    let problem = Problem::new(409, "service_exists", "because");
    let (metering, double) = metering(vec![no(&problem)]).await;
    let wanted = NewService {
        service_id: "text.translate".to_owned(),
        price: Some("0.5".to_owned()),
        ..NewService::default()
    };
    assert_eq!(metering.register(&wanted).await.unwrap_err().code(), Some("service_exists"));
    assert_eq!(body(&double.asked()[0]), json!({ "serviceId": "text.translate", "price": "0.5" }));
}
