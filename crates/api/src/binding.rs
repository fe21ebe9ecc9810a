//! What objects say to each other, and what each is called.
//!
//! A message to an object is one JSON body; so is its answer. Fields are only added, with a default, because during a
//! rollout a new Worker talks to old objects and the reverse.

use primitives::{CorrelationId, Digest, GigId, PaymentId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::wire::{GigRecord, StatusAnswer};

/// The name of the one directory shard that keeps a gig's id.
pub fn directory_shard(gig: &GigId) -> String {
    // The first hexadecimal digit: ids are digests, so the shards fill evenly.
    let digit = gig.to_string().chars().next().and_then(|digit| digit.to_digit(16)).unwrap_or(0);
    shard_name(digit % DIRECTORY_SHARDS)
}

/// Every directory shard.
pub fn directory_shards() -> impl Iterator<Item = String> {
    (0..DIRECTORY_SHARDS).map(shard_name)
}

/// How many objects share the directory. One object takes about a thousand messages a second; fewer shards put more
/// rows into one write to D1. Changing it leaves gigs known to a shard that is not asked for them any more.
const DIRECTORY_SHARDS: u32 = 2;

fn shard_name(shard: u32) -> String {
    format!("gigs-{shard}")
}

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

/// A gig as its object shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GigView {
    /// As the board lists it; `None` while it is not on the board.
    pub record: Option<GigRecord>,
    /// Where it stands.
    pub status: StatusAnswer,
    /// Digest of the buyer's grant, while that grant has not opened a socket.
    pub buyer_grant: Option<Digest>,
    /// Digest of the worker's grant, while that grant has not opened a socket.
    pub worker_grant: Option<Digest>,
}

/// A row of a gig's journal as its object keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JournalRow {
    /// Counts from 1.
    pub seq: u64,
    /// Canonical JSON of `{at, correlation_id, event, seq}`.
    pub body: String,
    /// The chain up to here, lower-case hexadecimal.
    pub hash: String,
}

/// A gig's journal, or why the asker does not get to see it.
pub type JournalReply = Result<Vec<JournalRow>, gig::Refusal>;

/// A gig's answer to a command.
pub type GigReply = Reply<GigView, gig::Refusal>;

/// A request to pay for a gig, for the Payment object of the authorization.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PayForGig {
    /// This payment.
    pub payment: PaymentId,
    /// SHA-256 of what is bought.
    pub resource: Digest,
    /// What the facilitator is sent.
    pub authorization: payment::Credential,
    /// From when on the authorization can no longer move money.
    pub valid_before: UnixMillis,
    /// The gig's terms.
    pub terms: gig::Terms,
    /// Digest of a fresh grant for the buyer.
    pub grant: Digest,
    /// What caused it.
    pub correlation_id: CorrelationId,
}

/// How a request to pay ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum PayReply {
    /// Paid, and the gig is on the board.
    Fulfilled {
        /// The gig.
        gig: GigView,
        /// The facilitator's answer as JSON text.
        receipt: String,
        /// Whether that was so before.
        replayed: bool,
    },
    /// Another payment had paid for this gig; this one was let go uncharged.
    AlreadyFunded {
        /// The gig.
        gig: GigView,
    },
    /// Paid, and the gig has not answered yet; it will be told until it does.
    FulfilmentPending {
        /// The facilitator's answer as JSON text.
        receipt: String,
    },
    /// The facilitator refused.
    Refused {
        /// Its reason code.
        reason: String,
        /// Its answer as JSON text.
        receipt: String,
    },
    /// Nobody knows yet.
    Unknown {
        /// `settlement_pending`, or why there was no answer.
        cause: String,
        /// The transaction that was named, if one was.
        transaction: Option<String>,
    },
    /// The authorization is bound elsewhere.
    PaymentRefused(payment::Refusal),
    /// The gig said no; nothing was charged.
    GigRefused(gig::Refusal),
    /// The gig could not be asked; nothing was charged.
    GigUnavailable,
}
