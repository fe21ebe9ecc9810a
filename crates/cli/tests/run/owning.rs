//! An owner begins a run, and does what an owner can do.

use serde_json::{Value, json};

use crate::{cast::*, double::Reply};

fn created() -> Value {
    let mut created = answer(&run_in("INTENT_CAPTURED"));
    created["runToken"] = json!(TOKEN);
    created
}

#[tokio::test]
async fn the_token_of_a_run_lies_in_a_file_and_nowhere_else() {
    let folder = Folder::new();
    let line = "run start --requirement cola --quantity 2 --max-cents 2500 --simulated-wallet --user me --token-file run.json";
    let called = call(&folder, line, vec![Reply::Silence, yes(&created())]).await;
    assert_eq!((called.code, called.stdout.as_str()), (0, format!("{RUN}\n").as_str()), "{}", called.stderr);
    called.keeps_secrets();
    called.says("run.json. It is a secret.");
    called.says("Next: Do [31m it.\n  guildhall --api URL run watch --token-file run.json");
    assert_eq!(folder.read("run.json"), json!({ "run": RUN, "runToken": TOKEN }));
    #[cfg(unix)]
    folder.is_private("run.json");
    let key = called.asked[0].header("idempotency-key").unwrap();
    called.says(&format!("Starting as message {key}."));
    assert_eq!((key.len(), called.asked[1].header("idempotency-key")), (64, Some(key)));
    let request = json!({
        "request": { "requirement": "cola", "quantity": 2, "maxBudgetCents": "2500" }, "userId": "me",
        "executionMode": "simulated", "wallet": "simulated",
    });
    assert_eq!(called.sent(), vec![("POST /v1/runs".to_owned(), request); 2]);
}

#[tokio::test]
async fn a_program_is_told_where_the_token_is() {
    let folder = Folder::new();
    let line = format!(
        "--json run start --requirement cola --max-cents 2500 --executor {EXECUTOR} --token-file run.json \
         --message-id 0123456789abcdef"
    );
    let headers = vec![("Idempotency-Replayed", "true".to_owned())];
    let reply = Reply::Http { status: 201, headers, body: created().to_string() };
    let called = call(&folder, &line, vec![reply]).await;
    assert_eq!(
        (called.code, called.json()[0]["tokenFile"].clone()),
        (0, json!("run.json")),
        "{}",
        called.stderr
    );
    assert_eq!(called.json()[0]["run"]["id"], json!(RUN));
    called.keeps_secrets();
    called.says("nothing was started again");
    assert_eq!(called.asked[0].header("idempotency-key"), Some("0123456789abcdef"));
    let body = &called.sent()[0].1;
    assert_eq!((&body["executorId"], &body["wallet"]), (&json!(EXECUTOR), &json!("external")));
}

#[tokio::test]
async fn the_token_of_another_run_is_not_overwritten() {
    let folder = Folder::new();
    let other = json!({ "run": "run_eaaaaaaaaaaaaaaaaaaaaaaaaa", "runToken": "other" });
    std::fs::write(folder.file("run.json"), other.to_string()).unwrap();
    let line = "run start --requirement cola --max-cents 2500 --token-file run.json";
    let called = call(&folder, line, vec![yes(&created())]).await;
    assert_eq!((called.code, folder.read("run.json")), (0, other), "{}", called.stderr);
    assert_eq!(folder.read(&format!("run.json.{RUN}"))["runToken"], json!(TOKEN));
    called.says(&format!("run.json.{RUN}. It is a secret."));
}

#[tokio::test]
async fn a_run_under_a_mandate_is_signed_for() {
    let folder = Folder::new();
    let mandate = format!("0x{}", "4d".repeat(32));
    let line =
        format!("run start --requirement cola --max-cents 2500 --token-file run.json --mandate {mandate}");
    let called = call(&folder, &line, vec![yes(&status()), yes(&created())]).await;
    assert_eq!(
        (called.code, called.sent()[1].1["mandate"].clone()),
        (0, json!(mandate)),
        "{}",
        called.stderr
    );
    assert!(called.asked[1].header("signature").is_some());
    let called = call(&folder, &format!("{line} --chain 1"), vec![yes(&status())]).await;
    assert_eq!(
        (called.code, called.asked.len()),
        (3, 1),
        "nothing is signed for another chain: {}",
        called.stderr
    );
}

#[tokio::test]
async fn a_start_that_stays_open_says_how_to_ask_again() {
    let folder = Folder::new();
    let line =
        "run start --requirement cola --max-cents 2500 --token-file run.json --message-id 0123456789abcdef";
    let open =
        || Reply::Http { status: 500, headers: vec![("Retry-After", "0".to_owned())], body: "?".to_owned() };
    let called = call(&folder, line, (0..8).map(|_| open()).collect()).await;
    assert_eq!(called.code, 5, "{}", called.stderr);
    called.says("the id 0123456789abcdef (--message-id");
}

