//! What there is to know about this deployment before anything is signed.

use serde::{Deserialize, Serialize};

/// What there is to know about this deployment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StatusReport {
    /// Who settles payments: `simulator`, `binding` or `remote`.
    pub mode: String,
    /// The chain of the token, and of what is signed (EIP-155).
    pub chain_id: u64,
    /// Who can hold a mandate's money: `ledger`, and `contract` where a chain is read and written.
    pub custody: Vec<String>,
    /// The address that stands for the ledger in what is signed.
    pub ledger: String,
    /// The token of mandates.
    pub token: String,
    /// The contract whose mandates can be adopted: what is signed under them is signed for it, under the same name and version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
    /// The domain of what is signed under mandates in custody of the ledger.
    pub eip712_domain: Eip712Domain,
    /// What one mandate can hold.
    pub limits: LimitsReport,
}

/// The domain of what is signed (EIP-712).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Eip712Domain {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its chain (EIP-155).
    pub chain_id: u64,
    /// The address in the contract's place.
    pub verifying_contract: String,
}

/// What one mandate can hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LimitsReport {
    /// Entries.
    pub entries: u64,
    /// Payments that are open at once.
    pub open: u64,
    /// Requests that wait at once.
    pub waiting: u64,
    /// Reservations at once.
    pub reservations: u64,
    /// The longest wait for an approval, in seconds.
    pub approval_wait_seconds: u64,
    /// The longest label, in bytes.
    pub label_bytes: u64,
    /// The longest note, in bytes.
    pub note_bytes: u64,
    /// The largest amount and cap.
    pub amount_max: String,
}
