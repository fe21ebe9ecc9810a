//! A run is followed, line by line.

use serde_json::{Value, json};

use crate::cast::*;

const WATCH: &str = "run watch --token-file run.json";

/// The run as it stood after an event.
fn run_at(seq: u64, state: &str) -> Value {
    run(&[("/state", json!(state)), ("/version", json!(seq))])
}

/// The run, over in a state, at the event 20.
fn over(state: &str) -> Value {
    let mut run = run_in(state);
    run["isTerminal"] = json!(true);
    run
}

/// What the wallet may pay.
fn authorization() -> Value {
    json!({
        "amountCents": "2350", "gross": "4395371", "wallet": "sim_wallet_1", "at": "t",
        "submitBy": "2026-11-30T14:35:00.000Z", "basis": { "kind": "user-confirmation", "digest": "d" },
    })
}

#[tokio::test]
async fn lines_come_until_it_is_the_callers_turn() {
    let (before, asking) = (run_at(19, "PAYMENT_READY"), run(&[]));
    let script = vec![stream(&[(19, &before), (20, &asking)]), yes(&history_of(&asking, "confirm"))];
    let called = call(&Folder::with_token(), &format!("{WATCH} --after 18"), script).await;
    called.ended(0);
    assert_eq!((called.asked.len(), called.asked[0].header("last-event-id")), (2, Some("18")));
    called.says("  19  2026-11-30T14:25:09.000Z  Line 19 of [2J it.\n  20  ");
    called.says("It waits for your yes:\n  guildhall --api URL run confirm --token-file run.json");
}

#[tokio::test]
async fn what_the_run_waited_for_is_nobodys_turn_any_more() {
    let (asked, confirmed) = (run_at(18, "USER_CONFIRMATION"), run_at(19, "USER_CONFIRMATION"));
    let done = over("ORDER_CONFIRMED");
    let script = vec![
        stream(&[(18, &asked), (19, &confirmed), (20, &done)]),
        // Asked again meanwhile, of somebody else's change.
        yes(&history_of(&confirmed, "confirm")),
        // Agreed to, and waiting for the mandate.
        yes(&history_of(&confirmed, "wait")),
    ];
    let called = call(&Folder::with_token(), WATCH, script).await;
    called.ended(0);
    assert!(!called.stderr.contains("waits for your yes"), "{}", called.stderr);
    called.says("Bought.");
}

#[tokio::test]
async fn told_to_stay_it_goes_on_until_the_run_is_over() {
    let (asking, mut done) = (run(&[]), over("ORDER_CONFIRMED"));
    done["version"] = json!(21);
    done["order"] = json!({ "confirmed": true, "evidence": "order\u{7} 7" });
    let script = vec![stream(&[(20, &asking)]), yes(&history_of(&asking, "confirm")), stream(&[(21, &done)])];
    let called = call(&Folder::with_token(), &format!("--json {WATCH} --stay"), script).await;
    called.ended(0);
    assert_eq!(called.asked[2].header("last-event-id"), Some("20"));
    called.says("It waits for your yes");
    called.says("order  7");
    let seen: Vec<_> = called.json().iter().map(|frame| frame["event"]["seq"].clone()).collect();
    assert_eq!(seen, [json!(20), json!(21)]);
}

#[tokio::test]
async fn every_turn_names_its_command() {
    for (state, action, edit, says) in [
        (
            "USER_CONFIRMATION",
            "confirm_as_mandate_owner",
            ("/payment/confirmation/by", json!("mandate_owner")),
            "  guildhall --api URL run confirm --key-file FILE --token-file run.json",
        ),
        (
            "WALLET_REQUIRED",
            "connect_wallet",
            ("/payment", Value::Null),
            "  guildhall --api URL run wallet --address ADDRESS --token-file run.json",
        ),
        (
            "SHIELD_REQUIRED",
            "shield",
            ("/payment/assessment", json!({ "status": "shield_required", "missing": "1500000" })),
            "The wallet has to shield 1.5 USDC more; say so when it has:\n  guildhall --api URL run wallet --address sim_wallet_1",
        ),
        (
            "FUNDS_CHECKED",
            "add_funds",
            ("/payment/assessment", json!({ "status": "insufficient", "missing": "7" })),
            "The wallet lacks 0.000007 USDC",
        ),
        (
            "PAYMENT_AUTHORIZED",
            "pay",
            ("/payment/authorization", authorization()),
            "The wallet sim_wallet_1 may pay until 2026-11-30T14:35:00.000Z:\n  4395371 units of simulated/usdc\n  \
             to sim_deposit_1\nThen say so:\n  guildhall --api URL run pay --signature SIGNATURE --token-file run.json",
        ),
    ] {
        let waiting = run(&[("/state", json!(state)), edit]);
        let script = vec![stream(&[(20, &waiting)]), yes(&history_of(&waiting, action))];
        let called = call(&Folder::with_token(), WATCH, script).await;
        called.ended(0);
        called.says(says);
    }
}

