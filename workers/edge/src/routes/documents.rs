//! What the product publishes about itself, and how it is.

use std::collections::BTreeMap;

use api::binding::Caller;
use api::document::{CONTRACT_VERSION, OPENAPI_JSON, PaymentTermsView, agent_card as card, llms_txt};
use api::wire::HealthAnswer;
use shell::{Failure, now};

use crate::config::config;
use crate::halt;
use crate::ports::{board, mandates, objects};
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
/// `POST /__test/halt/{step}`: the next purchase stops there; `POST /__test/clock/{millis}`: from now on the clock is that
/// far ahead; `POST /__test/mandate/{mandate}`: the body, a message of the product's own, goes to that mandate's object;
/// `POST /__test/mirror/{mandate}?{subject}`: the body, as from the chain's side, goes to that mirror.
pub async fn test_hook(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    if let Some(step) = incoming.path.strip_prefix("/__test/halt/") {
        let status = if halt::ask_for(step) { 204 } else { 404 };
        return Ok(Outgoing::text(status, "text/plain", String::new()));
    }
    if let Some(millis) = incoming.path.strip_prefix("/__test/clock/") {
        let ahead = millis.parse().ok().map(primitives::Millis);
        let status = if ahead.map(shell::go_ahead).is_some() { 204 } else { 404 };
        return Ok(Outgoing::text(status, "text/plain", String::new()));
    }
    if let Some(mandate) = incoming.path.strip_prefix("/__test/mandate/") {
        return ask_mandate(incoming, mandate).await;
    }
    if let Some(mandate) = incoming.path.strip_prefix("/__test/mirror/") {
        let mirror = runtime::object(&incoming.env, mandates::MIRROR, mandate)?;
        let heard = mirror.send(&incoming.query, incoming.text().await?).await?;
        return Ok(Outgoing::text(200, "application/json", heard));
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

/// As another part of the product asks, for which there is no route.
async fn ask_mandate(incoming: &Incoming, mandate: &str) -> Result<Outgoing, Rejection> {
    let ask = serde_json::from_str(incoming.text().await?).map_err(Failure::from)?;
    let Ok(mandate) = mandate.parse() else {
        return Ok(Outgoing::text(404, "text/plain", String::new()));
    };
    let correlation_id = &incoming.correlation_id;
    let answered = mandates::ask(&incoming.env, mandate, Caller::Anyone, ask, None, correlation_id).await?;
    Ok(Outgoing::text(answered.status, "application/json", answered.json))
}

#[expect(
    clippy::panic,
    reason = "a test wants to see what a panic does; only reachable in development with hooks on"
)]
fn panic_on_request() -> Result<Outgoing, Rejection> {
    panic!("a panic that a test asked for")
}
