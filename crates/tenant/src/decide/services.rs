//! Services and their prices.

use primitives::{Millis, ServiceName, UnixMillis};
use tariff::Pricing;

use super::{room, seen};
use crate::{Book, Fact, Label, Metadata, NewService, Refusal, Service, ServiceStatus, limits, size};

pub(super) fn register(book: &Book, new: Box<NewService>, now: UnixMillis) -> Result<Fact, Refusal> {
    let known = book.services.get(&new.name);
    match known {
        Some(known) => again(known, &new)?,
        None if book.services.len() >= book.configuration.services_max => {
            return Err(Refusal::TooManyServices);
        }
        None => {}
    }
    if !limits::SHARDS.contains(&new.shards) {
        return Err(Refusal::InvalidShards);
    }
    check(&new.pricing)?;
    let from = from_now(known, now)?;
    room(book, size::service(&new))?;
    Ok(Fact::ServiceRegistered { service: new, from })
}

/// Whether a service that was deleted may come back as this: its meters are where they were, and count as they did.
fn again(known: &Service, new: &NewService) -> Result<(), Refusal> {
    if known.status != ServiceStatus::Deleted {
        return Err(Refusal::ServiceExists);
    }
    let fixed = [("scale", known.scale == new.scale), ("shards", known.shards == new.shards)];
    match fixed.into_iter().find(|(_, is_same)| !is_same) {
        Some((field, _)) => Err(Refusal::ServiceFixed { field: field.to_owned() }),
        None => Ok(()),
    }
}

pub(super) fn price(
    book: &Book,
    name: ServiceName,
    pricing: Pricing,
    from: Option<UnixMillis>,
    revision: Option<u64>,
    now: UnixMillis,
) -> Result<Option<Fact>, Refusal> {
    let service = find(book, &name)?;
    let newest = service.versions.last().filter(|newest| newest.pricing == pricing);
    if newest.is_some_and(|newest| from.map_or(newest.from <= now, |from| from == newest.from)) {
        return Ok(None);
    }
    seen(revision, service.revision)?;
    check(&pricing)?;
    let from = match from {
        Some(from) if from < now => return Err(Refusal::PriceInPast),
        Some(from) if from > now.plus(limits::AHEAD) => return Err(Refusal::PriceTooFar),
        Some(from) => later(service, from)?,
        None => from_now(Some(service), now)?,
    };
    if service.versions.len() >= limits::VERSIONS && !service.can_forget(now) {
        return Err(Refusal::TooManyVersions);
    }
    room(book, size::pricing(&pricing))?;
    Ok(Some(Fact::ServicePriced { service: name, pricing, from }))
}

/// The beginning of a price that is to hold from now on: in the next millisecond, should another one have begun in this one.
fn from_now(service: Option<&Service>, now: UnixMillis) -> Result<UnixMillis, Refusal> {
    match service.and_then(|service| service.versions.last()) {
        Some(newest) if newest.from == now => Ok(now.plus(Millis(1))),
        Some(newest) if newest.from > now => Err(Refusal::PriceNotLater { after: newest.from }),
        Some(_) | None => Ok(now),
    }
}

fn later(service: &Service, from: UnixMillis) -> Result<UnixMillis, Refusal> {
    match service.versions.last() {
        Some(newest) if newest.from >= from => Err(Refusal::PriceNotLater { after: newest.from }),
        Some(_) | None => Ok(from),
    }
}

pub(super) fn describe(
    book: &Book,
    name: ServiceName,
    description: Option<Metadata>,
    owner: Option<Label>,
    revision: Option<u64>,
) -> Result<Option<Fact>, Refusal> {
    let service = find(book, &name)?;
    if service.description == description && service.owner == owner {
        return Ok(None);
    }
    seen(revision, service.revision)?;
    room(book, size::described(description.as_ref(), owner.as_ref()))?;
    Ok(Some(Fact::ServiceDescribed { service: name, description, owner }))
}

pub(super) fn enable(book: &Book, name: ServiceName) -> Result<Option<Fact>, Refusal> {
    let service = find(book, &name)?;
    let is_new = service.status != ServiceStatus::Enabled;
    Ok(is_new.then_some(Fact::ServiceEnabled { service: name }))
}

pub(super) fn disable(book: &Book, name: ServiceName) -> Result<Option<Fact>, Refusal> {
    let service = find(book, &name)?;
    let is_new = service.status != ServiceStatus::Disabled;
    Ok(is_new.then_some(Fact::ServiceDisabled { service: name }))
}

pub(super) fn delete(book: &Book, name: ServiceName) -> Result<Fact, Refusal> {
    find(book, &name)?;
    Ok(Fact::ServiceDeleted { service: name })
}

fn find<'a>(book: &'a Book, name: &ServiceName) -> Result<&'a Service, Refusal> {
    book.service(name).ok_or(Refusal::UnknownService)
}

fn check(pricing: &Pricing) -> Result<(), Refusal> {
    pricing.check().map_err(|why| Refusal::InvalidPrice { why: why.to_string() })
}
