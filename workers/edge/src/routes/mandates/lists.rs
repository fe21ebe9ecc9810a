//! Lists of mandates, payments and activity, for those whose they are.

use api::listing::{self, Extent, Format};
use eip712::{Address, B256};

use crate::caller::{caller, known_once};
use crate::ports::ledger::{self, Listed};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// `GET /v1/mandates`.
pub(super) async fn mandates(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let (query, owner) = (listing::mandates(named(&incoming.pairs()))?, account(incoming).await?);
    let listed = ledger::mandates_of_owner(&incoming.env, &owner.to_string(), &query).await?;
    Ok(page(&listed, "mandates"))
}

/// `GET /v1/agent/mandates`.
pub(super) async fn of_agent(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let (query, agent) = (listing::agent_mandates(named(&incoming.pairs()))?, account(incoming).await?);
    let listed = ledger::mandates_of_agent(&incoming.env, &agent.to_string(), &query).await?;
    Ok(page(&listed, "mandates"))
}

/// `GET /v1/mandates/{mandate}/requests`. For those who are no party there are none.
pub(super) async fn requests(incoming: &Incoming, mandate: B256) -> Result<Outgoing, Rejection> {
    let (query, reader) = (listing::requests(named(&incoming.pairs()))?, account(incoming).await?);
    let listed = ledger::requests(&incoming.env, &mandate.to_string(), &reader.to_string(), &query).await?;
    Ok(page(&listed, "requests"))
}

/// `GET /v1/approvals`.
pub(super) async fn approvals(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let (query, owner) = (listing::approvals(named(&incoming.pairs()))?, account(incoming).await?);
    let listed = ledger::approvals(&incoming.env, &owner.to_string(), &query).await?;
    Ok(page(&listed, "approvals"))
}

/// `GET /v1/payments`.
pub(super) async fn payments(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let (query, owner) = (listing::payments(named(&incoming.pairs()))?, account(incoming).await?);
    let listed = ledger::payments(&incoming.env, &owner.to_string(), &query).await?;
    Ok(page(&listed, "payments"))
}

/// `GET /v1/activity`.
pub(super) async fn activity(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let (query, owner) = (listing::activity(named(&incoming.pairs()))?, account(incoming).await?);
    let owner = owner.to_string();
    match query.format {
        Format::Json => Ok(page(&ledger::activity(&incoming.env, &owner, &query).await?, "activity")),
        Format::Csv => {
            let (csv, extent) = ledger::export(&incoming.env, &owner, &query).await?;
            let outgoing = Outgoing::text(200, "text/csv; charset=utf-8; header=present", csv.into_text())
                .with("content-disposition", "attachment; filename=\"activity.csv\"")
                .with("cache-control", "no-store");
            Ok(match extent {
                Extent::Whole => outgoing,
                Extent::Cut(next) => outgoing.with("x-next-cursor", next.encode()),
            })
        }
    }
}

async fn account(incoming: &Incoming) -> Result<Address, Rejection> {
    known_once(incoming, &caller(incoming).await?).await
}

pub(in crate::routes) fn named(pairs: &[(String, String)]) -> impl Iterator<Item = (&str, String)> {
    pairs.iter().map(|(name, value)| (name.as_str(), value.clone()))
}

fn page(listed: &Listed, name: &str) -> Outgoing {
    Outgoing::text(200, "application/json", listed.body(name)).with("cache-control", "no-store")
}
