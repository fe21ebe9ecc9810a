//! `TaskDelegation`: a gig to be posted.

use primitives::{AgentIdentity, GigId, MessageId, Millis};
use serde_json::Value;

use super::{Faults, message};
use crate::limits;
use crate::problem::Problem;
use crate::wire::TaskDelegation;

/// A posting that is right in itself; its gig id follows from who pays.
#[derive(Debug, Clone, PartialEq)]
pub struct Posting {
    sender: AgentIdentity,
    message_id: MessageId,
    title: String,
    description: String,
    task_type: String,
    task_params: String,
    bounty_sats: u32,
    lifetime: Millis,
}

/// Reads a `TaskDelegation`.
///
/// # Errors
/// 400 with every fault.
pub fn posting(value: &Value) -> Result<Posting, Problem> {
    let message = message::<TaskDelegation>(value, "TaskDelegation")?;
    let task = message.payload;
    let mut faults = Faults::default();
    faults.length("payload.title", &task.title, 1, limits::TITLE_MAX);
    faults.length("payload.description", &task.description, 1, limits::TEXT_MAX);
    let task_params = Value::Object(task.task_params).to_string();
    faults.length("payload.task_params", &task_params, 0, limits::JSON_MAX);
    let mut in_range = |field: &str, number: u32, max: u32| {
        if !(1..=max).contains(&number) {
            faults.add(field, format!("is {number}; 1 to {max} are allowed"));
        }
    };
    in_range("payload.bounty_sats", task.bounty_sats, limits::BOUNTY_MAX);
    in_range("payload.ttl_minutes", task.ttl_minutes, limits::TTL_MINUTES_MAX);
    let task_type =
        serde_json::to_value(task.task_type).ok().and_then(|name| name.as_str().map(str::to_owned));
    faults.finish(task_type.map(|task_type| Posting {
        sender: message.sender,
        message_id: message.message_id,
        title: task.title,
        description: task.description,
        task_type,
        task_params,
        bounty_sats: task.bounty_sats,
        lifetime: Millis::from_minutes(u64::from(task.ttl_minutes)),
    }))
}

impl Posting {
    /// The gig's terms once it is known who pays. The timeouts are the board's.
    pub fn terms(self, payer: &[u8; 20], claim_timeout: Millis, review_window: Millis) -> gig::Terms {
        gig::Terms {
            gig_id: GigId::derive(payer, &self.sender, &self.message_id),
            buyer: self.sender,
            message_id: self.message_id,
            title: self.title,
            description: self.description,
            task_type: self.task_type,
            task_params: self.task_params,
            bounty_sats: self.bounty_sats,
            lifetime: self.lifetime,
            claim_timeout,
            review_window,
        }
    }
}
