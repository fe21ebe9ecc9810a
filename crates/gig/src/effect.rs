//! What follows from an event outside the gig, and when time alone changes it.

use primitives::{GigId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::state::State;
use crate::{Event, Fact};

/// What the shell owes the world, once, after the event is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Write the gig into the directory of gigs, from which a lost board is rebuilt.
    Register {
        /// The gig.
        gig_id: GigId,
    },
}

/// What is owed once `event` has led away from `before`.
pub fn effects(before: &State, event: &Event) -> Vec<Effect> {
    match (&event.fact, before) {
        (Fact::Funded { .. }, State::Posted { terms, .. }) => vec![Effect::Register { gig_id: terms.gig_id }],
        _ => Vec::new(),
    }
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
