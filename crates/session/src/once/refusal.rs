//! How used keys say no.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

use crate::limits;

/// A refusal; of several, the first in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The signature's time is over.
    Expired,
    /// The signature is good for longer than its key would be kept.
    TooLong,
    /// The key was used.
    Reused,
    /// As many keys as are kept.
    TooMany {
        /// From here on some are forgotten.
        retry_at: UnixMillis,
    },
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Expired => "signature_expired",
            Self::TooLong => "signature_too_long",
            Self::Reused => "signature_reused",
            Self::TooMany { .. } => "too_many_signatures",
        }
    }

    /// From when on the same request can succeed, if it ever can.
    pub const fn retry_at(self) -> Option<UnixMillis> {
        match self {
            Self::Expired | Self::TooLong | Self::Reused => None,
            Self::TooMany { retry_at } => Some(retry_at),
        }
    }

    /// Whether the same request can succeed later.
    pub const fn may_retry(self) -> bool {
        self.retry_at().is_some()
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Expired => formatter.write_str("This signature's time is over. Sign the request again."),
            Self::TooLong => {
                let minutes = limits::HORIZON.0 / 60_000;
                write!(
                    formatter,
                    "This signature is good for more than {minutes} minutes. Sign for a shorter time."
                )
            }
            Self::Reused => formatter.write_str(
                "This signature, or its nonce, was used before. Sign each request anew, with a fresh nonce.",
            ),
            Self::TooMany { retry_at } => write!(
                formatter,
                "You have {} signatures that are still good, which is all that are kept. Try again at {}, and sign for a shorter time.",
                limits::KEYS_MAX,
                retry_at.to_rfc3339(),
            ),
        }
    }
}
