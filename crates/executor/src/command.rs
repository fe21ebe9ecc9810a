//! What an executor's queue can be asked.

use primitives::{Digest, RunId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Body, CommandId, Label};

/// What a run wants of the executor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Its id.
    pub command_id: CommandId,
    /// Who wants it.
    pub run: RunId,
    /// What is to be done.
    pub body: Body,
    /// From here on nobody wants it any more; at most [`crate::limits::ORDER_MAX`] from now.
    pub until: UnixMillis,
}

/// On what occasion orders are given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Occasion {
    /// The executor asks.
    Poll,
    /// The executor asks, for parked orders as well: its user is there.
    PollAll,
    /// A socket of the executor is open. That is no sign of life: the other end may be gone.
    Push,
}

impl Occasion {
    /// Whether the executor was heard.
    pub(crate) const fn is_sign_of_life(self) -> bool {
        match self {
            Self::Poll | Self::PollAll => true,
            Self::Push => false,
        }
    }
}

/// How far the executor has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Progress {
    /// It works.
    Started,
    /// It cannot go on before its user has done something.
    NeedsUser,
}

/// One request to a queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Make the queue. With the same secret again it changes nothing.
    Register {
        /// SHA-256 of the executor's secret.
        secret: Digest,
        /// How it is called.
        label: Option<Label>,
    },
    /// Give an order. The same order again is the same order, wherever it stands.
    Enqueue {
        /// The order.
        order: Order,
    },
    /// Give out what nobody holds, oldest first. [`crate::given`] says what it was.
    Lease {
        /// How many orders at most.
        limit: usize,
        /// Why now.
        occasion: Occasion,
    },
    /// The executor says how far it is with an order. Of an order that is not pending nothing is said.
    Renew {
        /// Which.
        command_id: CommandId,
        /// How far.
        progress: Progress,
    },
    /// The run has the result.
    Settle {
        /// Of which order.
        command_id: CommandId,
        /// The order's end, so that one that is still on its way is known when it comes.
        until: UnixMillis,
    },
    /// The run does not want it any more.
    Withdraw {
        /// Which order.
        command_id: CommandId,
        /// The order's end, as in [`Command::Settle`].
        until: UnixMillis,
    },
    /// The executor was heard, in whatever way.
    Seen,
    /// Time has passed.
    Wake,
}

impl Command {
    /// Whether the executor was heard.
    pub(crate) const fn is_sign_of_life(&self) -> bool {
        match self {
            Self::Lease { occasion, .. } => occasion.is_sign_of_life(),
            Self::Seen => true,
            Self::Register { .. }
            | Self::Enqueue { .. }
            | Self::Renew { .. }
            | Self::Settle { .. }
            | Self::Withdraw { .. }
            | Self::Wake => false,
        }
    }
}
