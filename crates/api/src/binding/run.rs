//! What the edge says to the object of a purchase run.

use primitives::{CorrelationId, Digest, ExecutorId, JournalRow, UnixMillis};
use run::{Command, Creation, Payment};
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// Who asks, as far as it was proven.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunCaller {
    /// Nobody has said.
    Anyone,
    /// Whoever holds a token with this digest; the run knows whether it is its own.
    Token(Digest),
    /// Whoever holds a ticket with this digest; the run knows whether it has issued it.
    Ticket(Digest),
    /// The executor whose token was shown.
    Executor(ExecutorId),
    /// An account that has signed the request: `0x` and 40 hexadecimal digits in lower case. Its signature was used.
    Account(String),
}

/// A message for the object of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunCall {
    /// Who asks.
    pub by: RunCaller,
    /// What caused it.
    pub correlation_id: CorrelationId,
    /// What is asked.
    pub ask: RunAsk,
}

/// What is asked of the object of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum RunAsk {
    /// Make it: [`crate::wire::RunAnswer`].
    Create(Box<Creation>),
    /// Do something with it: [`crate::wire::RunAnswer`].
    Tell(Box<Command>),
    /// Take a payment, once it is known whether its name is free: [`crate::wire::RunAnswer`].
    Pay(Payment),
    /// Show it with its newest events, or with those after one: [`crate::wire::RunHistory`].
    Show { after: Option<u64>, limit: u32 },
    /// Show the events after one: [`crate::wire::RunEventsAnswer`].
    Events { after: u64, limit: u32 },
    /// Show all that was recorded.
    Journal,
    /// Keep the digest of a fresh ticket to its streams.
    Ticket { ticket: Digest },
}

/// What it answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum RunReply {
    /// It took effect, now or before, or there is this to see: JSON of the wire type that belongs to what was asked.
    Answered { answer: String, replayed: bool },
    /// All that was recorded, oldest first.
    Journal(Vec<JournalRow>),
    /// The ticket opens until then.
    Ticket { until: UnixMillis },
    /// It said no.
    Refused(Box<Problem>),
}
