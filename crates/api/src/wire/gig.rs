//! A gig in the board's words.

use serde::{Deserialize, Serialize};

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
