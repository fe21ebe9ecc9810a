//! Whether a transaction can still land.

use primitives::Malformed;
use serde_json::Value;

use super::json::{list, number};
use crate::json::member;
use crate::rpc::Answer;

/// How far the final part of the chain reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Epoch {
    /// The newest final slot.
    pub slot: u64,
    /// How many blocks there are up to it. Not every slot has one.
    pub block_height: u64,
}

/// What a node knows of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// The newest slot that the node has seen.
    pub slot: u64,
    /// Whether the transaction is in any block that the node has seen, final or not, failed or not.
    pub is_known: bool,
}

impl Epoch {
    pub(super) fn parse(result: &Value) -> Result<Self, Malformed> {
        Ok(Self {
            slot: member(result, "absoluteSlot", number)?,
            block_height: member(result, "blockHeight", number)?,
        })
    }
}

impl Status {
    pub(super) fn parse(result: &Value) -> Result<Self, Malformed> {
        let slot = member(result.get("context").unwrap_or(&Value::Null), "slot", number)?;
        let is_known = match list(result, "value")?.as_slice() {
            [Value::Null] => Some(false),
            [Value::Object(_)] => Some(true),
            _ => None,
        };
        let allowed = "one status for the one signature that was asked for";
        Ok(Self { slot, is_known: is_known.ok_or(Malformed { what: "list of statuses", allowed })? })
    }
}

/// Whether a transaction is in no block and can be in none any more: the blocks up to `last_valid_block_height`, the
/// last that takes the transaction's blockhash, are final, and a node that has seen them all does not know it.
///
/// `epoch` must be asked first: it may come from another node than `status`, whose slot says how far that one has seen.
/// The node must keep its history at least that long. A transaction under a durable nonce has no last valid height, so
/// nothing is proven for one.
pub fn never_landed(epoch: &Answer, status: &Answer, last_valid_block_height: u64) -> bool {
    let (Ok(epoch), Ok(status)) = (epoch, status) else { return false };
    let (Ok(epoch), Ok(status)) = (Epoch::parse(epoch), Status::parse(status)) else { return false };
    !status.is_known && epoch.block_height > last_valid_block_height && status.slot >= epoch.slot
}
