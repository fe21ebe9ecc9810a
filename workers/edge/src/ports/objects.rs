//! Speaking to objects.

use api::binding::{Call, GigReply, GigView, JournalReply, PayForGig, PayReply, directory_shard};
use gig::Command;
use primitives::{CorrelationId, GigId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::Env;

use super::board::Row;
use crate::failure::Failure;

/// The binding of gigs.
pub const GIG: &str = "GIG";
/// The binding of payments.
pub const PAYMENT: &str = "PAYMENT";
/// The binding of the directory.
pub const DIRECTORY: &str = "DIRECTORY";

async fn send<T: DeserializeOwned>(
    env: &Env,
    class: &str,
    name: &str,
    subject: &str,
    body: &impl Serialize,
) -> Result<T, Failure> {
    let answer = runtime::object(env, class, name)?.send(subject, &serde_json::to_string(body)?).await?;
    Ok(serde_json::from_str(&answer)?)
}

/// Sends a command to a gig.
pub async fn gig(env: &Env, id: &GigId, call: &Call<Command>) -> Result<GigReply, Failure> {
    send(env, GIG, &id.to_string(), "command", call).await
}

/// Sends a command that its content alone makes idempotent.
pub async fn gig_command(
    env: &Env,
    id: &GigId,
    command: Command,
    correlation_id: &CorrelationId,
) -> Result<GigReply, Failure> {
    gig(env, id, &Call { command, correlation_id: correlation_id.clone(), operation: None }).await
}

/// Looks at a gig; `None` if it is not on the board.
pub async fn gig_view(env: &Env, id: &GigId) -> Result<Option<GigView>, Failure> {
    send(env, GIG, &id.to_string(), "view", &()).await
}

/// A gig's journal, for one of its parties.
pub async fn gig_journal(
    env: &Env,
    id: &GigId,
    party: &(primitives::AgentIdentity, primitives::Digest),
) -> Result<JournalReply, Failure> {
    send(env, GIG, &id.to_string(), "journal", party).await
}

/// Makes a gig tell the board about itself again.
pub async fn gig_project(env: &Env, id: &str) -> Result<(), Failure> {
    send(env, GIG, id, "project", &()).await
}

/// Pays for a gig.
pub async fn pay(env: &Env, pay: &PayForGig) -> Result<PayReply, Failure> {
    send(env, PAYMENT, pay.payment.as_str(), "pay", pay).await
}

/// Has a gig's row written to the board, and its id kept.
pub async fn show(env: &Env, id: &GigId, row: &Row) -> Result<(), Failure> {
    let shown: Result<(), String> = send(env, DIRECTORY, &directory_shard(id), "show", row).await?;
    shown.map_err(Failure::Runtime)
}

/// The next gigs that a directory shard would have looked at.
pub async fn next_to_sweep(env: &Env, shard: &str, limit: u32) -> Result<Vec<String>, Failure> {
    send(env, DIRECTORY, shard, "sweep", &limit).await
}
