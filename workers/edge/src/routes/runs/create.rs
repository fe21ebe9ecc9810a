//! `POST /v1/runs`.

use api::binding::MandateAsk;
use api::binding::run::{RunAsk, RunCall, RunCaller, RunReply};
use api::inbound::run as inbound;
use api::outbound::run as outbound;
use eip712::B256;
use primitives::{ExecutorId, SecretKind};
use run::Mandate;
use serde_json::Value;
use shell::{fresh_secret, random};

use super::{json, marked, unexpected};
use crate::caller::caller;
use crate::config::config;
use crate::ports::{mandates, runs as objects};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// Makes a run. The same request under the same key is the same run, whose token is issued anew until it is used.
pub(super) async fn create(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let body = incoming.json().await?;
    let outcome = start(incoming, &body, incoming.header("idempotency-key").as_deref()).await?;
    Ok(marked(json(201, outcome.answer), outcome.replayed))
}

/// A run that was made, as its owner gets to see it once.
pub(in crate::routes) struct Started {
    /// The answer, with the token.
    pub answer: String,
    /// Whether it was there before.
    pub replayed: bool,
}

pub(in crate::routes) async fn start(
    incoming: &Incoming,
    body: &Value,
    key: Option<&str>,
) -> Result<Started, Rejection> {
    let settings = config(&incoming.env)?;
    let demo = settings.runs.demo_executor.then(synthetic::demo_executor);
    let wanted = inbound::created(body, &settings.runs, demo)?;
    let mandate = match wanted.mandate {
        None => None,
        Some(mandate) => Some(spend_from(incoming, mandate).await?),
    };
    check_executor(incoming, &wanted.executor).await?;
    let run = inbound::new_run(key, random()?)?;
    let token = fresh_secret(SecretKind::Run)?;
    let creation = wanted.creation(run.clone(), mandate, token.digest());
    let call = RunCall {
        by: RunCaller::Anyone,
        correlation_id: incoming.correlation_id.clone(),
        ask: RunAsk::Create(Box::new(creation)),
    };
    match objects::ask(&incoming.env, &run, &call).await? {
        RunReply::Answered { answer, replayed } => {
            Ok(Started { answer: outbound::created(&answer, token.reveal())?, replayed })
        }
        RunReply::Refused(problem) => Err((*problem).into()),
        RunReply::Journal(_) | RunReply::Ticket { .. } => Err(unexpected()),
    }
}

/// The mandate with its parties, one of whom has signed this request.
async fn spend_from(incoming: &Incoming, mandate: B256) -> Result<Mandate, Rejection> {
    let by = caller(incoming).await?;
    let account = by.signer().ok_or_else(outbound::signature_missing)?;
    let id = &incoming.correlation_id;
    let shown = mandates::ask(&incoming.env, mandate, by, MandateAsk::Show, None, id).await?;
    Ok(outbound::spendable(&shown.read()?, account)?)
}

/// Whether there is such an executor to look at the shops.
pub(super) async fn check_executor(incoming: &Incoming, executor: &ExecutorId) -> Result<(), Rejection> {
    let is_demo = *executor == synthetic::demo_executor() && config(&incoming.env)?.runs.demo_executor;
    if is_demo || objects::is_known(&incoming.env, executor, &incoming.correlation_id).await? {
        Ok(())
    } else {
        Err(outbound::no_such_executor(executor).into())
    }
}
