//! The facilitator: asked whether a payer signed, asked to settle, and asked again what became of it.
//!
//! The last two are the same request: the chain lets an authorization move money at most once, so asking again cannot
//! pay twice. What its answers mean is judged in `api`.

use api::inbound::{Asked, Verdict, settlement, unknown, verification};
use api::settings::{Facilitator, Settings};
use payment::{Credential, Outcome};
use primitives::CorrelationId;
use shell::{Failure, within};
use worker::Env;

/// A payment that the facilitator is asked about.
pub struct Question<'a> {
    /// The payment's name. Sent as the key of the request: a facilitator that tells success only to whoever began the
    /// settlement knows us by it when we ask again.
    pub payment: &'a str,
    /// The JSON of an x402 facilitator request.
    pub authorization: &'a Credential,
    /// What caused it.
    pub correlation_id: &'a CorrelationId,
}

/// Asks the facilitator to settle.
pub async fn settle(env: &Env, settings: &Settings, question: Question<'_>, asked: Asked) -> Outcome {
    match ask(env, settings, "settle", question).await {
        Ok((status, text)) => settlement(status, &text, asked, settings.facilitator.memory()),
        Err(cause) => unknown(cause),
    }
}

/// Asks the facilitator whether the authorization is the payer's and would settle.
pub async fn verify(env: &Env, settings: &Settings, question: Question<'_>) -> Verdict {
    match ask(env, settings, "verify", question).await {
        Ok((status, text)) => verification(status, &text),
        Err(cause) => Verdict::Unknown { cause },
    }
}

/// Status and body of the answer; why there is none, in a word, if there is none.
async fn ask(
    env: &Env,
    settings: &Settings,
    route: &str,
    question: Question<'_>,
) -> Result<(u16, String), &'static str> {
    let answer = fetch(env, &settings.facilitator, route, question);
    match within(settings.facilitator_timeout.0, answer).await {
        Some(Ok(answer)) => Ok(answer),
        Some(Err(_)) => Err("unreachable"),
        None => Err("timeout"),
    }
}

async fn fetch(
    env: &Env,
    facilitator: &Facilitator,
    route: &str,
    question: Question<'_>,
) -> Result<(u16, String), Failure> {
    let headers = [
        ("content-type", "application/json"),
        ("idempotency-key", question.payment),
        ("x-correlation-id", question.correlation_id.as_str()),
    ];
    let init = runtime::init("POST", &headers, Some(&question.authorization.0))?;
    let response = match facilitator {
        Facilitator::Simulator | Facilitator::Binding => {
            let url = format!("https://facilitator/{route}");
            runtime::service(env, "FACILITATOR")?.get(&url, &init).await?
        }
        Facilitator::Remote(base) => {
            let request = web_sys::Request::new_with_str_and_init(&format!("{base}/{route}"), &init)?;
            worker::Fetch::Request(request.into()).send().await?.into()
        }
    };
    Ok((response.status(), runtime::text(&response).await?))
}
