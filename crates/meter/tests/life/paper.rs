//! A second book, kept otherwise: a flat list of every event with where it is, and each amount worked out anew from it.
//! It shares no arithmetic with the core: prices stand here as formulas.

use std::collections::BTreeMap;

use meter::{
    Event, EventKey, Fact, Line, Outcome, Place, Quote, Recorded, Settlement, SettlementState, State, quote,
};

/// Where an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Open,
    Bill(u64),
    WrittenOff,
    Gone,
}

#[derive(Debug, Clone)]
struct Entry {
    key: EventKey,
    quantity: u128,
    version: u32,
    at: At,
    credited: bool,
}

#[derive(Debug, Clone)]
struct Credit {
    bill: u64,
    exact: i128,
    taken_by: Option<u64>,
}

#[derive(Debug, Clone)]
struct Bill {
    carry_before: i128,
    carry_after: i128,
    amount: u128,
    is_paid: bool,
    /// What reservations pay never has another number than its own, and is not in the way of a bill.
    is_bill: bool,
}

/// The book.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paper {
    entries: Vec<Entry>,
    credits: Vec<Credit>,
    bills: BTreeMap<u64, Bill>,
    /// Bills that wait for their payment.
    pending: Vec<u64>,
    carry: i128,
    paid: u128,
}

const UNIT: u128 = 1_000_000;
const PER_BASE_UNIT: i128 = 1_000_000_000_000_000;

/// What a quantity costs in 10^-15 of a base unit.
pub(crate) fn cost(version: u32, quantity: u128) -> i128 {
    let cost = match version {
        1 => quantity * 400_000_000,
        2 => {
            let first = quantity.min(10 * UNIT);
            let second = quantity.min(100 * UNIT) - first;
            first * 1_000_000_000 + second * 500_000_000 + (quantity - first - second) * 250_000_000
        }
        3 if quantity <= 10 * UNIT => quantity * 1_000_000_000,
        3 if quantity <= 100 * UNIT => quantity * 700_000_000,
        3 => quantity * 1_300_000_000,
        _ => 0,
    };
    i128::try_from(cost).unwrap()
}

/// Whole base units of an exact amount, and what is left; nothing is due of less than nothing.
fn floor(exact: i128) -> (u128, i128) {
    if exact <= 0 {
        return (0, exact);
    }
    (u128::try_from(exact / PER_BASE_UNIT).unwrap(), exact % PER_BASE_UNIT)
}

impl Paper {
    fn sums(&self, at: At) -> BTreeMap<u32, u128> {
        let mut sums = BTreeMap::new();
        for entry in self.entries.iter().filter(|entry| entry.at == at && !entry.credited) {
            *sums.entry(entry.version).or_default() += entry.quantity;
        }
        sums
    }

    fn ripe(&self) -> impl Iterator<Item = &Credit> {
        self.credits.iter().filter(|credit| credit.taken_by.is_none() && !self.pending.contains(&credit.bill))
    }

    /// What a bill would come to: the whole rounded once, which is the same as line by line with what is left carried on.
    fn due(&self) -> (u128, i128) {
        let open: i128 = self.sums(At::Open).iter().map(|(version, sum)| cost(*version, *sum)).sum();
        floor(self.carry - self.ripe().map(|credit| credit.exact).sum::<i128>() + open)
    }

    /// Whether a bill can be drawn up.
    pub(crate) fn can_draft(&self) -> bool {
        let is_pending = self.pending.iter().any(|number| self.bills[number].is_bill);
        !is_pending && (!self.sums(At::Open).is_empty() || self.ripe().next().is_some())
    }

    fn entry(&mut self, key: &EventKey) -> &mut Entry {
        self.entries.iter_mut().find(|entry| entry.key == *key).unwrap()
    }

    fn add(&mut self, item: &Recorded, at: At) {
        let (key, quantity, version) = (item.key.clone(), item.quantity.0, item.version);
        assert!(self.entries.iter().all(|entry| entry.key != key), "counted twice: {key:?}");
        self.entries.push(Entry { key, quantity, version, at, credited: false });
    }

    /// Follows what has happened.
    pub(crate) fn follow(&mut self, event: &Event) {
        match &event.fact {
            Fact::Recorded { items, .. } => items.iter().for_each(|item| self.add(item, At::Open)),
            Fact::Reversed { of, place, .. } => self.reversed(of, place),
            Fact::Drafted { settlement, .. } => self.drafted(settlement),
            Fact::WrittenOff { settlement, .. } => {
                check_lines(&settlement.lines, &self.sums(At::Open));
                assert_eq!(settlement.amount.0, 0);
                self.move_all(At::Open, At::WrittenOff);
            }
            Fact::Reported { number, outcome: Outcome::Paid { .. } } => self.close(*number, true),
            Fact::Reported { number, outcome: Outcome::Failed { .. } }
            | Fact::Voided { number }
            | Fact::DraftExpired { number } => self.close(*number, false),
            Fact::Committed { item, settlement, .. } => self.committed(item, settlement),
            Fact::Begun { .. }
            | Fact::Credited { .. }
            | Fact::HandedOver { .. }
            | Fact::RoundPassed
            | Fact::Submitted { .. }
            | Fact::Looked { .. }
            | Fact::Reported { .. }
            | Fact::Reserved { .. }
            | Fact::Held { .. }
            | Fact::HoldRefused { .. }
            | Fact::Released { .. }
            | Fact::ReservationExpired { .. } => {}
        }
    }

    fn move_all(&mut self, from: At, to: At) {
        self.entries.iter_mut().filter(|entry| entry.at == from && !entry.credited).for_each(|entry| {
            entry.at = to;
        });
    }

