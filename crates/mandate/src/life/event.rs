//! What has happened to the object of a mandate: the journal's format, and how each event moves the state.

use alloy_primitives::{Address, B256};
use primitives::{BaseUnits, UnixMillis};
use serde::{Deserialize, Serialize};

use super::step::{born, step};
use super::{Act, Change, Filed, Hold, Progress, State};
use crate::{By, Creation, Request, Token, UnixSeconds};

/// One event of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it was recorded.
    pub at: UnixMillis,
    /// What was accepted.
    pub fact: Fact,
    /// What came of it. It follows from the state and the fact, and is told to whoever acts on the event.
    pub outcome: Outcome,
}

/// What can have happened. Variants are only added, and fields only with a default: old journals must replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the command that caused the event")]
pub enum Fact {
    /// The mandate was made.
    Created { creation: Box<Creation>, token: Token, label: String },
    /// It was changed, or its money.
    Changed { change: Change, by: Address },
    /// A request was authorized, or waits for its owner.
    Requested { request: Box<Request>, by: By },
    /// A request was killed.
    Cancelled { request: Box<Request>, by: By },
    /// Something was done with a request.
    Acted { payment: B256, act: Act, by: By },
    /// Money came back for a payment that was on file.
    Refunded { filed: Box<Filed>, total: BaseUnits, by: By },
    /// Time ended a wait of a request at `due`, however late that was noticed.
    Lapsed { payment: B256, due: UnixSeconds },
    /// A part of budget and money is held.
    Reserved { reservation: B256, hold: Hold },
    /// All or a part of it was paid.
    Committed { reservation: B256, amount: BaseUnits },
    /// It was given back.
    Released { reservation: B256 },
    /// Time gave it back.
    ReservationLapsed { reservation: B256 },
    /// It was ended before it was asked for, as messages can overtake each other: nothing is ever held under this name.
    ReservationBarred { reservation: B256, asker: String },
}

/// What came of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// What the fact says.
    Done,
    /// The amendment waits.
    Scheduled {
        /// From when on it may be applied.
        effective_at: UnixSeconds,
    },
    /// A request moved.
    Request {
        /// Where it stands.
        progress: Progress,
        /// What the provider is paid now.
        paid: BaseUnits,
        /// What is available again in the mandate.
        returned: BaseUnits,
    },
    /// A reservation ended.
    Reservation {
        /// What the recipient is paid.
        paid: BaseUnits,
        /// What is available again in the mandate, its windows included.
        returned: BaseUnits,
    },
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
    let Event { at, fact, outcome } = event;
    let corrupt = |why: String| Corrupt { at: *at, why };
    let (book, came) = match (state, fact) {
        (State::Unborn, Fact::Created { creation, token, label }) => born(creation, *token, label, *at),
        (State::Unborn, _) => return Err(corrupt("there is no mandate".to_owned())),
        (State::Live(mut book), fact) => step(&mut book, fact, *at).map(|came| (book, came)),
    }
    .map_err(|refusal| corrupt(refusal.to_string()))?;
    if came == *outcome {
        Ok(State::Live(book))
    } else {
        Err(corrupt(format!("{came:?} comes of it, not {outcome:?}")))
    }
}
