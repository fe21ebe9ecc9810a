//! What has happened to a settlement: the journal's format, and how each event moves the state.

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Asker, Bytes, Calls, Cause, Inclusion, Lifecycle, Order, Pursuit, State, Terms, Tier, limits};

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
#[expect(missing_docs, reason = "the fields are those of the command or sighting that caused the event")]
pub enum Fact {
    /// Asked to settle; the relayer is owed the job.
    Started { fingerprint: Digest, asker: Asker, terms: Box<Terms> },
    /// The relayer did not take the job.
    Declined { reason: String },
    /// The relayer has signed a transaction.
    Announced { hash: String, raw: Bytes },
    /// The chain is about to be looked at. Whoever reads this in a step's events looks.
    LookStarted { next_look_at: UnixMillis },
    /// A transaction of our own is mined and moved nothing.
    Reverted { transaction: String },
    /// The transfer stands in a block.
    Transferred { inclusion: Inclusion, tier: Tier },
    /// Its block has become harder to undo.
    Confirmed { tier: Tier },
    /// The block that showed a transfer, or a transaction of our own, has left the chain.
    Reorged,
    /// The authorization can never make this transfer.
    Failed { cause: Cause, transaction: Option<String> },
    /// The block did not become final in all the time that it was watched.
    WatchEnded,
    /// The asker without a key that began it is about to be told that it is settled.
    Collected,
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
    /// Where the settlement stood.
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
    let corrupt = Corrupt { at: event.at, lifecycle: state.lifecycle() };
    let at = event.at;
    let next = match &event.fact {
        Fact::Started { fingerprint, asker, terms } => {
            let (asker, terms) = (asker.clone(), (**terms).clone());
            let order = Order { fingerprint: *fingerprint, asker, terms, started_at: at };
            started(state, order)
        }
        Fact::Declined { reason } => match state {
            State::Underway(pursuit) if pursuit.calls.is_none() => {
                Some(State::Declined { pursuit, reason: reason.clone() })
            }
            State::New
            | State::Declined { .. }
            | State::Underway(_)
            | State::Reverted { .. }
            | State::Transferred { .. }
            | State::Failed { .. } => None,
        },
        Fact::Announced { hash, raw } => announced(state, hash, raw, at),
        Fact::LookStarted { next_look_at } => on_pursuit(state, |pursuit| Pursuit {
            looks: pursuit.looks.saturating_add(1),
            next_look_at: *next_look_at,
            ..pursuit
        }),
        Fact::Reverted { transaction } => not_transferred(state).map(|pursuit| State::Reverted {
            pursuit: pursuit.changed(at),
            transaction: transaction.clone(),
        }),
        Fact::Transferred { inclusion, tier } => not_transferred(state)
            .map(|pursuit| transferred(pursuit.changed(at), inclusion.clone(), *tier, at)),
        Fact::Confirmed { tier } => match state {
            State::Transferred { pursuit, inclusion, tier: reached, .. } if *tier > reached => {
                Some(transferred(pursuit, inclusion, *tier, at))
            }
            State::New
            | State::Declined { .. }
            | State::Underway(_)
            | State::Reverted { .. }
            | State::Transferred { .. }
            | State::Failed { .. } => None,
        },
        Fact::Reorged => reorged(state, at),
        Fact::Failed { cause, transaction } => not_transferred(state).map(|pursuit| State::Failed {
            order: pursuit.order,
            cause: *cause,
            transaction: transaction.clone(),
        }),
        Fact::WatchEnded => watch_ended(state, at),
        Fact::Collected => collected(state, at),
    };
    next.ok_or(corrupt)
}

impl Pursuit {
    /// The same after a change: looks are frequent again.
    fn changed(self, at: UnixMillis) -> Self {
        Self { since: at, next_look_at: at.plus(limits::LOOK_PAUSE_MIN), ..self }
    }
}

/// What was declined is asked anew; what is remembered of it stays.
fn started(state: State, order: Order) -> Option<State> {
    let at = order.started_at;
    match state {
        State::New => {
            let pursuit = Pursuit {
                order,
                calls: None,
                settled_at: None,
                collected_at: None,
                looks: 0,
                since: at,
                next_look_at: at,
            };
            Some(State::Underway(pursuit.changed(at)))
        }
        State::Declined { pursuit, .. } => Some(State::Underway(Pursuit { order, ..pursuit }.changed(at))),
        State::Underway(_) | State::Reverted { .. } | State::Transferred { .. } | State::Failed { .. } => {
            None
        }
    }
}

