//! A payer's own name for one purchase, bound to the payment that answers for it.
//!
//! ```text
//!            bind                  bind in place of a payment that was never charged
//!  UNBOUND ─────────► BOUND ──┐
//!                       ▲     │
//!                       └─────┘
//! ```
//!
//! A payer that lost an answer may sign again and send the same name. Whatever it signs then, the payment that is bound
//! answers for it: a second one would charge a second time. The binding is on disk before the payment is claimed, and it
//! holds the authorization, so that a request that died in between is taken up by the next one with the same name.
//!
//! A binding does not lapse: a name that was forgotten could be charged for again.

use primitives::{Digest, PaymentId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::Credential;

/// The payment that answers for a name, with everything that is needed to present it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The payment.
    pub payment: PaymentId,
    /// What the facilitator is sent.
    pub authorization: Credential,
    /// From when on the authorization can no longer move money.
    pub valid_before: UnixMillis,
}

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Nobody has used the name.
    #[default]
    Unbound,
    /// The name stands for one request, and one payment answers for it.
    Bound {
        /// SHA-256 of who pays how much for what.
        fingerprint: Digest,
        /// The payment.
        binding: Binding,
    },
}

impl State {
    /// The payment that answers for the name.
    pub const fn binding(&self) -> Option<&Binding> {
        match self {
            Self::Unbound => None,
            Self::Bound { binding, .. } => Some(binding),
        }
    }

    /// The published name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Unbound => "UNBOUND",
            Self::Bound { .. } => "BOUND",
        }
    }
}

/// One request to an identifier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Let this payment answer for the name, unless one does already.
    Bind {
        /// SHA-256 of who pays how much for what.
        fingerprint: Digest,
        /// The payment that was presented.
        binding: Binding,
        /// The payment that shall answer no more: it was refused, and nothing was charged.
        in_place_of: Option<PaymentId>,
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
    /// The name has its request and its payment.
    Bound { fingerprint: Digest, binding: Binding },
    /// Another payment answers from here on.
    Rebound { in_place_of: PaymentId, binding: Binding },
}

/// A name owes nothing to anyone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The name stands for another request.
    Reused,
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Reused => "payment_identifier_reused",
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Reused => formatter.write_str(
                "This payment identifier stands for another request: another payer, route, price or body. Nothing was charged. Use a fresh identifier for this one.",
            ),
        }
    }
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "an identifier's event recorded at {} does not follow", self.at.to_rfc3339())
    }
}

impl core::error::Error for Corrupt {}

/// Judges one command at `now`. No event means that the payment that is bound already answers.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let Command::Bind { fingerprint, binding, in_place_of } = command else { return Ok(Vec::new()) };
    let fact = match state {
        State::Unbound => Fact::Bound { fingerprint, binding },
        State::Bound { fingerprint: bound, .. } if *bound != fingerprint => return Err(Refusal::Reused),
        State::Bound { binding: bound, .. } => match in_place_of {
            // Of many that saw the same payment fail, one is here first; the others find its payment bound.
            Some(failed) if failed == bound.payment && failed != binding.payment => {
                Fact::Rebound { in_place_of: failed, binding }
            }
            Some(_) | None => return Ok(Vec::new()),
        },
    };
    Ok(vec![Event { at: now, fact }])
}

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(state: State, event: &Event) -> Result<State, Corrupt> {
    match (&event.fact, state) {
        (Fact::Bound { fingerprint, binding }, State::Unbound) => {
            Ok(State::Bound { fingerprint: *fingerprint, binding: binding.clone() })
        }
        (Fact::Rebound { in_place_of, binding }, State::Bound { fingerprint, binding: bound })
            if bound.payment == *in_place_of =>
        {
            Ok(State::Bound { fingerprint, binding: binding.clone() })
        }
        (Fact::Bound { .. }, State::Bound { .. })
        | (Fact::Rebound { .. }, State::Unbound | State::Bound { .. }) => Err(Corrupt { at: event.at }),
    }
}

/// What is owed once `event` has led away from `before`.
pub const fn effects(_before: &State, _event: &Event) -> Vec<Effect> {
    Vec::new()
}

/// The next moment at which time alone changes the state: there is none.
pub const fn deadline(_state: &State) -> Option<UnixMillis> {
    None
}
