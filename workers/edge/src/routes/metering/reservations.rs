//! Money that is held before work: reserve, do the work, then commit what it came to, or release.

use api::binding::meter::{Billed, Kept, MeterAnswer, MeterAsk};
use api::binding::tenant::Admission;
use api::inbound::mandate::idempotency_key;
use api::inbound::metering as inbound;
use api::inbound::metering::Reserving;
use api::outbound::metering as outbound;
use api::problem::Problem;
use api::route::ReservationRoute;
use meter::{Order, Refusal, ReservationState};
use primitives::ReservationId;
use shell::{now, random};
use tenant::{Access, Mode, Scope};

use super::admit::admit;
use super::billing::view;
use super::place::{Place, problem, tenant_no, unexpected};
use super::usage::fresh;
use crate::ports::meters;
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// Answers what is asked of reservations.
pub async fn reservations(incoming: &Incoming, route: ReservationRoute) -> Result<Outgoing, Rejection> {
    match route {
        ReservationRoute::Reserve => reserve(incoming).await,
        ReservationRoute::Show { reservation } => show(incoming, &reservation).await,
        ReservationRoute::Commit { reservation } => commit(incoming, reservation).await,
        ReservationRoute::Release { reservation } => release(incoming, reservation).await,
    }
}

async fn reserve(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let reserving = incoming.json().await.and_then(|body| Ok(inbound::reservation(&body)?));
    let (services, agents) = reserving
        .as_ref()
        .map(|wanted| (vec![wanted.service.clone()], vec![wanted.agent.clone()]))
        .unwrap_or_default();
    let guest = admit(incoming, Access::Write(Scope::UsageWrite), services, agents).await?;
    let outcome = async {
        let (subject, meter, order) = order(incoming, &guest.admission, reserving?)?;
        let ask = MeterAsk::Reserve { subject, order: Box::new(order) };
        let reply = meters::ask(&incoming.env, &meter, 0, ask, &incoming.correlation_id).await?;
        let (kept, _, replayed) = reservation(super::place::done(reply)?)?;
        if let ReservationState::Refused { code, reason } = &kept.reservation.state {
            return Err(outbound::hold_refused(code, reason).into());
        }
        let shown = outbound::reservation(&kept.subject, &kept.reservation);
        Ok(fresh(Outgoing::json(if replayed { 200 } else { 201 }, &shown)?, replayed))
    };
    guest.finish(outcome.await)
}

/// What the meter is asked to have held, by the agent's account with the tenant.
fn order(
    incoming: &Incoming,
    admission: &Admission,
    wanted: Reserving,
) -> Result<(meter::Subject, primitives::MeterId, Order), Rejection> {
    let header = incoming.header("idempotency-key");
    let key = idempotency_key(header.as_deref())?;
    let Reserving { agent, service, quantity, ttl } = wanted;
    let place = Place::taking(admission, &agent, &service).map_err(|refusal| tenant_no(&refusal))?;
    let account = admission.accounts.get(&agent).filter(|account| account.mode == Mode::Prepaid);
    let offer =
        account.and_then(|account| account.offer.as_ref()).ok_or_else(|| problem(&Refusal::NotPrepaid))?;
    let recipient = admission.pay_to.as_ref().ok_or_else(no_payee)?;
    let now = now();
    let price = tariff::at(&place.service.versions, now).ok_or_else(|| problem(&Refusal::BeforeService))?;
    let order = Order {
        id: inbound::new_reservation(&place.meter, key),
        mandate: offer.mandate.clone(),
        recipient: recipient.as_str().to_owned(),
        quantity,
        price: price.clone(),
        until: now.plus(ttl),
        gate: place.gate,
    };
    Ok((place.subject(0), place.meter, order))
}

fn no_payee() -> Problem {
    let detail = "The tenant has not said whom its bills pay. Set `payTo` with PATCH /v1/config first.";
    Problem::new(409, "payee_missing", detail)
}

/// A reservation of the tenant's. What is not theirs looks like what is not there.
async fn found(incoming: &Incoming, admission: &Admission, id: &ReservationId) -> Result<Kept, Rejection> {
    let ask = MeterAsk::Reservation { id: id.clone() };
    let reply = meters::ask(&incoming.env, &id.meter(), 0, ask, &incoming.correlation_id).await?;
    let (kept, _, _) = reservation(super::place::done(reply)?)?;
    if kept.subject.tenant == admission.tenant {
        Ok(kept)
    } else {
        Err(problem(&Refusal::UnknownReservation))
    }
}

