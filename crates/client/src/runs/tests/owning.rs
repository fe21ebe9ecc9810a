//! What an owner sends: where it goes, what it says, who it is from, and what is repeated.

use api::wire::{self, CreateRun, ExecutionMode, PaymentBody, PurchaseBody, WalletBody, WalletKind};
use eip712::{B256, Signer};
use serde_json::{Value, json};

use super::cast::*;
use crate::{
    Error,
    double::Reply,
    mandates::tests::cast as signed,
    runs::{Purchase, Question},
};

fn wanted() -> CreateRun {
    let request = PurchaseBody {
        requirement: "coca-cola 2l".to_owned(),
        quantity: 1,
        max_budget_cents: "2500".to_owned(),
    };
    CreateRun {
        request,
        executor_id: None,
        user_id: None,
        mandate: None,
        execution_mode: ExecutionMode::Simulated,
        wallet: WalletKind::External,
    }
}

fn created() -> Value {
    let mut created = answer();
    created["runToken"] = json!(TOKEN);
    created
}

#[tokio::test]
async fn a_run_is_begun_once_under_its_key() {
    let (runs, double) = runs(vec![Reply::Silence, no(503, "unavailable"), yes(&created())]).await;
    let id = "0123456789abcdef".parse().unwrap();
    let recorded = runs.start(&id, &wanted()).await.unwrap();
    let purchase = Purchase::of(&recorded.answer).unwrap();
    assert_eq!((purchase.run.as_str(), purchase.run_token.as_str()), (RUN, TOKEN));
    let asked = double.asked();
    assert_eq!(asked.len(), 3);
    for asked in &asked {
        assert_eq!(line(asked), "POST /v1/runs");
        assert_eq!(asked.header("idempotency-key"), Some("0123456789abcdef"));
        assert_eq!(
            body(asked),
            json!({
                "request": { "requirement": "coca-cola 2l", "quantity": 1, "maxBudgetCents": "2500" },
                "executionMode": "simulated", "wallet": "external",
            })
        );
        assert_eq!(bearer(asked), None);
    }
}

#[tokio::test]
async fn a_start_whose_outcome_stays_unknown_names_its_key() {
    let (runs, _double) = runs((0..8).map(|_| no(503, "unavailable")).collect()).await;
    let id = "0123456789abcdef".parse().unwrap();
    match runs.start(&id, &wanted()).await {
        Err(Error::Unresolved(unresolved)) => assert_eq!(unresolved.message_id, id),
        other => panic!("must be unresolved: {other:?}"),
    }
}

#[tokio::test]
async fn a_run_that_is_none_is_outside_the_contract() {
    let mut other = created();
    other["run"]["id"] = json!("gig_1");
    let (runs, _double) = runs(vec![yes(&other)]).await;
    let recorded = runs.start(&"0123456789abcdef".parse().unwrap(), &wanted()).await.unwrap();
    is_outside(Purchase::of(&recorded.answer), "gig_1");
}

#[tokio::test]
async fn each_act_goes_to_its_route_with_its_body_and_token() {
    let shown = run_with(&[]);
    let question = Question::of(&shown).unwrap().unwrap();
    let purchase = purchase();
    let executor = EXECUTOR.parse().unwrap();
    let (runs, double) = runs((0..7).map(|_| yes(&answer())).collect()).await;
    let wallet = WalletBody {
        connected: true,
        address: Some("w".to_owned()),
        shielded_usdc: Some("7".to_owned()),
        checked_at: None,
    };
    let payment = PaymentBody { signature: "s".to_owned(), last_valid_block_height: Some(9) };
    runs.confirm(&purchase, &question).await.unwrap();
    runs.reject(&purchase).await.unwrap();
    runs.wallet_state(&purchase, &wallet).await.unwrap();
    runs.pay(&purchase, &payment).await.unwrap();
    runs.cancel(&purchase).await.unwrap();
    runs.rebind(&purchase, &executor).await.unwrap();
    let asked = double.asked();
    let sent: Vec<_> = asked.iter().map(|asked| (line(asked), body(asked))).collect();
    let at = |act: &str| format!("POST /v1/runs/{RUN}/{act}");
    assert_eq!(
        sent,
        [
            (at("confirm"), json!({ "digest": question.confirmation.digest, "amountCents": "2350" })),
            (at("confirm"), json!({ "reject": true })),
            (at("wallet-state"), json!({ "connected": true, "address": "w", "shieldedUsdc": "7" })),
            (at("payment"), json!({ "signature": "s", "lastValidBlockHeight": 9 })),
            (at("cancel"), json!({})),
            (at("executor"), json!({ "executorId": EXECUTOR })),
        ]
    );
    assert!(asked.iter().all(|asked| bearer(asked) == Some(TOKEN)));
}

