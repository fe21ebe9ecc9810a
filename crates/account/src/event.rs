//! What has happened to an account: the journal's format, and how each event moves the state.

use std::collections::btree_map::Entry;

use alloy_primitives::Address;
use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Agent, Change, Content, Draft, DraftId, Name, State};

/// One event of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it was recorded.
    pub at: UnixMillis,
    /// What happened.
    pub fact: Fact,
}

/// What can have happened. Variants are only added, and fields only with a default: old journals must replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the command that each answers")]
pub enum Fact {
    /// The agent has this name.
    Named { agent: Address, name: Name },
    /// The agent has none.
    Forgotten { agent: Address },
    /// There is a draft.
    Drafted { id: DraftId, fingerprint: Digest, content: Content },
    /// The draft says something else.
    Changed { id: DraftId, changes: Vec<Change> },
    /// There is no such draft.
    Discarded { id: DraftId },
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "an event of an account recorded at {} does not follow", self.at.to_rfc3339())
    }
}

impl core::error::Error for Corrupt {}

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(mut state: State, event: &Event) -> Result<State, Corrupt> {
    let at = event.at;
    let follows = match &event.fact {
        Fact::Named { agent, name } => named(&mut state, *agent, name, at),
        Fact::Forgotten { agent } => state.agents.remove(agent).is_some(),
        Fact::Drafted { id, fingerprint, content } => match state.drafts.entry(*id) {
            Entry::Vacant(place) => {
                let (fingerprint, content) = (*fingerprint, content.clone());
                place.insert(Draft { fingerprint, content, version: 1, drafted_at: at, changed_at: at });
                true
            }
            Entry::Occupied(_) => false,
        },
        Fact::Changed { id, changes } => changed(&mut state, id, changes, at),
        Fact::Discarded { id } => state.drafts.remove(id).is_some(),
    };
    if follows { Ok(state) } else { Err(Corrupt { at }) }
}

/// Names an agent; answers whether that is another name than it had.
fn named(state: &mut State, agent: Address, name: &Name, at: UnixMillis) -> bool {
    let since = match state.agents.get(&agent) {
        Some(known) if known.name == *name => return false,
        Some(known) => known.since,
        None => at,
    };
    state.agents.insert(agent, Agent { name: name.clone(), since });
    true
}

/// Changes a draft; answers whether it says something else then.
fn changed(state: &mut State, id: &DraftId, changes: &[Change], at: UnixMillis) -> bool {
    let Some(draft) = state.drafts.get_mut(id) else { return false };
    let content = draft.content.clone().with(changes);
    if content == draft.content {
        return false;
    }
    draft.content = content;
    draft.version = draft.version.saturating_add(1);
    draft.changed_at = at;
    true
}
