//! How much is kept and for how long, and single rules that stories cannot tell.

use primitives::{Digest, Millis};
use session::limits;
use session::once::{Command, Event, Fact, Refusal, State, apply, deadline, decide};

use crate::cast::*;

fn size(state: &State) -> usize {
    serde_json::to_string(state).unwrap().len()
}

/// U3
#[test]
fn what_does_not_fit_is_refused_until_there_is_room() {
    let mut life = full();
    assert_eq!(life.state.keys(), limits::KEYS_MAX);
    assert!(size(&life.state) < 23_000, "{}", size(&life.state));
    let refusal = life.hears(use_key("one more", after(90)), after(59)).unwrap_err();
    assert_eq!(refusal, Refusal::TooMany { retry_at: after(60) });
    assert_eq!(life.state.keys(), limits::KEYS_MAX);
    let just_before = after(60).minus(Millis(1));
    assert_eq!(life.hears(use_key("one more", after(90)), just_before), Err(refusal));
    life.hears(use_key("one more", after(90)), after(60)).unwrap();
    // The place of K0 is taken; the next one is free when the minute of the new key is over.
    let refusal = life.hears(use_key("another", after(300)), after(60)).unwrap_err();
    assert_eq!(refusal, Refusal::TooMany { retry_at: after(120) });
    // A key that was used is that first, however full it is.
    assert_eq!(life.hears(use_key("K1", after(330)), after(60)), Err(Refusal::Reused));
}

/// U3, U4: an agent that is busy for hours, and then silent.
#[test]
fn ten_thousand_requests_leave_no_more_than_a_few_minutes_of_them() {
    let (mut state, mut most) = (State::default(), 0);
    for number in 0..10_000_u64 {
        let now = START.plus(Millis(number * 700));
        let until = now.plus(Millis::from_seconds(330));
        for event in decide(&state, use_key(&format!("K{number}"), until), now).unwrap() {
            state = apply(state, &event).unwrap();
        }
        most = most.max(state.keys());
    }
    // Six and a half minutes at 86 requests a minute.
    assert!((471..=558).contains(&most), "{most}");
    let silent = deadline(&state).unwrap();
    for event in decide(&state, Command::Wake, silent).unwrap() {
        state = apply(state, &event).unwrap();
    }
    assert_eq!((state.keys(), state.name(), deadline(&state)), (0, "EMPTY", None));
    assert!(size(&state) < 50);
}

/// U5: only the first 8 bytes are kept.
#[test]
fn two_keys_with_one_mark_are_one_and_the_second_is_refused() {
    let key = |place: usize| {
        let mut bytes = [7; 32];
        bytes[place] = 8;
        Command::Use { key: Digest(bytes), until: after(60) }
    };
    let mut life = Life::of([Command::Use { key: Digest([7; 32]), until: after(60) }]);
    for place in 0..8 {
        life.hears(key(place), START).unwrap();
    }
    for place in 8..32 {
        assert_eq!(life.hears(key(place), START), Err(Refusal::Reused));
    }
}

/// U2: the clock of the machine to which the object moved is an hour behind.
#[test]
fn a_clock_that_goes_back_makes_no_signature_new() {
    let mut life = Life::of([use_key("K1", after(59))]);
    life.hears(use_key("K2", after(3_700)), after(3_600)).unwrap();
    for until in [59, 30, 1] {
        assert_eq!(life.hears(use_key("K1", after(until)), START), Err(Refusal::Expired));
    }
    assert_eq!(life.state.keys(), 1);
    life.hears(use_key("K3", after(60)), START).unwrap();
    life.replays();
}

#[test]
fn an_event_that_cannot_follow_is_corrupt() {
    let used = |until| Fact::Used { key: Digest::of(&[b"K1"]), until };
    let kept = Life::of([use_key("K1", after(59))]).state;
    let mut later = Life::of([use_key("K1", after(59))]);
    later.hears(use_key("K2", after(90)), after(60)).unwrap();
    for (state, at, fact) in [
        (State::default(), after(60), Fact::Swept),
        (kept.clone(), after(59), Fact::Swept),
        (later.state.clone(), after(60), Fact::Swept),
        (Life::of([use_key("K1", after(59)), use_key("K2", after(90))]).state, after(60), Fact::Swept),
        (kept, after(59), used(after(300))),
        (later.state, after(60), used(after(59))),
    ] {
        let corrupt = apply(state, &Event { at, fact }).unwrap_err();
        assert!(corrupt.to_string().ends_with("does not follow"), "{corrupt}");
    }
}

#[test]
fn every_refusal_says_what_to_do_and_one_is_worth_a_retry() {
    let refusals = [
        (Refusal::Expired, "signature_expired", "Sign the request again", None),
        (Refusal::TooLong, "signature_too_long", "15 minutes. Sign for a shorter", None),
        (Refusal::Reused, "signature_reused", "a fresh nonce", None),
        (
            Refusal::TooMany { retry_at: START },
            "too_many_signatures",
            "2048 signatures that are still good, which is all that are kept. Try again at 2026-11-30T14:00:00.000Z",
            Some(START),
        ),
    ];
    for (refusal, code, advice, retry_at) in refusals {
        assert_eq!((refusal.code(), refusal.retry_at()), (code, retry_at));
        assert_eq!(refusal.may_retry(), retry_at.is_some());
        assert!(refusal.to_string().contains(advice), "{refusal}");
    }
}
