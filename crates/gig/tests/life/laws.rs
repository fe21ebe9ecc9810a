//! What holds in every life, whatever happens in it and when.

use std::collections::BTreeSet;

use gig::{Command, Completion, Event, Fact, Hold, Lifecycle, Role, State, apply, deadline, limits};
use primitives::{Millis, UnixMillis};
use proptest::prelude::*;
use rehearsal::{Core, by_chance};

use crate::cast::*;
use crate::chance::{live, turns};

/// Whether time alone causes the fact.
fn is_of_time(event: &Event, before: &State) -> bool {
    let silence =
        |fact: &Fact| matches!(fact, Fact::Completed { completion: Completion::ReviewWindowPassed, .. });
    let closing = event.fact == Fact::Closed && matches!(before, State::Completed { .. });
    matches!(event.fact, Fact::NeverFunded | Fact::ClaimLapsed | Fact::Expired { .. })
        || silence(&event.fact)
        || closing
}

/// A state without the moments at which its events were recorded.
fn timeless(state: &State) -> State {
    let mut state = state.clone();
    match &mut state {
        State::Discoverable(gig)
        | State::Claimed { gig, .. }
        | State::TunnelGranted { gig, .. }
        | State::InProgress { gig, .. }
        | State::Delivered { gig, .. }
        | State::Completed { gig, .. }
        | State::Ended { gig, .. } => gig.updated_at = START,
        State::NeverFunded { ended_at, .. } => *ended_at = START,
        State::Unposted | State::Posted { .. } => {}
    }
    state
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    // `Life::hears` panics when what was decided does not apply.
    #[test]
    fn what_is_decided_applies_and_the_journal_replays_to_the_same_state(turns in turns()) {
        live(&turns, |_, _| {}).replays();
    }

    // G6
    #[test]
    fn over_stays_over(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let over = life.journal.iter().position(|(before, _)| before.is_over());
        prop_assert_eq!(over, None);
    }

    // G9
    #[test]
    fn the_version_grows_by_one_with_every_transition_and_with_nothing_else(turns in turns()) {
        let life = live(&turns, |_, _| {});
        for (before, event) in &life.journal {
            let after = apply(before.clone(), event).unwrap();
            let Some(gig) = after.gig() else { continue };
            let moved = before.lifecycle() != after.lifecycle();
            let from = before.gig().map_or(0, |gig| gig.version);
            prop_assert_eq!(gig.version, from + u32::from(moved), "{:?}", event);
            prop_assert!(!moved || gig.updated_at == event.at);
        }
    }

    // G10
    #[test]
    fn whatever_has_begun_ends_by_itself(turns in turns()) {
        let mut life = live(&turns, |life, _| {
            let at_rest = life.state.lifecycle().is_none() || life.state.is_over();
            assert_eq!(deadline(&life.state).is_none(), at_rest, "{:?}", life.state);
        });
        let begun = life.state.lifecycle().is_some();
        // Each wake at a deadline moves on; there is no life without end.
        for _ in 0..5 {
            if let Some(at) = deadline(&life.state) {
                life.hears(Command::Wake, at).unwrap();
            }
        }
        prop_assert_eq!(life.state.is_over(), begun);
    }

    // G10
    #[test]
    fn a_wake_is_harmless_before_the_deadline_and_the_second_time(turns in turns()) {
        live(&turns, |life, now| drop(life.woken(now)));
    }

    // G7
    #[test]
    fn a_late_alarm_leads_to_the_same_state_as_a_punctual_one(turns in turns(), late in 0_u64..200_000_000) {
        let life = live(&turns, |_, _| {});
        let (mut punctual, mut once) = (life.clone(), life);
        let Some(first) = deadline(&once.state) else { return Ok(()) };
        let end = first.plus(Millis(late));
        // A life has fewer deadlines ahead of it than this.
        for _ in 0..5 {
            if let Some(at) = deadline(&punctual.state).filter(|at| *at <= end) {
                punctual.hears(Command::Wake, at).unwrap();
            }
        }
        once.hears(Command::Wake, end).unwrap();
        prop_assert_eq!(timeless(&once.state), timeless(&punctual.state));
    }

    // G7
    #[test]
    fn deeds_happen_before_the_deadline_and_lapses_at_or_after_it(turns in turns()) {
        let life = live(&turns, |_, _| {});
        for (before, event) in &life.journal {
            let in_time = deadline(before).is_none_or(|deadline| event.at < deadline);
            // A completion by acceptance is closed in the same step.
            let by_time = is_of_time(event, before);
            prop_assert_eq!(in_time, !by_time, "{:?}", event);
        }
    }

    // G2, G3
    #[test]
    fn one_payment_funds_one_set_of_terms(turns in turns()) {
        let life = live(&turns, |life, _| {
            let kept = if let State::Posted { terms, .. } | State::NeverFunded { terms, .. } = &life.state {
                Some(terms)
            } else {
                life.state.gig().map(|gig| &gig.terms)
            };
            let first = life.journal.iter().find_map(|(_, event)| {
                if let Fact::Reserved { terms, .. } = &event.fact { Some(terms) } else { None }
            });
            assert_eq!(kept, first);
        });
        let funded: Vec<_> = life.journal.iter().filter_map(|(before, event)| {
            if let Fact::Funded { payer, .. } = &event.fact { Some((before, payer)) } else { None }
        }).collect();
        prop_assert!(funded.len() <= 1);
        for (before, payer) in funded {
            let held_by_another = matches!(
                before,
                State::Posted { hold: Hold::Held(holder), .. } if holder.payment != payer.payment
            );
            prop_assert!(!held_by_another);
        }
    }

    // G4
    #[test]
    fn only_the_workers_arrival_starts_the_work(turns in turns()) {
        let life = live(&turns, |_, _| {});
        for (index, (before, event)) in life.journal.iter().enumerate() {
            if event.fact == Fact::WorkStarted {
                prop_assert_eq!(&life.journal[index - 1].1.fact, &Fact::Joined { role: Role::Worker });
            }
            if event.fact == (Fact::Joined { role: Role::Buyer }) {
                let after = apply(before.clone(), event).unwrap();
                prop_assert_eq!(deadline(before), deadline(&after));
                prop_assert_eq!(before.lifecycle(), after.lifecycle());
            }
        }
    }

    // G5
    #[test]
    fn a_grant_opens_one_socket(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let mut opened = BTreeSet::new();
        for (before, event) in &life.journal {
            if let Fact::Joined { role } = event.fact {
                prop_assert!(opened.insert(before.seat(role).unwrap().grant), "{:?}", event);
            }
        }
    }

    // G8
    #[test]
    fn after_a_delivery_there_is_no_cancelling_and_at_most_three_revisions(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let facts: Vec<&'static str> = life.facts().collect();
        let delivered = facts.iter().position(|fact| *fact == "Delivered");
        let cancelled = facts.iter().position(|fact| *fact == "Cancelled");
        prop_assert!(delivered.is_none() || cancelled.is_none(), "{:?}", facts);
        prop_assert!(life.count("RevisionRequested") <= limits::REVISIONS_MAX);
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_ending() {
    let (mut facts, mut endings) = (BTreeSet::new(), BTreeSet::new());
    for turns in by_chance(turns(), 1_500) {
        let life = live(&turns, |_, _| {});
        facts.extend(life.facts());
        endings.extend(life.state.lifecycle().filter(|_| life.state.is_over()).map(Lifecycle::name));
    }
    assert_eq!(facts.len(), Gig::FACTS, "{facts:?}");
    assert_eq!(Vec::from_iter(endings), ["CANCELLED", "CLOSED", "EXPIRED", "FAILED"]);
}

/// A loop of one party fills neither the journal nor the other party's time.
#[test]
fn what_is_issued_for_a_seat_is_bounded() {
    let working = || Life::of([reserve(payer("P1", 1), "b1"), fund(payer("P1", 1)), claim("W", "m1", "w1")]);
    let worn_out = |mut life: Life, ask: &dyn Fn(&Life, usize) -> Command| {
        let refusal = (0..2_000).find_map(|turn| life.hears(ask(&life, turn), START).err());
        (refusal.map(|refusal| refusal.code()), life.journal.len())
    };
    let ticket = |_: &Life, turn: usize| Command::IssueTicket {
        by: who("B"),
        grant: secret("b1"),
        ticket: secret(&format!("t{turn}")),
    };
    let again = |_: &Life, turn: usize| claim("W", "m1", &format!("w{turn}"));
    let rotate = |life: &Life, turn: usize| Command::Reconnect {
        by: who("B"),
        role: Role::Buyer,
        grant: life.state.seat(Role::Buyer).unwrap().grant,
        message_id: message(&format!("r{turn}")),
        replacement: secret(&format!("b{turn}")),
    };
    let bound = usize::try_from(limits::ROTATIONS_MAX).unwrap() + 4;
    assert_eq!(worn_out(working(), &ticket), (Some("rotations_used_up"), bound));
    assert_eq!(worn_out(working(), &again), (Some("already_claimed"), bound));
    assert_eq!(worn_out(working(), &rotate), (Some("rotations_used_up"), bound));

    // A posting that is repeated is answered still, without a further grant.
    let mut life = working();
    for turn in 0..2_000 {
        life.hears(reserve(payer("P1", 1), &format!("x{turn}")), START).unwrap();
    }
    assert_eq!(life.journal.len(), bound);
}

/// Two clocks that disagree by a moment must not bring a state to rest behind its own deadline.
#[test]
fn a_clock_that_goes_back_does_no_harm() {
    let mut life = Life::of([reserve(payer("P1", 1), "b1"), fund(payer("P1", 1))]);
    let before = UnixMillis(START.0 - 5_000);
    assert!(life.hears(claim("W", "m1", "w1"), before).is_ok());
    assert_eq!(life.hears(Command::Wake, before), Ok(Heard::default()));
    assert!(deadline(&life.state).is_some_and(|at| before < at));
}
