//! What contracts write down while they run.

use alloy_sol_types::SolEvent as _;
use eip712::{Address, B256};
use primitives::Malformed;
use serde_json::{Value, json};

use crate::abi::Token;
use crate::json::{address, bytes, bytes_text, member, optional, quantity, quantity_text, word};
use crate::limits::TOPICS_MAX;

/// One entry that a contract has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The contract that wrote it.
    pub address: Address,
    /// The event's hash, then its indexed values; at most [`TOPICS_MAX`].
    pub topics: Vec<B256>,
    /// The other values, ABI-encoded.
    pub data: Vec<u8>,
    /// The block's hash, once there is a block.
    pub block_hash: Option<B256>,
    /// The block's number, once there is a block.
    pub block_number: Option<u64>,
    /// The transaction that ran the contract.
    pub transaction_hash: Option<B256>,
}

/// Which logs are asked for (`eth_getLogs`): those of one contract, from one block to the newest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// The contract.
    pub address: Address,
    /// What each topic must be: one of these; without any, anything.
    pub topics: Vec<Vec<B256>>,
    /// The first block.
    pub from_block: u64,
}

impl Filter {
    /// The logs that name the transaction which has used or cancelled an authorization (EIP-3009, `AuthorizationUsed`
    /// and `AuthorizationCanceled`). There is at most one, for the token takes each (payer, nonce) once.
    ///
    /// Hosted nodes refuse long ranges, so `from_block` should be near the moment at which the authorization began
    /// to hold.
    pub fn authorization_ended(asset: Address, authorizer: Address, nonce: B256, from_block: u64) -> Self {
        let ends = [Token::AuthorizationUsed::SIGNATURE_HASH, Token::AuthorizationCanceled::SIGNATURE_HASH];
        let topics = vec![ends.to_vec(), vec![authorizer.into_word()], vec![nonce]];
        Self { address: asset, topics, from_block }
    }

    /// The transfers of a token between the two (ERC-20).
    pub fn transfers(asset: Address, from: Address, to: Address, from_block: u64) -> Self {
        let topics =
            vec![vec![Token::Transfer::SIGNATURE_HASH], vec![from.into_word()], vec![to.into_word()]];
        Self { address: asset, topics, from_block }
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "address": bytes_text(self.address),
            "topics": self.topics.iter().map(|topic| alternatives(topic)).collect::<Vec<_>>(),
            "fromBlock": quantity_text(self.from_block.into()),
            "toBlock": "latest",
        })
    }
}

impl Log {
    /// Whether the filter, as it was asked, asks for this log.
    pub(crate) fn answers(&self, filter: &Value) -> bool {
        let wanted = filter.get("topics").and_then(Value::as_array).into_iter().flatten();
        let mut topics = self.topics.iter();
        member(filter, "address", address).is_ok_and(|wanted| wanted == self.address)
            && wanted.map(|wanted| (wanted, topics.next())).all(|(wanted, topic)| {
                let admits = |topic: &B256| {
                    let text = bytes_text(topic);
                    wanted
                        .as_array()
                        .map_or(*wanted == text, |several| several.iter().any(|one| *one == text))
                };
                wanted.is_null() || topic.is_some_and(admits)
            })
    }

    fn parse(log: &Value) -> Result<Self, Malformed> {
        let topics = log.get("topics").and_then(Value::as_array).filter(|topics| topics.len() <= TOPICS_MAX);
        let topics = topics.ok_or(Malformed { what: "topics", allowed: "an array of at most 4" })?;
        Ok(Self {
            address: member(log, "address", address)?,
            topics: topics.iter().map(|topic| word(topic, "topic")).collect::<Result<_, _>>()?,
            data: member(log, "data", bytes)?,
            block_hash: optional(log, "blockHash", word)?,
            block_number: optional(log, "blockNumber", quantity)?,
            transaction_hash: optional(log, "transactionHash", word)?,
        })
    }
}

/// What one topic may be, as a node is asked for it.
fn alternatives(topic: &[B256]) -> Value {
    match topic {
        [] => Value::Null,
        [one] => bytes_text(one).into(),
        several => several.iter().map(bytes_text).collect(),
    }
}

/// The logs in an array, without those that a reorganization of the chain has taken back.
pub(crate) fn logs(array: &Value, what: &'static str) -> Result<Vec<Log>, Malformed> {
    let logs = array.as_array().ok_or(Malformed { what, allowed: "an array of logs" })?;
    logs.iter().filter(|log| log.get("removed") != Some(&Value::Bool(true))).map(Log::parse).collect()
}
