//! Events of usage on their way to their meters, and what these have counted.

use api::binding::meter::{MeterAnswer, MeterAsk};
use api::binding::tenant::Admission;
use api::inbound::metering as inbound;
use api::inbound::metering::{Naming, Reversing, Sent, Usage};
use api::listing::metering as listing;
use api::outbound::metering as outbound;
use api::outbound::metering::Counting;
use api::problem::Problem;
use api::route::UsageRoute;
use api::wire::metering::{UsageAnswer, UsageStatus};
use futures_util::future::join_all;
use meter::{EventKey, Refusal, limits};
use primitives::{AgentName, ServiceName};
use shell::{Failure, now, random};
use tenant::{Access, Scope};

use super::admit::admit;
use super::place::{Place, tenant_no, unexpected};
use super::{billing, bulk};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;
use crate::routes::mandates::named;

/// Answers what is asked of usage at its meter.
pub async fn usage(incoming: &Incoming, route: UsageRoute) -> Result<Outgoing, Rejection> {
    match route {
        UsageRoute::Record => record(incoming).await,
        UsageRoute::RecordMany => record_many(incoming).await,
        UsageRoute::Reverse => reverse(incoming).await,
        UsageRoute::Show { agent, service } => show(incoming, agent, service).await,
        UsageRoute::WriteOff { agent, service } => billing::write_off(incoming, agent, service).await,
        UsageRoute::Events { agent, service } => events(incoming, agent, service).await,
    }
}

