//! What a relayer is asked, and the words that come in with it.

use primitives::{BaseUnits, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Address, Bytes, Fees, Hash};

/// One call to be executed once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The name of the settlement that submits it, and is told of it.
    pub id: String,
    /// Who is held to the gas budget.
    pub payer: String,
    /// The contract.
    pub to: Address,
    /// The call's bytes.
    pub input: Bytes,
    /// The most gas that the call may use.
    pub gas_limit: u64,
    /// From when on the call must not be started any more. See [`crate::limits::CANCEL_GRACE`].
    pub not_after: UnixMillis,
}

/// What the configuration allows; comes in with each use, so that a change is in force at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Gas that one payer may cause on one UTC day.
    pub daily_gas_per_payer: u64,
    /// The cap of the fee per gas, in wei.
    pub max_fee_per_gas: BaseUnits,
    /// Open nonces at once; at most [`crate::limits::OPEN_MAX`] in any case.
    pub open_max: usize,
}

/// What a transaction is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// To execute the job with this id.
    Job(String),
    /// To use up its nonce: no value, to the key's own address.
    Void,
}

/// A transaction that the key has signed; [`crate::Unsigned::signed`] makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signed {
    /// Its nonce.
    pub nonce: u64,
    /// What it is for.
    pub purpose: Purpose,
    /// Its hash.
    pub hash: Hash,
    /// Its bytes, as a node takes them.
    pub raw: Bytes,
    /// What it offers.
    pub fees: Fees,
}

/// Whether a mined transaction did what it was to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Executed to the end.
    Succeeded,
    /// Mined, paid for, and without effect.
    Reverted,
}

/// A mined transaction, as the chain tells of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Its hash.
    pub hash: Hash,
    /// The block's number.
    pub block_number: u64,
    /// The block's hash.
    pub block_hash: Hash,
    /// What came of it.
    pub verdict: Verdict,
    /// The gas that it used.
    pub gas_used: u64,
}

/// One look at the chain. The chapter of the crate says in which order its parts are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// The key's transaction count in the latest block, and so the lowest nonce that is not used.
    pub mined_nonce: u64,
    /// The receipts that there are for the hashes of [`crate::to_look_up`].
    pub receipts: Vec<Receipt>,
}

/// One request to a relayer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Execute this. A job that waits or is open is not taken twice; one that has ended is not remembered, so the shell
    /// answers a repeated submission from its record of operations.
    Submit {
        /// What to execute.
        job: Job,
        /// What the configuration allows.
        policy: Policy,
    },
    /// These were signed, as [`crate::unsigned`] listed them; all or none are taken.
    Sign(Vec<Signed>),
    /// The chain was looked at.
    Observe(Observation),
    /// Time has passed.
    Wake,
}
