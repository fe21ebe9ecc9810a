//! Recording usage and taking it back.

use std::collections::{BTreeMap, BTreeSet};

use primitives::{Digest, UnixMillis};
use tariff::{Exact, Quantity, TooLarge, Version};

use crate::{
    Adjustment, Book, Credit, EventKey, Fact, Gate, Item, Known, Original, Place, Recorded, Refusal,
    Reversal, Settlement, SettlementState, Source, State, Subject, Verdict, Window, limits,
};

/// What becomes of each event of a bulk, in its order, if it is recorded at `now` (B1, B2, B3). Each is judged as if those
/// before it had been recorded one by one.
pub fn verdicts(
    state: &State,
    subject: &Subject,
    items: &[Item],
    window: Window,
    gate: Gate,
    now: UnixMillis,
) -> Vec<Verdict> {
    judged(state.book(), subject, items, window, gate, now)
}

fn judged(
    book: Option<&Book>,
    subject: &Subject,
    items: &[Item],
    window: Window,
    gate: Gate,
    now: UnixMillis,
) -> Vec<Verdict> {
    if items.len() > limits::BULK {
        return items.iter().map(|_| Verdict::Refused(Refusal::BulkTooLarge)).collect();
    }
    let subject = book.map_or(subject, |book| &book.subject);
    let mut judge = Judge::new(book, subject, window, gate, now);
    items.iter().map(|item| judge.verdict(item).unwrap_or_else(Verdict::Refused)).collect()
}

/// The events of a bulk that count, as one fact; nothing when none does.
pub(crate) fn record(
    book: &Book,
    items: Vec<Item>,
    window: Window,
    gate: Gate,
    now: UnixMillis,
) -> Result<Option<Fact>, Refusal> {
    if items.len() > limits::BULK {
        return Err(Refusal::BulkTooLarge);
    }
    let verdicts = judged(Some(book), &book.subject, &items, window, gate, now);
    let mut prices: Vec<Version> = Vec::new();
    let mut recorded = Vec::with_capacity(items.len());
    for (item, verdict) in items.into_iter().zip(verdicts) {
        let (Verdict::Recorded { version }, Some(price)) = (verdict, item.price) else { continue };
        if !book.open.contains_key(&version) && !prices.iter().any(|known| known.number == version) {
            prices.push(price);
        }
        let Item { key, fingerprint, at, quantity, .. } = item;
        recorded.push(Recorded { key, fingerprint, at, quantity, version });
    }
    Ok((!recorded.is_empty()).then_some(Fact::Recorded { items: recorded, prices }))
}

/// Judges the events of one bulk, one after the other.
struct Judge<'a> {
    subject: &'a Subject,
    window: Window,
    gate: Gate,
    now: UnixMillis,
    /// What counts of this bulk.
    seen: BTreeMap<&'a EventKey, &'a Digest>,
    /// Prices of open and pending usage.
    versions: BTreeSet<u32>,
    /// What all of it comes to by the dearest tiers.
    ceiling: Result<Exact, TooLarge>,
}

impl<'a> Judge<'a> {
    fn new(book: Option<&Book>, subject: &'a Subject, window: Window, gate: Gate, now: UnixMillis) -> Self {
        let versions = book.map(Book::versions).unwrap_or_default();
        let ceiling = book.map_or(Ok(Exact::ZERO), Book::ceiling);
        Self { subject, window, gate, now, seen: BTreeMap::new(), versions, ceiling }
    }

    fn verdict(&mut self, item: &'a Item) -> Result<Verdict, Refusal> {
        match (item.known, self.seen.get(&item.key)) {
            (Known::Same, _) => return Ok(Verdict::Duplicate),
            (Known::Fresh, Some(fingerprint)) if **fingerprint == item.fingerprint => {
                return Ok(Verdict::Duplicate);
            }
            (Known::Other, _) | (Known::Fresh, Some(_)) => return Err(Refusal::EventConflict),
            (Known::Fresh, None) => {}
        }
        match self.gate {
            Gate::Prepaid => return Err(Refusal::ReservationRequired),
            Gate::Postpaid => {}
        }
        check_quantity(item.quantity, self.subject)?;
        check_time(item.at, self.window, self.now)?;
        let price = item.price.as_ref().ok_or(Refusal::BeforeService)?;
        if !self.versions.contains(&price.number) && self.versions.len() >= limits::OPEN_VERSIONS {
            return Err(Refusal::TooManyPrices);
        }
        self.ceiling = Ok(counted(self.ceiling, price, item.quantity)?);
        self.versions.insert(price.number);
        self.seen.insert(&item.key, &item.fingerprint);
        Ok(Verdict::Recorded { version: price.number })
    }
}

impl Book {
    /// The prices of open, pending and reserved usage.
    pub(crate) fn versions(&self) -> BTreeSet<u32> {
        let lines = self.pending.values().flat_map(|settlement| &settlement.lines);
        let reserved = self.reservations.values().map(|reservation| reservation.price.number);
        self.open.keys().copied().chain(lines.map(|line| line.version)).chain(reserved).collect()
    }

    /// How many adjustments wait, or come back if a bill fails.
    fn waiting(&self) -> usize {
        let pending = self.pending.values().map(|settlement| settlement.adjustments.len());
        pending.fold(self.adjustments.len(), usize::saturating_add)
    }
}

