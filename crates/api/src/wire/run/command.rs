//! What an executor is asked to do: it observes, navigates and reads. It never places an order and never pays.

use serde::{Deserialize, Serialize};

/// A command for a browser executor. It stays the executor's until its result is here, the run withdraws it, or its time is
/// over; it may be given out more than once under the same `commandId`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AgentBrowserCommand {
    /// What is to be done.
    #[serde(flatten)]
    pub task: BrowserTask,
    /// Its name within the run.
    pub command_id: String,
    /// The run that waits for the result.
    pub run_id: String,
    /// Whom it is for.
    pub executor_id: String,
    /// Its result is not waited for after this.
    pub expires_at: String,
    /// The version of this protocol.
    pub protocol_version: String,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum BrowserTask {
    /// Look at the candidate again in the buyer's session, and come back with `QUOTE`.
    RevalidateCandidate {
        /// Which one.
        candidate: CandidateTask,
    },
    /// Fill the cart up to the point of paying, and come back with `QUOTE`.
    PrepareCheckout {},
    /// Read the cart again that is there, and come back with `QUOTE`.
    ReadCheckout {},
    /// Read the payment target, and come back with `PIX`.
    ReadPix {
        /// What it has to say.
        expected_amount_cents: String,
    },
    /// Look whether the shop has taken the order, and come back with `ORDER`.
    VerifyOrder {},
}

/// A candidate with what is wanted of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CandidateTask {
    /// Its name within the run.
    pub candidate_id: String,
    /// The platform, such as `ifood`.
    pub source: String,
    /// The shop.
    pub merchant_name: String,
    /// The product in words.
    pub requirement: String,
    /// How many.
    pub quantity: u32,
    /// What it was seen to cost in total.
    pub observed_total_cents: String,
}
