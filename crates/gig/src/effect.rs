//! What follows from an event outside the gig, and when time alone changes it.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::Event;
use crate::state::State;

/// What the shell owes the world, once, after an event is on disk. A gig owes nothing yet: its row on the board is a
/// projection of its state, and its sockets are its own. A bounty will be owed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {}

/// What is owed once `event` has led away from `before`.
pub const fn effects(_before: &State, _event: &Event) -> Vec<Effect> {
    Vec::new()
}

/// The next moment at which time alone changes the gig; `None` once it is over (G10).
pub fn deadline(state: &State) -> Option<UnixMillis> {
    match state {
        State::Unposted | State::NeverFunded { .. } | State::Ended { .. } => None,
        State::Posted { fund_by, .. } => Some(*fund_by),
        State::Discoverable(gig) | State::Claimed { gig, .. } | State::InProgress { gig, .. } => {
            Some(gig.expires_at)
        }
        State::TunnelGranted { gig, claim_expires_at, .. } => Some(gig.expires_at.min(*claim_expires_at)),
        State::Delivered { gig, review_until, .. } => Some(gig.expires_at.min(*review_until)),
        // Never at rest here: the next event is recorded with this one.
        State::Completed { gig, .. } => Some(gig.updated_at),
    }
}
