//! Where the mirror of a mandate stands.

use std::collections::BTreeMap;

use alloy_primitives::{B256, Bytes};
use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use super::{Told, View};
use crate::{Refused, Request, SignedApproval, UnixSeconds};

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// The chain has not told of a mandate yet, or has taken back what it told.
    #[default]
    Unborn,
    /// It has.
    Live(Box<Mirror>),
}

impl State {
    /// The mirror, once there is one.
    pub fn mirror(&self) -> Option<&Mirror> {
        match self {
            Self::Unborn => None,
            Self::Live(mirror) => Some(mirror),
        }
    }
}

/// What the chain says, and what is on its way to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mirror {
    /// The owner's private name for the mandate.
    pub label: String,
    /// Whether `sealed` can be taken back.
    pub ground: Ground,
    /// What the chain has said by the newest final block, or by the block of the creation.
    pub sealed: View,
    /// All that was told after `sealed`, in order.
    pub tail: Vec<Told>,
    /// What the chain has said by the newest block that was told: `sealed` with `tail`.
    pub tip: View,
    /// The requests that are not over and that were made here, by the names of their payments.
    pub asks: BTreeMap<B256, Ask>,
    /// When the latest event was recorded. No later one has an earlier moment.
    pub latest: UnixMillis,
}

/// How firm the ground of a mirror is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// No final block holds the creation yet.
    Creation,
    /// A final block: it is never taken back.
    Final,
}

/// A request that is not over as far as we know. Once the chain tells of it, its word counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// The request.
    pub request: Request,
    /// The agent's signature of it; empty when nobody but the one who cancels it has spoken of it.
    pub signature: Bytes,
    /// The owner's yes, once it was given.
    pub approved: Option<Approved>,
    /// When it was made here.
    pub asked: UnixMillis,
    /// The number of the latest question to the port; it only grows.
    pub turn: u32,
    /// How far it has come.
    pub stage: Stage,
}

/// The owner's yes to one request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approved {
    /// Its end, and whose signature it is.
    pub approval: SignedApproval,
    /// The signature as it came.
    pub bytes: Bytes,
}

/// How far a request has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// It waits for the owner.
    Waiting {
        /// The wait ends then.
        until: UnixSeconds,
    },
    /// It waits for its submission.
    Approved,
    /// The port has it.
    Underway(Errand),
    /// The contract refused it. Nothing was reserved.
    Failed {
        /// Why.
        reason: Refused,
    },
    /// The port has its cancellation.
    Cancelling {
        /// The owner's or the agent's signature of that.
        signature: Bytes,
        /// How it goes.
        errand: Errand,
    },
}

/// Something that the port was asked to send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Errand {
    /// When it began; pauses between looks grow with the time since.
    pub since: UnixMillis,
    /// What time does next.
    pub next: Next,
    /// When.
    pub next_at: UnixMillis,
    /// The newest transactions that may carry the call, oldest first.
    pub transactions: Vec<B256>,
}

/// What time does with an errand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// It is sent again: the port is known not to have sent it.
    Send,
    /// It is looked for.
    Look,
}

impl Ask {
    /// From when on the contract cannot take it any more, with the approval that it has.
    pub fn end(&self) -> UnixSeconds {
        let end = self.request.valid_before.min(self.request.deliver_by);
        self.approved.as_ref().map_or(end, |approved| end.min(approved.approval.valid_before))
    }

    /// What the port does for it.
    pub const fn errand(&self) -> Option<&Errand> {
        match &self.stage {
            Stage::Underway(errand) | Stage::Cancelling { errand, .. } => Some(errand),
            Stage::Waiting { .. } | Stage::Approved | Stage::Failed { .. } => None,
        }
    }

    pub(super) const fn errand_mut(&mut self) -> Option<&mut Errand> {
        match &mut self.stage {
            Stage::Underway(errand) | Stage::Cancelling { errand, .. } => Some(errand),
            Stage::Waiting { .. } | Stage::Approved | Stage::Failed { .. } => None,
        }
    }
}
