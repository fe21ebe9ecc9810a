//! What lies in the tables. A record is the JSON that a reader gets, so that a page is put together without being read.

use primitives::UnixMillis;
use serde::{Deserialize, Serialize};
use serde_json::Error;

use super::place::line;
use crate::wire::{ActivityLine, ApprovalPart, Mandate, Payment};

/// What a mandate's object tells the tables after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Projection {
    /// The mandate as it is.
    pub mandate: MandateRow,
    /// The requests that have changed, as they are.
    pub requests: Vec<RequestRow>,
    /// The lines that have come, or have changed because their block left the chain.
    pub activity: Vec<ActivityRow>,
    /// The payments that are no more, because the block that told of them left the chain.
    #[serde(default)]
    pub gone: Vec<String>,
}

/// The text by which rows know an owner or an agent: the address in lower case.
pub fn party(address: &str) -> String {
    address.to_ascii_lowercase()
}

/// The moments of a mandate.
#[derive(Debug, Clone, Copy)]
pub struct Moments {
    /// When it was made.
    pub created_at: UnixMillis,
    /// When its policy ends.
    pub expires_at: UnixMillis,
    /// When time alone changes it next.
    pub deadline: Option<UnixMillis>,
    /// For when its sums are said. Readers of a later day or month see that day's or month's.
    pub as_of: UnixMillis,
}

/// A mandate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MandateRow {
    mandate_id: String,
    version: u64,
    owner: String,
    agent: String,
    status: String,
    created_at: UnixMillis,
    expires_at: UnixMillis,
    deadline: Option<UnixMillis>,
    as_of: UnixMillis,
    record: String,
    label: String,
}

impl MandateRow {
    /// The row of a mandate as its owner sees it.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn new(mandate: Mandate, moments: Moments) -> Result<Self, Error> {
        let label = mandate.label.unwrap_or_default();
        let public = Mandate { label: None, ..mandate };
        let Moments { created_at, expires_at, deadline, as_of } = moments;
        Ok(Self {
            record: serde_json::to_string(&public)?,
            version: public.version,
            owner: party(&public.owner),
            agent: party(&public.agent),
            status: name(&public.status)?,
            mandate_id: public.mandate,
            created_at,
            expires_at,
            deadline,
            as_of,
            label,
        })
    }
}

/// A request and what has become of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestRow {
    payment: String,
    version: u64,
    mandate_id: String,
    request_id: String,
    owner: String,
    agent: String,
    progress: String,
    requested_at: UnixMillis,
    record: String,
    private: String,
}

/// What of a payment is for its owner and its agent only. What is not there is left out: it is laid over the record.
#[derive(Serialize)]
struct Private {
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<ApprovalPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl RequestRow {
    /// The row of a payment as its owner sees it; `version` is the length of its mandate's journal.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn new(payment: Payment, version: u64, requested_at: UnixMillis) -> Result<Self, Error> {
        let mut public = payment;
        let private = Private { approval: public.approval.take(), note: public.note.take() };
        Ok(Self {
            record: serde_json::to_string(&public)?,
            private: serde_json::to_string(&private)?,
            progress: name(&public.progress)?,
            owner: party(&public.owner),
            agent: party(&public.agent),
            payment: public.payment,
            mandate_id: public.mandate,
            request_id: public.request_id,
            version,
            requested_at,
        })
    }
}

/// A line of a mandate's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityRow {
    mandate_id: String,
    at: UnixMillis,
    line: String,
    owner: String,
    kind: String,
    result: String,
    record: String,
}

impl ActivityRow {
    /// The row of the line `ordinal` of an event, under a mandate of `owner`.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn new(shown: ActivityLine, ordinal: u32, at: UnixMillis, owner: &str) -> Result<Self, Error> {
        Ok(Self {
            record: serde_json::to_string(&shown)?,
            line: line(&shown.mandate, shown.seq, ordinal),
            mandate_id: shown.mandate,
            kind: shown.kind,
            result: shown.result,
            owner: party(owner),
            at,
        })
    }
}

/// The word that a value is on the wire.
fn name(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_value(value).map(|word| word.as_str().unwrap_or_default().to_owned())
}
