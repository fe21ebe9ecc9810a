//! Webhook endpoints: JSON in camelCase, times in RFC 3339 UTC with milliseconds.
//!
//! What an endpoint is sent is no shape of this module's: `{type, timestamp, data}`, whose `data` is that of the event.

use serde::{Deserialize, Deserializer, Serialize};

use super::answer::REDACTED;

/// `POST /v1/webhooks`: an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateWebhook {
    /// Where messages go: https, port 443, a host of the public internet.
    pub url: String,
    /// What it is told of: types of events, families such as `usage.*`, or `*` for all.
    #[serde(alias = "events")]
    pub event_types: Vec<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// `PATCH /v1/webhooks/{endpoint}`: what is left out stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeWebhook {
    /// Where messages go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What it is told of.
    #[serde(default, alias = "events", skip_serializing_if = "Option::is_none")]
    pub event_types: Option<Vec<String>>,
    /// What it is for; null for nothing in particular.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub description: Option<Option<String>>,
}

/// What is there is given, even if it is null.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// `POST /v1/webhooks/{endpoint}/rotate`. The body may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RotateWebhook {
    /// How long the former secret signs as well, at most and unless it is said 86400; 0 ends every former one at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap_seconds: Option<u32>,
}

/// `POST /v1/webhooks/{endpoint}/recover`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecoverWebhook {
    /// Messages that came from then on and were missed or have failed are sent again.
    pub since: String,
}

/// Whether an endpoint is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum WebhookStatus {
    /// It is.
    Enabled,
    /// It is, and has failed since it last took a message.
    Failing,
    /// It is not.
    Disabled,
}

/// Why an endpoint is not called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum WebhookReason {
    /// You asked for it.
    Asked,
    /// It said 410 Gone.
    Gone,
    /// It has failed for 120 hours.
    Failing,
}

/// That an endpoint is not called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookDisabled {
    /// Since when.
    pub since: String,
    /// Why.
    pub reason: WebhookReason,
}

/// An endpoint as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookView {
    /// Its id.
    pub id: String,
    /// Where messages go.
    pub url: String,
    /// What it is told of.
    pub event_types: Vec<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it is called.
    pub status: WebhookStatus,
    /// That it is not called.
    pub disabled: Option<WebhookDisabled>,
    /// Since when it has only failed.
    pub failing_since: Option<String>,
    /// Until when the former secret signs as well.
    pub former_secret_until: Option<String>,
    /// Messages that wait or are under way.
    pub pending: u64,
    /// Since when there is one.
    pub created_at: String,
}

/// An endpoint with its secret, which is shown only when it is made or rotated.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookWithSecret {
    /// The endpoint.
    pub webhook: WebhookView,
    /// What its messages are signed with: `whsec_` and base64, as the libraries of Standard Webhooks take it.
    pub secret: String,
}

// S4, as for grants.
impl core::fmt::Debug for WebhookWithSecret {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { webhook, secret: _ } = self;
        formatter
            .debug_struct("WebhookWithSecret")
            .field("webhook", webhook)
            .field("secret", &REDACTED)
            .finish()
    }
}

/// A tenant's endpoints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhooksAnswer {
    /// In the order of their ids.
    pub webhooks: Vec<WebhookView>,
}

/// A message is on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookSent {
    /// Its id; the attempts name it.
    pub message: String,
}

/// What one attempt came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookAttempt {
    /// The message's id.
    pub message: String,
    /// What it tells of; null when the message is not on file any more.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Counts from 1, and anew when the message is sent again.
    pub attempt: u32,
    /// When it was answered, or given up.
    pub at: String,
    /// Whether the message was taken.
    pub succeeded: bool,
    /// The answer's HTTP status; null when there was none.
    pub status: Option<u16>,
    /// Why there was none, in a word such as `timeout`.
    pub error: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// When the message is sent again; null when it is not.
    pub next_attempt_at: Option<String>,
    /// Where the message stands now: `pending`, `delivered`, `failed` or `missed`; null as for `type`.
    pub message_status: Option<String>,
}

/// Attempts, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookAttempts {
    /// One page of them.
    pub attempts: Vec<WebhookAttempt>,
    /// Pass it as `cursor` for the next page; null at the end.
    pub next_cursor: Option<String>,
}

/// Messages are sent again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookRecovered {
    /// How many.
    pub messages: u64,
    /// Whether there are more; ask again once these are through.
    pub has_more: bool,
}

/// What there is to be told of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventTypesAnswer {
    /// In the order of their names.
    pub event_types: Vec<EventTypeView>,
}

/// A type of event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventTypeView {
    /// Its name.
    #[serde(rename = "type")]
    pub kind: String,
    /// When it is sent.
    pub description: String,
}