#[tokio::test]
async fn a_run_whose_executor_is_away_says_how_to_bind_another_one() {
    let waiting = run_in("REVALIDATION_REQUESTED");
    let mut away = event(20);
    away["type"] = json!("EXECUTOR_OFFLINE");
    away["payload"] = json!({ "executorId": EXECUTOR });
    let script = vec![stream_of(&[(away, &waiting)]), yes(&history_of(&waiting, "start_executor"))];
    let called = call(&Folder::with_token(), WATCH, script).await;
    called.ended(0);
    called.says("guildhall --api URL run rebind --executor EXECUTOR --token-file run.json");
}

#[tokio::test]
async fn a_simulated_wallet_takes_its_turns_by_itself() {
    let simulated = ("/settlement", json!({ "kind": "simulated", "wallet": true }));
    let mut done = over("ORDER_CONFIRMED");
    done["version"] = json!(21);
    for (state, action) in [("WALLET_REQUIRED", "connect_wallet"), ("PAYMENT_AUTHORIZED", "pay")] {
        let authorized = ("/payment/authorization", authorization());
        let waiting = run(&[("/state", json!(state)), simulated.clone(), authorized]);
        let script = vec![stream(&[(20, &waiting), (21, &done)]), yes(&history_of(&waiting, action))];
        let called = call(&Folder::with_token(), WATCH, script).await;
        called.ended(0);
        called.says("  21  ");
    }
}

#[tokio::test]
async fn the_exit_code_says_how_it_ended() {
    let failure = ("/failure", json!({ "code": "market_unavailable", "reason": "No market\u{1b} answers." }));
    for (state, code, says) in [
        ("ORDER_CONFIRMED", 0, "Bought."),
        ("NO_VALID_OPTION", 1, "nothing was bought: No market  answers."),
        ("CANCELLED", 1, "nothing was bought"),
        ("FAILED", 1, "nothing was bought"),
        ("SETTLEMENT_FAILED", 1, "nothing was bought"),
        ("SETTLEMENT_UNKNOWN", 5, "Ask the shop and look at the wallet"),
        ("ORDER_UNKNOWN", 5, "Ask the shop and look at the wallet"),
    ] {
        let mut run = over(state);
        if code != 0 {
            *run.pointer_mut(failure.0).unwrap() = failure.1.clone();
        }
        let called =
            call(&Folder::with_token(), &format!("--json {WATCH}"), vec![stream(&[(20, &run)])]).await;
        called.ended(code);
        called.says(says);
        if code != 0 {
            assert_eq!(called.json()[1]["answer"]["state"], json!(state));
        }
    }
}

#[tokio::test]
async fn a_start_can_be_followed_at_once() {
    let folder = Folder::new();
    let mut created = answer(&run_in("INTENT_CAPTURED"));
    created["runToken"] = json!(TOKEN);
    let script = vec![yes(&created), stream(&[(20, &run(&[]))]), yes(&history_of(&run(&[]), "confirm"))];
    let line = "run start --requirement cola --max-cents 2500 --token-file run.json --watch";
    let called = call(&folder, line, script).await;
    assert_eq!((called.code, called.stdout.as_str()), (0, format!("{RUN}\n").as_str()), "{}", called.stderr);
    called.keeps_secrets();
    called.says("It waits for your yes");
    assert!(!called.stderr.contains("Next:"), "one word of advice is enough: {}", called.stderr);
}

#[tokio::test]
async fn a_place_that_is_none_is_said() {
    let said = json!({ "type": "reset", "run": run(&[]) });
    let body = format!("event: reset\ndata: {said}\n\n");
    let headers = vec![("Content-Type", "text/event-stream".to_owned())];
    let reset = crate::double::Reply::Http { status: 200, headers, body };
    let script = vec![reset, yes(&history_of(&run(&[]), "confirm"))];
    let called = call(&Folder::with_token(), &format!("{WATCH} --after 99"), script).await;
    called.ended(0);
    called.says("There is no event 99 of this run; going on from event 20.");
}
