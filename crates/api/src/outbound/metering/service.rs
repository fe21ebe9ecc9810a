//! Services and their prices, as they are shown.

use data_encoding::BASE64URL_NOPAD;
use primitives::{ServiceName, UnixMillis};
use tariff::{Pricing, UnitPrice, Version, at};
use tenant::{Book, Service, ServiceStatus};

use super::{item_error, price};
use crate::binding::tenant::ServicesWanted;
use crate::problem::Problem;
use crate::wire::{
    MetadataView, PricesAnswer, ServiceResult, ServiceState, ServiceView, ServicesAnswer, ServicesRegistered,
};

/// A service at `now`; none of one without any price, which no tenant has.
pub fn service(name: &ServiceName, service: &Service, now: UnixMillis) -> Option<ServiceView> {
    Some(ServiceView {
        service_id: name.to_string(),
        price: price(in_force(service, now)?),
        scale: service.scale.digits(),
        unit: service.unit.as_ref().map(|unit| unit.as_str().to_owned()),
        shards: service.shards,
        description: service.description.as_ref().map(|text| text.as_str().to_owned()),
        owner: service.owner.as_ref().map(|owner| owner.as_str().to_owned()),
        status: match service.status {
            ServiceStatus::Enabled => ServiceState::Enabled,
            ServiceStatus::Disabled => ServiceState::Disabled,
            ServiceStatus::Deleted => ServiceState::Deleted,
        },
        created_at: service.created_at.to_rfc3339(),
        revision: service.revision,
    })
}

/// The price now. Every service has one since it was registered; by a clock that has gone back, its first.
fn in_force(service: &Service, now: UnixMillis) -> Option<&Version> {
    at(&service.versions, now).or_else(|| service.versions.first())
}

/// A page of the services that were not deleted, in the order of their names.
pub fn services(book: &Book, wanted: &ServicesWanted, now: UnixMillis) -> ServicesAnswer {
    let after = |name: &ServiceName| wanted.after.as_ref().is_none_or(|after| name > after);
    let mut found = book
        .services
        .iter()
        .filter(|(name, service)| after(name) && is_wanted(name, service, wanted, now))
        .filter_map(|(name, it)| service(name, it, now));
    let page: Vec<ServiceView> = found.by_ref().take(wanted.limit as usize).collect();
    let has_more = found.next().is_some();
    let last = page.last().filter(|_| has_more);
    let next_cursor = last.map(|last| BASE64URL_NOPAD.encode(last.service_id.as_bytes()));
    ServicesAnswer { services: page, next_cursor }
}

fn is_wanted(name: &ServiceName, service: &Service, wanted: &ServicesWanted, now: UnixMillis) -> bool {
    let has_text = |text: &String| {
        let text = text.to_lowercase();
        let said = [
            Some(name.as_str()),
            service.description.as_ref().map(|description| description.as_str()),
            service.owner.as_ref().map(|owner| owner.as_str()),
        ];
        said.into_iter().flatten().any(|said| said.to_lowercase().contains(&text))
    };
    let is_disabled = service.status == ServiceStatus::Disabled;
    let first = in_force(service, now).and_then(|version| first_price(&version.pricing));
    service.status != ServiceStatus::Deleted
        && wanted.prefix.as_ref().is_none_or(|prefix| name.as_str().starts_with(prefix.as_str()))
        && wanted.text.as_ref().is_none_or(has_text)
        && wanted.is_disabled.is_none_or(|disabled| disabled == is_disabled)
        && wanted.min_price.is_none_or(|least| first.is_some_and(|price| price >= least))
        && wanted.max_price.is_none_or(|most| first.is_some_and(|price| price <= most))
}

/// What the first unit costs.
fn first_price(pricing: &Pricing) -> Option<UnitPrice> {
    match pricing {
        Pricing::Flat { unit } => Some(*unit),
        Pricing::Graduated { tiers } | Pricing::Volume { tiers } => tiers.first().map(|tier| tier.unit),
    }
}

/// Every price of a service, oldest first.
pub fn prices(name: &ServiceName, service: &Service) -> PricesAnswer {
    PricesAnswer {
        service_id: name.to_string(),
        prices: service.versions.iter().map(price).collect(),
        revision: service.revision,
    }
}

/// What a service is, for people.
pub fn metadata(view: ServiceView) -> MetadataView {
    let ServiceView { service_id, description, owner, revision, .. } = view;
    MetadataView { service_id, description, owner, revision }
}

/// What became of each item of a bulk, in their order.
pub fn registered(items: Vec<Result<ServiceView, Problem>>) -> ServicesRegistered {
    let result = |(index, item): (u32, Result<ServiceView, Problem>)| match item {
        Ok(service) => ServiceResult { index, service: Some(service), error: None },
        Err(problem) => ServiceResult { index, service: None, error: Some(item_error(&problem)) },
    };
    let results: Vec<ServiceResult> = (0..).zip(items).map(result).collect();
    let count = |is_wanted: fn(&ServiceResult) -> bool| {
        u32::try_from(results.iter().filter(|result| is_wanted(result)).count()).unwrap_or(u32::MAX)
    };
    let (registered, refused) = (count(|it| it.error.is_none()), count(|it| it.error.is_some()));
    ServicesRegistered { results, registered, refused }
}

/// The strong `ETag` of a revision.
pub fn etag(revision: u64) -> String {
    format!("\"{revision}\"")
}
