//! An executor registers, and plays its part.

use serde_json::{Value, json};

use crate::{
    cast::*,
    double::{Asked, Reply},
};

fn registered() -> Reply {
    yes(&json!({ "executorId": EXECUTOR, "executorSecret": SECRET, "protocolVersion": "1" }))
}

fn command(id: &str, task: Value) -> Value {
    let mut command = json!({
        "commandId": id, "runId": RUN, "executorId": EXECUTOR, "expiresAt": "2099-01-01T00:00:00.000Z",
        "protocolVersion": "1",
    });
    command.as_object_mut().unwrap().extend(task.as_object().unwrap().clone());
    command
}

fn commands(commands: &[Value]) -> Reply {
    yes(&json!({ "commands": commands, "protocolVersion": "1" }))
}

fn taken() -> Reply {
    yes(&json!({ "runId": RUN, "accepted": true }))
}

fn look(requirement: &str) -> Value {
    let shop = synthetic::market(
        &::run::Intent { requirement: requirement.to_owned(), quantity: 1, max_total: ::run::Cents(10_000) },
        client::UnixMillis(0),
    );
    let ::run::Found::Candidates { candidates, .. } = shop else { panic!("there are shops") };
    let shop = &candidates[0];
    json!({
        "type": "REVALIDATE_CANDIDATE",
        "candidate": {
            "candidateId": shop.candidate_id, "source": shop.source, "merchantName": shop.merchant,
            "requirement": requirement, "quantity": 1, "observedTotalCents": shop.observed_total.to_string(),
        },
    })
}

#[tokio::test]
async fn the_secret_of_an_executor_lies_in_a_file_and_nowhere_else() {
    let folder = Folder::new();
    let line = "executor register --label laptop --secret-file executor.json";
    let called = call(&folder, line, vec![registered()]).await;
    assert_eq!(
        (called.code, called.stdout.as_str()),
        (0, format!("{EXECUTOR}\n").as_str()),
        "{}",
        called.stderr
    );
    called.keeps_secrets();
    assert_eq!(folder.read("executor.json"), json!({ "executorId": EXECUTOR, "executorSecret": SECRET }));
    #[cfg(unix)]
    folder.is_private("executor.json");
    let seen = json!({ "executorId": EXECUTOR, "label": "lap\u{1b}top", "status": "offline", "lastSeenAt": "t", "pending": 2 });
    let called = call(&folder, "executor show --secret-file executor.json", vec![yes(&seen)]).await;
    assert_eq!(called.code, 0, "{}", called.stderr);
    called.keeps_secrets();
    called.says("offline");
    called.says("lap top");
    assert_eq!(called.asked[0].header("authorization"), Some(format!("Bearer {SECRET}").as_str()));
}

#[tokio::test]
async fn a_purchase_is_played_to_its_order() {
    let script = vec![
        registered(),
        commands(&[]),
        commands(&[command("cmd_5", look("cola login"))]),
        taken(),
        taken(),
        taken(),
        commands(&[command("cmd_9", json!({ "type": "PREPARE_CHECKOUT" }))]),
        taken(),
        commands(&[command("cmd_12", json!({ "type": "READ_PIX", "expectedAmountCents": "2350" }))]),
        taken(),
        commands(&[command("cmd_14", json!({ "type": "READ_CHECKOUT" }))]),
        no(409, "command_withdrawn"),
        commands(&[command("cmd_30", json!({ "type": "VERIFY_ORDER" }))]),
        taken(),
    ];
    let called = call(&Folder::new(), "executor demo --once", script).await;
    assert_eq!(
        (called.code, called.stdout.as_str()),
        (0, format!("{EXECUTOR}\n").as_str()),
        "{}",
        called.stderr
    );
    called.keeps_secrets();
    let results: Vec<Value> = called
        .sent()
        .into_iter()
        .filter(|(line, _)| line.ends_with("/browser-result"))
        .map(|(_, body)| body)
        .collect();
    let kinds: Vec<_> = results
        .iter()
        .map(|result| {
            format!("{} {}", result["commandId"].as_str().unwrap(), result["type"].as_str().unwrap())
        })
        .collect();
    let expected = [
        "cmd_5 STARTED",
        "cmd_5 NEEDS_USER",
        "cmd_5 QUOTE",
        "cmd_9 QUOTE",
        "cmd_12 PIX",
        "cmd_14 QUOTE",
        "cmd_30 ORDER",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(results[2]["quote"]["totalCents"], look("cola login")["candidate"]["observedTotalCents"]);
    assert_eq!(results[3]["quote"], results[2]["quote"]);
    let cents = |value: &Value| value.as_str().unwrap().parse::<u64>().unwrap();
    let quote = &results[2]["quote"];
    let lines = cents(&quote["items"][0]["totalCents"]) + cents(&quote["fees"][0]["amountCents"]);
    assert_eq!(lines, cents(&quote["totalCents"]), "{quote}");
    assert_eq!((&results[4]["amountCents"], &results[4]["evidence"]), (&json!("2350"), &json!("pix-code")));
    assert_eq!(results[6]["confirmed"], json!(true));
    assert!(
        called.asked[1..]
            .iter()
            .all(|asked: &Asked| asked.header("authorization") == Some(&format!("Bearer {SECRET}")))
    );
    called.says("cmd_14  READ_CHECKOUT -> QUOTE: Because.");
    called.says("cmd_30  VERIFY_ORDER -> ORDER: taken");
}

#[tokio::test]
async fn a_shop_that_is_gone_and_a_cart_that_is_unknown_are_said_to_be() {
    let folder = Folder::new();
    std::fs::write(
        folder.file("executor.json"),
        json!({ "executorId": EXECUTOR, "executorSecret": SECRET }).to_string(),
    )
    .unwrap();
    let script = vec![
        commands(&[
            command("cmd_5", look("cola gone")),
            command("cmd_6", json!({ "type": "READ_CHECKOUT" })),
        ]),
        taken(),
        taken(),
        taken(),
        no(401, "invalid_credentials"),
    ];
    let line = "executor demo --secret-file executor.json";
    let called = call(&folder, line, script).await;
    assert_eq!(called.code, 1, "without its secret it has nothing to do: {}", called.stderr);
    called.says("cmd_5  REVALIDATE_CANDIDATE -> UNAVAILABLE");
    assert_eq!(called.asked.len(), 5, "{:?}", called.asked);
}
