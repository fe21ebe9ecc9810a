//! What a run's owner sends.

use serde::{Deserialize, Serialize};

use super::{ExecutionMode, number};

/// `POST /v1/runs`: have something bought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateRun {
    /// What is wanted.
    pub request: PurchaseBody,
    /// The executor that looks at the shops. May be left out where the demo executor is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executor_id: Option<String>,
    /// Your own name for the user that it is for; kept, shown to you, never read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The mandate that it spends from, in custody of the ledger. Takes the signature of its agent or owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mandate: Option<String>,
    /// Whether money moves; only `simulated` is possible so far.
    #[serde(default)]
    pub execution_mode: ExecutionMode,
    /// Whose wallet pays.
    #[serde(default)]
    pub wallet: WalletKind,
}

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PurchaseBody {
    /// The product in words, such as `coca-cola 2l`. Each word has to stand in the name of what is bought.
    pub requirement: String,
    /// How many.
    pub quantity: u32,
    /// The most that all of it may cost, fees included.
    #[serde(deserialize_with = "number::digits")]
    pub max_budget_cents: String,
}

/// Whose wallet pays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WalletKind {
    /// The buyer's own, which reports its state and pays.
    #[default]
    External,
    /// One that plays its part by itself, where nothing is settled on a chain.
    Simulated,
}

/// `POST /v1/runs/{run}/wallet-state`: what the wallet says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WalletBody {
    /// Whether it is connected.
    pub connected: bool,
    /// Its address, if it is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// What it can spend privately, in base units, if it is connected and knows.
    #[serde(default, deserialize_with = "number::optional_digits", skip_serializing_if = "Option::is_none")]
    pub shielded_usdc: Option<String>,
    /// When it looked; now, if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_at: Option<String>,
}

/// `POST /v1/runs/{run}/confirm`: a yes to exactly what `payment.confirmation` says, or a no.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfirmBody {
    /// The digest that was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The amount that was shown.
    #[serde(default, deserialize_with = "number::optional_digits", skip_serializing_if = "Option::is_none")]
    pub amount_cents: Option<String>,
    /// `true`, and nothing else, for a no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reject: Option<bool>,
}

/// `POST /v1/runs/{run}/payment`: the wallet has paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PaymentBody {
    /// The transaction's name on its chain: a signature of Solana in base58, the hash of a transaction of an EVM chain, or
    /// that of a simulated payment.
    pub signature: String,
    /// The last block height at which the transaction can still land (Solana).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_valid_block_height: Option<u64>,
}

/// `POST /v1/runs/{run}/executor`: have another executor look at the shops.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RebindBody {
    /// Which one.
    pub executor_id: String,
}
