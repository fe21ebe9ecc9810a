//! The keys of one agent's signatures that were used, so that each signature is used once (S10).
//!
//! ```text
//!            use                          every key's end is past
//!  EMPTY ─────────► KEEPING ──┐ use ─────────────────────────────► EMPTY
//!                      ▲      │
//!                      └──────┘
//! ```
//!
//! One object stands for each agent's address, so that an agent can only get in its own way. A key is what two copies of a
//! signature have in common, such as account and nonce; it is live until the signature itself is refused.
//!
//! The state is written whole with each use and holds little: of each key 8 bytes, by the minute in which its end lies.
//! Minutes that are over are dropped with the next use, or all at once when the last one is ([`deadline`]).

mod mark;
mod refusal;

use std::collections::BTreeMap;

use primitives::{Digest, Millis, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::limits;
use mark::{Mark, Marks, mark};
pub use refusal::Refusal;

const MINUTE: Millis = Millis::from_minutes(1);

/// The state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Keys whose end lies before this may have been forgotten.
    forgotten: UnixMillis,
    /// Keys by the minute since 1970 in which their end lies. None is empty.
    minutes: BTreeMap<u64, Marks>,
}

impl Default for State {
    fn default() -> Self {
        Self { forgotten: UnixMillis(0), minutes: BTreeMap::new() }
    }
}

impl State {
    /// How many keys are kept.
    pub fn keys(&self) -> usize {
        self.minutes.values().map(|marks| marks.0.len()).sum()
    }

    /// The published name.
    pub fn name(&self) -> &'static str {
        if self.minutes.is_empty() { "EMPTY" } else { "KEEPING" }
    }

    /// Drops the minutes that are over at `now`; answers whether there were any.
    fn forget(&mut self, now: UnixMillis) -> bool {
        let kept = self.minutes.split_off(&minute(now));
        let dropped = core::mem::replace(&mut self.minutes, kept);
        let Some(last) = dropped.last_key_value().map(|(last, _)| *last) else { return false };
        self.forgotten = end(last);
        true
    }
}

/// The minute in which a moment lies.
const fn minute(at: UnixMillis) -> u64 {
    at.0 / MINUTE.0
}

/// The moment at which a minute is over.
const fn end(minute: u64) -> UnixMillis {
    UnixMillis(minute.saturating_mul(MINUTE.0)).plus(MINUTE)
}

/// One request to an agent's keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Use a key. Whoever hears no refusal may act on the signature, once, and nobody else may.
    Use {
        /// SHA-256 of the key.
        key: Digest,
        /// From here on the signature is refused anyway.
        until: UnixMillis,
    },
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
#[expect(missing_docs, reason = "the fields are those of the command")]
pub enum Fact {
    /// The key is used. What is over by then is forgotten.
    Used { key: Digest, until: UnixMillis },
    /// All was over and is forgotten.
    Swept,
}

/// Used keys owe nothing to anyone.
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
        write!(formatter, "an event of used keys recorded at {} does not follow", self.at.to_rfc3339())
    }
}

impl core::error::Error for Corrupt {}

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let fact = match command {
        Command::Use { key, until } => {
            check(state, &key, until, now)?;
            Some(Fact::Used { key, until })
        }
        Command::Wake => deadline(state).filter(|at| *at <= now).map(|_| Fact::Swept),
    };
    Ok(fact.into_iter().map(|fact| Event { at: now, fact }).collect())
}

fn check(state: &State, key: &Digest, until: UnixMillis, now: UnixMillis) -> Result<(), Refusal> {
    if until <= now || until < state.forgotten {
        return Err(Refusal::Expired);
    }
    if until > now.plus(limits::HORIZON) {
        return Err(Refusal::TooLong);
    }
    // What a use would drop first does not count, so that no answer depends on when it is dropped.
    let (mark, mut live, mut room_at) = (mark(key), 0_usize, None);
    for (minute, marks) in state.minutes.range(minute(now)..) {
        if marks.0.contains(&mark) {
            return Err(Refusal::Reused);
        }
        live = live.saturating_add(marks.0.len());
        room_at = room_at.or(Some(end(*minute)));
    }
    match room_at {
        Some(retry_at) if live >= limits::KEYS_MAX => Err(Refusal::TooMany { retry_at }),
        Some(_) | None => Ok(()),
    }
}

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(mut state: State, event: &Event) -> Result<State, Corrupt> {
    let dropped = state.forget(event.at);
    let follows = match &event.fact {
        Fact::Used { key, until } => keep(&mut state, mark(key), *until),
        Fact::Swept => dropped && state.minutes.is_empty(),
    };
    if follows { Ok(state) } else { Err(Corrupt { at: event.at }) }
}

/// Keeps a mark that is new; answers whether it was.
fn keep(state: &mut State, mark: Mark, until: UnixMillis) -> bool {
    let is_new = until >= state.forgotten && !state.minutes.values().any(|marks| marks.0.contains(&mark));
    if is_new {
        state.minutes.entry(minute(until)).or_default().0.push(mark);
    }
    is_new
}

/// What is owed once `event` has led away from `before`.
pub const fn effects(_before: &State, _event: &Event) -> Vec<Effect> {
    Vec::new()
}

/// When everything that is kept is over: one alarm for each time that an agent falls silent.
pub fn deadline(state: &State) -> Option<UnixMillis> {
    state.minutes.last_key_value().map(|(last, _)| end(*last))
}
