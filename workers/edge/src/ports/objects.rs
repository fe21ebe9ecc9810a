//! Speaking to objects.

use api::binding::{
    AccountReply, BindReply, GigReply, GigView, JournalReply, Pay, PayReply, SessionReply, Standing,
    account_name, directory_shard,
};
use eip712::Address;
use gig::Command;
use payment::identifier;
use primitives::{Call, CorrelationId, Digest, GigId, PaymentId, UnixMillis};
use shell::{Failure, send};
use worker::Env;

use super::board::Row;

/// The binding of gigs.
pub const GIG: &str = "GIG";
/// The binding of payments.
pub const PAYMENT: &str = "PAYMENT";
/// The binding of payers' own names for purchases.
pub const IDENTIFIER: &str = "IDENTIFIER";
/// The binding of sessions.
pub const SESSION: &str = "SESSION";
/// The binding of what owners keep for themselves.
pub const ACCOUNT: &str = "ACCOUNT";
/// The binding of the directory.
pub const DIRECTORY: &str = "DIRECTORY";

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
    party: &(primitives::AgentIdentity, Digest),
) -> Result<JournalReply, Failure> {
    send(env, GIG, &id.to_string(), "journal", party).await
}

/// Makes a gig tell the board about itself again.
pub async fn gig_project(env: &Env, id: &str) -> Result<(), Failure> {
    send(env, GIG, id, "project", &()).await
}

/// Asks which payment answers for a payer's own name for a purchase.
pub async fn bind(
    env: &Env,
    name: &Digest,
    command: identifier::Command,
    correlation_id: &CorrelationId,
) -> Result<BindReply, Failure> {
    let call = Call { command, correlation_id: correlation_id.clone(), operation: None };
    send(env, IDENTIFIER, &name.to_string(), "bind", &call).await
}

/// The payment that answers for a payer's own name for a purchase, if any.
pub async fn bound(env: &Env, name: &Digest) -> Result<Option<identifier::Binding>, Failure> {
    send(env, IDENTIFIER, &name.to_string(), "view", &()).await
}

/// Sends a command to the session of that name: where it stands then, or its refusal.
pub async fn session(
    env: &Env,
    name: &Digest,
    command: session::Command,
    correlation_id: &CorrelationId,
) -> Result<Result<session::State, session::Refusal>, Failure> {
    let call = Call { command, correlation_id: correlation_id.clone(), operation: None };
    match send(env, SESSION, &name.to_string(), "command", &call).await? {
        SessionReply::Done { answer, .. } => Ok(Ok(answer)),
        SessionReply::Refused(refusal) => Ok(Err(refusal)),
        SessionReply::OperationReused => Err(Failure::Corrupt("a session keeps no operations".to_owned())),
    }
}

/// Sends a command to an owner's account: all that it holds then and whether that had been so before, or its refusal.
pub async fn account(
    env: &Env,
    owner: &Address,
    command: account::Command,
    correlation_id: &CorrelationId,
) -> Result<Result<(account::State, bool), account::Refusal>, Failure> {
    let call = Call { command, correlation_id: correlation_id.clone(), operation: None };
    match send(env, ACCOUNT, &account_name(owner), "command", &call).await? {
        AccountReply::Done { answer, replayed } => Ok(Ok((answer, replayed))),
        AccountReply::Refused(refusal) => Ok(Err(refusal)),
        AccountReply::OperationReused => Err(Failure::Corrupt("an account keeps no operations".to_owned())),
    }
}

/// All that an owner's account holds.
pub async fn account_view(env: &Env, owner: &Address) -> Result<account::State, Failure> {
    send(env, ACCOUNT, &account_name(owner), "view", &()).await
}

/// Has a payment carried through.
pub async fn pay(env: &Env, pay: &Pay) -> Result<PayReply, Failure> {
    send(env, PAYMENT, pay.payment.as_str(), "pay", pay).await
}

/// How the claim of a payment that was made at that moment stands.
pub async fn standing(env: &Env, payment: &PaymentId, claimed_at: UnixMillis) -> Result<Standing, Failure> {
    send(env, PAYMENT, payment.as_str(), "standing", &claimed_at).await
}

/// Has a gig's row written to the board, and its id kept.
pub async fn show(env: &Env, id: &GigId, row: &Row) -> Result<(), Failure> {
    let shown: Result<(), String> =
        send(env, DIRECTORY, &directory_shard(&id.to_string()), "show", row).await?;
    shown.map_err(Failure::Runtime)
}

/// Has the directory keep the id of a mandate or a run.
pub async fn know(env: &Env, id: &str) -> Result<(), Failure> {
    send(env, DIRECTORY, &directory_shard(id), "know", &id).await
}

/// Has the directory let go of the id of what needs nobody to look after it.
pub async fn forget(env: &Env, id: &str) -> Result<(), Failure> {
    send(env, DIRECTORY, &directory_shard(id), "forget", &id).await
}

/// The next ids that a directory shard would have looked at.
pub async fn next_to_sweep(env: &Env, shard: &str, limit: u32) -> Result<Vec<String>, Failure> {
    send(env, DIRECTORY, shard, "sweep", &limit).await
}
