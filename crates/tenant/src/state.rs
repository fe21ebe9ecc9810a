//! Where a tenant stands.

use std::collections::{BTreeMap, BTreeSet};

use primitives::{Digest, EndpointId, Millis, ServiceName, UnixMillis};
use serde::{Deserialize, Serialize};
use tariff::{Scale, Version};

use crate::key::KeyId;
use crate::rate::Rate;
use crate::{EventType, Label, Metadata, PayTo};

/// What a key may do. Reading of its own things is open to every key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// Record usage, take it back, reserve, commit and release.
    #[serde(rename = "usage:write")]
    UsageWrite,
    /// Read usage, bills and settlements, and export them.
    #[serde(rename = "usage:read")]
    UsageRead,
    /// Draw up, void and write off bills; accounts of agents.
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

impl Scope {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::UsageWrite,
        Self::UsageRead,
        Self::BillingWrite,
        Self::ServicesWrite,
        Self::WebhooksWrite,
        Self::Admin,
    ];

    /// The published name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UsageWrite => "usage:write",
            Self::UsageRead => "usage:read",
            Self::BillingWrite => "billing:write",
            Self::ServicesWrite => "services:write",
            Self::WebhooksWrite => "webhooks:write",
            Self::Admin => "admin",
        }
    }
}

/// That a key is replaced by another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rotation {
    /// The new key.
    pub by: KeyId,
    /// Until when the old one still opens.
    pub until: UnixMillis,
}

/// An API key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// SHA-256 of its secret part.
    pub secret: Digest,
    /// How it is called.
    pub label: Option<Label>,
    /// What it may do.
    pub scopes: BTreeSet<Scope>,
    /// Since when.
    pub created_at: UnixMillis,
    /// The key that made it; none for the first.
    pub created_by: Option<KeyId>,
    /// Until when, if not for ever.
    pub expires_at: Option<UnixMillis>,
    /// What replaces it.
    pub rotated: Option<Rotation>,
    /// When it was revoked.
    pub revoked_at: Option<UnixMillis>,
    /// How often it may ask, if not as the tenant's configuration says.
    pub rate: Option<Rate>,
}

/// Whether a key opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyStatus {
    /// It does.
    Active,
    /// It was replaced. It still opens until its overlap is over.
    Rotated,
    /// Its time is over.
    Expired,
    /// It was revoked.
    Revoked,
}

impl Key {
    /// Whether it has a scope, or all of them.
    pub fn has(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope) || self.scopes.contains(&Scope::Admin)
    }

    /// What is shown of it at `now`.
    pub fn status(&self, now: UnixMillis) -> KeyStatus {
        if self.revoked_at.is_some() {
            KeyStatus::Revoked
        } else if self.expires_at.is_some_and(|at| at <= now) {
            KeyStatus::Expired
        } else if self.rotated.is_some() {
            KeyStatus::Rotated
        } else {
            KeyStatus::Active
        }
    }

    /// When it opens nothing any more, if that is known.
    pub fn over_at(&self) -> Option<UnixMillis> {
        let ends = [self.revoked_at, self.expires_at, self.rotated.as_ref().map(|rotation| rotation.until)];
        ends.into_iter().flatten().min()
    }

    /// Whether it opens nothing any more at `now`.
    pub fn is_over(&self, now: UnixMillis) -> bool {
        self.over_at().is_some_and(|at| at <= now)
    }

    /// Whether it can be given another secret in the place of one that got lost.
    pub(crate) fn takes_secret(&self, now: UnixMillis) -> bool {
        self.rotated.is_none() && !self.is_over(now)
    }

    /// Whether it may do everything, and no end is known.
    pub(crate) fn is_lasting_admin(&self) -> bool {
        self.scopes.contains(&Scope::Admin) && self.over_at().is_none()
    }
}

/// Whether a service takes usage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ServiceStatus {
    /// It does.
    Enabled,
    /// It does not for now.
    Disabled,
    /// It does not, and is not listed. What was used of it is billed at the prices that it had.
    Deleted,
}

