//! Streams of runs, and the sockets of executors: what arrives is handed on to the object, of secrets only digests.

use api::binding::run::RunCaller;
use api::inbound::run::{self as inbound, From};
use api::outbound::run as outbound;
use api::problem::Problem;
use primitives::{RunId, SecretKind};
use shell::Failure;

use super::super::gig::upgrade_required;
use super::super::mandates::named;
use super::executors::who;
use super::token;
use crate::config::config;
use crate::ports::runs::{EXECUTOR, RUN};
use crate::rejection::Rejection;
use crate::request::Incoming;

/// `GET /v1/runs/{run}/events` as a stream, and `GET /v1/runs/{run}/socket`.
pub async fn stream(
    incoming: &Incoming,
    run: &RunId,
    is_socket: bool,
) -> Result<web_sys::Response, Rejection> {
    config(&incoming.env)?;
    if is_socket {
        upgraded(incoming)?;
    }
    let last = incoming.header("last-event-id");
    let watching = inbound::watching(named(&incoming.pairs()), last.as_deref())?;
    let by = match watching.ticket {
        Some(ticket) => RunCaller::Ticket(ticket),
        None => RunCaller::Token(token(incoming, SecretKind::Run)?),
    };
    let by = serde_json::to_string(&by)?;
    let after = match watching.from {
        From::After(seq) => seq.to_string(),
        From::Nowhere => "nowhere".to_owned(),
    };
    let mut headers = vec![("x-guildhall-caller", by.as_str()), ("x-guildhall-after", after.as_str())];
    let protocol =
        inbound::offers(incoming.header("sec-websocket-protocol").as_deref(), outbound::RUN_PROTOCOL);
    if is_socket {
        headers.push(("upgrade", "websocket"));
        headers.extend(protocol.map(|protocol| ("x-guildhall-protocol", protocol)));
    }
    let init = runtime::init("GET", &headers, None)?;
    let object = runtime::object(&incoming.env, RUN, run.as_str())?;
    opened(object.get("https://object/stream", &init).await?).await
}

/// `GET /v1/executors/me/socket`.
pub async fn executor_socket(incoming: &Incoming) -> Result<web_sys::Response, Rejection> {
    config(&incoming.env)?;
    upgraded(incoming)?;
    let (id, name, digest) = match inbound::socket(named(&incoming.pairs()))? {
        Some((executor, ticket)) => (executor, "x-guildhall-ticket", ticket),
        None => {
            let (id, token) = who(incoming)?;
            (id, "x-guildhall-token", token)
        }
    };
    let digest = serde_json::to_string(&digest)?;
    let protocol =
        inbound::offers(incoming.header("sec-websocket-protocol").as_deref(), outbound::EXECUTOR_PROTOCOL);
    let mut headers = vec![("upgrade", "websocket"), (name, digest.as_str())];
    headers.extend(protocol.map(|protocol| ("x-guildhall-protocol", protocol)));
    let init = runtime::init("GET", &headers, None)?;
    let response =
        runtime::object(&incoming.env, EXECUTOR, id.as_str())?.get("https://object/socket", &init).await?;
    match response.status() {
        101 => Ok(response),
        401 => Err(outbound::ticket_used().into()),
        status => Err(Failure::Runtime(format!("the executor answered {status}")).into()),
    }
}

/// Whether a request for events is one for a stream: it says so, or it comes with a ticket, as only streams do.
pub fn wants_stream(incoming: &Incoming) -> bool {
    let accept = incoming.header("accept").unwrap_or_default();
    accept.contains("text/event-stream") || incoming.pairs().iter().any(|(name, _)| name == "ticket")
}

fn upgraded(incoming: &Incoming) -> Result<(), Rejection> {
    let upgrade = incoming.header("upgrade").unwrap_or_default();
    if upgrade.eq_ignore_ascii_case("websocket") { Ok(()) } else { Err(upgrade_required()) }
}

/// A stream, or the problem for which there is none.
async fn opened(response: web_sys::Response) -> Result<web_sys::Response, Rejection> {
    match response.status() {
        101 | 200 | 204 => Ok(response),
        400 => {
            let problem: Problem = serde_json::from_str(&runtime::text(&response).await?)?;
            Err(problem.into())
        }
        status => Err(Failure::Runtime(format!("the run answered {status}")).into()),
    }
}
