//! What has happened to a name: the journal's format, and how each event moves the state.

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Account, Challenge, End, Lifecycle, Session, State};

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
#[expect(missing_docs, reason = "the fields are those of the command or state that each belongs to")]
pub enum Fact {
    /// A visitor is asked to sign a nonce, in place of any before it.
    Challenged { nonce: Digest, until: UnixMillis },
    /// The nonce came back.
    Presented,
    /// Its message is the account's, whose session has another name.
    SignedIn { account: Account, successor: Digest },
    /// The name is the session of an account that signed in under another name.
    Begun { account: Account, since: UnixMillis },
    /// The session was used.
    Visited,
    /// The holder left.
    SignedOut,
    /// It was closed.
    Revoked,
    /// Its time was over.
    Expired,
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
    /// Where the name stood.
    pub lifecycle: Lifecycle,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let at = self.at.to_rfc3339();
        write!(formatter, "an event recorded at {at} does not follow from {}", self.lifecycle.name())
    }
}

impl core::error::Error for Corrupt {}

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(state: State, event: &Event) -> Result<State, Corrupt> {
    let at = event.at;
    let corrupt = Corrupt { at, lifecycle: state.lifecycle() };
    let expired = state.expired(at);
    let next = match &event.fact {
        Fact::Expired => expired,
        // Whatever else happens after its time follows the event that says so.
        Fact::Challenged { .. }
        | Fact::Presented
        | Fact::SignedIn { .. }
        | Fact::Begun { .. }
        | Fact::Visited
        | Fact::SignedOut
        | Fact::Revoked
            if expired.is_some() =>
        {
            None
        }
        Fact::Challenged { nonce, until } => challenged(&state, *nonce, *until),
        Fact::Presented => match state {
            State::Challenged(challenge) => Some(State::Presented(challenge)),
            State::Unused | State::Presented(_) | State::SignedIn(_) | State::Ended { .. } => None,
        },
        Fact::SignedIn { successor, .. } => match state {
            State::Presented(_) => Some(State::Ended { end: End::Rotated { successor: *successor }, at }),
            State::Unused | State::Challenged(_) | State::SignedIn(_) | State::Ended { .. } => None,
        },
        Fact::Begun { account, since } => match state {
            // However long a beginning was under way, the session counts from the sign-in.
            State::Unused => {
                Some(State::SignedIn(Session { account: *account, since: *since, visited_at: *since }))
            }
            State::Challenged(_) | State::Presented(_) | State::SignedIn(_) | State::Ended { .. } => None,
        },
        Fact::Visited => match state {
            State::SignedIn(session) => Some(State::SignedIn(Session { visited_at: at, ..session })),
            State::Unused | State::Challenged(_) | State::Presented(_) | State::Ended { .. } => None,
        },
        Fact::SignedOut => ended(&state, End::SignedOut, at),
        Fact::Revoked => ended(&state, End::Revoked, at),
    };
    next.ok_or(corrupt)
}

fn challenged(state: &State, nonce: Digest, until: UnixMillis) -> Option<State> {
    let before = match state {
        State::Unused => 0,
        State::Challenged(challenge) | State::Presented(challenge) => challenge.number,
        State::SignedIn(_) | State::Ended { .. } => return None,
    };
    Some(State::Challenged(Challenge { nonce, until, number: before.saturating_add(1) }))
}

const fn ended(state: &State, end: End, at: UnixMillis) -> Option<State> {
    match state {
        State::Unused | State::Challenged(_) | State::Presented(_) | State::SignedIn(_) => {
            Some(State::Ended { end, at })
        }
        State::Ended { .. } => None,
    }
}
