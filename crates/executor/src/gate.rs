//! How many executors may be registered from one source.
//!
//! ```text
//!          admit                                  a day after the last one
//!  EMPTY ─────────► COUNTING ──┐ admit ───────────────────────────────────► EMPTY
//!                       ▲      │
//!                       └──────┘
//! ```
//!
//! Anybody may register an executor, and each costs an object. One gate stands for each source, such as a network address,
//! so that a source can only get in its own way. What counts is kept to the millisecond, so that no two windows that touch
//! let through twice as many.

mod refusal;

use std::collections::VecDeque;

use primitives::{Millis, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::limits::REGISTRATIONS;
pub use refusal::Refusal;

/// The longest span in which registrations are counted.
const LONGEST: Millis = {
    let [_, (_, span)] = REGISTRATIONS;
    span
};

/// The state: when registrations were admitted, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct State {
    admitted: VecDeque<UnixMillis>,
}

impl State {
    /// How many moments are kept.
    pub fn admitted(&self) -> usize {
        self.admitted.len()
    }

    /// The published name.
    pub fn name(&self) -> &'static str {
        if self.admitted.is_empty() { "EMPTY" } else { "COUNTING" }
    }

    /// When the next registration is admitted; nothing if it is now.
    fn closed_until(&self, now: UnixMillis) -> Option<UnixMillis> {
        let ends = REGISTRATIONS.iter().filter_map(|(most, span)| {
            // The last one that must have left the span.
            self.admitted.iter().nth_back(most.saturating_sub(1)).map(|at| at.plus(*span))
        });
        ends.max().filter(|end| now < *end)
    }
}

/// One request to a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Somebody wants to register an executor. Whoever hears no refusal may.
    Admit,
    /// Time has passed.
    Wake,
}

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
pub enum Fact {
    /// A registration was admitted.
    Admitted,
    /// None of those admitted counts any more.
    Swept,
}

/// A gate owes nothing to anyone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "an event of a gate recorded at {} does not follow", self.at.to_rfc3339())
    }
}

impl core::error::Error for Corrupt {}

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let fact = match command {
        Command::Admit => match state.closed_until(now) {
            Some(retry_at) => return Err(Refusal::TooMany { retry_at }),
            None => Some(Fact::Admitted),
        },
        Command::Wake => deadline(state).filter(|at| *at <= now).map(|_| Fact::Swept),
    };
    Ok(fact.into_iter().map(|fact| Event { at: now, fact }).collect())
}

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(mut state: State, event: &Event) -> Result<State, Corrupt> {
    let at = event.at;
    let follows = match event.fact {
        Fact::Admitted => state.closed_until(at).is_none(),
        Fact::Swept => deadline(&state).is_some_and(|over| over <= at),
    };
    state.admitted.retain(|admitted| at < admitted.plus(LONGEST));
    if event.fact == Fact::Admitted {
        // A clock that goes back brings nothing out of order.
        let last = state.admitted.back().copied().unwrap_or(at);
        state.admitted.push_back(at.max(last));
    }
    if follows { Ok(state) } else { Err(Corrupt { at }) }
}

/// What is owed once `event` has led away from `before`.
pub const fn effects(_before: &State, _event: &Event) -> Vec<Effect> {
    Vec::new()
}

/// When nothing that is kept counts any more.
pub fn deadline(state: &State) -> Option<UnixMillis> {
    state.admitted.back().map(|last| last.plus(LONGEST))
}
