//! A transaction that is in a block, as far as it tells of tokens.

use std::collections::BTreeSet;

use primitives::{Malformed, UnixMillis};
use serde_json::Value;

use super::json::{amount, base58, list, number, seconds, succeeded};
use super::{Address, Signature};
use crate::json::{Read, member, optional};

/// What became of a transaction (`getTransaction`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// Its first signature.
    pub signature: Signature,
    /// The slot of its block.
    pub slot: u64,
    /// When the block was made, in whole seconds, as the validators estimate it; a node need not know.
    pub block_time: Option<UnixMillis>,
    /// Whether it ran to its end; a failed one has paid its fee and has done nothing else.
    pub succeeded: bool,
    /// Every account that it names, those from lookup tables included.
    pub accounts: Vec<Address>,
    /// What its token accounts held before; one that is not here held nothing.
    pub before: Vec<Holding>,
    /// What its token accounts held after; one that is not here was closed.
    pub after: Vec<Holding>,
}

/// What one token account held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holding {
    /// The token account, by its place in [`Transaction::accounts`].
    pub account: usize,
    /// The token's mint.
    pub mint: Address,
    /// The wallet that the account belongs to.
    pub owner: Address,
    /// The program that keeps the account.
    pub program: Address,
    /// Base units.
    pub amount: u64,
    /// How many decimals the node says that the token has.
    pub decimals: u8,
}

impl Transaction {
    /// By how many base units of a token a wallet has more than before, in all of its accounts.
    pub fn change(&self, owner: &Address, mint: &Address) -> i128 {
        let sum = |holdings: &[Holding]| {
            let own = holdings.iter().filter(|holding| holding.owner == *owner && holding.mint == *mint);
            own.fold(0_i128, |sum, holding| sum.saturating_add(holding.amount.into()))
        };
        sum(&self.after).saturating_sub(sum(&self.before))
    }

    pub(super) fn parse(result: &Value) -> Result<Self, Malformed> {
        let part = |name| result.get(name).unwrap_or(&Value::Null);
        let (meta, transaction) = (part("meta"), part("transaction"));
        let message = transaction.get("message").unwrap_or(&Value::Null);
        let accounts = list(message, "accountKeys")?
            .iter()
            .map(|account| member(account, "pubkey", base58))
            .collect::<Result<Vec<_>, _>>()?;
        let signature = list(transaction, "signatures")?.first().unwrap_or(&Value::Null);
        Ok(Self {
            signature: base58(signature, "signature")?,
            slot: member(result, "slot", number)?,
            block_time: optional(result, "blockTime", seconds)?,
            succeeded: succeeded(meta)?,
            before: holdings(meta, "preTokenBalances", accounts.len())?,
            after: holdings(meta, "postTokenBalances", accounts.len())?,
            accounts,
        })
    }
}

impl Holding {
    fn parse(balance: &Value) -> Result<Self, Malformed> {
        let held = balance.get("uiTokenAmount").unwrap_or(&Value::Null);
        let key: Read<Address> = base58;
        Ok(Self {
            account: member(balance, "accountIndex", number::<u8>)?.into(),
            mint: member(balance, "mint", key)?,
            owner: member(balance, "owner", key)?,
            program: member(balance, "programId", key)?,
            amount: member(held, "amount", amount)?,
            decimals: member(held, "decimals", number)?,
        })
    }
}

/// Each account at most once, and only accounts of the transaction.
fn holdings(meta: &Value, name: &'static str, accounts: usize) -> Result<Vec<Holding>, Malformed> {
    let holdings = list(meta, name)?.iter().map(Holding::parse).collect::<Result<Vec<_>, _>>()?;
    let mut seen = BTreeSet::new();
    if holdings.iter().all(|holding| holding.account < accounts && seen.insert(holding.account)) {
        Ok(holdings)
    } else {
        Err(Malformed { what: name, allowed: "each token account of the transaction at most once" })
    }
}
