//! How a settlement says no.

use serde::{Deserialize, Serialize};

use crate::{Lifecycle, limits};

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The authorization serves another request.
    Other,
    /// The settlement does not stand where this is possible.
    Unavailable(Lifecycle),
    /// That it is settled is not told to this asker: another began it, or it was told once, which is all without a key.
    Collected,
    /// The asker's key is longer than [`limits::KEY_BYTES`].
    KeyTooLong,
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Other => "authorization_used_by_another_request",
            Self::Unavailable(_) => "settlement_unavailable_in_state",
            Self::Collected => "duplicate_settlement",
            Self::KeyTooLong => "key_too_long",
        }
    }

    /// Whether the same request can succeed later. None can: what the authorization serves does not change, nor who began
    /// it, and the relayer's word that comes where it cannot be true does not become true. Who collects too early waits
    /// for the outcome first.
    pub const fn may_retry(&self) -> bool {
        match self {
            Self::Other | Self::Unavailable(_) | Self::Collected | Self::KeyTooLong => false,
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Other => formatter.write_str(
                "This authorization is used by another request. Sign a new authorization for this one.",
            ),
            Self::Unavailable(lifecycle) => {
                write!(formatter, "This is not possible while the settlement is {}.", lifecycle.name())
            }
            Self::Collected => formatter.write_str(
                "This payment is settled, and whoever began its settlement is told so, once without a key. Deliver nothing \
                 more for it. To be told as often as you ask, begin a settlement with a key of your own.",
            ),
            Self::KeyTooLong => {
                let most = limits::KEY_BYTES;
                write!(formatter, "This key is too long. Ask with one of at most {most} bytes.")
            }
        }
    }
}
