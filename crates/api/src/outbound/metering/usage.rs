//! What became of events of usage, and what a meter has counted.

use meter::{EventKey, Refusal, Verdict};
use primitives::{BaseUnits, MeterId, UnixMillis};
use tariff::{Quantity, TooLarge};

use super::refused::meter_problem;
use crate::binding::meter::{Counted, Filed, Said};
use crate::inbound::metering::{Reversing, Unread};
use crate::problem::Problem;
use crate::wire::metering::{
    BulkAnswer, BulkResult, EventName, EventView, EventsOfMeter, ItemError, MeterView, ReversalAnswer,
    UsageAnswer, UsageStatus,
};

/// What names an event.
pub fn event_name(key: &EventKey) -> EventName {
    EventName { source: key.source.as_str().to_owned(), id: key.id.as_str().to_owned() }
}

/// Where an event went, and what is open there now.
#[derive(Debug, Clone)]
pub struct Counting<'a> {
    /// The meter.
    pub meter: &'a MeterId,
    /// What is open, over all shards.
    pub open: Quantity,
    /// The version, over all shards.
    pub version: u64,
}

/// The answer to one event, unless it does not count.
///
/// # Errors
/// Why it does not.
pub fn usage(
    agent: &str,
    service: &str,
    said: &Said,
    verdict: &Verdict,
    counting: &Counting<'_>,
) -> Result<UsageAnswer, Problem> {
    let (status, price_version) = match verdict {
        Verdict::Recorded { version } => (UsageStatus::Recorded, Some(*version)),
        Verdict::Duplicate => (UsageStatus::Duplicate, None),
        Verdict::Refused(refusal) => return Err(meter_problem(refusal)),
    };
    Ok(UsageAnswer {
        event: event_name(&said.key),
        agent: agent.to_owned(),
        service_id: service.to_owned(),
        status,
        quantity: said.quantity.to_string(),
        total: counting.open.to_string(),
        price_version,
        time: said.at.to_rfc3339(),
        meter: counting.meter.to_string(),
        version: counting.version,
    })
}

/// What became of one item of a bulk.
#[derive(Debug, Clone)]
pub enum Item {
    /// Its meter has spoken.
    Judged {
        /// The event.
        key: EventKey,
        /// What the meter says.
        verdict: Verdict,
    },
    /// It did not come that far: its service takes no usage, or its meter did not answer.
    Refused {
        /// The event.
        key: EventKey,
        /// Why.
        problem: Problem,
    },
    /// It could not be read.
    Unread(Unread),
}

/// The answer to a bulk, whose items are in their order.
pub fn bulk(items: Vec<Item>) -> BulkAnswer {
    let results: Vec<BulkResult> = (0_u32..).zip(items).map(|(index, item)| result(index, item)).collect();
    let count = |status| {
        let counted = results.iter().filter(|result| result.status == status).count();
        u32::try_from(counted).unwrap_or(u32::MAX)
    };
    let [recorded, duplicates, refused] =
        [UsageStatus::Recorded, UsageStatus::Duplicate, UsageStatus::Refused].map(count);
    BulkAnswer { results, recorded, duplicates, refused }
}

fn result(index: u32, item: Item) -> BulkResult {
    let refused = |event, error| BulkResult {
        index,
        status: UsageStatus::Refused,
        event,
        price_version: None,
        error: Some(error),
    };
    match item {
        Item::Judged { key, verdict } => {
            let event = Some(event_name(&key));
            let (status, price_version) = match verdict {
                Verdict::Recorded { version } => (UsageStatus::Recorded, Some(version)),
                Verdict::Duplicate => (UsageStatus::Duplicate, None),
                Verdict::Refused(refusal) => return refused(event, judged(&refusal)),
            };
            BulkResult { index, status, event, price_version, error: None }
        }
        Item::Refused { key, problem } => refused(Some(event_name(&key)), item_error(&problem)),
        Item::Unread(Unread { event, error }) => refused(event, error),
    }
}

fn judged(refusal: &Refusal) -> ItemError {
    item_error(&meter_problem(refusal))
}

/// A problem of one item among many.
pub fn item_error(problem: &Problem) -> ItemError {
    ItemError {
        code: problem.code.clone(),
        detail: problem.detail.clone(),
        field: problem.errors.first().map(|fault| fault.field.clone()),
    }
}

/// The answer to an event that was taken back.
pub fn reversal(reversing: &Reversing, quantity: Quantity, meter: &MeterId, version: u64) -> ReversalAnswer {
    ReversalAnswer {
        event: event_name(&reversing.key),
        reverses: event_name(&reversing.of),
        agent: reversing.agent.to_string(),
        service_id: reversing.service.to_string(),
        quantity: quantity.to_string(),
        meter: meter.to_string(),
        version,
    }
}

/// A page of a meter's events.
pub fn events(filed: &[Filed], next_cursor: Option<String>) -> EventsOfMeter {
    let events = filed.iter().map(|filed| EventView {
        event: event_name(&filed.key),
        time: filed.at.to_rfc3339(),
        received_at: filed.received_at.to_rfc3339(),
        quantity: filed.quantity.to_string(),
        price_version: filed.price,
        reverses: filed.reverses.as_ref().map(event_name),
        reversed_by: filed.reversed.as_ref().map(event_name),
    });
    EventsOfMeter { events: events.collect(), next_cursor }
}

/// What a meter has counted, of what its shards have: the first one, and what the others say. `open` is what is open of all,
/// with what was handed over and not taken.
///
/// # Errors
/// When it is more than can be counted.
pub fn meter(
    meter: &MeterId,
    first: &Counted,
    others: &[Counted],
    open: Quantity,
) -> Result<MeterView, TooLarge> {
    let shards = || core::iter::once(first).chain(others);
    let sum = |part: fn(&Counted) -> Quantity| {
        shards().try_fold(Quantity::ZERO, |sum, shard| sum.plus(part(shard))).ok_or(TooLarge)
    };
    let count = |part: fn(&Counted) -> u64| {
        shards().try_fold(0_u64, |sum, shard| sum.checked_add(part(shard))).ok_or(TooLarge)
    };
    // What another shard takes back after it has handed it over comes to the first one, which knows what was settled by then.
    // Shards are looked at one after the other, so that the first one can have heard of more than the others have said.
    let credited = first.totals.credited;
    let reversed = sum(|shard| shard.totals.taken_back)?.minus(credited).unwrap_or_default();
    let paid = shards().try_fold(0_u128, |sum, shard| sum.checked_add(shard.totals.paid.0));
    let moment = |at: Option<UnixMillis>| at.unwrap_or(first.since).to_rfc3339();
    Ok(MeterView {
        meter: meter.to_string(),
        agent: first.subject.agent.to_string(),
        service_id: first.subject.service.to_string(),
        total: open.to_string(),
        events: count(|shard| shard.totals.events)?,
        recorded: sum(|shard| shard.totals.recorded)?.to_string(),
        reversed: reversed.to_string(),
        credited: credited.to_string(),
        settled: sum(|shard| shard.totals.settled)?.to_string(),
        paid: BaseUnits(paid.ok_or(TooLarge)?).to_string(),
        written_off: sum(|shard| shard.totals.written_off)?.to_string(),
        pending: first.pending.as_ref().map(ToString::to_string),
        since: moment(shards().map(|shard| shard.since).min()),
        last_at: moment(shards().map(|shard| shard.last_at).max()),
        shards: first.subject.shards,
        version: count(|shard| shard.version)?,
    })
}
