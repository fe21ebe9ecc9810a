//! A mandate as it is shown.

use serde::{Deserialize, Serialize};

use super::{SignerKind, Window};

/// A mandate as it stands. In lists its sums are as of its latest change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Mandate {
    /// Its id, a hash.
    pub mandate: String,
    /// Who holds the money: `ledger` or `contract`.
    pub custody: String,
    /// Whose money it is.
    pub owner: String,
    /// Who may ask for payments.
    pub agent: String,
    /// The token that it is in.
    pub token: String,
    /// How the owner signs.
    #[serde(default)]
    pub owner_kind: SignerKind,
    /// How the agent signs.
    #[serde(default)]
    pub agent_kind: SignerKind,
    /// The chain of the token, and of what is signed (EIP-155).
    pub chain_id: u64,
    /// What is signed for: the contract, or the address that stands for the ledger, where there is no contract.
    pub ledger: String,
    /// Whether it works.
    pub status: MandateStatus,
    /// Grows by one with every policy; a request names it.
    pub policy_version: u64,
    /// Grows with every change.
    pub version: u64,
    /// The rules.
    pub policy: Policy,
    /// How long a loosening amendment waits, in seconds.
    pub amend_delay_seconds: u32,
    /// The amendment that waits, if one does.
    pub pending_amendment: Option<PendingAmendment>,
    /// How many entries there are.
    pub entry_count: u64,
    /// The money.
    pub funds: Funds,
    /// What was authorized.
    pub spent: Spent,
    /// What may yet be authorized.
    pub remaining: Remaining,
    /// How many payments are open.
    pub open: u64,
    /// How many requests wait for the owner, or to be submitted.
    pub waiting: u64,
    /// How many parts of the budget are held for others.
    pub reservations: u64,
    /// When it was made.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: String,
    /// The owner's private name for it. Only its owner sees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Up to where the chain was read, in custody of the contract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<AsOf>,
}

/// Up to where a chain was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AsOf {
    /// The newest block that was read.
    pub block: u64,
    /// Its time.
    pub at: String,
    /// The newest block that is final: what it and those before it say is never taken back. Until the mandate's creation is
    /// final, the block of that.
    pub final_block: u64,
}

/// Whether a mandate works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MandateStatus {
    /// It works.
    Active,
    /// The owner stopped it until further notice.
    Paused,
    /// The owner or the agent stopped it for ever.
    Revoked,
    /// Its time is over.
    Expired,
}

/// The owner's rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Policy {
    /// Payments are possible from here on (a time).
    pub valid_after: String,
    /// Payments are possible before this (a time).
    pub valid_before: String,
    /// At most this for one payment.
    pub payment_cap: String,
    /// At most this on one UTC day.
    pub day_cap: String,
    /// At most this in one UTC month; null for no cap.
    pub month_cap: Option<String>,
    /// At most this over the mandate's life; null for no cap.
    pub lifetime_cap: Option<String>,
    /// At most so many payments on one UTC day; null for no cap.
    pub day_count: Option<u32>,
    /// Above this the owner approves each payment.
    pub approval_above: String,
    /// What providers rely on.
    pub terms: Terms,
}

/// What providers rely on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// Seconds from a delivery in which the owner may dispute.
    pub challenge_period_seconds: u32,
    /// Seconds from a dispute in which the resolver may decide.
    pub resolution_timeout_seconds: u32,
    /// The provider's share when the resolver was silent on a dispute with evidence, in basis points.
    pub silence_bps: u16,
    /// Who decides disputes; null for nobody.
    pub resolver: Option<String>,
}

/// An amendment that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PendingAmendment {
    /// The keccak-256 of its ABI encoding (`Amendment` of the contract `Mandates`).
    pub hash: String,
    /// From when on it may be applied.
    pub effective_at: String,
}

/// The money of a mandate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Funds {
    /// All that it holds.
    pub balance: String,
    /// What open payments and reservations hold of it.
    pub reserved: String,
    /// The rest.
    pub available: String,
}

/// What was authorized.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Spent {
    /// On this UTC day.
    pub today: String,
    /// In this UTC month.
    pub this_month: String,
    /// Over the mandate's life.
    pub lifetime: String,
    /// How many payments on this UTC day.
    pub count_today: u32,
}

/// What may yet be authorized, cap by cap, whatever money there is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Remaining {
    /// On this UTC day.
    pub today: String,
    /// In this UTC month; null for no cap.
    pub this_month: Option<String>,
    /// Over the mandate's life; null for no cap.
    pub lifetime: Option<String>,
    /// How many payments on this UTC day; null for no cap.
    pub count_today: Option<u32>,
}

/// An entry as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EntryAnswer {
    /// Whom the agent may pay; null for anyone.
    pub recipient: Option<String>,
    /// For what: the keccak-256 of the service's name; null for anything.
    pub service: Option<String>,
    /// At most this for one payment; zero forbids what the entry names.
    pub payment_cap: String,
    /// At most this in each window; null for no cap.
    pub window_cap: Option<String>,
    /// The window.
    pub window: Window,
    /// What was authorized in the present window.
    pub spent_in_window: String,
}

/// What may yet be authorized, rule by rule; for one recipient and service if they were named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BudgetAnswer {
    /// The money that nothing has reserved.
    pub available: String,
    /// The cap for one payment.
    pub per_payment: String,
    /// What is left of this UTC day's cap.
    pub today: String,
    /// What is left of this UTC month's cap; null for no cap.
    pub this_month: Option<String>,
    /// What is left of the cap over the mandate's life; null for no cap.
    pub lifetime: Option<String>,
    /// How many more payments on this UTC day; null for no cap.
    pub count_today: Option<u32>,
    /// The entry that allows what was named; null where none does, or nothing was named.
    pub entry: Option<EntryBudget>,
    /// Above this the owner approves each payment; null where no payment that the cap allows is above it.
    pub needs_approval_above: Option<String>,
}

/// What one entry may yet allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EntryBudget {
    /// The entry's cap for one payment; zero where it forbids.
    pub per_payment: String,
    /// What is left of the entry's window; null for no cap.
    pub window: Option<String>,
}
