//! The owner's word on a request.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Payment, number};

/// How far the owner's word on a request has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum ApprovalPart {
    /// It was given.
    Given {
        /// The approval's end, in Unix seconds, as it is signed.
        valid_before: u64,
        /// The owner's signature of `Approval` (EIP-712).
        signature: String,
    },
    /// It waits.
    Waits {
        /// The wait ends then (a time).
        waits_until: String,
    },
}

/// A payment that needs, or needed, the owner's approval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApprovalItem {
    /// The payment.
    #[serde(flatten)]
    pub payment: Payment,
    /// What `eth_signTypedData_v4` takes for the owner to approve it. Only the owner sees it, and only while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed_data: Option<Value>,
}

/// The owner decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "decision", rename_all = "snake_case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Decide {
    /// Yes.
    Approve {
        /// The approval's end, in Unix seconds, as it is signed.
        #[serde(deserialize_with = "number::integer")]
        valid_before: u64,
        /// The owner's signature of `Approval` (EIP-712).
        signature: String,
    },
    /// No.
    Reject {
        /// Why, for the agent: at most 500 bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
}