#[tokio::test]
async fn what_is_read_is_asked_for_with_the_token() {
    let mut history = answer();
    history["events"] = json!([]);
    let (runs, double) = runs(vec![
        Reply::Silence,
        yes(&history),
        yes(&json!({ "events": [], "nextAfter": 9 })),
        yes(&json!({ "runId": RUN, "entries": [], "head": "" })),
        yes(&json!({ "executorId": EXECUTOR, "simulated": true })),
        yes(&json!({ "address": "a b", "network": "simulated", "publicUsdc": "1", "native": "0", "simulated": true })),
    ])
    .await;
    let purchase = purchase();
    assert_eq!(runs.show(&purchase).await.unwrap().next_action.action, "confirm");
    assert_eq!(runs.events(&purchase, 7, Some(2)).await.unwrap().next_after, Some(9));
    assert_eq!(runs.journal(&purchase).await.unwrap().run_id, RUN);
    assert_eq!(runs.demo_executor().await.unwrap().as_str(), EXECUTOR);
    assert_eq!(runs.balances("a b").await.unwrap().public_usdc, "1");
    let asked = double.asked();
    let lines: Vec<_> = asked.iter().map(line).collect();
    assert_eq!(
        lines,
        [
            format!("GET /v1/runs/{RUN}"),
            format!("GET /v1/runs/{RUN}"),
            format!("GET /v1/runs/{RUN}/events?after=7&limit=2"),
            format!("GET /v1/runs/{RUN}/journal"),
            "GET /v1/demo".to_owned(),
            "GET /v1/chain/balances?address=a+b".to_owned(),
        ]
    );
    let (secret, public) = asked.split_at(4);
    assert!(secret.iter().all(|asked| bearer(asked) == Some(TOKEN)));
    assert!(public.iter().all(|asked| bearer(asked).is_none()));
}

#[tokio::test]
async fn a_run_under_a_mandate_is_begun_and_confirmed_by_signatures_and_without_a_token() {
    let (ledger, double) = signed::ledger(vec![yes(&created()), Reply::Silence, yes(&answer())]).await;
    let (agent, owner) = (signed::agent(), signed::owner());
    let wanted = CreateRun { mandate: Some(B256::ZERO.to_string()), ..wanted() };
    let id = "0123456789abcdef".parse().unwrap();
    ledger.agent(&agent).start_run(&id, &wanted).await.unwrap();
    let shown = run_with(&[("/payment/confirmation/by", json!("mandate_owner"))]);
    let question = Question::of(&shown).unwrap().unwrap();
    ledger.owner(&owner).confirm(&question).await.unwrap();
    let asked = double.asked();
    let [_, start, lost, confirm] = &asked[..] else { panic!("four requests: {asked:?}") };
    assert_eq!(
        (line(start).as_str(), signed::signed_by(start).0),
        ("POST /v1/runs", Signer::address(&agent))
    );
    assert_eq!(body(start)["mandate"], json!(B256::ZERO.to_string()));
    assert_eq!(start.header("idempotency-key"), Some("0123456789abcdef"));
    for confirm in [lost, confirm] {
        assert_eq!(line(confirm), format!("POST /v1/runs/{RUN}/confirm"));
        assert_eq!(signed::signed_by(confirm).0, owner.address());
        assert_eq!(bearer(confirm), None);
    }
    assert_ne!(signed::signed_by(lost), signed::signed_by(confirm), "each signature is good once");
}

#[test]
fn no_secret_is_written_by_debug() {
    // S4
    let created: wire::RunCreated = serde_json::from_value(created()).unwrap();
    for text in [format!("{:?}", purchase()), format!("{created:?}")] {
        assert!(!text.contains("shown_once") && text.contains(RUN), "{text}");
    }
}