/// The body with all that says what form it has.
async fn read<T>(
    incoming: &Incoming,
    read: impl FnOnce(&Sent<'_>, &Naming) -> Result<T, Problem>,
) -> Result<T, Rejection> {
    let (content_type, key) = (incoming.header("content-type"), incoming.header("idempotency-key"));
    let text = incoming.text().await?;
    let header = |name: &str| incoming.header(name);
    let sent = Sent { content_type: content_type.as_deref(), header: &header, text };
    Ok(read(&sent, &Naming::new(key.as_deref(), random()?)?)?)
}

/// An answer about what changes while it is read.
pub(super) fn fresh(outgoing: Outgoing, replayed: bool) -> Outgoing {
    let outgoing = outgoing.with("cache-control", "no-store");
    if replayed { outgoing.with("idempotency-replayed", "true") } else { outgoing }
}

async fn record(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let usage = read(incoming, inbound::usage).await;
    let (services, agents) = usage
        .as_ref()
        .map(|usage| (vec![usage.service.clone()], vec![usage.agent.clone()]))
        .unwrap_or_default();
    let guest = admit(incoming, Access::Write(Scope::UsageWrite), services, agents).await?;
    let outcome = async {
        let answer = record_one(incoming, &guest.admission, usage?).await?;
        let is_duplicate = answer.status == UsageStatus::Duplicate;
        Ok(fresh(Outgoing::json(if is_duplicate { 200 } else { 201 }, &answer)?, is_duplicate))
    };
    guest.finish(outcome.await)
}

async fn record_one(
    incoming: &Incoming,
    admission: &Admission,
    usage: Usage,
) -> Result<UsageAnswer, Rejection> {
    let (agent, service) = (usage.agent.clone(), usage.service.clone());
    let place = Place::taking(admission, &agent, &service).map_err(|refusal| tenant_no(&refusal))?;
    let said = usage.said(&place.service.versions, now());
    let shard = place.shard_of(&said.key);
    let answer = place.ask(incoming, shard, place.record(shard, vec![said.clone()])).await?;
    let MeterAnswer::Recorded { verdicts, open, version } = answer else { return Err(unexpected()) };
    let verdict = verdicts.first().ok_or_else(unexpected)?;
    let counting = if place.shards() == 1 || matches!(verdict, meter::Verdict::Refused(_)) {
        Counting { meter: &place.meter, open, version }
    } else {
        // What the other shards have open, they alone know.
        let looked = place.look(incoming).await?;
        Counting { meter: &place.meter, open: looked.open()?, version: looked.version() }
    };
    Ok(outbound::usage(agent.as_str(), service.as_str(), &said, verdict, &counting)?)
}

async fn record_many(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let items = read(incoming, |sent, naming| inbound::bulk(sent, naming, limits::BULK)).await;
    let (services, agents) = items.as_ref().map(|items| bulk::names(items)).unwrap_or_default();
    let guest = admit(incoming, Access::Write(Scope::UsageWrite), services, agents).await?;
    let outcome = async {
        let answer = bulk::record(incoming, &guest.admission, items?).await?;
        Ok(fresh(Outgoing::json(200, &answer)?, false))
    };
    guest.finish(outcome.await)
}

/// Takes an event back, at the shard that keeps it. The identity of what takes it back may belong to another shard, which
/// then keeps it from standing for something else.
async fn reverse(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let body = incoming.json().await;
    let reversing = body.and_then(|body| Ok(inbound::reversal(&body)?));
    let services = reversing.as_ref().map(|reversing| vec![reversing.service.clone()]).unwrap_or_default();
    let guest = admit(incoming, Access::Write(Scope::UsageWrite), services, Vec::new()).await?;
    let outcome = async {
        let reversing = reversing?;
        let Reversing { agent, service, of, key, fingerprint } = reversing.clone();
        let place = Place::of(&guest.admission, &agent, &service).map_err(|refusal| tenant_no(&refusal))?;
        let (own, kept) = (place.shard_of(&key), keeper(incoming, &place, &of).await?);
        if own != kept {
            place.ask(incoming, own, MeterAsk::Note { key: key.clone(), fingerprint }).await?;
        }
        let reverse = MeterAsk::Reverse { key: key.clone(), fingerprint, of };
        let answer = place.ask(incoming, kept, reverse).await;
        if own != kept && matches!(answer, Err(Rejection::Problem(..))) {
            place.ask(incoming, own, MeterAsk::Unnote { key, fingerprint }).await?;
        }
        let MeterAnswer::Reversed { quantity, version, replayed } = answer? else {
            return Err(unexpected());
        };
        let shown = outbound::reversal(&reversing, quantity, &place.meter, version);
        Ok(fresh(Outgoing::json(if replayed { 200 } else { 201 }, &shown)?, replayed))
    };
    guest.finish(outcome.await)
}

/// The shard that keeps an event: the one to which its identity belongs, or, of what a reservation paid, the first.
async fn keeper(incoming: &Incoming, place: &Place<'_>, of: &EventKey) -> Result<u8, Rejection> {
    let own = place.shard_of(of);
    if own == 0 {
        return Ok(own);
    }
    match place.ask(incoming, own, MeterAsk::Find { key: of.clone() }).await {
        Ok(_) => Ok(own),
        Err(Rejection::Problem(problem, _)) if problem.code == Refusal::UnknownEvent.code() => Ok(0),
        Err(other) => Err(other),
    }
}

async fn show(incoming: &Incoming, agent: AgentName, service: ServiceName) -> Result<Outgoing, Rejection> {
    let access = Access::Read(Scope::UsageRead);
    let guest = admit(incoming, access, vec![service.clone()], Vec::new()).await?;
    let outcome = async {
        let place = Place::of(&guest.admission, &agent, &service).map_err(|refusal| tenant_no(&refusal))?;
        let looked = place.look(incoming).await?;
        let shown = outbound::meter(&place.meter, &looked.first, &looked.others, looked.open()?);
        let shown = shown.map_err(|_| Failure::Corrupt("more was counted than can be".to_owned()))?;
        Ok(fresh(Outgoing::json(200, &shown)?, false))
    };
    guest.finish(outcome.await)
}

/// Events of a pair, newest first: of each shard its newest, and of these the newest.
async fn events(incoming: &Incoming, agent: AgentName, service: ServiceName) -> Result<Outgoing, Rejection> {
    let query = listing::meter_events(named(&incoming.pairs()));
    let access = Access::Read(Scope::UsageRead);
    let guest = admit(incoming, access, vec![service.clone()], Vec::new()).await?;
    let outcome = async {
        let query = query?;
        let place = Place::of(&guest.admission, &agent, &service).map_err(|refusal| tenant_no(&refusal))?;
        let shards = (0..place.shards()).map(|shard| {
            // One more than is shown says whether there are more.
            let (before, limit) = (query.before(shard), query.limit.saturating_add(1));
            place.ask(incoming, shard, MeterAsk::Events { before, limit })
        });
        let mut filed = Vec::new();
        for answer in join_all(shards).await {
            let MeterAnswer::Events(of_shard) = answer? else { return Err(unexpected()) };
            filed.push(of_shard);
        }
        let (events, next) = query.page(filed);
        Ok(fresh(Outgoing::json(200, &outbound::events(&events, next))?, false))
    };
    guest.finish(outcome.await)
}
