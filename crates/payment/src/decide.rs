//! The only place where a payment says no.

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Credential, Event, Fact, State, Target, deadline, limits};

/// What the facilitator said, as far as it can be understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the state that each outcome leads to")]
pub enum Outcome {
    /// The money moved.
    Settled { transaction: String, receipt: String },
    /// The money did not move and will not.
    Refused { reason: String, receipt: String },
    /// No answer, or none that says either.
    Unknown { cause: String, transaction: Option<String> },
}

/// One request to a payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the claim")]
pub enum Command {
    /// Bind the authorization to a resource.
    Claim { resource: Digest, target: Target, authorization: Credential, valid_before: UnixMillis },
    /// Nothing was charged and nothing will be: let it go.
    Release { reason: String },
    /// The facilitator is about to be asked.
    Settle,
    /// The facilitator was asked.
    Report(Outcome),
    /// Time has passed.
    Wake,
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The authorization is bound to another resource.
    ClaimedElsewhere,
    /// The payment does not stand where this is possible.
    Unavailable(crate::Lifecycle),
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ClaimedElsewhere => "authorization_already_claimed",
            Self::Unavailable(_) => "payment_unavailable_in_state",
        }
    }

    /// Whether the same request can succeed later.
    pub const fn may_retry(&self) -> bool {
        match self {
            Self::ClaimedElsewhere => false,
            Self::Unavailable(_) => true,
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::ClaimedElsewhere => formatter.write_str(
                "This payment authorization was presented for another request. Sign a new authorization for this one.",
            ),
            Self::Unavailable(lifecycle) => {
                write!(formatter, "This is not possible while the payment is {}.", lifecycle.name())
            }
        }
    }
}

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let facts = match command {
        Command::Claim { resource, target, authorization, valid_before } => {
            claim(state, resource, target, authorization, valid_before)?
        }
        Command::Release { reason } => release(state, reason)?,
        Command::Settle => settle(state)?,
        Command::Report(outcome) => report(state, outcome, now)?,
        Command::Wake => wake(state, now),
    };
    Ok(facts.into_iter().map(|fact| Event { at: now, fact }).collect())
}

fn claim(
    state: &State,
    resource: Digest,
    target: Target,
    authorization: Credential,
    valid_before: UnixMillis,
) -> Result<Vec<Fact>, Refusal> {
    match state.claim() {
        None => Ok(vec![Fact::Claimed { resource, target, authorization, valid_before }]),
        Some(claim) if claim.resource == resource => Ok(Vec::new()),
        Some(_) => Err(Refusal::ClaimedElsewhere),
    }
}

fn release(state: &State, reason: String) -> Result<Vec<Fact>, Refusal> {
    match state {
        State::Unclaimed => Ok(Vec::new()),
        State::Claimed(_) => Ok(vec![Fact::Released { reason }]),
        State::Settling { .. } | State::Settled { .. } | State::Refused { .. } | State::Unknown { .. } => {
            Err(Refusal::Unavailable(state.lifecycle()))
        }
    }
}

fn settle(state: &State) -> Result<Vec<Fact>, Refusal> {
    match state {
        State::Claimed(_) => Ok(vec![Fact::SettlementStarted]),
        State::Unclaimed
        | State::Settling { .. }
        | State::Settled { .. }
        | State::Refused { .. }
        | State::Unknown { .. } => Err(Refusal::Unavailable(state.lifecycle())),
    }
}

fn report(state: &State, outcome: Outcome, now: UnixMillis) -> Result<Vec<Fact>, Refusal> {
    let (lookups, known_transaction) = match state {
        State::Settling { .. } => (0, None),
        State::Unknown { lookups, transaction, .. } => (*lookups, transaction.clone()),
        State::Settled { .. } | State::Refused { .. } => return late_answer(state, &outcome),
        State::Unclaimed | State::Claimed(_) => return Err(Refusal::Unavailable(state.lifecycle())),
    };
    Ok(vec![match outcome {
        Outcome::Settled { transaction, receipt } => Fact::Settled { transaction, receipt },
        Outcome::Refused { reason, receipt } => Fact::Refused { reason, receipt },
        Outcome::Unknown { cause, transaction } => Fact::OutcomeUnknown {
            cause,
            transaction: transaction.or(known_transaction),
            next_lookup_at: now.plus(pause(lookups)),
        },
    }])
}

/// A second answer to a question that is answered. The first stands (P4); one that contradicts it is refused, so that it
/// shows in the log instead of vanishing.
fn late_answer(state: &State, outcome: &Outcome) -> Result<Vec<Fact>, Refusal> {
    let contradicts = match outcome {
        Outcome::Settled { .. } => matches!(state, State::Refused { .. }),
        Outcome::Refused { .. } => matches!(state, State::Settled { .. }),
        Outcome::Unknown { .. } => false,
    };
    if contradicts { Err(Refusal::Unavailable(state.lifecycle())) } else { Ok(Vec::new()) }
}

/// How long to wait after `lookups` looks: doubling, bounded.
fn pause(lookups: u32) -> primitives::Millis {
    let factor = 1_u64.checked_shl(lookups.min(16)).unwrap_or(u64::MAX);
    let millis = limits::LOOKUP_PAUSE_MIN.0.saturating_mul(factor);
    primitives::Millis(millis.min(limits::LOOKUP_PAUSE_MAX.0))
}

fn wake(state: &State, now: UnixMillis) -> Vec<Fact> {
    if deadline(state).is_none_or(|deadline| now < deadline) {
        return Vec::new();
    }
    match state {
        State::Unclaimed | State::Settled { .. } | State::Refused { .. } => Vec::new(),
        State::Claimed(_) => vec![Fact::Released { reason: "claim_lapsed".to_owned() }],
        State::Settling { .. } => {
            let cause = "interrupted".to_owned();
            vec![
                Fact::OutcomeUnknown { cause, transaction: None, next_lookup_at: now },
                Fact::LookupStarted { next_lookup_at: now.plus(limits::SETTLEMENT_WAIT) },
            ]
        }
        // Should the look itself be lost with its process, the next one follows after the wait.
        State::Unknown { .. } => {
            vec![Fact::LookupStarted { next_lookup_at: now.plus(limits::SETTLEMENT_WAIT) }]
        }
    }
}
