//! Whether a transaction is a certain transfer of tokens.

use primitives::BaseUnits;

use super::{Address, Signature, Transaction, transaction};
use crate::rpc::Answer;
use crate::verdict::{Reason, Verdict, Why, Window, read};

/// A token, with what never changes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its mint.
    pub mint: Address,
    /// The program that keeps its accounts.
    pub program: Address,
    /// How many decimals an amount has.
    pub decimals: u8,
}

impl Token {
    /// The program SPL Token.
    pub const PROGRAM: Address = known(b"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");

    /// USDC on the main network.
    pub const USDC: Self = Self {
        mint: known(b"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"),
        program: Self::PROGRAM,
        decimals: 6,
    };
}

/// An address that is read when this is compiled.
const fn known(text: &[u8]) -> Address {
    Address(bs58::decode(text).into_array_const_unwrap())
}

/// The transfer that a transaction must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The transaction's first signature.
    pub signature: Signature,
    /// The token.
    pub token: Token,
    /// The wallet that pays.
    pub payer: Address,
    /// The wallet that is paid.
    pub receiver: Address,
    /// The least that is paid.
    pub amount: BaseUnits,
    /// A key among the transaction's accounts that ties it to its purpose (Solana Pay, `reference`), unless the
    /// receiver is there for this one payment.
    pub reference: Option<Address>,
    /// When.
    pub window: Window,
}

/// Judges the answer to [`transaction()`], by what both parties have more or less than before. How the tokens went, and
/// through how many accounts, does not matter.
pub fn verify_transfer(answer: &Answer, expected: &Expected) -> Verdict {
    judge(answer, expected).unwrap_or_else(Verdict::Unknown)
}

fn judge(answer: &Answer, expected: &Expected) -> Result<Verdict, Why> {
    let transaction = read(&transaction(&expected.signature), answer)?.ok_or(Why::NotFound)?;
    if !transaction.succeeded {
        return Ok(Verdict::Failed(Reason::Reverted));
    }
    check_token(&transaction, &expected.token)?;
    let received = match received(&transaction, expected) {
        Ok(received) => received,
        Err(reason) => return Ok(Verdict::Failed(reason)),
    };
    let block_time = transaction.block_time.ok_or(Why::NoBlockTime)?;
    Ok(if !expected.window.holds(block_time) {
        Verdict::Failed(Reason::OutsideWindow)
    } else if expected.reference.is_some_and(|reference| !transaction.accounts.contains(&reference)) {
        Verdict::Failed(Reason::ReferenceMissing)
    } else {
        Verdict::Verified { slot: transaction.slot, block_time, received: BaseUnits(received) }
    })
}

/// Whoever says something else of a token than what never changes is not believed in anything.
fn check_token(transaction: &Transaction, token: &Token) -> Result<(), Why> {
    let mut holdings = transaction.before.iter().chain(&transaction.after);
    let differing = holdings.find(|holding| {
        holding.mint == token.mint && (holding.decimals, holding.program) != (token.decimals, token.program)
    });
    match differing {
        None => Ok(()),
        Some(holding) if holding.decimals != token.decimals => Err(Why::WrongDecimals),
        Some(_) => Err(Why::WrongProgram),
    }
}

/// What the receiver has more than before, if the payer has as much less.
fn received(transaction: &Transaction, expected: &Expected) -> Result<u128, Reason> {
    let Expected { token, payer, receiver, .. } = expected;
    let gain = |owner, mint| u128::try_from(transaction.change(owner, mint)).unwrap_or_default();
    let received = gain(receiver, &token.mint);
    let paid = u128::try_from(transaction.change(payer, &token.mint).saturating_neg()).unwrap_or_default();
    // A transfer of nothing is none, whatever was expected.
    let amount = expected.amount.0.max(1);
    let gets_another = || transaction.after.iter().any(|holding| gain(receiver, &holding.mint) > 0);
    if received >= amount && paid >= amount {
        Ok(received)
    } else if received >= amount {
        Err(Reason::WrongPayer)
    } else if received > 0 {
        Err(Reason::AmountTooSmall)
    } else if gets_another() {
        Err(Reason::WrongMint)
    } else if paid > 0 {
        Err(Reason::WrongReceiver)
    } else {
        Err(Reason::NotTransferred)
    }
}
