//! What a reader of a list asks for.

use mandate::life::{Ending, Kind};
use primitives::UnixMillis;
use serde::Deserialize;

use super::place::{Names, Page, Place};
use super::query::{Query, word};
use crate::problem::Problem;
use crate::wire::{MandateStatus, Progress};

/// An owner's mandates: `GET /v1/mandates`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mandates {
    /// Which page.
    pub page: Page,
    /// Only those that stand so.
    pub status: Option<MandateStatus>,
}

/// The requests of one mandate: `GET /v1/mandates/{id}/requests`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requests {
    /// Which page.
    pub page: Page,
    /// Only those that stand so.
    pub progress: Option<Progress>,
}

/// An owner's payments: `GET /v1/payments`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payments {
    /// Which page.
    pub page: Page,
    /// Only those of this mandate.
    pub mandate: Option<String>,
    /// Only those that stand so.
    pub progress: Option<Progress>,
}

/// What needs or needed an owner's word: `GET /v1/approvals`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approvals {
    /// Which page.
    pub page: Page,
    /// How far the owner's word has come.
    pub standing: Standing,
}

/// How far an owner's word on a request has come. A request that was authorized is a payment, and no approval any more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The owner has not spoken.
    #[default]
    Waiting,
    /// Yes, and the agent has yet to submit it.
    Approved,
    /// No.
    Rejected,
    /// The wait ran out.
    Expired,
    /// Any of these.
    All,
}

impl Standing {
    /// Where such requests stand; none for any of them.
    pub const fn progress(self) -> Option<Progress> {
        match self {
            Self::Waiting => Some(Progress::AwaitingApproval),
            Self::Approved => Some(Progress::Approved),
            Self::Rejected => Some(Progress::Rejected),
            Self::Expired => Some(Progress::Expired),
            Self::All => None,
        }
    }
}

/// What happened under an owner's mandates: `GET /v1/activity`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activity {
    /// Which page. With an end of the span, the list begins there.
    pub page: Page,
    /// Nothing before this moment.
    pub from: UnixMillis,
    /// Only this was done.
    pub kind: Option<Kind>,
    /// Only this came of it.
    pub result: Option<String>,
    /// Only under this mandate.
    pub mandate: Option<String>,
    /// As what it is sent.
    pub format: Format,
}

impl Activity {
    /// Whether some lines of the span are left out, so that a page may have to look past many to fill itself.
    pub fn is_filtered(&self) -> bool {
        self.kind.is_some() || self.result.is_some()
    }
}

/// As what a list is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// A page as JSON.
    #[default]
    Json,
    /// All of it as a file for a spreadsheet (RFC 4180), up to [`crate::limits::EXPORT_MAX`] lines.
    Csv,
}

/// Reads the query of an owner's mandates.
///
/// # Errors
/// 400 with every fault, here and in the other functions: nonsense is not ignored, and neither is an unknown name.
pub fn mandates<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Mandates, Problem> {
    let mut query = Query::new(pairs);
    let read = Mandates { page: query.page(Names::Hash), status: query.word("status") };
    query.finish(read)
}

/// Reads the query of an agent's mandates: `GET /v1/agent/mandates`.
///
/// # Errors
/// See [`mandates`].
pub fn agent_mandates<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Page, Problem> {
    let mut query = Query::new(pairs);
    let read = query.page(Names::Hash);
    query.finish(read)
}

/// Reads the query of a mandate's entries: from which on, counted from zero, and at most how many.
///
/// # Errors
/// See [`mandates`].
pub fn entries<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<(u32, u32), Problem> {
    let mut query = Query::new(pairs);
    let read = (query.from(), query.limit());
    query.finish(read)
}

/// Reads the query of a mandate's requests.
///
/// # Errors
/// See [`mandates`].
pub fn requests<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Requests, Problem> {
    let mut query = Query::new(pairs);
    let read = Requests { page: query.page(Names::Hash), progress: query.word("progress") };
    query.finish(read)
}

/// Reads the query of an owner's payments.
///
/// # Errors
/// See [`mandates`].
pub fn payments<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Payments, Problem> {
    let mut query = Query::new(pairs);
    let read = Payments {
        page: query.page(Names::Hash),
        mandate: query.hash("mandate"),
        progress: query.word("progress"),
    };
    query.finish(read)
}

/// Reads the query of what needs or needed an owner's word; what waits, if it names nothing.
///
/// # Errors
/// See [`mandates`].
pub fn approvals<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Approvals, Problem> {
    let mut query = Query::new(pairs);
    let read =
        Approvals { page: query.page(Names::Hash), standing: query.word("status").unwrap_or_default() };
    query.finish(read)
}

/// Reads the query of an owner's activity. The span is `[from, to)`.
///
/// # Errors
/// See [`mandates`].
pub fn activity<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Activity, Problem> {
    let mut query = Query::new(pairs);
    let format = query.word("format").unwrap_or_default();
    if format == Format::Csv && query.text("limit").is_some() {
        let message = format!("does not go with csv, which has up to {} lines", crate::limits::EXPORT_MAX);
        query.faults.add("limit", message);
    }
    let Page { limit, after } = query.page(Names::Line);
    let (from, to) = (query.moment("from").unwrap_or(UnixMillis(0)), query.moment("to"));
    if to.is_some_and(|to| to <= from) {
        query.faults.add("to", "must be after `from`");
    }
    // The end of the span is a place before which the list has nothing to show.
    let end = to.map(|at| Place { at, id: String::new() });
    let read = Activity {
        page: Page { limit, after: after.into_iter().chain(end).min() },
        from,
        kind: query.word("kind"),
        result: result(&mut query),
        mandate: query.hash("mandate"),
        format,
    };
    query.finish(read)
}

/// What came of something, in the words of the log.
fn result(query: &mut Query<'_>) -> Option<String> {
    let text = query.text("result")?;
    let is_known = matches!(text.as_str(), "done" | "scheduled" | "reserved" | "undone")
        || word::<Progress>(&text).is_ok()
        || word::<Ending>(&text).is_ok();
    if !is_known {
        let message = "must be where a payment stands (such as settled), how a reservation ended (committed, released, \
                       expired), done, scheduled, reserved or undone";
        query.faults.add("result", message);
    }
    Some(text)
}
