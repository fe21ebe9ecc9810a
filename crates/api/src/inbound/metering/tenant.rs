//! Tenants, their keys, and what stops their writes.

use std::collections::BTreeSet;

use primitives::{Millis, UnixMillis};
use serde_json::Value;
use signin::Timestamp;
use tenant::rate::Rate;
use tenant::{Label, PayTo, Scope, limits};

use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::wire::{KeyView, NewKey, OpenTenant, PauseBody, RateView, RotateKey, ScopeName};

/// How long a key still opens beside the one that replaces it, if nobody says.
const OVERLAP_SECONDS: u64 = 86_400;

/// A tenant that is to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// How it is called.
    pub name: Label,
    /// Who is paid, if that is known.
    pub pay_to: Option<PayTo>,
}

/// Reads who wants to be a tenant.
///
/// # Errors
/// 400 with every fault.
pub fn tenant(body: &Value) -> Result<Opening, Problem> {
    let OpenTenant { name, pay_to } = shape(body)?;
    let mut faults = Faults::default();
    let name = faults.take("name", name.parse::<Label>());
    let pay_to = pay_to.map(|text| faults.pay_to("payTo", &text));
    faults.finish(name.map(|name| Opening { name, pay_to: pay_to.flatten() }))
}

/// A key that is to be made, without its id and secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyWanted {
    /// How it is called.
    pub label: Option<Label>,
    /// What it may do.
    pub scopes: BTreeSet<Scope>,
    /// Until when, if not for ever.
    pub expires_at: Option<UnixMillis>,
    /// How often it may ask, if not as the configuration says.
    pub rate: Option<Rate>,
}

impl KeyWanted {
    /// The first key of a tenant: it may do everything, for ever.
    pub fn first() -> Self {
        Self { label: None, scopes: BTreeSet::from([Scope::Admin]), expires_at: None, rate: None }
    }

    /// The key, once it is known what it is called and what is stored of its secret.
    pub fn key(self, id: tenant::key::KeyId, secret: primitives::Digest) -> tenant::NewKey {
        let Self { label, scopes, expires_at, rate } = self;
        tenant::NewKey { id, secret, label, scopes, expires_at, rate }
    }
}

/// Reads a key that is to be made.
///
/// # Errors
/// 400 with every fault.
pub fn key(body: &Value) -> Result<KeyWanted, Problem> {
    let NewKey { label, scopes, expires_at, rate } =
        if body.is_null() { NewKey::default() } else { shape(body)? };
    let mut faults = Faults::default();
    let label = label.map(|text| faults.take("label", text.parse::<Label>()));
    let scopes = scopes.unwrap_or_else(|| vec![ScopeName::UsageWrite, ScopeName::UsageRead]);
    if scopes.is_empty() {
        faults.add("scopes", "is empty; name at least one, or leave it out");
    }
    let expires_at = expires_at.map(|text| faults.moment("expiresAt", &text));
    let rate = rate.map(|rate| faults.rate("rate", rate));
    let scopes = scopes.into_iter().map(scope).collect();
    faults.finish(Some(KeyWanted { label: label.flatten(), scopes, expires_at, rate }))
}

/// Reads how long a key still opens that is replaced.
///
/// # Errors
/// 400 with the fault.
pub fn rotation(body: &Value) -> Result<Millis, Problem> {
    let RotateKey { overlap_seconds } = if body.is_null() { RotateKey::default() } else { shape(body)? };
    let mut faults = Faults::default();
    let overlap = Millis::from_seconds(overlap_seconds.unwrap_or(OVERLAP_SECONDS));
    if overlap > limits::OVERLAP_MAX {
        faults.add(
            "overlapSeconds",
            format!("must be a whole number from 0 to {}", seconds(limits::OVERLAP_MAX)),
        );
    }
    faults.finish(Some(overlap))
}

/// The key in the place of one that is shown so: it has what that one has.
///
/// # Errors
/// When the view is none that was shown.
pub fn in_place_of(view: &KeyView) -> Result<KeyWanted, Problem> {
    let mut faults = Faults::default();
    let label = view.label.as_ref().map(|text| faults.take("label", text.parse::<Label>()));
    let expires_at = view.expires_at.as_ref().map(|text| faults.moment("expiresAt", text));
    let rate = view.rate.map(|rate| faults.rate("rate", rate));
    let scopes = view.scopes.iter().copied().map(scope).collect();
    faults.finish(Some(KeyWanted { label: label.flatten(), scopes, expires_at, rate }))
}

/// Reads why nothing is to be written for now, if anybody says.
///
/// # Errors
/// 400 with the fault.
pub fn pause(body: &Value) -> Result<Option<Label>, Problem> {
    let PauseBody { reason } = if body.is_null() { PauseBody::default() } else { shape(body)? };
    let mut faults = Faults::default();
    let reason = reason.map(|text| faults.take("reason", text.parse::<Label>()));
    faults.finish(Some(reason.flatten()))
}

const fn scope(name: ScopeName) -> Scope {
    match name {
        ScopeName::UsageWrite => Scope::UsageWrite,
        ScopeName::UsageRead => Scope::UsageRead,
        ScopeName::BillingWrite => Scope::BillingWrite,
        ScopeName::ServicesWrite => Scope::ServicesWrite,
        ScopeName::WebhooksWrite => Scope::WebhooksWrite,
        ScopeName::Admin => Scope::Admin,
    }
}

/// Whole seconds of a span.
pub(super) const fn seconds(span: Millis) -> u64 {
    span.0 / 1_000
}

impl Faults {
    /// Who is paid. One account has one text inside.
    pub(super) fn pay_to(&mut self, field: &str, text: &str) -> Option<PayTo> {
        let pay_to = self.take(field, text.to_ascii_lowercase().parse::<PayTo>())?;
        let is_nobody = pay_to.as_str().bytes().skip(2).all(|digit| digit == b'0');
        if is_nobody {
            self.add(field, "is the zero address, from which nobody can spend");
        }
        Some(pay_to)
    }

    /// A moment.
    pub(super) fn moment(&mut self, field: &str, text: &str) -> UnixMillis {
        self.take(field, text.parse::<Timestamp>()).map_or(UnixMillis(0), |time| time.at())
    }

    /// How often somebody may ask.
    pub(super) fn rate(&mut self, field: &str, rate: RateView) -> Rate {
        let (quota, window) = (limits::QUOTA, limits::WINDOW);
        if !quota.contains(&rate.quota) {
            let allowed = format!("must be a whole number from {} to {}", quota.start(), quota.end());
            self.add(&format!("{field}.quota"), allowed);
        }
        let span = Millis::from_seconds(rate.window_seconds);
        if !window.contains(&span) {
            let (least, most) = (seconds(*window.start()), seconds(*window.end()));
            self.add(
                &format!("{field}.windowSeconds"),
                format!("must be a whole number from {least} to {most}"),
            );
        }
        Rate { quota: rate.quota, window: span }
    }
}
