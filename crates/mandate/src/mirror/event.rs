//! What has happened to a mirror: the journal's format, and how each event moves the state.

use alloy_primitives::{B256, Bytes};
use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use super::step::{born, step};
use super::{Answer, Block, Observation, Signed, State};
use crate::{By, Ceiling, Creation, Request, SignedApproval};

/// One event of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it was recorded.
    pub at: UnixMillis,
    /// What happened.
    pub fact: Fact,
}

/// What can have happened. Variants are only added, and fields only with a default: old journals must replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the command that caused the event")]
pub enum Fact {
    /// The contract has created the mandate.
    Adopted { creation: Box<Creation>, block: Block, ceiling: Ceiling, label: String },
    /// The chain went on.
    Observed(Box<Observation>),
    /// Blocks left the chain, and others are in their place.
    Rewound(Box<Observation>),
    /// The block of the creation left the chain; `after` is the last one that stands.
    Orphaned { after: Block },
    /// A request passed, and is sent or waits for its owner.
    Requested { request: Box<Request>, signature: Signed },
    /// The owner said yes.
    Approved { payment: B256, approval: SignedApproval, bytes: Bytes },
    /// The owner said no.
    Rejected { payment: B256, by: By, note: String },
    /// What was approved, or had failed, is sent.
    Submitted { payment: B256, by: By },
    /// A request is dropped, or its cancellation is sent.
    Cancelled { request: Box<Request>, by: By, bytes: Bytes },
    /// A transaction may carry the call.
    Sent { payment: B256, transaction: B256 },
    /// The port answered the latest question.
    Answered { payment: B256, answer: Answer },
    /// Time did what was next: it ended a wait for the owner, or had something sent again or looked for.
    Elapsed { payment: B256 },
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
    /// Why it cannot follow.
    pub why: String,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "an event recorded at {} does not follow: {}", self.at.to_rfc3339(), self.why)
    }
}

impl core::error::Error for Corrupt {}

/// Folds one event into the state, by the same steps that judged it.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(state: State, event: &Event) -> Result<State, Corrupt> {
    let Event { at, fact } = event;
    let corrupt = |why: String| Corrupt { at: *at, why };
    match (state, fact) {
        (State::Unborn, Fact::Adopted { creation, block, ceiling, label }) => {
            born(creation, *block, *ceiling, label, *at).map(State::Live)
        }
        (State::Unborn, _) => return Err(corrupt("there is no mandate".to_owned())),
        (State::Live(_), Fact::Orphaned { .. }) => Ok(State::Unborn),
        (State::Live(mut mirror), fact) => step(&mut mirror, fact, *at).map(|_| State::Live(mirror)),
    }
    .map_err(|refusal| corrupt(refusal.to_string()))
}
