//! How each event moves the state.

use std::collections::BTreeMap;

use primitives::{BaseUnits, ReservationId, UnixMillis};
use tariff::{Exact, Quantity, Version};

use crate::rate::{ByVersion, put, sum, take};
use crate::{
    Adjustment, Book, Corrupt, Credited, Event, Fact, Handed, Open, Part, Place, Recorded, Reservation,
    ReservationState, Settlement, SettlementState, State, Subject, Totals, bill,
};

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(state: State, event: &Event) -> Result<State, Corrupt> {
    let at = event.at;
    let corrupt = Corrupt { at, state: state.name() };
    let next = match state {
        State::Unused => begun(&event.fact, at),
        State::Used(mut book) => book.take(&event.fact, at).map(|()| book),
    };
    next.map(State::Used).ok_or(corrupt)
}

fn begun(fact: &Fact, at: UnixMillis) -> Option<Box<Book>> {
    let Fact::Begun { subject } = fact else { return None };
    Some(Box::new(Book::new(subject.clone(), at)))
}

impl Book {
    pub(crate) fn new(subject: Subject, at: UnixMillis) -> Self {
        Self {
            subject,
            since: at,
            last_at: at,
            open: ByVersion::new(),
            handed: None,
            round: 0,
            early: BTreeMap::new(),
            adjustments: Vec::new(),
            carry: Exact::ZERO,
            pending: BTreeMap::new(),
            reservations: BTreeMap::new(),
            number: 0,
            totals: Totals::default(),
        }
    }

    /// Lets a fact happen; nothing when it cannot.
    pub(crate) fn take(&mut self, fact: &Fact, at: UnixMillis) -> Option<()> {
        match fact {
            Fact::Begun { .. } => None,
            Fact::Recorded { items, prices } => self.recorded(items, prices, at),
            Fact::Reversed { quantity, version, place, .. } => {
                add(&mut self.totals.taken_back, *quantity)?;
                self.taken_back(*version, *quantity, place)
            }
            Fact::Credited { quantity, version, place, .. } => self.taken_back(*version, *quantity, place),
            Fact::HandedOver { handed } => self.handed_over(handed),
            Fact::RoundPassed => {
                self.early.clear();
                self.next_round()
            }
            Fact::Drafted { settlement, parts } => self.drafted(settlement, parts),
            Fact::WrittenOff { settlement, parts } => {
                let written_off = sum(settlement.lines.iter().map(|line| line.quantity)).ok()?;
                add(&mut self.totals.written_off, written_off)?;
                self.closed(settlement, parts)
            }
            Fact::Submitted { .. }
            | Fact::Looked { .. }
            | Fact::Reported { .. }
            | Fact::Voided { .. }
            | Fact::DraftExpired { .. } => {
                let settlement = bill::moved(self, fact, at)?;
                self.pending.remove(&settlement.number)?;
                self.file(settlement)
            }
            Fact::Reserved { reservation } => {
                let before = self.reservations.insert(reservation.id.clone(), (**reservation).clone());
                before.is_none().then_some(())
            }
            Fact::Held { id } => {
                self.reservations.get_mut(id)?.state = ReservationState::Held;
                Some(())
            }
            Fact::HoldRefused { id, .. } | Fact::Released { id } | Fact::ReservationExpired { id } => {
                self.reservations.remove(id).map(|_| ())
            }
            Fact::Committed { id, item, settlement } => self.committed(id, item, settlement, at),
        }
    }

    fn recorded(&mut self, items: &[Recorded], prices: &[Version], received_at: UnixMillis) -> Option<()> {
        let pricings: BTreeMap<_, _> = prices.iter().map(|price| (price.number, &price.pricing)).collect();
        for item in items {
            let Recorded { at, quantity, version, .. } = item;
            match self.open.get_mut(version) {
                Some(open) => {
                    open.quantity = open.quantity.plus(*quantity)?;
                    open.events = open.events.checked_add(1)?;
                    (open.from, open.to) = (open.from.min(*at), open.to.max(*at));
                }
                None => {
                    let pricing = (*pricings.get(version)?).clone();
                    let (version, quantity, from, to) = (*version, *quantity, *at, *at);
                    let open = Open { version, pricing, quantity, events: 1, from, to };
                    self.open.insert(version, open);
                }
            }
            self.count(*quantity)?;
        }
        self.last_at = received_at;
        Some(())
    }

    fn count(&mut self, quantity: Quantity) -> Option<()> {
        self.totals.events = self.totals.events.checked_add(1)?;
        add(&mut self.totals.recorded, quantity)
    }

