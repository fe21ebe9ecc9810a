//! What holds in every life, even if a chain shows what no chain could, in any order.

use std::collections::BTreeSet;

use primitives::{Millis, UnixMillis};
use proptest::prelude::*;
use rehearsal::{Core, Wait, by_chance};
use settlement::{
    Answer, Asker, Command, Effect, Event, Fact, Lifecycle, Sighting, State, Tier, Window, answer, apply,
    deadline, decide, is_open_to, limits, look,
};

use crate::cast::*;

/// What happens next. A sighting is of the latest look, or of the one so many before it.
#[derive(Debug, Clone)]
enum Turn {
    Hears(Command),
    Sees(u32, Sighting),
}

fn tier() -> impl Strategy<Value = Tier> {
    prop_oneof![4 => Just(Tier::Included), 3 => Just(Tier::Safe), 1 => Just(Tier::Final)]
}

fn sighting() -> impl Strategy<Value = Sighting> {
    let window = prop_oneof![4 => Just(Window::Open), 1 => Just(Window::Closed)];
    prop_oneof![
        4 => (0_u64..3, tier()).prop_map(|(number, tier)| transferred("0x1", number, "a", tier)),
        1 => tier().prop_map(|tier| used_otherwise("0xbad", tier)),
        3 => (prop::option::of(0_u8..3), window)
            .prop_map(|(mined, window)| unused(mined.map(|number| format!("0x{number}")).as_deref(), window)),
    ]
}

fn asker() -> impl Strategy<Value = Asker> {
    prop_oneof![2 => Just(Asker::Anonymous), 2 => Just(key("K1")), 1 => Just(key("K2"))]
}

fn turns() -> impl Strategy<Value = Vec<(Wait, Turn)>> {
    let wait = prop_oneof![
        6 => (0_u64..2_000).prop_map(Wait::For),
        1 => (0_u64..10_000_000).prop_map(Wait::For),
        3 => (0_u64..3).prop_map(Wait::UntilBeforeDeadline),
    ];
    let turn = prop_oneof![
        2 => (asker(), tier()).prop_map(|(asker, tier)| Turn::Hears(start_by(asker, "R1", tier))),
        1 => (asker(), tier()).prop_map(|(asker, tier)| Turn::Hears(start_by(asker, "R2", tier))),
        2 => asker().prop_map(|asker| Turn::Hears(collect(asker, "R1"))),
        1 => asker().prop_map(|asker| Turn::Hears(collect(asker, "R2"))),
        2 => (0_u8..5).prop_map(|number| Turn::Hears(announce(&format!("0x{number}")))),
        1 => Just(Turn::Hears(decline("busy"))),
        2 => Just(Turn::Hears(Command::LookNow)),
        4 => Just(Turn::Hears(Command::Wake)),
        5 => (prop_oneof![5 => Just(0_u32), 1 => 1_u32..3], sighting())
            .prop_map(|(before, sighting)| Turn::Sees(before, sighting)),
    ];
    prop::collection::vec((wait, turn), 1..50)
}

/// Lives through the turns; `see` is shown the life after each, and the moment.
fn live(turns: &[(Wait, Turn)], see: impl FnMut(&Life, UnixMillis)) -> Life {
    let asks = |life: &Life, turn: &Turn| match turn {
        Turn::Hears(command) => command.clone(),
        Turn::Sees(before, sighting) => {
            let latest = life.state.unfinished().map_or(0, |pursuit| pursuit.looks);
            Command::See { look: latest.wrapping_sub(*before), sighting: sighting.clone() }
        }
    };
    Life::live(turns, asks, see)
}

