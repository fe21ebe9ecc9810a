//! What is said between a mirror of a mandate and whoever reads and writes its contract's chain.
//!
//! The mirror asks over a service binding, in JSON: `POST /read`, `/send` and `/look`, answered under 200. Any other answer,
//! and none, means that the question is put again later; the same question again is the same job. Whoever has answered a
//! `read` tells the mirror all that follows, as messages to the object by the mandate's name, under the subjects `observe`
//! and `rewind` ([`Span`]), `sent` ([`Sent`]) and `answered` ([`Answered`]); `adopt` ([`Creation`]) has a mandate mirrored
//! that nobody asked for. The object answers each with [`Heard`].

use std::collections::BTreeSet;

use alloy_primitives::{B256, Bytes};
use mandate::Ceiling;
use mandate::mirror::{Block, Refusal};
use serde::{Deserialize, Serialize};

/// `POST /read`: what does the contract know of this mandate?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Read {
    /// The mandate.
    pub mandate: B256,
}

/// The answer to [`Read`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadReply {
    /// Its creation; none when no block holds it.
    pub creation: Option<Creation>,
}

/// The creation of a mandate, as the chain has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creation {
    /// The log of it.
    pub log: Log,
    /// The owner's ceiling for the agent and the token at the end of that block.
    #[serde(default)]
    pub ceiling: Ceiling,
}

/// A log of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    /// Its block.
    pub block: Block,
    /// Its index in the block, over all contracts.
    pub index: u32,
    /// Its transaction.
    pub transaction: B256,
    /// Its topics.
    pub topics: Vec<B256>,
    /// Its data.
    pub data: Bytes,
}

/// All that the contract logs in the blocks after one and up to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The block that it follows.
    pub after: Block,
    /// The last block that it covers.
    pub to: Block,
    /// The newest final block that is known.
    pub sealed: Block,
    /// The contract's logs in the chain's order. Those that are about other mandates may be left out, except authorizations
    /// under the same ceiling.
    pub logs: Vec<Log>,
    /// The other mandates of this owner, agent and token.
    #[serde(default)]
    pub beside: BTreeSet<B256>,
}

/// `POST /send`: have a transaction carry this call to the contract. At most one is open for a payment and kind of call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Send {
    /// The mandate.
    pub mandate: B256,
    /// The name of the payment.
    pub payment: B256,
    /// The number of the question.
    pub turn: u32,
    /// The call.
    pub calldata: Bytes,
}

/// `POST /look`: what became of it?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// The mandate.
    pub mandate: B256,
    /// The name of the payment.
    pub payment: B256,
    /// The number of the question.
    pub turn: u32,
}

/// The answer to [`Send`] and [`Look`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// A transaction that carries the call, or is about to.
    #[serde(default)]
    pub transaction: Option<B256>,
    /// What is known; none when that is said later, by a message.
    #[serde(default)]
    pub answer: Option<Word>,
}

/// What the chain's side knows of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// The contract reverts with these bytes, before the call was sent or in a transaction; none that carries it can be mined.
    Reverted(Bytes),
    /// Nothing was sent.
    Unavailable,
    /// It may have been sent, or not.
    Unknown,
    /// A transaction may yet be mined, or a block that will be told holds the outcome.
    Pending,
    /// No block holds an outcome, and no transaction is known that could be mined.
    Absent,
}

/// A transaction that carries a call is about to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// The name of the payment.
    pub payment: B256,
    /// The transaction.
    pub transaction: B256,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// The name of the payment.
    pub payment: B256,
    /// The number of the question that is answered.
    pub turn: u32,
    /// What is known.
    pub answer: Word,
}

/// What a mirror says to a message from the chain's side: taken, now or before; or why not. [`Refusal::Gap`],
/// [`Refusal::Forked`] and [`Refusal::Sealed`] name the block to go on from.
pub type Heard = Result<(), Refusal>;