    fn taken_back(&mut self, version: u32, quantity: Quantity, place: &Place) -> Option<()> {
        let taken = Credited { quantity, events: 1 };
        match place {
            Place::Open => {
                take(&mut self.open, version, taken)?;
                add(&mut self.totals.reversed, quantity)
            }
            Place::HandedOver { .. } => add(&mut self.totals.credited, quantity),
            Place::Untaken => {
                let early = self.early.entry(version).or_default();
                early.events = early.events.checked_add(1)?;
                add(&mut early.quantity, quantity)
            }
            Place::Settled { settlement, adjustment } => {
                if let Some(adjustment) = adjustment {
                    self.adjust(adjustment)?;
                }
                let total = match self.pending.get_mut(&settlement.number) {
                    Some(pending) => {
                        pending.clone_from(settlement);
                        &mut self.totals.reversed
                    }
                    None => &mut self.totals.credited,
                };
                add(total, quantity)
            }
        }
    }

    /// Has an adjustment wait for the next bill.
    fn adjust(&mut self, adjustment: &Adjustment) -> Option<()> {
        match self.adjustments.iter_mut().find(|known| known.is_of(adjustment)) {
            Some(known) => {
                known.exact = known.exact.plus(adjustment.exact).ok()?;
                add(&mut known.quantity, adjustment.quantity)
            }
            None => {
                self.adjustments.push(adjustment.clone());
                Some(())
            }
        }
    }

    fn handed_over(&mut self, handed: &Handed) -> Option<()> {
        let is_next = self.handed.as_ref().is_none_or(|last| last.round < handed.round);
        let quantity = sum(handed.open.iter().map(|open| open.quantity)).ok()?;
        add(&mut self.totals.handed_over, quantity)?;
        self.open.clear();
        self.handed = Some(handed.clone());
        is_next.then_some(())
    }

    fn next_round(&mut self) -> Option<()> {
        self.round = self.round.checked_add(1)?;
        Some(())
    }

    fn drafted(&mut self, settlement: &Settlement, parts: &[Part]) -> Option<()> {
        self.closed(settlement, parts)?;
        for adjustment in &settlement.adjustments {
            let place = self.adjustments.iter().position(|known| known == adjustment)?;
            self.adjustments.remove(place);
        }
        self.carry = settlement.carried_out;
        self.file(settlement.clone())
    }

    /// All that is open, and the shards' parts, are in a settlement.
    fn closed(&mut self, settlement: &Settlement, parts: &[Part]) -> Option<()> {
        let given = sum(parts.iter().flat_map(|part| &part.handed.open).map(|open| open.quantity)).ok()?;
        let early = sum(self.early.values().map(|early| early.quantity)).ok()?;
        add(&mut self.totals.taken_over, given.minus(early)?)?;
        self.open.clear();
        self.early.clear();
        self.next_round()?;
        self.numbered(settlement)
    }

    fn numbered(&mut self, settlement: &Settlement) -> Option<()> {
        let is_next = self.number.checked_add(1) == Some(settlement.number);
        self.number = settlement.number;
        is_next.then_some(())
    }

    /// Keeps a settlement as long as it is pending, and does what its end brings.
    fn file(&mut self, settlement: Settlement) -> Option<()> {
        match settlement.state {
            SettlementState::Drafted { .. } | SettlementState::Submitted { .. } => {
                self.pending.insert(settlement.number, settlement).is_none().then_some(())
            }
            SettlementState::Verified { .. } => {
                let BaseUnits(paid) = self.totals.paid;
                self.totals.paid = BaseUnits(paid.checked_add(settlement.amount.0)?);
                add(&mut self.totals.settled, settlement.rest()?)
            }
            SettlementState::Failed { .. } => self.reopen(settlement),
            SettlementState::WrittenOff { .. } => None,
        }
    }

    /// What was in a settlement that is not paid is open again, once: it is pending no more (B5).
    fn reopen(&mut self, settlement: Settlement) -> Option<()> {
        for line in settlement.lines {
            let quantity = line.quantity.minus(line.credited.quantity)?;
            let events = line.events.checked_sub(line.credited.events)?;
            let (version, pricing, from, to) = (line.version, line.pricing, line.from, line.to);
            put(&mut self.open, &Open { version, pricing, quantity, events, from, to }).ok()?;
        }
        // What was taken back of it is not in what is open again.
        self.adjustments.retain(|adjustment| adjustment.settlement != settlement.number);
        settlement.adjustments.iter().try_for_each(|adjustment| self.adjust(adjustment))?;
        let carried = settlement.carried_in.minus(settlement.carried_out).ok()?;
        self.carry = self.carry.plus(carried).ok()?;
        Some(())
    }

    fn committed(
        &mut self,
        id: &ReservationId,
        item: &Recorded,
        settlement: &Settlement,
        at: UnixMillis,
    ) -> Option<()> {
        let Reservation { state: ReservationState::Held, .. } = self.reservations.remove(id)? else {
            return None;
        };
        self.count(item.quantity)?;
        self.last_at = at;
        self.numbered(settlement)?;
        self.carry = settlement.carried_out;
        self.file(settlement.clone())
    }
}

fn add(total: &mut Quantity, more: Quantity) -> Option<()> {
    *total = total.plus(more)?;
    Some(())
}
