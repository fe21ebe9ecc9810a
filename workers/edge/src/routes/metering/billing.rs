//! What is due, and bills.

use api::binding::meter::{Billed, MeterAnswer, MeterAsk, object_name};
use api::binding::tenant::Admission;
use api::inbound::mandate::idempotency_key;
use api::inbound::metering as inbound;
use api::inbound::metering::Pair;
use api::listing::metering as listing;
use api::outbound::metering as outbound;
use api::problem::Problem;
use api::route::BillingRoute;
use api::wire::metering::SettlementView;
use futures_util::future::join_all;
use meter::{Quote, Refusal};
use primitives::{AgentName, Digest, MeterId, Operation, ServiceName, SettlementId, canonical_json};
use shell::random;
use tenant::{Access, Scope};

use super::admit::{Guest, admit, passer_by};
use super::place::{Looked, Place, done, problem, tenant_no, unexpected};
use super::usage::fresh;
use crate::config::config;
use crate::ports::{bills, meters, tenants};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;
use crate::routes::mandates::named;

/// The most meters whose bills are added up: each is a word with an object, and a Worker has a thousand.
const METERS_MAX: usize = 500;
/// Meters that are asked for, and asked, at once.
const METERS_AT_ONCE: u32 = 100;

/// Answers what is asked of bills.
pub async fn billing(incoming: &Incoming, route: BillingRoute) -> Result<Outgoing, Rejection> {
    match route {
        BillingRoute::Total => total(incoming).await,
        BillingRoute::Bill { agent, service } => bill(incoming, agent, service).await,
        BillingRoute::Settle => settle(incoming).await,
        BillingRoute::SettleMany => settle_many(incoming).await,
        BillingRoute::Show { settlement } => show(incoming, &settlement).await,
        BillingRoute::Void { settlement } => void(incoming, &settlement).await,
    }
}

async fn bill(incoming: &Incoming, agent: AgentName, service: ServiceName) -> Result<Outgoing, Rejection> {
    let access = Access::Read(Scope::UsageRead);
    let guest = admit(incoming, access, vec![service.clone()], Vec::new()).await?;
    let outcome = async {
        let place = Place::of(&guest.admission, &agent, &service).map_err(|refusal| tenant_no(&refusal))?;
        let looked = place.look(incoming).await?;
        let settings = config(&incoming.env)?;
        let (pair, pending) = ((agent.as_str(), service.as_str()), looked.first.pending.as_ref());
        let asset = &settings.posting.till.asset;
        let shown = outbound::bill(pair, quote(&looked)?, pending, asset, looked.version());
        Ok(fresh(Outgoing::json(200, &shown)?, false))
    };
    guest.finish(outcome.await)
}

fn quote(looked: &Looked) -> Result<&Quote, Rejection> {
    looked.first.quote.as_ref().ok_or_else(|| problem(&Refusal::AmountTooLarge))
}

/// The sum of the bills of all meters, or of those of one agent, as each of them stands.
async fn total(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let query = listing::total(named(&incoming.pairs()));
    let guest = admit(incoming, Access::Read(Scope::UsageRead), Vec::new(), Vec::new()).await?;
    let outcome = async {
        let agent = query?;
        let (env, id) = (&incoming.env, &incoming.correlation_id);
        let (mut quotes, mut after): (Vec<Quote>, Option<MeterId>) = (Vec::new(), None);
        loop {
            let tenant = &guest.admission.tenant;
            let known = tenants::meters(env, tenant, agent.as_ref(), after, METERS_AT_ONCE, id).await?;
            let looks = known.iter().map(|known| quoted(incoming, &known.meter));
            for quote in join_all(looks).await {
                quotes.extend(quote?);
            }
            if quotes.len() > METERS_MAX {
                return Err(too_many().into());
            }
            after = known.last().map(|known| known.meter.clone());
            if after.is_none() || known.len() < usize::try_from(METERS_AT_ONCE).unwrap_or(usize::MAX) {
                break;
            }
        }
        let settings = config(env)?;
        let asset = &settings.posting.till.asset;
        let shown = outbound::total(agent.as_ref().map(AgentName::as_str), quotes.iter(), asset);
        let shown = shown.map_err(|_| problem(&Refusal::AmountTooLarge))?;
        Ok(fresh(Outgoing::json(200, &shown)?, false))
    };
    guest.finish(outcome.await)
}

