//! What has happened to an executor: the journal's format, and how each event moves the state.

use primitives::{Digest, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{CommandId, Label, Lifecycle, Occasion, Order, Pending, Progress, Queue, Standing, State};

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
    /// There is an executor.
    Registered { secret: Digest, label: Option<Label> },
    /// An order was given.
    Enqueued { order: Order },
    /// Orders were given out.
    Leased { command_ids: Vec<CommandId>, until: UnixMillis, occasion: Occasion },
    /// The executor is that far with an order.
    Renewed { command_id: CommandId, progress: Progress, until: UnixMillis },
    /// Nobody holds these orders any more.
    Returned { command_ids: Vec<CommandId> },
    /// The run has the result.
    Settled { command_id: CommandId, until: UnixMillis },
    /// The run does not want it.
    Withdrawn { command_id: CommandId, until: UnixMillis },
    /// These orders' ends came.
    Expired { command_ids: Vec<CommandId> },
    /// The executor is offline while these orders are pending.
    Lost { command_ids: Vec<CommandId> },
    /// The executor was heard.
    Seen,
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
    /// Where the executor stood.
    pub lifecycle: Lifecycle,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let at = self.at.to_rfc3339();
        write!(formatter, "an event recorded at {at} does not follow from {}", self.lifecycle.name())
    }
}

impl core::error::Error for Corrupt {}

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(state: State, event: &Event) -> Result<State, Corrupt> {
    let at = event.at;
    let corrupt = Corrupt { at, lifecycle: state.lifecycle() };
    let next = match state {
        State::Unregistered => registered(&event.fact, at),
        State::Registered(mut queue) => queue.take(&event.fact, at).map(|()| queue),
    };
    next.map(State::Registered).ok_or(corrupt)
}

fn registered(fact: &Fact, at: UnixMillis) -> Option<Box<Queue>> {
    match fact {
        Fact::Registered { secret, label } => Some(Box::new(Queue::new(*secret, label.clone(), at))),
        Fact::Enqueued { .. }
        | Fact::Leased { .. }
        | Fact::Renewed { .. }
        | Fact::Returned { .. }
        | Fact::Settled { .. }
        | Fact::Withdrawn { .. }
        | Fact::Expired { .. }
        | Fact::Lost { .. }
        | Fact::Seen => None,
    }
}

impl Queue {
    /// Lets a fact happen; nothing when it cannot.
    fn take(&mut self, fact: &Fact, at: UnixMillis) -> Option<()> {
        // A copy of an order that comes after its end is refused for that.
        self.closed.retain(|_, until| *until > at);
        match fact {
            Fact::Registered { .. } => None,
            Fact::Enqueued { order } => self.enqueued(order, at),
            Fact::Leased { command_ids, until, occasion } => self.leased(command_ids, *until, *occasion, at),
            Fact::Renewed { command_id, progress, until } => {
                self.get(command_id, at)?.standing = Standing::of(*progress, *until);
                Some(())
            }
            Fact::Returned { command_ids } => command_ids.iter().try_for_each(|command_id| {
                let pending = self.get(command_id, at).filter(|pending| pending.is_let_go(at))?;
                pending.standing = Standing::Waiting;
                Some(())
            }),
            Fact::Settled { command_id, until } | Fact::Withdrawn { command_id, until } => {
                self.closed(command_id, *until, at)
            }
            Fact::Expired { command_ids } => command_ids.iter().try_for_each(|command_id| {
                (self.find(command_id, at).is_none() && self.drop(command_id)).then_some(())
            }),
            Fact::Lost { command_ids } => command_ids.iter().try_for_each(|command_id| {
                let pending = self.find(command_id, at)?;
                self.lost_at(pending).filter(|lost_at| *lost_at <= at)?;
                self.lost.insert(command_id.clone()).then_some(())
            }),
            Fact::Seen => {
                self.seen(at);
                Some(())
            }
        }
    }

    /// The order of this id that is pending at `at`.
    fn get(&mut self, command_id: &CommandId, at: UnixMillis) -> Option<&mut Pending> {
        let is_it = |pending: &&mut Pending| pending.order.command_id == *command_id && !pending.is_over(at);
        self.orders.iter_mut().find(is_it)
    }

    /// Forgets an order; answers whether it was there.
    fn drop(&mut self, command_id: &CommandId) -> bool {
        let before = self.orders.len();
        self.orders.retain(|pending| pending.order.command_id != *command_id);
        self.lost.remove(command_id);
        self.orders.len() < before
    }

    fn seen(&mut self, at: UnixMillis) {
        self.seen_at = at;
        self.lost.clear();
    }

    fn enqueued(&mut self, order: &Order, at: UnixMillis) -> Option<()> {
        let command_id = &order.command_id;
        let is_known = self.closed.contains_key(command_id)
            || self.orders.iter().any(|pending| pending.order.command_id == *command_id);
        (!is_known && order.until > at).then(|| {
            self.orders.push(Pending { order: order.clone(), since: at, standing: Standing::Waiting });
        })
    }

    fn leased(
        &mut self,
        command_ids: &[CommandId],
        until: UnixMillis,
        occasion: Occasion,
        at: UnixMillis,
    ) -> Option<()> {
        for command_id in command_ids {
            let pending = self.get(command_id, at).filter(|pending| pending.may_be_given(occasion, at))?;
            pending.standing = Standing::Leased { until };
        }
        if occasion.is_sign_of_life() {
            self.seen(at);
        }
        Some(())
    }

    fn closed(&mut self, command_id: &CommandId, until: UnixMillis, at: UnixMillis) -> Option<()> {
        self.drop(command_id);
        (until > at && self.closed.insert(command_id.clone(), until).is_none()).then_some(())
    }
}
