//! What the tables have added up, and how they are made to.

use std::collections::BTreeMap;

use data_encoding::BASE64URL_NOPAD;
use primitives::{BaseUnits, UnixMillis};
use serde::Deserialize;
use tariff::Quantity;

use super::request::Size;
use crate::wire::metering::{AuditSummary, Bucket, Tally, TallyRow};

/// The SQL that adds up a column of 39 digits. SQLite's integers have 64 bits: it adds up three limbs of 13 digits, of up to
/// 900,000 rows, says so when there are more, and carries once at the end. The sum is a text of 39 digits again.
pub fn sum(column: &str) -> String {
    const LIMB: &str = "10000000000000";
    let limb = |from: u8| format!("coalesce(sum(CAST(substr({column}, {from}, 13) AS INTEGER)), 0)");
    let (high, middle, low) = (limb(1), limb(14), limb(27));
    let carried = format!("({middle} + {low} / {LIMB})");
    format!("printf('%013d%013d%013d', {high} + {carried} / {LIMB}, {carried} % {LIMB}, {low} % {LIMB})")
}

/// A text of digits that a sum has come to; none when there are more than can be counted.
fn counted(digits: &str) -> Option<u128> {
    digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What was added up of some meters. Texts of digits are as [`sum`] makes them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the tables")]
pub struct TallyRecord {
    #[serde(default)]
    pub agent: Option<String>,
    #[serde(default)]
    pub service: Option<String>,
    pub meters: u64,
    pub events: u64,
    pub used: String,
    pub open: String,
    pub pending: String,
    pub settled: String,
    pub paid: String,
    pub written_off: String,
    pub last_at: Option<UnixMillis>,
    pub version: u64,
    pub as_of: Option<UnixMillis>,
}

impl TallyRecord {
    /// As it is shown; none when it has come to more than can be counted.
    pub fn shown(self) -> Option<TallyRow> {
        let quantity = |digits: &str| counted(digits).map(|number| Quantity(number).to_string());
        let tally = Tally {
            meters: self.meters,
            events: self.events,
            quantity: quantity(&self.used)?,
            total: quantity(&self.open)?,
            pending: quantity(&self.pending)?,
            settled: quantity(&self.settled)?,
            paid: counted(&self.paid).map(|paid| BaseUnits(paid).to_string())?,
            written_off: quantity(&self.written_off)?,
            last_at: self.last_at.map(UnixMillis::to_rfc3339),
            version: self.version,
        };
        Some(TallyRow { agent: self.agent, service_id: self.service, tally })
    }
}

/// Usage of one bucket.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the tables")]
pub struct BucketRecord {
    pub start: UnixMillis,
    pub events: u64,
    pub quantity: String,
    pub taken: String,
    pub version: u64,
    pub as_of: Option<UnixMillis>,
}

/// A bucket as it is shown; none when it has come to more than can be counted.
pub fn bucket(record: &BucketRecord, size: Size) -> Option<Bucket> {
    let quantity = |digits: &str| counted(digits).map(|number| Quantity(number).to_string());
    Some(Bucket {
        from: record.start.to_rfc3339(),
        to: record.start.plus(size.span()).to_rfc3339(),
        quantity: quantity(&record.quantity)?,
        reversed: quantity(&record.taken)?,
        events: record.events,
        version: record.version,
    })
}

/// The cursor that goes on after a name.
pub fn name_cursor(name: &str) -> String {
    BASE64URL_NOPAD.encode(name.as_bytes())
}

/// How often something has happened.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the tables")]
pub struct Count {
    pub kind: String,
    pub count: u64,
    pub first_at: UnixMillis,
    pub last_at: UnixMillis,
    pub as_of: UnixMillis,
}

/// The audit log, summed up.
pub fn summary_answer(counts: &[Count]) -> AuditSummary {
    let shown = |at: Option<UnixMillis>| at.map(UnixMillis::to_rfc3339);
    let by_type: BTreeMap<String, u64> =
        counts.iter().map(|count| (count.kind.clone(), count.count)).collect();
    AuditSummary {
        total: counts.iter().fold(0, |sum, count| sum.saturating_add(count.count)),
        by_type,
        first_at: shown(counts.iter().map(|count| count.first_at).min()),
        last_at: shown(counts.iter().map(|count| count.last_at).max()),
        as_of: shown(counts.iter().map(|count| count.as_of).max()),
    }
}
