//! What there is to see of a meter.

use primitives::BaseUnits;
use serde::{Deserialize, Serialize};
use tariff::{Exact, Quantity, TooLarge};

use crate::rate::{ByVersion, put, rated, take};
use crate::{Adjustment, Line, Open, Refusal, State};

/// What became of one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// It counts, at the price of this version.
    Recorded {
        /// The version's number.
        version: u32,
    },
    /// The same event counted before.
    Duplicate,
    /// It does not count.
    Refused(Refusal),
}

/// What a bill would be now. A bill that is drafted is exactly this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// What is open, oldest price first.
    pub lines: Vec<Line>,
    /// What was taken back of earlier bills.
    pub adjustments: Vec<Adjustment>,
    /// How much is open.
    pub quantity: Quantity,
    /// What is due.
    pub amount: BaseUnits,
    /// What was carried from before.
    pub carried_in: Exact,
    /// What would be carried on.
    pub carried_out: Exact,
}

/// What a bill of all that is open would be. `others` is all that the other shards have open, and what they have handed over
/// in a round that the first one has not taken. Costs as much as there are prices, however many events were recorded.
///
/// # Errors
/// When it is larger than can be counted.
pub fn quote(state: &State, others: &[Open]) -> Result<Quote, TooLarge> {
    let mut open = ByVersion::new();
    others.iter().try_for_each(|other| put(&mut open, other))?;
    let Some(book) = state.book() else { return rated(&open, Vec::new(), Exact::ZERO) };
    for (version, early) in &book.early {
        // Whoever asks without the other shards' usage has nothing to take it from.
        let _ = take(&mut open, *version, *early);
    }
    book.open.values().try_for_each(|mine| put(&mut open, mine))?;
    rated(&open, book.ripe().cloned().collect(), book.carry)
}
