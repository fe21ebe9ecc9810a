//! What a tenant sets, what it agrees with agents, and how the deployment fares.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::RateView;

/// What is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConfigView {
    /// How the tenant is called.
    pub name: String,
    /// Who is paid.
    pub pay_to: Option<String>,
    /// How often each key may ask that has no rate of its own.
    pub rate: RateView,
    /// The most events of one bulk.
    pub bulk_max_items: u64,
    /// How long after it happened an event is still taken, in seconds.
    pub late_window_seconds: u64,
    /// The most services, deleted ones included.
    pub services_max: u64,
    /// The most keys, revoked ones left out.
    pub keys_max: u64,
    /// The most webhook endpoints.
    pub endpoints_max: u64,
    /// How long a drafted bill waits for its payment, in seconds.
    pub draft_wait_seconds: u64,
    /// Counts the changes; the ETag, which `If-Match` takes.
    pub revision: u64,
}

/// `PATCH /v1/config`: what is left out stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfigBody {
    /// How the tenant is called, in 1 to 120 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Who is paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pay_to: Option<String>,
    /// How often each key may ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<RateView>,
    /// The most events of one bulk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bulk_max_items: Option<u32>,
    /// How long after it happened an event is still taken, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_window_seconds: Option<u64>,
    /// The most services. Published as `servicesStoreMaxKeys`, which is taken too.
    #[serde(default, alias = "servicesStoreMaxKeys", skip_serializing_if = "Option::is_none")]
    pub services_max: Option<u32>,
    /// The most keys. Published as `apiKeyStoreMaxKeys`, which is taken too.
    #[serde(default, alias = "apiKeyStoreMaxKeys", skip_serializing_if = "Option::is_none")]
    pub keys_max: Option<u32>,
    /// The most webhook endpoints. Published as `webhookStoreMaxKeys`, which is taken too.
    #[serde(default, alias = "webhookStoreMaxKeys", skip_serializing_if = "Option::is_none")]
    pub endpoints_max: Option<u32>,
    /// How long a drafted bill waits for its payment, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_wait_seconds: Option<u64>,
}

/// When an agent pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum AccountMode {
    /// After it has used.
    Postpaid,
    /// Before: all that it uses is reserved first.
    Prepaid,
}

/// `PUT /v1/agents/{agent}/account`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccountBody {
    /// When it pays.
    pub mode: AccountMode,
    /// Prepaid only: the mandate that the agent has offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mandate: Option<String>,
}

/// `PUT /v1/tenants/{tenant}/agents/{agent}/mandate`, by the mandate's agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OfferBody {
    /// The mandate that the tenant may draw on.
    pub mandate: String,
}

/// What a tenant has agreed with an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountView {
    /// The agent.
    pub agent: String,
    /// When it pays.
    pub mode: AccountMode,
    /// The mandate that it lets the tenant draw on.
    pub offer: Option<OfferView>,
    /// Counts its changes; 0 before the first.
    pub revision: u64,
}

/// A mandate that its agent lets a tenant draw on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OfferView {
    /// The mandate.
    pub mandate: String,
    /// Who has offered it: the mandate's agent.
    pub signer: String,
    /// When.
    pub at: String,
}

/// `POST /v1/operator/drain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DrainBody {
    /// Whether new traffic should go elsewhere: `GET /v1/health/ready` says 503 then, and everything else goes on.
    pub draining: bool,
}

/// Whether new traffic should come here: `GET /v1/health/ready`, 200 or 503; and `POST /v1/operator/drain`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReadyAnswer {
    /// `ready`, `draining`, or `not_configured`.
    pub status: String,
    /// What is missing, if something is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Whether what the deployment needs answers: `GET /v1/health/deep`, 200 or 503.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeepHealth {
    /// `ok` when all of it does, else `degraded`.
    pub status: String,
    /// Each by its name.
    pub checks: BTreeMap<String, DeepCheck>,
}

/// Whether one thing answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeepCheck {
    /// Whether it does.
    pub ok: bool,
    /// How long that took, in milliseconds.
    pub took_ms: u64,
    /// Why not, in a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What runs here: `GET /v1/version`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VersionAnswer {
    /// The product.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The version of the contract that /v1/openapi.json is.
    pub contract: String,
}

/// What has changed: `GET /v1/changelog`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChangelogAnswer {
    /// Newest first.
    pub releases: Vec<Release>,
}

/// What has changed with one version of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// The version of the contract.
    pub version: String,
    /// One sentence for each change.
    pub changes: Vec<String>,
}

/// A tenant in figures: `GET /v1/stats`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StatsAnswer {
    /// The tenant.
    pub tenant: String,
    /// Services, deleted ones left out.
    pub services: u64,
    /// Keys that open.
    pub keys: u64,
    /// Webhook endpoints.
    pub webhooks: u64,
    /// What its meters have counted together.
    pub usage: super::Tally,
    /// When the newest of the usage was written to the lists that were read; null where there is none.
    pub as_of: Option<String>,
}
