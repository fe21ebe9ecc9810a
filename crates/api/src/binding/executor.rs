//! What the edge and runs say to the object of a browser executor.

use executor::{CommandId, Label, Occasion, Order, Progress, Refusal};
use primitives::{Digest, Millis, UnixMillis};
use serde::{Deserialize, Serialize};

/// What an executor's socket sends so that it is known to be there; it is answered without waking the object.
pub const PING: &str = r#"{"type":"ping"}"#;
/// The answer to [`PING`].
pub const PONG: &str = r#"{"type":"pong"}"#;

/// What is asked of an executor's queue. A token is the SHA-256 of the executor's secret.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum ExecutorAsk {
    /// Make it.
    Register { secret: Digest, label: Option<Label> },
    /// Whether there is one.
    Knows,
    /// Put an order into it, for a run.
    Order(Order),
    /// The run has the result. The end is the order's.
    Settle { command_id: CommandId, until: UnixMillis },
    /// The run does not want it any more.
    Withdraw { command_id: CommandId, until: UnixMillis },
    /// The executor has said to the run how far it is.
    Renew { command_id: CommandId, progress: Progress },
    /// Give out what is to be done, waiting for it if there is nothing.
    Poll { token: Digest, limit: usize, occasion: Occasion, wait: Millis },
    /// Show it.
    Show { token: Digest },
    /// Keep the digest of a fresh ticket to its socket.
    Ticket { token: Digest, ticket: Digest },
}

/// What there is to see of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum ExecutorView {
    /// It took effect.
    Done,
    /// Whether there is one.
    Known(bool),
    /// What there is to see: JSON of the wire type that belongs to what was asked.
    Answered(String),
    /// The ticket opens until then.
    Ticket { until: UnixMillis },
}

/// What it answers.
pub type ExecutorReply = Result<ExecutorView, Refusal>;