#[tokio::test]
async fn each_act_is_one_request_and_says_where_the_run_stands() {
    let at = |act: &str| format!("POST /v1/runs/{RUN}/{act}");
    let folder = Folder::with_token();
    for (line, act, body) in [
        ("reject".to_owned(), "confirm", json!({ "reject": true })),
        ("cancel".to_owned(), "cancel", json!({})),
        (format!("rebind --executor {EXECUTOR}"), "executor", json!({ "executorId": EXECUTOR })),
        ("pay --signature s".to_owned(), "payment", json!({ "signature": "s" })),
        (
            "pay --signature s --last-valid-block-height 9".to_owned(),
            "payment",
            json!({ "signature": "s", "lastValidBlockHeight": 9 }),
        ),
    ] {
        let script = vec![yes(&answer(&run_in("SETTLING")))];
        let called = call(&folder, &format!("--json run {line} --token-file run.json"), script).await;
        called.ended(0);
        assert_eq!(called.sent(), [(at(act), body)], "{line}");
        called.says(&format!("Run {RUN} is SETTLING."));
        called.says("Next: Do [31m it.");
        assert_eq!(called.json()[0]["run"]["state"], json!("SETTLING"));
    }
}

#[tokio::test]
async fn a_wallet_says_what_it_is_and_when_it_looked() {
    let folder = Folder::with_token();
    let line = "run wallet --address w --shielded 7 --token-file run.json";
    let called = call(&folder, line, vec![yes(&answer(&run_in("FUNDS_CHECKED")))]).await;
    called.ended(0);
    let body = &called.sent()[0].1;
    assert_eq!(
        (&body["connected"], &body["address"], &body["shieldedUsdc"]),
        (&json!(true), &json!("w"), &json!("7"))
    );
    assert!(body["checkedAt"].as_str().unwrap().ends_with('Z'), "{body}");
    let line = "run wallet --disconnected --token-file run.json";
    let called = call(&folder, line, vec![yes(&answer(&run_in("WALLET_REQUIRED")))]).await;
    let body = &called.sent()[0].1;
    assert_eq!((&body["connected"], body.get("address")), (&json!(false), None));
}

#[tokio::test]
async fn what_was_done_before_is_said_to_be() {
    let headers = vec![("Idempotency-Replayed", "true".to_owned())];
    let body = answer(&run_in("CANCELLED")).to_string();
    let script = vec![Reply::Http { status: 200, headers, body }];
    let called = call(&Folder::with_token(), "run cancel --token-file run.json", script).await;
    called.says("nothing happened now");
}

#[tokio::test]
async fn a_refusal_is_one_line_for_programs_and_says_what_to_do() {
    let script = vec![no(409, "signature_used")];
    let called =
        call(&Folder::with_token(), "--json run pay --signature s --token-file run.json", script).await;
    called.ended(1);
    assert_eq!(called.json()[0]["problem"]["code"], json!("signature_used"));
    let script = vec![no(404, "unknown_run")];
    let called = call(&Folder::with_token(), "run show --token-file run.json", script).await;
    called.ended(1);
    called.says("the file that the `run start` of this run wrote");
}

#[tokio::test]
async fn a_file_that_is_no_token_is_said_to_be_none_and_not_repeated() {
    let folder = Folder::new();
    std::fs::write(folder.file("run.json"), "\"gld_run_shown_once\"").unwrap();
    let called = call(&folder, "run show --token-file run.json", Vec::new()).await;
    assert_eq!(called.code, 2);
    called.says("run.json is no run token file; `run start` writes one");
    called.keeps_secrets();
}

#[tokio::test]
async fn a_run_is_shown_with_its_lines_and_what_comes_next() {
    let mut settled = run_in("SETTLED");
    settled["payment"]["signature"] = json!("sim_1");
    settled["payment"]["settlement"] = json!("slot 7");
    let script = vec![yes(&history(&settled))];
    let called = call(&Folder::with_token(), "run show --token-file run.json", script).await;
    called.ended(0);
    for said in [
        "  20  2026-11-30T14:25:09.000Z  Line 20 of [2J it.",
        "SETTLED, event 20",
        "1 x coca-cola 2l",
        "R$ 25,00",
        "Synthetic Corner",
        "R$ 23,50",
        "sim_wallet_1",
        "sim_1",
        "slot 7",
        "no money moves",
        "Next: Do [31m it.",
    ] {
        called.says(said);
    }
}
