//! Money that is held before work.

use serde::{Deserialize, Serialize};

use super::{MeterFailure, SettlementView, quantity};

/// `POST /v1/reservations`: have money held before work begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReserveBody {
    /// Who is going to use.
    pub agent: String,
    /// What.
    pub service_id: String,
    /// At most how much: a decimal text, or a JSON integer below 2^53.
    #[serde(alias = "requests", deserialize_with = "quantity::text")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "quantity::schema"))]
    pub quantity: String,
    /// How long the work may take, in seconds; an hour, if it does not say, and at most a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<u64>,
}

/// `POST /v1/reservations/{reservation}/commit`: the work is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommitBody {
    /// How much was used: a decimal text, or a JSON integer below 2^53.
    #[serde(alias = "requests", deserialize_with = "quantity::text")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "quantity::schema"))]
    pub quantity: String,
    /// The sender's own name for the event of usage; one that follows from the reservation, if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who says so; `api`, if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When it happened; when it was received, if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}

/// Where a reservation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ReservationStatus {
    /// The mandate has been asked.
    Asked,
    /// It holds the amount.
    Held,
    /// It does not.
    Refused,
    /// The work was done and is paid by the settlement.
    Committed,
    /// What was held is given back.
    Released,
    /// Time has ended it, and what was held is given back.
    Expired,
}

/// Money that is held before work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReservationView {
    /// Its id.
    pub id: String,
    /// Who is going to use.
    pub agent: String,
    /// What.
    pub service_id: String,
    /// At most how much.
    pub quantity: String,
    /// What is held, in base units.
    pub amount: String,
    /// The mandate that holds it.
    pub mandate: String,
    /// At which price.
    pub price_version: u32,
    /// Where it stands.
    pub status: ReservationStatus,
    /// When it was asked for.
    pub created_at: String,
    /// When it ends by itself.
    pub until: String,
    /// The settlement that pays what was used.
    pub settlement: Option<String>,
    /// Why the mandate does not hold it.
    pub refusal: Option<MeterFailure>,
}

/// The answer to a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CommitAnswer {
    /// The reservation.
    pub reservation: ReservationView,
    /// The settlement that pays what was used.
    pub settlement: SettlementView,
}
