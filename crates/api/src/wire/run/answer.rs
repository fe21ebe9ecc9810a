//! What routes of runs answer, and what their streams carry.

use serde::{Deserialize, Serialize};

use super::{NextAction, Run, RunEvent};
use crate::wire::JournalEntry;
use crate::wire::answer::REDACTED;

/// A run that was made. Its token is shown only here.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunCreated {
    /// The run.
    pub run: Run,
    /// The bearer token of the run's owner.
    pub run_token: String,
    /// What should happen next.
    pub next_action: NextAction,
}

// S4, as for grants.
impl core::fmt::Debug for RunCreated {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { run, run_token: _, next_action } = self;
        formatter
            .debug_struct("RunCreated")
            .field("run", run)
            .field("run_token", &REDACTED)
            .field("next_action", next_action)
            .finish()
    }
}

/// A run after what was asked of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunAnswer {
    /// The run.
    pub run: Run,
    /// What should happen next.
    pub next_action: NextAction,
}

/// A run with what has happened to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunHistory {
    /// The run.
    pub run: Run,
    /// Its newest events, or those after the one that was named; oldest first.
    pub events: Vec<RunEvent>,
    /// What should happen next.
    pub next_action: NextAction,
}

/// A page of a run's events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunEventsAnswer {
    /// The events, oldest first.
    pub events: Vec<RunEvent>,
    /// Pass it as `after` for the next page; null at the end.
    pub next_after: Option<u64>,
}

/// A run's journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunJournalAnswer {
    /// The run.
    pub run_id: String,
    /// Every event as it was recorded, oldest first.
    pub entries: Vec<JournalEntry>,
    /// The last entry's hash.
    pub head: String,
}

/// A one-time pass to a stream, for readers that send no headers.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StreamTicket {
    /// Send it as `?ticket=`. It opens one stream.
    pub ticket: String,
    /// When it lapses unused.
    pub expires_at: String,
}

// S4, as for grants.
impl core::fmt::Debug for StreamTicket {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { ticket: _, expires_at } = self;
        formatter
            .debug_struct("StreamTicket")
            .field("ticket", &REDACTED)
            .field("expires_at", expires_at)
            .finish()
    }
}

/// A browser result was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResultAccepted {
    /// The run.
    pub run_id: String,
    /// Always true; a refusal is a problem document.
    pub accepted: bool,
}

/// What a watcher of a run is sent: the data of a server-sent event, or a message of the WebSocket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RunFrame {
    /// Something has happened (`event: run-event`).
    Event {
        /// What.
        event: Box<RunEvent>,
        /// The run, at least as new as the event.
        run: Box<Run>,
        /// The event's line for people.
        message: String,
    },
    /// The place from which the watcher wanted to go on is none (`event: reset`). What follows goes on from this run.
    Reset {
        /// The run as it stands.
        run: Box<Run>,
    },
}

/// What an address holds, read from the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BalancesAnswer {
    /// The address.
    pub address: String,
    /// The chain (CAIP-2), or `simulated`.
    pub network: String,
    /// What it holds of the token that runs are paid in.
    pub public_usdc: String,
    /// What it holds of the chain's own coin, in its smallest unit.
    pub native: String,
    /// Whether nothing of this is so.
    pub simulated: bool,
}

/// The executor of the simulated market.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DemoAnswer {
    /// Bind a run to it.
    pub executor_id: String,
    /// Always true.
    pub simulated: bool,
}
