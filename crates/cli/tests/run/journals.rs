//! A run's journal is fetched, kept, and checked again offline.

use client::Digest;
use serde_json::{Value, json};

use crate::cast::*;

/// Three entries, chained by the rule written out by hand.
fn journal() -> Value {
    let mut previous = [0_u8; 32];
    let mut entries = Vec::new();
    for (seq, kind) in (1..).zip(["INTENT_CREATED", "MARKET_SEARCH_STARTED", "CANCELLED"]) {
        let event = format!(r#"{{"actor":"agent","at":7,"type":"{kind}","v":1}}"#);
        let text = format!(r#"{{"at":"t{seq}","correlation_id":"c","event":{event},"seq":{seq}}}"#);
        previous = Digest::of(&[&previous, text.as_bytes()]).0;
        let event: Value = serde_json::from_str(&event).unwrap();
        let hash = hex::encode(previous);
        entries.push(json!({ "seq": seq, "at": format!("t{seq}"), "correlation_id": "c", "event": event, "hash": hash }));
    }
    json!({ "runId": RUN, "entries": entries, "head": hex::encode(previous) })
}

#[tokio::test]
async fn a_journal_that_was_kept_is_verified_offline() {
    let folder = Folder::with_token();
    let line = "--json run journal --token-file run.json --out journal.json";
    let called = call(&folder, line, vec![yes(&journal())]).await;
    called.ended(0);
    assert_eq!(called.sent()[0].0, format!("GET /v1/runs/{RUN}/journal"));
    called.says("   2  t2  MARKET_SEARCH_STARTED");
    called.says("The chain holds: 3 entries");
    assert_eq!((called.json()[0].clone(), folder.read("journal.json")), (journal(), journal()));
    let head = journal()["head"].as_str().unwrap().to_owned();
    let verified =
        call(&folder, &format!("--json journal verify journal.json --head {head}"), Vec::new()).await;
    assert_eq!(
        (verified.code, verified.json()[0].clone()),
        (0, json!({ "runId": RUN, "entries": 3, "head": head }))
    );
    verified.says(&format!("The journal of run {RUN} holds"));
}

#[tokio::test]
async fn a_journal_that_was_edited_does_not_hold() {
    let folder = Folder::with_token();
    let mut edited = journal();
    edited["entries"][1]["event"]["type"] = json!("MARKET_SEARCH_FAILED");
    std::fs::write(folder.file("journal.json"), edited.to_string()).unwrap();
    let verified = call(&folder, "journal verify journal.json", Vec::new()).await;
    assert_eq!(verified.code, 6, "{}", verified.stderr);
    let called = call(&folder, "run journal --token-file run.json", vec![yes(&edited)]).await;
    called.ended(6);
    std::fs::write(folder.file("journal.json"), "{}").unwrap();
    let verified = call(&folder, "journal verify journal.json", Vec::new()).await;
    assert_eq!(verified.code, 2, "{}", verified.stderr);
}
