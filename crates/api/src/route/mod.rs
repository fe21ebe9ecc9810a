//! What a method and a path ask for. Paths are matched as they are written: no decoding, no folding of slashes or
//! case, so that no other spelling of a paid path exists.

mod metering;
mod run;
mod table;
#[cfg(test)]
mod tests;

use alloy_primitives::{Address, B256};
use matchit::Params;
use primitives::GigId;

use crate::inbound::mandate::Verb;

pub use metering::{
    AggregateRoute, BillingRoute, MeteringRoute, OperationRoute, PaymentRoute, ReservationRoute,
    ServiceRoute, TenantRoute, UsageRoute, WebhookRoute,
};
pub use run::{ExecutorRoute, RunRoute};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// `POST /v1/gigs/create`, paid.
    CreateGig,
    /// `POST /v1/gigs/claim`.
    ClaimGig,
    /// `GET /v1/gigs/discover`.
    DiscoverGigs,
    /// `GET /v1/gigs/{id}/status`.
    GigStatus(GigId),
    /// `POST /v1/gigs/{id}/lifecycle`.
    GigLifecycle(GigId),
    /// `POST /v1/gigs/{id}/reconnect`.
    GigReconnect(GigId),
    /// `POST /v1/gigs/{id}/ticket`.
    GigTicket(GigId),
    /// `GET /v1/gigs/{id}/tunnel`.
    GigTunnel(GigId),
    /// `GET /v1/gigs/{id}/journal`.
    GigJournal(GigId),
    /// `POST /v1/auth/nonce`.
    SignInNonce,
    /// `POST /v1/auth/verify`.
    SignIn,
    /// `GET /v1/auth/session`.
    Session,
    /// `POST /v1/auth/logout`.
    SignOut,
    /// One mandate, its payments, or an owner's lists of them.
    Mandate(MandateRoute),
    /// What an owner keeps for itself.
    Account(AccountRoute),
    /// One purchase run.
    Run(RunRoute),
    /// A browser executor.
    Executor(ExecutorRoute),
    /// Usage, what it costs, and whoever meters it.
    Metering(MeteringRoute),
    /// `GET /v1/chain/balances`.
    Balances,
    /// `GET /v1/demo`.
    Demo,
    /// `POST /mcp`.
    Mcp,
    /// `GET /` and `GET /.well-known/agent-card.json`.
    AgentCard,
    /// `GET /.well-known/llms.txt` and `GET /v1/system/docs`.
    Llms,
    /// `GET /v1/openapi.json`.
    OpenApi,
    /// `GET /health` and `GET /healthz`.
    Health,
    /// `POST /__test/{hook}`, in development with hooks enabled.
    TestHook,
}

/// What is asked of mandates. Mandates and payments are named by 32 bytes; a reference is a payment's name or the id that
/// its agent gave the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the path")]
pub enum MandateRoute {
    /// `GET /v1/status`.
    Status,
    /// `POST /v1/mandates`.
    Create,
    /// `POST /v1/mandates/adopt`.
    Adopt,
    /// `GET /v1/mandates`.
    List,
    /// `GET /v1/mandates/{mandate}`.
    Show { mandate: B256 },
    /// `GET /v1/mandates/{mandate}/entries`.
    Entries { mandate: B256 },
    /// `GET /v1/mandates/{mandate}/budget`.
    Budget { mandate: B256 },
    /// `POST /v1/mandates/{mandate}/{change}`.
    Change { mandate: B256, change: Change },
    /// `POST /v1/mandates/{mandate}/evaluate`.
    Evaluate { mandate: B256 },
    /// `POST /v1/mandates/{mandate}/requests`.
    Request { mandate: B256 },
    /// `GET /v1/mandates/{mandate}/requests`.
    Requests { mandate: B256 },
    /// `GET /v1/mandates/{mandate}/requests/{reference}`.
    Payment { mandate: B256, reference: B256 },
    /// `POST /v1/mandates/{mandate}/requests/{reference}/{verb}`.
    Act { mandate: B256, reference: B256, verb: Verb },
    /// `GET /v1/approvals`.
    Approvals,
    /// `GET /v1/approvals/{reference}`.
    Approval { reference: B256 },
    /// `POST /v1/approvals/{reference}/decide`.
    Decide { reference: B256 },
    /// `GET /v1/payments`.
    Payments,
    /// `GET /v1/payments/{reference}`.
    FindPayment { reference: B256 },
    /// `GET /v1/activity`.
    Activity,
    /// `GET /v1/agent/mandates`.
    OfAgent,
    /// `POST /v1/agent/evaluate`.
    AgentEvaluate,
    /// `POST /v1/agent/payments` and `POST /v1/agent/approvals`.
    AgentRequest,
    /// `GET /v1/agent/approvals/{reference}`.
    AgentApproval { reference: B256 },
    /// `POST /v1/agent/payments/record`.
    Record,
}

