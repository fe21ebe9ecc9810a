//! Tenants and their keys.

use core::fmt;

use serde::{Deserialize, Serialize};

/// What stands in `Debug` where a secret is.
const REDACTED: &str = "(secret)";

/// `POST /v1/tenants`: become a tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenTenant {
    /// How it is called, in 1 to 120 characters.
    pub name: String,
    /// Who is paid when its bills are; can be set later, and must be before a bill is drawn up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pay_to: Option<String>,
}

/// A tenant that was made, with its first key, which may do everything. The key is shown this once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TenantOpened {
    /// The tenant.
    pub tenant: TenantView,
    /// The key: the bearer token of every request of the tenant's.
    pub api_key: String,
    /// What is known of the key.
    pub key: KeyView,
}

// S4: answers may be logged whole.
impl fmt::Debug for TenantOpened {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tenant, api_key: _, key } = self;
        formatter
            .debug_struct("TenantOpened")
            .field("tenant", tenant)
            .field("api_key", &REDACTED)
            .field("key", key)
            .finish()
    }
}

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TenantView {
    /// Its id.
    pub tenant: String,
    /// How it is called.
    pub name: String,
    /// Who is paid.
    pub pay_to: Option<String>,
    /// Where it stands.
    pub status: TenantStatus,
    /// That it has paused itself.
    pub paused: Option<PauseView>,
    /// That the operator has suspended it.
    pub suspended: Option<PauseView>,
    /// How many services it has registered, deleted ones left out.
    pub services: u64,
    /// How many of its keys open.
    pub keys: u64,
    /// How many webhook endpoints follow its events.
    pub webhooks: u64,
    /// How often it has begun anew.
    pub era: u32,
    /// Since when.
    pub created_at: String,
    /// Counts the changes of its name, of who is paid and of its configuration.
    pub revision: u64,
}

/// Where a tenant stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum TenantStatus {
    /// It takes usage.
    Active,
    /// It has paused itself: it is read, and not written.
    Paused,
    /// The operator has suspended it: likewise.
    Suspended,
}

/// That nothing is written for now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PauseView {
    /// Since when.
    pub since: String,
    /// Why, if whoever did it has said.
    pub reason: Option<String>,
}

/// `POST /v1/admin/pause` and `POST /v1/tenants/{tenant}/suspend`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PauseBody {
    /// Why, in 1 to 120 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// `POST /v1/api-keys`: a key that is to be made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewKey {
    /// How it is called, in 1 to 120 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What it may do beyond reading services and events; a key gives only what it has. Without one it may record and read
    /// usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<ScopeName>>,
    /// Until when it opens; for ever, if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// How often it may ask; as the configuration says, if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<RateView>,
}

/// `POST /v1/api-keys/{key}/rotate`: the new key has what the old one has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RotateKey {
    /// How long the old key still opens, in seconds: up to 30 days, a day if it does not say, and 0 for not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap_seconds: Option<u64>,
}

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ScopeName {
    /// Record usage and take it back, reserve, commit and release.
    #[serde(rename = "usage:write")]
    UsageWrite,
    /// Read usage, bills and settlements, and export them.
    #[serde(rename = "usage:read")]
    UsageRead,
    /// Draw up, void and write off bills, and set agents' accounts.
    #[serde(rename = "billing:write")]
    BillingWrite,
    /// Register and change services.
    #[serde(rename = "services:write")]
    ServicesWrite,
    /// Webhook endpoints.
    #[serde(rename = "webhooks:write")]
    WebhooksWrite,
    /// All of it, and keys, configuration and pause.
    #[serde(rename = "admin")]
    Admin,
}

/// How often somebody may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RateView {
    /// Requests in each window.
    pub quota: u32,
    /// The window's length, in seconds.
    pub window_seconds: u64,
}

/// A key that was made. It is shown this once; asked for again under the same `Idempotency-Key`, it comes with another secret
/// while nobody has used it, and the first one opens nothing any more.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct KeyIssued {
    /// The key. Null when the same request made it before and it was used since: it can be rotated.
    pub api_key: Option<String>,
    /// What is known of it.
    pub key: KeyView,
}

// S4, as for the first key.
impl fmt::Debug for KeyIssued {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { api_key: _, key } = self;
        formatter.debug_struct("KeyIssued").field("api_key", &REDACTED).field("key", key).finish()
    }
}

/// A key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct KeyView {
    /// Its id.
    pub id: String,
    /// What the key's text begins with: all but its secret and its check digits.
    pub prefix: String,
    /// How it is called.
    pub label: Option<String>,
    /// What it may do.
    pub scopes: Vec<ScopeName>,
    /// Whether it opens.
    pub status: KeyStatus,
    /// Since when.
    pub created_at: String,
    /// The key that made it; null for a tenant's first.
    pub created_by: Option<String>,
    /// Until when it opens, if not for ever.
    pub expires_at: Option<String>,
    /// When it was last used, to a minute.
    pub last_used_at: Option<String>,
    /// When it was revoked.
    pub revoked_at: Option<String>,
    /// The key that replaces it.
    pub rotated_to: Option<String>,
    /// Until when it opens beside that one.
    pub rotated_until: Option<String>,
    /// How often it may ask, if not as the configuration says.
    pub rate: Option<RateView>,
}

/// Whether a key opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum KeyStatus {
    /// It does.
    Active,
    /// Another one replaces it; it opens until `rotatedUntil`.
    Rotated,
    /// Its time is over.
    Expired,
    /// It was revoked.
    Revoked,
}

/// A tenant's keys, in the order of their making.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct KeysAnswer {
    /// The keys.
    pub keys: Vec<KeyView>,
}
