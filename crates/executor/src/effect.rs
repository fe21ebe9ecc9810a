//! What a queue owes the world, and when time changes it.

use primitives::{RunId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{CommandId, Event, Fact, Pending, State};

/// What the shell owes the world, once, after the event is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// If a socket of the executor is open, give out what is to be given out, with [`crate::Command::Lease`], and send it.
    Push {
        /// The order for which it is time.
        command_id: CommandId,
    },
    /// Tell the run that the executor is offline. The order stays until the run withdraws it or it ends.
    Lost {
        /// The run.
        run: RunId,
        /// Its order.
        command_id: CommandId,
    },
    /// Tell the run that the order has ended without a result.
    Expired {
        /// The run.
        run: RunId,
        /// Its order.
        command_id: CommandId,
    },
}

/// What is owed once `event` has led away from `before` (X2, X8).
pub fn effects(before: &State, event: &Event) -> Vec<Effect> {
    let told = |command_ids: &[CommandId], tell: fn(RunId, CommandId) -> Effect| {
        let orders = before.queue().map_or(&[][..], |queue| &queue.orders);
        let named = |pending: &&Pending| command_ids.contains(&pending.order.command_id);
        let orders = orders.iter().filter(named).map(|pending| &pending.order);
        orders.map(|order| tell(order.run.clone(), order.command_id.clone())).collect()
    };
    match &event.fact {
        Fact::Enqueued { order } => vec![Effect::Push { command_id: order.command_id.clone() }],
        Fact::Returned { command_ids } => told(command_ids, |_, command_id| Effect::Push { command_id }),
        Fact::Lost { command_ids } => told(command_ids, |run, command_id| Effect::Lost { run, command_id }),
        Fact::Expired { command_ids } => {
            told(command_ids, |run, command_id| Effect::Expired { run, command_id })
        }
        Fact::Registered { .. }
        | Fact::Leased { .. }
        | Fact::Renewed { .. }
        | Fact::Settled { .. }
        | Fact::Withdrawn { .. }
        | Fact::Seen => Vec::new(),
    }
}

/// The next moment at which time alone changes the state; `None` when nothing is pending (X7). An executor that is idle
/// needs no alarm: nobody waits for it.
pub fn deadline(state: &State) -> Option<UnixMillis> {
    let queue = state.queue()?;
    let moments = queue.orders.iter().map(|pending| {
        let others = [pending.standing.held_until(), queue.lost_at(pending)];
        others.into_iter().flatten().fold(pending.order.until, UnixMillis::min)
    });
    moments.min()
}
