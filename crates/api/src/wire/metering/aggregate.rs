//! Usage added up, from tables that follow the meters. `asOf` is when the newest of what an answer counts was written there;
//! null where there is nothing. `version` says how far a row has come: a meter's answers name the same version.

use serde::{Deserialize, Serialize};

use super::SettlementView;

/// What some meters have counted together. Quantities are decimal texts, amounts base units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// Meters that were added up.
    pub meters: u64,
    /// Events of usage.
    pub events: u64,
    /// What was used, without what was taken back.
    pub quantity: String,
    /// What of it is open: in no bill. Published as the total.
    pub total: String,
    /// What is in bills that wait for their payment.
    pub pending: String,
    /// What is in paid bills.
    pub settled: String,
    /// What these came to.
    pub paid: String,
    /// What was written off.
    pub written_off: String,
    /// The last event's receipt.
    pub last_at: Option<String>,
    /// The sum of the meters' versions.
    pub version: u64,
}

/// What a service's agents have used together, or an agent of all services.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TallyAnswer {
    /// Who has used; left out for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What; left out for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_id: Option<String>,
    /// What they have counted.
    #[serde(flatten)]
    pub tally: Tally,
    /// When the newest of this was written; null where there is nothing.
    pub as_of: Option<String>,
}

/// What one agent or service, or one of the other, has come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TallyRow {
    /// Who has used; left out where rows are of services.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What; left out where rows are of agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_id: Option<String>,
    /// What was counted.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Agents and what they have used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UsedByAgents {
    /// In the order of their names, or of a top list by quantity, most first.
    pub agents: Vec<TallyRow>,
    /// Pass it as `cursor` for the next page; null at the end.
    pub next_cursor: Option<String>,
    /// When the newest of this was written; null where there is nothing.
    pub as_of: Option<String>,
}

/// Services and what was used of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UsedServices {
    /// In the order of their names, or of a top list by quantity, most first.
    pub services: Vec<TallyRow>,
    /// Pass it as `cursor` for the next page; null at the end.
    pub next_cursor: Option<String>,
    /// When the newest of this was written; null where there is nothing.
    pub as_of: Option<String>,
}

/// Every agent's usage of every service: `GET /v1/usage/export.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UsageExport {
    /// In the order of agents and services.
    pub usage: Vec<TallyRow>,
    /// Pass it as `cursor` for the rest; null at the end.
    pub next_cursor: Option<String>,
    /// When the newest of this was written; null where there is nothing.
    pub as_of: Option<String>,
}

/// Usage over time: `GET /v1/usage/buckets`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BucketsAnswer {
    /// `hour` or `day`, of UTC.
    pub size: String,
    /// Those in which something was used or taken back, oldest first.
    pub buckets: Vec<Bucket>,
    /// When the newest of this was written; null where there is nothing.
    pub as_of: Option<String>,
}

/// Usage of one hour or day, by the events' own times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Bucket {
    /// Its first moment.
    pub from: String,
    /// Its end.
    pub to: String,
    /// What was used.
    pub quantity: String,
    /// What of it was taken back.
    pub reversed: String,
    /// In how many events.
    pub events: u64,
    /// The sum of the meters' versions when they last wrote it.
    pub version: u64,
}

/// Settlements, newest first: `GET /v1/settlements`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettlementsAnswer {
    /// The settlements.
    pub settlements: Vec<SettlementView>,
    /// Pass it as `cursor` for the next page; null at the end.
    pub next_cursor: Option<String>,
    /// When the newest of this page was written; null where there is nothing.
    pub as_of: Option<String>,
}

/// A line of the tenant's audit log. What endpoints are sent has the same `type`, `timestamp` and `data`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditEvent {
    /// Its id: `evt_` and 26 characters of base32.
    pub id: String,
    /// What has happened, such as `usage.recorded`.
    #[serde(rename = "type")]
    pub kind: String,
    /// When.
    pub timestamp: String,
    /// To whom.
    pub tenant: String,
    /// Of which agent, where it is of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Of which service, where it is of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_id: Option<String>,
    /// The rest, by its type.
    pub data: serde_json::Value,
}

/// Lines of the audit log, newest first: `GET /v1/events`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditAnswer {
    /// The lines.
    pub events: Vec<AuditEvent>,
    /// Pass it as `cursor` for the next page; null at the end.
    pub next_cursor: Option<String>,
    /// When the newest of this page was written; null where there is nothing.
    pub as_of: Option<String>,
}

/// How often what has happened: `GET /v1/events/summary`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditSummary {
    /// All lines together.
    pub total: u64,
    /// Lines by their type.
    pub by_type: std::collections::BTreeMap<String, u64>,
    /// The moment of the first one.
    pub first_at: Option<String>,
    /// The moment of the last one.
    pub last_at: Option<String>,
    /// When the newest of this was written; null where there is nothing.
    pub as_of: Option<String>,
}
