//! What has happened to a relayer: the journal's format.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::{Job, Lifecycle, Receipt, Signed};

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
    /// A job was taken.
    Submitted { job: Job },
    /// The chain said which nonce is next.
    Synchronized { next_nonce: u64 },
    /// A transaction was signed and may be sent from now on.
    Signed(Signed),
    /// A transaction of ours used the nonce.
    Mined { nonce: u64, receipt: Receipt },
    /// The chain counts the nonce as used, and no transaction of ours under it has a receipt.
    Taken { nonce: u64 },
    /// The chain counts a taken nonce as unused after all.
    Restored { nonce: u64 },
    /// A taken nonce is given up; its job waits again, first of all.
    Displaced { nonce: u64 },
    /// A waiting job's time is up.
    Expired { job: String },
    /// The chain has not used the nonces from this one to the lowest open one.
    GapSeen { from: u64 },
    /// It has, or the gap is filled.
    GapGone,
    /// The chain is about to be looked at.
    LookStarted { next_at: UnixMillis },
    /// The latest bytes of every open nonce are about to be sent again.
    ResendStarted { next_at: UnixMillis },
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
    /// Where the relayer stood.
    pub lifecycle: Lifecycle,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let at = self.at.to_rfc3339();
        write!(formatter, "an event recorded at {at} does not follow from {}", self.lifecycle.name())
    }
}

impl core::error::Error for Corrupt {}
