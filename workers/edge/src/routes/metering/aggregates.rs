//! Usage added up, settlements, and what has happened, from the tables that follow the meters.

use api::limits::EXPORT_MAX;
use api::listing::metering as listing;
use api::listing::metering::{By, Export, Named, TallyRecord};
use api::listing::{Csv, Extent};
use api::route::AggregateRoute;
use api::wire::metering::{
    BucketsAnswer, SettlementView, SettlementsAnswer, TallyAnswer, TallyRow, UsageExport, UsedByAgents,
    UsedServices,
};
use primitives::{AgentName, ServiceName, UnixMillis};
use shell::{Failure, now};
use tenant::{Access, PayTo, Scope};

use super::admit::{Guest, admit};
use crate::ports::metering as tables;
use crate::ports::metering::{Era, Listed};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;
use crate::routes::mandates::named;

/// Pairs that one statement reads for an export.
const EXPORT_PAGE: u32 = 1_000;

/// Answers what is asked of the lists that follow the meters.
pub async fn aggregates(incoming: &Incoming, route: AggregateRoute) -> Result<Outgoing, Rejection> {
    let guest = admit(incoming, access(&route), Vec::new(), Vec::new()).await?;
    let answer = answer(incoming, &guest, route).await;
    guest.finish(answer)
}

/// Every key may look at what has happened; what was used takes a scope.
const fn access(route: &AggregateRoute) -> Access {
    match route {
        AggregateRoute::Events | AggregateRoute::EventSummary => Access::Look,
        AggregateRoute::ServiceUsage { .. }
        | AggregateRoute::ServiceAgents { .. }
        | AggregateRoute::ServiceTopAgents { .. }
        | AggregateRoute::ExportJson
        | AggregateRoute::ExportCsv
        | AggregateRoute::Buckets
        | AggregateRoute::Top
        | AggregateRoute::Agents
        | AggregateRoute::AgentTotal { .. }
        | AggregateRoute::AgentUsage { .. }
        | AggregateRoute::Settlements => Access::Read(Scope::UsageRead),
    }
}

async fn answer(incoming: &Incoming, guest: &Guest, route: AggregateRoute) -> Result<Outgoing, Rejection> {
    let of = Era { tenant: guest.admission.tenant.clone(), era: guest.admission.era };
    let pairs = incoming.pairs();
    let env = &incoming.env;
    match route {
        AggregateRoute::ServiceUsage { service } => {
            listing::nothing(named(&pairs))?;
            total(tables::tally(env, &of, None, Some(&service)).await?, None, Some(&service))
        }
        AggregateRoute::AgentTotal { agent } => {
            listing::nothing(named(&pairs))?;
            total(tables::tally(env, &of, Some(&agent), None).await?, Some(&agent), None)
        }
        AggregateRoute::Agents => {
            let page: Named<AgentName> = listing::named(named(&pairs))?;
            agents(tables::agents(env, &of, None, &page).await?, Some(page.limit))
        }
        AggregateRoute::ServiceAgents { service } => {
            let page: Named<AgentName> = listing::named(named(&pairs))?;
            agents(tables::agents(env, &of, Some(&service), &page).await?, Some(page.limit))
        }
        AggregateRoute::AgentUsage { agent } => {
            let page: Named<ServiceName> = listing::named(named(&pairs))?;
            services(tables::services(env, &of, &agent, &page).await?, Some(page.limit))
        }
        AggregateRoute::ServiceTopAgents { service } => {
            let top = listing::top(named(&pairs))?;
            agents(tables::top(env, &of, Some(&service), &top).await?, None)
        }
        AggregateRoute::Top => {
            let top = listing::usage_top(named(&pairs))?;
            let records = tables::top(env, &of, None, &top).await?;
            match top.by {
                By::Agent => agents(records, None),
                By::Service => services(records, None),
            }
        }
        AggregateRoute::Buckets => buckets(incoming, &of).await,
        AggregateRoute::ExportJson => export_json(incoming, &of).await,
        AggregateRoute::ExportCsv => export_csv(incoming, &of).await,
        AggregateRoute::Settlements => {
            let wanted = listing::settlements(named(&pairs))?;
            let pay_to = guest.admission.pay_to.as_ref().map(PayTo::as_str);
            settlements(&tables::settlements(env, &of, &wanted).await?, pay_to)
        }
        AggregateRoute::Events => {
            let wanted = listing::audit(named(&pairs))?;
            Ok(fresh(Outgoing::text(
                200,
                "application/json",
                events(&tables::events(env, &of.tenant, &wanted).await?),
            )))
        }
        AggregateRoute::EventSummary => {
            let span = listing::summary(named(&pairs))?;
            json(&listing::summary_answer(&tables::summary(env, &of.tenant, &span).await?))
        }
    }
}

