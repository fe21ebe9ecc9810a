//! What a reader asks for.

use primitives::{AgentName, Millis, ServiceName, UnixMillis};
use serde::Deserialize;
use tenant::EventType;

use crate::listing::place::{Names, Page, Place};
use crate::listing::query::Query;
use crate::problem::Problem;
use crate::wire::metering::SettlementStatus;

/// Buckets in one answer: six weeks of hours, and more than two years of days.
const BUCKETS_MAX: u64 = 1_000;
const HOUR: Millis = Millis::from_minutes(60);
const DAY: Millis = Millis::from_minutes(24 * 60);
/// How many buckets are shown, if nobody says.
const BUCKETS_DEFAULT: u64 = 30;

/// A page of a list in the order of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<N> {
    /// At most this many rows.
    pub limit: u32,
    /// Those whose names follow this one.
    pub after: Option<N>,
}

/// A place in a list of pairs: an agent and a service.
pub type PairPlace = (AgentName, ServiceName);

/// Reads a page of a list of agents or services: `limit` and `cursor`.
///
/// # Errors
/// 400 with every fault, here and in the other functions: nonsense is not ignored, and neither is an unknown name.
pub fn named<'a, N: core::str::FromStr>(
    pairs: impl Iterator<Item = (&'a str, String)>,
) -> Result<Named<N>, Problem> {
    let mut query = Query::new(pairs);
    let read = Named { limit: query.limit(), after: query.after(|text| text.parse().ok()) };
    query.finish(read)
}

/// By what a top list is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Agents.
    Agent,
    /// Services.
    Service,
}

/// A top list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Top {
    /// Of what.
    pub by: By,
    /// Its length.
    pub limit: u32,
}

/// Reads how long a service's top list is: `limit`.
///
/// # Errors
/// See [`named`].
pub fn top<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Top, Problem> {
    let mut query = Query::new(pairs);
    let read = Top { by: By::Agent, limit: query.limit() };
    query.finish(read)
}

/// Reads which top list is wanted: `by`, and `limit`.
///
/// # Errors
/// See [`named`].
pub fn usage_top<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Top, Problem> {
    let mut query = Query::new(pairs);
    let read = Top { by: query.word("by").unwrap_or(By::Agent), limit: query.limit() };
    query.finish(read)
}

/// The size of buckets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// Of an hour.
    #[default]
    Hour,
    /// Of a day of UTC.
    Day,
}

impl Size {
    /// How long.
    pub const fn span(self) -> Millis {
        match self {
            Self::Hour => HOUR,
            Self::Day => DAY,
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }

    /// The first moment of the bucket in which a moment lies.
    pub fn floor(self, at: UnixMillis) -> UnixMillis {
        at.minus(Millis(at.0.checked_rem(self.span().0).unwrap_or_default()))
    }
}

/// Usage over time: `GET /v1/usage/buckets`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buckets {
    /// Only of this agent.
    pub agent: Option<AgentName>,
    /// Only of this service.
    pub service: Option<ServiceName>,
    /// How long each is.
    pub size: Size,
    /// The first moment of the first one.
    pub from: UnixMillis,
    /// Before this moment the last one begins.
    pub to: UnixMillis,
}

/// Reads which buckets are wanted: `agent`, `serviceId`, `size`, and `from` and `to`, between which each begins. `now` is the
/// end, if nobody says.
///
/// # Errors
/// See [`named`].
pub fn buckets<'a>(
    pairs: impl Iterator<Item = (&'a str, String)>,
    now: UnixMillis,
) -> Result<Buckets, Problem> {
    let mut query = Query::new(pairs);
    let (agent, service) = (query.parsed("agent"), query.parsed("serviceId"));
    let size = query.word::<Size>("size").unwrap_or_default();
    let (from, to) = (query.moment("from"), query.moment("to").unwrap_or(now.plus(Millis(1))));
    let lengths = |count: u64| Millis(size.span().0.saturating_mul(count));
    let from = size.floor(from.unwrap_or_else(|| to.minus(lengths(BUCKETS_DEFAULT))));
    if to <= from {
        query.faults.add("to", "must be after `from`");
    }
    if to.since(from) > lengths(BUCKETS_MAX) {
        let message =
            format!("must be at most {BUCKETS_MAX} buckets before `to`; ask for days, or for a shorter span");
        query.faults.add("from", message);
    }
    query.finish(Buckets { agent, service, size, from, to })
}

