//! Where a name stands.

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{deadline, limits};

/// Who signed in: an account on one chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The chain's id (EIP-155).
    pub chain_id: u64,
    /// The address, 20 bytes; lower-case hexadecimal without prefix in JSON.
    #[serde(with = "hex::serde")]
    pub address: [u8; 20],
}

/// A nonce that a visitor was asked to sign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    /// SHA-256 of the nonce's text.
    pub nonce: Digest,
    /// From here on it counts for nothing.
    pub until: UnixMillis,
    /// Its place among the nonces that were asked for under this name, from 1.
    pub number: u32,
}

/// A session that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Whose it is.
    pub account: Account,
    /// When the account signed in.
    pub since: UnixMillis,
    /// When a visit was last recorded.
    pub visited_at: UnixMillis,
}

impl Session {
    /// From here on it is over, unless another visit is recorded before.
    pub fn until(&self) -> UnixMillis {
        self.since.plus(limits::SESSION_MAX).min(self.visited_at.plus(limits::IDLE_MAX))
    }
}

/// Why a name ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// The visitor left.
    SignedOut,
    /// Somebody with the right to do so closed it.
    Revoked,
    /// Nobody answered the challenge, or the session's time is over.
    Expired,
    /// An account signed in; its session has another name.
    Rotated {
        /// The name of the session.
        successor: Digest,
    },
}

/// The published name of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the state picture of the crate says what each is")]
pub enum Lifecycle {
    Unused,
    Challenged,
    Presented,
    SignedIn,
    Ended,
}

impl Lifecycle {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unused => "UNUSED",
            Self::Challenged => "CHALLENGED",
            Self::Presented => "PRESENTED",
            Self::SignedIn => "SIGNED_IN",
            Self::Ended => "ENDED",
        }
    }
}

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Nobody has come with this name.
    #[default]
    Unused,
    /// A visitor was asked to sign the nonce.
    Challenged(Challenge),
    /// A message came with the nonce, which is thereby spent. Whether it proves an account is being found out.
    Presented(Challenge),
    /// The name is an account's session.
    SignedIn(Session),
    /// Final: the name opens nothing.
    Ended {
        /// Why.
        end: End,
        /// Since when.
        at: UnixMillis,
    },
}

impl State {
    /// The published name.
    pub const fn lifecycle(&self) -> Lifecycle {
        match self {
            Self::Unused => Lifecycle::Unused,
            Self::Challenged(_) => Lifecycle::Challenged,
            Self::Presented(_) => Lifecycle::Presented,
            Self::SignedIn(_) => Lifecycle::SignedIn,
            Self::Ended { .. } => Lifecycle::Ended,
        }
    }

    /// What `now` has made of it, if its time is over and no event says so yet.
    pub(crate) fn expired(&self, now: UnixMillis) -> Option<Self> {
        deadline(self).filter(|until| *until <= now).map(|at| Self::Ended { end: End::Expired, at })
    }
}
