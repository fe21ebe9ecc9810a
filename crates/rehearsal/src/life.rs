//! A core as a shell would keep it.

use primitives::{Millis, UnixMillis};

use crate::{Core, START, Wait, replay};

/// The state, and all that led there.
#[derive(Debug, Clone)]
pub struct Life<C: Core> {
    /// Where it stands.
    pub state: C::State,
    /// Every event, with the state before it.
    pub journal: Vec<(C::State, C::Event)>,
    /// Every effect, oldest first.
    pub owed: Vec<C::Effect>,
    /// Every command that was not refused, oldest first.
    pub granted: Vec<C::Command>,
}

/// What one command came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard<C: Core> {
    /// What happened.
    pub events: Vec<C::Event>,
    /// What is owed for it.
    pub owed: Vec<C::Effect>,
}

impl<C: Core> Default for Life<C> {
    fn default() -> Self {
        Self { state: C::State::default(), journal: Vec::new(), owed: Vec::new(), granted: Vec::new() }
    }
}

impl<C: Core> Default for Heard<C> {
    fn default() -> Self {
        Self { events: Vec::new(), owed: Vec::new() }
    }
}

impl<C: Core> Heard<C> {
    /// Facts and what they owe, in the words of a story; `nothing` if there are none.
    pub fn told(&self) -> String {
        let facts = self.events.iter().map(C::told);
        let words: Vec<String> = facts.chain(self.owed.iter().map(C::owed)).collect();
        if words.is_empty() { "nothing".to_owned() } else { words.join(" ") }
    }
}

impl<C: Core> Life<C> {
    /// Judges and records. What is decided must apply, or the test that asked fails here.
    pub fn hears(&mut self, command: C::Command, now: UnixMillis) -> Result<Heard<C>, C::Refusal> {
        let events = C::decide(&self.state, command.clone(), now)?;
        self.granted.push(command);
        let mut owed = Vec::new();
        for event in &events {
            let before = self.state.clone();
            owed.extend(C::effects(&before, event));
            self.state =
                C::apply(before.clone(), event).unwrap_or_else(|corrupt| panic!("{corrupt}: {event:?}"));
            self.journal.push((before, event.clone()));
        }
        self.owed.extend(owed.clone());
        Ok(Heard { events, owed })
    }

    /// A life in which each of `commands` was heard at [`START`] and none was refused.
    pub fn of(commands: impl IntoIterator<Item = C::Command>) -> Self {
        let mut life = Self::default();
        for command in commands {
            life.hears(command, START).unwrap();
        }
        life
    }

    /// What a command would come to: `- code`, or the state after it with facts and what they owe.
    pub fn tried(&self, command: C::Command, now: UnixMillis) -> String {
        let mut life = self.clone();
        match life.hears(command, now) {
            Err(refusal) => format!("- {}", C::code(&refusal)),
            Ok(heard) => format!("{}: {}", C::lifecycle(&life.state), heard.told()),
        }
    }

    /// A life of turns: each waits, then `asks` for a command. `see` is shown the life after each, and the moment.
    pub fn live<T>(
        turns: &[(Wait, T)],
        mut asks: impl FnMut(&Self, &T) -> C::Command,
        mut see: impl FnMut(&Self, UnixMillis),
    ) -> Self {
        let (mut life, mut now) = (Self::default(), START);
        for (wait, turn) in turns {
            now = wait.end(now, C::deadline(&life.state));
            let command = asks(&life, turn);
            // A refusal changes nothing; whether it should have been one is what stories and matrix say.
            let _ = life.hears(command, now);
            see(&life, now);
        }
        life
    }

    /// The names of what has happened, oldest first.
    pub fn facts(&self) -> impl Iterator<Item = &'static str> {
        self.journal.iter().map(|(_, event)| C::name(event))
    }

    /// How often something of this name has happened.
    pub fn count(&self, wanted: &str) -> usize {
        self.facts().filter(|name| *name == wanted).count()
    }

    /// The state that the journal leads to, as it is read from disk; the text says why it leads nowhere.
    pub fn replayed(&self) -> Result<C::State, String> {
        replay::<C>(self.journal.iter().map(|(_, event)| serde_json::to_string(event).unwrap()))
    }

    /// Fails unless journal and snapshot are both read as this very state.
    pub fn replays(&self) {
        assert_eq!(self.replayed().as_ref(), Ok(&self.state));
        let snapshot = serde_json::to_string(&self.state).unwrap();
        assert_eq!(serde_json::from_str::<C::State>(&snapshot).unwrap(), self.state);
    }

    /// Fails unless the alarm is harmless: before the deadline, a second time, and where there is no deadline. The life
    /// that comes back has been woken at its deadline, or now if that has passed.
    pub fn woken(&self, now: UnixMillis) -> Self {
        let mut life = Self { state: self.state.clone(), ..Self::default() };
        let mut wakes = |at| {
            let heard = life.hears(C::wake(), at);
            (
                heard.unwrap_or_else(|refusal| panic!("the alarm is refused: {refusal:?}")),
                C::deadline(&life.state),
            )
        };
        let nothing = Heard::default();
        let Some(at) = C::deadline(&self.state) else {
            assert_eq!(wakes(now.plus(Millis::from_minutes(600))).0, nothing);
            return life;
        };
        let (early, late) = (at.minus(Millis(1)).max(now), at.max(now));
        if early < at {
            assert_eq!(wakes(early).0, nothing, "before the deadline");
        }
        let (heard, next) = wakes(late);
        assert_ne!(heard, nothing, "at the deadline");
        assert!(next.is_none_or(|next| late < next), "the next deadline has passed: {next:?}");
        assert_eq!(wakes(late).0, nothing, "a second time");
        life
    }
}
