//! What is due: bills, and what lies behind their amounts.

use serde::{Deserialize, Serialize};

use super::PricingView;

/// What is paid in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AssetView {
    /// The network (CAIP-2).
    pub network: String,
    /// The token's address there.
    pub address: String,
}

/// One line of a bill: usage at one price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LineView {
    /// The price version.
    pub price_version: u32,
    /// What it charges.
    pub price: PricingView,
    /// How much was used.
    pub quantity: String,
    /// In how many events.
    pub events: u64,
    /// The earliest moment of these.
    pub from: String,
    /// The latest moment of these.
    pub to: String,
    /// What it costs, exactly: base units with up to 15 digits after the point.
    pub exact: String,
    /// What was carried to it from the line before, or from the last bill.
    pub carried_in: String,
    /// What is charged: `exact` and `carriedIn` rounded down once, the rest carried on.
    pub amount: String,
}

/// Usage that was taken back after it was billed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AdjustmentView {
    /// The number of the settlement that had billed it.
    pub settlement: u64,
    /// The price version of its line.
    pub price_version: u32,
    /// How much was taken back.
    pub quantity: String,
    /// By how much that line would have been less without it, exactly.
    pub exact: String,
}

/// What a bill of a pair would be now. A bill that is drawn up now is exactly this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BillView {
    /// Who has used.
    pub agent: String,
    /// What.
    pub service_id: String,
    /// How much is open.
    pub quantity: String,
    /// What is due, in base units.
    pub amount: String,
    /// What is paid in.
    pub asset: AssetView,
    /// What is open, oldest price first.
    pub lines: Vec<LineView>,
    /// What was taken back of earlier bills.
    pub adjustments: Vec<AdjustmentView>,
    /// What was carried from the last bill.
    pub carried_in: String,
    /// What would be carried to the next one.
    pub carried_out: String,
    /// The bill before that waits for its payment.
    pub pending: Option<String>,
    /// The meter's version: the sum of its shards' versions.
    pub version: u64,
}

/// What is due in total: of one agent, or of all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TotalView {
    /// Who has used; null for all.
    pub agent: Option<String>,
    /// What is due, in base units: the sum of the bills.
    pub amount: String,
    /// What is paid in.
    pub asset: AssetView,
    /// Meters that were asked.
    pub meters: u64,
}
