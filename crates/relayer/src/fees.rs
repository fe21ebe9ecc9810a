//! What a transaction offers for its gas (EIP-1559), and by how much a replacement raises it.

use primitives::BaseUnits;
use serde::{Deserialize, Serialize};

use crate::Policy;

/// The fees that the chain asks for at the moment, in wei per gas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Market {
    /// What the next block burns.
    pub base_fee: BaseUnits,
    /// What its builder expects on top.
    pub tip: BaseUnits,
}

/// The fees that a transaction offers, in wei per gas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fees {
    /// The most that is paid in all.
    pub max_fee: BaseUnits,
    /// The most that the builder gets of it.
    pub priority_fee: BaseUnits,
}

impl Market {
    /// What a transaction must offer to be mined now.
    pub(crate) const fn price(&self) -> u128 {
        self.base_fee.0.saturating_add(self.tip.0)
    }

    /// What a new transaction offers: enough for a base fee that doubles, within the cap. `None` while even the next
    /// block costs more than the cap.
    pub(crate) fn fees(&self, policy: &Policy) -> Option<Fees> {
        let cap = policy.max_fee_per_gas.0;
        let max_fee = self.price().saturating_add(self.base_fee.0).min(cap);
        let fees = Fees { max_fee: BaseUnits(max_fee), priority_fee: self.tip };
        (self.price() <= cap).then_some(fees)
    }
}

impl Fees {
    /// What a replacement offers: what the market asks for, and enough for nodes to take it. `None` when that would
    /// exceed the cap; what was sent then stands.
    pub(crate) fn raised(&self, market: &Market, policy: &Policy) -> Option<Self> {
        let cap = policy.max_fee_per_gas.0;
        let least = step(self.max_fee.0);
        let wanted = market.price().saturating_add(market.base_fee.0);
        let max_fee = least.max(wanted).min(cap);
        let priority_fee = step(self.priority_fee.0).max(market.tip.0).min(max_fee);
        let fees = Self { max_fee: BaseUnits(max_fee), priority_fee: BaseUnits(priority_fee) };
        (least <= cap).then_some(fees)
    }

    /// Whether a node takes a transaction with these fees for one with `other`.
    pub(crate) const fn replaces(&self, other: &Self) -> bool {
        self.max_fee.0 >= step(other.max_fee.0) && self.priority_fee.0 >= step(other.priority_fee.0)
    }
}

/// An eighth more, and never the same: nodes demand a tenth and a higher number for both fees.
const fn step(fee: u128) -> u128 {
    fee.saturating_add(fee.div_ceil(8)).saturating_add(if fee == 0 { 1 } else { 0 })
}
