//! Tenants and their keys, as they are shown.

use std::collections::BTreeMap;

use primitives::{TenantId, UnixMillis};
use tenant::key::{Environment, KeyId, KeyText, shown};
use tenant::rate::Rate;
use tenant::{Book, Key, KeyStatus as Status, Paused, Scope};

use crate::outbound::mandate::length;
use crate::wire::{
    KeyIssued, KeyStatus, KeyView, KeysAnswer, PauseView, RateView, ScopeName, TenantOpened, TenantStatus,
    TenantView,
};

/// A tenant at `now`.
pub fn tenant(id: &TenantId, book: &Book, now: UnixMillis) -> TenantView {
    TenantView {
        tenant: id.to_string(),
        name: book.name.as_str().to_owned(),
        pay_to: book.pay_to.as_ref().map(|address| address.as_str().to_owned()),
        status: match (&book.suspended, &book.paused) {
            (Some(_), _) => TenantStatus::Suspended,
            (None, Some(_)) => TenantStatus::Paused,
            (None, None) => TenantStatus::Active,
        },
        paused: book.paused.as_ref().map(pause),
        suspended: book.suspended.as_ref().map(pause),
        services: length(book.services.keys().filter(|name| book.service(name).is_some()).count()),
        keys: length(book.keys.values().filter(|key| !key.is_over(now)).count()),
        webhooks: length(book.endpoints.len()),
        era: book.era,
        created_at: book.since.to_rfc3339(),
        revision: book.revision,
    }
}

fn pause(paused: &Paused) -> PauseView {
    PauseView {
        since: paused.since.to_rfc3339(),
        reason: paused.reason.as_ref().map(|reason| reason.as_str().to_owned()),
    }
}

/// A tenant that was made, with the text of its first key, which is shown this once.
pub fn opened(tenant: TenantView, key: KeyView, text: &KeyText) -> TenantOpened {
    TenantOpened { tenant, api_key: text.reveal().to_owned(), key }
}

/// A key that was made, with its text if it was made just now, which is shown this once.
pub fn issued(key: KeyView, text: Option<&KeyText>) -> KeyIssued {
    KeyIssued { api_key: text.map(|text| text.reveal().to_owned()), key }
}

/// A tenant's keys at `now`, in the order of their making.
pub fn keys(
    environment: Environment,
    tenant: &TenantId,
    book: &Book,
    last_used: &BTreeMap<KeyId, UnixMillis>,
    now: UnixMillis,
) -> KeysAnswer {
    let mut keys: Vec<(&KeyId, &Key)> = book.keys.iter().collect();
    keys.sort_by_key(|(id, key)| (key.created_at, *id));
    let view = |(id, it): (&KeyId, &Key)| {
        let used = last_used.get(id).copied();
        key(environment, tenant, id, it, used, now)
    };
    KeysAnswer { keys: keys.into_iter().map(view).collect() }
}

/// A key at `now`, without its secret.
pub fn key(
    environment: Environment,
    tenant: &TenantId,
    id: &KeyId,
    key: &Key,
    last_used: Option<UnixMillis>,
    now: UnixMillis,
) -> KeyView {
    KeyView {
        id: id.to_string(),
        prefix: shown(environment, tenant, id),
        label: key.label.as_ref().map(|label| label.as_str().to_owned()),
        scopes: key.scopes.iter().copied().map(scope).collect(),
        status: match key.status(now) {
            Status::Active => KeyStatus::Active,
            Status::Rotated => KeyStatus::Rotated,
            Status::Expired => KeyStatus::Expired,
            Status::Revoked => KeyStatus::Revoked,
        },
        created_at: key.created_at.to_rfc3339(),
        created_by: key.created_by.as_ref().map(KeyId::to_string),
        expires_at: key.expires_at.map(UnixMillis::to_rfc3339),
        last_used_at: last_used.map(UnixMillis::to_rfc3339),
        revoked_at: key.revoked_at.map(UnixMillis::to_rfc3339),
        rotated_to: key.rotated.as_ref().map(|rotation| rotation.by.to_string()),
        rotated_until: key.rotated.as_ref().map(|rotation| rotation.until.to_rfc3339()),
        rate: key.rate.map(rate),
    }
}

/// How often somebody may ask.
pub const fn rate(rate: Rate) -> RateView {
    RateView { quota: rate.quota, window_seconds: rate.window.0 / 1_000 }
}

/// The published name of a scope.
pub const fn scope(scope: Scope) -> ScopeName {
    match scope {
        Scope::UsageWrite => ScopeName::UsageWrite,
        Scope::UsageRead => ScopeName::UsageRead,
        Scope::BillingWrite => ScopeName::BillingWrite,
        Scope::ServicesWrite => ScopeName::ServicesWrite,
        Scope::WebhooksWrite => ScopeName::WebhooksWrite,
        Scope::Admin => ScopeName::Admin,
    }
}
