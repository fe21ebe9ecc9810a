//! What the SDK pays, what it refuses to pay, and what it does when an answer is lost.

use core::time::Duration;

use api::{problem::Problem, wire::TaskType};
use serde_json::{Value, json};

use super::*;
use crate::double::{Double, Reply};

const USDC: &str = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const PAYEE: &str = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";

fn offer(edit: impl FnOnce(&mut Value)) -> Value {
    let mut offer = json!({
        "scheme": "exact", "network": "eip155:84532", "amount": "10000", "asset": USDC, "payTo": PAYEE,
        "maxTimeoutSeconds": 300, "extra": { "name": "USDC", "version": "2" },
    });
    edit(&mut offer);
    offer
}

fn asked(offers: &[Value]) -> PaymentRequired {
    serde_json::from_value(json!({
        "x402Version": 2, "resource": { "url": "http://127.0.0.1/v1/gigs/create" }, "accepts": offers,
    }))
    .unwrap()
}

fn budget() -> Budget {
    Budget::usdc_on_base_sepolia(BaseUnits(10_000))
}

fn signer() -> Signer {
    Signer::from_bytes(&[0x11; 32]).unwrap()
}

fn order() -> Order {
    Order {
        message_id: "m-1".parse().unwrap(),
        sender: "buyer".parse().unwrap(),
        task: TaskDelegation {
            title: "Count".to_owned(),
            description: "Count the words 🦀".to_owned(),
            task_type: TaskType::Computation,
            task_params: serde_json::Map::new(),
            bounty_sats: 1,
            ttl_minutes: 5,
        },
    }
}

fn price() -> Reply {
    let mut reply = no(402, "payment_required", false);
    if let Reply::Http { headers, .. } = &mut reply {
        headers.push(("PAYMENT-REQUIRED", x402::encode(&asked(&[offer(|_| {})])).unwrap()));
    }
    reply
}

fn no(status: u16, code: &str, retryable: bool) -> Reply {
    let mut problem = Problem::new(status, code, "because");
    problem.retryable = retryable;
    let headers = vec![("Retry-After", "0".to_owned())];
    Reply::Http { status, headers, body: serde_json::to_string(&problem).unwrap() }
}

fn created() -> Reply {
    let receipt =
        json!({ "success": true, "transaction": "0xabc", "network": "eip155:84532", "payer": "0x1" });
    let body = json!({
        "message": "Gig posted",
        "gig": {
            "gig_id": "6f1e1f6e-0d7e-8f66-9a35-2f9f0f0f2d11", "buyer_pubkey": "buyer", "worker_pubkey": null,
            "title": "Count", "description": "d", "task_type": "computation", "payload_json": "{}", "bounty_sats": 1,
            "status": "ACTIVE", "lifecycle_state": "DISCOVERABLE", "lifecycle_version": 1,
            "created_at": "t", "updated_at": "t", "expires_at": "t", "a_field_of_the_future": 1,
        },
        "tunnel_grant": { "token": "secret-token", "role": "buyer", "agent_identity": "buyer", "expires_at": "t" },
    });
    let headers = vec![("PAYMENT-RESPONSE", x402::encode(&receipt).unwrap())];
    Reply::Http { status: 201, headers, body: body.to_string() }
}

/// Posts against a script; also says how often the board was asked and with which payments.
async fn post(script: Vec<Reply>) -> (Result<Posted, Error>, Vec<String>) {
    let double = Double::start(script).await;
    let board = Guildhall::new(&double.url).unwrap();
    let (signer, budget, order) = (signer(), budget(), order());
    let posting = board.post_gig(&signer, &budget, &order);
    let outcome = tokio::time::timeout(Duration::from_secs(20), posting).await.unwrap();
    let requests = double.asked();
    let bodies: std::collections::BTreeSet<_> = requests.iter().map(|asked| asked.body.clone()).collect();
    assert_eq!(bodies.len(), 1, "every attempt sends the same order");
    let payments =
        requests.iter().map(|asked| asked.header("payment-signature").unwrap_or("none").to_owned()).collect();
    (outcome, payments)
}

