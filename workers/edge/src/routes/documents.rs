//! What the product publishes about itself, and how it is.

use std::collections::BTreeMap;

use api::document::{CONTRACT_VERSION, OPENAPI_JSON, PaymentTermsView, agent_card as card, llms_txt};
use api::wire::HealthAnswer;
use shell::now;

use crate::config::config;
use crate::halt;
use crate::ports::{board, objects};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// `GET /` and `GET /.well-known/agent-card.json`.
pub async fn agent_card(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    if incoming.header("accept").unwrap_or_default().contains("text/markdown") {
        let location = format!("{}/.well-known/llms.txt", incoming.origin);
        return Ok(Outgoing::text(307, "text/plain", String::new()).with("location", location));
    }
    let config = config(&incoming.env)?;
    // A card is still a card when the board cannot be counted.
    let active = board::count(&incoming.env).await.unwrap_or(0);
    let card = card(&incoming.origin, active, &PaymentTermsView::of(&config.posting));
    Ok(Outgoing::json(200, &card)?.with("cache-control", "public, max-age=60"))
}

/// `GET /.well-known/llms.txt` and `GET /v1/system/docs`.
pub fn llms(incoming: &Incoming) -> Outgoing {
    Outgoing::text(200, "text/plain; charset=utf-8", llms_txt(&incoming.origin))
        .with("cache-control", "public, max-age=300")
}

/// `GET /v1/openapi.json`.
pub fn openapi() -> Outgoing {
    Outgoing::text(200, "application/json", OPENAPI_JSON.to_owned())
        .with("cache-control", "public, max-age=300")
}

/// `GET /health`.
pub async fn health(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let (facilitator, configured) = match config(&incoming.env) {
        Ok(config) => (config.facilitator.mode().to_owned(), true),
        Err(failure) => (format!("not configured: {failure}"), false),
    };
    let board_is_ready = board::count(&incoming.env).await.is_ok();
    let ready = configured && board_is_ready;
    let word = |good: bool| if good { "ready" } else { "failed" }.to_owned();
    let checks = BTreeMap::from([
        ("d1".to_owned(), word(board_is_ready)),
        ("lifecycle_coordinator".to_owned(), "configured".to_owned()),
        ("facilitator".to_owned(), facilitator),
        ("observability".to_owned(), "enabled".to_owned()),
    ]);
    let answer = HealthAnswer {
        service: "guildhall".to_owned(),
        version: CONTRACT_VERSION.to_owned(),
        status: if ready { "ready" } else { "not_ready" }.to_owned(),
        checks,
        timestamp: now().to_rfc3339(),
    };
    Ok(Outgoing::json(if ready { 200 } else { 503 }, &answer)?.with("cache-control", "no-store"))
}

/// `POST /__test/panic/{gig}`: a panic inside a gig's object; `POST /__test/panic`: one in this Worker;
/// `POST /__test/halt/{step}`: the next purchase stops there.
pub async fn test_hook(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    if let Some(step) = incoming.path.strip_prefix("/__test/halt/") {
        let status = if halt::ask_for(step) { 204 } else { 404 };
        return Ok(Outgoing::text(status, "text/plain", String::new()));
    }
    match incoming.path.strip_prefix("/__test/panic") {
        Some("") => panic_on_request(),
        Some(gig) => {
            let stub = runtime::object(&incoming.env, objects::GIG, gig.trim_start_matches('/'))?;
            Ok(Outgoing::text(200, "text/plain", stub.send("panic", "").await?))
        }
        None => Ok(Outgoing::text(404, "text/plain", String::new())),
    }
}

#[expect(
    clippy::panic,
    reason = "a test wants to see what a panic does; only reachable in development with hooks on"
)]
fn panic_on_request() -> Result<Outgoing, Rejection> {
    panic!("a panic that a test asked for")
}
