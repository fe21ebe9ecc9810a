//! Sums of the ledger. Each part is at most [`AMOUNT_MAX`], and guards come first, so that no sum or difference leaves
//! its type; debug builds, and so all tests, stop where one would.

use alloy_primitives::U256;
use primitives::BaseUnits;

/// The largest amount that the contract keeps: 2^96 − 1. As a cap it is no cap.
pub const AMOUNT_MAX: BaseUnits = BaseUnits((1 << 96) - 1);

pub(crate) const ZERO: BaseUnits = BaseUnits(0);

pub(crate) const fn plus(amount: BaseUnits, more: BaseUnits) -> BaseUnits {
    debug_assert!(amount.0.checked_add(more.0).is_some(), "a guard let a sum through that is too large");
    BaseUnits(amount.0.saturating_add(more.0))
}

pub(crate) const fn minus(amount: BaseUnits, part: BaseUnits) -> BaseUnits {
    debug_assert!(part.0 <= amount.0, "a guard let more be taken than there is");
    BaseUnits(amount.0.saturating_sub(part.0))
}

/// What is left of a cap. An amendment can put it below what was spent; then nothing is.
pub(crate) const fn left(cap: BaseUnits, spent: BaseUnits) -> BaseUnits {
    BaseUnits(cap.0.saturating_sub(spent.0))
}

/// The sum of an amount that anyone may name and one of the ledger: it may need 129 bits.
pub(crate) fn sum(amount: BaseUnits, spent: BaseUnits) -> U256 {
    U256::from(amount.0).saturating_add(U256::from(spent.0))
}
