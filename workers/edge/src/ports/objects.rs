//! Speaking to objects.

use api::binding::{Call, GigReply, GigView, PayForGig, PayReply, directory_shard};
use gig::Command;
use primitives::{CorrelationId, GigId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::{Env, Method, Request, RequestInit, Stub};

use crate::failure::Failure;

/// The binding of gigs.
pub const GIG: &str = "GIG";
/// The binding of payments.
pub const PAYMENT: &str = "PAYMENT";
/// The binding of the directory.
pub const DIRECTORY: &str = "DIRECTORY";

/// The object `name` of a class.
pub fn stub(env: &Env, binding: &str, name: &str) -> Result<Stub, Failure> {
    Ok(env.durable_object(binding)?.get_by_name(name)?)
}

async fn send<T: DeserializeOwned>(stub: &Stub, path: &str, body: &impl Serialize) -> Result<T, Failure> {
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(serde_json::to_string(body)?.into()));
    let request = Request::new_with_init(&format!("https://object/{path}"), &init)?;
    let mut response = stub.fetch_with_request(request).await?;
    let text = response.text().await?;
    if response.status_code() != 200 {
        return Err(Failure::Runtime(format!("the object answered {}", response.status_code())));
    }
    Ok(serde_json::from_str(&text)?)
}

/// Sends a command to a gig.
pub async fn gig(env: &Env, id: &GigId, call: &Call<Command>) -> Result<GigReply, Failure> {
    send(&stub(env, GIG, &id.to_string())?, "command", call).await
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
    send(&stub(env, GIG, &id.to_string())?, "view", &()).await
}

/// A gig's journal as (seq, body, hash), for one of its parties.
pub async fn gig_journal(
    env: &Env,
    id: &GigId,
    party: &(primitives::AgentIdentity, primitives::Digest),
) -> Result<Result<Vec<(u64, String, String)>, gig::Refusal>, Failure> {
    send(&stub(env, GIG, &id.to_string())?, "journal", party).await
}

/// Makes a gig tell the board about itself again.
pub async fn gig_project(env: &Env, id: &str) -> Result<(), Failure> {
    send(&stub(env, GIG, id)?, "project", &()).await
}

/// Pays for a gig.
pub async fn pay(env: &Env, pay: &PayForGig) -> Result<PayReply, Failure> {
    send(&stub(env, PAYMENT, pay.payment.as_str())?, "pay", pay).await
}

/// Writes a gig into the directory.
pub async fn register(env: &Env, id: &GigId) -> Result<(), Failure> {
    send(&stub(env, DIRECTORY, &directory_shard(id))?, "register", &id.to_string()).await
}

/// The next gigs that a directory shard would have looked at.
pub async fn next_to_sweep(env: &Env, shard: &str, limit: u32) -> Result<Vec<String>, Failure> {
    send(&stub(env, DIRECTORY, shard)?, "sweep", &limit).await
}