/// Settlements: `GET /v1/settlements`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlements {
    /// Which page.
    pub page: Page,
    /// Only of this agent.
    pub agent: Option<AgentName>,
    /// Only of this service.
    pub service: Option<ServiceName>,
    /// Only those that stand so.
    pub status: Option<SettlementStatus>,
}

/// Reads which settlements are wanted.
///
/// # Errors
/// See [`named`].
pub fn settlements<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Settlements, Problem> {
    let mut query = Query::new(pairs);
    let read = Settlements {
        page: query.page(Names::Settlement),
        agent: query.parsed("agent"),
        service: query.parsed("serviceId"),
        status: query.word("status"),
    };
    query.finish(read)
}

/// A span of time, `[since, until)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Nothing before this moment.
    pub since: UnixMillis,
    /// Nothing from this moment on.
    pub until: Option<UnixMillis>,
}

fn span(query: &mut Query<'_>) -> Span {
    let (since, until) = (query.moment("since").unwrap_or(UnixMillis(0)), query.moment("until"));
    if until.is_some_and(|until| until <= since) {
        query.faults.add("until", "must be after `since`");
    }
    Span { since, until }
}

/// Lines of the audit log: `GET /v1/events`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// Which page. With an end of the span, the list begins there.
    pub page: Page,
    /// Nothing before this moment.
    pub since: UnixMillis,
    /// Only of this type, or of types that begin so, if it ends with `*`.
    pub kind: Option<EventType>,
    /// Only of this agent.
    pub agent: Option<AgentName>,
    /// Only of this service.
    pub service: Option<ServiceName>,
}

/// Reads which lines of the audit log are wanted.
///
/// # Errors
/// See [`named`].
pub fn audit<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Audit, Problem> {
    let mut query = Query::new(pairs);
    let Page { limit, after } = query.page(Names::Audit);
    let Span { since, until } = span(&mut query);
    // The end of the span is a place before which the list has nothing to show.
    let end = until.map(|at| Place { at, id: String::new() });
    let read = Audit {
        page: Page { limit, after: after.into_iter().chain(end).min() },
        since,
        kind: query.parsed("type"),
        agent: query.parsed("agent"),
        service: query.parsed("serviceId"),
    };
    query.finish(read)
}

/// Reads of which span the audit log is to be summed up.
///
/// # Errors
/// See [`named`].
pub fn summary<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Span, Problem> {
    let mut query = Query::new(pairs);
    let read = span(&mut query);
    query.finish(read)
}

/// Usage as a file: `GET /v1/usage/export.json` and `.csv`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// Only of this agent.
    pub agent: Option<AgentName>,
    /// Only of this service.
    pub service: Option<ServiceName>,
    /// Pairs that follow this one.
    pub after: Option<PairPlace>,
}

/// Reads what is to be exported.
///
/// # Errors
/// See [`named`].
pub fn export<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Export, Problem> {
    let mut query = Query::new(pairs);
    let after = query.after(|text| {
        let (agent, service) = text.split_once('/')?;
        agent.parse().ok().zip(service.parse().ok())
    });
    let read = Export { agent: query.parsed("agent"), service: query.parsed("serviceId"), after };
    query.finish(read)
}

/// Reads of which agent the total is wanted, or of all: `GET /v1/billing/total`.
///
/// # Errors
/// See [`named`].
pub fn total<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<Option<AgentName>, Problem> {
    let mut query = Query::new(pairs);
    let read = query.parsed("agent");
    query.finish(read)
}

/// Sees to it that a query asks for nothing.
///
/// # Errors
/// See [`named`].
pub fn nothing<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> Result<(), Problem> {
    Query::new(pairs).finish(())
}
