//! What holds in every life, whatever happens in it and when.

use meter::{Event, Fact, Gate, Item, Outcome, SettlementState, State, Verdict, deadline, limits};
use primitives::{Millis, UnixMillis};
use proptest::prelude::*;
use rehearsal::Core as _;

use crate::cast::*;
use crate::desk::{Ask, Desk};
use crate::paper::Paper;

const QUANTITIES: [&str; 8] = ["1", "0.001", "9.999", "10", "10.001", "99", "100.5", "0.25"];

/// What happens next; numbers choose among what there is.
#[derive(Debug, Clone)]
pub(crate) enum Turn {
    Use(Vec<(usize, bool)>),
    Reverse(usize),
    Draft,
    WriteOff,
    Void,
    Submit(usize),
    Report(usize, usize),
    Reserve(usize, u64),
    Answer(usize, bool),
    Commit(usize, usize),
    Release(usize),
    Wake,
}

#[derive(Debug, Clone)]
pub(crate) enum Pause {
    Minutes(u64),
    Deadline(i64),
}

impl Pause {
    pub(crate) fn end(&self, now: UnixMillis, state: &State) -> UnixMillis {
        match (self, deadline(state)) {
            (Self::Minutes(minutes), _) => now.plus(Millis::from_minutes(*minutes)),
            (Self::Deadline(off), Some(at)) if *off < 0 => at.minus(Millis(off.unsigned_abs())).max(now),
            (Self::Deadline(off), Some(at)) => at.plus(Millis(off.unsigned_abs())).max(now),
            (Self::Deadline(_), None) => now,
        }
    }
}

pub(crate) fn turns() -> impl Strategy<Value = Vec<(Pause, Turn)>> {
    let pause = prop_oneof![
        6 => Just(Pause::Minutes(0)),
        3 => (1_u64..30).prop_map(Pause::Minutes),
        1 => (600_u64..3_000).prop_map(Pause::Minutes),
        3 => (-1_i64..2).prop_map(Pause::Deadline),
    ];
    let one = || (0_usize..40, prop::bool::weighted(0.95));
    let turn = prop_oneof![
        8 => prop::collection::vec(one(), 1..6).prop_map(Turn::Use),
        5 => (0_usize..40).prop_map(Turn::Reverse),
        5 => Just(Turn::Draft),
        1 => Just(Turn::WriteOff),
        2 => Just(Turn::Void),
        4 => (0_usize..3).prop_map(Turn::Submit),
        6 => (0_usize..4, 0_usize..3).prop_map(|(which, how)| Turn::Report(which, how)),
        3 => (0_usize..8, 1_u64..100).prop_map(|(quantity, minutes)| Turn::Reserve(quantity, minutes)),
        4 => (0_usize..3, prop::bool::weighted(0.2)).prop_map(|(which, no)| Turn::Answer(which, no)),
        4 => (0_usize..3, 0_usize..40).prop_map(|(which, key)| Turn::Commit(which, key)),
        2 => (0_usize..3).prop_map(Turn::Release),
        2 => Just(Turn::Wake),
    ];
    prop::collection::vec((pause, turn), 1..60)
}

/// The event of a number; what it says follows from the number, unless it is to be another.
pub(crate) fn event(number: usize, is_same: bool, now: UnixMillis) -> Item {
    let quantity = QUANTITIES[(number + usize::from(!is_same)) % QUANTITIES.len()];
    item(&format!("e{number}"), quantity, u32::try_from(number % 4).unwrap() + 1, now)
}

/// A life, the book beside it, and how many bills and reservations were named.
#[derive(Debug, Default)]
struct World {
    desk: Desk,
    paper: Paper,
    bills: usize,
    holds: usize,
}

impl World {
    fn ask(&mut self, turn: &Turn, now: UnixMillis) -> Option<Ask> {
        let bill = |back: usize| self.bills.checked_sub(back + 1).map(|number| format!("b{number}"));
        let hold = |back: usize| self.holds.checked_sub(back + 1).map(|number| format!("h{number}"));
        Some(match turn {
            Turn::Use(events) => {
                let items = events.iter().map(|(number, is_same)| event(*number, *is_same, now)).collect();
                Ask::Record(items, Gate::Postpaid)
            }
            Turn::Reverse(which) => Ask::Reverse { word: format!("r{which}"), of: format!("e{which}") },
            Turn::Draft => {
                self.bills += 1;
                Ask::Draft(format!("b{}", self.bills - 1), vec![])
            }
            Turn::WriteOff => {
                self.bills += 1;
                Ask::WriteOff(format!("b{}", self.bills - 1), vec![])
            }
            Turn::Void => Ask::Void(bill(0)?),
            Turn::Submit(how) => Ask::Submit(bill(0)?, means(["x402", "mandate", "transaction"][*how])),
            Turn::Report(which, how) => {
                let pending = self.desk.life.state.book()?.pending.values().nth(*which)?;
                let SettlementState::Submitted { means, .. } = &pending.state else { return None };
                let outcome = match how {
                    0 => Outcome::Paid { proof: "proof".to_owned() },
                    1 => Outcome::Failed { code: "no".to_owned(), reason: "No.".to_owned() },
                    _ => Outcome::Unknown { reason: "away".to_owned() },
                };
                let words = (0..self.bills).map(|number| format!("b{number}"));
                let mut words = words.chain((0..self.holds).map(|number| format!("h{number}")));
                let word = words.find(|word| crate::cast::bill(word) == pending.id)?;
                Ask::Report(word, means.clone(), outcome)
            }
            Turn::Reserve(quantity, minutes) => {
                self.holds += 1;
                let version = u32::try_from(self.holds % 4).unwrap() + 1;
                let (word, quantity) = (format!("h{}", self.holds - 1), QUANTITIES[*quantity].to_owned());
                Ask::Reserve { word, quantity, version, minutes: *minutes, gate: Gate::Prepaid }
            }
            Turn::Answer(which, refused) => Ask::Answer { word: hold(*which)?, refused: *refused },
            Turn::Commit(which, key) => Ask::Commit { word: hold(*which)?, item: event(*key, true, now) },
            Turn::Release(which) => Ask::Release(hold(*which)?),
            Turn::Wake => Ask::Wake,
        })
    }

