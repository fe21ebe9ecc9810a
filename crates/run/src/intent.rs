//! What is wanted, and what the market showed for it.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::Cents;

/// What somebody wants to buy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intent {
    /// The product in words, such as `coca-cola 2l`: each word has to stand in the name of what is bought. 1 to
    /// [`crate::limits::REQUIREMENT_BYTES`] bytes.
    pub requirement: String,
    /// How many, 1 to [`crate::limits::QUANTITY`].
    pub quantity: u32,
    /// The most that all of it may cost, fees included.
    pub max_total: Cents,
}

/// A market's offer, as a reference: enough to have it looked at again, never enough to pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its name within the run, 1 to [`crate::limits::NAME_BYTES`] bytes.
    pub candidate_id: String,
    /// The market's own name for what it saw.
    pub observation_id: String,
    /// The platform, such as `ifood`.
    pub source: String,
    /// The shop.
    pub merchant: String,
    /// What it was seen to cost in total. It ranks candidates and bounds drift, and reaches no payment.
    pub observed_total: Cents,
    /// When it was seen.
    pub observed_at: UnixMillis,
}

/// A candidate that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedCandidate {
    /// Which one.
    pub candidate_id: String,
    /// Why: codes of [`crate::Fault`], or what the executor said.
    pub reasons: Vec<String>,
}

/// What a search of the market came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Found {
    /// These offers, unranked, at most [`crate::limits::OBSERVATIONS`].
    Candidates {
        /// Who was asked, such as `synthetic` or the host of an observer.
        source: String,
        /// The offers.
        candidates: Vec<Candidate>,
    },
    /// It could not be asked, or answered nonsense.
    Unavailable {
        /// Why, in a line.
        reason: String,
    },
}
