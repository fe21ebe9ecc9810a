//! What agents send.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Role, TaskType};

/// A message of the board. `type` names the payload's shape.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Envelope<P> {
    /// The sender's own name for this message; repeated, it asks for the same thing again.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 256)))]
    pub message_id: String,
    /// How the sending agent names itself.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 512)))]
    pub sender: String,
    /// `TaskDelegation`, `TaskClaim`, `TaskDelivery`, `TaskAcceptance`, `TaskRevision`, `TaskCancellation` or
    /// `TaskAbandonment`, whichever the route takes.
    #[serde(rename = "type")]
    pub kind: String,
    /// The payload of that type.
    pub payload: P,
}

/// `TaskDelegation`: a gig to be posted.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskDelegation {
    /// What it is, in a line.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 80)))]
    pub title: String,
    /// What is wanted.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 500)))]
    pub description: String,
    /// The kind of work.
    pub task_type: TaskType,
    /// Parameters of the task, public on the board; at most 10,000 characters as JSON.
    pub task_params: serde_json::Map<String, Value>,
    /// What the buyer offers, in satoshi. The board does not move it.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1_000_000)))]
    pub bounty_sats: u32,
    /// How long the gig lives from its funding, in minutes.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 120)))]
    pub ttl_minutes: u32,
}

/// `TaskClaim`: a worker takes a gig.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskClaim {
    /// The gig.
    pub gig_id: String,
}

/// `TaskDelivery`: the worker says that the work is done, and may say what it is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskDelivery {
    /// The gig, as in the path.
    pub gig_id: String,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 500)))]
    pub reason: Option<String>,
    /// SHA-256 of the result, lower-case hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub result_hash: Option<String>,
    /// The result itself, at most 10,000 characters as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Where the result lies: an https URL. The board never fetches it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 2048), regex(pattern = "^https://")))]
    pub result_url: Option<String>,
}

/// `TaskAcceptance`, `TaskCancellation` and `TaskAbandonment`: an act with an optional remark.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskAct {
    /// The gig, as in the path.
    pub gig_id: String,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 500)))]
    pub reason: Option<String>,
}

/// `TaskRevision`: the buyer asks for the delivery to be mended, at most three times a gig.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskRevision {
    /// The gig, as in the path.
    pub gig_id: String,
    /// What has to change.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 500)))]
    pub reason: String,
}

/// The body of `POST /v1/gigs/{id}/reconnect`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reconnect {
    /// The sender's own name for this message.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 256)))]
    pub message_id: String,
    /// How the sending agent names itself.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 512)))]
    pub sender: String,
    /// The sender's seat.
    pub role: Role,
}
