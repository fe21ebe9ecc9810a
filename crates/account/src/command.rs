//! What an account can be asked. Whoever asks is the owner.

use alloy_primitives::Address;
use primitives::Digest;
use serde::{Deserialize, Serialize};

use crate::{Change, Content, DraftId, Name};

/// One request to an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Call an agent by this name, in place of any other.
    Name {
        /// The agent.
        agent: Address,
        /// The name.
        name: Name,
    },
    /// Keep no name for an agent.
    Forget {
        /// The agent.
        agent: Address,
    },
    /// Keep a draft.
    Draft {
        /// What it is called: derived from the owner's key for this request, or fresh.
        id: DraftId,
        /// SHA-256 of all that the request says.
        fingerprint: Digest,
        /// What it says.
        content: Content,
    },
    /// Change a draft.
    Change {
        /// Which.
        id: DraftId,
        /// The version that the owner has seen; `None` to change whichever there is.
        seen: Option<u32>,
        /// What is to be otherwise.
        changes: Vec<Change>,
    },
    /// Keep a draft no more.
    Discard {
        /// Which.
        id: DraftId,
    },
    /// Time has passed.
    Wake,
}
