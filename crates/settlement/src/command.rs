//! What a settlement can be asked and told.

use primitives::Digest;
use serde::{Deserialize, Serialize};

use crate::{Asker, Bytes, Inclusion, Terms, Tier};

/// One request to a settlement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Settle. Comes after everything that can be verified before sending has been.
    Start {
        /// SHA-256 of the request: what was signed, and what it is to pay for.
        fingerprint: Digest,
        /// Who asks.
        asker: Asker,
        /// What is to be settled.
        terms: Box<Terms>,
    },
    /// Tell that it is settled. Whoever hears no refusal may hear [`crate::Answer::Settled`], and nobody else may.
    Collect {
        /// SHA-256 of the request.
        fingerprint: Digest,
        /// Who asks.
        asker: Asker,
    },
    /// The relayer has signed a transaction that carries the call: the first, or one with higher fees.
    Announce {
        /// Its hash: `0x` and lower-case hexadecimal.
        hash: String,
        /// The signed transaction as it is sent.
        raw: Bytes,
    },
    /// The relayer does not take the job; nothing was sent.
    Decline {
        /// Its reason code.
        reason: String,
    },
    /// The relayer reports that a transaction was mined, or that it has given up. Either way the chain is asked.
    LookNow,
    /// What a look at the chain has shown. A look that learned nothing (no answer, nodes that disagree, a node that lags)
    /// says nothing.
    See {
        /// The number of the look, from [`crate::Look::number`].
        look: u32,
        /// What it saw.
        sighting: Sighting,
    },
    /// Time has passed.
    Wake,
}

/// What the chain shows of an authorization. [`crate::look()`] says in which order it is to be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sighting {
    /// The transfer was made, by whichever transaction.
    Transferred {
        /// Where it stands.
        inclusion: Inclusion,
        /// How firmly.
        tier: Tier,
    },
    /// The authorization is used up, and this transfer was not made: it was cancelled, or spent on something else.
    UsedOtherwise {
        /// The transaction that did so.
        transaction: String,
        /// How firmly it stands.
        tier: Tier,
    },
    /// The authorization is not used.
    Unused {
        /// The transaction of our own that is mined all the same, if one is.
        mined: Option<String>,
        /// Whether it can still be used.
        window: Window,
    },
}

/// Whether an unused authorization can still be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Window {
    /// It can, as far as a final block shows.
    Open,
    /// A final block is as late as `valid_before`: no block after it can hold the transfer.
    Closed,
}
