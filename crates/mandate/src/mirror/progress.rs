//! Where a request stands on its way, and what is written down of it once it is over.

use alloy_primitives::B256;
use serde::{Deserialize, Serialize};

use super::{Mirror, Stage, State};
use crate::life::{self, Trail};
use crate::{Payment, Request};

/// Where a request stands: what it can be in custody of the ledger, and what lies between its evaluation and a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// It passed, and is to be sent.
    Requested,
    /// A transaction is on its way; no block that was told holds it.
    Submitted,
    /// Its cancellation is on its way.
    Cancelling,
    /// The contract refused it. Nothing was reserved; as long as it is valid it can be submitted again.
    Failed,
    /// As in the other custody.
    #[serde(untagged)]
    Like(life::Progress),
}

impl Progress {
    /// Stable, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Submitted => "submitted",
            Self::Cancelling => "cancelling",
            Self::Failed => "failed",
            Self::Like(progress) => progress.name(),
        }
    }

    /// Whether the request is over, unless the chain says otherwise. Only refunds can follow.
    pub const fn is_over(self) -> bool {
        match self {
            Self::Requested | Self::Submitted | Self::Cancelling | Self::Failed => false,
            Self::Like(progress) => progress.is_over(),
        }
    }
}

/// A request that is over, for good: the chain cannot take its end back. The shell keeps it as it keeps those of the other
/// custody, by its payment's name and by its request's id, and hands it in with whatever names either again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    /// The request.
    pub request: Request,
    /// How it ended; failed, when it was not submitted again before its end.
    pub progress: Progress,
    /// Its payment; none when nothing was ever reserved.
    pub payment: Option<Payment>,
    /// What it has left on its way.
    pub trail: Trail,
}

impl Mirror {
    /// Where a request stands that is not filed.
    pub fn progress(&self, payment: B256) -> Option<Progress> {
        if let Some(told) = life::Progress::of(self.tip.mandate.state_of(payment)) {
            return Some(Progress::Like(told));
        }
        Some(match &self.asks.get(&payment)?.stage {
            Stage::Waiting { .. } => Progress::Like(life::Progress::AwaitingApproval),
            Stage::Approved => Progress::Like(life::Progress::Approved),
            Stage::Underway(errand) if errand.transactions.is_empty() => Progress::Requested,
            Stage::Underway(_) => Progress::Submitted,
            Stage::Failed { .. } => Progress::Failed,
            Stage::Cancelling { .. } => Progress::Cancelling,
        })
    }
}

/// Where a request stands: by the state, else by what is on file once the command's own rows are. None when it was never
/// made, or what the chain told of it was taken back.
pub fn progress(state: &State, payment: B256, filed: Option<&Filed>) -> Option<Progress> {
    let open = state.mirror().and_then(|mirror| mirror.progress(payment));
    open.or(filed.map(|filed| filed.progress))
}
