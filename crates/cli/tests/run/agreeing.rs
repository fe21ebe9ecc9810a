//! Somebody agrees to what it has seen.

use serde_json::{Value, json};

use crate::cast::*;

#[tokio::test]
async fn nothing_is_confirmed_where_nobody_can_be_asked() {
    let script = vec![yes(&history(&run(&[])))];
    let called = call(&Folder::with_token(), "run confirm --token-file run.json", script).await;
    called.ended(2);
    assert_eq!(called.asked.len(), 1);
    called.says("nothing was confirmed: say --yes");
}

#[tokio::test]
async fn everything_is_shown_before_it_is_agreed_to() {
    let script = vec![yes(&history(&run(&[]))), yes(&answer(&run_in("PAYMENT_AUTHORIZED")))];
    let called = call(&Folder::with_token(), "--json run confirm --yes --token-file run.json", script).await;
    called.ended(0);
    let digest = run(&[])["payment"]["confirmation"]["digest"].as_str().unwrap().to_owned();
    for said in [
        RUN,
        "Synthetic Corner",
        "1 x Coca-Cola 2L at R$ 18,50 = R$ 18,50",
        "R$ 5,00 delivery",
        "R$ 23,50",
        "R$ 25,00",
        "4.395371 USDC (4395371 units)",
        "simulated/usdc",
        "sim_wallet_1",
        "sim_deposit_1",
        "3749cb48ee6e8dd6738012fc45cdabda219ccc1a1c46b6525d0f2072a65d90e4",
        "2026-11-30T14:25:08.007Z",
        "2026-11-30T14:35:08.007Z",
        &digest,
        "the shop is not paid",
        "is PAYMENT_AUTHORIZED",
    ] {
        called.says(said);
    }
    let confirm = format!("POST /v1/runs/{RUN}/confirm");
    assert_eq!(called.sent()[1], (confirm, json!({ "digest": digest, "amountCents": "2350" })));
}

#[tokio::test]
async fn what_the_digest_is_not_of_is_not_agreed_to() {
    let forged = run(&[("/payment/requirement/payTo", json!("sim_deposit_2"))]);
    let script = vec![yes(&history(&forged))];
    let called = call(&Folder::with_token(), "run confirm --yes --token-file run.json", script).await;
    called.ended(3);
    assert_eq!(called.asked.len(), 1);
    called.says("its digest is of something else");
}

#[tokio::test]
async fn where_nothing_is_asked_the_run_says_what_it_waits_for() {
    let script = vec![yes(&history(&run_in("WALLET_REQUIRED")))];
    let called = call(&Folder::with_token(), "--json run confirm --yes --token-file run.json", script).await;
    called.ended(1);
    assert_eq!(
        (called.asked.len(), called.json()[0]["answer"]["state"].clone()),
        (1, json!("WALLET_REQUIRED"))
    );
    called.says("nothing is to be confirmed: the run is WALLET_REQUIRED");
    called.says("Do [31m it.");
}

#[tokio::test]
async fn above_a_mandates_threshold_its_owner_agrees_by_a_signature_and_without_the_token() {
    let mandate = format!("0x{}", "4d".repeat(32));
    let owner = format!("0x{}", "0e".repeat(20));
    let asked = run(&[
        ("/payment/confirmation/by", json!("mandate_owner")),
        ("/mandate", json!({ "mandate": mandate, "owner": owner, "agent": owner })),
    ]);
    let script = vec![yes(&history(&asked)), yes(&status()), yes(&answer(&run_in("PAYMENT_AUTHORIZED")))];
    let called = call(&Folder::with_token(), "run confirm --yes --token-file run.json", script).await;
    assert_eq!(called.code, 0, "{}", called.stderr);
    called.keeps_secrets();
    called.says(&mandate);
    called.says("0xb07d11648514dea99b0b5eac6ab7d8db649fc776");
    let [_, _, confirm] = &called.asked[..] else { panic!("three requests: {:?}", called.asked) };
    assert!(confirm.header("signature").is_some() && confirm.header("authorization").is_none());
    assert_eq!(called.sent()[2].1["amountCents"], json!("2350"));
}

#[tokio::test]
async fn a_late_yes_is_sent_to_look_again() {
    let script = vec![yes(&history(&run(&[]))), no(409, "confirmation_mismatch")];
    let called = call(&Folder::with_token(), "run confirm --yes --token-file run.json", script).await;
    called.ended(1);
    called.says("Look again with `guildhall run confirm`");
    assert_eq!(called.json(), Vec::<Value>::new());
}