fn fresh(outgoing: Outgoing) -> Outgoing {
    outgoing.with("cache-control", "no-store")
}

fn json<T: serde::Serialize>(answer: &T) -> Result<Outgoing, Rejection> {
    Ok(fresh(Outgoing::json(200, answer)?))
}

fn total(
    record: TallyRecord,
    agent: Option<&AgentName>,
    service: Option<&ServiceName>,
) -> Result<Outgoing, Rejection> {
    let as_of = record.as_of.map(UnixMillis::to_rfc3339);
    let tally = shown(record)?.tally;
    let (agent, service_id) = (agent.map(ToString::to_string), service.map(ToString::to_string));
    json(&TallyAnswer { agent, service_id, tally, as_of })
}

fn shown(record: TallyRecord) -> Result<TallyRow, Failure> {
    record.shown().ok_or_else(too_much)
}

fn too_much() -> Failure {
    Failure::Corrupt("a sum of usage is larger than can be counted".to_owned())
}

/// Rows as they are shown, how far they go, and when the newest of them was written. A page has one row more than it shows
/// where the list goes on.
struct Rows {
    rows: Vec<TallyRow>,
    next: Option<String>,
    as_of: Option<String>,
}

fn page(
    mut records: Vec<TallyRecord>,
    limit: Option<u32>,
    name: fn(&TallyRow) -> Option<String>,
) -> Result<Rows, Failure> {
    let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    let has_more = records.len() > limit;
    records.truncate(limit);
    let as_of = records.iter().filter_map(|record| record.as_of).max().map(UnixMillis::to_rfc3339);
    let rows = records.into_iter().map(shown).collect::<Result<Vec<_>, _>>()?;
    let last = rows.last().filter(|_| has_more).and_then(name);
    Ok(Rows { next: last.map(|name| listing::name_cursor(&name)), rows, as_of })
}

fn agents(records: Vec<TallyRecord>, limit: Option<u32>) -> Result<Outgoing, Rejection> {
    let Rows { rows, next, as_of } = page(records, limit, |row| row.agent.clone())?;
    json(&UsedByAgents { agents: rows, next_cursor: next, as_of })
}

fn services(records: Vec<TallyRecord>, limit: Option<u32>) -> Result<Outgoing, Rejection> {
    let Rows { rows, next, as_of } = page(records, limit, |row| row.service_id.clone())?;
    json(&UsedServices { services: rows, next_cursor: next, as_of })
}

async fn buckets(incoming: &Incoming, of: &Era) -> Result<Outgoing, Rejection> {
    let wanted = listing::buckets(named(&incoming.pairs()), now())?;
    let records = tables::buckets(&incoming.env, of, &wanted).await?;
    let as_of = records.iter().filter_map(|record| record.as_of).max().map(UnixMillis::to_rfc3339);
    let buckets = records.iter().map(|record| listing::bucket(record, wanted.size));
    let buckets = buckets.collect::<Option<Vec<_>>>().ok_or_else(too_much)?;
    json(&BucketsAnswer { size: wanted.size.name().to_owned(), buckets, as_of })
}

