//! Purchase runs: their owners, their executors' results, and those who watch.

mod create;
mod executors;
mod streams;

use api::binding::run::{RunAsk, RunCall, RunCaller, RunReply};
use api::inbound::run as inbound;
use api::outbound::run as outbound;
use api::problem::Problem;
use api::route::RunRoute;
use primitives::{Digest, ExecutorId, RunId, SecretKind};
use run::Command;
use shell::{fresh_secret, now};

use super::mandates::named;
use crate::caller::{caller, known_once};
use crate::config::config;
use crate::ports::runs as objects;
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::respond::Outgoing;

pub(in crate::routes) use create::start;
pub use executors::{balances, demo, executors};
pub use streams::{executor_socket, stream, wants_stream};

/// Answers what is asked of runs, except for their streams.
pub async fn runs(incoming: &Incoming, route: RunRoute) -> Result<Outgoing, Rejection> {
    match route {
        RunRoute::Create => create::create(incoming).await,
        RunRoute::Show { run } => {
            let reading = inbound::reading(named(&incoming.pairs()))?;
            let ask = RunAsk::Show { after: reading.after, limit: reading.limit };
            as_owner(incoming, &run, ask).await
        }
        RunRoute::Events { run } | RunRoute::Socket { run } => {
            let reading = inbound::reading(named(&incoming.pairs()))?;
            let ask = RunAsk::Events { after: reading.after.unwrap_or(0), limit: reading.limit };
            as_owner(incoming, &run, ask).await
        }
        RunRoute::Ticket { run } => ticket(incoming, &run).await,
        RunRoute::BrowserResult { run } => browser_result(incoming, &run).await,
        RunRoute::WalletState { run } => {
            let report = inbound::wallet_state(&incoming.json().await?, now())?;
            as_owner(incoming, &run, RunAsk::Tell(Box::new(Command::Wallet(report)))).await
        }
        RunRoute::Confirm { run } => confirm(incoming, &run).await,
        RunRoute::Payment { run } => {
            let payment = inbound::payment(&incoming.json().await?)?;
            as_owner(incoming, &run, RunAsk::Pay(payment)).await
        }
        RunRoute::Cancel { run } => {
            inbound::nothing(&incoming.json_or_nothing().await?)?;
            as_owner(incoming, &run, RunAsk::Tell(Box::new(Command::Cancel))).await
        }
        RunRoute::Rebind { run } => rebind(incoming, &run).await,
        RunRoute::Journal { run } => journal(incoming, &run).await,
    }
}

/// The digest of a bearer token of that kind.
fn token(incoming: &Incoming, kind: SecretKind) -> Result<Digest, Problem> {
    inbound::bearer(kind, incoming.header("authorization").as_deref())
}

async fn as_owner(incoming: &Incoming, run: &RunId, ask: RunAsk) -> Result<Outgoing, Rejection> {
    let by = RunCaller::Token(token(incoming, SecretKind::Run)?);
    shown(asked(incoming, run, by, ask).await?)
}

pub(in crate::routes) async fn asked(
    incoming: &Incoming,
    run: &RunId,
    by: RunCaller,
    ask: RunAsk,
) -> Result<RunReply, Rejection> {
    config(&incoming.env)?;
    let call = RunCall { by, correlation_id: incoming.correlation_id.clone(), ask };
    match objects::ask(&incoming.env, run, &call).await? {
        RunReply::Refused(problem) => Err((*problem).into()),
        reply @ (RunReply::Answered { .. } | RunReply::Journal(_) | RunReply::Ticket { .. }) => Ok(reply),
    }
}

fn shown(reply: RunReply) -> Result<Outgoing, Rejection> {
    match reply {
        RunReply::Answered { answer, replayed } => Ok(marked(json(200, answer), replayed)),
        RunReply::Journal(_) | RunReply::Ticket { .. } | RunReply::Refused(_) => Err(unexpected()),
    }
}

fn json(status: u16, answer: String) -> Outgoing {
    Outgoing::text(status, "application/json", answer).with("cache-control", "no-store")
}

