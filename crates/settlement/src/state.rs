//! Where a settlement stands.

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Asker, Bytes, Inclusion, Terms, Tier};

/// One request to settle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// SHA-256 of the request.
    pub fingerprint: Digest,
    /// Who began it.
    pub asker: Asker,
    /// What is to be settled.
    pub terms: Terms,
    /// When it was recorded.
    pub started_at: UnixMillis,
}

/// The transactions that the relayer has signed for the call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// Their hashes, oldest first; at least one, at most [`crate::limits::TRANSACTIONS_MAX`].
    pub hashes: Vec<String>,
    /// The newest as it is sent.
    pub raw: Bytes,
}

/// An order that is being carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pursuit {
    /// What was asked.
    pub order: Order,
    /// What the relayer has signed for it; `None` until it has.
    pub calls: Option<Calls>,
    /// When it first counted as settled, even if the chain has undone that since.
    pub settled_at: Option<UnixMillis>,
    /// When an asker without a key was told so, even if the chain has undone that since.
    pub collected_at: Option<UnixMillis>,
    /// The number of the latest look at the chain. It only grows.
    pub looks: u32,
    /// When something last changed; pauses between looks grow with the time since.
    pub since: UnixMillis,
    /// When the chain is looked at next.
    pub next_look_at: UnixMillis,
}

/// Why it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The window closed with nothing mined.
    Expired,
    /// The window closed; our own call was mined and moved nothing.
    Reverted,
    /// The authorization was cancelled, or spent on something else.
    UsedOtherwise,
}

/// The published name of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the state picture of the crate says what each is")]
pub enum Lifecycle {
    New,
    Declined,
    Submitted,
    Sent,
    Reverted,
    Included,
    Settled,
    Failed,
}

impl Lifecycle {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "NEW",
            Self::Declined => "DECLINED",
            Self::Submitted => "SUBMITTED",
            Self::Sent => "SENT",
            Self::Reverted => "REVERTED",
            Self::Included => "INCLUDED",
            Self::Settled => "SETTLED",
            Self::Failed => "FAILED",
        }
    }
}

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Nobody has asked.
    #[default]
    New,
    /// The relayer did not take the job; it may be asked again.
    Declined {
        /// What was asked. Kept, because a copy of the job may reach the relayer late and be taken after all.
        pursuit: Pursuit,
        /// The relayer's reason code.
        reason: String,
    },
    /// The relayer has the job, and no block shows an outcome. SUBMITTED until it has signed a transaction, then SENT.
    Underway(Pursuit),
    /// A transaction of our own is mined and moved nothing. The same call in another one may still move the money.
    Reverted {
        /// What is carried out.
        pursuit: Pursuit,
        /// The transaction's hash.
        transaction: String,
    },
    /// The transfer stands in a block. INCLUDED below the tier that was asked for, SETTLED from it on.
    Transferred {
        /// What was carried out.
        pursuit: Pursuit,
        /// Where it stands.
        inclusion: Inclusion,
        /// How firmly.
        tier: Tier,
        /// When it was given up to watch for the block to become final, if it was.
        watch_ended_at: Option<UnixMillis>,
    },
    /// The authorization can never make this transfer.
    Failed {
        /// What was asked.
        order: Order,
        /// Why.
        cause: Cause,
        /// The transaction that shows it, if one does.
        transaction: Option<String>,
    },
}

impl State {
    /// The published name.
    pub fn lifecycle(&self) -> Lifecycle {
        match self {
            Self::New => Lifecycle::New,
            Self::Declined { .. } => Lifecycle::Declined,
            Self::Underway(Pursuit { calls: None, .. }) => Lifecycle::Submitted,
            Self::Underway(Pursuit { calls: Some(_), .. }) => Lifecycle::Sent,
            Self::Reverted { .. } => Lifecycle::Reverted,
            Self::Transferred { pursuit, tier, .. } if *tier >= pursuit.order.terms.tier => {
                Lifecycle::Settled
            }
            Self::Transferred { .. } => Lifecycle::Included,
            Self::Failed { .. } => Lifecycle::Failed,
        }
    }

    /// What was asked, in every state but NEW.
    pub const fn order(&self) -> Option<&Order> {
        match self {
            Self::New => None,
            Self::Declined { pursuit, .. }
            | Self::Underway(pursuit)
            | Self::Reverted { pursuit, .. }
            | Self::Transferred { pursuit, .. } => Some(&pursuit.order),
            Self::Failed { order, .. } => Some(order),
        }
    }

    /// What is carried out, as long as the chain can still change its outcome.
    pub const fn unfinished(&self) -> Option<&Pursuit> {
        match self {
            Self::New | Self::Failed { .. } | Self::Transferred { tier: Tier::Final, .. } => None,
            Self::Declined { pursuit, .. }
            | Self::Underway(pursuit)
            | Self::Reverted { pursuit, .. }
            | Self::Transferred { pursuit, tier: Tier::Included | Tier::Safe, .. } => Some(pursuit),
        }
    }
}