/// The quote of a meter. Its first shard knows how many there are.
async fn quoted(incoming: &Incoming, meter: &MeterId) -> Result<Option<Quote>, Rejection> {
    let (env, id) = (&incoming.env, &incoming.correlation_id);
    let Some((first, _)) = meters::look(env, meter, 1, id).await? else { return Ok(None) };
    let looked = if first.subject.shards == 1 {
        Looked { first, others: Vec::new() }
    } else {
        let looked = meters::look(env, meter, first.subject.shards, id).await?;
        let (first, others) = looked.ok_or_else(unexpected)?;
        Looked { first, others }
    };
    quote(&looked).cloned().map(Some)
}

fn too_many() -> Problem {
    let detail = format!(
        "There are more than {METERS_MAX} meters: their bills are not added up at once. Ask for one agent with ?agent=."
    );
    Problem::new(422, "too_many_meters", detail)
}

async fn settle(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let pair = incoming.json().await.and_then(|body| Ok(inbound::pair(&body)?));
    let services = pair.as_ref().map(|(_, service)| vec![service.clone()]).unwrap_or_default();
    let guest = admit(incoming, Access::Write(Scope::BillingWrite), services, Vec::new()).await?;
    let outcome = async { drawn(incoming, &guest, &pair?, Drawing::Bill).await };
    guest.finish(outcome.await)
}

/// `DELETE /v1/usage/{agent}/{serviceId}`: what is open is not charged for.
pub(super) async fn write_off(
    incoming: &Incoming,
    agent: AgentName,
    service: ServiceName,
) -> Result<Outgoing, Rejection> {
    let access = Access::Write(Scope::BillingWrite);
    let guest = admit(incoming, access, vec![service.clone()], Vec::new()).await?;
    let outcome = async { drawn(incoming, &guest, &(agent, service), Drawing::WriteOff).await };
    guest.finish(outcome.await)
}

async fn drawn(
    incoming: &Incoming,
    guest: &Guest,
    pair: &Pair,
    drawing: Drawing,
) -> Result<Outgoing, Rejection> {
    let (billed, replayed) = draw(incoming, &guest.admission, pair, drawing).await?;
    let shown = view(incoming, &billed, pay_to(&guest.admission))?;
    let status = if replayed || drawing == Drawing::WriteOff { 200 } else { 201 };
    Ok(fresh(Outgoing::json(status, &shown)?, replayed))
}

async fn settle_many(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let pairs = incoming.json().await.and_then(|body| Ok(inbound::pairs(&body)?));
    let services = pairs
        .as_ref()
        .map(|pairs| pairs.iter().map(|(_, service)| service.clone()).collect())
        .unwrap_or_default();
    let guest = admit(incoming, Access::Write(Scope::BillingWrite), services, Vec::new()).await?;
    let outcome = async {
        let pairs = pairs?;
        // Each as if it were alone: what all come to is the sum of what each comes to.
        let drawn = pairs.iter().map(|pair| draw(incoming, &guest.admission, pair, Drawing::Bill));
        let mut results = Vec::with_capacity(pairs.len());
        for drawn in join_all(drawn).await {
            results.push(match drawn {
                Ok((billed, _)) => Ok(view(incoming, &billed, pay_to(&guest.admission))?),
                Err(Rejection::Problem(problem, _)) => Err(*problem),
                Err(Rejection::Failure(failure)) => {
                    shell::log::failure("edge", "settle", "meter_unanswered", &failure);
                    Err(unanswered())
                }
            });
        }
        Ok(fresh(Outgoing::json(200, &outbound::settled_many(results))?, false))
    };
    guest.finish(outcome.await)
}

fn unanswered() -> Problem {
    let detail = "The meter did not answer, so it is not known whether it was settled. Send the same again with the same \
                  Idempotency-Key, or look at the pair's bill.";
    Problem::new(503, "unavailable", detail)
}

/// What is drawn up of what is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Drawing {
    Bill,
    WriteOff,
}

