//! What an account holds.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256};
use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{DraftId, Label, Name, Note, Plan};

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Agents with a name, by their addresses.
    pub agents: BTreeMap<Address, Agent>,
    /// Drafts by their ids.
    pub drafts: BTreeMap<DraftId, Draft>,
}

impl State {
    /// The published name.
    pub fn name(&self) -> &'static str {
        if self.agents.is_empty() && self.drafts.is_empty() { "EMPTY" } else { "KEEPING" }
    }
}

/// An agent with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// The name.
    pub name: Name,
    /// When the agent was named first.
    pub since: UnixMillis,
}

/// A draft of a mandate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The digest of the words in which it was asked for.
    pub fingerprint: Digest,
    /// What it says.
    pub content: Content,
    /// Counts from 1.
    pub version: u32,
    /// When it was drafted.
    pub drafted_at: UnixMillis,
    /// When it was changed last.
    pub changed_at: UnixMillis,
}

/// What a draft says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// What the owner calls it.
    pub label: Label,
    /// What the mandate is to be.
    pub plan: Plan,
    /// The transaction that is to create the mandate, once one was sent.
    pub transaction: Option<B256>,
    /// The owner's note.
    pub note: Note,
}

/// One part of a draft as it is to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// The label.
    Label(Label),
    /// The mandate.
    Plan(Plan),
    /// The transaction; `None` for one that was given up.
    Transaction(Option<B256>),
    /// The note.
    Note(Note),
}

impl Content {
    /// The content after these changes, the last of which stands.
    pub(crate) fn with(mut self, changes: &[Change]) -> Self {
        for change in changes {
            match change {
                Change::Label(label) => self.label = label.clone(),
                Change::Plan(plan) => self.plan = plan.clone(),
                Change::Transaction(transaction) => self.transaction = *transaction,
                Change::Note(note) => self.note = note.clone(),
            }
        }
        self
    }
}
