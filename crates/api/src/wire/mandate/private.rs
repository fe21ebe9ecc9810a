//! What an owner keeps for itself: names of agents, and drafts of mandates.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A private name for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AgentBody {
    /// The agent's address.
    pub agent: String,
    /// Its name: 1 to 80 characters.
    pub name: String,
}

/// An agent that has a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AgentAnswer {
    /// The agent's address.
    pub agent: String,
    /// Its name.
    pub name: String,
    /// Since when it has one.
    pub created_at: String,
}

/// The agents that have a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AgentsAnswer {
    /// The agents.
    pub agents: Vec<AgentAnswer>,
}

/// A mandate that is being thought about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DraftBody {
    /// Its name: at most 120 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The body of its creation as far as it has come; it is kept and not judged.
    pub mandate: Map<String, Value>,
    /// A transaction that makes it, `0x` and 64 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// Whatever else is to be remembered: at most 500 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A change of a draft. What is absent stays; an empty text is none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct DraftPatch {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The body of its creation, whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mandate: Option<Map<String, Value>>,
    /// A transaction that makes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// Whatever else is to be remembered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DraftAnswer {
    /// Its id, such as `dft_…`.
    pub draft: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The body of its creation as far as it has come.
    pub mandate: Map<String, Value>,
    /// A transaction that makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// Whatever else is to be remembered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When it was made.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: String,
}

/// An owner's drafts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DraftsAnswer {
    /// The drafts.
    pub drafts: Vec<DraftAnswer>,
}
