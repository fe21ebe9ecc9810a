//! What holds in every life, whatever happens in it and when.

use std::collections::BTreeSet;

use payment::{Command, Effect, Fact, State, apply, deadline, limits};
use primitives::UnixMillis;
use proptest::prelude::*;
use rehearsal::{Core, Wait, by_chance};

use crate::cast::*;

fn turns() -> impl Strategy<Value = Vec<(Wait, Command)>> {
    let wait = prop_oneof![
        6 => (0_u64..2_000).prop_map(Wait::For),
        2 => (0_u64..1_000_000).prop_map(Wait::For),
        3 => (0_u64..3).prop_map(Wait::UntilBeforeDeadline),
    ];
    let command = prop_oneof![
        3 => Just(claim("R1")),
        1 => Just(claim("R2")),
        1 => Just(release()),
        3 => Just(Command::Settle),
        1 => (0_u8..3).prop_map(|number| settled(&format!("0x{number}"))),
        1 => Just(refused("expired")),
        3 => prop::option::of(Just("0xfeed")).prop_map(|named| unknown("timeout", named)),
        4 => Just(Command::Wake),
    ];
    prop::collection::vec((wait, command), 1..40)
}

fn live(turns: &[(Wait, Command)], see: impl FnMut(&Life, UnixMillis)) -> Life {
    Life::live(turns, |_, command| command.clone(), see)
}

const fn is_final(state: &State) -> bool {
    matches!(state, State::Settled { .. } | State::Refused { .. })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    // `Life::hears` panics when what was decided does not apply.
    #[test]
    fn what_is_decided_applies_and_the_journal_replays_to_the_same_state(turns in turns()) {
        live(&turns, |_, _| {}).replays();
    }

    // P1
    #[test]
    fn while_it_is_claimed_it_is_for_one_resource(turns in turns()) {
        let life = live(&turns, |_, _| {});
        for (before, event) in &life.journal {
            let after = apply(before.clone(), event).unwrap();
            if let (Some(kept), Some(next)) = (before.claim(), after.claim()) {
                prop_assert_eq!(kept, next);
            }
            let rebound = before.claim().is_some() && matches!(event.fact, Fact::Claimed { .. });
            prop_assert!(!rebound);
        }
    }

    // P2: one settlement per authorization, and money moves only after its intent is on record.
    #[test]
    fn settlement_starts_at_most_once_and_before_any_outcome(turns in turns()) {
        let life = live(&turns, |_, _| {});
        prop_assert!(life.count("SettlementStarted") <= 1);
        let facts: Vec<&str> = life.facts().collect();
        let start = facts.iter().position(|fact| *fact == "SettlementStarted").unwrap_or(facts.len());
        for outcome in ["Settled", "Refused", "OutcomeUnknown", "LookupStarted"] {
            prop_assert!(!facts.iter().take(start).any(|fact| *fact == outcome), "{:?}", facts);
        }
        prop_assert!(!facts.iter().skip(start).any(|fact| *fact == "Released"), "{:?}", facts);
    }

    // P3
    #[test]
    fn an_unknown_outcome_ends_only_by_an_answer(turns in turns()) {
        let life = live(&turns, |_, _| {});
        for (before, event) in &life.journal {
            if let State::Unknown { transaction, lookups, .. } = before {
                let after = apply(before.clone(), event).unwrap();
                let State::Unknown { transaction: later, lookups: looks, .. } = &after else {
                    let is_answer = matches!(event.fact, Fact::Settled { .. } | Fact::Refused { .. });
                    prop_assert!(is_answer);
                    continue;
                };
                // What was named once is not forgotten, and every look is counted.
                prop_assert!(later.is_some() || transaction.is_none());
                let looked = u32::from(matches!(event.fact, Fact::LookupStarted { .. }));
                prop_assert_eq!(*looks, lookups + looked);
            }
        }
    }

    // P4
    #[test]
    fn settled_and_refused_are_final(turns in turns()) {
        let life = live(&turns, |_, _| {});
        prop_assert_eq!(life.journal.iter().position(|(before, _)| is_final(before)), None);
    }

    // P5
    #[test]
    fn a_target_is_owed_one_word_for_each_way_out_of_a_claim(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let fulfilled = life.owed.iter().filter(|effect| matches!(effect, Effect::Fulfil { .. })).count();
        prop_assert_eq!(fulfilled, life.count("Settled"));
        prop_assert_eq!(life.owed.len() - fulfilled, life.count("Refused") + life.count("Released"));
        // One word for each claim that is over, to whom it was for, about that claim.
        let claims = life.journal.iter().filter_map(|(_, event)| {
            if let Fact::Claimed { target, .. } = &event.fact { Some((target, event.at)) } else { None }
        });
        let words = life.owed.iter().map(|effect| match effect {
            Effect::Fulfil { target, claimed_at, .. } | Effect::Withdraw { target, claimed_at, .. } => {
                (target, *claimed_at)
            }
        });
        let open = usize::from(life.state.claim().is_some() && !is_final(&life.state));
        let (claims, words): (Vec<_>, Vec<_>) = (claims.collect(), words.collect());
        prop_assert_eq!(words.len() + open, claims.len());
        prop_assert_eq!(&words[..], &claims[..words.len()]);
    }

    // P6
    #[test]
    fn every_state_that_is_not_final_has_a_deadline(turns in turns()) {
        live(&turns, |life, _| {
            let at_rest = is_final(&life.state) || life.state == State::Unclaimed;
            assert_eq!(deadline(&life.state).is_none(), at_rest);
            if let State::Unknown { next_lookup_at, .. } = life.state {
                let last = life.journal.last().map(|(_, event)| event.at);
                assert!(last.is_some_and(|at| next_lookup_at.since(at) <= limits::LOOKUP_PAUSE_MAX));
            }
        });
    }

    // P6
    #[test]
    fn a_wake_is_harmless_before_the_deadline_and_the_second_time(turns in turns()) {
        live(&turns, |life, now| drop(life.woken(now)));
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_state() {
    let (mut facts, mut ends) = (BTreeSet::new(), BTreeSet::new());
    for turns in by_chance(turns(), 500) {
        let life = live(&turns, |_, _| {});
        facts.extend(life.facts());
        ends.insert(life.state.lifecycle().name());
    }
    assert_eq!(facts.len(), Payment::FACTS, "{facts:?}");
    assert_eq!(ends.len(), 6, "{ends:?}");
}

/// The pauses between two looks double from a second up to five minutes, and stay there.
#[test]
fn looks_become_rarer_and_never_stop() {
    let mut life = Life::of([claim("R1"), Command::Settle]);
    let (mut pauses, mut now) = (Vec::new(), START);
    for _ in 0..14 {
        life.hears(unknown("timeout", None), now).unwrap();
        let next = deadline(&life.state).unwrap();
        pauses.push(next.since(now).0 / 1_000);
        now = next;
        life.hears(Command::Wake, now).unwrap();
    }
    assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60, 60]);
}
