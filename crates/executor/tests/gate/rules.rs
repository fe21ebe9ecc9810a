//! Single rules that stories cannot tell.

use executor::gate::{Command, Event, Fact, Refusal, State, apply, deadline};
use primitives::Millis;

use crate::cast::*;

/// Y1, Y2: fifty in a day, whichever of the two bounds is met first.
#[test]
fn a_day_has_its_own_bound() {
    let mut life = full();
    assert_eq!(life.state.admitted(), 50);
    // The first ten were admitted four hours before the start.
    let next = after(20 * 3_600);
    for now in [after(600), next.minus(Millis(1))] {
        assert_eq!(life.hears(Command::Admit, now), Err(Refusal::TooMany { retry_at: next }));
    }
    for _ in 0..10 {
        life.hears(Command::Admit, next).unwrap();
    }
    assert_eq!(life.state.admitted(), 50);
    assert_eq!(
        life.hears(Command::Admit, next),
        Err(Refusal::TooMany { retry_at: next.plus(Millis::from_minutes(60)) })
    );
}

/// Y1, Y3: a clock that goes back opens nothing, and what it admits counts as admitted at the latest moment that was known.
#[test]
fn a_clock_that_goes_back_opens_nothing() {
    let mut life = Life::default();
    for _ in 0..10 {
        life.hears(Command::Admit, after(3_600)).unwrap();
    }
    let refused = Err(Refusal::TooMany { retry_at: after(3_600 + 600) });
    assert_eq!(life.hears(Command::Admit, START), refused);
    let mut life = Life::of([Command::Admit]);
    for seconds in [3_600, 1, 1, 1, 1, 1, 1, 1, 1] {
        life.hears(Command::Admit, after(seconds)).unwrap();
    }
    assert_eq!(deadline(&life.state), Some(after(3_600 + 86_400)));
    life.hears(Command::Admit, after(3_600)).unwrap();
    assert_eq!(life.hears(Command::Admit, after(3_600 + 599)), refused);
    life.hears(Command::Admit, after(3_600 + 600)).unwrap();
    life.replays();
}

/// Y3
#[test]
fn the_fullest_gate_is_small() {
    let life = full();
    let text = serde_json::to_string(&life.state).unwrap();
    assert!(text.starts_with("[1796") && text.len() < 750, "{text}");
    assert_eq!(deadline(&life.state), Some(after(86_400)));
    assert_eq!(deadline(&State::default()), None);
}

#[test]
fn an_event_that_cannot_follow_is_corrupt() {
    let ten = Life::of([const { Command::Admit }; 10]).state;
    for (state, at, fact) in [
        (State::default(), START, Fact::Swept),
        (ten.clone(), after(86_399), Fact::Swept),
        (ten, after(599), Fact::Admitted),
    ] {
        let corrupt = apply(state, &Event { at, fact }).unwrap_err();
        assert!(corrupt.to_string().ends_with("does not follow"), "{corrupt}");
    }
}

#[test]
fn the_refusal_says_what_to_do_and_when() {
    let refusal = Refusal::TooMany { retry_at: START };
    assert_eq!((refusal.code(), refusal.retry_at()), ("too_many_registrations", Some(START)));
    assert!(refusal.may_retry());
    assert!(refusal.to_string().ends_with("try again at 2026-11-30T14:00:00.000Z."), "{refusal}");
}
