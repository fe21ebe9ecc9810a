//! Where a payment stands.

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

/// What the facilitator is sent, word for word, with the payer's signature in it. Its `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Credential(pub String);

impl core::fmt::Debug for Credential {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("Credential(…)")
    }
}

/// What a payment is for: the object that is told of its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The kind of object, such as `gig`.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// One authorization, bound to one resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// SHA-256 of what is bought: method, path, body and tenant.
    pub resource: Digest,
    /// Who is told of the outcome.
    pub target: Target,
    /// What the facilitator is sent.
    pub authorization: Credential,
    /// From when on the authorization can no longer move money.
    pub valid_before: UnixMillis,
    /// When it was claimed.
    pub claimed_at: UnixMillis,
}

/// The published name of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the state picture of the crate says what each is")]
pub enum Lifecycle {
    Unclaimed,
    Claimed,
    Settling,
    Settled,
    Refused,
    Unknown,
}

impl Lifecycle {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unclaimed => "UNCLAIMED",
            Self::Claimed => "CLAIMED",
            Self::Settling => "SETTLING",
            Self::Settled => "SETTLED",
            Self::Refused => "REFUSED",
            Self::Unknown => "UNKNOWN",
        }
    }
}

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Nobody has presented the authorization, or it was released uncharged.
    #[default]
    Unclaimed,
    /// Bound to a resource; no money can have moved.
    Claimed(Claim),
    /// The facilitator is being asked.
    Settling {
        /// The claim.
        claim: Claim,
        /// When the question was recorded.
        since: UnixMillis,
    },
    /// Final: the money moved.
    Settled {
        /// The claim.
        claim: Claim,
        /// The transaction.
        transaction: String,
        /// The facilitator's answer as JSON text, for receipts.
        receipt: String,
    },
    /// Final: the money did not move and will not.
    Refused {
        /// The claim.
        claim: Claim,
        /// The facilitator's reason code.
        reason: String,
        /// The facilitator's answer as JSON text.
        receipt: String,
    },
    /// The outcome is not known.
    Unknown {
        /// The claim.
        claim: Claim,
        /// Why not, such as `timeout` or `settlement_pending`.
        cause: String,
        /// The transaction that was named, if one was.
        transaction: Option<String>,
        /// How often it was looked up.
        lookups: u32,
        /// When it is looked up next.
        next_lookup_at: UnixMillis,
    },
}

impl State {
    /// The published name.
    pub const fn lifecycle(&self) -> Lifecycle {
        match self {
            Self::Unclaimed => Lifecycle::Unclaimed,
            Self::Claimed(_) => Lifecycle::Claimed,
            Self::Settling { .. } => Lifecycle::Settling,
            Self::Settled { .. } => Lifecycle::Settled,
            Self::Refused { .. } => Lifecycle::Refused,
            Self::Unknown { .. } => Lifecycle::Unknown,
        }
    }

    /// The claim, in every state that has one.
    pub const fn claim(&self) -> Option<&Claim> {
        match self {
            Self::Unclaimed => None,
            Self::Claimed(claim)
            | Self::Settling { claim, .. }
            | Self::Settled { claim, .. }
            | Self::Refused { claim, .. }
            | Self::Unknown { claim, .. } => Some(claim),
        }
    }
}
