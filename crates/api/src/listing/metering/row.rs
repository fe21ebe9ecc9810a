//! What lies in the tables. Quantities and amounts are texts of 39 digits, so that they sort as they count and the database
//! can add them up exactly, limb by limb.

use meter::{Book, Settlement, Subject};
use primitives::{MeterId, Millis, UnixMillis};
use serde::{Deserialize, Serialize};
use serde_json::Error;
use tariff::Quantity;

use crate::outbound::metering::{settlement, settlement_status};
use crate::wire::metering::{AssetView, AuditEvent};

/// The digits of the largest quantity.
const DIGITS: usize = 39;
const HOUR: u64 = Millis::from_minutes(60).0;

fn padded(number: u128) -> String {
    format!("{number:0>DIGITS$}")
}

/// What an object tells the tables after a change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Projection {
    /// The meter as it is.
    pub meters: Vec<MeterRow>,
    /// The hours whose usage has changed, as they are.
    pub hours: Vec<HourRow>,
    /// The settlements that have changed, as they are.
    pub settlements: Vec<SettlementRow>,
    /// The lines of the audit log that have come.
    pub audit: Vec<AuditRow>,
}

/// A meter, or one shard of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeterRow {
    meter: String,
    shard: u8,
    version: u64,
    tenant: String,
    era: u32,
    agent: String,
    service: String,
    since: UnixMillis,
    last_at: UnixMillis,
    deadline: Option<UnixMillis>,
    as_of: UnixMillis,
    events: u64,
    used: String,
    open: String,
    pending: String,
    settled: String,
    paid: String,
    written_off: String,
}

impl MeterRow {
    /// The row of a shard at the length `version` of its journal, written at `as_of`.
    pub fn new(
        meter: &MeterId,
        book: &Book,
        version: u64,
        deadline: Option<UnixMillis>,
        as_of: UnixMillis,
    ) -> Self {
        let Subject { tenant, agent, service, era, shard, .. } = &book.subject;
        let totals = &book.totals;
        // What is open and what is pending are parts of what was recorded, and that is counted.
        let open = book.open.values().fold(0_u128, |sum, open| sum.saturating_add(open.quantity.0));
        let pending = book.pending.values().flat_map(|bill| &bill.lines);
        let pending = pending.fold(0_u128, |sum, line| sum.saturating_add(line.quantity.0));
        Self {
            meter: meter.to_string(),
            shard: *shard,
            version,
            tenant: tenant.to_string(),
            era: *era,
            agent: agent.to_string(),
            service: service.to_string(),
            since: book.since,
            last_at: book.last_at,
            deadline,
            as_of,
            events: totals.events,
            used: padded(totals.recorded.minus(totals.taken_back).unwrap_or_default().0),
            open: padded(open),
            pending: padded(pending),
            settled: padded(totals.settled.0),
            paid: padded(totals.paid.0),
            written_off: padded(totals.written_off.0),
        }
    }
}

/// The first moment of the hour in which a moment lies.
pub const fn hour_of(at: UnixMillis) -> UnixMillis {
    match at.0.checked_rem(HOUR) {
        Some(past) => at.minus(Millis(past)),
        None => at,
    }
}

/// Usage of an hour at one shard, by the events' own times: all of it, not what has been added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HourRow {
    meter: String,
    shard: u8,
    hour: UnixMillis,
    version: u64,
    tenant: String,
    era: u32,
    agent: String,
    service: String,
    as_of: UnixMillis,
    quantity: String,
    taken: String,
    events: u64,
}

impl HourRow {
    /// The row of an hour, which begins at `hour`: what was used, and what of it was taken back.
    pub fn new(
        (meter, subject): (&MeterId, &Subject),
        hour: UnixMillis,
        (quantity, taken): (Quantity, Quantity),
        events: u64,
        version: u64,
        as_of: UnixMillis,
    ) -> Self {
        let Subject { tenant, agent, service, era, shard, .. } = subject;
        Self {
            meter: meter.to_string(),
            shard: *shard,
            hour,
            version,
            tenant: tenant.to_string(),
            era: *era,
            agent: agent.to_string(),
            service: service.to_string(),
            as_of,
            quantity: padded(quantity.0),
            taken: padded(taken.0),
            events,
        }
    }
}

/// A settlement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettlementRow {
    settlement: String,
    version: u64,
    tenant: String,
    era: u32,
    agent: String,
    service: String,
    status: String,
    at: UnixMillis,
    as_of: UnixMillis,
    record: String,
}

impl SettlementRow {
    /// The row of a settlement at the length `version` of its meter's journal.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn new(
        subject: &Subject,
        bill: &Settlement,
        version: u64,
        asset: &AssetView,
        as_of: UnixMillis,
    ) -> Result<Self, Error> {
        let Subject { tenant, agent, service, era, .. } = subject;
        let status = serde_json::to_value(settlement_status(&bill.state))?;
        Ok(Self {
            settlement: bill.id.to_string(),
            version,
            tenant: tenant.to_string(),
            era: *era,
            agent: agent.to_string(),
            service: service.to_string(),
            status: status.as_str().unwrap_or_default().to_owned(),
            at: bill.at,
            as_of,
            record: serde_json::to_string(&settlement(subject, bill, version, asset, None))?,
        })
    }
}

/// A line of a tenant's audit log. It never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    tenant: String,
    at: UnixMillis,
    id: String,
    kind: String,
    agent: Option<String>,
    service: Option<String>,
    as_of: UnixMillis,
    record: String,
}

impl AuditRow {
    /// The row of a line of the moment `at`.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn new(line: AuditEvent, at: UnixMillis, as_of: UnixMillis) -> Result<Self, Error> {
        let record = serde_json::to_string(&line)?;
        let AuditEvent { id, kind, tenant, agent, service_id, .. } = line;
        Ok(Self { tenant, at, id, kind, agent, service: service_id, as_of, record })
    }
}