    fn hears(&mut self, ask: &Ask, now: UnixMillis) -> Option<Vec<Event>> {
        let before = self.desk.life.state.clone();
        let verdicts = match ask {
            Ask::Record(items, gate) => Some(self.desk.verdicts(items, *gate, now)),
            _ => None,
        };
        let Ok(events) = self.desk.hears(ask, now) else {
            assert_eq!(self.desk.life.state, before, "a refusal changed something");
            return None;
        };
        for event in &events {
            if let Fact::WrittenOff { settlement, .. } = &event.fact {
                self.paper.skip(settlement.number);
            }
            self.paper.follow(event);
        }
        if let Some(verdicts) = verdicts {
            let counted = verdicts.iter().filter(|it| matches!(it, Verdict::Recorded { .. })).count();
            let recorded = events.iter().map(|event| match &event.fact {
                Fact::Recorded { items, .. } => items.len(),
                _ => 0,
            });
            assert_eq!(recorded.sum::<usize>(), counted, "verdicts and what was recorded");
        }
        Some(events)
    }

    fn check(&self) {
        self.paper.check(&self.desk.life.state);
        let Some(book) = self.desk.life.state.book() else { return };
        let pending = book.pending.values();
        let sums = |lines: Vec<(u128, u128)>| lines.iter().map(|(all, gone)| all - gone).sum::<u128>();
        let pending: u128 = pending
            .map(|it| sums(it.lines.iter().map(|line| (line.quantity.0, line.credited.quantity.0)).collect()))
            .sum();
        let open: u128 = book.open.values().map(|open| open.quantity.0).sum();
        let totals = &book.totals;
        let placed = open
            + pending
            + totals.settled.0
            + totals.written_off.0
            + totals.handed_over.0
            + totals.reversed.0;
        assert_eq!(totals.recorded.0 + totals.taken_over.0, placed, "usage is in one place (B5)");
        let waits = !book.pending.is_empty() || !book.reservations.is_empty();
        assert_eq!(deadline(&self.desk.life.state).is_some(), waits, "what is pending has a deadline (B8)");
        let added: u128 = self.desk.hours.values().map(|(added, _, _)| added).sum();
        let taken: u128 = self.desk.hours.values().map(|(_, taken, _)| taken).sum();
        assert_eq!((added, taken), (totals.recorded.0, totals.reversed.0 + totals.credited.0));
        assert_eq!(taken, totals.taken_back.0);
        assert!(book.pending.len() <= limits::RESERVATIONS + 1);
    }
}

/// Lives a life, and looks at it after each turn.
fn live(turns: &[(Pause, Turn)]) -> Desk {
    let (mut world, mut now) = (World::default(), START);
    world.desk.shards = 1;
    for (pause, turn) in turns {
        now = pause.end(now, &world.desk.life.state);
        let Some(ask) = world.ask(turn, now) else { continue };
        let can_draft = world.paper.can_draft();
        let heard = world.hears(&ask, now);
        if let (Ask::Draft(..), Some(events)) = (&ask, &heard) {
            let is_late = events
                .iter()
                .any(|event| matches!(event.fact, Fact::DraftExpired { .. } | Fact::Reported { .. }));
            assert!(can_draft || is_late, "a bill of nothing, or beside another");
        }
        world.check();
        if heard.is_some() {
            // B10: what an effect came to may be said twice.
            let again = world.hears(&ask, now).unwrap_or_default();
            assert!(again.is_empty(), "{ask:?} was done twice: {again:?}");
            let woken = world.hears(&Ask::Wake, now);
            assert!(matches!(ask, Ask::Report(..)) || woken == Some(vec![]), "woken at {now:?}: {woken:?}");
        }
    }
    world.desk
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_life_agrees_with_a_book_that_is_kept_otherwise(turns in turns()) {
        let desk = live(&turns);
        prop_assert_eq!(desk.life.replayed(), Ok(desk.life.state));
    }
}

#[test]
fn lives_by_chance_come_through_all_that_can_happen_at_one_shard() {
    let lives = rehearsal::by_chance(turns(), 120).map(|turns| live(&turns));
    let mut seen = std::collections::BTreeMap::new();
    for desk in lives {
        for (_, event) in &desk.life.journal {
            *seen.entry(Meter::told(event).split(':').next().unwrap().to_owned()).or_insert(0) += 1;
        }
    }
    let kinds: std::collections::BTreeSet<_> =
        seen.keys().map(|word| word.split('(').next().unwrap()).collect();
    // Three are of shards.
    assert_eq!(kinds.len(), Meter::FACTS - 3, "{kinds:?}");
    assert!(seen.keys().any(|word| word.starts_with("Reversed(of #")), "{seen:?}");
}
