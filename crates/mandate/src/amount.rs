//! Sums of the ledger. Each part is at most [`AMOUNT_MAX`], and guards come first, so that nothing here saturates.

use alloy_primitives::U256;
use primitives::BaseUnits;

/// The largest amount that the contract keeps: 2^96 − 1. As a cap it is no cap.
pub const AMOUNT_MAX: BaseUnits = BaseUnits((1 << 96) - 1);

pub(crate) const ZERO: BaseUnits = BaseUnits(0);

pub(crate) const fn plus(amount: BaseUnits, more: BaseUnits) -> BaseUnits {
    BaseUnits(amount.0.saturating_add(more.0))
}

pub(crate) const fn minus(amount: BaseUnits, part: BaseUnits) -> BaseUnits {
    BaseUnits(amount.0.saturating_sub(part.0))
}

/// The sum of an amount that anyone may name and one of the ledger: it may need 129 bits.
pub(crate) fn sum(amount: BaseUnits, spent: BaseUnits) -> U256 {
    U256::from(amount.0).saturating_add(U256::from(spent.0))
}
