//! The same secrets, runs and orders in every test.

use executor::{
    Command, CommandId, Effect, Event, Fact, Lifecycle, Occasion, Order, Progress, Standing, State,
};
use primitives::{Digest, Millis, RunId, UnixMillis};
pub(crate) use rehearsal::START;
use rehearsal::{Core, core_of};

/// So many seconds after the start.
pub(crate) const fn after(seconds: u64) -> UnixMillis {
    START.plus(Millis::from_seconds(seconds))
}

/// The digest of a secret.
pub(crate) fn secret(word: &str) -> Digest {
    Digest::of(&[word.as_bytes()])
}

pub(crate) fn id(word: &str) -> CommandId {
    word.parse().unwrap()
}

/// An order of a run of its own.
pub(crate) fn order(word: &str, until: UnixMillis) -> Order {
    let body = format!("{{\"type\":\"VERIFY_ORDER\",\"commandId\":\"{word}\"}}");
    Order { command_id: id(word), run: RunId::derive(&[word.as_bytes()]), body: body.parse().unwrap(), until }
}

/// The same id for something else.
pub(crate) fn other_order(word: &str, until: UnixMillis) -> Order {
    Order { body: "{}".parse().unwrap(), ..order(word, until) }
}

pub(crate) fn register(word: &str) -> Command {
    Command::Register { secret: secret(word), label: Some("laptop".parse().unwrap()) }
}

pub(crate) fn enqueue(word: &str, until: UnixMillis) -> Command {
    Command::Enqueue { order: order(word, until) }
}

pub(crate) const fn lease(limit: usize, occasion: Occasion) -> Command {
    Command::Lease { limit, occasion }
}

pub(crate) const POLL: Command = lease(8, Occasion::Poll);
pub(crate) const POLL_ALL: Command = lease(8, Occasion::PollAll);
pub(crate) const PUSH: Command = lease(8, Occasion::Push);

pub(crate) fn started(word: &str) -> Command {
    Command::Renew { command_id: id(word), progress: Progress::Started }
}

pub(crate) fn needs_user(word: &str) -> Command {
    Command::Renew { command_id: id(word), progress: Progress::NeedsUser }
}

pub(crate) fn settle(word: &str, until: UnixMillis) -> Command {
    Command::Settle { command_id: id(word), until }
}

pub(crate) fn withdraw(word: &str, until: UnixMillis) -> Command {
    Command::Withdraw { command_id: id(word), until }
}

fn list(command_ids: &[CommandId]) -> String {
    command_ids.iter().map(CommandId::as_str).collect::<Vec<_>>().join(",")
}

/// The core, and the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Executor;

pub(crate) type Life = rehearsal::Life<Executor>;
pub(crate) type Heard = rehearsal::Heard<Executor>;

impl Core for Executor {
    core_of!(executor);

    const FACTS: usize = 10;

    fn name(event: &Event) -> &'static str {
        match &event.fact {
            Fact::Registered { .. } => "Registered",
            Fact::Enqueued { .. } => "Enqueued",
            Fact::Leased { .. } => "Leased",
            Fact::Renewed { .. } => "Renewed",
            Fact::Returned { .. } => "Returned",
            Fact::Settled { .. } => "Settled",
            Fact::Withdrawn { .. } => "Withdrawn",
            Fact::Expired { .. } => "Expired",
            Fact::Lost { .. } => "Lost",
            Fact::Seen => "Seen",
        }
    }

    fn lifecycle(state: &State) -> &'static str {
        state.lifecycle().name()
    }

    fn mark(state: &State) -> String {
        let standing = |standing| match standing {
            Standing::Waiting => "waiting",
            Standing::Leased { .. } => "leased",
            Standing::Started { .. } => "started",
            Standing::Parked { .. } => "parked",
        };
        let orders = state.queue().into_iter().flat_map(|queue| &queue.orders);
        let marks = orders.map(|it| format!("{}={}", it.order.command_id.as_str(), standing(it.standing)));
        let marks: Vec<_> = marks.collect();
        if marks.is_empty() { String::new() } else { format!("({})", marks.join(",")) }
    }

    fn told(event: &Event) -> String {
        let about = match &event.fact {
            Fact::Registered { .. } | Fact::Seen => return Self::name(event).to_owned(),
            Fact::Enqueued { order } => order.command_id.as_str().to_owned(),
            Fact::Leased { command_ids, .. }
            | Fact::Returned { command_ids }
            | Fact::Expired { command_ids }
            | Fact::Lost { command_ids } => list(command_ids),
            Fact::Renewed { command_id, .. }
            | Fact::Settled { command_id, .. }
            | Fact::Withdrawn { command_id, .. } => command_id.as_str().to_owned(),
        };
        format!("{}({about})", Self::name(event))
    }

    fn owed(effect: &Effect) -> String {
        match effect {
            Effect::Push { command_id } => format!("+push({})", command_id.as_str()),
            Effect::Lost { command_id, .. } => format!("+lost({})", command_id.as_str()),
            Effect::Expired { command_id, .. } => format!("+expired({})", command_id.as_str()),
        }
    }
}

/// What a life is at a moment, by name.
pub(crate) fn status(life: &Life, now: UnixMillis) -> &'static str {
    let status: Lifecycle = life.state.status(now);
    status.name()
}
