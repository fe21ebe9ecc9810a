//! A witness of a run: a second, slow book of the same events, kept from what is published alone. It knows no state of the
//! core, and fails the test at the first event or effect that a careful buyer would not put a signature under.

mod money;
mod queue;
mod shops;

use primitives::UnixMillis;
use run::{Command, Creation, Effect, Event, Fact, Refusal, State, View};

use crate::purchase::{Heard, Life, Purchase, is_terminal, name, view};
pub(crate) use shops::faults_of;

/// What a witness has seen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Witness {
    events: u64,
    created: Option<Creation>,
    shops: shops::Shops,
    queue: queue::Queue,
    money: money::Money,
    notes: usize,
    used: bool,
}

/// The most that one command may cause: what it says itself, and 25 steps of the agent.
const EVENTS_PER_COMMAND: usize = 30;
/// The most that a state may weigh: it is written whole with each command.
pub(crate) const STATE_BYTES: usize = 64 * 1024;

impl Witness {
    /// Lets a life hear a command, and sees what becomes of it.
    pub(crate) fn hears(
        &mut self,
        life: &mut Life,
        command: Command,
        now: UnixMillis,
    ) -> Result<Heard, Refusal> {
        let before = life.state.clone();
        let heard = life.hears(command.clone(), now)?;
        self.sees(&before, &command, &heard.events, now);
        Ok(heard)
    }

    /// Sees one command judged and recorded.
    pub(crate) fn sees(
        &mut self,
        before: &State,
        command: &Command,
        events: &[Event],
        now: UnixMillis,
    ) -> State {
        let mut state = before.clone();
        assert!(events.len() <= EVENTS_PER_COMMAND, "{} events of {command:?}", events.len());
        if view(before).is_some_and(|view| is_terminal(view.state)) {
            assert!(events.iter().all(is_of_token), "R6: after the end: {events:?}");
        }
        for event in events {
            let effects = run::effects(&state, event);
            let after = run::apply(state.clone(), event).unwrap_or_else(|why| panic!("{why}: {event:?}"));
            self.sees_event(&state, event, &effects, &after);
            state = after;
        }
        self.rests(&state, now);
        state
    }

    fn sees_event(&mut self, before: &State, event: &Event, effects: &[Effect], after: &State) {
        self.events += 1;
        let (seq, fact) = (self.events, &event.fact);
        if let Fact::IntentCreated(creation) = fact {
            assert_eq!(seq, 1, "made twice");
            self.created = Some(creation.as_ref().clone());
        }
        let Some(created) = self.created.clone() else { panic!("{} before there is a run", name(fact)) };
        let shown = view(after).unwrap();
        assert_eq!((shown.version, shown.updated_at), (seq, event.at), "R10: {}", name(fact));
        if let Some(earlier) = view(before) {
            let is_over = is_terminal(earlier.state) && !is_of_token(event);
            assert!(!is_over, "R6: {} after the end", name(fact));
            assert!(event.at >= earlier.updated_at, "R10: {} goes back in time", name(fact));
        }
        self.shops.sees(&created, seq, event);
        self.money.sees(&created, &self.shops, event);
        self.queue.sees(&created, seq, event);
        for effect in effects {
            self.queue.owes(effect);
            self.money.owes(effect);
        }
        self.notes(before, fact, &shown);
        self.money.agrees_with(&shown);
        self.shops.agrees_with(&shown);
        told(event, &created);
    }

    /// What is written down without changing anything is bounded.
    fn notes(&mut self, before: &State, fact: &Fact, shown: &View) {
        match fact {
            Fact::SignalRefused { .. } | Fact::WalletIgnored { .. } => {
                self.notes += 1;
                let mut was = view(before).unwrap();
                (was.version, was.updated_at) = (shown.version, shown.updated_at);
                assert_eq!(was, *shown, "R9: a refusal has changed something");
            }
            Fact::TokenUsed => {
                assert!(!core::mem::replace(&mut self.used, true), "used for the first time twice")
            }
            Fact::TokenReissued { .. } => assert!(!self.used, "issued again after its use"),
            _ => {}
        }
        assert!(self.notes <= 100, "{} notes", self.notes);
    }

    /// What holds between two commands.
    fn rests(&self, state: &State, now: UnixMillis) {
        let Some(shown) = view(state) else { return };
        let is_over = is_terminal(shown.state);
        assert_eq!(run::deadline(state).is_none(), is_over, "R7: {:?}", shown.state);
        self.money.rests(is_over, &shown);
        self.queue.rests(is_over, &shown);
        let next = run::next_action(state.run().unwrap(), now);
        assert!(!next.action.is_empty() && next.message.ends_with('.'), "{next:?}");
        assert!(next.until.is_none_or(|until| !is_over && until > UnixMillis(0)), "{next:?}");
        let created = self.created.as_ref().unwrap();
        assert!(!format!("{shown:?}").contains(&created.token.to_string()), "R11: the token is shown");
    }
}

/// Whoever has lost the answer to its creation can still read what has become of a run.
const fn is_of_token(event: &Event) -> bool {
    matches!(event.fact, Fact::TokenReissued { .. })
}

/// Every event has a line for people, and no line tells a secret.
fn told(event: &Event, created: &Creation) {
    let line = run::describe(&event.fact);
    assert!(!line.is_empty() && line.len() <= 1_000 && !line.contains('\n'), "{line:?}");
    assert!(!line.contains(&created.token.to_string()), "R11: {line}");
    let written = serde_json::to_value(event).unwrap();
    assert_eq!(written["type"], <Purchase as rehearsal::Core>::name(event));
}
