//! The tools of purchase runs. Whoever has a run's token is its owner.

use api::binding::run::{RunAsk, RunCaller, RunReply};
use api::run_tools::{self, Start};
use mcp::ToolOutcome;
use primitives::{Digest, RunId};
use run::Command;
use serde_json::{Map, Value};

use super::seen;
use crate::rejection::Rejection;
use crate::request::Incoming;
use crate::routes::runs::{self, asked};

type Arguments = Map<String, Value>;

/// `start_run`. Its answer is the only one that holds the token.
pub(super) async fn start(incoming: &Incoming, arguments: &Arguments) -> Result<ToolOutcome, Rejection> {
    let Start { body, key } = run_tools::start(arguments)?;
    seen(runs::start(incoming, &body, Some(&key)).await?.answer)
}

/// `get_run`.
pub(super) async fn look(incoming: &Incoming, arguments: &Arguments) -> Result<ToolOutcome, Rejection> {
    let (run, token) = run_tools::named(arguments)?;
    answered(asked(incoming, &run, RunCaller::Token(token), RunAsk::Show { after: None, limit: 10 }).await?)
}

/// `confirm_run`.
pub(super) async fn confirm(incoming: &Incoming, arguments: &Arguments) -> Result<ToolOutcome, Rejection> {
    let (run, token, command) = run_tools::confirm(arguments)?;
    tell(incoming, &run, token, command).await
}

/// `cancel_run`.
pub(super) async fn cancel(incoming: &Incoming, arguments: &Arguments) -> Result<ToolOutcome, Rejection> {
    let (run, token) = run_tools::named(arguments)?;
    tell(incoming, &run, token, Command::Cancel).await
}

async fn tell(
    incoming: &Incoming,
    run: &RunId,
    token: Digest,
    command: Command,
) -> Result<ToolOutcome, Rejection> {
    let ask = RunAsk::Tell(Box::new(command));
    answered(asked(incoming, run, RunCaller::Token(token), ask).await?)
}

fn answered(reply: RunReply) -> Result<ToolOutcome, Rejection> {
    match reply {
        RunReply::Answered { answer, .. } => seen(answer),
        RunReply::Journal(_) | RunReply::Ticket { .. } | RunReply::Refused(_) => Err(runs::unexpected()),
    }
}
