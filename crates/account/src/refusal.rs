//! How an account says no.

use serde::{Deserialize, Serialize};

use crate::limits;

/// A refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The agent has no name.
    UnknownAgent,
    /// As many agents as are kept have a name.
    TooManyAgents,
    /// There is no such draft.
    UnknownDraft,
    /// The id stands for a draft that was asked for in other words.
    KeyReused,
    /// As many drafts as are kept.
    TooManyDrafts,
    /// The draft has another version than the one that was seen.
    VersionConflict {
        /// Its version.
        version: u32,
    },
}

impl Refusal {
    /// Stable, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::UnknownAgent => "unknown_agent",
            Self::TooManyAgents => "too_many_agents",
            Self::UnknownDraft => "unknown_draft",
            Self::KeyReused => "idempotency_key_reused",
            Self::TooManyDrafts => "too_many_drafts",
            Self::VersionConflict { .. } => "version_conflict",
        }
    }

    /// Whether the same request can succeed later. None does before something else is done.
    pub const fn may_retry(self) -> bool {
        match self {
            Self::UnknownAgent
            | Self::TooManyAgents
            | Self::UnknownDraft
            | Self::KeyReused
            | Self::TooManyDrafts
            | Self::VersionConflict { .. } => false,
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::UnknownAgent => formatter.write_str("You have given this agent no name. Take one from the list of yours."),
            Self::TooManyAgents => {
                let most = limits::AGENTS_MAX;
                write!(formatter, "You have names for {most} agents, which is all that are kept. Remove one first.")
            }
            Self::UnknownDraft => formatter.write_str("You have no such draft. Take one from the list of yours."),
            Self::KeyReused => formatter.write_str(
                "You have made a draft under this idempotency key that says something else. Send this one under a fresh \
                 key, or change that one.",
            ),
            Self::TooManyDrafts => {
                let most = limits::DRAFTS_MAX;
                write!(formatter, "You have {most} drafts, which is all that are kept. Delete one first.")
            }
            Self::VersionConflict { version } => write!(
                formatter,
                "The draft was changed since you read it and is at version {version}. Read it again and repeat what you \
                 still want."
            ),
        }
    }
}
