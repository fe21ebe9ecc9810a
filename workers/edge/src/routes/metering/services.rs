//! Services and their prices.

use api::binding::tenant::{TenantAsk, TenantView};
use api::inbound::metering as inbound;
use api::inbound::run::nothing;
use api::outbound::metering as outbound;
use api::problem::Problem;
use api::route::ServiceRoute;
use api::wire::{ServiceView, ServicesRegistered};
use primitives::ServiceName;
use serde_json::Value;
use tenant::{Access, Command, Scope};

use super::admit::admit;
use super::tenants::{Seen, operation, seen, tell};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;
use crate::routes::mandates::named;

const WRITE: Access = Access::Write(Scope::ServicesWrite);

/// Answers what is asked of services.
pub async fn services(incoming: &Incoming, route: ServiceRoute) -> Result<Outgoing, Rejection> {
    match route {
        ServiceRoute::Register => register(incoming).await,
        ServiceRoute::RegisterMany => register_many(incoming).await,
        ServiceRoute::List => list(incoming).await,
        ServiceRoute::Show { service } => shown(incoming, TenantView::Service { service }, Ok).await,
        ServiceRoute::Prices { service } => shown(incoming, TenantView::Prices { service }, Ok).await,
        ServiceRoute::Metadata { service } => {
            shown(incoming, TenantView::Service { service }, metadata).await
        }
        ServiceRoute::Delete { service } => {
            changed(incoming, Ok(Command::DeleteService { service }), Ok).await
        }
        ServiceRoute::SetMetadata { service } => set_metadata(incoming, service).await,
        ServiceRoute::Enable { service } => switched(incoming, service, true).await,
        ServiceRoute::Disable { service } => switched(incoming, service, false).await,
        ServiceRoute::SetDisabled { service } => {
            let read = incoming.json().await.and_then(|body| Ok(inbound::disabled(&body)?));
            changed(incoming, read.map(|disabled| switch(service, !disabled)), Ok).await
        }
        ServiceRoute::SetPrice { service } => set_price(incoming, service).await,
    }
}

async fn list(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let wanted = inbound::wanted(named(&incoming.pairs()));
    let ask = wanted.map(|wanted| TenantAsk::Show(TenantView::Services { wanted: Box::new(wanted) }));
    let (seen, limits) = seen(incoming, Access::Look, ask.map_err(Rejection::from)).await?;
    limits.finish(Ok(seen.show(200)))
}

/// One service, or something of it, with its version.
async fn shown(
    incoming: &Incoming,
    view: TenantView,
    part: impl FnOnce(Seen) -> Result<Seen, Rejection>,
) -> Result<Outgoing, Rejection> {
    let (seen, limits) = seen(incoming, Access::Look, Ok(TenantAsk::Show(view))).await?;
    limits.finish(part(seen).map(tagged))
}

/// The same after something was done to it.
async fn changed(
    incoming: &Incoming,
    command: Result<Command, Rejection>,
    part: impl FnOnce(Seen) -> Result<Seen, Rejection>,
) -> Result<Outgoing, Rejection> {
    let (seen, limits) = seen(incoming, WRITE, command.map(|command| tell(command, None))).await?;
    limits.finish(part(seen).map(tagged))
}

fn tagged(seen: Seen) -> Outgoing {
    let etag = outbound::etag(seen.revision);
    seen.show(200).with("etag", etag)
}

/// What a service is, of all that there is to see of it.
fn metadata(seen: Seen) -> Result<Seen, Rejection> {
    let view: ServiceView = seen.read()?;
    seen.of_it(&outbound::metadata(view))
}

async fn register(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let read = incoming.json().await.and_then(|body| {
        let service = inbound::service(&body)?;
        let operation = operation(incoming, "service.register", "", &body)?;
        Ok(tell(Command::RegisterService(Box::new(service)), operation))
    });
    let (seen, limits) = seen(incoming, WRITE, read).await?;
    let (status, etag) = (if seen.replayed { 200 } else { 201 }, outbound::etag(seen.revision));
    limits.finish(Ok(seen.show(status).with("etag", etag)))
}

/// Each by itself, one after the other: one that is refused leaves the others as they are.
async fn register_many(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let read = incoming.json().await.and_then(|body| Ok(inbound::services(&body)?));
    let guest = admit(incoming, WRITE, Vec::new(), Vec::new()).await?;
    let outcome = async {
        let mut results: Vec<Result<ServiceView, Problem>> = Vec::new();
        for item in read? {
            results.push(match item {
                Ok(service) => register_one(incoming, service).await?,
                Err(problem) => Err(problem),
            });
        }
        let answer: ServicesRegistered = outbound::registered(results);
        Ok(Outgoing::json(200, &answer)?.with("cache-control", "no-store"))
    };
    guest.finish(outcome.await)
}

async fn register_one(
    incoming: &Incoming,
    service: tenant::NewService,
) -> Result<Result<ServiceView, Problem>, Rejection> {
    match seen(incoming, WRITE, Ok(tell(Command::RegisterService(Box::new(service)), None))).await {
        Ok((seen, _)) => Ok(Ok(seen.read()?)),
        Err(Rejection::Problem(problem, _)) => Ok(Err(*problem)),
        Err(Rejection::Failure(failure)) => Err(failure.into()),
    }
}

async fn set_metadata(incoming: &Incoming, service: ServiceName) -> Result<Outgoing, Rejection> {
    let read = incoming.json().await.and_then(|body| {
        let revision = inbound::revision(incoming.header("if-match").as_deref())?;
        let (description, owner) = inbound::metadata(&body)?;
        Ok(Command::SetMetadata { service, description, owner, revision })
    });
    changed(incoming, read, metadata).await
}

async fn set_price(incoming: &Incoming, service: ServiceName) -> Result<Outgoing, Rejection> {
    let read = incoming.json().await.and_then(|body| {
        let revision = inbound::revision(incoming.header("if-match").as_deref())?;
        let inbound::Price { pricing, from } = inbound::price(&body)?;
        Ok(Command::SetPrice { service, pricing, from, revision })
    });
    changed(incoming, read, Ok).await
}

async fn switched(incoming: &Incoming, service: ServiceName, enabled: bool) -> Result<Outgoing, Rejection> {
    let read = incoming.json_or_nothing().await.and_then(|body: Value| Ok(nothing(&body)?));
    changed(incoming, read.map(|()| switch(service, enabled)), Ok).await
}

fn switch(service: ServiceName, enabled: bool) -> Command {
    if enabled { Command::EnableService { service } } else { Command::DisableService { service } }
}