fn is_final(state: &State) -> bool {
    matches!(state, State::Failed { .. } | State::Transferred { tier: Tier::Final, .. })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    // `Life::hears` panics when what was decided does not apply.
    #[test]
    fn what_is_decided_applies_and_the_journal_replays_to_the_same_state(turns in turns()) {
        live(&turns, |_, _| {}).replays();
    }

    // T1
    #[test]
    fn a_request_gives_way_to_another_only_where_nothing_was_sent(turns in turns()) {
        let life = live(&turns, |_, _| {});
        for (before, event) in &life.journal {
            let after = apply(before.clone(), event).unwrap();
            if let (Some(kept), Some(next)) = (before.order(), after.order())
                && (kept.fingerprint, &kept.asker) != (next.fingerprint, &next.asker)
            {
                let State::Declined { pursuit, .. } = before else { panic!("{before:?}") };
                prop_assert_eq!((pursuit.calls.as_ref(), pursuit.settled_at), (None, None));
            }
        }
    }

    // T2, T7
    #[test]
    fn a_start_owes_one_job_and_a_life_at_most_one_entry(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let jobs = life.owed.iter().filter(|effect| matches!(effect, Effect::Submit { .. })).count();
        prop_assert_eq!(jobs, life.count("Started"));
        prop_assert!(life.owed.len() - jobs <= 1);
    }

    // T3: no word of the relayer's and no moment of time makes a transfer, a failure or a reorganisation.
    #[test]
    fn only_what_the_chain_shows_settles_or_fails(turns in turns()) {
        let mut life = live(&turns, |_, _| {});
        let known = answer(&life.state);
        let latest = life.state.unfinished().map_or(0, |pursuit| pursuit.looks);
        for command in [
            start("R1", Tier::Included),
            collect(Asker::Anonymous, "R1"),
            collect(key("K1"), "R2"),
            Command::LookNow,
            Command::Wake,
            Command::See { look: latest.wrapping_add(7), sighting: transferred("0x1", 9, "z", Tier::Final) },
            Command::See { look: latest.wrapping_sub(1), sighting: unused(None, Window::Closed) },
            announce("0x9"),
        ] {
            let moment = START.plus(Millis::from_minutes(600));
            let heard = life.hears(command, moment).unwrap_or_default();
            let says = heard.events.iter().any(|event| matches!(
                event.fact,
                Fact::Transferred { .. } | Fact::Confirmed { .. } | Fact::Failed { .. } | Fact::Reorged
            ));
            prop_assert!(!says, "{:?}", heard);
        }
        let is_outcome = |answer: &Answer| matches!(answer, Answer::Settled { .. } | Answer::Failed { .. });
        prop_assert!(!is_outcome(&known) && !is_outcome(&answer(&life.state)) || known == answer(&life.state));
    }

    // T4, T5, T6
    #[test]
    fn what_is_final_stays_and_what_is_settled_goes_only_by_a_reorganisation(turns in turns()) {
        let life = live(&turns, |_, _| {});
        for (before, event) in &life.journal {
            let after = apply(before.clone(), event).unwrap();
            // It is only told.
            prop_assert!(!is_final(before) || event.fact == Fact::Collected && answer(before) == answer(&after));
            if let Answer::Settled { tier, .. } = answer(before) {
                let is_settled = matches!(answer(&after), Answer::Settled { .. });
                prop_assert!(is_settled || event.fact == Fact::Reorged);
                prop_assert!(tier >= before.order().unwrap().terms.tier);
            }
        }
    }

    // T8
    #[test]
    fn a_wake_is_harmless_before_the_deadline_and_the_second_time(turns in turns()) {
        live(&turns, |life, now| {
            let woken = life.woken(now);
            let late = deadline(&life.state).unwrap_or(now).max(now);
            // The next look is never far, and a look has something to look for.
            if let Some(next) = deadline(&woken.state) {
                assert!(next.since(late) <= limits::LOOK_PAUSE_MAX);
                assert!(look(&woken.state, late).is_some());
            }
        });
    }

    // T10
    #[test]
    fn success_is_told_to_whoever_began_it_and_without_a_key_once(turns in turns()) {
        let mut before = 0;
        let life = live(&turns, |life, now| {
            let (lifecycle, told) = (life.state.lifecycle(), told(life));
            if told.len() > before {
                let order = life.state.order().unwrap();
                assert_eq!(told.last(), Some(&(&order.fingerprint, &order.asker)));
                assert_eq!(lifecycle, Lifecycle::Settled);
            }
            before = told.len();
            for (request, asker) in [("R1", Asker::Anonymous), ("R1", key("K1")), ("R2", key("K1"))] {
                let may_collect = decide(&life.state, collect(asker.clone(), request), now).is_ok();
                let is_open = is_open_to(&life.state, &fingerprint(request), &asker);
                assert!(is_open == may_collect || is_open && lifecycle != Lifecycle::Settled);
            }
        });
        prop_assert!(anonymously(&told(&life)) <= 1);
        prop_assert_eq!(anonymously(&told(&life)), life.count("Collected"));
        prop_assert!(told(&life).windows(2).all(|pair| pair[0] == pair[1]));
        let mut restarted = Life { state: life.replayed().unwrap(), ..life };
        for request in ["R1", "R2"] {
            let _ = restarted.hears(collect(Asker::Anonymous, request), START);
        }
        prop_assert!(anonymously(&told(&restarted)) <= 1);
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_state() {
    let (mut facts, mut ends) = (BTreeSet::new(), BTreeSet::new());
    for turns in by_chance(turns(), 600) {
        let life = live(&turns, |_, _| {});
        facts.extend(life.facts());
        ends.insert(life.state.lifecycle().name());
    }
    assert_eq!(facts.len(), Settlement::FACTS, "{facts:?}");
    assert_eq!(ends.len(), 8, "{ends:?}");
}

/// An event that cannot follow is told apart from one that can, so that a spoilt journal does not become a state.
#[test]
fn an_event_that_does_not_follow_is_corrupt() {
    let life = |commands: &[Command]| Life::of(commands.iter().cloned());
    let started = [start("R1", Tier::Included)];
    let mut settled = life(&[start("R1", Tier::Included), Command::LookNow]);
    sees(&mut settled, transferred("0x1", 7, "a", Tier::Final), START);
    let mut collected = settled.clone();
    collected.hears(collect(Asker::Anonymous, "R1"), START).unwrap();
    let mut below_the_tier = life(&[start("R1", Tier::Safe), Command::LookNow]);
    sees(&mut below_the_tier, transferred("0x1", 7, "a", Tier::Included), START);
    let mut begun_with_a_key = life(&[start_by(key("K1"), "R1", Tier::Included), Command::LookNow]);
    sees(&mut begun_with_a_key, transferred("0x1", 7, "a", Tier::Final), START);
    let reverted = Fact::Reverted { transaction: "0x1".to_owned() };
    for (life, fact) in [
        (life(&[]), Fact::LookStarted { next_look_at: START }),
        (life(&[]), Fact::WatchEnded),
        (life(&started), Fact::Reorged),
        (life(&started), Fact::Confirmed { tier: Tier::Final }),
        (life(&started), Fact::Collected),
        (below_the_tier, Fact::Collected),
        (collected, Fact::Collected),
        (begun_with_a_key, Fact::Collected),
        (life(&[start("R1", Tier::Included), announce("0x1")]), Fact::Declined { reason: "busy".to_owned() }),
        (settled.clone(), Fact::Reorged),
        (settled.clone(), Fact::Confirmed { tier: Tier::Final }),
        (settled, reverted),
    ] {
        let lifecycle = life.state.lifecycle().name();
        let corrupt = apply(life.state, &Event { at: START, fact }).unwrap_err();
        let said = "an event recorded at 2026-11-30T14:00:00.000Z does not follow from ";
        assert_eq!(corrupt.to_string(), format!("{said}{lifecycle}"));
    }
}
