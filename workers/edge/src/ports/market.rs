//! The market: an observer that looks at shops, or the synthetic one.

use api::limits::OBSERVER_ANSWER_BYTES;
use api::market::{Heard, answer, question};
use api::settings::Observer;
use primitives::CorrelationId;
use run::{Found, Intent};
use shell::{Failure, now, within};
use worker::Env;

use crate::config::config;

/// How long an observer is waited for.
const WAIT_MS: u64 = 5_000;

/// What is offered. Whatever goes wrong is an answer too: the run decides how often it asks.
pub async fn search(env: &Env, intent: &Intent, correlation_id: &CorrelationId) -> Result<Found, Failure> {
    let settings = config(env)?;
    let Some(observer) = &settings.runs.observer else { return Ok(synthetic::market(intent, now())) };
    let unavailable = |reason: &str| Found::Unavailable { reason: reason.to_owned() };
    Ok(match within(WAIT_MS, ask(observer, intent, correlation_id)).await {
        Some(Ok((status, text))) => {
            let Heard { found, skipped } = answer(status, &text);
            if skipped > 0 {
                shell::log::note("market", &observer.url, &format!("{skipped} offers were skipped"));
            }
            found
        }
        Some(Err(failure)) => {
            shell::log::failure("market", &observer.url, "unreachable", &failure);
            unavailable("The market's observer could not be reached.")
        }
        None => unavailable("The market's observer did not answer in time."),
    })
}

async fn ask(
    observer: &Observer,
    intent: &Intent,
    correlation_id: &CorrelationId,
) -> Result<(u16, String), Failure> {
    let bearer = observer.token.as_ref().map(|token| format!("Bearer {}", token.reveal()));
    let mut headers = vec![
        ("content-type", "application/json"),
        ("accept", "application/json"),
        ("x-correlation-id", correlation_id.as_str()),
    ];
    headers.extend(bearer.as_deref().map(|bearer| ("authorization", bearer)));
    let init = runtime::init("POST", &headers, Some(&question(intent)))?;
    let request = web_sys::Request::new_with_str_and_init(&format!("{}/v1/search", observer.url), &init)?;
    let response: web_sys::Response = worker::Fetch::Request(request.into()).send().await?.into();
    let status = response.status();
    let text = runtime::bounded_answer(response, OBSERVER_ANSWER_BYTES).await?;
    Ok((status, text.ok_or_else(|| Failure::Runtime("the observer's answer is too long".to_owned()))?))
}
