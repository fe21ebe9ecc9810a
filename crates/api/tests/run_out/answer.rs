//! Whole answers, of runs that live.

use api::outbound::run::{
    accepted, created, frame, journal, page, reset, shown, snapshot, spendable, ticket,
};
use api::wire;
use eip712::Address;
use primitives::JournalRow;
use run::{Command, Creation, Event, Rails, State, apply, decide};
use serde_json::{Value, json};

use crate::cast::*;

/// A run that was made and has begun to search.
fn begun() -> (State, Vec<(u64, Event)>) {
    let creation = Creation { rails: Rails::Simulated { wallet: false }, mandate: None, ..creation() };
    let events = decide(&State::default(), Command::Create(Box::new(creation)), START).unwrap();
    let state = events.iter().fold(State::default(), |state, event| apply(state, event).unwrap());
    (state, (1..).zip(events).collect())
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_run_is_answered_with_its_next_action() {
    let (state, events) = begun();
    let answer = read(&snapshot(&state));
    assert_eq!(answer["run"]["id"], json!(id()));
    assert_eq!(answer["run"]["version"], json!(events.len()));
    assert_eq!(answer["nextAction"]["actor"], "agent");
    assert!(events.len() > 1, "it goes on by itself");
    assert_eq!(snapshot(&State::default()), "null");
    let history = read(&shown(&state, &events));
    assert_eq!((&history["run"], &history["nextAction"]), (&answer["run"], &answer["nextAction"]));
    assert_eq!(history["events"].as_array().unwrap().len(), events.len());
    assert_eq!(history["events"][0]["type"], "INTENT_CREATED");
}

/// S4
#[test]
fn no_answer_holds_a_token() {
    let (state, events) = begun();
    let digest = token().to_string();
    assert!(serde_json::to_string(&state).unwrap().contains(&digest), "it is there to be found");
    let frames = events.iter().map(|(seq, event)| frame(*seq, event, &state));
    let all = [snapshot(&state), shown(&state, &events), page(&state, &events), reset(&state)];
    for text in frames.chain(all) {
        assert!(!text.contains(&digest), "{text}");
    }
}

#[test]
fn a_page_says_where_the_next_one_begins() {
    let (state, events) = begun();
    let first = read(&page(&state, &events[..1]));
    assert_eq!((&first["events"][0]["seq"], &first["nextAfter"]), (&json!(1), &json!(1)));
    let all = read(&page(&state, &events));
    assert_eq!(all["nextAfter"], Value::Null);
    assert_eq!(read(&page(&state, &[])), json!({ "events": [], "nextAfter": null }));
}

#[test]
fn a_watcher_is_told_of_an_event_and_the_run_after_it() {
    let (state, events) = begun();
    let (seq, event) = &events[0];
    let told = read(&frame(*seq, event, &state));
    assert_eq!((&told["type"], &told["event"]["seq"]), (&json!("event"), &json!(1)));
    assert_eq!(told["message"], told["event"]["message"]);
    assert_eq!(told["run"], read(&snapshot(&state))["run"]);
    let frame: wire::RunFrame = serde_json::from_value(told).unwrap();
    assert!(matches!(frame, wire::RunFrame::Event { .. }));
    let anew = read(&reset(&state));
    assert_eq!(anew, json!({ "type": "reset", "run": read(&snapshot(&state))["run"] }));
}

/// What goes into a stream of events has no line break, or it would end there.
#[test]
fn a_frame_is_one_line() {
    let (state, events) = begun();
    for (seq, event) in &events {
        assert!(!frame(*seq, event, &state).contains(['\n', '\r']));
    }
    assert!(!reset(&state).contains(['\n', '\r']));
}

#[test]
fn a_run_that_was_made_comes_with_its_token() {
    let (state, _) = begun();
    let answer = created(&snapshot(&state), "gld_run_shown_once").unwrap();
    let made = read(&answer);
    assert_eq!(made["runToken"], "gld_run_shown_once");
    assert_eq!(made["run"], read(&snapshot(&state))["run"]);
    let made: wire::RunCreated = serde_json::from_str(&answer).unwrap();
    assert!(!format!("{made:?}").contains("shown_once"));
    assert!(created("null", "gld_run_shown_once").is_err());
}

#[test]
fn a_journal_is_shown_as_it_was_recorded() {
    let body =
        r#"{"at":"2027-01-01T00:00:00.000Z","correlation_id":"c-1","event":{"v":1,"z":[1,2]},"seq":1}"#;
    let rows = vec![
        JournalRow { seq: 1, body: body.to_owned(), hash: "aa".to_owned() },
        JournalRow { seq: 2, body: body.replace("\"seq\":1", "\"seq\":2"), hash: "bb".to_owned() },
    ];
    let shown = json!(journal(&id(), rows).unwrap());
    assert_eq!((&shown["runId"], &shown["head"]), (&json!(id()), &json!("bb")));
    let first = json!({
        "seq": 1,
        "at": "2027-01-01T00:00:00.000Z",
        "correlation_id": "c-1",
        "event": { "v": 1, "z": [1, 2] },
        "hash": "aa",
    });
    assert_eq!(shown["entries"][0], first);
    assert_eq!(json!(journal(&id(), Vec::new()).unwrap())["head"], "");
    let broken = JournalRow { seq: 1, body: "{".to_owned(), hash: "aa".to_owned() };
    assert!(journal(&id(), vec![broken]).is_err());
}

#[test]
fn tickets_and_results_are_answered() {
    let pass = ticket("gld_ticket_shown_once", at(60));
    let shown = json!(pass);
    assert_eq!(shown, json!({ "ticket": "gld_ticket_shown_once", "expiresAt": "2027-01-01T00:01:00.000Z" }));
    assert!(!format!("{pass:?}").contains("shown_once"));
    // An executor sees no more of a run than what it is asked.
    assert_eq!(json!(accepted(&id())), json!({ "runId": id(), "accepted": true }));
}

#[test]
fn a_mandate_is_spent_from_by_its_parties_and_only_from_the_ledger() {
    let documented: Value =
        serde_json::from_str(include_str!("../../documents/mandate_examples.json")).unwrap();
    let mandate: wire::Mandate = serde_json::from_value(documented["Mandate"].clone()).unwrap();
    let mandate = wire::Mandate { custody: "ledger".to_owned(), ..mandate };
    let [owner, agent] = [&mandate.owner, &mandate.agent].map(|text| text.parse::<Address>().unwrap());
    for account in [owner, agent] {
        let kept = spendable(&mandate, account).unwrap();
        assert_eq!(
            (&kept.mandate, &kept.owner, &kept.agent),
            (&mandate.mandate, &mandate.owner, &mandate.agent)
        );
    }
    let refused = |mandate: &wire::Mandate, account| {
        let problem = spendable(mandate, account).unwrap_err();
        (problem.status, problem.code)
    };
    assert_eq!(refused(&mandate, Address::repeat_byte(9)), (403, "not_party".to_owned()));
    assert_eq!(refused(&mandate, Address::ZERO), (403, "not_party".to_owned()));
    let contract = wire::Mandate { custody: "contract".to_owned(), ..mandate };
    assert_eq!(refused(&contract, owner), (422, "custody_unsupported".to_owned()));
}
