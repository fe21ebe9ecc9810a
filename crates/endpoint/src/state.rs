//! Where an endpoint stands, and each message that it is owed.

use std::collections::BTreeMap;

use primitives::{TenantId, UnixMillis, WebhookId};
use serde::{Deserialize, Serialize};

use crate::{Label, Url, limits};

/// Why it is not called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Why {
    /// Its tenant asked for it.
    Asked,
    /// It said that nothing is wanted any more (410).
    Gone,
    /// Nothing but failures for too long.
    Failing,
}

impl Why {
    /// The published name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Gone => "gone",
            Self::Failing => "failing",
        }
    }
}

/// That it is not called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disabled {
    /// Since when.
    pub since: UnixMillis,
    /// Why.
    pub why: Why,
}

/// A secret that another one has taken the place of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Former {
    /// Which.
    pub generation: u32,
    /// It signs until then.
    pub until: UnixMillis,
}

/// A message that is owed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// How many attempts have failed.
    pub failed: u32,
    /// When the next one is due.
    pub next_at: UnixMillis,
    /// Whether it has begun.
    pub is_under_way: bool,
}

impl Pending {
    /// A message that is due at once.
    pub(crate) const fn due(now: UnixMillis) -> Self {
        Self { failed: 0, next_at: now, is_under_way: false }
    }

    /// The number of the attempt that is under way or due.
    pub const fn attempt(&self) -> u32 {
        self.failed.saturating_add(1)
    }
}

/// An endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hook {
    /// Whose it is.
    pub tenant: TenantId,
    /// Where messages go.
    pub url: Url,
    /// What it is for.
    pub description: Option<Label>,
    /// Since when there is one.
    pub since: UnixMillis,
    /// Counts the changes that its tenant makes.
    pub revision: u64,
    /// Which secret signs.
    pub generation: u32,
    /// Which one signs as well.
    pub former: Option<Former>,
    /// That it is not called.
    pub disabled: Option<Disabled>,
    /// Since when there were only failures.
    pub failing_since: Option<UnixMillis>,
    /// What it is owed.
    pub pending: BTreeMap<WebhookId, Pending>,
}

impl Hook {
    /// The generations of secrets that sign at `now`, the newest first (N8).
    pub fn signing(&self, now: UnixMillis) -> impl Iterator<Item = u32> {
        let former = self.former.filter(|former| former.until > now);
        core::iter::once(self.generation).chain(former.map(|former| former.generation))
    }

    /// How many attempts are under way.
    pub(crate) fn under_way(&self) -> usize {
        self.pending.values().filter(|pending| pending.is_under_way).count()
    }

    /// How many more messages can wait.
    pub fn room(&self) -> usize {
        limits::PENDING.saturating_sub(self.pending.len())
    }
}

/// What there is to see of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the endpoint")]
pub struct View {
    pub url: Url,
    pub description: Option<Label>,
    pub since: UnixMillis,
    pub generation: u32,
    pub former: Option<Former>,
    pub disabled: Option<Disabled>,
    pub failing_since: Option<UnixMillis>,
    /// How many messages wait or are under way.
    pub pending: usize,
}

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// There is none of this id.
    #[default]
    Unknown,
    /// There is.
    Open(Box<Hook>),
    /// There was.
    Removed,
}

impl State {
    /// The endpoint, while there is one.
    pub fn hook(&self) -> Option<&Hook> {
        match self {
            Self::Open(hook) => Some(hook),
            Self::Unknown | Self::Removed => None,
        }
    }

    /// What there is to see of it.
    pub fn view(&self) -> Option<View> {
        self.hook().map(|hook| View {
            url: hook.url.clone(),
            description: hook.description.clone(),
            since: hook.since,
            generation: hook.generation,
            former: hook.former,
            disabled: hook.disabled,
            failing_since: hook.failing_since,
            pending: hook.pending.len(),
        })
    }

    /// The published name of the state.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unknown => "UNKNOWN",
            Self::Removed => "REMOVED",
            Self::Open(hook) if hook.disabled.is_some() => "DISABLED",
            Self::Open(hook) if hook.failing_since.is_some() => "FAILING",
            Self::Open(_) => "ENABLED",
        }
    }
}
