//! How a name says no.

use serde::{Deserialize, Serialize};

use crate::{End, limits};

/// A refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The nonce is not the one that was asked for last, or it is to sign in without having been presented.
    NonceUnknown,
    /// The nonce was presented before.
    NonceUsed,
    /// As many nonces as one name may have.
    TooManyChallenges,
    /// The name is a session.
    AlreadySignedIn,
    /// The name is no session.
    NotSignedIn,
    /// A session would begin under a name that is in use.
    NameUsed,
    /// The name opens nothing.
    Ended(End),
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NonceUnknown => "nonce_unknown",
            Self::NonceUsed => "nonce_used",
            Self::TooManyChallenges => "too_many_challenges",
            Self::AlreadySignedIn => "already_signed_in",
            Self::NotSignedIn => "not_signed_in",
            Self::NameUsed => "session_name_used",
            Self::Ended(End::SignedOut) => "session_signed_out",
            Self::Ended(End::Revoked) => "session_revoked",
            Self::Ended(End::Expired) => "session_expired",
            Self::Ended(End::Rotated { .. }) => "session_rotated",
        }
    }

    /// Whether the same request can succeed later. None can: a nonce does not come back, nor does a name.
    pub const fn may_retry(self) -> bool {
        match self {
            Self::NonceUnknown
            | Self::NonceUsed
            | Self::TooManyChallenges
            | Self::AlreadySignedIn
            | Self::NotSignedIn
            | Self::NameUsed
            | Self::Ended(_) => false,
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::NonceUnknown => {
                "This nonce is not the one that you were asked to sign last. Ask for a nonce and sign that one."
            }
            Self::NonceUsed => "This nonce was presented before, and each is good for one try. Ask for another one.",
            Self::TooManyChallenges => {
                let most = limits::CHALLENGES_MAX;
                return write!(formatter, "You have asked for {most} nonces. Start anew without this cookie.");
            }
            Self::AlreadySignedIn => "You are signed in. Sign out first to sign in again.",
            Self::NotSignedIn => "You are not signed in. Ask for a nonce and sign in with it.",
            Self::NameUsed => "This name is in use. Begin the session under the digest of a fresh secret.",
            Self::Ended(End::SignedOut) => "You have signed out. Sign in again.",
            Self::Ended(End::Revoked) => "This session was revoked. Sign in again.",
            Self::Ended(End::Expired) => "This session or sign-in took too long and is over. Sign in again.",
            Self::Ended(End::Rotated { .. }) => {
                "You have signed in with this cookie, and your session has another one. Use that, or sign in again."
            }
        })
    }
}