/// What can change of a mandate as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "as in the path")]
pub enum Change {
    Fund,
    Withdraw,
    Pause,
    Unpause,
    Revoke,
    Renounce,
    Amend,
    ApplyAmendment,
    CancelAmendment,
}

/// What is asked of an owner's private things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the parts of the path")]
pub enum AccountRoute {
    /// `GET /v1/agents`.
    Agents,
    /// `POST /v1/agents`.
    NameAgent,
    /// `DELETE /v1/agents/{agent}`.
    ForgetAgent { agent: Address },
    /// `GET /v1/drafts`.
    Drafts,
    /// `POST /v1/drafts`.
    CreateDraft,
    /// `PATCH /v1/drafts/{draft}`; the draft is the path's last part.
    ChangeDraft,
    /// `DELETE /v1/drafts/{draft}`; the draft is the path's last part.
    DiscardDraft,
}

/// Whose pages in a browser may read an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Those of any origin.
    Anyone,
    /// Our own alone: the answer depends on a cookie, or on a key that belongs on a server.
    SameOrigin,
}

/// Why nothing is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRoute {
    /// No such path.
    NotFound,
    /// The path takes other methods.
    MethodNotAllowed {
        /// For the `Allow` header.
        allow: String,
    },
}

/// A route and where it stands in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What is asked for.
    pub route: Route,
    /// The pattern of its path, for the log.
    pub pattern: &'static str,
}

/// What a path's parts say.
struct Parts<'a>(Params<'a, 'a>);

/// Finds what `method` on `path` asks for. `HEAD` is a `GET` whose body is dropped.
///
/// # Errors
/// [`NoRoute`], for 404 and 405.
pub fn route(method: &str, path: &str) -> Result<Found, NoRoute> {
    let (entry, parts) = table::find(path).ok_or(NoRoute::NotFound)?;
    let wanted = if method == "HEAD" { "GET" } else { method };
    let mut made = entry.methods.iter().map(|(method, make)| (*method, make(&parts)));
    let found = made.clone().find(|(method, _)| *method == wanted);
    if made.all(|(_, route)| route.is_none()) {
        return Err(NoRoute::NotFound);
    }
    match found {
        Some((_, Some(route))) => Ok(Found { route, pattern: entry.pattern }),
        Some((_, None)) => Err(NoRoute::NotFound),
        None => {
            let methods = entry.methods.iter().map(|(method, _)| match *method {
                "GET" => "GET, HEAD",
                other => other,
            });
            Err(NoRoute::MethodNotAllowed { allow: methods.collect::<Vec<_>>().join(", ") })
        }
    }
}

/// Whose pages may read what is answered on `path`, refusals included.
pub fn readers(path: &str) -> Readers {
    table::find(path).map_or(Readers::Anyone, |(entry, _)| entry.readers)
}

/// Every path with the methods that it takes.
#[cfg(all(test, feature = "schema"))]
pub(crate) fn paths() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    table::entries().map(|entry| (entry.pattern, entry.methods.iter().map(|(method, _)| *method).collect()))
}
