//! The ways in which a gig says no.

use crate::{Lifecycle, limits};

/// A refusal of the caller's request. The order is the order of precedence: who asks is judged before what is asked.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Refusal {
    /// No such gig, or none that is on the board.
    UnknownGig,
    /// The grant is not this party's grant in force.
    InvalidGrant,
    /// The grant is bound to another identity.
    IdentityMismatch,
    /// The gig is over or its time is up, and its grants with it.
    GrantExpired,
    /// The grant has opened its socket.
    GrantUsed,
    /// Nobody has claimed the gig yet, so there is no tunnel.
    TunnelInactive,
    /// The message id stands for other terms.
    MessageReused,
    /// Another payment holds the reservation.
    PaymentInProgress,
    /// This payment does not hold the reservation.
    NotReserved,
    /// The buyer cannot work for itself.
    OwnGig,
    /// Another worker has it, or this claim's grant is in use.
    AlreadyClaimed,
    /// The gig is over.
    Ended(Lifecycle),
    /// The gig does not stand where this is possible.
    Unavailable(Lifecycle),
    /// No revision is left.
    RevisionsUsedUp,
    /// No replacement of the grant is left.
    RotationsUsedUp,
}

impl Refusal {
    /// Every refusal, for tables and tests.
    pub const ALL: [Self; 15] = [
        Self::UnknownGig,
        Self::InvalidGrant,
        Self::IdentityMismatch,
        Self::GrantExpired,
        Self::GrantUsed,
        Self::TunnelInactive,
        Self::MessageReused,
        Self::PaymentInProgress,
        Self::NotReserved,
        Self::OwnGig,
        Self::AlreadyClaimed,
        Self::Ended(Lifecycle::Closed),
        Self::Unavailable(Lifecycle::Discoverable),
        Self::RevisionsUsedUp,
        Self::RotationsUsedUp,
    ];

    /// Stable, for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownGig => "gig_not_found",
            Self::InvalidGrant => "invalid_grant",
            Self::IdentityMismatch => "identity_mismatch",
            Self::GrantExpired => "grant_expired",
            Self::GrantUsed => "grant_used",
            Self::TunnelInactive => "tunnel_inactive",
            Self::MessageReused => "message_id_reused",
            Self::PaymentInProgress => "payment_in_progress",
            Self::NotReserved => "not_reserved",
            Self::OwnGig => "own_gig",
            Self::AlreadyClaimed => "already_claimed",
            Self::Ended(_) => "gig_ended",
            Self::Unavailable(_) => "unavailable_in_state",
            Self::RevisionsUsedUp => "revisions_used_up",
            Self::RotationsUsedUp => "rotations_used_up",
        }
    }

    /// Whether the same request can succeed later without another being made first.
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::PaymentInProgress | Self::TunnelInactive)
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let text = match self {
            Self::UnknownGig => {
                "There is no gig with this id on the board. Check the id; find gigs with GET /v1/gigs/discover."
            }
            Self::InvalidGrant => {
                "This bearer grant is not the one in force for this party. Send the newest grant you were issued."
            }
            Self::IdentityMismatch => {
                "This grant is bound to another agent identity. Send the identity that came with the grant."
            }
            Self::GrantExpired => "The gig is over or its time is up, and its grants ended with it.",
            Self::GrantUsed => {
                "This grant has already opened its one socket. Ask POST /v1/gigs/{id}/reconnect for a new one."
            }
            Self::TunnelInactive => {
                "No worker has claimed this gig yet, so it has no tunnel. Try again once it is TUNNEL_GRANTED."
            }
            Self::MessageReused => {
                "This message_id already stands for a gig with other terms. Use a new message_id for a new gig."
            }
            Self::PaymentInProgress => {
                "Another payment for this gig is in progress. Nothing was charged now; ask again in a moment."
            }
            Self::NotReserved => "This payment does not hold the gig's reservation.",
            Self::OwnGig => "The buyer of a gig cannot claim it. Claim with the identity of another agent.",
            Self::AlreadyClaimed => {
                "This gig is taken. If the claim was yours, reconnect with its grant; else pick another gig."
            }
            Self::Ended(lifecycle) => {
                return write!(
                    formatter,
                    "This gig is over ({}). Nothing can change it any more.",
                    lifecycle.name()
                );
            }
            Self::Unavailable(lifecycle) => {
                return write!(
                    formatter,
                    "This is not possible while the gig is {}. Read GET /v1/gigs/{{id}}/status and act from there.",
                    lifecycle.name()
                );
            }
            Self::RevisionsUsedUp => {
                return write!(
                    formatter,
                    "A gig has at most {} revisions and they are used up. Accept, or let the review window pass.",
                    limits::REVISIONS_MAX
                );
            }
            Self::RotationsUsedUp => {
                "This seat's grant was replaced too often; no further replacement is issued for this gig."
            }
        };
        formatter.write_str(text)
    }
}

impl Lifecycle {
    /// The published name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Posted => "POSTED",
            Self::Discoverable => "DISCOVERABLE",
            Self::Claimed => "CLAIMED",
            Self::TunnelGranted => "TUNNEL_GRANTED",
            Self::InProgress => "IN_PROGRESS",
            Self::Delivered => "DELIVERED",
            Self::Completed => "COMPLETED",
            Self::Closed => "CLOSED",
            Self::Cancelled => "CANCELLED",
            Self::Expired => "EXPIRED",
            Self::Failed => "FAILED",
        }
    }
}
