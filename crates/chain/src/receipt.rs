//! What became of a transaction.

use alloy_sol_types::SolEvent as _;
use eip712::{Address, B256, U256};
use primitives::Malformed;
use serde_json::Value;

use crate::abi::Token;
use crate::json::{member, optional, quantity, word};
use crate::log::{Log, logs};

/// The outcome of a transaction that is in a block (`eth_getTransactionReceipt`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The transaction.
    pub transaction_hash: B256,
    /// The block's number.
    pub block_number: u64,
    /// The block's hash. The same number with another hash is another history.
    pub block_hash: B256,
    /// Whether the call ran to its end; a reverted one has used its nonce and gas and has done nothing else.
    pub succeeded: bool,
    /// How much gas was used.
    pub gas_used: u64,
    /// What each unit of gas has cost, in wei.
    pub effective_gas_price: Option<u128>,
    /// What the contracts wrote down.
    pub logs: Vec<Log>,
}

impl Receipt {
    /// Whether these tokens have moved: the token itself has logged exactly this `Transfer` (ERC-20).
    pub fn transfers(&self, asset: Address, from: Address, to: Address, value: U256) -> bool {
        let topics = [Token::Transfer::SIGNATURE_HASH, from.into_word(), to.into_word()];
        let data = value.to_be_bytes::<32>();
        self.succeeded
            && self.logs.iter().any(|log| log.address == asset && log.topics == topics && log.data == data)
    }

    /// Whether the token says that it has used an authorization of `authorizer`'s (EIP-3009, `AuthorizationUsed`).
    pub fn uses_authorization(&self, asset: Address, authorizer: Address) -> bool {
        let begins = [Token::AuthorizationUsed::SIGNATURE_HASH, authorizer.into_word()];
        self.succeeded && self.logs.iter().any(|log| log.address == asset && log.topics.starts_with(&begins))
    }

    pub(crate) fn parse(receipt: &Value) -> Result<Self, Malformed> {
        Ok(Self {
            transaction_hash: member(receipt, "transactionHash", word)?,
            block_number: member(receipt, "blockNumber", quantity)?,
            block_hash: member(receipt, "blockHash", word)?,
            succeeded: member(receipt, "status", status)?,
            gas_used: member(receipt, "gasUsed", quantity)?,
            effective_gas_price: optional(receipt, "effectiveGasPrice", quantity)?,
            logs: member(receipt, "logs", logs)?,
        })
    }
}

fn status(value: &Value, what: &'static str) -> Result<bool, Malformed> {
    match quantity(value, what)? {
        0u64 => Ok(false),
        1 => Ok(true),
        _ => Err(Malformed { what, allowed: "0x1 for a success or 0x0 for a failure" }),
    }
}