fn marked(outgoing: Outgoing, replayed: bool) -> Outgoing {
    if replayed { outgoing.with("idempotency-replayed", "true") } else { outgoing }
}

pub(in crate::routes) fn unexpected() -> Rejection {
    shell::Failure::Runtime("an object answered something else than it was asked".to_owned()).into()
}

async fn ticket(incoming: &Incoming, run: &RunId) -> Result<Outgoing, Rejection> {
    let by = RunCaller::Token(token(incoming, SecretKind::Run)?);
    let ticket = fresh_secret(SecretKind::Ticket)?;
    match asked(incoming, run, by, RunAsk::Ticket { ticket: ticket.digest() }).await? {
        RunReply::Ticket { until } => {
            let answer = outbound::ticket(ticket.reveal(), until);
            Ok(Outgoing::json(201, &answer)?.with("cache-control", "no-store"))
        }
        RunReply::Answered { .. } | RunReply::Journal(_) | RunReply::Refused(_) => Err(unexpected()),
    }
}

async fn browser_result(incoming: &Incoming, run: &RunId) -> Result<Outgoing, Rejection> {
    let executor = ExecutorId::of(&token(incoming, SecretKind::Executor)?);
    let (command_id, result) = inbound::browser_result(&incoming.json().await?)?;
    let progress = inbound::progress(&result);
    let command = Command::Browser {
        executor: executor.clone(),
        command_id: command_id.clone(),
        result: Box::new(result),
    };
    let by = RunCaller::Executor(executor.clone());
    let reply = asked(incoming, run, by, RunAsk::Tell(Box::new(command))).await?;
    if let Some(progress) = progress {
        let (env, id) = (&incoming.env, &incoming.correlation_id);
        // Should it be lost, the executor is given the command once more, which changes nothing.
        if let Err(failure) = objects::renew(env, run, &executor, &command_id, progress, id).await {
            shell::log::failure("executor", executor.as_str(), "renewal_lost", &failure);
        }
    }
    match reply {
        RunReply::Answered { replayed, .. } => {
            Ok(marked(Outgoing::json(200, &outbound::accepted(run))?, replayed)
                .with("cache-control", "no-store"))
        }
        RunReply::Journal(_) | RunReply::Ticket { .. } | RunReply::Refused(_) => Err(unexpected()),
    }
}

/// By the run's owner with its token, or by the mandate's owner with a signature.
async fn confirm(incoming: &Incoming, run: &RunId) -> Result<Outgoing, Rejection> {
    let body = incoming.json().await?;
    let (by, command) = match token(incoming, SecretKind::Run) {
        Ok(token) => (RunCaller::Token(token), inbound::confirmation(&body, None)?),
        Err(missing) => {
            let by = caller(incoming).await?;
            // Whoever has not signed either is told of the token.
            by.signer().ok_or(missing)?;
            let account = known_once(incoming, &by).await?;
            (RunCaller::Account(account.to_string()), inbound::confirmation(&body, Some(account))?)
        }
    };
    shown(asked(incoming, run, by, RunAsk::Tell(Box::new(command))).await?)
}

async fn rebind(incoming: &Incoming, run: &RunId) -> Result<Outgoing, Rejection> {
    let token = token(incoming, SecretKind::Run)?;
    let executor = inbound::rebind(&incoming.json().await?)?;
    create::check_executor(incoming, &executor).await?;
    let ask = RunAsk::Tell(Box::new(Command::Rebind { executor }));
    shown(asked(incoming, run, RunCaller::Token(token), ask).await?)
}

async fn journal(incoming: &Incoming, run: &RunId) -> Result<Outgoing, Rejection> {
    let by = RunCaller::Token(token(incoming, SecretKind::Run)?);
    match asked(incoming, run, by, RunAsk::Journal).await? {
        RunReply::Journal(rows) => {
            let answer = outbound::journal(run, rows)?;
            Ok(Outgoing::json(200, &answer)?.with("cache-control", "no-store"))
        }
        RunReply::Answered { .. } | RunReply::Ticket { .. } | RunReply::Refused(_) => Err(unexpected()),
    }
}
