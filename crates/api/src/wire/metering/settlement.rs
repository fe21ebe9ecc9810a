//! Settlements: bills that were drawn up, and how each is paid.

use serde::{Deserialize, Serialize};

use super::{AdjustmentView, AssetView, LineView};

/// Where a settlement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SettlementStatus {
    /// It waits to be paid.
    Drafted,
    /// It is being paid.
    Submitted,
    /// It is paid, or nothing had to be.
    Verified,
    /// It is not paid and will not be: its usage is open again.
    Failed,
    /// Its usage is not charged for.
    WrittenOff,
}

/// How a settlement is paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "method", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SettlementPayment {
    /// By an x402 payment.
    X402 {
        /// The payment.
        payment: String,
    },
    /// From a mandate.
    Mandate {
        /// The mandate.
        mandate: String,
        /// Whom it pays.
        recipient: String,
    },
    /// From what a reservation holds.
    Reservation {
        /// The reservation.
        reservation: String,
        /// The mandate that holds it.
        mandate: String,
    },
    /// By a transaction that its payer has named.
    Transaction {
        /// Its network (CAIP-2).
        network: String,
        /// Its hash.
        transaction: String,
        /// Who has sent it.
        payer: String,
    },
}

/// Why a settlement or a reservation came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MeterFailure {
    /// Stable, for programs.
    pub code: String,
    /// The same for people.
    pub reason: String,
}

/// Where a bill is paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettlementLinks {
    /// By x402.
    pub pay: String,
    /// From a mandate.
    pub mandate: String,
    /// By a transaction.
    pub transaction: String,
}

/// A bill, as a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettlementView {
    /// Its id. Whoever knows it may look at the bill and pay it.
    pub id: String,
    /// Counts from 1 at each meter, without gaps.
    pub number: u64,
    /// Who has used.
    pub agent: String,
    /// What.
    pub service_id: String,
    /// Who has drawn it up.
    pub tenant: String,
    /// Where it stands.
    pub status: SettlementStatus,
    /// What is due, in base units.
    pub amount: String,
    /// What it is paid in.
    pub asset: AssetView,
    /// Who is paid; left out where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pay_to: Option<String>,
    /// How much was used.
    pub quantity: String,
    /// What was used, oldest price first.
    pub lines: Vec<LineView>,
    /// What was taken back of earlier bills.
    pub adjustments: Vec<AdjustmentView>,
    /// What was carried to it from the last bill.
    pub carried_in: String,
    /// What it carries to the next one.
    pub carried_out: String,
    /// When it was drawn up.
    pub created_at: String,
    /// Until when it waits to be paid, or for word of its payment; null when it is over.
    pub pay_until: Option<String>,
    /// How it is paid; null while nobody has begun to, and where nothing had to be paid.
    pub payment: Option<SettlementPayment>,
    /// Why it is not known yet how its payment ended.
    pub unknown: Option<String>,
    /// What proves that it is paid, such as a transaction's hash.
    pub proof: Option<String>,
    /// Why it is not paid.
    pub failure: Option<MeterFailure>,
    /// Where it is paid; null unless it waits for that.
    pub links: Option<SettlementLinks>,
    /// The meter's version.
    pub version: u64,
}

/// What came of many: one result for each pair, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettleManyAnswer {
    /// One for each pair, in their order.
    pub results: Vec<SettleResult>,
}

/// What came of one pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettleResult {
    /// The pair, counted from 0.
    pub index: u32,
    /// The settlement; null where there is none.
    pub settlement: Option<SettlementView>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<super::ItemError>,
}

/// Many pairs: `POST /v1/settle/bulk`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PairsBody {
    /// At most 100, each once.
    pub items: Vec<super::PairBody>,
}

/// `POST /v1/settlements/{settlement}/mandate`: have it paid from a mandate. Takes the signature of the mandate's agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PayFromMandateBody {
    /// The mandate: `0x` and 64 hexadecimal digits.
    pub mandate: String,
}

/// `POST /v1/settlements/{settlement}/transaction`: it was paid by a transaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TransactionBody {
    /// Its hash: `0x` and 64 hexadecimal digits.
    pub transaction: String,
    /// Who has sent it: `0x` and 40 hexadecimal digits.
    pub payer: String,
}
