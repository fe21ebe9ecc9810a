//! How a gate says no.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

/// A refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// As many as are admitted.
    TooMany {
        /// When the next one is admitted.
        retry_at: UnixMillis,
    },
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooMany { .. } => "too_many_registrations",
        }
    }

    /// From when on the same request can succeed, if it ever can.
    pub const fn retry_at(self) -> Option<UnixMillis> {
        match self {
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
            Self::TooMany { retry_at } => write!(
                formatter,
                "As many executors as are admitted were registered from here. Use one of those, or try again at {}.",
                retry_at.to_rfc3339(),
            ),
        }
    }
}
