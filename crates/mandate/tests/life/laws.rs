//! What holds in every life, whatever happens in it and when.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::B256;
use mandate::life::{
    Act, Change, Command, Effect, Fact, Outcome, Progress, State, apply, deadline, effects, progress,
};
use mandate::{By, Ceiling, Proof, Signature, SignedApproval, Status, UnixSeconds, calendar, evaluate};
use primitives::{Millis, UnixMillis};
use proptest::prelude::*;
use rehearsal::{Core, by_chance};

use crate::cast::*;
use crate::chance::{live, turns};

/// Another book of the same events, kept with sums alone.
#[derive(Default)]
struct Sums {
    balance: u128,
    /// What is held of each payment and reservation.
    held: BTreeMap<B256, u128>,
    /// When each was authorized, and how much of it counts.
    counted: BTreeMap<B256, (UnixMillis, u128)>,
    /// The names under which nothing is ever held.
    barred: BTreeSet<B256>,
}

impl Sums {
    fn authorized(&mut self, name: B256, amount: u128, at: UnixMillis) {
        assert!(!self.barred.contains(&name), "held after its end");
        self.held.insert(name, amount);
        assert!(self.counted.insert(name, (at, amount)).is_none(), "authorized twice");
    }

    fn note(&mut self, before: &State, event: &mandate::life::Event) {
        let moved = |outcome| match outcome {
            Outcome::Request { paid, returned, .. } | Outcome::Reservation { paid, returned } => {
                (paid.0, returned.0)
            }
            Outcome::Done | Outcome::Scheduled { .. } => (0, 0),
        };
        let (paid, returned) = moved(event.outcome);
        let is_escrowed = matches!(event.outcome, Outcome::Request { progress: Progress::Escrowed, .. });
        match &event.fact {
            Fact::Changed { change: Change::Fund { amount }, .. } => self.balance += amount.to::<u128>(),
            Fact::Changed { change: Change::Withdraw { amount }, .. } => self.balance -= amount.to::<u128>(),
            Fact::Requested { request, .. } if is_escrowed => {
                self.authorized(request.payment, request.max_amount.0, event.at);
            }
            Fact::Acted { payment, act: Act::Submit, .. } => {
                let asked = before.book().unwrap().requests[payment].request;
                self.authorized(*payment, asked.max_amount.0, event.at);
            }
            Fact::Acted { payment, .. } | Fact::Lapsed { payment, .. } => {
                self.balance -= paid;
                if let Some(held) = self.held.get_mut(payment) {
                    *held -= paid + returned;
                }
            }
            Fact::Refunded { .. } => self.balance += returned,
            Fact::Reserved { reservation, hold } => {
                self.authorized(*reservation, hold.amount.0, event.at);
            }
            Fact::Committed { reservation, .. }
            | Fact::Released { reservation }
            | Fact::ReservationLapsed { reservation } => {
                self.balance -= paid;
                *self.held.get_mut(reservation).unwrap() -= paid + returned;
                self.counted.get_mut(reservation).unwrap().1 -= returned;
            }
            Fact::ReservationBarred { reservation, .. } => {
                assert!(!self.held.contains_key(reservation), "barred what was held");
                self.barred.insert(*reservation);
            }
            Fact::Created { .. } | Fact::Changed { .. } | Fact::Requested { .. } | Fact::Cancelled { .. } => {
            }
        }
    }

    /// What counts of what was authorized at a moment that `is_within`: how many, and how much.
    fn within(&self, is_within: impl Fn(UnixSeconds) -> bool) -> (u32, u128) {
        let counted = self.counted.values().filter(|(at, counts)| is_within((*at).into()) && *counts > 0);
        counted.fold((0, 0), |(count, sum), (_, counts)| (count + 1, sum + counts))
    }

    fn agree_with(&self, state: &State) {
        let Some(book) = state.book() else { return };
        let mandate = &book.mandate;
        assert_eq!(mandate.funds.balance.0, self.balance);
        assert_eq!(mandate.funds.reserved.0, self.held.values().sum::<u128>());
        assert!(mandate.funds.reserved <= mandate.funds.balance);
        let today = calendar::day(book.latest.into());
        let day = |at| calendar::day(at) == today;
        let (count, sum) = self.within(day);
        let spent = mandate.spent.seen_at(book.latest.into());
        assert_eq!((spent.day_count, spent.day_sum.0), (count, sum));
        let entry = mandate.entries.values().next().unwrap().spent.seen_at(book.latest.into());
        assert_eq!((entry.day_count, entry.day_sum.0), (count, sum));
        let (_, month) = self.within(|at| calendar::month(calendar::day(at)) == calendar::month(today));
        assert_eq!(spent.month_sum.0, month);
        let (_, ever) = self.within(|_| true);
        assert_eq!(mandate.lifetime_spent.0, ever);
        // The widest caps that a life by chance has.
        assert!(sum <= 200 && month <= 600 && ever <= 3_000 && count <= 5, "{sum} {month} {ever} {count}");
    }
}

