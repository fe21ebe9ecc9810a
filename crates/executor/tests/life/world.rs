//! An executor's queue beside the same queue on paper, with what must hold after everything that happens.

use std::collections::BTreeSet;

use executor::{Command, CommandId, Effect, Fact, Occasion, Refusal, deadline, given, limits};
use primitives::{Digest, RunId, UnixMillis};

use crate::cast::*;
use crate::paper::Paper;

/// What is compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct World {
    pub(crate) life: Life,
    paper: Paper,
    /// Of which orders the run was told that the executor is offline, since it was last heard.
    lost: BTreeSet<CommandId>,
    /// Of which orders the run was told that they are over.
    expired: BTreeSet<CommandId>,
}

impl World {
    /// The executor is registered.
    pub(crate) fn registered() -> Self {
        let mut world = Self::default();
        world.hears(register("S1"), START).unwrap();
        world
    }

    /// Hears a command, and compares.
    pub(crate) fn hears(&mut self, command: Command, now: UnixMillis) -> Result<Heard, Refusal> {
        let before = self.life.state.clone();
        let heard =
            self.life.hears(command.clone(), now).inspect_err(|_| assert_eq!(before, self.life.state))?;
        let silent_since = |paper: &Paper, command_id: &_| paper.silent_since(command_id).unwrap();
        for effect in &heard.owed {
            match effect {
                Effect::Push { .. } => {}
                // X8: once, and never while it was heard lately.
                Effect::Lost { run, command_id } => {
                    assert_eq!(*run, RunId::derive(&[command_id.as_str().as_bytes()]));
                    let silence = now.since(silent_since(&self.paper, command_id));
                    assert!(silence > limits::HEARD_LATELY && !is_sign_of_life(&command), "{silence:?}");
                    assert!(self.lost.insert(command_id.clone()), "{command_id:?} is lost twice");
                }
                // X2: once.
                Effect::Expired { run, command_id } => {
                    assert_eq!(*run, RunId::derive(&[command_id.as_str().as_bytes()]));
                    assert!(self.expired.insert(command_id.clone()), "{command_id:?} is over twice");
                }
            }
        }

        // X3, X4, X6
        let to_be_given = self.paper.hears(&command, now);
        let were_given: Vec<_> =
            given(&self.life.state, &heard.events).iter().map(|order| order.command_id.clone()).collect();
        assert_eq!(were_given, to_be_given, "given out for {command:?}");

        // X2: what came is pending, closed, or told as over.
        let pending = self.paper.pending(now);
        assert_eq!(self.recorded(), pending, "pending after {command:?}");
        assert_eq!(self.expired, self.paper.expired(now).into_iter().collect(), "over after {command:?}");

        // X8: told at the latest then.
        if is_sign_of_life(&command) {
            self.lost.clear();
        }
        for command_id in pending.iter().filter(|it| !self.lost.contains(*it)) {
            let silence = now.since(silent_since(&self.paper, command_id));
            assert!(
                silence < limits::OFFLINE_AFTER,
                "nobody was told that {command_id:?} is lost: {silence:?}"
            );
        }

        // X7
        let due = deadline(&self.life.state);
        assert_eq!(due.is_some(), !pending.is_empty());
        assert!(due.is_none_or(|due| now < due), "{due:?} has passed after {command:?}");
        Ok(heard)
    }

    /// What is pending on record.
    fn recorded(&self) -> Vec<CommandId> {
        let orders = self.life.state.queue().into_iter().flat_map(|queue| &queue.orders);
        orders.map(|pending| pending.order.command_id.clone()).collect()
    }

    /// The same world without what led there.
    pub(crate) fn forgetful(&self) -> Self {
        let life = Life { state: self.life.state.clone(), ..Life::default() };
        Self { life, ..self.clone() }
    }

    /// What tells this world from others.
    pub(crate) fn key(&self) -> Digest {
        let key = format!("{:?} {:?} {:?} {:?}", self.life.state, self.paper, self.lost, self.expired);
        Digest::of(&[key.as_bytes()])
    }
}

/// Whether a command says that the executor is there.
fn is_sign_of_life(command: &Command) -> bool {
    match command {
        Command::Seen => true,
        Command::Lease { occasion, .. } => *occasion != Occasion::Push,
        Command::Register { .. }
        | Command::Enqueue { .. }
        | Command::Renew { .. }
        | Command::Settle { .. }
        | Command::Withdraw { .. }
        | Command::Wake => false,
    }
}

/// Whether a fact says so on record.
pub(crate) fn is_sighting(fact: &Fact) -> bool {
    match fact {
        Fact::Registered { .. } | Fact::Seen => true,
        Fact::Leased { occasion, .. } => *occasion != Occasion::Push,
        Fact::Enqueued { .. }
        | Fact::Renewed { .. }
        | Fact::Returned { .. }
        | Fact::Settled { .. }
        | Fact::Withdrawn { .. }
        | Fact::Expired { .. }
        | Fact::Lost { .. } => false,
    }
}
