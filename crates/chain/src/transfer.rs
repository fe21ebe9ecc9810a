//! Whether a transaction on an EVM chain is a certain transfer of tokens (ERC-20).
//!
//! ```text
//!  rpc::receipt(transaction) ─┐
//!  finality.head() ───────────┼─► verify ─► Verdict
//!  rpc::block(its number) ────┘
//! ```

use alloy_sol_types::SolEvent as _;
use eip712::{Address, B256, U256};
use primitives::{BaseUnits, UnixMillis};

use crate::abi::Token;
use crate::log::Log;
use crate::receipt::Receipt;
use crate::rpc::{Answer, Block, Call, Head, block};
use crate::verdict::{Reason, Verdict, Why, Window, read};

/// The transfer that a transaction must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The transaction's hash.
    pub transaction: B256,
    /// The token's contract.
    pub token: Address,
    /// Who pays.
    pub payer: Address,
    /// Who is paid.
    pub receiver: Address,
    /// The least that is paid, in one transfer.
    pub amount: BaseUnits,
    /// When.
    pub window: Window,
    /// From when on it is believed.
    pub finality: Finality,
}

/// From when on a block is believed to stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finality {
    /// When the node says that it is final.
    Finalized,
    /// When so many blocks are above it, for chains whose nodes do not say.
    Confirmations(u64),
}

impl Finality {
    /// The block that must be as high as the transaction's, and how much higher.
    pub fn head(self) -> Call<Option<Head>> {
        block(match self {
            Self::Finalized => Block::Finalized,
            Self::Confirmations(_) => Block::Latest,
        })
    }

    const fn depth(self) -> u64 {
        match self {
            Self::Finalized => 0,
            Self::Confirmations(depth) => depth,
        }
    }
}

/// Judges the transaction's receipt, by the newest block of [`Finality::head`] and the block with the receipt's number.
///
/// Exactly one log is the payment: of several from the payer to the receiver, the one that moves most.
pub fn verify(receipt: &Answer, head: &Answer, block: &Answer, expected: &Expected) -> Verdict {
    match included(receipt, head, block, expected) {
        Err(why) => Verdict::Unknown(why),
        Ok((receipt, block_time)) => match received(&receipt, block_time, expected) {
            Err(reason) => Verdict::Failed(reason),
            Ok(received) => Verdict::Verified { slot: receipt.block_number, block_time, received },
        },
    }
}

/// The receipt of a final block, and when that block was made.
fn included(
    receipt: &Answer,
    head: &Answer,
    block: &Answer,
    expected: &Expected,
) -> Result<(Receipt, UnixMillis), Why> {
    let receipt = read(&crate::rpc::receipt(expected.transaction), receipt)?.ok_or(Why::NotFound)?;
    let head = read(&expected.finality.head(), head)?.ok_or(Why::NotFinal)?;
    if head.number < receipt.block_number.saturating_add(expected.finality.depth()) {
        return Err(Why::NotFinal);
    }
    let number = Block::Number(receipt.block_number);
    let block = read(&crate::rpc::block(number), block)?.ok_or(Why::NotFinal)?;
    if block.hash == receipt.block_hash { Ok((receipt, block.timestamp)) } else { Err(Why::NotFinal) }
}

fn received(receipt: &Receipt, block_time: UnixMillis, expected: &Expected) -> Result<BaseUnits, Reason> {
    if !receipt.succeeded {
        return Err(Reason::Reverted);
    }
    let transfers: Vec<Transfer> = receipt.logs.iter().filter_map(Transfer::read).collect();
    let payment = payment(&transfers, expected)?;
    // A transfer of nothing is none, whatever was expected.
    if payment < U256::from(expected.amount.0.max(1)) {
        return Err(Reason::AmountTooSmall);
    }
    if !expected.window.holds(block_time) {
        return Err(Reason::OutsideWindow);
    }
    Ok(BaseUnits(payment.saturating_to()))
}

/// The value of the largest transfer of the token between the two; without one, what there is instead.
fn payment(transfers: &[Transfer], expected: &Expected) -> Result<U256, Reason> {
    let Expected { token, payer, receiver, .. } = expected;
    let is_between = |transfer: &&Transfer| transfer.from == *payer && transfer.to == *receiver;
    let ours = || transfers.iter().filter(|transfer| transfer.token == *token);
    if let Some(largest) = ours().filter(is_between).map(|transfer| transfer.value).max() {
        return Ok(largest);
    }
    Err(if transfers.iter().any(|transfer| is_between(&transfer)) {
        Reason::WrongMint
    } else if ours().any(|transfer| transfer.from == *payer) {
        Reason::WrongReceiver
    } else if ours().any(|transfer| transfer.to == *receiver) {
        Reason::WrongPayer
    } else {
        Reason::NotTransferred
    })
}

/// What a log says if it is a `Transfer` (ERC-20).
struct Transfer {
    token: Address,
    from: Address,
    to: Address,
    value: U256,
}

impl Transfer {
    fn read(log: &Log) -> Option<Self> {
        let [event, from, to] = log.topics.as_slice() else { return None };
        let party =
            |topic: &B256| Some(Address::from_word(*topic)).filter(|party| party.into_word() == *topic);
        let value = <[u8; 32]>::try_from(log.data.as_slice()).ok()?;
        (*event == Token::Transfer::SIGNATURE_HASH).then_some(())?;
        Some(Self {
            token: log.address,
            from: party(from)?,
            to: party(to)?,
            value: U256::from_be_bytes(value),
        })
    }
}
