//! What the chain says, in the words of the model.

use alloy_primitives::{Address, B256};
use primitives::BaseUnits;
use serde::{Deserialize, Serialize};

use super::Refusal;
use super::refusal::{Bound, bound};
use crate::{Amendment, Request, State, UnixSeconds};

/// A block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Its number. Two blocks of one number are two histories.
    pub number: u64,
    /// Its hash.
    pub hash: B256,
    /// Its timestamp, by which the contract judges.
    pub at: UnixSeconds,
}

/// Where an event stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The block.
    pub block: Block,
    /// The event's index in the block, over all contracts.
    pub index: u32,
    /// The transaction.
    pub transaction: B256,
}

/// One event of the contract that this mandate's state depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Where it stands.
    pub place: Place,
    /// What it says.
    pub news: News,
}

/// What an event says. The creation is not among them: it is what [`super::Command::Adopt`] brings. What a batch refused, and
/// credits, change nothing of a mandate and are not told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name, as in the contract's events")]
pub enum News {
    /// A policy was written. `expected_version` is the one before it, so that the hash is that of an amendment that waited.
    Amended(Box<Amendment>),
    /// An amendment waits, in place of any other.
    AmendmentScheduled { hash: B256, effective_at: UnixSeconds },
    /// It was forgotten.
    AmendmentCancelled,
    /// Authorizations stopped.
    Paused,
    /// They go on.
    Unpaused,
    /// They stopped for ever.
    Revoked { by: Address },
    /// The owner set the ceiling for this agent and token.
    CeilingSet { day_cap: BaseUnits },
    /// Another mandate of this owner, agent and token authorized so much, which counts under the ceiling.
    AuthorizedElsewhere { amount: BaseUnits },
    /// Money came in.
    Funded { from: Address, amount: BaseUnits },
    /// Money went out.
    Withdrawn { to: Address, amount: BaseUnits },
    /// A payment was authorized.
    Authorized(Box<Request>),
    /// A request was killed.
    Cancelled { payment: B256, by: Address },
    /// The provider delivered.
    Delivered { payment: B256, receipt: B256 },
    /// The owner disputed.
    Disputed { payment: B256, evidence: B256 },
    /// The provider has captured so much in all.
    Captured { payment: B256, total: BaseUnits },
    /// The payment ended. `paid` is what the provider got in all, `returned` what went back now.
    Closed { payment: B256, state: State, paid: BaseUnits, returned: BaseUnits },
    /// The provider gave `amount` back, `total` in all.
    Refunded { payment: B256, amount: BaseUnits, total: BaseUnits },
}

impl News {
    /// How much room it takes, in units of some 300 bytes.
    pub const fn weight(&self) -> usize {
        match self {
            Self::Amended(amendment) => amendment.entries.len().saturating_add(4),
            Self::Authorized(_) => 4,
            Self::AmendmentScheduled { .. }
            | Self::AmendmentCancelled
            | Self::Paused
            | Self::Unpaused
            | Self::Revoked { .. }
            | Self::CeilingSet { .. }
            | Self::AuthorizedElsewhere { .. }
            | Self::Funded { .. }
            | Self::Withdrawn { .. }
            | Self::Cancelled { .. }
            | Self::Delivered { .. }
            | Self::Disputed { .. }
            | Self::Captured { .. }
            | Self::Closed { .. }
            | Self::Refunded { .. } => 1,
        }
    }
}

/// What events weigh together.
pub(super) fn weight(told: &[Told]) -> usize {
    told.iter().fold(0, |sum, told| sum.saturating_add(told.news.weight()))
}

/// All that the chain says in the blocks after one and up to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// The block that it follows.
    pub after: Block,
    /// The last block that it covers; `after` itself when it tells only of a final block.
    pub to: Block,
    /// The events, in the chain's order.
    pub told: Vec<Told>,
    /// The newest final block that is known. It may lie above `to`, which then is final too.
    pub sealed: Block,
}

impl Observation {
    /// Whether it is sound in itself.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        bound(weight(&self.told), Bound::Told)?;
        let is_forward = self.to.number > self.after.number || self.to == self.after;
        let is_one_history = self.sealed.number != self.to.number || self.sealed == self.to;
        let mut last: Option<&Place> = None;
        for place in self.told.iter().map(|told| &told.place) {
            let follows = last.is_none_or(|last| {
                let is_later = place.block.number > last.block.number && place.block.at >= last.block.at;
                is_later || (place.block == last.block && place.index > last.index)
            });
            let is_within = place.block.number > self.after.number
                && (place.block.number < self.to.number || place.block == self.to);
            if !(follows && is_within) {
                return Err(Refusal::Disordered);
            }
            last = Some(place);
        }
        if is_forward && is_one_history { Ok(()) } else { Err(Refusal::Disordered) }
    }

    /// The newest block that it knows to be final, of those that are told.
    pub(super) const fn final_block(&self) -> Block {
        if self.sealed.number < self.to.number { self.sealed } else { self.to }
    }
}
