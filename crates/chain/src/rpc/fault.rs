//! What a node says instead of an answer.

use primitives::Malformed;
use serde_json::Value;

use crate::json::bytes;
use crate::limits::{FAULT_CHARS, REVERT_BYTES};

/// An error object (JSON-RPC 2.0, section 5.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The node's code; 0 if it gave none. Nodes use the same codes for different things.
    pub code: i64,
    /// What the node says, its first [`FAULT_CHARS`] characters. After a revert it holds words of the contract.
    pub message: String,
    /// What a reverting contract returned, where the node passes it on and it has at most [`REVERT_BYTES`].
    pub data: Option<Vec<u8>>,
}

/// What a [`Fault`] means for whoever asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The call would fail on the chain.
    Reverted,
    /// A transaction with this nonce is already in a block.
    NonceTooLow,
    /// The node has this very transaction.
    AlreadyKnown,
    /// The fees are too low: below those of the transaction that it would replace, the block's base fee, or what the
    /// node takes at all.
    Underpriced,
    /// The sender cannot pay for the gas.
    InsufficientFunds,
    /// The node is asked too often.
    RateLimited,
    /// Anything else.
    Other,
}

/// The code that most nodes give to a reverted call (geth).
const REVERTED: i64 = 3;
/// The code that hosted nodes borrow from HTTP.
const TOO_MANY_REQUESTS: i64 = 429;

/// What nodes say, in lower case, by meaning. Codes differ from node to node; these words hardly do.
///
/// The reverted come first: what follows their words is the contract's own text, which may say anything.
const WORDS: [(FaultKind, &[&str]); 6] = [
    (
        FaultKind::Reverted,
        &[
            "execution reverted",
            "vm execution error",
            "vm exception while processing",
            "gas required exceeds allowance",
            // A contract that breaks off without a revert: it has used up its gas, or its code is none.
            "out of gas",
            "outofgas",
            "memoryoog",
            "invalid opcode",
            "invalidfeopcode",
            "opcodenotfound",
            "invalid jump",
            "invalidjump",
            "stack underflow",
            "stackunderflow",
        ],
    ),
    (FaultKind::NonceTooLow, &["nonce too low", "oldnonce"]),
    (
        FaultKind::AlreadyKnown,
        &["already known", "alreadyknown", "known transaction", "already imported", "tx with same hash"],
    ),
    (
        FaultKind::Underpriced,
        &[
            "underpriced",
            "replacementnotallowed",
            "feetoolow",
            "fee too low",
            "replace existing t",
            "less than block base fee",
            "gas price below",
        ],
    ),
    (
        FaultKind::InsufficientFunds,
        &["insufficient funds", "insufficientfunds", "upfront cost exceeds account balance"],
    ),
    (
        FaultKind::RateLimited,
        &["rate limit", "too many requests", "request limit", "request rate", "compute units", "rps limit"],
    ),
];

impl Fault {
    /// What the fault means.
    pub fn kind(&self) -> FaultKind {
        let message = self.message.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|words| message.contains(words));
        match self.code {
            REVERTED => FaultKind::Reverted,
            TOO_MANY_REQUESTS => FaultKind::RateLimited,
            _ => WORDS.iter().find(|(_, words)| says(words)).map_or(FaultKind::Other, |(kind, _)| *kind),
        }
    }

    pub(super) fn parse(error: &Value) -> Result<Self, Malformed> {
        if !error.is_object() {
            return Err(Malformed { what: "JSON-RPC error", allowed: "an object with a code and a message" });
        }
        let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
        Ok(Self {
            code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
            message: message.chars().take(FAULT_CHARS).collect(),
            data: error.get("data").and_then(reverted_with),
        })
    }
}

/// The revert data: bytes as text, after a word of some nodes, or one level deeper in an object of others.
fn reverted_with(data: &Value) -> Option<Vec<u8>> {
    let data = data.get("data").unwrap_or(data);
    let text = data.as_str()?;
    let data = bytes(&text.strip_prefix("Reverted ").unwrap_or(text).into(), "data").ok()?;
    (data.len() <= REVERT_BYTES).then_some(data)
}

impl core::fmt::Display for Fault {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "the node answers with error {}: {}", self.code, self.message)
    }
}

impl core::error::Error for Fault {}
