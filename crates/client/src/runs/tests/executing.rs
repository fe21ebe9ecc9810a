//! What an executor sends.

use api::wire::{BrowserResult, BrowserTask, ExecutorStatus};
use serde_json::json;

use super::cast::*;
use crate::{double::Reply, runs::Badge};

const SECRET: &str = "gld_executor_shown_once";

fn badge() -> Badge {
    Badge { executor_id: EXECUTOR.parse().unwrap(), executor_secret: SECRET.to_owned() }
}

#[tokio::test]
async fn an_executor_registers_and_keeps_what_proves_it() {
    let registered = json!({ "executorId": EXECUTOR, "executorSecret": SECRET, "protocolVersion": "1" });
    let (runs, double) = runs(vec![Reply::Silence, yes(&registered), yes(&registered)]).await;
    let badge = runs.register(Some("laptop".to_owned())).await.unwrap();
    assert_eq!((badge.executor_id.as_str(), badge.executor_secret.as_str()), (EXECUTOR, SECRET));
    runs.register(None).await.unwrap();
    let asked = double.asked();
    assert!(asked.iter().all(|asked| line(asked) == "POST /v1/executors"));
    assert_eq!((body(&asked[1]), body(&asked[2])), (json!({ "label": "laptop" }), json!({})));
}

#[tokio::test]
async fn commands_are_taken_and_answered_with_the_secret() {
    let command = json!({
        "type": "READ_PIX", "expectedAmountCents": "2350", "commandId": "cmd_7", "runId": RUN,
        "executorId": EXECUTOR, "expiresAt": "t", "protocolVersion": "1",
    });
    let (runs, double) = runs(vec![
        yes(&json!({ "executorId": EXECUTOR, "label": null, "status": "idle", "lastSeenAt": "t", "pending": 0 })),
        Reply::Silence,
        yes(&json!({ "commands": [command], "protocolVersion": "1" })),
        Reply::Silence,
        yes(&json!({ "runId": RUN, "accepted": true })),
    ])
    .await;
    let executor = runs.executor(badge());
    assert_eq!(executor.look().await.unwrap().status, ExecutorStatus::Idle);
    let commands = executor.poll().await.unwrap();
    let [command] = &commands[..] else { panic!("one command") };
    assert_eq!(command.task, BrowserTask::ReadPix { expected_amount_cents: "2350".to_owned() });
    let result = BrowserResult::Unavailable { command_id: "cmd_7".to_owned(), reason: "gone".to_owned() };
    assert!(executor.answer(&RUN.parse().unwrap(), &result).await.unwrap().answer.accepted);
    let asked = double.asked();
    let lines: Vec<_> = asked.iter().map(line).collect();
    let (poll, answer) =
        ("GET /v1/executors/me/commands?wait=25", format!("POST /v1/runs/{RUN}/browser-result"));
    assert_eq!(lines, ["GET /v1/executors/me", poll, poll, &answer, &answer]);
    assert_eq!(body(&asked[4]), json!({ "type": "UNAVAILABLE", "commandId": "cmd_7", "reason": "gone" }));
    assert!(asked.iter().all(|asked| bearer(asked) == Some(SECRET)));
}

#[test]
fn no_secret_is_written_by_debug() {
    // S4
    let text = format!("{:?}", badge());
    assert!(!text.contains("shown_once") && text.contains(EXECUTOR), "{text}");
}
