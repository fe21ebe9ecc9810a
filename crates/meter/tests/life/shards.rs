//! Shards beside one meter that hears the same (B11).

use meter::{Fact, Gate, Handed, Line, Open, Outcome, Part, Refusal, SettlementState, quote};
use primitives::UnixMillis;
use proptest::prelude::*;

use crate::cast::*;
use crate::desk::{Ask, Desk};
use crate::laws::event;

const SHARDS: usize = 3;

#[derive(Debug, Clone)]
enum Turn {
    Use(usize),
    Reverse(usize),
    /// Somebody is about to settle and goes away.
    HandOver,
    /// A reversal comes in between.
    Settle(Option<usize>),
    Void,
    Pay,
    Fail,
    /// Credits arrive at the first shard, twice.
    Deliver,
}

fn turns(has_interruptions: bool) -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        10 => (0_usize..60).prop_map(Turn::Use),
        5 => (0_usize..60).prop_map(Turn::Reverse),
        3 => Just(if has_interruptions { Turn::HandOver } else { Turn::Deliver }),
        4 => prop::option::of(0_usize..60).prop_map(Turn::Settle),
        1 => Just(Turn::Void),
        3 => Just(Turn::Pay),
        2 => Just(Turn::Fail),
        3 => Just(Turn::Deliver),
    ];
    prop::collection::vec(turn, 1..80)
}

/// A meter of several shards, and one of a single.
struct Both {
    shards: Vec<Desk>,
    one: Desk,
    bills: usize,
    is_prompt: bool,
    is_flat: bool,
}

const fn at() -> UnixMillis {
    START
}

impl Both {
    fn new(is_prompt: bool, is_flat: bool) -> Self {
        let mut shards: Vec<Desk> = (0..SHARDS)
            .map(|shard| Desk::new(u8::try_from(shard).unwrap(), u8::try_from(SHARDS).unwrap()))
            .collect();
        shards[0].hears(&Ask::Begin, at()).unwrap();
        Self { shards, one: Desk::new(0, 1), bills: 0, is_prompt, is_flat }
    }

    fn event(&self, number: usize) -> meter::Item {
        let item = event(number, true, at());
        if self.is_flat { meter::Item { price: Some(price(1)), ..item } } else { item }
    }

    fn hears(&mut self, turn: &Turn) {
        match turn {
            Turn::Use(number) => {
                let ask = Ask::Record(vec![self.event(*number)], Gate::Postpaid);
                self.shards[number % SHARDS].hears(&ask, at()).unwrap();
                self.one.hears(&ask, at()).unwrap();
            }
            Turn::Reverse(number) => self.reverse(*number),
            Turn::HandOver => drop(self.hand_over()),
            Turn::Settle(reversal) => self.settle(*reversal),
            Turn::Void => self.end(|word| Ask::Void(word.to_owned())),
            Turn::Pay => self.pay(&Outcome::Paid { proof: "proof".to_owned() }),
            Turn::Fail => self.pay(&Outcome::Failed { code: "no".to_owned(), reason: "No.".to_owned() }),
            Turn::Deliver => self.deliver(),
        }
        if self.is_prompt {
            self.deliver();
        }
    }

    fn reverse(&mut self, number: usize) {
        let ask = Ask::Reverse { word: format!("r{number}"), of: format!("e{number}") };
        let sharded = self.shards[number % SHARDS].hears(&ask, at()).map(|_| ());
        assert_eq!(sharded, self.one.hears(&ask, at()).map(|_| ()), "{number}");
    }

    /// What a shard owes is told to the first one, and told again.
    fn deliver(&mut self) {
        let owed: Vec<Ask> =
            self.shards.iter_mut().flat_map(|shard| core::mem::take(&mut shard.owed)).collect();
        for credit in owed {
            self.shards[0].hears(&credit, at()).unwrap();
            assert_eq!(self.shards[0].hears(&credit, at()), Ok(vec![]), "a credit counted twice");
        }
    }

    fn hand_over(&mut self) -> Vec<Part> {
        let round = self.shards[0].life.state.book().unwrap().round + 1;
        let hand = |shard: &mut Desk| {
            shard.hears(&Ask::HandOver(round), at()).unwrap();
            assert_eq!(shard.hears(&Ask::HandOver(round), at()), Ok(vec![]), "handed over twice");
            let handed: Handed = shard.life.state.book().unwrap().handed.clone().unwrap();
            Part { shard: shard.shard, handed }
        };
        self.shards[1..].iter_mut().map(hand).collect()
    }

    fn settle(&mut self, reversal: Option<usize>) {
        let word = format!("b{}", self.bills);
        self.bills += 1;
        if self.shards[0].life.state.book().unwrap().bill().is_some() {
            let single = self.one.hears(&Ask::Draft(word, vec![]), at());
            assert!(!self.is_prompt || single == Err(Refusal::SettlementOpen));
            return;
        }
        let parts = self.hand_over();
        if let Some(number) = reversal {
            self.reverse(number);
            if self.is_prompt {
                self.deliver();
            }
        }
        let sharded = self.shards[0].hears(&Ask::Draft(word.clone(), parts.clone()), at()).map(|_| ());
        if sharded == Err(Refusal::NothingToSettle) {
            self.shards[0].hears(&Ask::Pass(parts), at()).unwrap();
        }
        let single = self.one.hears(&Ask::Draft(word, vec![]), at());
        if self.is_prompt {
            assert_eq!(
                sharded,
                single.map(|_| ()).map_err(|refusal| if refusal == Refusal::NothingUsed {
                    Refusal::NothingToSettle
                } else {
                    refusal
                })
            );
        }
    }

