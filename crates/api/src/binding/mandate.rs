//! What the edge says to the object of a mandate.

use alloy_primitives::{Address, B256};
use mandate::Creation;
use mandate::life::Hold;
use primitives::{BaseUnits, CorrelationId, Digest, Operation, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::inbound::mandate::{Requested, Said, Want};
use crate::problem::Problem;

/// A signature of an HTTP request, to be used once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Once {
    /// SHA-256 of what two copies of the signature have in common.
    pub key: Digest,
    /// From here on the signature is refused anyway.
    pub until: UnixMillis,
}

/// Who asks, as far as it was proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Caller {
    /// Nobody has said.
    Anyone,
    /// The session of a browser.
    Session(Address),
    /// A signature of the request, which is to be used once.
    Signature(Address, Once),
}

impl Caller {
    /// Whose eyes see the answer.
    pub const fn account(&self) -> Option<Address> {
        match self {
            Self::Anyone => None,
            Self::Session(account) | Self::Signature(account, _) => Some(*account),
        }
    }

    /// Who stands for what the request does. To be signed in is not to sign: what an agent, a provider or a resolver does
    /// takes a signature.
    pub const fn signer(&self) -> Option<Address> {
        match self {
            Self::Anyone | Self::Session(_) => None,
            Self::Signature(account, _) => Some(*account),
        }
    }
}

/// A message for the object of a mandate.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MandateCall {
    /// The mandate.
    pub mandate: B256,
    /// Who asks.
    pub caller: Caller,
    /// What caused it.
    pub correlation_id: CorrelationId,
    /// Set when the same message must not take effect twice.
    pub operation: Option<Operation>,
    /// What is asked.
    pub ask: MandateAsk,
}

/// What is asked of the object of a mandate.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum MandateAsk {
    /// Make it, by the caller.
    Create { creation: Box<Creation>, label: String },
    /// Change it, by the caller.
    Change(mandate::life::Change),
    /// Mirror it, which the caller owns in the contract. For mirrors.
    Adopt { label: String },
    /// Ask for a payment.
    Request(Box<Requested>),
    /// Do something with the request of that payment or id.
    Act { reference: B256, said: Said },
    /// Note a transaction that the agent has sent itself for the request of that payment or id. For mirrors.
    Record { reference: B256, transaction: B256 },
    /// Hold a part of the budget, for another object, which is the asker that the hold names. Like the next two it answers
    /// with how the reservation ended, or null while it is held. Only objects of the product ask for it: what a hold says of
    /// the owner's approval is believed.
    Reserve { reservation: B256, hold: Hold },
    /// Pay a part of a reservation or all.
    Commit { reservation: B256, asker: String, amount: BaseUnits },
    /// Give a reservation back. Of what was never reserved this, like a commit, is the end before it began.
    Release { reservation: B256, asker: String },
    /// Show it: [`crate::wire::Mandate`], as do the first two.
    Show,
    /// Show its entries from the `from`th on, counted from zero.
    Entries { from: u32, limit: u32 },
    /// Show what can be spent; zero is any recipient or service.
    Budget { recipient: Address, service: B256 },
    /// Show the request of that payment or id.
    Payment { reference: B256 },
    /// The same with what its owner signs to approve it.
    Approval { reference: B256 },
    /// Judge a request and change nothing. 32 fresh random bytes name a request that has no id.
    Evaluate { want: Want, fresh: B256 },
}

/// What the object of a mandate answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum MandateReply {
    /// It took effect, now or before, or there is this to see: JSON of the wire type that belongs to what was asked.
    Answered { status: u16, answer: String, replayed: bool },
    /// It said no.
    Refused { problem: Box<Problem>, retry_after: Option<u64> },
}
