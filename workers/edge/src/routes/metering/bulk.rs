//! Many events at once: each goes to the shard that keeps it, all shards are asked at the same time, and what each event came
//! to is said in its place.

use std::collections::{BTreeMap, BTreeSet};

use api::binding::meter::{MeterAnswer, MeterReply, Said};
use api::binding::tenant::Admission;
use api::inbound::metering::{Unread, Usage};
use api::outbound::metering as outbound;
use api::outbound::metering::{Item, tenant_problem};
use api::problem::Problem;
use api::wire::metering::BulkAnswer;
use futures_util::future::join_all;
use meter::EventKey;
use primitives::{AgentName, ServiceName};
use shell::now;

use super::place::Place;
use crate::ports::meters;
use crate::rejection::Rejection;
use crate::request::Incoming;

/// The most shards that one bulk goes to: each is a word with an object, and a Worker has so many at once.
const SHARDS_MAX: usize = 100;

/// An item that was read, or could not be.
type Read = Result<Usage, Unread>;

/// The services and agents that a bulk names.
pub(super) fn names(items: &[Read]) -> (Vec<ServiceName>, Vec<AgentName>) {
    let read = || items.iter().flatten();
    let services: BTreeSet<&ServiceName> = read().map(|usage| &usage.service).collect();
    let agents: BTreeSet<&AgentName> = read().map(|usage| &usage.agent).collect();
    (services.into_iter().cloned().collect(), agents.into_iter().cloned().collect())
}

/// Events for one shard, each with its place in the bulk.
struct Share<'a> {
    place: &'a Place<'a>,
    shard: u8,
    events: Vec<(usize, Said)>,
}

/// Records a bulk.
pub(super) async fn record(
    incoming: &Incoming,
    admission: &Admission,
    items: Vec<Read>,
) -> Result<BulkAnswer, Rejection> {
    let most = admission.configuration.bulk_max;
    if items.len() > most {
        let detail = format!(
            "The bulk has {} events; the configuration of this tenant takes {most} at once. Send it in parts.",
            items.len()
        );
        return Err(Problem::new(422, "bulk_too_large", detail).into());
    }
    let pairs: BTreeSet<_> =
        items.iter().flatten().map(|usage| (usage.agent.clone(), usage.service.clone())).collect();
    let places: BTreeMap<_, _> = pairs
        .into_iter()
        .map(|(agent, service)| {
            let place = Place::taking(admission, &agent, &service);
            ((agent, service), place)
        })
        .collect();
    let mut results: Vec<Option<Item>> = items.iter().map(|_| None).collect();
    let mut shares: BTreeMap<(&(AgentName, ServiceName), u8), Share<'_>> = BTreeMap::new();
    for ((index, item), result) in items.into_iter().enumerate().zip(&mut results) {
        let usage = match item {
            Ok(usage) => usage,
            Err(unread) => {
                *result = Some(Item::Unread(unread));
                continue;
            }
        };
        let pair = (usage.agent.clone(), usage.service.clone());
        match places.get_key_value(&pair) {
            Some((pair, Ok(place))) => {
                let said = usage.said(&place.service.versions, now());
                let shard = place.shard_of(&said.key);
                let share =
                    shares.entry((pair, shard)).or_insert_with(|| Share { place, shard, events: Vec::new() });
                share.events.push((index, said));
            }
            Some((_, Err(refusal))) => {
                *result = Some(Item::Refused { key: usage.key, problem: tenant_problem(refusal) });
            }
            None => {}
        }
    }
    if shares.len() > SHARDS_MAX {
        let detail = format!(
            "The events of the bulk belong to {} meters; {SHARDS_MAX} are taken at once. Send it in parts.",
            shares.len()
        );
        return Err(Problem::new(422, "bulk_too_wide", detail).into());
    }
    let told = join_all(shares.into_values().map(|share| told(incoming, share))).await;
    for (index, item) in told.into_iter().flatten() {
        if let Some(result) = results.get_mut(index) {
            *result = Some(item);
        }
    }
    let results: Option<Vec<Item>> = results.into_iter().collect();
    Ok(outbound::bulk(results.ok_or_else(super::place::unexpected)?))
}

/// Tells a shard its events, and what became of each. A shard that does not answer keeps nobody else's events from counting.
async fn told(incoming: &Incoming, share: Share<'_>) -> Vec<(usize, Item)> {
    let Share { place, shard, events } = share;
    let (indexes, said): (Vec<usize>, Vec<Said>) = events.into_iter().unzip();
    let keys: Vec<EventKey> = said.iter().map(|said| said.key.clone()).collect();
    let ask = place.record(shard, said);
    let reply = meters::ask(&incoming.env, &place.meter, shard, ask, &incoming.correlation_id).await;
    let verdicts = match reply {
        Ok(MeterReply::Done(MeterAnswer::Recorded { verdicts, .. })) if verdicts.len() == keys.len() => {
            verdicts
        }
        Ok(MeterReply::Refused(refusal)) => {
            keys.iter().map(|_| meter::Verdict::Refused(refusal.clone())).collect()
        }
        Ok(MeterReply::Done(_) | MeterReply::OperationReused) | Err(_) => {
            if let Err(failure) = &reply {
                shell::log::failure("meter", place.meter.as_str(), "bulk_unanswered", failure);
            }
            let refused = |key| Item::Refused { key, problem: unanswered() };
            return indexes.into_iter().zip(keys.into_iter().map(refused)).collect();
        }
    };
    let judged = keys.into_iter().zip(verdicts).map(|(key, verdict)| Item::Judged { key, verdict });
    indexes.into_iter().zip(judged).collect()
}

fn unanswered() -> Problem {
    let detail = "The meter did not answer, so it is not known whether the event counts. Send it again with the source and \
                  the id that this result names: it counts once.";
    Problem::new(503, "unavailable", detail)
}
