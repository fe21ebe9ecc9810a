//! Browser executors, and what runs are paid with.

use api::binding::executor::{ExecutorAsk, ExecutorView};
use api::document::EXECUTOR_PROTOCOL_JSON;
use api::inbound::run::{self as inbound, Poll};
use api::outbound::run as outbound;
use api::route::ExecutorRoute;
use primitives::{Digest, ExecutorId, SecretKind};
use shell::{fresh_secret, now};

use super::super::mandates::named;
use super::{json, token, unexpected};
use crate::config::config;
use crate::ports::{funding, runs as objects};
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

/// Answers what is asked of executors, except for their sockets.
pub async fn executors(incoming: &Incoming, route: ExecutorRoute) -> Result<Outgoing, Rejection> {
    config(&incoming.env)?;
    match route {
        ExecutorRoute::Register => register(incoming).await,
        ExecutorRoute::Show | ExecutorRoute::Socket => {
            let (id, token) = who(incoming)?;
            answered(asked(incoming, &id, ExecutorAsk::Show { token }).await?)
        }
        ExecutorRoute::Commands => {
            let (id, token) = who(incoming)?;
            let Poll { limit, occasion, wait } = inbound::poll(named(&incoming.pairs()))?;
            answered(asked(incoming, &id, ExecutorAsk::Poll { token, limit, occasion, wait }).await?)
        }
        ExecutorRoute::Ticket => {
            let (id, token) = who(incoming)?;
            let ticket = fresh_secret(SecretKind::Ticket)?;
            match asked(incoming, &id, ExecutorAsk::Ticket { token, ticket: ticket.digest() }).await? {
                ExecutorView::Ticket { until } => seen(201, &outbound::ticket(ticket.reveal(), until)),
                ExecutorView::Done | ExecutorView::Known(_) | ExecutorView::Answered(_) => Err(unexpected()),
            }
        }
        ExecutorRoute::Protocol => {
            Ok(Outgoing::text(200, "application/schema+json", EXECUTOR_PROTOCOL_JSON.to_owned())
                .with("cache-control", "public, max-age=300"))
        }
    }
}

fn answered(view: ExecutorView) -> Result<Outgoing, Rejection> {
    match view {
        ExecutorView::Answered(answer) => Ok(json(200, answer)),
        ExecutorView::Done | ExecutorView::Known(_) | ExecutorView::Ticket { .. } => Err(unexpected()),
    }
}

fn seen(status: u16, answer: &impl serde::Serialize) -> Result<Outgoing, Rejection> {
    Ok(Outgoing::json(status, answer)?.with("cache-control", "no-store"))
}

/// The executor whose secret this is, and the secret's digest.
pub(super) fn who(incoming: &Incoming) -> Result<(ExecutorId, Digest), Rejection> {
    let token = token(incoming, SecretKind::Executor)?;
    Ok((ExecutorId::of(&token), token))
}

async fn asked(incoming: &Incoming, id: &ExecutorId, ask: ExecutorAsk) -> Result<ExecutorView, Rejection> {
    let reply = objects::executor(&incoming.env, id, ask, &incoming.correlation_id).await?;
    reply.map_err(|refusal| match refusal {
        // The id follows from the secret: no executor means that nobody was ever given it.
        executor::Refusal::NotRegistered => outbound::no_such_secret().into(),
        refusal @ (executor::Refusal::AlreadyRegistered
        | executor::Refusal::CommandIdReused
        | executor::Refusal::OrderOver
        | executor::Refusal::OrderTooLong
        | executor::Refusal::QueueFull { .. }) => refused(outbound::queue_refused(&refusal, now())),
    })
}

/// A refusal that may say when it ends.
fn refused((problem, retry_after): (api::problem::Problem, Option<u64>)) -> Rejection {
    let headers = retry_after.map(|seconds| ("retry-after", seconds.to_string()));
    Rejection::Problem(Box::new(problem), headers.into_iter().collect())
}

async fn register(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let label = inbound::registration(&incoming.json_or_nothing().await?)?;
    let (env, id) = (&incoming.env, &incoming.correlation_id);
    // Where the runtime does not say where a request comes from, all come from one place.
    let source = incoming.header("cf-connecting-ip").unwrap_or_else(|| "unknown".to_owned());
    if let Err(refusal) = objects::admit(env, &outbound::source(&source), id).await? {
        let (problem, seconds) = outbound::gate_refused(&refusal, now());
        return Err(refused((problem, Some(seconds))));
    }
    let secret = fresh_secret(SecretKind::Executor)?;
    let executor = ExecutorId::of(&secret.digest());
    asked(incoming, &executor, ExecutorAsk::Register { secret: secret.digest(), label }).await?;
    seen(201, &outbound::registered(&executor, secret.reveal()))
}

/// `GET /v1/demo`.
pub fn demo(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let is_on = config(&incoming.env)?.runs.demo_executor;
    let demo = is_on.then(synthetic::demo_executor);
    Ok(Outgoing::json(200, &outbound::demo(demo.as_ref())?)?.with("cache-control", "no-cache"))
}

/// `GET /v1/chain/balances`.
pub async fn balances(incoming: &Incoming) -> Result<Outgoing, Rejection> {
    let settings = config(&incoming.env)?;
    let address = inbound::balances(named(&incoming.pairs()))?;
    if let Some(chain) = &settings.runs.chain {
        inbound::wallet_on(chain.network(), &address)?;
    }
    let held = funding::public(settings.runs.chain.as_ref(), &address).await?;
    seen(200, &outbound::balances(&address, &settings.runs, held.token, held.native))
}