    fn end(&mut self, ask: impl Fn(&str) -> Ask) {
        for desk in [&mut self.shards[0], &mut self.one] {
            let words = (0..self.bills).map(|number| format!("b{number}"));
            let Some(pending) = desk.life.state.book().and_then(meter::Book::bill).cloned() else { continue };
            let word = words.into_iter().find(|word| bill(word) == pending.id).unwrap();
            desk.hears(&ask(&word), at()).unwrap();
        }
    }

    fn pay(&mut self, outcome: &Outcome) {
        self.end(|word| Ask::Submit(word.to_owned(), means("mandate")));
        self.end(|word| Ask::Report(word.to_owned(), means("mandate"), outcome.clone()));
    }

    /// What the other shards have open, and have handed over in a round that is not taken.
    fn others(&self) -> Vec<Open> {
        let round = self.shards[0].life.state.book().unwrap().round;
        let books = self.shards[1..].iter().filter_map(|shard| shard.life.state.book());
        let open = books.flat_map(|book| {
            let untaken = book.handed.iter().filter(|handed| handed.round > round);
            book.open.values().chain(untaken.flat_map(|handed| &handed.open))
        });
        open.cloned().collect()
    }

    fn check(&self) {
        let sharded = quote(&self.shards[0].life.state, &self.others()).unwrap();
        let single = quote(&self.one.life.state, &[]).unwrap();
        let said = |lines: &[Line]| {
            let said =
                lines.iter().map(|line| (line.version, line.quantity, line.events, line.exact, line.amount));
            said.collect::<Vec<_>>()
        };
        assert_eq!(said(&sharded.lines), said(&single.lines));
        assert_eq!((sharded.amount, sharded.carried_out), (single.amount, single.carried_out));
        assert_eq!(self.documents(0), self.documents(1));
    }

    /// Bills as far as both are to say the same.
    fn documents(&self, which: usize) -> Vec<(u128, i128, i128, usize)> {
        let desk = if which == 0 { &self.shards[0] } else { &self.one };
        let documents = desk.settlements.values();
        documents.map(|it| (it.amount.0, it.carried_in.0, it.carried_out.0, it.lines.len())).collect()
    }

    /// What was paid in the end, once all is settled.
    fn paid(&mut self) -> [i128; 2] {
        self.deliver();
        for _ in 0..3 {
            self.pay(&Outcome::Paid { proof: "proof".to_owned() });
            self.settle(None);
        }
        let paid = |desk: &Desk| {
            let book = desk.life.state.book();
            book.map_or((0, 0), |book| (book.totals.paid.0, book.carry.0))
        };
        // What was credited after it was paid is carried.
        let whole =
            |(paid, carry): (u128, i128)| i128::try_from(paid).unwrap() * 1_000_000_000_000_000 + carry;
        [whole(paid(&self.shards[0])), whole(paid(&self.one))]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn shards_bill_what_one_meter_bills(turns in turns(false)) {
        let mut both = Both::new(true, false);
        for turn in &turns {
            both.hears(turn);
            both.check();
        }
    }

    #[test]
    fn however_late_credits_come_and_whoever_goes_away_in_between_the_same_is_paid_in_the_end(turns in turns(true)) {
        let mut both = Both::new(false, true);
        turns.iter().for_each(|turn| both.hears(turn));
        let [shards, one] = both.paid();
        prop_assert_eq!(shards, one);
        for shard in &both.shards {
            prop_assert_eq!(shard.life.replayed(), Ok(shard.life.state.clone()));
        }
        let books: Vec<_> = both.shards.iter().filter_map(|shard| shard.life.state.book()).collect();
        let all: u128 = books.iter().map(|book| book.totals.recorded.0).sum();
        let gone: u128 = books.iter().map(|book| book.totals.reversed.0).sum();
        let untaken: u128 = books[1..].iter().map(|book| book.totals.handed_over.0).sum::<u128>() - books[0].totals.taken_over.0;
        let totals = &books[0].totals;
        prop_assert_eq!(all, totals.settled.0 + gone + untaken);
        let taken_back: u128 = books.iter().map(|book| book.totals.taken_back.0).sum();
        let single = both.one.life.state.book().map_or(0, |book| book.totals.taken_back.0);
        prop_assert_eq!(taken_back, single);
    }
}

#[test]
fn what_was_handed_over_while_there_was_nothing_to_settle_does_not_keep_the_next_usage_back() {
    let mut both = Both::new(true, false);
    both.hears(&Turn::Settle(None));
    both.hears(&Turn::Use(1));
    both.hears(&Turn::Settle(None));
    both.check();
    let drafted =
        both.shards[0].life.journal.iter().any(|(_, event)| matches!(event.fact, Fact::Drafted { .. }));
    assert!(drafted);
    let settlement = &both.shards[0].settlements[&1];
    assert!(matches!(settlement.state, SettlementState::Verified { .. } | SettlementState::Drafted { .. }));
}

#[test]
fn a_round_is_taken_whole_or_not_at_all() {
    let mut both = Both::new(true, false);
    (0..6).for_each(|number| both.hears(&Turn::Use(number)));
    let parts = both.hand_over();
    let first = &mut both.shards[0];
    let short = Ask::Draft("b".to_owned(), parts[..1].to_vec());
    assert_eq!(first.hears(&short, at()), Err(Refusal::WrongRound));
    let twice = Ask::Draft("b".to_owned(), vec![parts[0].clone(), parts[0].clone()]);
    assert_eq!(first.hears(&twice, at()), Err(Refusal::WrongRound));
    first.hears(&Ask::Draft("b".to_owned(), parts.clone()), at()).unwrap();
    first.hears(&Ask::Void("b".to_owned()), at()).unwrap();
    assert_eq!(first.hears(&Ask::Draft("c".to_owned(), parts), at()), Err(Refusal::WrongRound));
}
