//! What holds in every life, whatever happens in it and when. Most of it the witness says, at each event.

use std::collections::BTreeSet;

use primitives::Millis;
use proptest::prelude::*;
use rehearsal::{Core, by_chance};
use run::{Command, Effect, Event, deadline, effects};
use serde_json::Value;

use crate::answers::*;
use crate::chance::{Lot, live, lots};
use crate::purchase::*;

/// A journal with what the market showed left out.
fn without_offers(life: &Life) -> Vec<String> {
    let events = life.journal.iter().map(|(_, event)| serde_json::to_value(event).unwrap());
    let blind = events.map(|mut event| {
        without(&mut event, "observed_total");
        event.to_string()
    });
    blind.collect()
}

fn without(value: &mut Value, name: &str) {
    match value {
        Value::Array(parts) => parts.iter_mut().for_each(|part| without(part, name)),
        Value::Object(parts) => {
            parts.remove(name);
            parts.values_mut().for_each(|part| without(part, name));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    // `Life::hears` panics when what was decided does not apply, and the witness when it should not have been.
    #[test]
    fn what_is_decided_applies_and_the_journal_replays_to_the_same_state(lot in lots()) {
        live(&lot, |_, _| {}).replays();
    }

    #[test]
    fn an_alarm_is_harmless_before_the_deadline_and_the_second_time(lot in lots()) {
        live(&lot, |life, now| drop(life.woken(now)));
    }

    // Whatever the world is silent about, time brings to an end.
    #[test]
    fn whatever_has_begun_ends_by_itself(lot in lots()) {
        let mut life = live(&lot, |_, _| {});
        let mut wakes = 0;
        while let Some(at) = deadline(&life.state) {
            life.hears(Command::Wake, at).unwrap();
            wakes += 1;
            prop_assert!(wakes < 400, "it does not end: {:?}", shown(&life).state);
        }
        prop_assert!(view(&life.state).is_none_or(|view| is_terminal(view.state)));
    }

    // R13: whatever was taken changes nothing the second time.
    #[test]
    fn what_comes_again_changes_nothing(lot in lots()) {
        let (mut heard, mut events) = (0, 0);
        live(&lot, |life, now| {
            let fresh = &life.journal[events..];
            let is_note = |event| matches!(Purchase::name(event), "SIGNAL_REFUSED" | "WALLET_IGNORED");
            let is_told = fresh.iter().any(|(_, event)| is_note(event));
            if life.granted.len() > heard && !fresh.is_empty() && !is_told {
                let again = life.granted.last().unwrap();
                let mut second = life.clone();
                assert_eq!(second.hears(again.clone(), now), Ok(Heard::default()), "{again:?}");
            }
            (heard, events) = (life.granted.len(), life.journal.len());
        });
    }

    // R1: what a market shows ranks offers and bounds drift, and reaches nothing else.
    #[test]
    fn no_amount_comes_from_a_market(lot in lots(), less in 0_u64..3) {
        let other = live(&Lot { less, ..lot.clone() }, |_, _| {});
        let life = live(&lot, |_, _| {});
        prop_assert_eq!(without_offers(&life), without_offers(&other));
    }

    // A clock that goes back does no harm: a run's own does not.
    #[test]
    fn a_clock_that_goes_back_is_not_followed(lot in lots(), back in 0_u64..100_000_000) {
        live(&lot, |life, now| {
            let earlier = now.minus(Millis(back));
            let mut late = life.clone();
            let _ = late.hears(Command::Cancel, earlier);
            let at = life.journal.last().map(|(_, event)| event.at);
            assert!(late.journal.iter().skip(life.journal.len()).all(|(_, event)| Some(event.at) >= at));
        });
    }

    // The events of a run can be read again, and each owes the same whoever reads it.
    #[test]
    fn effects_follow_from_the_journal_alone(lot in lots()) {
        let life = live(&lot, |_, _| {});
        let owed = life.journal.iter().flat_map(|(before, event)| {
            let read: Event = serde_json::from_str(&serde_json::to_string(event).unwrap()).unwrap();
            effects(before, &read)
        });
        prop_assert_eq!(owed.collect::<Vec<Effect>>(), life.owed);
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_most_facts_and_every_ending() {
    let (mut facts, mut endings) = (BTreeSet::new(), BTreeSet::new());
    for lot in by_chance(lots(), 600) {
        let life = live(&lot, |_, _| {});
        facts.extend(life.facts());
        endings
            .extend(view(&life.state).filter(|view| is_terminal(view.state)).map(|view| view.state.name()));
    }
    assert!(facts.len() >= Purchase::FACTS - 1, "{facts:?}");
    assert!(endings.len() >= 6, "{endings:?}");
}