/// Draws up what is open at all shards: the others hand over to the first, which takes it in.
async fn draw(
    incoming: &Incoming,
    admission: &Admission,
    pair: &Pair,
    drawing: Drawing,
) -> Result<(Billed, bool), Rejection> {
    let (agent, service) = pair;
    let place = Place::of(admission, agent, service).map_err(|refusal| tenant_no(&refusal))?;
    let operation = operation(incoming, pair, drawing)?;
    let (env, id) = (&incoming.env, &incoming.correlation_id);
    let parts = if place.shards() == 1 {
        Vec::new()
    } else {
        let (first, _) =
            meters::look(env, &place.meter, 1, id).await?.ok_or_else(|| problem(&Refusal::NothingUsed))?;
        if first.pending.is_some() {
            // The first shard has the say: it repeats that bill, or refuses another one. Nothing is handed over for it.
            Vec::new()
        } else {
            meters::hand_over(env, &place.meter, &place.subject(0), first.round.saturating_add(1), id).await?
        }
    };
    let (settlement, subject) = (inbound::new_settlement(&place.meter, random()?), place.subject(0));
    let ask = match drawing {
        Drawing::Bill => {
            let wait = admission.configuration.draft_wait;
            MeterAsk::Draft { subject, id: settlement, parts, wait, operation }
        }
        Drawing::WriteOff => MeterAsk::WriteOff { subject, id: settlement, parts, operation },
    };
    match place.ask(incoming, 0, ask).await? {
        MeterAnswer::Settlement { billed, replayed } => Ok((*billed, replayed)),
        MeterAnswer::Recorded { .. }
        | MeterAnswer::Counted(_)
        | MeterAnswer::HandedOver(_)
        | MeterAnswer::Reservation { .. }
        | MeterAnswer::Reversed { .. }
        | MeterAnswer::Events(_)
        | MeterAnswer::Journal(_)
        | MeterAnswer::Done => Err(unexpected()),
    }
}

/// What is done once under the request's key, if it has one.
fn operation(incoming: &Incoming, pair: &Pair, drawing: Drawing) -> Result<Option<Operation>, Rejection> {
    let Some(header) = incoming.header("idempotency-key") else { return Ok(None) };
    let key = idempotency_key(Some(&header))?.to_owned();
    let target = match drawing {
        Drawing::Bill => "settle",
        Drawing::WriteOff => "write off",
    };
    let fingerprint = Digest::of(&[canonical_json(&(target, &pair.0, &pair.1))?.as_bytes()]);
    Ok(Some(Operation { key, fingerprint }))
}

fn pay_to(admission: &Admission) -> Option<&str> {
    admission.pay_to.as_ref().map(tenant::PayTo::as_str)
}

pub(super) fn view(
    incoming: &Incoming,
    billed: &Billed,
    pay_to: Option<&str>,
) -> Result<SettlementView, Rejection> {
    let settings = config(&incoming.env)?;
    let asset = outbound::asset(&settings.posting.till.asset);
    Ok(outbound::settlement(&billed.subject, &billed.settlement, billed.version, &asset, pay_to))
}

/// `GET /v1/settlements/{settlement}`: whoever knows a bill may look at it and pay it.
async fn show(incoming: &Incoming, id: &SettlementId) -> Result<Outgoing, Rejection> {
    let guest = passer_by(incoming).await?;
    let outcome = async {
        let billed = find(incoming, id).await?;
        let tenant = &billed.subject.tenant;
        let payee = tenants::payee(&incoming.env, tenant, &incoming.correlation_id).await?;
        let shown = view(incoming, &billed, payee.as_deref())?;
        let etag = format!("\"{}\"", billed.version);
        Ok(fresh(Outgoing::json(200, &shown)?, false).with("etag", etag))
    };
    guest.finish(outcome.await)
}

/// The bill of that id.
pub(super) async fn find(incoming: &Incoming, id: &SettlementId) -> Result<Billed, Rejection> {
    let (env, correlation_id) = (&incoming.env, &incoming.correlation_id);
    let reply = bills::ask(env, id, MeterAsk::Settlement { id: id.clone() }, correlation_id).await?;
    bills::billed(reply)?.map_err(|refusal| problem(&refusal))
}

async fn void(incoming: &Incoming, id: &SettlementId) -> Result<Outgoing, Rejection> {
    let guest = admit(incoming, Access::Write(Scope::BillingWrite), Vec::new(), Vec::new()).await?;
    let outcome = async {
        // What is not theirs looks like what is not there.
        let billed = find(incoming, id).await?;
        if billed.subject.tenant != guest.admission.tenant {
            return Err(problem(&Refusal::UnknownSettlement));
        }
        let (env, correlation_id) = (&incoming.env, &incoming.correlation_id);
        let object = object_name(&id.meter(), 0);
        let ask = MeterAsk::Void { id: id.clone() };
        match done(meters::send_to(env, &object, ask, correlation_id).await?)? {
            MeterAnswer::Settlement { billed, replayed } => {
                let shown = view(incoming, &billed, pay_to(&guest.admission))?;
                Ok(fresh(Outgoing::json(200, &shown)?, replayed))
            }
            MeterAnswer::Recorded { .. }
            | MeterAnswer::Counted(_)
            | MeterAnswer::HandedOver(_)
            | MeterAnswer::Reservation { .. }
            | MeterAnswer::Reversed { .. }
            | MeterAnswer::Events(_)
            | MeterAnswer::Journal(_)
            | MeterAnswer::Done => Err(unexpected()),
        }
    };
    guest.finish(outcome.await)
}
