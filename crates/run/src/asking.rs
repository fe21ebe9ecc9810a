//! A question to a port, which is asked again for a while.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};

/// How far a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asking {
    /// How often it was asked.
    pub(crate) attempt: u32,
    pub(crate) wait: Wait,
}

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Wait {
    /// Nothing: it is to be asked.
    Nothing,
    /// The answer, since then.
    Answer(UnixMillis),
    /// The moment at which it is asked again.
    Again(UnixMillis),
    /// Nothing: it is not asked again.
    Over,
}

impl Asking {
    /// A question that nobody has asked yet.
    pub(crate) const NEW: Self = Self { attempt: 0, wait: Wait::Nothing };

    /// Whether it can be asked, for this time.
    pub(crate) fn may_be(&self, attempt: u32) -> bool {
        let is_next = attempt == self.attempt.saturating_add(1);
        is_next && matches!(self.wait, Wait::Nothing | Wait::Again(_))
    }

    /// Whether the answer to this attempt is waited for.
    pub(crate) const fn awaits(&self, attempt: u32) -> bool {
        self.attempt == attempt && matches!(self.wait, Wait::Answer(_))
    }

    pub(crate) const fn asked(attempt: u32, at: UnixMillis) -> Self {
        Self { attempt, wait: Wait::Answer(at) }
    }

    /// It came to nothing.
    pub(crate) fn failed(&self, again_at: Option<UnixMillis>) -> Self {
        Self { attempt: self.attempt, wait: again_at.map_or(Wait::Over, Wait::Again) }
    }
}
