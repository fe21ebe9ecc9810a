//! What a mirror owes once an event is on disk.

use alloy_primitives::{B256, Bytes};
use primitives::BaseUnits;
use serde::{Deserialize, Serialize};

use super::step::step;
use super::{Approved, Ask, Event, Fact, Filed, Place, Stage, State, line};
use crate::Request;
use crate::life::Activity;

/// What the shell owes, once, after the event is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Have the port send a call, under the payment's name; [`super::Command::Answered`] names the turn.
    Send {
        /// The payment's name.
        payment: B256,
        /// The number of the question.
        turn: u32,
        /// The call.
        call: Box<Call>,
    },
    /// Have the port look what became of it, in the same way.
    Look {
        /// The payment's name.
        payment: B256,
        /// The number of the question.
        turn: u32,
    },
    /// Put a request on file, in place of what is there under its payment's name. In the transaction that records the event:
    /// the next command may name it.
    File(Box<Filed>),
    /// Note on file that of a payment `total` was given back in all. There may be no such row, when the payment was not
    /// mirrored.
    Refunded {
        /// The payment's name.
        payment: B256,
        /// What was given back in all.
        total: BaseUnits,
    },
    /// Append a line to the log that the owner reads.
    Log {
        /// The line.
        line: Box<Activity>,
        /// Where the chain tells it; none for what was done here.
        place: Option<Place>,
    },
    /// Mark every line of the log that stands in a later block than this number as undone: the block has left the chain.
    Undo {
        /// The number of the last block that stands.
        after: u64,
    },
}

/// A call of the contract, whose sender is whoever pays for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call {
    /// `authorize`.
    Authorize {
        /// The request.
        request: Request,
        /// The agent's signature of it.
        signature: Bytes,
        /// The owner's yes, where it is needed.
        approved: Option<Approved>,
    },
    /// `cancelRequest`.
    Cancel {
        /// The request.
        request: Request,
        /// The owner's or the agent's signature of its cancellation.
        signature: Bytes,
    },
}

impl Ask {
    /// What the port is asked to send.
    pub(super) fn call(&self) -> Call {
        let request = self.request;
        if let Stage::Cancelling { signature, .. } = &self.stage {
            return Call::Cancel { request, signature: signature.clone() };
        }
        Call::Authorize { request, signature: self.signature.clone(), approved: self.approved.clone() }
    }
}

/// What is owed once `event` has led away from `before`. Rows are filed before the log tells of them.
pub fn effects(before: &State, event: &Event) -> Vec<Effect> {
    match (before, &event.fact) {
        (State::Unborn, Fact::Adopted { creation, block, .. }) => {
            vec![line::adopted(creation.owner, *block, event.at)]
        }
        (State::Unborn, _) => Vec::new(),
        (State::Live(mirror), fact) => step(&mut mirror.clone(), fact, event.at).unwrap_or_default(),
    }
}
