//! The same tenants, messages and answers in every test.

use endpoint::{Arrival, Came, Command, Effect, Event, Fact, Known, Message, Outcome, Row, State, Status};
use primitives::{Millis, TenantId, UnixMillis, WebhookId};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};

/// So many seconds after the start.
pub(crate) const fn after(seconds: u64) -> UnixMillis {
    START.plus(Millis::from_seconds(seconds))
}

pub(crate) fn tenant(word: &str) -> TenantId {
    TenantId::derive(&[word.as_bytes()])
}

pub(crate) fn id(word: &str) -> WebhookId {
    WebhookId::derive(&[word.as_bytes()])
}

/// The word of an id; those of the tests are `M0` to `M9`.
fn word(message: &WebhookId) -> String {
    let mut words = (0..1_000).map(|index| format!("M{index}"));
    words.find(|word| id(word) == *message).unwrap_or_else(|| "?".to_owned())
}

fn words(messages: &[WebhookId]) -> String {
    messages.iter().map(word).collect::<Vec<_>>().join(",")
}

pub(crate) fn message(word: &str) -> Message {
    let body = format!("{{\"type\":\"usage.recorded\",\"data\":\"{word}\"}}");
    Message { id: id(word), kind: "usage.recorded".parse().unwrap(), body: body.parse().unwrap() }
}

pub(crate) fn open(url: &str) -> Command {
    Command::Open { tenant: tenant("T1"), url: url.parse().unwrap(), description: None }
}

pub(crate) fn accept(word: &str) -> Command {
    Command::accept([message(word)])
}

pub(crate) fn again(word: &str) -> Command {
    Command::Accept { arrivals: vec![Arrival { message: message(word), known: Known::Filed }] }
}

pub(crate) fn answered(word: &str, attempt: u32, outcome: Outcome) -> Command {
    let status = match outcome {
        Outcome::Taken => Some(204),
        Outcome::Gone => Some(410),
        Outcome::Again { .. } => Some(500),
    };
    let result = Came { outcome, status, error: None, took: Millis(7) };
    Command::Answered { message: id(word), attempt, result }
}

pub(crate) const fn pause(seconds: u64) -> Outcome {
    Outcome::Again { pause: Some(Millis::from_seconds(seconds)) }
}

pub(crate) const LAST: Outcome = Outcome::Again { pause: None };

pub(crate) fn resend(word: &str) -> Command {
    Command::Resend { message: id(word), known: Known::Filed }
}

pub(crate) fn recover(words: &[&str]) -> Command {
    Command::Recover { messages: words.iter().map(|word| id(word)).collect() }
}

pub(crate) const fn rotate(seconds: u64) -> Command {
    Command::Rotate { overlap: Millis::from_seconds(seconds) }
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Endpoint;

pub(crate) type Life = rehearsal::Life<Endpoint>;
pub(crate) type Heard = rehearsal::Heard<Endpoint>;

impl Core for Endpoint {
    core_of!(endpoint);

    const FACTS: usize = 11;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Opened { .. } => "Opened",
            Fact::Changed { .. } => "Changed",
            Fact::Enabled => "Enabled",
            Fact::Disabled { .. } => "Disabled",
            Fact::Rotated { .. } => "Rotated",
            Fact::Accepted { .. } => "Accepted",
            Fact::Missed { .. } => "Missed",
            Fact::Begun { .. } => "Begun",
            Fact::Answered { .. } => "Answered",
            Fact::Resent { .. } => "Resent",
            Fact::Removed => "Removed",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.name()
    }

    fn mark(state: &State) -> String {
        let pending = state.hook().into_iter().flat_map(|hook| &hook.pending);
        let mut marks: Vec<_> = pending
            .map(|(id, it)| format!("{}={}{}", word(id), it.failed, if it.is_under_way { "!" } else { "" }))
            .collect();
        marks.sort();
        if marks.is_empty() { String::new() } else { format!("({})", marks.join(",")) }
    }

    fn told(event: &Event) -> String {
        let about = match &event.fact {
            Fact::Opened { .. } | Fact::Changed { .. } | Fact::Enabled | Fact::Removed => {
                return Self::name(event).to_owned();
            }
            Fact::Disabled { why } => why.name().to_owned(),
            Fact::Rotated { until } => if until.is_some() { "overlapping" } else { "at-once" }.to_owned(),
            Fact::Accepted { message } | Fact::Missed { message } => word(&message.id),
            Fact::Begun { messages } | Fact::Resent { messages } => words(messages),
            Fact::Answered { message, attempt, .. } => format!("{},{attempt}", word(message)),
        };
        format!("{}({about})", Self::name(event))
    }

    fn owed(effect: &Effect) -> String {
        match effect {
            Effect::Attempt { message, attempt } => format!("+attempt({},{attempt})", word(message)),
            Effect::Tell { news, .. } => format!("+{}", news.name()),
            Effect::Keep(row) => kept(row),
        }
    }
}

fn kept(row: &Row) -> String {
    match row {
        Row::Message { message, status, .. } => format!("+row({},{})", word(&message.id), status.name()),
        Row::Status { messages, status } => format!("+row({},{})", words(messages), status.name()),
        Row::Attempt(attempt) => {
            let end = if attempt.is_taken { "taken" } else { "failed" };
            format!("+row({},{},{end})", word(&attempt.message), attempt.attempt)
        }
        Row::ForgetMessages { .. } | Row::ForgetAttempts { .. } => "+forget".to_owned(),
        Row::ClearMessages | Row::ClearAttempts => "+clear".to_owned(),
    }
}

/// Where a message stands by the rows that were written of it, the last of them.
pub(crate) fn filed(owed: &[Effect], message: &WebhookId) -> Option<Status> {
    owed.iter().rev().find_map(|effect| match effect {
        Effect::Keep(Row::Message { message: it, status, .. }) if it.id == *message => Some(*status),
        Effect::Keep(Row::Status { messages, status }) if messages.contains(message) => Some(*status),
        Effect::Keep(_) | Effect::Attempt { .. } | Effect::Tell { .. } => None,
    })
}
