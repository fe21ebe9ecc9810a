//! Where an executor stands, and each of its orders.

use std::collections::{BTreeMap, BTreeSet};

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{CommandId, Label, Occasion, Order, Progress, limits};

/// What is being done about an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// Nothing: it is to be given out.
    Waiting,
    /// It was given out.
    Leased {
        /// From here on it waits again.
        until: UnixMillis,
    },
    /// The executor works on it.
    Started {
        /// From here on it waits again.
        until: UnixMillis,
    },
    /// The executor needs its user.
    Parked {
        /// From here on it waits again.
        until: UnixMillis,
    },
}

impl Standing {
    /// That of an order with which the executor is that far.
    pub(crate) const fn of(progress: Progress, until: UnixMillis) -> Self {
        match progress {
            Progress::Started => Self::Started { until },
            Progress::NeedsUser => Self::Parked { until },
        }
    }

    /// When it waits again, unless it does already.
    pub(crate) const fn held_until(self) -> Option<UnixMillis> {
        match self {
            Self::Waiting => None,
            Self::Leased { until } | Self::Started { until } | Self::Parked { until } => Some(until),
        }
    }
}

/// An order that is pending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The order.
    pub order: Order,
    /// When it was given.
    pub since: UnixMillis,
    /// What is being done about it.
    pub standing: Standing,
}

impl Pending {
    /// Whether nobody wants it any more at `now`.
    pub(crate) fn is_over(&self, now: UnixMillis) -> bool {
        self.order.until <= now
    }

    /// Whether a hold on it has run out at `now`, which is to be recorded.
    pub(crate) fn is_let_go(&self, now: UnixMillis) -> bool {
        self.standing.held_until().is_some_and(|until| until <= now)
    }

    /// Whether it can be given out at `now`.
    pub(crate) fn may_be_given(&self, occasion: Occasion, now: UnixMillis) -> bool {
        match self.standing {
            Standing::Waiting => true,
            Standing::Leased { .. } | Standing::Started { .. } => self.is_let_go(now),
            Standing::Parked { .. } => occasion == Occasion::PollAll || self.is_let_go(now),
        }
    }
}

/// A registered executor with its orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    /// SHA-256 of its secret.
    pub secret: Digest,
    /// How it is called.
    pub label: Option<Label>,
    /// When it was registered.
    pub since: UnixMillis,
    /// When it was last recorded as heard.
    pub seen_at: UnixMillis,
    /// What is pending, oldest first.
    pub orders: Vec<Pending>,
    /// Of which of these the run was told that the executor is offline, since it was last heard.
    pub lost: BTreeSet<CommandId>,
    /// Orders that were closed before their end, with that end.
    pub closed: BTreeMap<CommandId, UnixMillis>,
}

impl Queue {
    /// An executor that registered at `now`.
    pub(crate) const fn new(secret: Digest, label: Option<Label>, now: UnixMillis) -> Self {
        Self {
            secret,
            label,
            since: now,
            seen_at: now,
            orders: Vec::new(),
            lost: BTreeSet::new(),
            closed: BTreeMap::new(),
        }
    }

    /// The orders that are not over at `now`, oldest first.
    pub fn pending(&self, now: UnixMillis) -> impl Iterator<Item = &Pending> {
        self.orders.iter().filter(move |pending| !pending.is_over(now))
    }

    /// The order of this id that is pending at `now`.
    pub(crate) fn find(&self, command_id: &CommandId, now: UnixMillis) -> Option<&Pending> {
        self.pending(now).find(|pending| pending.order.command_id == *command_id)
    }

    /// Whether the order of this id was closed, and a copy of it could still come.
    pub(crate) fn is_closed(&self, command_id: &CommandId, now: UnixMillis) -> bool {
        self.closed.get(command_id).is_some_and(|until| *until > now)
    }

    /// The end of every name that is kept, pending or closed.
    pub(crate) fn ends(&self, now: UnixMillis) -> impl Iterator<Item = UnixMillis> {
        let pending = self.orders.iter().map(|pending| pending.order.until);
        pending.chain(self.closed.values().copied()).filter(move |until| *until > now)
    }

    /// When the run of an order is told that the executor is offline, unless that was said or somebody is heard before. An
    /// order that comes to an executor that is offline gives it as long to come back.
    pub(crate) fn lost_at(&self, pending: &Pending) -> Option<UnixMillis> {
        let heard = self.seen_at.max(pending.since);
        (!self.lost.contains(&pending.order.command_id)).then(|| heard.plus(limits::OFFLINE_AFTER))
    }
}

/// The published name of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the state picture of the crate says what each is")]
pub enum Lifecycle {
    Unregistered,
    Idle,
    Busy,
    Offline,
}

impl Lifecycle {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unregistered => "UNREGISTERED",
            Self::Idle => "IDLE",
            Self::Busy => "BUSY",
            Self::Offline => "OFFLINE",
        }
    }
}

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Nobody has come with this secret.
    #[default]
    Unregistered,
    /// An executor.
    Registered(Box<Queue>),
}

impl State {
    /// The executor, once there is one.
    pub fn queue(&self) -> Option<&Queue> {
        match self {
            Self::Unregistered => None,
            Self::Registered(queue) => Some(queue),
        }
    }

    /// The published name, as of the last event: offline as soon as a run was told so.
    pub fn lifecycle(&self) -> Lifecycle {
        match self {
            Self::Unregistered => Lifecycle::Unregistered,
            Self::Registered(queue) if !queue.lost.is_empty() => Lifecycle::Offline,
            Self::Registered(queue) if !queue.orders.is_empty() => Lifecycle::Busy,
            Self::Registered(_) => Lifecycle::Idle,
        }
    }

    /// The published name at `now`. Of an idle executor no event says that it went offline; the time alone does.
    pub fn status(&self, now: UnixMillis) -> Lifecycle {
        match self {
            Self::Unregistered => Lifecycle::Unregistered,
            Self::Registered(queue) if now >= queue.seen_at.plus(limits::OFFLINE_AFTER) => Lifecycle::Offline,
            Self::Registered(queue) if queue.pending(now).next().is_some() => Lifecycle::Busy,
            Self::Registered(_) => Lifecycle::Idle,
        }
    }
}
