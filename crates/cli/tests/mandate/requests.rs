//! An agent asks for payments.

use serde_json::json;

use crate::{cast::*, double::Reply};

fn line(more: &str) -> String {
    format!(
        "request {MANDATE} --recipient {PROVIDER} --service api.example.com/translate --usdc 1.50 \
         --request-id {REQUEST} {more}"
    )
}

/// The script of a request that nobody has seen: looked up, evaluated, sent.
fn fresh(verdict: &str, broken: &[&str], progress: &str) -> Vec<Reply> {
    let message = message();
    vec![
        no(404, "unknown_request"),
        yes(&mandate(MANDATE)),
        yes(&evaluation(&message, verdict, broken)),
        yes(&payment(&message, progress)),
    ]
}

#[tokio::test]
async fn what_is_allowed_is_escrowed_and_shown() {
    let run = run(Some(AGENT), &line(""), fresh("allowed", &[], "escrowed")).await;
    assert_eq!((run.code, run.json()["progress"].clone()), (0, json!("escrowed")), "{}", run.stderr);
    run.says(&format!("Asking as request {REQUEST}."));
    run.says("1.5 USDC");
    assert_eq!(run.asked.len(), 4);
    assert!(run.body(3)["signature"].as_str().unwrap().starts_with("0x"));
}

#[tokio::test]
async fn what_is_not_allowed_is_told_rule_by_rule_and_not_sent() {
    let script = fresh("refused", &["day_cap", "funds"], "escrowed");
    let run = run(Some(AGENT), &line(""), script).await;
    assert_eq!((run.code, run.asked.len()), (1, 3), "{}", run.stderr);
    run.says("nothing was signed");
    run.says("day_cap: About day_cap.");
    run.says("funds: About funds.");
    assert!(!run.stderr.contains("About paused"));
    let told = run.json();
    assert_eq!((told["exit_code"].clone(), told["answer"]["code"].clone()), (json!(1), json!("day_cap")));
}

#[tokio::test]
async fn a_request_that_waits_says_how_its_owner_approves_it() {
    let run = run(Some(AGENT), &line(""), fresh("needs_approval", &[], "awaiting_approval")).await;
    assert_eq!((run.code, run.json()["progress"].clone()), (0, json!("awaiting_approval")), "{}", run.stderr);
    let id = run.json()["payment"].as_str().unwrap().to_owned();
    let command = format!("guildhall --api {} mandate --chain 84532 approve {id} --key-file FILE", run.url);
    run.says(&command);
}

#[tokio::test]
async fn who_waits_in_vain_is_told_how_to_go_on() {
    let run = run(Some(AGENT), &line("--wait 0"), fresh("needs_approval", &[], "awaiting_approval")).await;
    assert_eq!((run.code, run.json()["answer"]["progress"].clone()), (1, json!("awaiting_approval")));
    run.says(&format!("ask again with --request-id {REQUEST}"));
}

#[tokio::test]
async fn an_approval_that_came_meanwhile_is_used() {
    let message = message();
    let script = vec![yes(&payment(&message, "approved")), yes(&payment(&message, "escrowed"))];
    let run = run(Some(AGENT), &line("--wait 0"), script).await;
    assert_eq!((run.code, run.json()["progress"].clone()), (0, json!("escrowed")), "{}", run.stderr);
}

#[tokio::test]
async fn what_was_approved_is_submitted_and_what_waits_is_not() {
    let message = message();
    let approved = payment(&message, "approved");
    let line = format!("submit {}", approved["payment"].as_str().unwrap());
    let script = vec![yes(&approved), yes(&payment(&message, "escrowed"))];
    let submitted = run(Some(AGENT), &line, script).await;
    assert_eq!((submitted.code, submitted.json()["progress"].clone()), (0, json!("escrowed")));
    assert!(submitted.body(1)["signature"].as_str().unwrap().starts_with("0x"));

    let waiting = run(Some(AGENT), &line, vec![yes(&payment(&message, "awaiting_approval"))]).await;
    assert_eq!((waiting.code, waiting.asked.len()), (0, 1), "{}", waiting.stderr);
    waiting.says("It waits for the owner");
}

#[tokio::test]
async fn a_no_of_the_owner_is_a_failure_with_its_note() {
    let message = message();
    let mut rejected = payment(&message, "rejected");
    rejected["note"] = json!("too dear");
    let script = vec![yes(&rejected), yes(&rejected)];
    let run = run(Some(AGENT), &line(""), script).await;
    assert_eq!(run.code, 1);
    run.says("the request is rejected: too dear");
}

#[tokio::test]
async fn a_ledger_that_completes_the_request_otherwise_gets_no_signature() {
    let mut other = message();
    other.maxAmount = 1_500_001;
    let script =
        vec![no(404, "unknown_request"), yes(&mandate(MANDATE)), yes(&evaluation(&other, "allowed", &[]))];
    let run = run(Some(AGENT), &line(""), script).await;
    assert_eq!((run.code, run.asked.len()), (3, 3), "{}", run.stderr);
    run.says("its amount is 1500001 and not 1500000");
}

#[tokio::test]
async fn an_evaluation_is_for_anyone() {
    let message = message();
    for (verdict, broken, said) in [
        ("allowed", &[][..], "Allowed.\n"),
        ("needs_approval", &[], "once the owner approves it"),
        ("refused", &["day_cap"], "day_cap: About day_cap."),
    ] {
        let line = line("").replacen("request", "evaluate", 1);
        let script = vec![yes(&mandate(MANDATE)), yes(&evaluation(&message, verdict, broken))];
        let run = run(None, &line, script).await;
        assert_eq!((run.code, run.json()["verdict"].clone()), (0, json!(verdict)), "{}", run.stderr);
        run.says(said);
        assert!(run.asked.iter().all(|asked| asked.header("signature").is_none()));
    }
}

#[tokio::test]
async fn an_evaluation_of_another_request_is_no_answer() {
    let line = line("").replacen("request", "evaluate", 1).replace(&REQUEST.to_string(), &SALT.to_string());
    let script = vec![yes(&mandate(MANDATE)), yes(&evaluation(&message(), "allowed", &[]))];
    let run = run(None, &line, script).await;
    assert_eq!(run.code, 3);
    run.says("its request id is");
}
