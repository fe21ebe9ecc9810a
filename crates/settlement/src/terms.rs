//! What is to be settled: the words that come in with the start.

use primitives::{BaseUnits, UnixMillis};
use serde::{Deserialize, Serialize};

/// Bytes as `0x` and lower-case hexadecimal digits, with somebody's signature in them. `Debug` shows only their length.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(pub String);

impl core::fmt::Debug for Bytes {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "Bytes({} digits)", self.0.len().saturating_sub(2))
    }
}

/// How far a block is from being undone. A later tier contains the earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// In a block of the chain.
    Included,
    /// In a block that the chain calls safe.
    Safe,
    /// In a block that the chain calls finalized: it is never undone.
    Final,
}

/// What the transaction calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The contract's address: `0x` and 40 hexadecimal digits.
    pub to: String,
    /// The call data.
    pub input: Bytes,
    /// The most gas that it may use.
    pub gas_limit: u64,
}

/// Everything that a settlement must know of its authorization. It was verified before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The chain, as CAIP-2 names it, such as `eip155:84532`.
    pub network: String,
    /// The token's address.
    pub asset: String,
    /// Who pays.
    pub payer: String,
    /// Who is paid.
    pub recipient: String,
    /// How much.
    pub amount: BaseUnits,
    /// What tells this authorization from the payer's others: 32 bytes in hexadecimal.
    pub nonce: String,
    /// From when on the authorization can no longer move money, by the clock of the blocks.
    pub valid_before: UnixMillis,
    /// The name of the relayer that carries the call.
    pub relayer: String,
    /// The call that makes the transfer.
    pub call: Call,
    /// What the catalogue of paid resources is told once it is settled: JSON text that is passed on unread.
    pub catalogue: Option<String>,
    /// The tier from which on it counts as settled. Kept here, so that a change of configuration changes no settlement
    /// that is under way.
    pub tier: Tier,
}

/// Where a transfer stands on the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inclusion {
    /// The transaction's hash: `0x` and lower-case hexadecimal.
    pub transaction: String,
    /// The block's number.
    pub block_number: u64,
    /// The block's hash, which tells it from another block of that number.
    pub block_hash: String,
}
