//! What an endpoint owes the world, and when time changes it.

use primitives::{Millis, TenantId, UnixMillis, WebhookId};
use serde::{Deserialize, Serialize};

use crate::{ErrorWord, Event, Fact, Hook, Message, Outcome, State, Why, limits};

/// Where a message on file stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// It waits or is under way.
    Pending,
    /// It was taken.
    Delivered,
    /// Its attempts are used up.
    Failed,
    /// It was not sent, because the endpoint was disabled or too much waited.
    Missed,
}

impl Status {
    /// The published name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
            Self::Missed => "missed",
        }
    }
}

/// What became of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the event")]
pub struct Attempt {
    pub message: WebhookId,
    pub attempt: u32,
    pub at: UnixMillis,
    pub is_taken: bool,
    pub status: Option<u16>,
    pub error: Option<ErrorWord>,
    pub took: Millis,
    pub next_at: Option<UnixMillis>,
}

/// A row on file, written with its event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Row {
    /// A message that came.
    Message { message: Message, at: UnixMillis, status: Status },
    /// Where messages stand now.
    Status { messages: Vec<WebhookId>, status: Status },
    /// An attempt (N5).
    Attempt(Attempt),
    /// Messages that came before, and wait no more, are to be forgotten.
    ForgetMessages { before: UnixMillis },
    /// Attempts that came before are.
    ForgetAttempts { before: UnixMillis },
    /// All messages are.
    ClearMessages,
    /// All attempts are.
    ClearAttempts,
}

/// What is told to whoever follows the tenant's events, by its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum News {
    /// `endpoint.disabled`
    Disabled { why: Why },
    /// `endpoint.enabled`
    Enabled,
    /// `endpoint.rotated`
    Rotated { until: Option<UnixMillis> },
}

impl News {
    /// The event's type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disabled { .. } => "endpoint.disabled",
            Self::Enabled => "endpoint.enabled",
            Self::Rotated { .. } => "endpoint.rotated",
        }
    }
}

/// What the shell owes, once, after the event is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Effect {
    /// Keep a row, in the transaction of the event.
    Keep(Row),
    /// Call the address.
    Attempt { message: WebhookId, attempt: u32 },
    /// Keep a line of the tenant's log, and send it to the endpoints that follow it. No two of an endpoint's have the same
    /// revision.
    Tell { tenant: TenantId, news: News, revision: u64, at: UnixMillis },
}

/// What is owed once `event` has led away from `before`.
pub fn effects(before: &State, event: &Event) -> Vec<Effect> {
    let at = event.at;
    let filed = |message: &Message, status| {
        let before = at.minus(limits::KEPT);
        let row = Row::Message { message: message.clone(), at, status };
        let forget = [Row::ForgetMessages { before }, Row::ForgetAttempts { before }];
        core::iter::once(row).chain(forget).map(Effect::Keep).collect()
    };
    let told = |news| {
        let tell = |hook: &Hook| {
            let (tenant, revision) = (hook.tenant.clone(), hook.revision.saturating_add(1));
            Effect::Tell { tenant, news, revision, at }
        };
        before.hook().map(tell)
    };
    match &event.fact {
        Fact::Opened { .. } | Fact::Changed { .. } => Vec::new(),
        Fact::Accepted { message } => filed(message, Status::Pending),
        Fact::Missed { message } => filed(message, Status::Missed),
        Fact::Resent { messages } => vec![stand(messages.clone(), Status::Pending)],
        Fact::Begun { messages } => before.hook().map_or_else(Vec::new, |hook| attempts(hook, messages)),
        Fact::Answered { message, attempt, result, next_at } => {
            let is_taken = result.outcome == Outcome::Taken;
            let row = Attempt {
                message: message.clone(),
                attempt: *attempt,
                at,
                is_taken,
                status: result.status,
                error: result.error.clone(),
                took: result.took,
                next_at: *next_at,
            };
            let end = match next_at {
                Some(_) => None,
                None if is_taken => Some(Status::Delivered),
                None => Some(Status::Failed),
            };
            let end = end.map(|status| stand(vec![message.clone()], status));
            core::iter::once(Effect::Keep(Row::Attempt(row))).chain(end).collect()
        }
        Fact::Disabled { why } => {
            let waits = before.hook().into_iter().flat_map(|hook| &hook.pending);
            let waits = waits.filter(|(_, pending)| !pending.is_under_way).map(|(id, _)| id.clone());
            let waits: Vec<WebhookId> = waits.collect();
            let missed = (!waits.is_empty()).then(|| stand(waits, Status::Missed));
            missed.into_iter().chain(told(News::Disabled { why: *why })).collect()
        }
        Fact::Enabled => told(News::Enabled).into_iter().collect(),
        Fact::Rotated { until } => told(News::Rotated { until: *until }).into_iter().collect(),
        Fact::Removed => vec![Effect::Keep(Row::ClearMessages), Effect::Keep(Row::ClearAttempts)],
    }
}

const fn stand(messages: Vec<WebhookId>, status: Status) -> Effect {
    Effect::Keep(Row::Status { messages, status })
}

fn attempts(hook: &Hook, messages: &[WebhookId]) -> Vec<Effect> {
    let begun = messages.iter().filter_map(|id| Some((id, hook.pending.get(id)?)));
    begun.map(|(id, pending)| Effect::Attempt { message: id.clone(), attempt: pending.attempt() }).collect()
}

/// The next moment at which time alone changes the state: the next attempt's, unless as many are under way as can be, of
/// which the next to be answered lets it begin.
pub fn deadline(state: &State) -> Option<UnixMillis> {
    let hook = state.hook().filter(|hook| hook.disabled.is_none() && hook.under_way() < limits::AT_ONCE)?;
    let waits = hook.pending.values().filter(|pending| !pending.is_under_way);
    waits.map(|pending| pending.next_at).min()
}
