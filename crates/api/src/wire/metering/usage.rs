//! Events of usage: what is sent, and what becomes of it.

use serde::{Deserialize, Serialize};

use super::quantity;

/// `POST /v1/usage`: one event of usage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UsageBody {
    /// Who has used.
    pub agent: String,
    /// What.
    pub service_id: String,
    /// How much: a decimal text, or a JSON integer below 2^53. Published as `requests`, which is taken too.
    #[serde(alias = "requests", deserialize_with = "quantity::text")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "quantity::schema"))]
    pub quantity: String,
    /// The sender's own name for the event. Without one it is that of the header `Idempotency-Key`, or fresh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who says so, a URI reference; `api`, if it does not say. Source and id together name the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When it happened; when it was received, if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}

/// `POST /v1/usage/reverse`: take an event back, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReverseBody {
    /// Who has used.
    pub agent: String,
    /// What.
    pub service_id: String,
    /// The event that is taken back.
    pub reverses: EventBody,
    /// The sender's own name for this; one that follows from the event, if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who says so; `api`, if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// Which event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EventBody {
    /// Who has said so; `api`, if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The sender's own name for it.
    pub id: String,
}

/// An agent and a service: `POST /v1/settle`, and each item of `POST /v1/settle/bulk`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PairBody {
    /// Who has used.
    pub agent: String,
    /// What.
    pub service_id: String,
}

/// What names an event (CloudEvents 1.0).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventName {
    /// Who says so.
    pub source: String,
    /// The source's own name for it.
    pub id: String,
}

/// What became of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum UsageStatus {
    /// It counts.
    Recorded,
    /// The same event counted before.
    Duplicate,
    /// It does not count.
    Refused,
}

/// The answer to one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UsageAnswer {
    /// The event.
    pub event: EventName,
    /// Who has used.
    pub agent: String,
    /// What.
    pub service_id: String,
    /// `recorded`, or `duplicate` of one that was.
    pub status: UsageStatus,
    /// How much.
    pub quantity: String,
    /// What is open of the pair now.
    pub total: String,
    /// The price version that is charged; null for a duplicate.
    pub price_version: Option<u32>,
    /// When it happened.
    pub time: String,
    /// The meter.
    pub meter: String,
    /// The meter's version: a list that has come as far shows this event.
    pub version: u64,
}

/// The answer to a bulk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BulkAnswer {
    /// One for each item, in their order.
    pub results: Vec<BulkResult>,
    /// Items that count.
    pub recorded: u32,
    /// Items that counted before.
    pub duplicates: u32,
    /// Items that do not count.
    pub refused: u32,
}

/// What became of one item of a bulk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BulkResult {
    /// The item, counted from 0.
    pub index: u32,
    /// What became of it.
    pub status: UsageStatus,
    /// The event; null where it could not be read.
    pub event: Option<EventName>,
    /// The price version that is charged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_version: Option<u32>,
    /// Why it does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ItemError>,
}

/// Why an item of a bulk was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ItemError {
    /// Stable, for programs.
    pub code: String,
    /// What was wrong and what to do.
    pub detail: String,
    /// The place in the item, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// An event was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReversalAnswer {
    /// What has taken it back.
    pub event: EventName,
    /// What was taken back.
    pub reverses: EventName,
    /// Who had used.
    pub agent: String,
    /// What.
    pub service_id: String,
    /// How much of it.
    pub quantity: String,
    /// The meter.
    pub meter: String,
    /// The meter's version.
    pub version: u64,
}

/// A recorded event, as its meter has it on file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventView {
    /// The event.
    pub event: EventName,
    /// When it happened; of a reversal when it was received.
    pub time: String,
    /// When it was received.
    pub received_at: String,
    /// How much was used; what was taken back, of a reversal.
    pub quantity: String,
    /// The price version that is charged.
    pub price_version: u32,
    /// What it takes back, if that is what it does.
    pub reverses: Option<EventName>,
    /// What has taken it back.
    pub reversed_by: Option<EventName>,
}

/// Events of one meter, newest receipt first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventsOfMeter {
    /// The events.
    pub events: Vec<EventView>,
    /// Pass it as `cursor` for the next page; null at the end.
    pub next_cursor: Option<String>,
}

/// What a meter has counted, over all its shards. Quantities are decimal texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MeterView {
    /// The meter.
    pub meter: String,
    /// Who uses.
    pub agent: String,
    /// What.
    pub service_id: String,
    /// What is open: not in any bill. Published as the counter's value.
    pub total: String,
    /// Events that were recorded.
    pub events: u64,
    /// What they said.
    pub recorded: String,
    /// What of it was taken back before it was settled.
    pub reversed: String,
    /// What was taken back after that: it comes off later bills.
    pub credited: String,
    /// What is in paid bills.
    pub settled: String,
    /// What these came to, in base units.
    pub paid: String,
    /// What was written off.
    pub written_off: String,
    /// The bill that waits for its payment.
    pub pending: Option<String>,
    /// Since when.
    pub since: String,
    /// The last event's receipt.
    pub last_at: String,
    /// How many shards count.
    pub shards: u8,
    /// The meter's version: the sum of its shards' versions.
    pub version: u64,
}
