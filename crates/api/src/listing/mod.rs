//! Lists of mandates, requests and activity: what a reader asks for, what lies in the tables that answer, and activity as
//! a file for a spreadsheet. [`metering`] has the lists of usage, bills and audit events.
//!
//! Every list here is newest first. Its order is that of a [`Place`], a moment and a name, and the place of a page's last row
//! is where the next page goes on. What is read here decides nothing: the tables follow the mandates' objects.

mod csv;
pub mod metering;
mod place;
mod query;
mod request;
mod row;

pub use csv::{Csv, Extent, Record};
pub use place::{Page, Place};
pub use request::{
    Activity, Approvals, Format, Mandates, Payments, Requests, Standing, activity, agent_mandates, approvals,
    entries, mandates, payments, requests,
};
pub use row::{ActivityRow, MandateRow, Moments, Projection, RequestRow, party};
