//! What follows from a look at the chain.

use crate::{Cause, Fact, Inclusion, Sighting, State, Tier, Window};

/// What follows from what the look of that number saw. Nothing if a later one was started, which will know better, or
/// if the outcome is final.
pub(crate) fn see(state: &State, look: u32, sighting: Sighting) -> Vec<Fact> {
    if state.unfinished().is_none_or(|pursuit| pursuit.looks != look) {
        return Vec::new();
    }
    match sighting {
        Sighting::Transferred { inclusion, tier } => transferred(state, inclusion, tier),
        Sighting::UsedOtherwise { transaction, tier } => used_otherwise(state, transaction, tier),
        Sighting::Unused { mined, window } => unused(state, mined, window),
    }
}

fn transferred(state: &State, inclusion: Inclusion, tier: Tier) -> Vec<Fact> {
    match state {
        State::Transferred { inclusion: known, tier: reached, .. } if *known == inclusion => {
            // A node that lags behind may call the block less than another did.
            if tier > *reached { vec![Fact::Confirmed { tier }] } else { Vec::new() }
        }
        State::Transferred { .. } => vec![Fact::Reorged, Fact::Transferred { inclusion, tier }],
        State::New
        | State::Declined { .. }
        | State::Underway(_)
        | State::Reverted { .. }
        | State::Failed { .. } => vec![Fact::Transferred { inclusion, tier }],
    }
}

fn used_otherwise(state: &State, transaction: String, tier: Tier) -> Vec<Fact> {
    let undone = matches!(state, State::Transferred { .. }).then_some(Fact::Reorged);
    // Below final, the block in which it was used may leave the chain, and the transfer be made after all.
    let failed = (tier == Tier::Final)
        .then_some(Fact::Failed { cause: Cause::UsedOtherwise, transaction: Some(transaction) });
    undone.into_iter().chain(failed).collect()
}

fn unused(state: &State, mined: Option<String>, window: Window) -> Vec<Fact> {
    let known = match state {
        State::Reverted { transaction, .. } => Some(transaction),
        State::New
        | State::Declined { .. }
        | State::Underway(_)
        | State::Transferred { .. }
        | State::Failed { .. } => None,
    };
    let still_reverted = known.is_some() && known == mined.as_ref();
    let is_undone = matches!(state, State::Transferred { .. }) || (known.is_some() && !still_reverted);
    let undone = is_undone.then_some(Fact::Reorged);
    let outcome = match (window, mined) {
        (Window::Closed, None) => Some(Fact::Failed { cause: Cause::Expired, transaction: None }),
        (Window::Closed, mined) => Some(Fact::Failed { cause: Cause::Reverted, transaction: mined }),
        (Window::Open, Some(transaction)) if !still_reverted => Some(Fact::Reverted { transaction }),
        (Window::Open, _) => None,
    };
    undone.into_iter().chain(outcome).collect()
}
