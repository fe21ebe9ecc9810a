//! The same authorization, resources and answers in every test.

use payment::{Command, Effect, Event, Fact, Outcome, Refusal, State, Target, apply, decide, effects};
use primitives::{Digest, Millis, UnixMillis};

/// 2026-11-30T14:00:00Z, when every story begins.
pub(crate) const START: UnixMillis = UnixMillis(1_796_047_200_000);

/// Whom the resource `name` is for.
pub(crate) fn target(name: &str) -> Target {
    Target { kind: "gig".to_owned(), name: format!("gig of {name}") }
}

pub(crate) fn claim(resource: &str) -> Command {
    Command::Claim {
        resource: Digest::of(&[resource.as_bytes()]),
        target: target(resource),
        authorization: payment::Credential(r#"{"x402Version":2}"#.to_owned()),
        valid_before: START.plus(Millis::from_minutes(5)),
    }
}

pub(crate) fn release() -> Command {
    Command::Release { reason: "already_funded".to_owned() }
}

pub(crate) fn settled(transaction: &str) -> Command {
    let (transaction, receipt) = (transaction.to_owned(), r#"{"success":true}"#.to_owned());
    Command::Report(Outcome::Settled { transaction, receipt })
}

pub(crate) fn refused(reason: &str) -> Command {
    let (reason, receipt) = (reason.to_owned(), r#"{"success":false}"#.to_owned());
    Command::Report(Outcome::Refused { reason, receipt })
}

pub(crate) fn unknown(cause: &str, transaction: Option<&str>) -> Command {
    let transaction = transaction.map(str::to_owned);
    Command::Report(Outcome::Unknown { cause: cause.to_owned(), transaction })
}

/// A payment as a shell would keep it: the state, the journal that led there, and what is owed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Life {
    pub(crate) state: State,
    /// Every event, with the state before it.
    pub(crate) journal: Vec<(State, Event)>,
    /// Every effect, oldest first.
    pub(crate) owed: Vec<Effect>,
}

/// What one command came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) events: Vec<Event>,
    pub(crate) owed: Vec<Effect>,
}

impl Life {
    /// Judges and records. What is decided must apply, or the test that asked fails here.
    pub(crate) fn hears(&mut self, command: Command, now: UnixMillis) -> Result<Heard, Refusal> {
        let events = decide(&self.state, command, now)?;
        let mut owed = Vec::new();
        for event in &events {
            let before = self.state.clone();
            owed.extend(effects(&before, event));
            self.state =
                apply(before.clone(), event).unwrap_or_else(|corrupt| panic!("{corrupt}: {event:?}"));
            self.journal.push((before, event.clone()));
        }
        self.owed.extend(owed.clone());
        Ok(Heard { events, owed })
    }

    /// A life in which each of `commands` was heard at `START` and none was refused.
    pub(crate) fn of(commands: impl IntoIterator<Item = Command>) -> Self {
        let mut life = Self::default();
        for command in commands {
            life.hears(command, START).unwrap();
        }
        life
    }
}

/// A fact's name. Written out so that a new fact does not compile until the tests know of it.
pub(crate) const fn name(fact: &Fact) -> &'static str {
    match fact {
        Fact::Claimed { .. } => "Claimed",
        Fact::Released { .. } => "Released",
        Fact::SettlementStarted => "SettlementStarted",
        Fact::Settled { .. } => "Settled",
        Fact::Refused { .. } => "Refused",
        Fact::OutcomeUnknown { .. } => "OutcomeUnknown",
        Fact::LookupStarted { .. } => "LookupStarted",
    }
}

/// How many facts [`name`] tells apart.
pub(crate) const FACTS: usize = 7;

/// Facts and what they owe, in short words.
pub(crate) fn told(heard: &Heard) -> String {
    let facts = heard.events.iter().map(|event| name(&event.fact));
    let owed = heard.owed.iter().map(|effect| match effect {
        Effect::Fulfil { .. } => "+fulfil",
        Effect::Withdraw { .. } => "+withdraw",
    });
    let words: Vec<&str> = facts.chain(owed).collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(" ") }
}
