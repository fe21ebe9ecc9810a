//! Money that is to be held before work, and what the work came to.

use meter::{EventKey, Item, Known, limits};
use primitives::{AgentName, MeterId, Millis, ReservationId, ServiceName, UnixMillis};
use serde_json::Value;
use tariff::{Quantity, Version};

use super::usage::{event_key, fingerprint, moment};
use crate::inbound::{Faults, shape};
use crate::problem::Problem;
use crate::wire::metering::{CommitBody, ReserveBody};

/// How long work may take, if nobody says.
const TTL_SECONDS: u64 = 3_600;

/// What is to be reserved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reserving {
    /// Who is going to use.
    pub agent: AgentName,
    /// What.
    pub service: ServiceName,
    /// At most how much.
    pub quantity: Quantity,
    /// How long the work may take.
    pub ttl: Millis,
}

/// Reads what is to be reserved.
///
/// # Errors
/// 400 with every fault.
pub fn reservation(body: &Value) -> Result<Reserving, Problem> {
    let ReserveBody { agent, service_id, quantity, ttl_seconds } = shape(body)?;
    let mut faults = Faults::default();
    let agent = faults.take("agent", agent.parse::<AgentName>());
    let service = faults.take("serviceId", service_id.parse::<ServiceName>());
    let quantity = faults.take("quantity", quantity.parse::<Quantity>());
    let seconds = ttl_seconds.unwrap_or(TTL_SECONDS);
    let most = limits::RESERVATION_MAX.0.checked_div(1_000).unwrap_or_default();
    if !(1..=most).contains(&seconds) {
        faults.add("ttlSeconds", format!("must be a whole number from 1 to {most}"));
    }
    let read = agent.zip(service).zip(quantity);
    let ttl = Millis::from_seconds(seconds);
    faults.finish(read.map(|((agent, service), quantity)| Reserving { agent, service, quantity, ttl }))
}

/// The id of a reservation at `meter` that is asked for under this `Idempotency-Key`.
pub fn new_reservation(meter: &MeterId, key: &str) -> ReservationId {
    ReservationId::derive(meter, &[b"guildhall reservation v1\0", key.as_bytes()])
}

/// What the work came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commitment {
    quantity: Quantity,
    key: EventKey,
    at: Option<UnixMillis>,
    time: Option<String>,
}

/// Reads what the work came to. Without an id of its own, the event's follows from the reservation: the work is done once, so
/// the same again is the same event.
///
/// # Errors
/// 400 with every fault.
pub fn commitment(body: &Value, reservation: &ReservationId) -> Result<Commitment, Problem> {
    let CommitBody { quantity, id, source, time } = shape(body)?;
    let mut faults = Faults::default();
    let quantity = faults.take("quantity", quantity.parse::<Quantity>());
    let id = id.unwrap_or_else(|| reservation.to_string());
    let key = event_key(&mut faults, ("source", source.as_deref().unwrap_or("api")), ("id", &id));
    let at = moment(&mut faults, ("time", time.as_deref()));
    faults.finish(quantity.zip(key).map(|(quantity, key)| Commitment { quantity, key, at, time }))
}

impl Commitment {
    /// The event of usage, received at `now`, at the price that was reserved.
    pub fn item(self, agent: &AgentName, service: &ServiceName, price: Version, now: UnixMillis) -> Item {
        Item {
            fingerprint: fingerprint(agent, service, self.quantity, self.time.as_deref()),
            key: self.key,
            at: self.at.unwrap_or(now),
            quantity: self.quantity,
            price: Some(price),
            known: Known::Fresh,
        }
    }
}
