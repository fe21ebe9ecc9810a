//! When time alone changes the mirror. Most waits are ended by the chain instead.

use alloy_primitives::B256;
use primitives::{Millis, UnixMillis};

use super::{Ask, Errand, Mirror, Next, Stage, State, limits};
use crate::{Request, UnixSeconds};

/// The next moment at which time alone changes the mirror; `None` when it waits for the chain, or for nothing. It has passed
/// when one command could not record all that time has done.
pub fn deadline(state: &State) -> Option<UnixMillis> {
    dues(state.mirror()?).map(|(due, _)| due).min()
}

/// The requests with which time does something by `now`, the earliest first and at most [`limits::STEPS`] of them.
pub(super) fn overdue(mirror: &Mirror, now: UnixMillis) -> Vec<B256> {
    let mut due: Vec<_> = dues(mirror).filter(|(due, _)| *due <= now).collect();
    due.sort();
    due.into_iter().take(limits::STEPS).map(|(_, payment)| payment).collect()
}

/// When the wait of a request for its owner ends.
pub(super) fn queue_end(request: &Request, now: UnixSeconds) -> UnixSeconds {
    request.valid_before.min(request.deliver_by).min(now.plus(limits::APPROVAL_WAIT))
}

/// Whatever the chain has told of is its own.
fn dues(mirror: &Mirror) -> impl Iterator<Item = (UnixMillis, B256)> {
    let ours = mirror.asks.iter().filter(|(payment, _)| !mirror.tip.mandate.payments.contains_key(*payment));
    ours.filter_map(|(payment, ask)| Some((due(ask)?, *payment)))
}

fn due(ask: &Ask) -> Option<UnixMillis> {
    match &ask.stage {
        Stage::Waiting { until } => Some(millis(*until)),
        Stage::Underway(errand) | Stage::Cancelling { errand, .. } => Some(errand.next_at),
        Stage::Approved | Stage::Failed { .. } => None,
    }
}

pub(super) const fn millis(moment: UnixSeconds) -> UnixMillis {
    UnixMillis(moment.0.saturating_mul(1_000))
}

impl Errand {
    /// One that begins now.
    pub(super) const fn new(now: UnixMillis) -> Self {
        Self { since: now, next: Next::Look, next_at: now, transactions: Vec::new() }
    }

    /// What time does next, after a pause that is as long as the errand has taken; bounded.
    pub(super) fn then(&mut self, next: Next, now: UnixMillis) {
        let age = now.since(self.since).0;
        self.next = next;
        self.next_at = now.plus(Millis(age.clamp(limits::PAUSE_MIN.0, limits::PAUSE_MAX.0)));
    }
}
