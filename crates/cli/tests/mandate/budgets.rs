//! Owners make, fund and look at mandates.

use serde_json::json;

use crate::{cast::*, double::Reply};

#[tokio::test]
async fn a_mandate_is_made_of_exact_amounts() {
    let agent = address_of(AGENT);
    let line = format!(
        "create --agent {agent} --entry recipient={PROVIDER},payment-cap=0.29usdc --entry any --payment-cap 19.99usdc \
         --day-cap 50000000 --day-count 5 --salt {SALT} --valid-before 2099-01-01T00:00:00.000Z --label work"
    );
    let run = run(Some(OWNER), &line, vec![yes(&mandate(made()))]).await;
    assert_eq!((run.code, run.json()["mandate"].clone()), (0, json!(made())), "{}", run.stderr);
    run.says(&format!("Making mandate {} (salt {SALT}", made()));
    assert_eq!(
        run.body(0),
        json!({
            "salt": SALT, "label": "work", "agent": agent.to_string(), "amendDelaySeconds": 86400, "ownerKind": "ecdsa",
            "agentKind": "ecdsa",
            "policy": {
                "validBefore": "2099-01-01T00:00:00.000Z", "paymentCap": "19990000", "dayCap": "50000000",
                "dayCount": 5,
                "terms": {
                    "challengePeriodSeconds": 86400, "resolutionTimeoutSeconds": 604800, "silenceBps": 5000,
                    "resolver": null,
                },
            },
            "entries": [
                { "recipient": PROVIDER.to_string(), "service": null, "paymentCap": "290000", "window": "utc_day" },
                { "recipient": null, "service": null, "window": "utc_day" },
            ],
        })
    );
}

#[tokio::test]
async fn money_is_moved_under_a_name_that_was_said() {
    for (line, amount) in [("fund --usdc 1.50", "1500000"), ("withdraw --amount 7", "7")] {
        let line = format!("{line} --message-id m-1 {MANDATE}");
        let run = run(Some(OWNER), &line, vec![Reply::Silence, yes(&mandate(MANDATE))]).await;
        assert_eq!((run.code, run.body(1)), (0, json!({ "amount": amount })), "{}", run.stderr);
        assert!(run.asked.iter().all(|asked| asked.header("idempotency-key") == Some("m-1")));
        run.says("as message m-1");
        run.says("7.5 USDC free of 9 USDC");
    }
}

#[tokio::test]
async fn what_was_done_before_is_said_to_be() {
    let headers = vec![("Idempotency-Replayed", "true".to_owned())];
    let reply = Reply::Http { status: 200, headers, body: mandate(MANDATE).to_string() };
    let run = run(Some(OWNER), &format!("fund --amount 7 {MANDATE}"), vec![reply]).await;
    run.says("nothing moved now");
}

#[tokio::test]
async fn a_mandate_is_shown_to_anyone_and_harmless_for_a_terminal() {
    let run = run(None, &format!("show {MANDATE}"), vec![yes(&mandate(MANDATE))]).await;
    assert_eq!((run.code, run.json()["policyVersion"].clone()), (0, json!(1)), "{}", run.stderr);
    assert!(run.asked[0].header("signature").is_none());
    assert!(!run.stderr.contains('\u{1b}'));
    for said in ["9 USDC", "5 USDC", "9 USDC, 7.5 USDC left", "a [31mb"] {
        run.says(said);
    }
}

#[tokio::test]
async fn what_is_left_is_shown_for_one_provider_and_service() {
    let line = format!("budget {MANDATE} --recipient {PROVIDER} --service api.example.com/translate");
    let run = run(None, &line, vec![yes(&budget())]).await;
    assert_eq!((run.code, run.json()), (0, budget()), "{}", run.stderr);
    assert!(run.asked[0].head.contains("&service=0x"), "{}", run.asked[0].head);
    run.says("2 USDC per payment");
}

#[tokio::test]
async fn lists_have_pages() {
    let page = json!({ "mandates": [mandate(MANDATE)], "nextCursor": "c1" });
    let mandates = run(Some(OWNER), "list --status active --limit 1", vec![yes(&page)]).await;
    assert_eq!(mandates.json()["nextCursor"], "c1");
    mandates.says("More: --cursor c1");
    let page = json!({ "approvals": [payment(&message(), "awaiting_approval")], "nextCursor": null });
    let approvals = run(Some(OWNER), "approvals", vec![yes(&page)]).await;
    approvals.says("awaiting_approval  1.5 USDC");
    let line = json!({
        "at": "2026-12-01T00:00:00.000Z", "mandate": MANDATE, "seq": 2, "kind": "fund", "role": "owner",
        "actor": null, "payment": null, "amount": "7", "paid": "0", "returned": "0", "token": null,
        "provider": null, "result": "done", "reason": null, "transaction": null, "source": "ledger",
    });
    let page = json!({ "activity": [line], "nextCursor": null });
    let activity = run(Some(OWNER), "activity --kind fund", vec![yes(&page)]).await;
    assert_eq!(activity.json()["activity"][0]["kind"], "fund");
    activity.says("0.000007 USDC");
}

#[tokio::test]
async fn activity_comes_as_csv() {
    let csv = Reply::Http { status: 200, headers: Vec::new(), body: "at,mandate\r\nx,y\r\n".to_owned() };
    let run = run_on(84_532, "", Some(OWNER), "activity --csv", vec![csv]).await;
    assert_eq!((run.code, run.stdout.as_str()), (0, "at,mandate\r\nx,y\n"));
}

#[tokio::test]
async fn nothing_is_signed_for_another_chain() {
    let line = format!("fund --amount 7 {MANDATE}");
    let run = run_on(1, "--json", Some(OWNER), &line, Vec::new()).await;
    assert_eq!((run.code, run.asked.len()), (3, 0), "{}", run.stderr);
}

#[tokio::test]
async fn each_change_and_act_is_one_request_and_one_line() {
    let changed = || vec![yes(&mandate(MANDATE))];
    for (act, key) in [("pause", OWNER), ("unpause", OWNER), ("revoke", OWNER), ("renounce", AGENT)] {
        let run = run(Some(key), &format!("{act} {MANDATE}"), changed()).await;
        assert_eq!((run.code, run.json()["version"].clone()), (0, json!(2)), "{act}: {}", run.stderr);
        assert!(run.asked[0].head.starts_with(&format!("POST /v1/mandates/{MANDATE}/{act} ")));
    }
    let delivered = payment(&message(), "delivered");
    let id = delivered["payment"].as_str().unwrap().to_owned();
    for (act, more) in
        [("deliver", format!("--receipt {SALT}")), ("accept", String::new()), ("dispute", String::new())]
    {
        let script = vec![yes(&delivered), yes(&delivered)];
        let run = run(Some(OWNER), &format!("{act} {id} {more}"), script).await;
        assert_eq!(
            (run.code, run.json()["progress"].clone()),
            (0, json!("delivered")),
            "{act}: {}",
            run.stderr
        );
        assert!(run.asked[1].head.contains(&format!("/requests/{id}/{act} ")), "{}", run.asked[1].head);
    }
}
