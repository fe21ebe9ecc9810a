//! Lists of usage, settlements and audit events: what a reader asks for, and what lies in the tables that answer.
//!
//! The tables follow the meters and decide nothing. Each row has the version of its object; a list says `asOf`, when the
//! newest of what it shows was written.

mod events;
mod request;
mod row;
mod tally;

pub use events::{MeterEvents, meter_events};
pub use request::{
    Audit, Buckets, By, Export, Named, PairPlace, Settlements, Size, Span, Top, audit, buckets, export,
    named, nothing, settlements, summary, top, total, usage_top,
};
pub use row::{AuditRow, HourRow, MeterRow, Projection, SettlementRow, hour_of};
pub use tally::{BucketRecord, Count, TallyRecord, bucket, name_cursor, sum, summary_answer};
