//! What an owner sends to make and change a mandate.

use serde::{Deserialize, Serialize};

/// A mandate to be made. Its owner is whoever sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateMandate {
    /// 32 bytes that tell two mandates of one owner apart. Without it the header `Idempotency-Key` does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// The owner's private name for it: at most 120 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Who may ask for payments.
    pub agent: String,
    /// How the owner signs.
    #[serde(default)]
    pub owner_kind: SignerKind,
    /// How the agent signs.
    #[serde(default)]
    pub agent_kind: SignerKind,
    /// How long a loosening amendment waits, in seconds: 1 hour to 30 days.
    #[serde(default = "one_day")]
    pub amend_delay_seconds: u32,
    /// The rules.
    pub policy: PolicyBody,
    /// Whom the agent may pay for what: 1 to 1,000. Of two for the same recipient and service the later stands.
    pub entries: Vec<EntryBody>,
}

/// How an owner or an agent signs, for as long as the mandate lives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SignerKind {
    /// With a key.
    #[default]
    Ecdsa,
    /// As a contract, which is asked on the chain (ERC-1271).
    Erc1271,
}

impl From<SignerKind> for mandate::SignerKind {
    fn from(kind: SignerKind) -> Self {
        match kind {
            SignerKind::Ecdsa => Self::Ecdsa,
            SignerKind::Erc1271 => Self::Erc1271,
        }
    }
}

impl From<mandate::SignerKind> for SignerKind {
    fn from(kind: mandate::SignerKind) -> Self {
        match kind {
            mandate::SignerKind::Ecdsa => Self::Ecdsa,
            mandate::SignerKind::Erc1271 => Self::Erc1271,
        }
    }
}

const fn one_day() -> u32 {
    86_400
}

/// The owner's rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PolicyBody {
    /// Payments are possible from here on (a time); at once if it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_after: Option<String>,
    /// Payments are possible before this (a time).
    pub valid_before: String,
    /// At most this for one payment.
    pub payment_cap: String,
    /// At most this on one UTC day.
    pub day_cap: String,
    /// At most this in one UTC month; no such cap if it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub month_cap: Option<String>,
    /// At most this over the mandate's life; no such cap if it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetime_cap: Option<String>,
    /// At most so many payments on one UTC day; no such cap if it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day_count: Option<u32>,
    /// Above this the owner approves each payment; `paymentCap` if it is absent, so that none needs an approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_above: Option<String>,
    /// What providers rely on.
    #[serde(default)]
    pub terms: TermsBody,
}

/// What providers rely on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TermsBody {
    /// Seconds from a delivery in which the owner may dispute: 10 minutes to 30 days.
    pub challenge_period_seconds: u32,
    /// Seconds from a dispute in which the resolver may decide: 1 hour to 90 days.
    pub resolution_timeout_seconds: u32,
    /// The provider's share when the resolver was silent on a dispute with evidence, in basis points (10,000 is all).
    pub silence_bps: u16,
    /// Who decides disputes; null for nobody.
    pub resolver: Option<String>,
}

impl Default for TermsBody {
    /// A day to dispute, a week to resolve, nobody to do so, and half on silence.
    fn default() -> Self {
        Self {
            challenge_period_seconds: 86_400,
            resolution_timeout_seconds: 604_800,
            silence_bps: 5_000,
            resolver: None,
        }
    }
}

/// Whom the agent may pay for what, and how much.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EntryBody {
    /// Whom; anyone if it is null or absent.
    #[serde(default)]
    pub recipient: Option<String>,
    /// For what: a service's name, of 1 to 64 characters of `a` to `z`, `0` to `9`, `.`, `-` and `/`, or the keccak-256 of
    /// one; anything if it is null or absent.
    #[serde(default)]
    pub service: Option<String>,
    /// At most this for one payment; the policy's cap if it is absent. Zero forbids what the entry names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_cap: Option<String>,
    /// At most this in each window; no such cap if it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_cap: Option<String>,
    /// The window.
    #[serde(default)]
    pub window: Window,
}

/// The calendar window in which an entry's payments are summed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// One UTC day.
    #[default]
    UtcDay,
    /// One UTC month.
    UtcMonth,
}

/// A whole new policy, and the entries that are added or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Amend {
    /// The version of the policy that the owner looked at.
    pub expected_version: u64,
    /// The new policy, whole: a cap that is absent is none.
    pub policy: PolicyBody,
    /// The entries that are added or changed, up to 1,000.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<EntryBody>,
}

/// A mandate that the contract keeps is to be mirrored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Adopt {
    /// Its id, a hash.
    pub mandate: String,
    /// The owner's private name for it: at most 120 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// How much comes in or goes out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Amount {
    /// The amount.
    pub amount: String,
}
