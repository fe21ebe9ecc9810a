//! Events of usage, and what their meters have counted.

use meter::Refusal as M;
use serde_json::json;
use tenant::{Refusal as R, Scope};

use super::{Path, both, counted, keyed, ours, placed, refuses};
use crate::document::openapi::operation::{Body, Operation};
use crate::document::openapi::parts::schema;
use crate::document::openapi::refusals::malformed;
use crate::outbound::metering::meter_problem;
use crate::problem::Problem;

const TAG: &str = "usage";
const REPLAYED: &[&str] = &["Idempotency-Replayed"];

pub(super) fn paths() -> Vec<Path> {
    vec![
        both("/usage", [record()]),
        both("/usage/bulk", [record_many()]),
        ours("/usage/reverse", [reverse()]),
        both("/usage/{agent}/{serviceId}", [show(), write_off()]),
        ours("/usage/{agent}/{serviceId}/events", [events()]),
    ]
}

/// What a meter refuses with these.
pub(super) fn meter_refuses(refusals: &[M]) -> Vec<Problem> {
    refusals.iter().map(meter_problem).collect()
}

fn writing(id: &'static str, summary: &'static str) -> Operation {
    keyed("post", TAG, id, summary, Some(Scope::UsageWrite))
}

/// What can be wrong with an event of usage.
pub(super) fn of_event() -> Vec<Problem> {
    meter_refuses(&[
        M::EventConflict,
        M::QuantityZero,
        M::QuantityTooLarge,
        M::QuantityTooFine { digits: 0 },
        M::TooLate,
        M::TooEarly,
        M::BeforeService,
        M::TooManyPrices,
        M::AmountTooLarge,
        M::ReservationRequired,
    ])
}

fn record() -> Operation {
    let content = json!({
        "application/json": { "schema": schema("UsageBody") },
        "application/cloudevents+json": { "schema": schema("CloudEvent") },
    });
    writing("recordUsage", "Record an event of usage")
        .about(
            "Source and id name the event: the same event again counts once, and one that says something else under the same \
             name is refused. Without an id it is that of Idempotency-Key, else a fresh one. It has the price that was in \
             force when it happened. CloudEvents 1.0 are taken in structured mode, and in binary mode with the headers ce-id, \
             ce-source, ce-type, ce-specversion, ce-subject and ce-time.",
        )
        .named(&["IdempotencyKey"])
        .body(Body::Several(content))
        .answers("201", counted("It counts.", schema("UsageAnswer"), &[]))
        .answers("200", counted("The same event counted before.", schema("UsageAnswer"), REPLAYED))
        .refuses(of_event())
        .refuses(refuses(&[R::UnknownService, R::ServiceDisabled]))
        .refuses([Problem::new(400, "invalid_idempotency_key", "")])
}

fn record_many() -> Operation {
    let content = json!({
        "application/json": { "schema": { "type": "object", "additionalProperties": false, "required": ["items"], "properties": {
            "items": { "type": "array", "minItems": 1, "maxItems": meter::limits::BULK, "items": schema("UsageBody") },
        } } },
        "application/cloudevents-batch+json": { "schema": { "type": "array", "minItems": 1, "maxItems": meter::limits::BULK, "items": schema("CloudEvent") } },
    });
    writing("recordUsageBulk", "Record up to 1000 events of usage")
        .about(
            "Each counts or is refused by itself; `results` says which, in their order. All that count at one meter are \
             recorded at once. At most 100 pairs of agent and service.",
        )
        .named(&["IdempotencyKey"])
        .body(Body::Several(content))
        .answers("200", counted("What became of each.", schema("BulkAnswer"), &[]))
        .refuses(meter_refuses(&[M::BulkTooLarge]))
        .refuses([Problem::new(400, "invalid_idempotency_key", "")])
}

fn reverse() -> Operation {
    writing("reverseUsage", "Take an event back, whole")
        .about("Of what is open it is subtracted; of what was billed the next bill is credited.")
        .body(Body::Needed("ReverseBody"))
        .answers("201", counted("It is taken back.", schema("ReversalAnswer"), &[]))
        .answers("200", counted("It was taken back before by the same.", schema("ReversalAnswer"), REPLAYED))
        .refuses(refuses(&[R::UnknownService]))
        .refuses(meter_refuses(&[
            M::NothingUsed,
            M::UnknownEvent,
            M::EventConflict,
            M::AlreadyReversed,
            M::NotReversible,
            M::TooManyAdjustments,
        ]))
}

fn of_pair(operation: Operation) -> Operation {
    placed(operation, &["MeteredAgent", "ServiceId"])
        .refuses(refuses(&[R::UnknownService]))
        .refuses(meter_refuses(&[M::NothingUsed]))
}

fn show() -> Operation {
    of_pair(keyed("get", TAG, "getUsage", "See what a meter has counted", Some(Scope::UsageRead)))
        .about("Read from the meter itself: every event that was answered is in it.")
        .answers("200", counted("What it has counted.", schema("MeterView"), &[]))
}

fn write_off() -> Operation {
    let summary = "Charge nothing for what is open";
    of_pair(keyed("delete", TAG, "writeOffUsage", summary, Some(Scope::BillingWrite)))
        .about("A settlement says so; nothing is forgotten.")
        .named(&["IdempotencyKey"])
        .answers("200", counted("What is written off.", schema("SettlementView"), REPLAYED))
        .refuses(super::billing::drawing())
}

fn events() -> Operation {
    of_pair(keyed("get", TAG, "listUsageEvents", "List the events of a meter", Some(Scope::UsageRead)))
        .about("Newest receipt first. Identities are kept for 40 days at least.")
        .named(&["PageLimit", "PageCursor"])
        .answers("200", counted("A page.", schema("EventsOfMeter"), &[]))
        .refuses([malformed()])
}
