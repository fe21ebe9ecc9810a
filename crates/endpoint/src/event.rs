//! What has happened to an endpoint: the journal's format, and how each event moves the state.

use std::collections::BTreeMap;

use primitives::{TenantId, UnixMillis, WebhookId};
use serde::{Deserialize, Serialize};

use crate::{Came, Disabled, Former, Hook, Label, Message, Outcome, Pending, State, Url, Why, limits};

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
#[expect(missing_docs, reason = "the fields are those of the command or state that each belongs to")]
pub enum Fact {
    /// There is an endpoint.
    Opened { tenant: TenantId, url: Url, description: Option<Label> },
    /// Its address or description is another one; both as they are now.
    Changed { url: Url, description: Option<Label> },
    /// It is called again.
    Enabled,
    /// It is not called.
    Disabled { why: Why },
    /// It has a new secret. The former signs until then; none: not any more.
    Rotated { until: Option<UnixMillis> },
    /// A message is owed.
    Accepted { message: Message },
    /// A message came that it is not owed: it is disabled, or too much waits.
    Missed { message: Message },
    /// Attempts have begun.
    Begun { messages: Vec<WebhookId> },
    /// An attempt has come to something. A message that is to be sent again is so at `next_at`.
    Answered { message: WebhookId, attempt: u32, result: Came, next_at: Option<UnixMillis> },
    /// Messages that were on file are owed again.
    Resent { messages: Vec<WebhookId> },
    /// It is not wanted any more.
    Removed,
}

impl Event {
    /// How many messages are sent again with it.
    pub fn resent(&self) -> usize {
        match &self.fact {
            Fact::Resent { messages } => messages.len(),
            Fact::Opened { .. }
            | Fact::Changed { .. }
            | Fact::Enabled
            | Fact::Disabled { .. }
            | Fact::Rotated { .. }
            | Fact::Accepted { .. }
            | Fact::Missed { .. }
            | Fact::Begun { .. }
            | Fact::Answered { .. }
            | Fact::Removed => 0,
        }
    }
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
    /// Where the endpoint stood.
    pub lifecycle: &'static str,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let at = self.at.to_rfc3339();
        write!(formatter, "an event recorded at {at} does not follow from {}", self.lifecycle)
    }
}

impl core::error::Error for Corrupt {}

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(state: State, event: &Event) -> Result<State, Corrupt> {
    let corrupt = Corrupt { at: event.at, lifecycle: state.name() };
    let next = match (state, &event.fact) {
        (State::Unknown, Fact::Opened { tenant, url, description }) => {
            Some(State::Open(Box::new(opened(tenant, url, description.clone(), event.at))))
        }
        (State::Open(_), Fact::Removed) => Some(State::Removed),
        (State::Open(mut hook), fact) => hook.take(fact, event.at).map(|()| State::Open(hook)),
        (State::Unknown | State::Removed, _) => None,
    };
    next.ok_or(corrupt)
}

fn opened(tenant: &TenantId, url: &Url, description: Option<Label>, at: UnixMillis) -> Hook {
    Hook {
        tenant: tenant.clone(),
        url: url.clone(),
        description,
        since: at,
        revision: 1,
        generation: 1,
        former: None,
        disabled: None,
        failing_since: None,
        pending: BTreeMap::new(),
    }
}

impl Hook {
    /// Lets a fact happen; nothing when it cannot.
    fn take(&mut self, fact: &Fact, at: UnixMillis) -> Option<()> {
        match fact {
            Fact::Opened { .. } | Fact::Removed => return None,
            Fact::Changed { url, description } => {
                (self.url, self.description) = (url.clone(), description.clone());
                self.changed()?;
            }
            Fact::Enabled => {
                self.disabled.take()?;
                self.failing_since = None;
                self.changed()?;
            }
            Fact::Disabled { why } => {
                if self.disabled.replace(Disabled { since: at, why: *why }).is_some() {
                    return None;
                }
                // What is under way will be answered; the rest is owed no more (N7).
                self.pending.retain(|_, pending| pending.is_under_way);
                self.changed()?;
            }
            Fact::Rotated { until } => {
                self.former = until.map(|until| Former { generation: self.generation, until });
                self.generation = self.generation.checked_add(1)?;
                self.changed()?;
            }
            Fact::Accepted { message } => self.owe(&message.id, at)?,
            Fact::Missed { .. } => {}
            Fact::Begun { messages } => messages.iter().try_for_each(|id| self.begin(id, at))?,
            Fact::Answered { message, attempt, result, next_at } => {
                self.answered(message, *attempt, result.outcome, *next_at, at)?;
            }
            Fact::Resent { messages } => messages.iter().try_for_each(|id| {
                // One that waits for its next attempt is sent now, from the first one on.
                self.pending.remove(id).is_none_or(|pending| !pending.is_under_way).then_some(())?;
                self.owe(id, at)
            })?,
        }
        Some(())
    }

    fn changed(&mut self) -> Option<()> {
        self.revision = self.revision.checked_add(1)?;
        Some(())
    }

    fn owe(&mut self, id: &WebhookId, at: UnixMillis) -> Option<()> {
        let fits = self.disabled.is_none() && self.room() > 0;
        (fits && self.pending.insert(id.clone(), Pending::due(at)).is_none()).then_some(())
    }

    fn begin(&mut self, id: &WebhookId, at: UnixMillis) -> Option<()> {
        let may = self.disabled.is_none() && self.under_way() < limits::AT_ONCE;
        let pending = self.pending.get_mut(id).filter(|it| may && !it.is_under_way && it.next_at <= at)?;
        pending.is_under_way = true;
        Some(())
    }

    fn answered(
        &mut self,
        id: &WebhookId,
        attempt: u32,
        outcome: Outcome,
        next_at: Option<UnixMillis>,
        at: UnixMillis,
    ) -> Option<()> {
        let before = self.pending.remove(id).filter(|it| it.is_under_way && it.attempt() == attempt)?;
        match outcome {
            Outcome::Taken => self.failing_since = None,
            Outcome::Gone | Outcome::Again { .. } => {
                self.failing_since.get_or_insert(at);
            }
        }
        if let Some(next_at) = next_at {
            let again = Pending { failed: before.attempt(), next_at, is_under_way: false };
            self.pending.insert(id.clone(), again);
        }
        Some(())
    }
}
