//! Usage as CloudEvents 1.0, JSON event format 1.0.2: attributes that are not ours pass unread, as extensions may.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::quantity;

/// A CloudEvent about usage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CloudEvent {
    /// `1.0`.
    pub specversion: String,
    /// The source's own name for the event.
    pub id: String,
    /// Who says so, a URI reference. Source and id together name the event.
    pub source: String,
    /// What has happened, in the sender's words.
    #[serde(rename = "type")]
    pub kind: String,
    /// Who has used; else `data.agent` says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// When it happened; when it was received, if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The media type of `data`: JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datacontenttype: Option<String>,
    /// What was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<CloudEventData>"))]
    pub data: Option<Value>,
    /// Not taken: send `data` as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub data_base64: Option<Value>,
}

/// What was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CloudEventData {
    /// Who has used, where `subject` does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What.
    pub service_id: String,
    /// How much: a decimal text, or a JSON integer below 2^53.
    #[serde(alias = "requests", deserialize_with = "quantity::text")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "quantity::schema"))]
    pub quantity: String,
}