/// What is metered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Service {
    /// Digits that quantities have after the point. For ever.
    pub scale: Scale,
    /// What a unit is called, such as `request`.
    pub unit: Option<Label>,
    /// How many shards its meters have. For ever.
    pub shards: u8,
    /// Its prices, oldest first.
    pub versions: Vec<Version>,
    /// The number of the newest price that it ever had. Those that had not begun when it was deleted are gone.
    pub newest: u32,
    /// What it is.
    pub description: Option<Metadata>,
    /// Whose it is.
    pub owner: Option<Label>,
    /// Whether it takes usage.
    pub status: ServiceStatus,
    /// Since when.
    pub created_at: UnixMillis,
    /// Counts its changes.
    pub revision: u64,
}

/// What an endpoint is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    /// Of events of these types.
    pub types: BTreeSet<EventType>,
    /// Since when.
    pub created_at: UnixMillis,
}

/// What can be set while it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configuration {
    /// How often each key may ask.
    pub rate: Rate,
    /// The most events of one bulk.
    pub bulk_max: usize,
    /// How late an event is still taken.
    pub late: Millis,
    /// The most services, deleted ones included.
    pub services_max: usize,
    /// The most keys, revoked ones left out.
    pub keys_max: usize,
    /// The most webhook endpoints.
    pub endpoints_max: usize,
    /// How long a drafted bill waits.
    pub draft_wait: Millis,
}

/// That nothing is to be changed for now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paused {
    /// Since when.
    pub since: UnixMillis,
    /// Why.
    pub reason: Option<Label>,
}

/// When an agent pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// After it has used.
    Postpaid,
    /// Before: everything is reserved first.
    Prepaid,
}

/// A mandate that its agent lets a tenant draw on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The mandate: `0x` and 64 hexadecimal digits in lower case.
    pub mandate: String,
    /// Who has offered it: `0x` and 40 hexadecimal digits in lower case.
    pub signer: String,
    /// When.
    pub at: UnixMillis,
}

/// What a tenant has agreed with one agent. On file with the shell, since there can be any number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// When it pays.
    pub mode: Mode,
    /// From which mandate, if it may be drawn on.
    pub offer: Option<Offer>,
    /// Counts its changes.
    pub revision: u64,
}

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Book {
    /// How it is called.
    pub name: Label,
    /// Who is paid, once that is known.
    pub pay_to: Option<PayTo>,
    /// Since when.
    pub since: UnixMillis,
    /// How often it has begun anew (a reset, for development).
    pub era: u32,
    /// Its keys.
    pub keys: BTreeMap<KeyId, Key>,
    /// Its services.
    pub services: BTreeMap<ServiceName, Service>,
    /// Its webhook endpoints.
    pub endpoints: BTreeMap<EndpointId, Subscription>,
    /// What is set.
    pub configuration: Configuration,
    /// Counts the changes of name, `pay_to` and configuration.
    pub revision: u64,
    /// By the tenant.
    pub paused: Option<Paused>,
    /// By the operator of the platform.
    pub suspended: Option<Paused>,
}

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// There is none of this id.
    #[default]
    Unknown,
    /// There is.
    Open(Box<Book>),
}

impl Book {
    /// A service that was not deleted.
    pub fn service(&self, name: &ServiceName) -> Option<&Service> {
        self.services.get(name).filter(|service| service.status != ServiceStatus::Deleted)
    }

    /// The endpoints that follow events of a type, in the order of their ids.
    pub fn followers(&self, event: &str) -> Vec<EndpointId> {
        let follows = |it: &Subscription| it.types.iter().any(|types| types.takes_in(event));
        self.endpoints.iter().filter(|(_, it)| follows(it)).map(|(id, _)| id.clone()).collect()
    }

    /// How often a key may ask.
    pub fn rate_of(&self, key: &Key) -> Rate {
        key.rate.unwrap_or(self.configuration.rate)
    }
}

impl State {
    /// The tenant, once there is one.
    pub fn book(&self) -> Option<&Book> {
        match self {
            Self::Unknown => None,
            Self::Open(book) => Some(book),
        }
    }

    /// The published name of the state.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unknown => "UNKNOWN",
            Self::Open(book) if book.suspended.is_some() => "SUSPENDED",
            Self::Open(book) if book.paused.is_some() => "PAUSED",
            Self::Open(_) => "ACTIVE",
        }
    }
}
