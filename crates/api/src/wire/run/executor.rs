//! Browser executors.

use serde::{Deserialize, Serialize};

use super::AgentBrowserCommand;
use crate::wire::answer::REDACTED;

/// `POST /v1/executors`: set up an executor. The body may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Registration {
    /// How you call it, such as `laptop`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// An executor that was set up. Its secret is shown only here.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExecutorRegistered {
    /// What runs are bound to.
    pub executor_id: String,
    /// The bearer token of the executor.
    pub executor_secret: String,
    /// The version of the browser command protocol.
    pub protocol_version: String,
}

// S4, as for grants.
impl core::fmt::Debug for ExecutorRegistered {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { executor_id, executor_secret: _, protocol_version } = self;
        formatter
            .debug_struct("ExecutorRegistered")
            .field("executor_id", executor_id)
            .field("executor_secret", &REDACTED)
            .field("protocol_version", protocol_version)
            .finish()
    }
}

/// An executor as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExecutorAnswer {
    /// Its id.
    pub executor_id: String,
    /// How whoever set it up calls it.
    pub label: Option<String>,
    /// What it does.
    pub status: ExecutorStatus,
    /// When it was last recorded as heard; up to half a minute before it was.
    pub last_seen_at: String,
    /// How many commands are pending.
    pub pending: u64,
}

/// What an executor does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExecutorStatus {
    /// It is there, and nothing is pending.
    Idle,
    /// It is there, and something is pending.
    Busy,
    /// It was not heard for a while.
    Offline,
}

/// Commands that are given out now. Each is given out again if nothing is heard of it within half a minute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CommandsAnswer {
    /// The commands, oldest first.
    pub commands: Vec<AgentBrowserCommand>,
    /// The version of the browser command protocol.
    pub protocol_version: String,
}

/// What an executor's socket is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ExecutorFrame {
    /// A command.
    Command {
        /// It.
        command: Box<AgentBrowserCommand>,
    },
}
