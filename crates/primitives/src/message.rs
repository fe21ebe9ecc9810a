//! What objects say to each other, whatever they are about: a command, its answer, and a row of a journal.
//!
//! Fields are only added, with a default: during a rollout a new Worker talks to old objects and the reverse.

use serde::{Deserialize, Serialize};

use crate::{CorrelationId, Digest};

/// A command's key for being done once: who asks for what under which message, and the digest of all that it says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// Actor, kind and message id.
    pub key: String,
    /// SHA-256 of the canonical JSON of the message.
    pub fingerprint: Digest,
}

/// A command for an object.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Call<C> {
    /// The command.
    pub command: C,
    /// What caused it.
    pub correlation_id: CorrelationId,
    /// Set when the same message must not take effect twice. Commands that are idempotent by content have none.
    #[serde(default)]
    pub operation: Option<Operation>,
}

/// An object's answer to a command.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Reply<A, R> {
    /// It took effect, now or before.
    Done {
        /// What there is to see after it.
        answer: A,
        /// Whether it had taken effect before.
        replayed: bool,
    },
    /// The core said no.
    Refused(R),
    /// The operation's key stands for another message.
    OperationReused,
}

/// A row of an object's journal as the object keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JournalRow {
    /// Counts from 1.
    pub seq: u64,
    /// Canonical JSON of `{at, correlation_id, event, seq}`.
    pub body: String,
    /// The chain up to here, lower-case hexadecimal.
    pub hash: String,
}
