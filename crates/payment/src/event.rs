//! What has happened to a payment: the journal's format, and how each event moves the state.

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Claim, Credential, State, Target, limits};

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
#[expect(missing_docs, reason = "the fields are those of the command or outcome that caused the event")]
pub enum Fact {
    /// Bound to a resource.
    Claimed { resource: Digest, target: Target, authorization: Credential, valid_before: UnixMillis },
    /// Let go, uncharged.
    Released { reason: String },
    /// The facilitator is about to be asked to settle.
    SettlementStarted,
    /// The money moved.
    Settled { transaction: String, receipt: String },
    /// The money did not move and will not.
    Refused { reason: String, receipt: String },
    /// Nobody knows yet.
    OutcomeUnknown { cause: String, transaction: Option<String>, next_lookup_at: UnixMillis },
    /// The facilitator is about to be asked what became of it.
    LookupStarted { next_lookup_at: UnixMillis },
}

/// What the shell owes the world, once, after the event is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Effect {
    /// Tell the target that it is paid for.
    Fulfil { target: Target, claimed_at: UnixMillis, transaction: String },
    /// Tell the target that no payment comes from here.
    Withdraw { target: Target, claimed_at: UnixMillis, reason: String },
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
    /// Where the payment stood.
    pub lifecycle: crate::Lifecycle,
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
    let next = match &event.fact {
        Fact::Claimed { resource, target, authorization, valid_before } => match state {
            State::Unclaimed => Some(State::Claimed(Claim {
                resource: *resource,
                target: target.clone(),
                authorization: authorization.clone(),
                valid_before: *valid_before,
                claimed_at: event.at,
            })),
            State::Claimed(_)
            | State::Settling { .. }
            | State::Settled { .. }
            | State::Refused { .. }
            | State::Unknown { .. } => None,
        },
        Fact::Released { .. } => unsettled(state).map(|_| State::Unclaimed),
        Fact::SettlementStarted => unsettled(state).map(|claim| State::Settling { claim, since: event.at }),
        Fact::Settled { transaction, receipt } => asked(state).map(|claim| State::Settled {
            claim,
            transaction: transaction.clone(),
            receipt: receipt.clone(),
        }),
        Fact::Refused { reason, receipt } => asked(state).map(|claim| State::Refused {
            claim,
            reason: reason.clone(),
            receipt: receipt.clone(),
        }),
        Fact::OutcomeUnknown { cause, transaction, next_lookup_at } => {
            let lookups = lookups(&state);
            asked(state).map(|claim| State::Unknown {
                claim,
                cause: cause.clone(),
                transaction: transaction.clone(),
                lookups,
                next_lookup_at: *next_lookup_at,
            })
        }
        Fact::LookupStarted { next_lookup_at } => looked_up(state, *next_lookup_at),
    };
    next.ok_or(corrupt)
}

/// The claim of a payment whose settlement has not started.
fn unsettled(state: State) -> Option<Claim> {
    match state {
        State::Claimed(claim) => Some(claim),
        State::Unclaimed
        | State::Settling { .. }
        | State::Settled { .. }
        | State::Refused { .. }
        | State::Unknown { .. } => None,
    }
}

/// The claim of a payment that waits for an answer.
fn asked(state: State) -> Option<Claim> {
    match state {
        State::Settling { claim, .. } | State::Unknown { claim, .. } => Some(claim),
        State::Unclaimed | State::Claimed(_) | State::Settled { .. } | State::Refused { .. } => None,
    }
}

const fn lookups(state: &State) -> u32 {
    match state {
        State::Unknown { lookups, .. } => *lookups,
        State::Unclaimed
        | State::Claimed(_)
        | State::Settling { .. }
        | State::Settled { .. }
        | State::Refused { .. } => 0,
    }
}

fn looked_up(state: State, next_lookup_at: UnixMillis) -> Option<State> {
    match state {
        State::Unknown { claim, cause, transaction, lookups, .. } => {
            let lookups = lookups.saturating_add(1);
            Some(State::Unknown { claim, cause, transaction, lookups, next_lookup_at })
        }
        State::Unclaimed
        | State::Claimed(_)
        | State::Settling { .. }
        | State::Settled { .. }
        | State::Refused { .. } => None,
    }
}

/// What is owed once `event` has led away from `before` (P5).
pub fn effects(before: &State, event: &Event) -> Vec<Effect> {
    let Some(claim) = before.claim() else { return Vec::new() };
    let (target, claimed_at) = (claim.target.clone(), claim.claimed_at);
    match &event.fact {
        Fact::Settled { transaction, .. } => {
            vec![Effect::Fulfil { target, claimed_at, transaction: transaction.clone() }]
        }
        Fact::Refused { reason, .. } | Fact::Released { reason } => {
            vec![Effect::Withdraw { target, claimed_at, reason: reason.clone() }]
        }
        Fact::Claimed { .. }
        | Fact::SettlementStarted
        | Fact::OutcomeUnknown { .. }
        | Fact::LookupStarted { .. } => Vec::new(),
    }
}

/// The next moment at which time alone changes the payment; `None` when nothing is pending (P6).
pub fn deadline(state: &State) -> Option<UnixMillis> {
    match state {
        State::Unclaimed | State::Settled { .. } | State::Refused { .. } => None,
        State::Claimed(claim) => Some(claim.claimed_at.plus(limits::CLAIM_LIFETIME)),
        State::Settling { since, .. } => Some(since.plus(limits::SETTLEMENT_WAIT)),
        State::Unknown { next_lookup_at, .. } => Some(*next_lookup_at),
    }
}
