//! What a mirror can be asked and told.

use alloy_primitives::{B256, Bytes};
use serde::{Deserialize, Serialize};

use super::{Block, Filed, Observation};
use crate::life::Hold;
use crate::{By, Ceiling, Creation, Refused, Request, Signature, SignedApproval};

/// One request to the mirror, or one word of the port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Mirror the mandate that the contract has created. The same again changes nothing.
    Adopt {
        /// What the contract's event says.
        creation: Box<Creation>,
        /// The block that holds it.
        block: Block,
        /// The owner's ceiling for the agent and the token at the end of that block.
        ceiling: Ceiling,
        /// The owner's private name for it, of at most [`super::limits::LABEL_BYTES`] bytes.
        label: String,
    },
    /// The chain goes on. What lies below the newest block that was told says nothing new.
    Observe(Box<Observation>),
    /// Blocks have left the chain: what follows the last block that stands is told anew.
    Rewind(Box<Observation>),
    /// Bring a payment to the contract, or have it wait for the owner's approval when nothing but that is missing. The same
    /// request again submits one that was approved or has failed, and else changes nothing.
    Request {
        /// The request.
        request: Box<Request>,
        /// The agent's signature of it.
        signature: Signed,
        /// What the shell has on file under the payment's name or the request's id.
        filed: Option<Box<Filed>>,
    },
    /// The owner's yes, whose signature is of this payment's name and the approval's end. Only waiting requests take one.
    Approve {
        /// The name of the payment.
        payment: B256,
        /// The approval, with what is known of its signature.
        approval: SignedApproval,
        /// The signature.
        bytes: Bytes,
    },
    /// The owner's no.
    Reject {
        /// The name of the payment.
        payment: B256,
        /// The owner.
        by: By,
        /// A note of at most [`super::limits::NOTE_BYTES`] bytes.
        note: String,
    },
    /// Bring what was approved, or has failed, to the contract, by the agent.
    Submit {
        /// The name of the payment.
        payment: B256,
        /// The agent.
        by: By,
    },
    /// Make sure that a request that was not authorized never is, whether it was made here or not. One that waits for its
    /// owner is dropped here; any other takes a signature for the contract, and the chain says which came first.
    Cancel {
        /// The request.
        request: Box<Request>,
        /// The owner or the agent.
        by: By,
        /// The signature of that, or none.
        bytes: Bytes,
        /// What the shell has on file under the payment's name or the request's id.
        filed: Option<Box<Filed>>,
    },
    /// Hold a part of the budget: refused, always.
    Reserve {
        /// The reservation's own name.
        reservation: B256,
        /// What is to be held.
        hold: Hold,
    },
    /// The port is about to send a transaction that carries the call.
    Sent {
        /// The name of the payment.
        payment: B256,
        /// The transaction.
        transaction: B256,
    },
    /// The port answers a question.
    Answered {
        /// The name of the payment.
        payment: B256,
        /// The number of the question.
        turn: u32,
        /// The answer.
        answer: Answer,
    },
    /// Time has passed.
    Wake,
}

/// A signature, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signed {
    /// Whose it is. Cryptography, and contracts that sign, are asked before.
    pub of: Signature,
    /// The signature as the contract takes it.
    pub bytes: Bytes,
}

/// What the port knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The contract refuses the call, before it was sent or in a transaction that was reverted; no transaction that carries it
    /// can be mined.
    Refused(Refused),
    /// Nothing was sent.
    Unavailable,
    /// It may have been sent, or not.
    Unknown,
    /// A transaction may yet be mined, or a block that will be told holds the outcome.
    Pending,
    /// No block holds an outcome, and no transaction is known that could be mined.
    Absent,
}