fn announced(state: State, hash: &str, raw: &Bytes, at: UnixMillis) -> Option<State> {
    let add = |pursuit: Pursuit| {
        let mut hashes = pursuit.calls.map(|calls| calls.hashes).unwrap_or_default();
        if hashes.len() >= limits::TRANSACTIONS_MAX {
            hashes.remove(0);
        }
        hashes.push(hash.to_owned());
        Pursuit { calls: Some(Calls { hashes, raw: raw.clone() }), ..pursuit }
    };
    match state {
        State::Declined { pursuit, .. } | State::Underway(pursuit) => {
            Some(State::Underway(add(pursuit).changed(at)))
        }
        State::New | State::Reverted { .. } | State::Transferred { .. } | State::Failed { .. } => {
            on_pursuit(state, add)
        }
    }
}

/// The same state, with something else noted in its pursuit.
fn on_pursuit(state: State, change: impl FnOnce(Pursuit) -> Pursuit) -> Option<State> {
    match state {
        State::New | State::Failed { .. } => None,
        State::Declined { pursuit, reason } => Some(State::Declined { pursuit: change(pursuit), reason }),
        State::Underway(pursuit) => Some(State::Underway(change(pursuit))),
        State::Reverted { pursuit, transaction } => {
            Some(State::Reverted { pursuit: change(pursuit), transaction })
        }
        State::Transferred { pursuit, inclusion, tier, watch_ended_at } => {
            Some(State::Transferred { pursuit: change(pursuit), inclusion, tier, watch_ended_at })
        }
    }
}

/// The pursuit of a settlement whose transfer is not known to stand, nor to be impossible.
fn not_transferred(state: State) -> Option<Pursuit> {
    match state {
        State::Declined { pursuit, .. } | State::Underway(pursuit) | State::Reverted { pursuit, .. } => {
            Some(pursuit)
        }
        State::New | State::Transferred { .. } | State::Failed { .. } => None,
    }
}

fn transferred(mut pursuit: Pursuit, inclusion: Inclusion, tier: Tier, at: UnixMillis) -> State {
    if tier >= pursuit.order.terms.tier {
        pursuit.settled_at = pursuit.settled_at.or(Some(at));
    }
    State::Transferred { pursuit, inclusion, tier, watch_ended_at: None }
}

fn reorged(state: State, at: UnixMillis) -> Option<State> {
    match state {
        State::Reverted { pursuit, .. }
        | State::Transferred { pursuit, tier: Tier::Included | Tier::Safe, .. } => {
            Some(State::Underway(pursuit.changed(at)))
        }
        State::New
        | State::Declined { .. }
        | State::Underway(_)
        | State::Transferred { tier: Tier::Final, .. }
        | State::Failed { .. } => None,
    }
}

fn watch_ended(state: State, at: UnixMillis) -> Option<State> {
    match state {
        State::Transferred { pursuit, inclusion, tier, watch_ended_at: None } => {
            Some(State::Transferred { pursuit, inclusion, tier, watch_ended_at: Some(at) })
        }
        State::New
        | State::Declined { .. }
        | State::Underway(_)
        | State::Reverted { .. }
        | State::Transferred { .. }
        | State::Failed { .. } => None,
    }
}

fn collected(state: State, at: UnixMillis) -> Option<State> {
    let is_settled = state.lifecycle() == Lifecycle::Settled;
    match state {
        State::Transferred { mut pursuit, inclusion, tier, watch_ended_at }
            if is_settled && pursuit.order.asker == Asker::Anonymous && pursuit.collected_at.is_none() =>
        {
            pursuit.collected_at = Some(at);
            Some(State::Transferred { pursuit, inclusion, tier, watch_ended_at })
        }
        State::New
        | State::Declined { .. }
        | State::Underway(_)
        | State::Reverted { .. }
        | State::Transferred { .. }
        | State::Failed { .. } => None,
    }
}
