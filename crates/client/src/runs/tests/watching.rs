//! A run's stream: every event once and in order, whatever becomes of the connections.

use api::wire::RunFrame;
use serde_json::{Value, json};

use super::cast::*;
use crate::{Error, double::Reply, runs::Watch};

/// An event of a run, in whose newest state this event is `version`.
fn event(seq: u64, version: u64, is_over: bool) -> String {
    let mut run = run();
    run["version"] = json!(version);
    run["isTerminal"] = json!(is_over);
    let event = json!({
        "seq": seq, "actor": "agent", "at": "t", "type": "PAYMENT_READY", "payload": {}, "message": "Ready.",
    });
    let said = json!({ "type": "event", "event": event, "run": run, "message": "Ready." });
    format!("id: {seq}\nevent: run-event\ndata: {said}\n\n")
}

fn stream(text: &str) -> Reply {
    let headers = vec![("Content-Type", "text/event-stream; charset=utf-8".to_owned())];
    // The connection ends with the text.
    Reply::Http { status: 200, headers, body: format!("retry: 1\n: keep-alive\n\n{text}") }
}

fn ended() -> Reply {
    Reply::Http { status: 204, headers: Vec::new(), body: String::new() }
}

/// What is shown until nothing is.
async fn all(watch: &mut Watch) -> Vec<String> {
    let mut shown = Vec::new();
    while let Some(frame) = watch.next().await.unwrap() {
        shown.push(match frame {
            RunFrame::Event { event, .. } => event.seq.to_string(),
            RunFrame::Reset { run } => format!("reset to {}", run.version),
        });
    }
    shown
}

#[tokio::test]
async fn every_event_comes_once_whatever_the_connections_do() {
    let cut = event(3, 3, false);
    let (runs, double) = runs(vec![
        Reply::Silence,
        stream(&format!("{}{}{}", event(1, 1, false), event(2, 2, false), &cut[..cut.len() - 1])),
        no(503, "unavailable"),
        stream(""),
        // A board that begins too early.
        stream(&format!("{}{}", event(2, 2, false), event(3, 3, false))),
        stream(&event(4, 4, true)),
    ])
    .await;
    let mut watch = runs.watch(&purchase(), 0).unwrap();
    assert_eq!(all(&mut watch).await, ["1", "2", "3", "4"]);
    assert_eq!(watch.next().await.unwrap(), None, "it stays over");
    let asked = double.asked();
    let ids: Vec<_> = asked.iter().map(|asked| asked.header("last-event-id")).collect();
    assert_eq!(ids, [None, None, Some("2"), Some("2"), Some("2"), Some("3")]);
    for asked in &asked {
        assert_eq!(line(asked), format!("GET /v1/runs/{RUN}/events"));
        assert_eq!((asked.header("accept"), bearer(asked)), (Some("text/event-stream"), Some(TOKEN)));
    }
}

#[tokio::test]
async fn a_run_that_was_over_is_shown_to_its_end() {
    let past = format!("{}{}", event(1, 2, true), event(2, 2, true));
    let (runs, double) = runs(vec![stream(&past)]).await;
    assert_eq!(all(&mut runs.watch(&purchase(), 0).unwrap()).await, ["1", "2"]);
    assert_eq!(double.asked().len(), 1);
}

#[tokio::test]
async fn it_goes_on_after_the_event_that_was_named() {
    let (runs, double) = runs(vec![stream(&event(8, 8, false)), ended()]).await;
    assert_eq!(all(&mut runs.watch(&purchase(), 7).unwrap()).await, ["8"]);
    let asked = double.asked();
    let ids: Vec<_> = asked.iter().map(|asked| asked.header("last-event-id")).collect();
    assert_eq!(ids, [Some("7"), Some("8")]);
}

#[tokio::test]
async fn a_place_that_is_none_is_said_and_left() {
    let mut early = run();
    early["version"] = json!(3);
    let reset = format!("event: reset\ndata: {}\n\n", json!({ "type": "reset", "run": early }));
    let (runs, double) = runs(vec![stream(&reset), stream(&event(4, 4, true))]).await;
    assert_eq!(all(&mut runs.watch(&purchase(), 99).unwrap()).await, ["reset to 3", "4"]);
    let asked = double.asked();
    let ids: Vec<_> = asked.iter().map(|asked| asked.header("last-event-id")).collect();
    assert_eq!(ids, [Some("99"), Some("3")]);
}

#[tokio::test]
async fn frames_of_another_kind_are_passed_over() {
    let text = format!("event: weather\ndata: sunny\n\ndata: hello\n\n{}", event(1, 1, true));
    let (runs, _double) = runs(vec![stream(&text)]).await;
    assert_eq!(all(&mut runs.watch(&purchase(), 0).unwrap()).await, ["1"]);
}

#[tokio::test]
async fn a_refusal_ends_it_at_once() {
    let (runs, double) = runs(vec![no(404, "unknown_run")]).await;
    let refused = runs.watch(&purchase(), 0).unwrap().next().await.unwrap_err();
    assert_eq!(refused.code(), Some("unknown_run"));
    assert_eq!(double.asked().len(), 1);
}

#[tokio::test]
async fn a_board_that_stays_away_is_an_error_in_the_end() {
    let (runs, double) = runs((0..5).map(|_| no(503, "unavailable")).collect()).await;
    let refused = runs.watch(&purchase(), 0).unwrap().next().await.unwrap_err();
    assert_eq!(refused.code(), Some("unavailable"));
    assert_eq!(double.asked().len(), 5);
}

#[tokio::test]
async fn a_board_that_is_away_now_and_then_is_waited_for_each_time() {
    let away = || (0..4).map(|_| no(503, "unavailable"));
    let script = away().chain([stream(&event(1, 1, false))]);
    let script = script.chain(away()).chain([stream(&event(2, 2, true))]).collect();
    let (runs, _double) = runs(script).await;
    assert_eq!(all(&mut runs.watch(&purchase(), 0).unwrap()).await, ["1", "2"]);
}

#[tokio::test]
async fn what_is_no_stream_of_events_is_outside_the_contract() {
    for (reply, part) in [
        (yes(&Value::Null), "no stream"),
        (stream("id: 1\nevent: run-event\ndata: {}\n\n"), "run-event"),
        (stream("event: reset\ndata: x\n\n"), "reset"),
    ] {
        let (runs, _double) = runs(vec![reply]).await;
        is_outside::<Option<RunFrame>>(runs.watch(&purchase(), 0).unwrap().next().await, part);
    }
}

#[tokio::test]
async fn a_watch_that_is_dropped_while_it_waits_loses_nothing() {
    let later = format!("retry: 60000\n\n{}", event(1, 1, false));
    let (runs, _double) = runs(vec![stream(&later), stream(&event(2, 2, true))]).await;
    let mut watch = runs.watch(&purchase(), 0).unwrap();
    assert!(matches!(watch.next().await, Ok(Some(RunFrame::Event { .. }))));
    let soon = core::time::Duration::from_millis(20);
    tokio::time::timeout(soon, watch.next()).await.unwrap_err();
    assert_eq!(all(&mut watch).await, ["2"]);
}

#[test]
fn a_token_that_no_header_can_carry_is_said_at_once() {
    let runs = crate::Guildhall::new("http://127.0.0.1:1").unwrap().runs();
    let purchase = crate::runs::Purchase { run_token: "a\nb".to_owned(), ..purchase() };
    assert!(matches!(runs.watch(&purchase, 0), Err(Error::OutsideContract { .. })));
}
