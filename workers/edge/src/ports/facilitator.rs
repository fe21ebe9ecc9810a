//! The facilitator: asked to settle, and asked again what became of it.
//!
//! Both are the same request: the chain lets an authorization move money at most once, so asking again cannot pay
//! twice. What its answers mean is judged in `api`.

use api::inbound::{Asked, Memory, settlement, unknown};
use payment::{Credential, Outcome};
use primitives::CorrelationId;
use worker::Env;

use super::within;
use crate::config::{Config, Facilitator};
use crate::failure::Failure;

/// Asks the facilitator to settle `authorization`, the JSON of an x402 facilitator request.
pub async fn settle(
    env: &Env,
    config: &Config,
    authorization: &Credential,
    asked: Asked,
    correlation_id: &CorrelationId,
) -> Outcome {
    let memory = match config.facilitator {
        Facilitator::Bound => Memory::Kept,
        Facilitator::Remote(_) => Memory::Unproven,
    };
    match within(config.facilitator_timeout_ms, ask(env, config, &authorization.0, correlation_id)).await {
        Some(Ok((status, text))) => settlement(status, &text, asked, memory),
        Some(Err(_)) => unknown("unreachable"),
        None => unknown("timeout"),
    }
}

async fn ask(
    env: &Env,
    config: &Config,
    authorization: &str,
    correlation_id: &CorrelationId,
) -> Result<(u16, String), Failure> {
    let base = match &config.facilitator {
        Facilitator::Bound => "https://facilitator",
        Facilitator::Remote(url) => url,
    };
    let headers = [("content-type", "application/json"), ("x-correlation-id", correlation_id.as_str())];
    let init = runtime::init("POST", &headers, Some(authorization))?;
    let url = format!("{base}/settle");
    let response = match config.facilitator {
        Facilitator::Bound => runtime::service(env, "FACILITATOR")?.get(&url, &init).await?,
        Facilitator::Remote(_) => {
            let request = web_sys::Request::new_with_str_and_init(&url, &init)?;
            let response = worker::Fetch::Request(request.into()).send().await?;
            response.into()
        }
    };
    Ok((response.status(), runtime::text(&response).await?))
}
