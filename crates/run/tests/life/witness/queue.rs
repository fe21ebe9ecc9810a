//! The commands of executors: one at a time, each given out once and taken out once.

use std::collections::BTreeMap;

use primitives::{ExecutorId, Millis};
use run::{BrowserCommand, Creation, Effect, Event, Fact, View};

#[derive(Debug, Clone, Default)]
pub(super) struct Queue {
    executor: Option<ExecutorId>,
    /// The command of the last event, until it is given out.
    asked: Option<BrowserCommand>,
    open: BTreeMap<String, ExecutorId>,
}

impl Queue {
    pub(super) fn sees(&mut self, created: &Creation, seq: u64, event: &Event) {
        assert_eq!(self.asked, None, "a command was asked for and not given out");
        let bound = self.executor.get_or_insert_with(|| created.executor.clone());
        if let Fact::ExecutorBound { executor } = &event.fact {
            *bound = executor.clone();
        }
        if let Fact::RevalidationRequested { command }
        | Fact::CheckoutRequested { command }
        | Fact::PixRequested { command }
        | Fact::OrderRequested { command } = &event.fact
        {
            assert_eq!(command.command_id, format!("cmd_{seq}"));
            assert_eq!(&command.executor, bound);
            assert_eq!(command.until, event.at.plus(Millis::from_minutes(10)));
            assert!(self.open.len() <= 1, "{:?}", self.open);
            self.asked = Some(command.clone());
        }
    }

    pub(super) fn owes(&mut self, effect: &Effect) {
        match effect {
            Effect::Dispatch { command } => {
                assert_eq!(self.asked.take().as_ref(), Some(command));
                let twice = self.open.insert(command.command_id.clone(), command.executor.clone());
                assert_eq!(twice, None, "given out twice");
            }
            Effect::Withdraw { executor, command_id } => {
                let of = self.open.remove(command_id);
                assert_eq!(of.as_ref(), Some(executor), "{command_id} is in nobody's queue");
            }
            _ => {}
        }
    }

    pub(super) fn rests(&self, is_over: bool, shown: &View) {
        assert_eq!(self.asked, None, "a command was asked for and not given out");
        let pending: Vec<&String> = shown.pending.iter().map(|command| &command.command_id).collect();
        assert_eq!(
            Vec::from_iter(self.open.keys()),
            pending,
            "what is in the queue is not what is waited for"
        );
        assert!(!is_over || self.open.is_empty(), "{:?} is never taken out", self.open);
    }
}
