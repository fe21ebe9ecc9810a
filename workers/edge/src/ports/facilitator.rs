//! The facilitator: asked to settle, and asked again what became of it.
//!
//! Both are the same request: the chain lets an authorization move money at most once, so asking again cannot pay
//! twice. What cannot be understood is an unknown outcome, never a refusal (S5). Our own facilitator keeps one answer
//! per authorization, so its second answer is the first one; a facilitator elsewhere may refuse the second time what
//! it did the first time, so such a refusal says nothing.

use payment::{Credential, Outcome};
use primitives::CorrelationId;
use worker::Env;
use x402::SettleResponse;

use super::within;
use crate::config::{Config, Facilitator};
use crate::failure::Failure;

/// The largest answer that is read.
const ANSWER_BYTES_MAX: usize = 65_536;

/// Whether the facilitator was asked before and its answer is not known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// It was not.
    First,
    /// It was: this is a lookup.
    Again,
}

/// Asks the facilitator to settle `authorization`, the JSON of an x402 facilitator request.
pub async fn settle(
    env: &Env,
    config: &Config,
    authorization: &Credential,
    asked: Asked,
    correlation_id: &CorrelationId,
) -> Outcome {
    match within(config.facilitator_timeout_ms, ask(env, config, &authorization.0, correlation_id)).await {
        Some(Ok((status, text))) => match (outcome(status, &text), &config.facilitator) {
            (Outcome::Refused { .. }, Facilitator::Remote(_)) if asked == Asked::Again => {
                unknown("refused_on_lookup")
            }
            (outcome, Facilitator::Bound | Facilitator::Remote(_)) => outcome,
        },
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

fn unknown(cause: &str) -> Outcome {
    Outcome::Unknown { cause: cause.to_owned(), transaction: None }
}

/// What an answer means. Only a well-formed one says anything; `success: false` is final unless it says pending.
fn outcome(status: u16, text: &str) -> Outcome {
    if text.len() > ANSWER_BYTES_MAX {
        return unknown("unreadable_answer");
    }
    let Ok(answer) = serde_json::from_str::<SettleResponse>(text) else {
        return unknown(if status >= 500 { "facilitator_error" } else { "unreadable_answer" });
    };
    let receipt = text.to_owned();
    let named = Some(answer.transaction.clone()).filter(|transaction| !transaction.is_empty());
    if answer.success {
        return match named {
            Some(transaction) => Outcome::Settled { transaction, receipt },
            // A settlement without a transaction cannot be shown to anyone.
            None => unknown("unreadable_answer"),
        };
    }
    let reason = answer.error_reason.unwrap_or_else(|| "unexpected_settle_error".to_owned());
    match reason.as_str() {
        "settlement_pending" => Outcome::Unknown { cause: reason, transaction: named },
        // The facilitator does not know either.
        "unexpected_settle_error" => unknown("facilitator_error"),
        _ if status >= 500 => unknown("facilitator_error"),
        _ => Outcome::Refused { reason, receipt },
    }
}