/// The owner's approval of a payment.
fn approval_of(life: &Life, wanted: B256) -> Option<SignedApproval> {
    life.journal.iter().find_map(|(_, event)| {
        if let Fact::Acted { payment, act: Act::Approve { approval, .. }, .. } = &event.fact
            && *payment == wanted
        {
            return Some(*approval);
        }
        None
    })
}

/// A state without the moment of its latest event.
fn timeless(state: &State) -> State {
    let mut state = state.clone();
    if let State::Live(book) = &mut state {
        book.latest = START;
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

    // L4, L5
    #[test]
    fn money_and_windows_are_what_another_book_of_the_same_events_says(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let mut sums = Sums::default();
        for (before, event) in &life.journal {
            sums.note(before, event);
            sums.agree_with(&apply(before.clone(), event).unwrap());
        }
    }

    // L1
    #[test]
    fn only_what_the_rules_allow_is_queued_or_authorized(turns in turns()) {
        let life = live(&turns, |_, _| {});
        for (before, event) in &life.journal {
            let (request, approval) = if let Fact::Requested { request, .. } = &event.fact {
                let signature = Signature::Of(OWNER);
                (**request, SignedApproval { valid_before: UnixSeconds::MAX, signature })
            } else if let Fact::Acted { payment, act: Act::Submit, .. } = &event.fact {
                (before.book().unwrap().requests[payment].request, approval_of(&life, *payment).unwrap())
            } else {
                continue;
            };
            let mandate = &before.book().unwrap().mandate;
            let proof = Proof { agent: By::caller(AGENT), approval };
            let verdict = evaluate(Some(mandate), &request, &proof, event.at.into(), &Ceiling::Unset);
            prop_assert!(verdict.is_ok(), "{:?}", verdict);
        }
    }

    // L6
    #[test]
    fn what_is_held_is_below_every_cap_and_above_the_threshold_only_with_the_owners_yes(turns in turns()) {
        let life = live(&turns, |_, _| {});
        for (before, event) in &life.journal {
            let Fact::Reserved { hold, .. } = &event.fact else { continue };
            let mandate = &before.book().unwrap().mandate;
            let most = if hold.approved { 90 } else { 60 };
            prop_assert!(hold.amount <= units(most).min(mandate.funds.available()));
            prop_assert_eq!(mandate.status, Status::Active);
        }
    }

    // L2, L3, L8
    #[test]
    fn a_request_is_decided_once_and_authorized_once(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let (mut decided, mut authorized, mut ended) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (_, event) in &life.journal {
            match (&event.fact, event.outcome) {
                (Fact::Acted { payment, act: Act::Approve { .. } | Act::Reject { .. }, .. }, _) => {
                    prop_assert!(decided.insert(*payment));
                }
                (Fact::Acted { payment, act: Act::Submit, .. }, _) => {
                    prop_assert!(decided.contains(payment) && authorized.insert(*payment));
                }
                (Fact::Requested { request, .. }, Outcome::Request { progress: Progress::Escrowed, .. }) => {
                    prop_assert!(authorized.insert(request.payment));
                }
                (Fact::Reserved { reservation, .. }, _) => prop_assert!(authorized.insert(*reservation)),
                _ => {}
            }
        }
        for effect in &life.owed {
            if let Effect::Close { reservation, .. } = effect {
                prop_assert!(ended.insert(*reservation));
            }
        }
    }

    // L8: what is over is over, and only refunds change what is on file.
    #[test]
    fn what_is_filed_is_final(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let mut rows = BTreeMap::new();
        for effect in &life.owed {
            let Effect::File(filed) = effect else { continue };
            let payment = filed.request.payment;
            prop_assert!(filed.progress.is_over());
            if let Some(earlier) = rows.insert(payment, filed.clone()) {
                let (was, is) = (earlier.payment.unwrap(), filed.payment.unwrap());
                prop_assert!(is.refunded > was.refunded && is.refunded <= is.paid);
                prop_assert_eq!((earlier.progress, was.paid), (filed.progress, is.paid));
            }
            prop_assert_eq!(progress(&life.state, payment, Some(filed)), Some(filed.progress));
        }
    }

    // L9
    #[test]
    fn a_wake_is_harmless_before_the_deadline_and_the_second_time(turns in turns()) {
        live(&turns, |life, now| drop(life.woken(now)));
    }

    // L9
    #[test]
    fn whatever_waits_ends_by_itself(turns in turns()) {
        let mut life = live(&turns, |_, _| {});
        while let Some(at) = deadline(&life.state) {
            let open = life.journal.len();
            life.hears(Command::Wake, at).unwrap();
            prop_assert!(life.journal.len() > open);
        }
        if let Some(book) = life.state.book() {
            prop_assert!(book.requests.is_empty() && book.reservations.is_empty());
            prop_assert!(book.mandate.payments.is_empty());
            prop_assert_eq!(book.mandate.funds.reserved, units(0));
        }
    }

    // L9
    #[test]
    fn a_late_alarm_leads_to_the_same_state_as_a_punctual_one(turns in turns(), late in 0_u64..200_000_000) {
        let life = live(&turns, |_, _| {});
        let Some(first) = deadline(&life.state) else { return Ok(()) };
        let end = first.plus(Millis(late));
        let (mut punctual, mut once) = (life.clone(), life);
        while let Some(at) = deadline(&punctual.state).filter(|at| *at <= end) {
            prop_assert_ne!(punctual.hears(Command::Wake, at).unwrap(), Heard::default());
        }
        once.hears(Command::Wake, end).unwrap();
        prop_assert_eq!(timeless(&once.state), timeless(&punctual.state));
    }

    // L9
    #[test]
    fn deeds_happen_before_their_deadline_and_time_goes_forward(turns in turns()) {
        let life = live(&turns, |_, _| {});
        let mut latest = UnixMillis(0);
        for (before, event) in &life.journal {
            prop_assert!(latest <= event.at);
            latest = event.at;
            let in_time = deadline(before).is_none_or(|deadline| event.at < deadline);
            let by_time = matches!(event.fact, Fact::Lapsed { .. } | Fact::ReservationLapsed { .. });
            prop_assert_eq!(in_time, !by_time, "{:?}", event);
        }
    }

    // L10
    #[test]
    fn silence_pays_whoever_delivered(turns in turns()) {
        let life = live(&turns, |_, _| {});
        for (before, event) in &life.journal {
            let Fact::Lapsed { payment, .. } = &event.fact else { continue };
            let book = before.book().unwrap();
            let Some(open) = book.mandate.payments.get(payment) else { continue };
            let Outcome::Request { paid, returned, .. } = event.outcome else { continue };
            let all = book.requests[payment].request.max_amount;
            if open.state == mandate::State::Delivered && open.paid == units(0) {
                prop_assert_eq!((paid, returned), (all, units(0)));
            }
        }
    }

    // L12
    #[test]
    fn every_event_is_told_to_the_log(turns in turns()) {
        let life = live(&turns, |_, _| {});
        for (before, event) in &life.journal {
            let lines = effects(before, event).iter().filter(|owed| matches!(owed, Effect::Log(_))).count();
            prop_assert!(lines >= 1, "{:?}", event);
        }
    }
}

/// Laws over lives in which nothing much happens would prove little.
#[test]
fn the_lives_by_chance_see_every_fact_and_every_ending() {
    let (mut facts, mut endings) = (BTreeSet::new(), BTreeSet::new());
    for turns in by_chance(turns(), 1_000) {
        let life = live(&turns, |_, _| {});
        facts.extend(life.facts());
        endings.extend(life.owed.iter().filter_map(|effect| match effect {
            Effect::File(filed) => Some(filed.progress.name()),
            Effect::Close { closed, .. } => Some(closed.ending.name()),
            Effect::Log(_) | Effect::Tell { .. } => None,
        }));
    }
    assert_eq!(facts.len(), Object::FACTS, "{facts:?}");
    let all = [
        "cancelled",
        "committed",
        "expired",
        "refunded",
        "rejected",
        "released",
        "settled",
        "timed_out",
        "voided",
    ];
    assert_eq!(Vec::from_iter(endings), all);
}

/// A journal that was changed on disk is found out, whether a fact or what came of it was changed.
#[test]
fn an_event_that_does_not_follow_is_corrupt() {
    let life = alive([ask(request("A", 40)), deliver("A"), act("A", Act::Accept, OWNER)]);
    let (before, accepted) = life.journal.last().unwrap();
    assert!(apply(before.clone(), accepted).is_ok());
    let outcome = Outcome::Request { progress: Progress::Settled, paid: units(41), returned: units(0) };
    let too_much = mandate::life::Event { outcome, ..accepted.clone() };
    assert!(apply(before.clone(), &too_much).unwrap_err().to_string().contains("41"));
    assert!(apply(life.state.clone(), accepted).is_err());
    assert!(apply(State::Unborn, accepted).is_err());
    assert!(apply(life.state.clone(), &life.journal[0].1).is_err());
}
