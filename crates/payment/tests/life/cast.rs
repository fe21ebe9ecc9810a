//! The same authorization, resources and answers in every test.

use payment::{Command, Effect, Event, Fact, Outcome, State, Target};
use primitives::{Digest, Millis};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};

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

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Payment;

pub(crate) type Life = rehearsal::Life<Payment>;

impl Core for Payment {
    core_of!(payment);

    const FACTS: usize = 7;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Claimed { .. } => "Claimed",
            Fact::Released { .. } => "Released",
            Fact::SettlementStarted => "SettlementStarted",
            Fact::Settled { .. } => "Settled",
            Fact::Refused { .. } => "Refused",
            Fact::OutcomeUnknown { .. } => "OutcomeUnknown",
            Fact::LookupStarted { .. } => "LookupStarted",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.lifecycle().name()
    }

    fn mark(state: &State) -> String {
        match state {
            State::Unknown { transaction: Some(transaction), .. } | State::Settled { transaction, .. } => {
                format!("({transaction})")
            }
            State::Unclaimed
            | State::Claimed(_)
            | State::Settling { .. }
            | State::Refused { .. }
            | State::Unknown { transaction: None, .. } => String::new(),
        }
    }

    fn owed(effect: &Effect) -> String {
        match effect {
            Effect::Fulfil { .. } => "+fulfil".to_owned(),
            Effect::Withdraw { .. } => "+withdraw".to_owned(),
        }
    }
}
