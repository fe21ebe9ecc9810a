//! What a node can be asked, each question with the type of its answer (Ethereum JSON-RPC, the `eth` methods).

use alloy_primitives::keccak256;
use eip712::{Address, B256};
use primitives::{BaseUnits, Malformed, Millis, UnixMillis};
use serde_json::{Value, json};

use crate::json::{bytes, bytes_text, member, optional, quantity, quantity_text, word};
use crate::log::{self, Filter, Log};
use crate::receipt::Receipt;

/// What a node is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The method's name.
    pub method: &'static str,
    /// Its parameters, an array.
    pub params: Value,
}

/// A question whose answer is a `T`.
#[derive(Debug, Clone)]
pub struct Call<T> {
    /// What the node is asked.
    pub question: Question,
    read: fn(&Value, &Value) -> Result<T, Malformed>,
}

impl<T> Call<T> {
    /// The answer, from the `result` that the node gave.
    ///
    /// # Errors
    /// When it has another shape, or answers for another thing than was asked for.
    pub fn read(&self, result: &Value) -> Result<T, Malformed> {
        (self.read)(&self.question.params, result)
    }

    /// `read` takes the question's parameters and the node's result.
    pub(crate) fn new(
        method: &'static str,
        params: Value,
        read: fn(&Value, &Value) -> Result<T, Malformed>,
    ) -> Self {
        Self { question: Question { method, params }, read }
    }
}

/// A block, by what it is or by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// The newest one.
    Latest,
    /// The newest one and what waits to come after it. It may have no hash and no number, so only
    /// [`transaction_count`] takes it reliably.
    Pending,
    /// The newest one that a majority has attested to; on a rollup, the newest one whose data is on its parent chain.
    Safe,
    /// The newest one that cannot be taken back.
    Finalized,
    /// The one with this number.
    Number(u64),
}

impl Block {
    fn to_json(self) -> Value {
        match self {
            Self::Latest => "latest".into(),
            Self::Pending => "pending".into(),
            Self::Safe => "safe".into(),
            Self::Finalized => "finalized".into(),
            Self::Number(number) => quantity_text(number.into()).into(),
        }
    }
}

/// The head of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Its number.
    pub number: u64,
    /// Its hash.
    pub hash: B256,
    /// When it was made, in whole seconds of the chain's own clock.
    pub timestamp: UnixMillis,
    /// What each unit of gas costs before any tip, in wei; absent before EIP-1559.
    pub base_fee_per_gas: Option<u128>,
}

impl Head {
    fn parse(block: &Value) -> Result<Self, Malformed> {
        Ok(Self {
            number: member(block, "number", quantity)?,
            hash: member(block, "hash", word)?,
            timestamp: UnixMillis(Millis::from_seconds(member(block, "timestamp", quantity)?).0),
            base_fee_per_gas: optional(block, "baseFeePerGas", quantity)?,
        })
    }
}

/// Which chain this is (EIP-155).
pub fn chain_id() -> Call<u64> {
    Call::new("eth_chainId", json!([]), |_, result| quantity(result, "chain id"))
}

/// The code at an address in the newest block; empty for an account without code.
pub fn code(address: Address) -> Call<Vec<u8>> {
    let params = json!([bytes_text(address), Block::Latest.to_json()]);
    Call::new("eth_getCode", params, |_, result| bytes(result, "code"))
}

/// How much of the chain's own money an account has, in wei.
pub fn balance(address: Address) -> Call<BaseUnits> {
    let params = json!([bytes_text(address), Block::Latest.to_json()]);
    Call::new("eth_getBalance", params, |_, result| quantity(result, "balance").map(BaseUnits))
}

/// What a call would return if it were made on the newest block. A call that would revert is a
/// [`Fault`](super::Fault).
pub fn call(from: Option<Address>, to: Address, input: &[u8]) -> Call<Vec<u8>> {
    let params = json!([unsigned(from, to, input), Block::Latest.to_json()]);
    Call::new("eth_call", params, |_, result| bytes(result, "returned data"))
}

/// How much gas a call would need. A call that would revert is a [`Fault`](super::Fault).
pub fn estimate_gas(from: Address, to: Address, input: &[u8]) -> Call<u64> {
    let params = json!([unsigned(Some(from), to, input)]);
    Call::new("eth_estimateGas", params, |_, result| quantity(result, "amount of gas"))
}

/// How many transactions an account has sent: up to a block, or, with [`Block::Pending`], with those that wait.
pub fn transaction_count(address: Address, block: Block) -> Call<u64> {
    let params = json!([bytes_text(address), block.to_json()]);
    Call::new("eth_getTransactionCount", params, |_, result| quantity(result, "transaction count"))
}

/// Sends a signed transaction; the answer is its hash. Sending the same bytes twice is harmless; the
/// node may then answer with a fault that says so.
pub fn send_raw_transaction(raw: &[u8]) -> Call<B256> {
    Call::new("eth_sendRawTransaction", json!([bytes_text(raw)]), |params, result| {
        let hash = word(result, "transaction hash")?;
        asked_for(hash == keccak256(bytes(first(params), "transaction")?), "transaction hash")?;
        Ok(hash)
    })
}

/// What became of a transaction; nothing while it is in no block.
pub fn receipt(hash: B256) -> Call<Option<Receipt>> {
    Call::new("eth_getTransactionReceipt", json!([bytes_text(hash)]), |params, result| {
        if result.is_null() {
            return Ok(None);
        }
        let receipt = Receipt::parse(result)?;
        asked_for(*first(params) == bytes_text(receipt.transaction_hash), "receipt")?;
        Ok(Some(receipt))
    })
}

/// The head of a block; nothing if the node has no such block.
pub fn block(block: Block) -> Call<Option<Head>> {
    Call::new("eth_getBlockByNumber", json!([block.to_json(), false]), |params, result| {
        if result.is_null() {
            return Ok(None);
        }
        let head = Head::parse(result)?;
        let block = first(params);
        let by_number = block.as_str().is_some_and(|block| block.starts_with("0x"));
        asked_for(!by_number || *block == quantity_text(head.number.into()), "block")?;
        Ok(Some(head))
    })
}

/// The tip that the node thinks is enough for a place in one of the next blocks, in wei for each unit of gas.
pub fn max_priority_fee() -> Call<u128> {
    Call::new("eth_maxPriorityFeePerGas", json!([]), |_, result| quantity(result, "fee"))
}

/// The logs that a filter asks for, without those that a reorganization of the chain has taken back.
pub fn logs(filter: &Filter) -> Call<Vec<Log>> {
    Call::new("eth_getLogs", json!([filter.to_json()]), |params, result| {
        let logs = log::logs(result, "list of logs")?;
        asked_for(logs.iter().all(|log| log.answers(first(params))), "list of logs")?;
        Ok(logs)
    })
}

/// A call that is only tried. `data`, not `input`: the older name is the one that every node knows.
fn unsigned(from: Option<Address>, to: Address, input: &[u8]) -> Value {
    let mut call = json!({ "to": bytes_text(to), "data": bytes_text(input) });
    if let (Some(from), Some(members)) = (from, call.as_object_mut()) {
        members.insert("from".to_owned(), bytes_text(from).into());
    }
    call
}

fn first(params: &Value) -> &Value {
    params.get(0).unwrap_or(&Value::Null)
}

pub(crate) fn asked_for(is_it: bool, what: &'static str) -> Result<(), Malformed> {
    if is_it { Ok(()) } else { Err(Malformed { what, allowed: "the one that was asked for" }) }
}