    fn reversed(&mut self, of: &EventKey, place: &Place) {
        let Entry { at, version, quantity, credited, .. } = self.entry(of).clone();
        assert!(!credited && at != At::Gone, "taken back twice: {of:?}");
        match at {
            At::Open => {
                assert_eq!(*place, Place::Open);
                self.entry(of).at = At::Gone;
            }
            At::Bill(bill) => {
                let before = self.sums(At::Bill(bill))[&version];
                let exact = cost(version, before) - cost(version, before - quantity);
                self.credits.push(Credit { bill, exact, taken_by: None });
                self.entry(of).credited = true;
            }
            At::WrittenOff => self.entry(of).credited = true,
            At::Gone => panic!("gone before"),
        }
    }

    fn drafted(&mut self, settlement: &Settlement) {
        assert!(self.can_draft());
        let (amount, carry) = self.due();
        check_lines(&settlement.lines, &self.sums(At::Open));
        assert_eq!((settlement.amount.0, settlement.carried_out.0), (amount, carry));
        let ripe: Vec<u64> = self.ripe().map(|credit| credit.bill).collect();
        for credit in self.credits.iter_mut().filter(|credit| credit.taken_by.is_none()) {
            credit.taken_by = ripe.contains(&credit.bill).then_some(settlement.number);
        }
        self.billed(settlement, amount, carry, true);
        self.move_all(At::Open, At::Bill(settlement.number));
    }

    fn billed(&mut self, settlement: &Settlement, amount: u128, carry_after: i128, is_bill: bool) {
        let carry_before = core::mem::replace(&mut self.carry, carry_after);
        let bill = Bill { carry_before, carry_after, amount, is_paid: false, is_bill };
        assert_eq!(settlement.number, self.number() + 1);
        self.bills.insert(settlement.number, bill);
        self.pending.push(settlement.number);
        if amount == 0 {
            assert!(matches!(settlement.state, SettlementState::Verified { .. }));
            self.close(settlement.number, true);
        }
    }

    /// The number of the last settlement; what is written off has one too, and nothing else to say here.
    fn number(&self) -> u64 {
        self.bills.keys().last().copied().unwrap_or(0)
    }

    /// Write-offs are counted among the settlements.
    pub(crate) fn skip(&mut self, number: u64) {
        let bill = Bill { carry_before: 0, carry_after: 0, amount: 0, is_paid: true, is_bill: false };
        self.bills.insert(number, bill);
    }

    fn committed(&mut self, item: &Recorded, settlement: &Settlement) {
        let exact = cost(item.version, item.quantity.0);
        let (due, left) = floor(exact + self.carry);
        let amount = settlement.amount.0;
        assert!(amount <= due);
        self.add(item, At::Bill(settlement.number));
        let above = i128::try_from(due - amount).unwrap() * PER_BASE_UNIT;
        self.billed(settlement, amount, left + above, false);
    }

    fn close(&mut self, number: u64, is_paid: bool) {
        self.pending.retain(|pending| *pending != number);
        let bill = self.bills.get_mut(&number).unwrap();
        bill.is_paid = is_paid;
        if is_paid {
            self.paid += bill.amount;
            return;
        }
        self.carry += bill.carry_before - bill.carry_after;
        self.credits.retain(|credit| credit.bill != number);
        for credit in self.credits.iter_mut().filter(|credit| credit.taken_by == Some(number)) {
            credit.taken_by = None;
        }
        for entry in self.entries.iter_mut().filter(|entry| entry.at == At::Bill(number)) {
            entry.at = if entry.credited { At::Gone } else { At::Open };
            entry.credited = false;
        }
    }

    /// Compares the core's state with this book.
    pub(crate) fn check(&self, state: &State) {
        let (amount, carry) = self.due();
        let Quote { lines, amount: quoted, carried_out, .. } = quote(state, &[]).unwrap();
        check_lines(&lines, &self.sums(At::Open));
        assert_eq!((quoted.0, carried_out.0), (amount, carry));
        let Some(book) = state.book() else { return };
        assert_eq!(book.carry.0, self.carry);
        assert_eq!(book.totals.paid.0, self.paid);
        assert_eq!(book.pending.keys().copied().collect::<Vec<_>>(), sorted(&self.pending));
        let all: u128 = self.entries.iter().map(|entry| entry.quantity).sum();
        assert_eq!((book.totals.recorded.0, book.totals.events), (all, self.entries.len() as u64));
        self.conserves();
    }

    /// What was billed and what is carried is what the usage costs, without what was credited.
    fn conserves(&self) {
        let mut costs = 0;
        let mut amounts = 0;
        for (number, bill) in &self.bills {
            if bill.is_paid || self.pending.contains(number) {
                amounts += i128::try_from(bill.amount).unwrap() * PER_BASE_UNIT;
                let mut sums: BTreeMap<u32, u128> = BTreeMap::new();
                for entry in self.entries.iter().filter(|entry| entry.at == At::Bill(*number)) {
                    *sums.entry(entry.version).or_default() += entry.quantity;
                }
                costs += sums.into_iter().map(|(version, sum)| cost(version, sum)).sum::<i128>();
            }
        }
        let taken = self.credits.iter().filter(|credit| credit.taken_by.is_some());
        assert_eq!(amounts + self.carry, costs - taken.map(|credit| credit.exact).sum::<i128>());
    }
}

fn sorted(numbers: &[u64]) -> Vec<u64> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers
}

fn check_lines(lines: &[Line], sums: &BTreeMap<u32, u128>) {
    let said: Vec<_> = lines.iter().map(|line| (line.version, line.quantity.0)).collect();
    assert_eq!(said, sums.iter().map(|(version, sum)| (*version, *sum)).collect::<Vec<_>>());
    for line in lines {
        assert_eq!(line.exact.0, cost(line.version, line.quantity.0));
    }
}
