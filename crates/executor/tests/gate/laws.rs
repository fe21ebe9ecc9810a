//! What holds in every life, however often somebody comes and when.

use std::collections::BTreeSet;

use executor::gate::{Command, Fact, Refusal, State, deadline, decide};
use executor::limits::REGISTRATIONS;
use primitives::{Millis, UnixMillis};
use proptest::prelude::*;
use rehearsal::{Core, Wait, by_chance};

use crate::cast::*;

fn turns() -> impl Strategy<Value = Vec<(Wait, Command)>> {
    let wait = prop_oneof![
        12 => Just(Wait::For(0)),
        6 => (0_u64..120_000).prop_map(Wait::For),
        3 => (0_u64..1_200_000).prop_map(Wait::For),
        1 => (0_u64..30_000_000).prop_map(Wait::For),
        1 => (0_u64..3).prop_map(Wait::UntilBeforeDeadline),
    ];
    let command = prop_oneof![8 => Just(Command::Admit), 1 => Just(Command::Wake)];
    prop::collection::vec((wait, command), 1..160)
}

fn live(turns: &[(Wait, Command)], see: impl FnMut(&Life, UnixMillis)) -> Life {
    Life::live(turns, |_, command| command.clone(), see)
}

fn admissions(life: &Life) -> Vec<UnixMillis> {
    let admitted = life.journal.iter().filter(|(_, event)| event.fact == Fact::Admitted);
    admitted.map(|(_, event)| event.at).collect()
}

/// When the next one is admitted, by a list that forgets nothing: the first moment from `now` on at which no span is full.
fn open_at(admissions: &[UnixMillis], now: UnixMillis) -> UnixMillis {
    let is_open = |at: UnixMillis| {
        REGISTRATIONS
            .iter()
            .all(|(most, span)| admissions.iter().filter(|it| at < it.plus(*span)).count() < *most)
    };
    let changes = admissions.iter().flat_map(|at| REGISTRATIONS.map(|(_, span)| at.plus(span)));
    changes.chain([now]).filter(|at| *at >= now && is_open(*at)).min().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    // `Life::hears` panics when what was decided does not apply.
    #[test]
    fn what_is_decided_applies_and_the_journal_replays_to_the_same_state(turns in turns()) {
        live(&turns, |_, _| {}).replays();
    }

    // Y1
    #[test]
    fn no_span_has_more_than_it_allows(turns in turns()) {
        let admissions = admissions(&live(&turns, |_, _| {}));
        for (index, first) in admissions.iter().enumerate() {
            for (most, span) in REGISTRATIONS {
                let within = admissions[index..].iter().filter(|at| **at < first.plus(span)).count();
                prop_assert!(within <= most, "{} from {:?}", within, first);
            }
        }
    }

    // Y2
    #[test]
    fn whoever_is_refused_is_told_the_first_moment_that_is_free(turns in turns()) {
        live(&turns, |life, now| {
            let expected = Some(open_at(&admissions(life), now)).filter(|at| *at > now);
            let refused = decide(&life.state, Command::Admit, now).err();
            assert_eq!(refused, expected.map(|retry_at| Refusal::TooMany { retry_at }));
        });
    }

    // Y3
    #[test]
    fn what_is_kept_is_bounded_and_a_wake_is_harmless(turns in turns()) {
        live(&turns, |life, now| {
            assert!(life.state.admitted() <= 50);
            assert_eq!(deadline(&life.state).is_none(), life.state.admitted() == 0);
            assert_eq!(life.woken(now).state, State::default());
        });
    }

    // Y2, Y3
    #[test]
    fn no_answer_depends_on_whether_the_alarm_was_in_time(turns in turns(), late in 0_u64..90_000_000) {
        live(&turns, |life, now| {
            let woken = life.woken(now);
            let late = deadline(&life.state).unwrap_or(now).max(now).plus(Millis(late));
            assert_eq!(decide(&life.state, Command::Admit, late), decide(&woken.state, Command::Admit, late));
        });
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_both_facts_and_both_bounds() {
    let (mut facts, mut most, mut waits) = (BTreeSet::new(), 0, BTreeSet::new());
    for turns in by_chance(turns(), 200) {
        let life = live(&turns, |life, now| {
            most = most.max(life.state.admitted());
            if let Err(Refusal::TooMany { retry_at }) = decide(&life.state, Command::Admit, now) {
                waits.insert(retry_at.since(now) > Millis::from_minutes(10));
            }
        });
        facts.extend(life.facts());
    }
    assert_eq!((facts.len(), most, waits.len()), (Gate::FACTS, 50, 2));
}
