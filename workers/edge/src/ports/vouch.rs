//! Contracts that sign (ERC-1271): the bound facilitator knows the chain, and asks them. What its answers mean is judged
//! in `api`.

use api::settings::{Facilitator, Settings};
use api::vouch::{Question, Unavailable, Vouched, heard};
use primitives::CorrelationId;
use shell::{Failure, log, within};
use worker::Env;

use crate::config::config;

/// Asks the contract at an address, on the chain of the payments, whether a signature is its own. For signatures that the
/// account's own key did not make.
///
/// # Errors
/// When this deployment is not set up.
pub async fn vouches(
    env: &Env,
    correlation_id: &CorrelationId,
    question: &Question,
) -> Result<Vouched, Failure> {
    let settings = config(env)?;
    match settings.facilitator {
        Facilitator::Binding => Ok(ask(env, correlation_id, &settings, question).await),
        Facilitator::Simulator => Ok(Vouched::Unavailable(Unavailable::NoChain)),
        Facilitator::Remote(_) => Ok(Vouched::Unavailable(Unavailable::Elsewhere)),
    }
}

async fn ask(env: &Env, correlation_id: &CorrelationId, settings: &Settings, question: &Question) -> Vouched {
    let body = match question.body(&settings.posting.till.asset.network) {
        Ok(body) => body,
        Err(denial) => return Vouched::No(denial),
    };
    let answer = within(settings.facilitator_timeout.0, fetch(env, correlation_id, &body)).await;
    match answer.unwrap_or(Err(Failure::Late("the facilitator"))) {
        Ok((status, text)) => heard(status, &text),
        Err(failure) => {
            log::failure("edge", "facilitator", "signature_failed", &failure);
            Vouched::Unavailable(Unavailable::Silent)
        }
    }
}

async fn fetch(env: &Env, correlation_id: &CorrelationId, body: &str) -> Result<(u16, String), Failure> {
    let headers = [("content-type", "application/json"), ("x-correlation-id", correlation_id.as_str())];
    let init = runtime::init("POST", &headers, Some(body))?;
    let facilitator = runtime::service(env, "FACILITATOR")?;
    let response = facilitator.get("https://facilitator/signatures", &init).await?;
    Ok((response.status(), runtime::text(&response).await?))
}
