//! Messages about a gig that exists: claim, lifecycle acts, reconnect.

use gig::{Command, Delivery, Role};
use primitives::{AgentIdentity, Digest, GigId, MessageId, Operation};
use serde_json::Value;

use super::envelope::shape;
use super::{Faults, message};
use crate::limits;
use crate::problem::Problem;
use crate::wire::{self, Reconnect, TaskAct, TaskClaim, TaskDelivery, TaskRevision};

/// Reads a `TaskClaim`: which gig, who, and under which message.
///
/// # Errors
/// 400 with every fault.
pub fn claim(value: &Value) -> Result<(GigId, AgentIdentity, MessageId), Problem> {
    let message = message::<TaskClaim>(value, "TaskClaim")?;
    let mut faults = Faults::default();
    let gig = faults.take("payload.gig_id", message.payload.gig_id.parse());
    faults.finish(gig.map(|gig| (gig, message.sender, message.message_id)))
}

/// A lifecycle act, ready for its gig.
#[derive(Debug)]
pub struct Act {
    /// The command.
    pub command: Command,
    /// What makes a repetition of it a replay.
    pub operation: Operation,
}

/// Reads a lifecycle message for `gig`, shown with `grant`.
///
/// # Errors
/// 400 with every fault.
pub fn act(value: &Value, gig: &GigId, grant: Digest) -> Result<Act, Problem> {
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    let (by, message_id, command) = match kind {
        "TaskDelivery" => delivery(value, gig, grant)?,
        "TaskRevision" => {
            let message = message::<TaskRevision>(value, kind)?;
            let mut faults = Faults::default();
            same_gig(&mut faults, &message.payload.gig_id, gig);
            faults.length("payload.reason", &message.payload.reason, 1, limits::TEXT_MAX);
            let by = message.sender.clone();
            let command = Command::Revise { by, grant, reason: message.payload.reason };
            faults.finish(Some((message.sender, message.message_id, command)))?
        }
        "TaskAcceptance" | "TaskCancellation" | "TaskAbandonment" => {
            let message = message::<TaskAct>(value, kind)?;
            let mut faults = Faults::default();
            same_gig(&mut faults, &message.payload.gig_id, gig);
            faults.length(
                "payload.reason",
                message.payload.reason.as_deref().unwrap_or(""),
                0,
                limits::TEXT_MAX,
            );
            let (by, reason) = (message.sender.clone(), message.payload.reason);
            let command = match kind {
                "TaskAcceptance" => Command::Accept { by, grant, reason },
                "TaskCancellation" => Command::Cancel { by, grant, reason },
                _ => Command::Abandon { by, grant, reason },
            };
            faults.finish(Some((message.sender, message.message_id, command)))?
        }
        _ => {
            let mut faults = Faults::default();
            faults.add(
                "type",
                "must be TaskDelivery, TaskAcceptance, TaskRevision, TaskCancellation or TaskAbandonment",
            );
            return faults.finish(None);
        }
    };
    Ok(Act { operation: operation(kind, &by, &message_id, value), command })
}

/// Keys are scoped by actor and kind: the same message id from another sender, or for another act, is another
/// operation.
fn operation(kind: &str, by: &AgentIdentity, message_id: &MessageId, value: &Value) -> Operation {
    let names = [kind, by.as_str(), message_id.as_str()];
    Operation {
        // A JSON array keeps the three apart whatever characters they hold.
        key: Value::from(names.to_vec()).to_string(),
        fingerprint: Digest::of_json(value).unwrap_or(Digest::ZERO),
    }
}

fn delivery(
    value: &Value,
    gig: &GigId,
    grant: Digest,
) -> Result<(AgentIdentity, MessageId, Command), Problem> {
    let message = message::<TaskDelivery>(value, "TaskDelivery")?;
    let task = message.payload;
    let mut faults = Faults::default();
    same_gig(&mut faults, &task.gig_id, gig);
    faults.length("payload.reason", task.reason.as_deref().unwrap_or(""), 0, limits::TEXT_MAX);
    let result = task.result.map(|result| result.to_string());
    faults.length("payload.result", result.as_deref().unwrap_or(""), 0, limits::JSON_MAX);
    let result_hash = task.result_hash.and_then(|text| {
        let digest: Option<Digest> = serde_json::from_value(Value::from(text.as_str())).ok();
        let lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        if digest.is_none() || !lower {
            faults.add("payload.result_hash", "must be SHA-256 as 64 lower-case hexadecimal digits");
        }
        digest
    });
    if let Some(url) = &task.result_url {
        faults.length("payload.result_url", url, 1, limits::URL_MAX);
        let host = url.strip_prefix("https://").filter(|rest| !rest.starts_with(['/', '?', '#', ':', '@']));
        let is_clean = !url.chars().any(|letter| letter.is_control() || letter.is_whitespace());
        if host.is_none_or(str::is_empty) || !is_clean {
            faults.add("payload.result_url", "must be an https URL");
        }
    }
    let delivery = Delivery { remark: task.reason, result_hash, result, result_url: task.result_url };
    let command = Command::Deliver { by: message.sender.clone(), grant, delivery };
    faults.finish(Some((message.sender, message.message_id, command)))
}

fn same_gig(faults: &mut Faults, text: &str, gig: &GigId) {
    if faults.take("payload.gig_id", text.parse::<GigId>()).is_some_and(|named| named != *gig) {
        faults.add("payload.gig_id", "must be the gig of the path");
    }
}

/// Reads a reconnect body: whose seat, who asks, under which message.
///
/// # Errors
/// 400 with every fault.
pub fn reconnect(value: &Value) -> Result<(Role, AgentIdentity, MessageId), Problem> {
    let body: Reconnect = shape(value)?;
    let mut faults = Faults::default();
    let sender = faults.take("sender", body.sender.parse());
    let message_id = faults.take("message_id", body.message_id.parse());
    let role = match body.role {
        wire::Role::Buyer => Role::Buyer,
        wire::Role::Worker => Role::Worker,
    };
    faults.finish(sender.zip(message_id).map(|(sender, message_id)| (role, sender, message_id)))
}
