//! What objects say to each other, and what each is called.
//!
//! A message to an object is one JSON body; so is its answer. Fields are only added, with a default, because during a
//! rollout a new Worker talks to old objects and the reverse.

pub mod custody;
pub mod endpoint;
pub mod executor;
mod mandate;
pub mod meter;
pub mod run;
pub mod tenant;

pub use mandate::{Caller, MandateAsk, MandateCall, MandateReply, Once};

use eip712::Address;
use primitives::{CorrelationId, Digest, JournalRow, PaymentId, Reply, SettlementId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::wire::{GigRecord, StatusAnswer};

/// The name of the one directory shard that keeps the id of a gig, a mandate or a run.
pub fn directory_shard(id: &str) -> String {
    // The first digit, hexadecimal or base32, after a prefix: ids are digests, so the shards fill evenly.
    let id = ["0x", "run_"].iter().find_map(|prefix| id.strip_prefix(prefix)).unwrap_or(id);
    let digit = id.chars().next().and_then(|digit| digit.to_digit(36)).unwrap_or(0);
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

/// A gig's journal, or why the asker does not get to see it.
pub type JournalReply = Result<Vec<JournalRow>, gig::Refusal>;

/// A gig's answer to a command.
pub type GigReply = Reply<GigView, gig::Refusal>;

/// What is bought.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Order {
    /// A gig on the board.
    Gig {
        /// The gig's terms.
        terms: Box<gig::Terms>,
        /// Digest of a fresh grant for the buyer.
        grant: Digest,
    },
    /// A bill for metered usage.
    Settlement(SettlementId),
}

impl Order {
    /// The kind of [`Order::Gig`]'s target.
    pub const GIG: &'static str = "gig";
    /// The kind of [`Order::Settlement`]'s target.
    pub const SETTLEMENT: &'static str = "settlement";

    /// The object that is told of the payment's outcome.
    pub fn target(&self) -> payment::Target {
        match self {
            Self::Gig { terms, .. } => {
                payment::Target { kind: Self::GIG.to_owned(), name: terms.gig_id.to_string() }
            }
            Self::Settlement(settlement) => {
                payment::Target { kind: Self::SETTLEMENT.to_owned(), name: settlement.to_string() }
            }
        }
    }
}

/// What was bought, as the buyer gets to see it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Fulfilment {
    /// The gig.
    Gig(Box<GigView>),
    /// The bill, settled.
    Settlement(Box<meter::Billed>),
}

/// Why what is to be bought said no.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Decline {
    /// The gig's reason.
    Gig(gig::Refusal),
    /// The meter's reason not to take a payment of that bill.
    Settlement(::meter::Refusal),
}

/// What shows that the payer signed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proof {
    /// The edge recovered the payer's address from the signature.
    #[default]
    Shown,
    /// Nothing yet: the facilitator has to ask the payer's contract account.
    Open,
}

/// A request to pay, for the Payment object of the authorization.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Pay {
    /// This payment.
    pub payment: PaymentId,
    /// SHA-256 of what is bought.
    pub resource: Digest,
    /// What the facilitator is sent.
    pub authorization: payment::Credential,
    /// From when on the authorization can no longer move money.
    pub valid_before: UnixMillis,
    /// What shows that the payer signed.
    #[serde(default)]
    pub proof: Proof,
    /// What is bought.
    pub order: Order,
    /// What caused it.
    pub correlation_id: CorrelationId,
}

/// How a payment stands, for what asks after the payment that was made for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// The money has moved.
    Settled {
        /// In this transaction.
        transaction: String,
    },
    /// It has not, and will not for the claim that was asked after.
    Void {
        /// Why: the facilitator's reason code, or `claim_lapsed`.
        reason: String,
    },
    /// Nobody knows yet; the payment tells when it does.
    Open,
}

/// How a request to pay ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum PayReply {
    /// Paid, and what was bought is the buyer's.
    Fulfilled {
        /// What was bought.
        fulfilment: Fulfilment,
        /// The facilitator's answer as JSON text.
        receipt: String,
        /// Whether that was so before.
        replayed: bool,
    },
    /// Another payment had paid for it; this one was let go uncharged.
    AlreadyFulfilled {
        /// What was bought.
        fulfilment: Fulfilment,
    },
    /// Paid, and the target has not answered yet; it will be told until it does.
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
    /// The facilitator says that the payer did not sign this, or could not pay it. Nothing was claimed.
    Invalid {
        /// Its reason code.
        reason: String,
        /// The same for people.
        message: String,
    },
    /// The facilitator could not say whether the payer signed this. Nothing was claimed.
    Unverified {
        /// Why not.
        cause: String,
    },
    /// The authorization is bound elsewhere.
    PaymentRefused(payment::Refusal),
    /// What is to be bought said no; nothing was charged.
    Declined(Decline),
    /// What is to be bought could not be asked; nothing was charged.
    Unavailable,
}

impl PayReply {
    /// Whether this payment was not charged and never will be for this request, so that another one may take its place.
    pub const fn is_void(&self) -> bool {
        match self {
            Self::Refused { .. }
            | Self::Invalid { .. }
            | Self::PaymentRefused(payment::Refusal::ClaimedElsewhere) => true,
            Self::Fulfilled { .. }
            | Self::AlreadyFulfilled { .. }
            | Self::FulfilmentPending { .. }
            | Self::Unknown { .. }
            | Self::Unverified { .. }
            | Self::PaymentRefused(payment::Refusal::Unavailable(_))
            | Self::Declined(_)
            | Self::Unavailable => false,
        }
    }
}

/// An identifier's answer: the payment that answers for it.
pub type BindReply = Reply<Option<payment::identifier::Binding>, payment::identifier::Refusal>;

/// A session's answer to a command: where it stands then.
pub type SessionReply = Reply<session::State, session::Refusal>;

/// The name of the object that keeps an owner's private things: the address in lower case.
pub fn account_name(owner: &Address) -> String {
    format!("{owner:#x}")
}

/// An account's answer to a command: all that it holds then.
pub type AccountReply = Reply<account::State, account::Refusal>;
