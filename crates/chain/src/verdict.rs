//! What the chain says of a transfer that somebody claims to have made.

use primitives::{BaseUnits, UnixMillis};

use crate::limits::CLOCK_SKEW;
use crate::rpc::{Answer, Call};

/// What a look at the chain has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The transfer was made, and nothing can take it back.
    Verified {
        /// The slot (Solana) or the number of the block.
        slot: u64,
        /// When, by the chain's clock, in whole seconds.
        block_time: UnixMillis,
        /// How much has arrived: at least what was expected.
        received: BaseUnits,
    },
    /// The transaction is final and is not that transfer. No later look says otherwise.
    Failed(Reason),
    /// Nothing is known for good; a later look may say more.
    Unknown(Why),
}

/// Why a final transaction is not the transfer that was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It was executed and undone; only fees were paid.
    Reverted,
    /// The payer and the receiver are right, and the token is another one.
    WrongMint,
    /// The payer has paid, and the receiver got nothing.
    WrongReceiver,
    /// The receiver got it from somebody else.
    WrongPayer,
    /// The receiver got less than expected.
    AmountTooSmall,
    /// Neither the payer nor the receiver is in it with this token.
    NotTransferred,
    /// It was made before it was allowed, or too late.
    OutsideWindow,
    /// The reference that ties it to its purpose is not in it.
    ReferenceMissing,
}

impl Reason {
    /// The stable word of the reason.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Reverted => "reverted",
            Self::WrongMint => "wrong_mint",
            Self::WrongReceiver => "wrong_receiver",
            Self::WrongPayer => "wrong_payer",
            Self::AmountTooSmall => "amount_too_small",
            Self::NotTransferred => "not_transferred",
            Self::OutsideWindow => "outside_window",
            Self::ReferenceMissing => "reference_missing",
        }
    }
}

impl core::fmt::Display for Reason {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::Reverted => "The transaction failed on the chain; nothing was paid.",
            Self::WrongMint => "The transaction moves another token than the one to pay with.",
            Self::WrongReceiver => "The transaction pays somebody else.",
            Self::WrongPayer => "The transaction's payer is not the wallet that was to pay.",
            Self::AmountTooSmall => "The transaction pays less than was to be paid.",
            Self::NotTransferred => {
                "The transaction does not move the token between the payer and the receiver."
            }
            Self::OutsideWindow => "The transaction was not made in the time in which it was to be paid.",
            Self::ReferenceMissing => "The transaction does not carry the reference of this payment.",
        })
    }
}

/// Why nothing is known for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The node knows no such transaction, or none that is final. It may still come.
    NotFound,
    /// The transaction is in a block that can still be taken back, or that the node has already replaced.
    NotFinal,
    /// The node answers with a fault.
    NodeFault,
    /// The node's answer is none to what was asked.
    Unreadable,
    /// The node does not say when the block was made.
    NoBlockTime,
    /// The node says that the token has other decimals than it has. They never change, so the node is wrong.
    WrongDecimals,
    /// The node says that the token is another program's. That never changes either.
    WrongProgram,
}

impl Why {
    /// The stable word of it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::NotFinal => "not_final",
            Self::NodeFault => "node_fault",
            Self::Unreadable => "unreadable",
            Self::NoBlockTime => "no_block_time",
            Self::WrongDecimals => "wrong_decimals",
            Self::WrongProgram => "wrong_program",
        }
    }
}

impl core::fmt::Display for Why {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::NotFound => "The chain does not know the transaction, or not for good yet.",
            Self::NotFinal => "The transaction is in a block that can still be taken back.",
            Self::NodeFault => "The node answers with an error.",
            Self::Unreadable => "The node's answer cannot be read.",
            Self::NoBlockTime => "The node does not say when the transaction was made.",
            Self::WrongDecimals => "The node contradicts what is known of the token's decimals.",
            Self::WrongProgram => "The node contradicts what is known of the token's program.",
        })
    }
}

/// When a transfer may be made: `[not_before, deadline)` by the chain's clock, with [`CLOCK_SKEW`] before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// When it was allowed.
    pub not_before: UnixMillis,
    /// From when on it is too late.
    pub deadline: UnixMillis,
}

impl Window {
    pub(crate) fn holds(self, block_time: UnixMillis) -> bool {
        self.not_before.minus(CLOCK_SKEW) <= block_time && block_time < self.deadline
    }
}

/// What an answer says to its question.
pub(crate) fn read<T>(call: &Call<T>, answer: &Answer) -> Result<T, Why> {
    let result = answer.as_ref().map_err(|_| Why::NodeFault)?;
    call.read(result).map_err(|_| Why::Unreadable)
}
