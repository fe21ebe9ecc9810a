//! What a name owes the world, and when time changes it.

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Account, Event, Fact, State, limits};

/// What the shell owes the world, once, after the event is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Tell the session of that name to begin, with [`crate::Command::Begin`]. A refusal there settles it as well: the
    /// session was signed out or revoked before it began.
    Begin {
        /// The name.
        session: Digest,
        /// Whose it is.
        account: Account,
        /// When the account signed in.
        since: UnixMillis,
    },
}

/// What is owed once `event` has led away from `before` (V3, V8).
pub fn effects(_before: &State, event: &Event) -> Vec<Effect> {
    match &event.fact {
        Fact::SignedIn { account, successor } => {
            vec![Effect::Begin { session: *successor, account: *account, since: event.at }]
        }
        Fact::Challenged { .. }
        | Fact::Presented
        | Fact::Begun { .. }
        | Fact::Visited
        | Fact::SignedOut
        | Fact::Revoked
        | Fact::Expired => Vec::new(),
    }
}

/// From when on nothing need be kept of a name that has ended. Anybody can have names made, so what has ended is not kept
/// for ever; and a beginning that is still under way to it counts for nothing once it lies back longer than a session may
/// be idle, so that until then the name must say no. `None` for a name that has not ended.
pub fn forgettable_from(state: &State) -> Option<UnixMillis> {
    match state {
        State::Ended { at, .. } => Some(at.plus(limits::IDLE_MAX)),
        State::Unused | State::Challenged(_) | State::Presented(_) | State::SignedIn(_) => None,
    }
}

/// The next moment at which time alone changes the state; `None` when nothing is pending (V7).
pub fn deadline(state: &State) -> Option<UnixMillis> {
    match state {
        State::Unused | State::Ended { .. } => None,
        State::Challenged(challenge) | State::Presented(challenge) => Some(challenge.until),
        State::SignedIn(session) => Some(session.until()),
    }
}
