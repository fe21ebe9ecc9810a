//! Speaking to the objects of mandates.

use api::binding::{Caller, MandateAsk, MandateCall, MandateReply, Once};
use eip712::{Address, B256};
use mandate::Reason;
use primitives::{CorrelationId, Operation};
use serde::de::DeserializeOwned;
use shell::{Failure, send};
use worker::Env;

use crate::config::config;
use crate::rejection::Rejection;

/// The binding of mandates in custody of the ledger.
const MANDATE: &str = "MANDATE";
/// The binding of mandates in custody of the contract.
pub const MIRROR: &str = "MIRROR";
/// The binding of used signatures.
const SIGNATURE: &str = "SIGNATURE";

/// What a mandate answered.
pub struct Answered {
    /// The HTTP status that fits.
    pub status: u16,
    /// The answer as JSON.
    pub json: String,
    /// Whether it had taken effect before.
    pub replayed: bool,
}

impl Answered {
    /// The answer as the wire type that belongs to what was asked.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        Ok(serde_json::from_str(&self.json)?)
    }
}

/// Asks the object of a mandate: the ledger's, and if that knows no such mandate, the contract's mirror where a contract is
/// mirrored. The first has used the caller's signature.
pub async fn ask(
    env: &Env,
    mandate: B256,
    caller: Caller,
    ask: MandateAsk,
    operation: Option<Operation>,
    correlation_id: &CorrelationId,
) -> Result<Answered, Rejection> {
    let call = MandateCall { mandate, caller, correlation_id: correlation_id.clone(), operation, ask };
    let mut reply: MandateReply = send(env, MANDATE, &mandate.to_string(), "ask", &call).await?;
    if is_unknown(&reply) && config(env)?.contract.is_some() {
        let mirrored: MandateReply = send(env, MIRROR, &mandate.to_string(), "ask", &call).await?;
        // Of two that know nothing, the first says so.
        reply = if is_unknown(&mirrored) { reply } else { mirrored };
    }
    answered(reply)
}

/// Asks the mirror of a mandate for a caller whose signature was used.
pub async fn ask_mirror(
    env: &Env,
    mandate: B256,
    caller: Caller,
    ask: MandateAsk,
    correlation_id: &CorrelationId,
) -> Result<Answered, Rejection> {
    let correlation_id = correlation_id.clone();
    let call = MandateCall { mandate, caller, correlation_id, operation: None, ask };
    answered(send(env, MIRROR, &mandate.to_string(), "ask", &call).await?)
}

fn is_unknown(reply: &MandateReply) -> bool {
    matches!(reply, MandateReply::Refused { problem, .. } if problem.code == Reason::UnknownMandate.code())
}

fn answered(reply: MandateReply) -> Result<Answered, Rejection> {
    match reply {
        MandateReply::Answered { status, answer, replayed } => {
            Ok(Answered { status, json: answer, replayed })
        }
        MandateReply::Refused { problem, retry_after } => {
            let headers = retry_after.map(|seconds| ("retry-after", seconds.to_string()));
            Err(Rejection::Problem(problem, headers.into_iter().collect()))
        }
    }
}

/// Makes a mandate tell the lists about itself again.
pub async fn project(env: &Env, mandate: &str) -> Result<(), Failure> {
    let is_kept_here: bool = send(env, MANDATE, mandate, "project", &()).await?;
    if !is_kept_here {
        let _is_mirrored: bool = send(env, MIRROR, mandate, "project", &()).await?;
    }
    Ok(())
}

/// Uses an agent's signature of a request that is for no mandate.
pub async fn use_once(
    env: &Env,
    account: Address,
    once: &Once,
) -> Result<Result<(), session::once::Refusal>, Failure> {
    send(env, SIGNATURE, &account.to_string(), "use", once).await
}
