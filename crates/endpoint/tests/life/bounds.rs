//! N9: what fits, to the last place.

use endpoint::{Command, Known, Refusal, Status, limits};
use primitives::WebhookId;

use crate::cast::*;

fn full() -> Life {
    let mut life = Life::of([open("https://a.example/")]);
    let words: Vec<String> = (0..limits::PENDING).map(|index| format!("M{index}")).collect();
    for batch in words.chunks(limits::BATCH) {
        life.hears(Command::accept(batch.iter().map(|word| message(word))), START).unwrap();
    }
    life
}

#[test]
fn what_waits_beyond_the_bound_is_kept_as_missed_and_recovered_when_there_is_room() {
    let mut life = full();
    assert_eq!(life.state.hook().unwrap().pending.len(), limits::PENDING);
    life.hears(accept("M900"), START).unwrap();
    assert_eq!(filed(&life.owed, &id("M900")), Some(Status::Missed));
    assert_eq!(life.hears(resend("M900"), START), Err(Refusal::TooManyPending));
    assert_eq!(life.hears(Command::Test { message: message("M901") }, START), Err(Refusal::TooManyPending));
    assert_eq!(life.hears(recover(&["M900"]), START), Ok(Heard::default()));

    let under_way = |life: &Life| -> WebhookId {
        let pending = &life.state.hook().unwrap().pending;
        pending.iter().find(|(_, pending)| pending.is_under_way).unwrap().0.clone()
    };
    let result = endpoint::Came {
        outcome: endpoint::Outcome::Taken,
        status: Some(200),
        error: None,
        took: primitives::Millis(1),
    };
    let message = under_way(&life);
    life.hears(Command::Answered { message, attempt: 1, result }, after(1)).unwrap();
    life.hears(recover(&["M900"]), after(1)).unwrap();
    assert_eq!(filed(&life.owed, &id("M900")), Some(Status::Pending));
}

#[test]
fn the_state_of_a_full_endpoint_is_small() {
    let size = serde_json::to_string(&full().state).unwrap().len();
    assert!(size < 32_000, "{size}");
}

#[test]
fn a_recovery_takes_up_a_batch() {
    let mut life = Life::of([open("https://a.example/")]);
    let messages: Vec<WebhookId> = (0..limits::BATCH + 1).map(|index| id(&format!("M{index}"))).collect();
    let heard = life.hears(Command::Recover { messages }, START).unwrap();
    assert_eq!(heard.events.iter().map(endpoint::Event::resent).sum::<usize>(), limits::BATCH);
}

#[test]
fn words_have_their_bounds() {
    let long = |length| "x".repeat(length);
    assert!(long(limits::BODY_BYTES).parse::<endpoint::Body>().is_ok());
    for bad in ["", &long(limits::BODY_BYTES + 1)] {
        assert!(bad.parse::<endpoint::Body>().is_err());
    }
    for (kind, is_taken) in [
        ("usage.recorded", true),
        ("usage", true),
        ("usage.*", false),
        (".a", false),
        ("a..b", false),
        ("a-b", false),
        ("", false),
    ] {
        assert_eq!(kind.parse::<endpoint::EventType>().is_ok(), is_taken, "{kind}");
    }
    assert_eq!(format!("{:?}", message("M1").body), "Body(37 bytes)");
    let known = Known::Fresh;
    assert_eq!(
        Life::of([open("https://a.example/")]).hears(Command::Resend { message: id("M1"), known }, START),
        Err(Refusal::UnknownMessage)
    );
}
