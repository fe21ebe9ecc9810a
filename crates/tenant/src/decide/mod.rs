//! The only place where a tenant says no.

mod accounts;
mod keys;
mod services;

use std::collections::BTreeSet;

use primitives::{EndpointId, UnixMillis};

use crate::{Book, Change, Command, Event, EventType, Fact, Known, Refusal, State, limits, size};

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let fact = match state {
        State::Unknown => begin(command, now)?,
        State::Open(book) => judge(book, command, now)?,
    };
    Ok(fact.into_iter().map(|fact| Event { at: now, fact }).collect())
}

fn begin(command: Command, now: UnixMillis) -> Result<Option<Fact>, Refusal> {
    match command {
        Command::Open { name, pay_to, key } => {
            keys::first(&key, now)?;
            Ok(Some(Fact::Opened { name, pay_to, key }))
        }
        Command::Wake => Ok(None),
        Command::CreateKey { .. }
        | Command::RotateKey { .. }
        | Command::ReissueKey { .. }
        | Command::RevokeKey { .. }
        | Command::RegisterService(_)
        | Command::SetPrice { .. }
        | Command::SetMetadata { .. }
        | Command::EnableService { .. }
        | Command::DisableService { .. }
        | Command::DeleteService { .. }
        | Command::AddEndpoint { .. }
        | Command::SetEndpointTypes { .. }
        | Command::RemoveEndpoint { .. }
        | Command::OfferMandate { .. }
        | Command::WithdrawMandate { .. }
        | Command::SetMode { .. }
        | Command::Register { .. }
        | Command::Configure { .. }
        | Command::Pause { .. }
        | Command::Unpause
        | Command::Suspend { .. }
        | Command::Resume
        | Command::Reset { .. } => Err(Refusal::UnknownTenant),
    }
}

fn judge(book: &Book, command: Command, now: UnixMillis) -> Result<Option<Fact>, Refusal> {
    match command {
        Command::Open { .. } => Err(Refusal::TenantExists),
        Command::CreateKey { key, by } => keys::create(book, key, by, now).map(Some),
        Command::RotateKey { id, key, overlap, by } => {
            keys::rotate(book, id, key, overlap, by, now).map(Some)
        }
        Command::ReissueKey { id, secret, used } => keys::reissue(book, id, secret, used, now),
        Command::RevokeKey { id } => keys::revoke(book, id),
        Command::RegisterService(new) => services::register(book, new, now).map(Some),
        Command::SetPrice { service, pricing, from, revision } => {
            services::price(book, service, pricing, from, revision, now)
        }
        Command::SetMetadata { service, description, owner, revision } => {
            services::describe(book, service, description, owner, revision)
        }
        Command::EnableService { service } => services::enable(book, service),
        Command::DisableService { service } => services::disable(book, service),
        Command::DeleteService { service } => services::delete(book, service).map(Some),
        Command::AddEndpoint { id, types } => add_endpoint(book, id, types),
        Command::SetEndpointTypes { id, types } => set_types(book, id, types),
        Command::RemoveEndpoint { id } => {
            book.endpoints.get(&id).ok_or(Refusal::UnknownEndpoint)?;
            Ok(Some(Fact::EndpointRemoved { id }))
        }
        Command::OfferMandate { agent, offer, filed } => accounts::offer(agent, offer, filed),
        Command::WithdrawMandate { agent, signer, filed } => {
            accounts::withdraw(agent, &signer, filed).map(Some)
        }
        Command::SetMode { agent, mode, mandate, filed } => {
            accounts::set(agent, mode, mandate.as_deref(), filed)
        }
        Command::Register { meter, agent, service, known } => Ok(match known {
            Known::Fresh => Some(Fact::MeterRegistered { meter, agent, service }),
            Known::Filed => None,
        }),
        Command::Configure { change, revision } => configure(book, change, revision),
        Command::Pause { reason } => Ok(book.paused.is_none().then_some(Fact::Paused { reason })),
        Command::Unpause => Ok(book.paused.is_some().then_some(Fact::Unpaused)),
        Command::Suspend { reason } => Ok(book.suspended.is_none().then_some(Fact::Suspended { reason })),
        Command::Resume => Ok(book.suspended.is_some().then_some(Fact::Resumed)),
        Command::Reset { by } => keys::reset(book, by).map(Some),
        Command::Wake => Ok(None),
    }
}

/// Whether the caller has seen what stands there; nobody is asked who has not said what it has seen.
fn seen(revision: Option<u64>, stands: u64) -> Result<(), Refusal> {
    if revision.is_none_or(|revision| revision == stands) {
        Ok(())
    } else {
        Err(Refusal::RevisionChanged { revision: stands })
    }
}

/// Whether so many bytes more fit.
fn room(book: &Book, more: usize) -> Result<(), Refusal> {
    if book.has_room_for(more) { Ok(()) } else { Err(Refusal::StoreFull) }
}

fn add_endpoint(book: &Book, id: EndpointId, types: BTreeSet<EventType>) -> Result<Option<Fact>, Refusal> {
    match book.endpoints.get(&id) {
        Some(known) if known.types == types => return Ok(None),
        Some(_) => return Err(Refusal::EndpointExists),
        None => {}
    }
    few(&types)?;
    if book.endpoints.len() >= book.configuration.endpoints_max {
        return Err(Refusal::TooManyEndpoints);
    }
    room(book, size::endpoint(types.len()))?;
    Ok(Some(Fact::EndpointAdded { id, types }))
}

fn set_types(book: &Book, id: EndpointId, types: BTreeSet<EventType>) -> Result<Option<Fact>, Refusal> {
    let known = book.endpoints.get(&id).ok_or(Refusal::UnknownEndpoint)?;
    if known.types == types {
        return Ok(None);
    }
    few(&types)?;
    room(book, size::endpoint(types.len()))?;
    Ok(Some(Fact::EndpointChanged { id, types }))
}

fn few(types: &BTreeSet<EventType>) -> Result<(), Refusal> {
    if types.len() <= limits::TYPES { Ok(()) } else { Err(Refusal::TooManyTypes) }
}

fn configure(book: &Book, change: Box<Change>, revision: u64) -> Result<Option<Fact>, Refusal> {
    // Whose answer was lost asks again, and all is so already.
    if book.with(&change) == *book {
        return Ok(None);
    }
    seen(Some(revision), book.revision)?;
    bounds(&change)?;
    Ok(Some(Fact::Configured { change }))
}

fn bounds(change: &Change) -> Result<(), Refusal> {
    let judged = [
        ("rate", change.rate.is_none_or(crate::rate::Rate::is_possible)),
        ("bulkMax", change.bulk_max.is_none_or(|most| limits::BULK_MAX.contains(&most))),
        ("late", change.late.is_none_or(|late| limits::LATE.contains(&late))),
        ("servicesMax", change.services_max.is_none_or(|most| limits::SERVICES_MAX.contains(&most))),
        ("keysMax", change.keys_max.is_none_or(|most| limits::KEYS_MAX.contains(&most))),
        ("endpointsMax", change.endpoints_max.is_none_or(|most| limits::ENDPOINTS_MAX.contains(&most))),
        ("draftWait", change.draft_wait.is_none_or(|wait| limits::DRAFT_WAIT.contains(&wait))),
    ];
    match judged.into_iter().find(|(_, is_possible)| !is_possible) {
        Some((field, _)) => Err(Refusal::InvalidConfiguration { field: field.to_owned() }),
        None => Ok(()),
    }
}
