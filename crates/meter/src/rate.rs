//! What open usage comes to. Bills, quotes and what reservations pay are rated here and nowhere else.

use std::collections::BTreeMap;

use primitives::BaseUnits;
use tariff::{Exact, Quantity, TooLarge};

use crate::{Adjustment, Book, Credited, Line, Open, Part, Quote, limits};

/// Usage that is not billed, by price version.
pub(crate) type ByVersion = BTreeMap<u32, Open>;

/// Puts usage to what is there at its price.
pub(crate) fn put(open: &mut ByVersion, more: &Open) -> Result<(), TooLarge> {
    let Some(there) = open.get_mut(&more.version) else {
        if more.quantity > Quantity::ZERO {
            open.insert(more.version, more.clone());
        }
        return Ok(());
    };
    there.quantity = there.quantity.plus(more.quantity).ok_or(TooLarge)?;
    there.events = there.events.checked_add(more.events).ok_or(TooLarge)?;
    there.from = there.from.min(more.from);
    there.to = there.to.max(more.to);
    Ok(())
}

/// Takes usage from what is there at that price; nothing when it is not there.
pub(crate) fn take(open: &mut ByVersion, version: u32, taken: Credited) -> Option<()> {
    let there = open.get_mut(&version)?;
    let (quantity, events) = (there.quantity.minus(taken.quantity)?, there.events.checked_sub(taken.events)?);
    if quantity == Quantity::ZERO {
        open.remove(&version);
    } else {
        (there.quantity, there.events) = (quantity, events);
    }
    Some(())
}

/// How much that is, all together.
pub(crate) fn sum(quantities: impl IntoIterator<Item = Quantity>) -> Result<Quantity, TooLarge> {
    quantities.into_iter().try_fold(Quantity::ZERO, Quantity::plus).ok_or(TooLarge)
}

/// Usage and adjustments as a bill (B4). Adjustments come off first; then each line is rounded down, and what is left goes to
/// the next one. What is due without any line is due for the adjustments alone.
pub(crate) fn rated(open: &ByVersion, adjustments: Vec<Adjustment>, carry: Exact) -> Result<Quote, TooLarge> {
    let mut carried =
        adjustments.iter().try_fold(carry, |carried, adjustment| carried.minus(adjustment.exact))?;
    let mut due = 0_u128;
    let mut lines = Vec::with_capacity(open.len());
    for open in open.values() {
        let exact = open.pricing.exact(open.quantity)?;
        let (amount, rest) = exact.plus(carried)?.rounded();
        lines.push(Line {
            version: open.version,
            pricing: open.pricing.clone(),
            quantity: open.quantity,
            events: open.events,
            from: open.from,
            to: open.to,
            exact,
            carried_in: carried,
            amount,
            credited: Credited::default(),
        });
        due = due.checked_add(amount.0).ok_or(TooLarge)?;
        carried = rest;
    }
    let (left, carried_out) = carried.rounded();
    Ok(Quote {
        quantity: sum(lines.iter().map(|line| line.quantity))?,
        amount: BaseUnits(due.checked_add(left.0).ok_or(TooLarge)?),
        lines,
        adjustments,
        carried_in: carry,
        carried_out,
    })
}

impl Book {
    /// The adjustments that the next bill takes: those of a settlement that is being paid wait for how that ends.
    pub(crate) fn ripe(&self) -> impl Iterator<Item = &Adjustment> {
        self.adjustments.iter().filter(|adjustment| !self.pending.contains_key(&adjustment.settlement))
    }

    /// What the next bill has: what is open here and in `parts`, without what was taken back of these too early. Nothing
    /// when that is not in them.
    pub(crate) fn whole(&self, parts: &[Part]) -> Result<Option<ByVersion>, TooLarge> {
        let mut parted = ByVersion::new();
        parts.iter().flat_map(|part| &part.handed.open).try_for_each(|open| put(&mut parted, open))?;
        let early = self.early.iter();
        if early.map(|(version, early)| take(&mut parted, *version, *early)).any(|taken| taken.is_none()) {
            return Ok(None);
        }
        self.open.values().try_for_each(|open| put(&mut parted, open))?;
        Ok(Some(parted))
    }

    /// What open, pending and reserved usage comes to by the dearest tiers (B7).
    pub(crate) fn ceiling(&self) -> Result<Exact, TooLarge> {
        let open = self.open.values().map(|open| open.pricing.ceiling(open.quantity));
        let lines = self.pending.values().flat_map(|settlement| &settlement.lines);
        let pending = lines.map(|line| line.pricing.ceiling(line.quantity));
        let reserved = self
            .reservations
            .values()
            .map(|reservation| reservation.price.pricing.ceiling(reservation.quantity));
        open.chain(pending).chain(reserved).try_fold(Exact::ZERO, |sum, next| sum.plus(next?))
    }

    /// Whether what is to be credited can still be counted with `more`.
    pub(crate) fn can_credit(&self, more: Exact) -> bool {
        let adjustments = self.adjustments.iter().map(|adjustment| adjustment.exact);
        let all = adjustments
            .chain([self.carry, more])
            .try_fold(0_u128, |sum, next| sum.checked_add(next.0.unsigned_abs()));
        all.is_some_and(|sum| sum <= limits::AMOUNT.0.unsigned_abs())
    }
}
