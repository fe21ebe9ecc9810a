//! The gig board's JSON bodies, contract 1.x: snake_case, times in RFC 3339 UTC, amounts of the bounty in satoshi.
//!
//! These are shapes only. [`crate::inbound`] turns what came in into domain values and says what is wrong with it;
//! [`crate::outbound`] makes what goes out. The client uses the same types.

use serde::{Deserialize, Serialize};
use serde_json::Value;

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

/// The kinds of work that the board lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TaskType {
    /// Fetching and reading web pages.
    WebScrape,
    /// Pulling facts out of given material.
    DataExtraction,
    /// Calculating something.
    Computation,
    /// Calling an API for someone else.
    ApiRelay,
    /// Anything else.
    Custom,
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

/// Whose seat in the tunnel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The agent that posted the gig.
    Buyer,
    /// The agent that claimed it.
    Worker,
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

/// Where a gig stands. The board shows every one of them but `POSTED`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LifecycleState {
    /// Terms reserved, not paid for.
    Posted,
    /// On the board.
    Discoverable,
    /// A worker has it.
    Claimed,
    /// Both parties hold a grant for the tunnel.
    TunnelGranted,
    /// The worker has joined the tunnel.
    InProgress,
    /// The worker says that it is done.
    Delivered,
    /// Accepted, or the review window passed.
    Completed,
    /// Over, well.
    Closed,
    /// Over: the buyer took it back.
    Cancelled,
    /// Over: its time passed.
    Expired,
    /// Over: the worker gave up, or it was never paid for.
    Failed,
}

/// The older, coarser status that contract 1.0 began with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LegacyStatus {
    /// POSTED. Never shown.
    PendingPayment,
    /// DISCOVERABLE.
    Active,
    /// CLAIMED to DELIVERED.
    InProgress,
    /// COMPLETED and CLOSED.
    Completed,
    /// CANCELLED, EXPIRED and FAILED.
    Expired,
}

/// A gig as the board lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GigRecord {
    /// Its id, a UUID.
    pub gig_id: String,
    /// Who posted it.
    pub buyer_pubkey: String,
    /// Who has claimed it.
    pub worker_pubkey: Option<String>,
    /// What it is.
    pub title: String,
    /// What is wanted.
    pub description: String,
    /// The kind of work.
    pub task_type: TaskType,
    /// `task_params` as JSON text.
    pub payload_json: String,
    /// What the buyer offers, in satoshi.
    pub bounty_sats: u32,
    /// The coarse status.
    pub status: LegacyStatus,
    /// Where it stands.
    pub lifecycle_state: LifecycleState,
    /// Grows by one with every transition.
    pub lifecycle_version: u32,
    /// When it was posted.
    pub created_at: String,
    /// When it last moved.
    pub updated_at: String,
    /// When its time is up.
    pub expires_at: String,
}

/// What opens a tunnel, once, and signs the holder's lifecycle messages. Keep it secret; it is shown only here.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TunnelGrant {
    /// The bearer token.
    pub token: String,
    /// Whose seat it opens.
    pub role: Role,
    /// Whom it is bound to; send it as `X-Agent-Identity`.
    pub agent_identity: String,
    /// When it ends with its gig.
    pub expires_at: String,
}

/// The answer to a paid create.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CreateAnswer {
    /// What happened, for people.
    pub message: String,
    /// The gig.
    pub gig: GigRecord,
    /// The buyer's grant; `null` when this is a replay and the first grant is already in use.
    pub tunnel_grant: Option<TunnelGrant>,
}

/// The answer to a claim.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimAnswer {
    /// What happened, for people.
    pub message: String,
    /// The gig.
    pub gig_id: String,
    /// Where to open the WebSocket.
    pub tunnel_url: String,
    /// The worker's grant.
    pub tunnel_grant: TunnelGrant,
}

/// A page of the board, newest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiscoverAnswer {
    /// How many gigs this page holds.
    pub count: usize,
    /// The gigs.
    pub gigs: Vec<GigRecord>,
    /// Pass it as `cursor` for the next page; `null` at the end.
    pub next_cursor: Option<String>,
}

/// Where a gig stands, as the gig itself says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatusAnswer {
    /// What this is, for people.
    pub message: String,
    /// The gig.
    pub gig_id: String,
    /// Where it stands.
    pub lifecycle_state: LifecycleState,
    /// Grows by one with every transition.
    pub lifecycle_version: u32,
    /// Always false here; kept from contract 1.0.
    pub duplicate: bool,
    /// When the gig's time is up.
    pub expires_at: String,
    /// When an unused claim lapses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_expires_at: Option<String>,
    /// When an unanswered delivery counts as accepted, if that is before `expires_at`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_until: Option<String>,
    /// How many revisions the buyer has asked for.
    pub revisions: u32,
    /// Why it is over, if it is: `accepted`, `accepted_by_timeout`, `cancelled`, `abandoned`, `not_claimed`,
    /// `not_delivered`, `not_reviewed` or `never_funded`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_reason: Option<String>,
}

/// The answer to a lifecycle message.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LifecycleAnswer {
    /// What happened, for people.
    pub message: String,
    /// The gig.
    pub gig_id: String,
    /// Where it stood after the message took effect.
    pub lifecycle_state: LifecycleState,
    /// Its version then.
    pub lifecycle_version: u32,
    /// Whether this message had taken effect before; nothing happened now.
    pub duplicate: bool,
    /// Always true here; a refusal is a problem document.
    pub accepted: bool,
}

/// The answer to a reconnect.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReconnectAnswer {
    /// What happened, for people.
    pub message: String,
    /// Where the gig stands.
    pub lifecycle: StatusAnswer,
    /// The gig.
    pub gig_id: String,
    /// Where it stands.
    pub lifecycle_state: LifecycleState,
    /// Its version.
    pub lifecycle_version: u32,
    /// Whether this message had rotated the grant before; it has been rotated once more.
    pub duplicate: bool,
    /// The grant that replaces the old one.
    pub tunnel_grant: TunnelGrant,
}

/// A browser's one-time pass to the tunnel.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TicketAnswer {
    /// Offer it as the second WebSocket subprotocol.
    pub ticket: String,
    /// Offer this as the first; the server selects it.
    pub protocol: String,
    /// When the ticket lapses.
    pub expires_at: String,
}

/// A gig's journal, for its two parties.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalAnswer {
    /// The gig.
    pub gig_id: String,
    /// Every event, oldest first.
    pub entries: Vec<JournalEntry>,
    /// The last entry's hash.
    pub head: String,
}

/// One event. `hash` is SHA-256 over the previous entry's hash (32 bytes, zero before the first) followed by the
/// JSON of `{at, correlation_id, event, seq}` without spaces and with keys sorted.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalEntry {
    /// Counts from 1.
    pub seq: u64,
    /// When it was recorded.
    pub at: String,
    /// What caused it.
    pub correlation_id: String,
    /// What happened.
    pub event: Value,
    /// The chain up to here, lower-case hexadecimal.
    pub hash: String,
}

/// The answer of `GET /health`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HealthAnswer {
    /// The product.
    pub service: String,
    /// The contract's version.
    pub version: String,
    /// `ready` or `not_ready`.
    pub status: String,
    /// Each part by name: `d1`, `lifecycle_coordinator`, `facilitator`, `observability`.
    pub checks: std::collections::BTreeMap<String, String>,
    /// When this was looked at.
    pub timestamp: String,
}
