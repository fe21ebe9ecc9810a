//! How much a tenant's things take in the state's JSON, at most.

use tariff::{Pricing, Version};

use crate::{Book, Key, Label, Metadata, NewKey, Service, Subscription, limits};

/// Of a text: a quotation mark or a backslash is written as two characters, and nothing else as more.
fn text(text: &str) -> usize {
    text.len().saturating_mul(2)
}

fn sum(sizes: impl Iterator<Item = usize>) -> usize {
    sizes.fold(0, usize::saturating_add)
}

/// A key with six scopes, a rate, a successor and its end; without its label.
const KEY: usize = 640;
/// A service without its texts and prices.
const SERVICE: usize = 384;
/// A price with one amount.
const VERSION: usize = 136;
/// A tier of a price.
const TIER: usize = 96;
/// An endpoint that follows nothing.
const ENDPOINT: usize = 96;

fn label(of: Option<&Label>) -> usize {
    of.map_or(0, |label| text(label.as_str()))
}

pub(crate) fn key(key: &NewKey) -> usize {
    KEY.saturating_add(label(key.label.as_ref()))
}

pub(crate) fn pricing(pricing: &Pricing) -> usize {
    let tiers = match pricing {
        Pricing::Flat { .. } => 0,
        Pricing::Graduated { tiers } | Pricing::Volume { tiers } => tiers.len(),
    };
    VERSION.saturating_add(TIER.saturating_mul(tiers))
}

pub(crate) fn described(description: Option<&Metadata>, owner: Option<&Label>) -> usize {
    description.map_or(0, |text_of| text(text_of.as_str())).saturating_add(label(owner))
}

/// A service that is new, with its first price.
pub(crate) fn service(new: &crate::NewService) -> usize {
    let parts = [
        SERVICE,
        new.name.as_str().len(),
        label(new.unit.as_ref()),
        described(new.description.as_ref(), new.owner.as_ref()),
        pricing(&new.pricing),
    ];
    sum(parts.into_iter())
}

/// An endpoint that follows these types.
pub(crate) fn endpoint(types: usize) -> usize {
    limits::TYPE_BYTES.saturating_add(3).saturating_mul(types).saturating_add(ENDPOINT)
}

impl Book {
    /// What all of it takes now.
    pub(crate) fn size(&self) -> usize {
        let of_key = |key: &Key| KEY.saturating_add(label(key.label.as_ref()));
        let of_version = |version: &Version| pricing(&version.pricing);
        let of_service = |service: &Service| {
            let parts = [
                SERVICE,
                label(service.unit.as_ref()),
                described(service.description.as_ref(), service.owner.as_ref()),
                sum(service.versions.iter().map(of_version)),
            ];
            sum(parts.into_iter())
        };
        let of_endpoint = |it: &Subscription| endpoint(it.types.len());
        let keys = sum(self.keys.values().map(of_key));
        let names = sum(self.services.keys().map(|name| name.as_str().len()));
        let services = sum(self.services.values().map(of_service));
        let endpoints = sum(self.endpoints.values().map(of_endpoint));
        sum([keys, names, services, endpoints].into_iter())
    }

    /// Whether so many bytes more fit.
    pub(crate) fn has_room_for(&self, more: usize) -> bool {
        self.size().saturating_add(more) <= limits::BYTES
    }
}