/// What usage comes to by the dearest tiers, with so much more at this price (B7).
pub(crate) fn counted(
    ceiling: Result<Exact, TooLarge>,
    price: &Version,
    quantity: Quantity,
) -> Result<Exact, Refusal> {
    let more = price.pricing.ceiling(quantity);
    let sum = ceiling.and_then(|ceiling| ceiling.plus(more?)).ok();
    sum.filter(|sum| *sum <= limits::AMOUNT).ok_or(Refusal::AmountTooLarge)
}

pub(crate) fn check_quantity(quantity: Quantity, subject: &Subject) -> Result<(), Refusal> {
    if quantity == Quantity::ZERO {
        return Err(Refusal::QuantityZero);
    }
    if quantity > Quantity::whole(limits::EVENT_UNITS) {
        return Err(Refusal::QuantityTooLarge);
    }
    if !subject.scale.fits(quantity) {
        return Err(Refusal::QuantityTooFine { digits: subject.scale.digits() });
    }
    Ok(())
}

/// A window includes both of its ends.
pub(crate) fn check_time(at: UnixMillis, window: Window, now: UnixMillis) -> Result<(), Refusal> {
    if at > now.plus(limits::EARLY) {
        return Err(Refusal::TooEarly);
    }
    if at < now.minus(window.late.min(limits::LATE_MAX)) {
        return Err(Refusal::TooLate);
    }
    Ok(())
}

/// An event that takes back another one. The same again changes nothing.
pub(crate) fn reverse(book: &Book, reversal: Reversal) -> Result<Option<Fact>, Refusal> {
    let Reversal { key, fingerprint, of, known, original } = reversal;
    match known {
        Known::Same => return Ok(None),
        Known::Other => return Err(Refusal::EventConflict),
        Known::Fresh => {}
    }
    let original = original.ok_or(Refusal::UnknownEvent)?;
    if original.reverses.is_some() {
        return Err(Refusal::NotReversible);
    }
    if original.reversed.is_some() {
        return Err(Refusal::AlreadyReversed);
    }
    let Original { quantity, version, at: used_at, source, billed, .. } = original;
    let place = match source {
        Source::Round(round) if book.subject.shard > 0 => Place::HandedOver { round },
        Source::Open => open(book, version, quantity)?,
        Source::Round(_) | Source::Reserved(_) => place(book, billed, version, quantity)?,
    };
    Ok(Some(Fact::Reversed { key, fingerprint, of, used_at, quantity, version, place }))
}

/// What a shard has taken back of what it had handed over. Told twice, it counts once.
pub(crate) fn credit(book: &Book, credit: Credit) -> Result<Option<Fact>, Refusal> {
    if book.subject.shard > 0 {
        return Err(Refusal::NotFirstShard);
    }
    if credit.known != Known::Fresh {
        return Ok(None);
    }
    let Credit { key, round, version, quantity, billed, .. } = credit;
    let place = if round <= book.round {
        place(book, billed, version, quantity)?
    } else if round == book.round.saturating_add(1) {
        Place::Untaken
    } else {
        return Err(Refusal::WrongRound);
    };
    Ok(Some(Fact::Credited { key, quantity, version, place }))
}

/// Where usage of a round is: in the settlement that has it, or open again.
fn place(
    book: &Book,
    billed: Option<Box<Settlement>>,
    version: u32,
    quantity: Quantity,
) -> Result<Place, Refusal> {
    match billed {
        None => open(book, version, quantity),
        Some(filed) => settled(book, filed, version, quantity),
    }
}

fn open(book: &Book, version: u32, quantity: Quantity) -> Result<Place, Refusal> {
    let there = book.open.get(&version).filter(|open| open.quantity >= quantity);
    there.map(|_| Place::Open).ok_or(Refusal::NotReversible)
}

/// The settlement without that usage, and by how much its line would have been less (B6).
fn settled(book: &Book, filed: Box<Settlement>, version: u32, quantity: Quantity) -> Result<Place, Refusal> {
    let mut settlement = book.pending.get(&filed.number).cloned().map_or(filed, Box::new);
    let number = settlement.number;
    let line = settlement.lines.iter_mut().find(|line| line.version == version);
    let line = line.ok_or(Refusal::NotReversible)?;
    let before = line.quantity.minus(line.credited.quantity).ok_or(Refusal::NotReversible)?;
    let after = before.minus(quantity).ok_or(Refusal::NotReversible)?;
    let exact = line.pricing.exact(before).and_then(|before| before.minus(line.pricing.exact(after)?));
    let exact = exact.map_err(|TooLarge| Refusal::AmountTooLarge)?;
    line.credited.quantity = line.credited.quantity.plus(quantity).ok_or(Refusal::AmountTooLarge)?;
    line.credited.events = line.credited.events.saturating_add(1);
    let adjustment = match settlement.state {
        SettlementState::Failed { .. } => return Err(Refusal::NotReversible),
        SettlementState::WrittenOff { .. } => None,
        SettlementState::Drafted { .. }
        | SettlementState::Submitted { .. }
        | SettlementState::Verified { .. } => {
            Some(Adjustment { settlement: number, version, quantity, exact })
        }
    };
    if let Some(adjustment) = &adjustment {
        let is_there = book.adjustments.iter().any(|known| known.is_of(adjustment));
        if !is_there && book.waiting() >= limits::ADJUSTMENTS {
            return Err(Refusal::TooManyAdjustments);
        }
        if !book.can_credit(exact) {
            return Err(Refusal::AmountTooLarge);
        }
    }
    Ok(Place::Settled { settlement, adjustment })
}
