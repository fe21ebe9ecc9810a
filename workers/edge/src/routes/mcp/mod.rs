//! `POST /mcp`: the board, mandates and purchase runs, for agents that speak the Model Context Protocol.

mod mandates;
mod runs;

use api::document::mandate_tools::{EVALUATE_PAYMENT, GET_MANDATE_BUDGET, GET_PAYMENT, REQUEST_PAYMENT};
use api::document::mcp_server::{GET_ACTIVE_GIGS, GET_GIG_STATUS, MANIFEST_URI, OPENAPI_URI};
use api::document::run_tools::{CANCEL_RUN, CONFIRM_RUN, GET_RUN, START_RUN};
use api::document::{OPENAPI_JSON, manifest, server};
use api::inbound;
use api::problem::Problem;
use mcp::{Dispatch, NotFound, ToolContent, ToolOutcome};
use primitives::GigId;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};
use shell::Failure;

use crate::ports::{board, objects};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// Answers one request.
pub async fn mcp(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    same_site(incoming)?;
    let body = incoming.text().await?;
    let header = |name: &str| incoming.header(name);
    let (version, method, name) = (header("mcp-protocol-version"), header("mcp-method"), header("mcp-name"));
    let request = ::mcp::Request {
        protocol_version: version.as_deref(),
        mcp_method: method.as_deref(),
        mcp_name: name.as_deref(),
        body,
    };
    let answer = match ::mcp::dispatch(&request, server()) {
        Dispatch::Answer(answer) => answer,
        Dispatch::Call(call) => {
            let outcome = match call.name {
                GET_ACTIVE_GIGS => active_gigs(incoming, &call.arguments).await,
                GET_GIG_STATUS => gig_status(incoming, &call.arguments).await,
                GET_MANDATE_BUDGET => mandates::budget(incoming, &call.arguments).await,
                EVALUATE_PAYMENT => mandates::evaluate(incoming, &call.arguments).await,
                REQUEST_PAYMENT => mandates::request_payment(incoming, &call).await,
                GET_PAYMENT => mandates::look(incoming, &call.arguments).await,
                START_RUN => runs::start(incoming, &call.arguments).await,
                GET_RUN => runs::look(incoming, &call.arguments).await,
                CONFIRM_RUN => runs::confirm(incoming, &call.arguments).await,
                CANCEL_RUN => runs::cancel(incoming, &call.arguments).await,
                _ => Err(Failure::Runtime("a tool that is listed and not served".to_owned()).into()),
            };
            ::mcp::finish_call(&call, &outcome.unwrap_or_else(failed))
        }
        Dispatch::Read(read) => {
            let manifest = manifest().to_string();
            let text = match read.uri {
                OPENAPI_URI => Ok(OPENAPI_JSON),
                MANIFEST_URI => Ok(manifest.as_str()),
                _ => Err(NotFound),
            };
            ::mcp::finish_read(&read, text)
        }
    };
    Ok(Outgoing::text(answer.status, "application/json", answer.body.unwrap_or_default()))
}

/// A deployment answers over https, and any page may ask there what anyone may read. Plain http is a developer's own
/// machine: there, neither a page of another site nor a name that was made to point at this machine may reach in (MCP
/// 2025-11-25, transports, security warning).
fn same_site(incoming: &Incoming) -> Result<(), Rejection> {
    let origin = incoming.header("origin");
    let is_https = incoming.origin.starts_with("https://");
    if is_https || (is_loopback(&incoming.origin) && origin.is_none_or(|origin| is_loopback(&origin))) {
        return Ok(());
    }
    let detail = "Over plain http this address answers localhost only, and no page of another site. Use https, or localhost.";
    Err(Problem::new(403, "origin_not_allowed", detail).into())
}

fn is_loopback(origin: &str) -> bool {
    let host = origin.split("://").nth(1).unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    matches!(host, "localhost" | "127.0.0.1" | "[::1]")
}

/// A no that the model can read and act on.
fn failed(rejection: Rejection) -> ToolOutcome {
    ToolOutcome::Failed(match rejection {
        Rejection::Problem(problem, _) => {
            let Problem { detail, code, retryable, errors, .. } = *problem;
            let places = errors.iter().map(|fault| format!("\n{}: {}", fault.field, fault.message));
            let text = format!("{detail}{}", places.collect::<String>());
            let structured = json!({ "code": code, "retryable": retryable, "errors": errors });
            ToolContent { text, structured: to_raw_value(&structured).ok() }
        }
        Rejection::Failure(failure) => {
            shell::log::failure("edge", "/mcp", "failed", &failure);
            ToolContent::text("This cannot be done just now. Call the tool again in a moment, as it was.")
        }
    })
}

/// What anyone may see, as it was written.
fn seen(json: String) -> Result<ToolOutcome, Rejection> {
    let structured = RawValue::from_string(json.clone())?;
    Ok(ToolOutcome::Succeeded(ToolContent { text: json, structured: Some(structured) }))
}

async fn active_gigs(incoming: &Incoming, arguments: &Map<String, Value>) -> Result<ToolOutcome, Rejection> {
    let pairs = inbound::arguments(arguments);
    let page = inbound::page(pairs.into_iter())?;
    let board::Listed { records, next, .. } = board::page(&incoming.env, &page).await?;
    let list = format!("[{records}]");
    let next = next.map_or_else(|| "null".to_owned(), |cursor| format!("\"{}\"", cursor.encode()));
    let structured = RawValue::from_string(format!("{{\"gigs\":{list},\"next_cursor\":{next}}}"))?;
    Ok(ToolOutcome::Succeeded(ToolContent { text: list, structured: Some(structured) }))
}

async fn gig_status(incoming: &Incoming, arguments: &Map<String, Value>) -> Result<ToolOutcome, Rejection> {
    let unknown = arguments.keys().find(|name| *name != "gig_id");
    let id = arguments.get("gig_id").and_then(Value::as_str).and_then(|text| text.parse::<GigId>().ok());
    let (Some(id), None) = (id, unknown) else {
        let detail = "This tool takes exactly one argument: gig_id, a UUID with hyphens.";
        return Err(Problem::new(400, "invalid_arguments", detail).into());
    };
    let view = objects::gig_view(&incoming.env, &id).await?;
    let view = view.ok_or_else(|| api::outbound::gig_refused(&gig::Refusal::UnknownGig))?;
    seen(serde_json::to_string(&view.status)?)
}
