//! Where the object of a mandate stands. It holds open things only.

use std::collections::BTreeMap;

use alloy_primitives::{B256, Bytes};
use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use super::{Hold, Progress, Trail};
use crate::{EntryKey, Mandate, Request, SignedApproval, UnixSeconds};

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// There is no mandate yet.
    #[default]
    Unborn,
    /// There is one.
    Live(Box<Book>),
}

impl State {
    /// The mandate with its open things, once there is one.
    pub fn book(&self) -> Option<&Book> {
        match self {
            Self::Unborn => None,
            Self::Live(book) => Some(book),
        }
    }
}

/// Who holds the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Custody {
    /// This object, wholly.
    Ledger,
}

/// A mandate with everything that is open under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Book {
    /// The mandate. Its payments are those of open escrows, and one for each reservation.
    pub mandate: Mandate,
    /// Who holds the money.
    pub custody: Custody,
    /// The owner's private name for it.
    pub label: String,
    /// The requests that are not over, by the names of their payments.
    pub requests: BTreeMap<B256, Ask>,
    /// What is reserved for others in the product, by the reservations' names.
    pub reservations: BTreeMap<B256, Reservation>,
    /// When the mandate was made.
    pub born: UnixMillis,
    /// When the latest event was recorded. No later one has an earlier moment.
    pub latest: UnixMillis,
}

/// A request that is not over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// The request.
    pub request: Request,
    /// How far it has come.
    pub stage: Stage,
    /// What it has left on its way.
    pub trail: Trail,
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
    Approved {
        /// The wait ends then.
        until: UnixSeconds,
        /// The owner's yes, for one use.
        approval: SignedApproval,
        /// Its signature as it came, for the agent.
        bytes: Bytes,
    },
    /// It was authorized, and its payment is open.
    Open,
}

/// A part of the budget and the money that is held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// What is held, for whom.
    pub hold: Hold,
    /// The entry that allowed it, in whose window it counts.
    pub entry: EntryKey,
    /// The UTC day, since 1970, on which it counts.
    pub day: u64,
}

impl Book {
    /// Where a request stands that is not over.
    pub fn progress(&self, payment: B256) -> Option<Progress> {
        match self.requests.get(&payment)?.stage {
            Stage::Waiting { .. } => Some(Progress::AwaitingApproval),
            Stage::Approved { .. } => Some(Progress::Approved),
            Stage::Open => Progress::of(self.mandate.state_of(payment)),
        }
    }

    /// How many requests wait: for the owner, or to be submitted.
    pub(super) fn waiting(&self) -> usize {
        self.requests.values().filter(|ask| ask.stage != Stage::Open).count()
    }

    /// How many escrows are open.
    pub(super) fn open(&self) -> usize {
        self.requests.len().saturating_sub(self.waiting())
    }
}