fn reservation(answer: MeterAnswer) -> Result<(Kept, Option<Billed>, bool), Rejection> {
    match answer {
        MeterAnswer::Reservation { kept, billed, replayed } => {
            Ok((*kept, billed.map(|billed| *billed), replayed))
        }
        MeterAnswer::Recorded { .. }
        | MeterAnswer::Counted(_)
        | MeterAnswer::HandedOver(_)
        | MeterAnswer::Settlement { .. }
        | MeterAnswer::Reversed { .. }
        | MeterAnswer::Events(_)
        | MeterAnswer::Journal(_)
        | MeterAnswer::Done => Err(unexpected()),
    }
}

async fn show(incoming: &Incoming, id: &ReservationId) -> Result<Outgoing, Rejection> {
    let guest = admit(incoming, Access::Read(Scope::UsageWrite), Vec::new(), Vec::new()).await?;
    let outcome = async {
        let kept = found(incoming, &guest.admission, id).await?;
        let shown = outbound::reservation(&kept.subject, &kept.reservation);
        let etag = format!("\"{}\"", kept.version);
        Ok(fresh(Outgoing::json(200, &shown)?, false).with("etag", etag))
    };
    guest.finish(outcome.await)
}

/// The work is done. The identity of its event may belong to another shard, which then keeps it from standing for something
/// else.
async fn commit(incoming: &Incoming, id: ReservationId) -> Result<Outgoing, Rejection> {
    let commitment = incoming.json().await.and_then(|body| Ok(inbound::commitment(&body, &id)?));
    let guest = admit(incoming, Access::Write(Scope::UsageWrite), Vec::new(), Vec::new()).await?;
    let outcome = async {
        let commitment = commitment?;
        let kept = found(incoming, &guest.admission, &id).await?;
        let subject = &kept.subject;
        let price = kept.reservation.price.clone();
        let item = commitment.item(&subject.agent, &subject.service, price, now());
        let (key, fingerprint) = (item.key.clone(), item.fingerprint);
        let own = api::binding::meter::shard_of(&key, subject.shards);
        let meter = id.meter();
        let ask = async |shard, ask| {
            let reply = meters::ask(&incoming.env, &meter, shard, ask, &incoming.correlation_id).await?;
            super::place::done(reply)
        };
        if own != 0 {
            ask(own, MeterAsk::Note { key: key.clone(), fingerprint }).await?;
        }
        let settlement = inbound::new_settlement(&meter, random()?);
        let commit = MeterAsk::Commit { id: id.clone(), item: Box::new(item), settlement };
        let answer = ask(0, commit).await;
        if own != 0 && matches!(answer, Err(Rejection::Problem(..))) {
            ask(own, MeterAsk::Unnote { key, fingerprint }).await?;
        }
        let (kept, billed, replayed) = reservation(answer?)?;
        let billed = billed.ok_or_else(unexpected)?;
        let pay_to = guest.admission.pay_to.as_ref().map(tenant::PayTo::as_str);
        let shown = outbound::committed(
            outbound::reservation(&kept.subject, &kept.reservation),
            view(incoming, &billed, pay_to)?,
        );
        Ok(fresh(Outgoing::json(200, &shown)?, replayed))
    };
    guest.finish(outcome.await)
}

async fn release(incoming: &Incoming, id: ReservationId) -> Result<Outgoing, Rejection> {
    let guest = admit(incoming, Access::Write(Scope::UsageWrite), Vec::new(), Vec::new()).await?;
    let outcome = async {
        found(incoming, &guest.admission, &id).await?;
        let ask = MeterAsk::Release { id: id.clone() };
        let reply = meters::ask(&incoming.env, &id.meter(), 0, ask, &incoming.correlation_id).await?;
        let (kept, _, replayed) = reservation(super::place::done(reply)?)?;
        let shown = outbound::reservation(&kept.subject, &kept.reservation);
        Ok(fresh(Outgoing::json(200, &shown)?, replayed))
    };
    guest.finish(outcome.await)
}