#[tokio::test]
async fn asks_for_the_price_and_pays_exactly_that() {
    let (outcome, payments) = post(vec![price(), created()]).await;
    let posted = outcome.unwrap();
    assert_eq!((posted.attempts, posted.replayed, posted.receipt.unwrap().success), (1, false, true));
    assert_eq!(payments.len(), 2);
    assert_eq!(payments[0], "none");
    let payment = x402::decode_payment(&payments[1]).unwrap();
    let requirements = serde_json::from_value(offer(|_| {})).unwrap();
    let authorized = x402::verify(&requirements, &payment, entropy::now()).unwrap();
    assert_eq!((authorized.payer, authorized.value), (signer().address(), BaseUnits(10_000)));
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_again_with_the_same_payment() {
    let (outcome, payments) = post(vec![price(), Reply::Silence, created()]).await;
    assert_eq!(outcome.unwrap().attempts, 2);
    assert_eq!(payments[1], payments[2]);
}

#[tokio::test]
async fn an_outcome_that_stays_open_is_asked_for_again_and_then_reported_as_open() {
    let mut script = vec![price()];
    let open = ["settlement_unknown", "settlement_pending", "payment_in_progress"];
    script.extend(open.iter().cycle().take(8).map(|code| no(402, code, false)));
    let (outcome, payments) = post(script).await;
    let Err(Error::Unresolved(unresolved)) = outcome else { panic!("must stay open") };
    assert_eq!((unresolved.attempts, unresolved.message_id.as_str()), (8, "m-1"));
    assert!(payments[2..].iter().all(|payment| *payment == payments[1]));
}

#[tokio::test]
async fn a_payment_that_was_refused_for_good_is_not_sent_again() {
    for (status, code) in [
        (402, "payment_refused"),
        (402, "payment_invalid"),
        (422, "message_id_reused"),
        (400, "invalid_body"),
    ] {
        let (outcome, payments) = post(vec![price(), no(status, code, false)]).await;
        let error = outcome.unwrap_err();
        assert_eq!(error.code(), Some(code));
        assert_eq!(payments.len(), 2);
        let Error::Refused(refused) = error else { panic!("{code} must be a refusal") };
        assert_eq!(refused.problem.detail, "because");
    }
}

#[tokio::test]
async fn nothing_is_signed_when_the_price_is_above_the_budget() {
    let dear = x402::encode(&asked(&[offer(|offer| offer["amount"] = json!("10001"))])).unwrap();
    let reply = Reply::Http {
        status: 402,
        headers: vec![("PAYMENT-REQUIRED", dear)],
        body: serde_json::to_string(&Problem::new(402, "payment_required", "pay")).unwrap(),
    };
    let (outcome, payments) = post(vec![reply]).await;
    let Err(Error::Terms(refused)) = outcome else { panic!("must refuse") };
    assert!(refused.to_string().contains("10001"), "{refused}");
    assert_eq!(payments, ["none"]);
}

#[tokio::test]
async fn a_post_that_is_not_answered_with_a_price_is_outside_the_contract() {
    for reply in [created(), no(402, "payment_required", false)] {
        let (outcome, _) = post(vec![reply]).await;
        assert!(matches!(outcome, Err(Error::OutsideContract { .. })));
    }
    let (outcome, _) = post(vec![no(400, "invalid_body", false)]).await;
    assert_eq!(outcome.unwrap_err().code(), Some("invalid_body"));
}

#[test]
fn an_offer_is_taken_only_if_all_of_it_is_within_the_budget() {
    let edits: [fn(&mut Value); 9] = [
        |offer| offer["scheme"] = json!("upto"),
        |offer| offer["network"] = json!("eip155:8453"),
        |offer| offer["asset"] = json!(PAYEE),
        |offer| offer["amount"] = json!("010000"),
        |offer| offer["amount"] = json!("10001"),
        |offer| offer["maxTimeoutSeconds"] = json!(3_601),
        |offer| offer["maxTimeoutSeconds"] = json!(0),
        |offer| offer["extra"]["paymentFlow"] = json!("upfront"),
        |offer| offer["extra"]["assetTransferMethod"] = json!("permit2"),
    ];
    for edit in edits {
        let bad = offer(edit);
        assert!(budget().choose(&asked(std::slice::from_ref(&bad))).is_err(), "{bad}");
    }
    assert!(budget().choose(&asked(&[])).is_err());
    let pinned = Budget { pay_to: USDC.parse().ok(), ..budget() };
    assert!(pinned.choose(&asked(&[offer(|_| {})])).is_err());
}

#[test]
fn of_the_offers_within_the_budget_the_cheapest_is_taken() {
    let offers = [
        offer(|offer| offer["scheme"] = json!("custom")),
        offer(|offer| offer["amount"] = json!("9000")),
        offer(|offer| offer["amount"] = json!("8000")),
        offer(|offer| offer["asset"] = json!(USDC.to_lowercase())),
    ];
    assert_eq!(budget().choose(&asked(&offers)).unwrap().amount, "8000");
    assert_eq!(budget().choose(&asked(&offers[3..])).unwrap().amount, "10000");
}

#[test]
fn a_seat_is_never_printed_with_its_secret() {
    let Reply::Http { body, .. } = created() else { panic!() };
    let seat = crate::Seat::of_buyer(&serde_json::from_str(&body).unwrap()).unwrap().unwrap();
    assert!(!format!("{seat:?}").contains("secret-token"));
    let kept: crate::Seat = serde_json::from_str(&serde_json::to_string(&seat).unwrap()).unwrap();
    assert_eq!(kept.tunnel_grant.token, "secret-token");
}
