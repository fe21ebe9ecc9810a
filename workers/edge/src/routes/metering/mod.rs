//! Metering and billing: tenants, what they meter, what they bill, and what they are told of it.

mod admit;
mod aggregates;
mod billing;
mod bulk;
mod operations;
mod payments;
mod place;
mod reservations;
mod services;
mod tenants;
mod usage;
mod webhooks;

use api::route::MeteringRoute;

use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// Answers what is asked about metering.
pub async fn metering(incoming: &Incoming, route: MeteringRoute) -> Result<Outgoing, Rejection> {
    match route {
        MeteringRoute::Tenant(route) => tenants::tenants(incoming, route).await,
        MeteringRoute::Service(route) => services::services(incoming, route).await,
        MeteringRoute::Usage(route) => usage::usage(incoming, route).await,
        MeteringRoute::Billing(route) => billing::billing(incoming, route).await,
        MeteringRoute::Payment(route) => payments::payments(incoming, route).await,
        MeteringRoute::Reservation(route) => reservations::reservations(incoming, route).await,
        MeteringRoute::Aggregate(route) => aggregates::aggregates(incoming, route).await,
        MeteringRoute::Webhook(route) => webhooks::webhooks(incoming, route).await,
        MeteringRoute::Operation(route) => operations::operations(incoming, route).await,
    }
}

/// Whether an API key came along: `GET /v1/agents` is a tenant's then, and an owner's else.
pub fn is_keyed(incoming: &Incoming) -> bool {
    let header = incoming.header("authorization").unwrap_or_default();
    let (scheme, token) = header.split_once(' ').unwrap_or_default();
    scheme.eq_ignore_ascii_case("bearer") && token.trim_start().starts_with("gld_")
}
