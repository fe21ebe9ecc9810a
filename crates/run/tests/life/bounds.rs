//! How long is waited for what, and how often it is asked again: moments in seconds, worked out here in other words.

use primitives::{Millis, UnixMillis};
use run::{Command, Effect, RunState, deadline};

use crate::answers::*;
use crate::cast::*;
use crate::purchase::*;
use crate::script::{command, walk};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

const fn seconds(from: UnixMillis, to: UnixMillis) -> u64 {
    to.since(from).0 / 1_000
}

/// Answers each question of a kind at once with a phrase, wakes when time comes, and says how many seconds after the first
/// question each of them was asked, and where it all led.
fn asked(path: &str, phrase: &str, is_question: fn(&Effect) -> bool) -> (Vec<u64>, Life, UnixMillis) {
    let (mut life, mut now) = walk(path);
    let first = now.minus(Millis::from_seconds(1));
    let mut moments = vec![0];
    let words: Vec<&str> = phrase.split_whitespace().collect();
    now = first;
    loop {
        let answer = command(&life, &words, now).unwrap();
        life.hears(answer, now).unwrap();
        loop {
            let Some(at) = deadline(&life.state) else { return (moments, life, now) };
            now = at;
            let heard = life.hears(Command::Wake, now).unwrap();
            if heard.owed.iter().any(is_question) {
                break;
            }
        }
        moments.push(seconds(first, now));
    }
}

/// When something is asked again that is asked often at first, rarely after an hour, and for the last time at its end.
fn schedule(end: u64) -> Vec<u64> {
    let (mut moments, mut at, mut wait) = (vec![0], 0, 4);
    while at < end {
        at = (at + if at < HOUR { wait } else { HOUR }).min(end);
        wait = (2 * wait).min(5 * MINUTE);
        moments.push(at);
    }
    moments
}

const AUTHORIZED: &str =
    "create; wallet W; market A:1003; quote 1000; quote 1000; pix 1000; funds full; confirm";

fn is_look(effect: &Effect) -> bool {
    matches!(effect, Effect::Look { .. })
}

fn is_trace(effect: &Effect) -> bool {
    matches!(effect, Effect::Trace { .. })
}

fn is_order(effect: &Effect) -> bool {
    matches!(effect, Effect::Dispatch { .. })
}

#[test]
fn a_payment_is_looked_at_for_a_week() {
    let (moments, life, end) = asked(&format!("{AUTHORIZED}; pay S"), "look unknown", is_look);
    assert_eq!(moments, schedule(7 * DAY));
    assert_eq!(shown(&life).state, RunState::SettlementUnknown);
    assert!(seconds(START, end) >= 7 * DAY);
}

#[test]
fn a_payment_that_nobody_named_is_looked_for_for_a_week() {
    let (moments, life, _) = asked(&format!("{AUTHORIZED}; cancel"), "trace unknown", is_trace);
    assert_eq!(moments, schedule(7 * DAY));
    assert_eq!(shown(&life).state, RunState::SettlementUnknown);
    assert_eq!(life.count("SETTLEMENT_ABANDONED"), 1);
}

#[test]
fn an_order_is_asked_for_for_two_hours() {
    let (moments, life, _) = asked(&format!("{AUTHORIZED}; pay S; look verified"), "order no", is_order);
    let (mut expected, mut at, mut wait) = (vec![0], 0, 30);
    while at < 2 * HOUR {
        at = (at + wait).min(2 * HOUR);
        wait = (2 * wait).min(10 * MINUTE);
        expected.push(at);
    }
    assert_eq!(moments, expected);
    assert_eq!(shown(&life).state, RunState::OrderUnknown);
}

/// What the buyer does not do ends, too.
#[test]
fn the_buyer_is_asked_twenty_times_for_one_command() {
    let (mut life, mut now) = walk("create; market A:1003 B:1049");
    for _ in 0..20 {
        life.hears(command(&life, &["needs-user"], now).unwrap(), now).unwrap();
        now = now.plus(Millis::from_minutes(29));
    }
    assert_eq!(life.count("BROWSER_NEEDS_USER"), 20);
    let _ = life.hears(command(&life, &["needs-user"], now).unwrap(), now);
    assert_eq!(life.count("BROWSER_NEEDS_USER"), 20);
}

#[test]
fn refused_signals_are_told_fifty_times() {
    let (mut life, now) = walk("create; market A:1003");
    for number in 0..500 {
        let _ = life.hears(command(&life, &["pay", &format!("S{number}"), "elsewhere"], now).unwrap(), now);
    }
    assert_eq!(life.count("SIGNAL_REFUSED"), 50);
}

/// R7: whoever keeps it busy, what is not authorized within a day is over.
#[test]
fn a_run_is_authorized_within_a_day_or_over() {
    let (mut life, mut now) = walk("create; market A:1003 B:1049");
    for turn in 0_u64.. {
        let phrase = if turn % 20 == 19 { "error" } else { "needs-user" };
        let words: Vec<&str> = vec![phrase];
        if life.hears(command(&life, &words, now).unwrap(), now).is_err() {
            break;
        }
        let end = deadline(&life.state).unwrap();
        now = now.plus(Millis::from_minutes(29)).min(end);
        if now == end {
            life.hears(Command::Wake, now).unwrap();
        }
    }
    assert_eq!(seconds(START, now), DAY);
    assert_eq!(shown(&life).ending.map(|ending| ending.code).as_deref(), Some("run_expired"));
}

/// R5: what was paid before it was due is told when the run ends without it.
#[test]
fn a_payment_that_was_named_early_is_not_forgotten() {
    let asked = "create; wallet W; market A:1003; quote 1000; quote 1000; pix 1000; pay S";
    let code = |last: &str| {
        let ending = shown(&walk(&format!("{asked}; {last}")).0).ending.unwrap();
        assert!(ending.reason.contains('S'), "{ending:?}");
        ending.code
    };
    assert_eq!(code("cancel"), "payment_named_early");
    assert_eq!(code("funds refused"), "funding_refused");
}
