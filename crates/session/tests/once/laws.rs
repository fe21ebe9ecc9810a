//! What holds in every life, whatever is used in it and when.

use std::collections::BTreeSet;

use primitives::{Digest, Millis, UnixMillis};
use proptest::prelude::*;
use rehearsal::{Core, Wait, by_chance};
use session::limits;
use session::once::{Command, Fact, Refusal, State, apply, deadline, decide};

use crate::cast::*;

/// A key, and how many milliseconds away its end is; `None` is a wake.
type Turn = Option<(u8, u64)>;

fn turns() -> impl Strategy<Value = Vec<(Wait, Turn)>> {
    let wait = prop_oneof![
        6 => (0_u64..30_000).prop_map(Wait::For),
        2 => (0_u64..1_000_000).prop_map(Wait::For),
        2 => (0_u64..3).prop_map(Wait::UntilBeforeDeadline),
    ];
    let away = prop_oneof![5 => 0_u64..120_000, 2 => 0_u64..910_000, 1 => Just(900_000)];
    let turn = prop_oneof![6 => (0_u8..6, away).prop_map(Some), 1 => Just(None)];
    prop::collection::vec((wait, turn), 1..60)
}

fn command(turn: Turn, now: UnixMillis) -> Command {
    turn.map_or(Command::Wake, |(key, away)| use_key(&format!("K{key}"), now.plus(Millis(away))))
}

/// Lives through the turns, each of which needs to know its own moment; `see` is shown the life after each.
fn live(turns: &[(Wait, Turn)], mut see: impl FnMut(&Life, UnixMillis)) -> Life {
    let (mut life, mut now) = (Life::default(), START);
    for (wait, turn) in turns {
        now = match wait {
            Wait::For(millis) => now.plus(Millis(*millis)),
            Wait::UntilBeforeDeadline(millis) => {
                deadline(&life.state).map_or(now, |at| at.minus(Millis(*millis))).max(now)
            }
        };
        let _ = life.hears(command(*turn, now), now);
        see(&life, now);
    }
    life
}

/// Every use: when, of which key, until when.
fn uses(life: &Life) -> Vec<(UnixMillis, Digest, UnixMillis)> {
    let uses = life.journal.iter().filter_map(|(_, event)| match &event.fact {
        Fact::Used { key, until } => Some((event.at, *key, *until)),
        Fact::Swept => None,
    });
    uses.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    // `Life::hears` panics when what was decided does not apply.
    #[test]
    fn what_is_decided_applies_and_the_journal_replays_to_the_same_state(turns in turns()) {
        live(&turns, |_, _| {}).replays();
    }

    // U1: against a plain list of all uses, which forgets nothing.
    #[test]
    fn a_key_is_refused_as_long_as_it_is_live_and_not_for_more_than_a_minute_after(turns in turns()) {
        live(&turns, |life, now| {
            let used = uses(life);
            for key in 0..6_u8 {
                let Command::Use { key: digest, until } = command(Some((key, 30_000)), now) else { continue };
                let last = used.iter().filter(|(_, key, _)| *key == digest).map(|(.., until)| *until).max();
                let outcome = decide(&life.state, Command::Use { key: digest, until }, now);
                match last {
                    Some(last) if now < last => assert_eq!(outcome, Err(Refusal::Reused)),
                    Some(last) if now < last.plus(Millis::from_minutes(1)) => {}
                    Some(_) | None => assert!(outcome.is_ok(), "{outcome:?}"),
                }
            }
        });
    }

    // U1, U2: whatever the clock does, the same signature is never taken twice.
    #[test]
    fn no_signature_is_used_twice_by_any_clock(
        asked in prop::collection::vec((0_u64..1_200, 0_u8..3, 0_u64..20), 1..80)
    ) {
        let mut life = Life::default();
        for (seconds, key, minute) in asked {
            // Of each key there are only so many signatures, and each is presented again and again.
            let _ = life.hears(use_key(&format!("K{key}"), after(minute * 67)), after(seconds));
        }
        let used = uses(&life);
        let once: BTreeSet<_> = used.iter().map(|(_, key, until)| (key, until)).collect();
        prop_assert_eq!(once.len(), used.len());
        prop_assert!(used.iter().all(|(at, _, until)| at < until));
        life.replays();
    }

    // U3
    #[test]
    fn what_is_kept_is_bounded(turns in turns()) {
        live(&turns, |life, now| {
            assert!(life.state.keys() <= limits::KEYS_MAX);
            let latest = now.plus(limits::HORIZON).plus(Millis::from_minutes(1));
            assert!(deadline(&life.state).is_none_or(|at| at <= latest));
        });
    }

    // U4
    #[test]
    fn nothing_is_kept_whose_minute_was_over_at_the_last_use(turns in turns()) {
        live(&turns, |life, _| {
            let used = uses(life);
            let last = used.last().map_or(START, |(at, ..)| *at);
            let minute = |at: UnixMillis| at.0 / 60_000;
            let live = used.iter().filter(|(.., until)| minute(*until) >= minute(last)).count();
            let is_swept = life.journal.last().is_some_and(|(_, event)| event.fact == Fact::Swept);
            assert_eq!(life.state.keys(), if is_swept { 0 } else { live });
        });
    }

    // U4
    #[test]
    fn a_wake_is_harmless_before_the_deadline_and_the_second_time(turns in turns()) {
        live(&turns, |life, now| {
            assert_eq!(deadline(&life.state).is_none(), life.state.keys() == 0);
            assert_eq!(life.woken(now).state.keys(), 0);
        });
    }

    // U1, U4
    #[test]
    fn no_answer_depends_on_whether_the_alarm_was_in_time(turns in turns(), key in 0_u8..6, away in 0_u64..910_000) {
        live(&turns, |life, now| {
            let woken = life.woken(now);
            let late = deadline(&life.state).unwrap_or(now).max(now);
            let asked = command(Some((key, away)), late);
            let facts = |state: &State| {
                let events = decide(state, asked.clone(), late)?;
                let after = events.iter().try_fold(state.clone(), apply).unwrap();
                Ok::<_, Refusal>((events, after))
            };
            assert_eq!(facts(&life.state), facts(&woken.state));
        });
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_refusal_but_one() {
    let (mut facts, mut codes) = (BTreeSet::new(), BTreeSet::new());
    for turns in by_chance(turns(), 300) {
        let life = live(&turns, |life, now| {
            for away in [0, 30_000, 900_001] {
                let outcome = decide(&life.state, command(Some((0, away)), now), now);
                codes.extend(outcome.err().map(Refusal::code));
            }
        });
        facts.extend(life.facts());
    }
    assert_eq!(facts.len(), Keys::FACTS, "{facts:?}");
    assert_eq!(codes.len(), 3, "{codes:?}");
}