/// All pairs, up to as many as one file takes.
async fn export(incoming: &Incoming, of: &Era) -> Result<(Rows, Extent<String>), Rejection> {
    let mut wanted: Export = listing::export(named(&incoming.pairs()))?;
    let (mut rows, mut as_of) = (Vec::new(), None);
    for _ in 0..EXPORT_MAX / EXPORT_PAGE {
        let records = tables::pairs(&incoming.env, of, &wanted, EXPORT_PAGE.saturating_add(1)).await?;
        as_of = as_of.max(records.iter().filter_map(|record| record.as_of).max());
        let read = page(records, Some(EXPORT_PAGE), pair)?;
        rows.extend(read.rows);
        let Some(next) = read.next else {
            let as_of = as_of.map(UnixMillis::to_rfc3339);
            return Ok((Rows { rows, next: None, as_of }, Extent::Whole));
        };
        wanted.after = rows.last().and_then(place);
        if rows.len() >= usize::try_from(EXPORT_MAX).unwrap_or(usize::MAX) {
            let as_of = as_of.map(UnixMillis::to_rfc3339);
            return Ok((Rows { rows, next: Some(next.clone()), as_of }, Extent::Cut(next)));
        }
    }
    Err(Failure::Runtime("an export did not end".to_owned()).into())
}

fn pair(row: &TallyRow) -> Option<String> {
    let (agent, service) = row.agent.as_ref().zip(row.service_id.as_ref())?;
    Some(format!("{agent}/{service}"))
}

fn place(row: &TallyRow) -> Option<listing::PairPlace> {
    let (agent, service) = row.agent.as_ref().zip(row.service_id.as_ref())?;
    agent.parse().ok().zip(service.parse().ok())
}

async fn export_json(incoming: &Incoming, of: &Era) -> Result<Outgoing, Rejection> {
    let (Rows { rows, next, as_of }, _) = export(incoming, of).await?;
    json(&UsageExport { usage: rows, next_cursor: next, as_of })
}

async fn export_csv(incoming: &Incoming, of: &Era) -> Result<Outgoing, Rejection> {
    let (Rows { rows, as_of, .. }, extent) = export(incoming, of).await?;
    let mut csv = Csv::default();
    rows.iter().for_each(|row| csv.push(row));
    let outgoing = Outgoing::text(200, "text/csv; charset=utf-8; header=present", csv.into_text())
        .with("content-disposition", "attachment; filename=\"usage.csv\"")
        .with("x-as-of", as_of.unwrap_or_default());
    Ok(fresh(match extent {
        Extent::Whole => outgoing,
        Extent::Cut(next) => outgoing.with("x-next-cursor", next),
    }))
}

fn settlements(listed: &Listed, pay_to: Option<&str>) -> Result<Outgoing, Rejection> {
    let bills: Vec<SettlementView> = serde_json::from_str(&format!("[{}]", listed.records))?;
    let with_payee = |bill| SettlementView { pay_to: pay_to.map(str::to_owned), ..bill };
    json(&SettlementsAnswer {
        settlements: bills.into_iter().map(with_payee).collect(),
        next_cursor: listed.next.as_ref().map(api::listing::Place::encode),
        as_of: listed.as_of.map(UnixMillis::to_rfc3339),
    })
}

/// The page, whose lines are in the tables as they are shown.
fn events(listed: &Listed) -> String {
    let quoted = |text: Option<String>| text.map_or_else(|| "null".to_owned(), |text| format!("\"{text}\""));
    let next = quoted(listed.next.as_ref().map(api::listing::Place::encode));
    let as_of = quoted(listed.as_of.map(UnixMillis::to_rfc3339));
    format!("{{\"events\":[{}],\"nextCursor\":{next},\"asOf\":{as_of}}}", listed.records)
}
