//! What an endpoint can be asked.

use primitives::{Millis, TenantId, UnixMillis, WebhookId};
use serde::{Deserialize, Serialize};

use crate::{Body, ErrorWord, EventType, Label, Url};

/// What an endpoint is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its id, which follows from what it tells of.
    pub id: WebhookId,
    /// What it tells of.
    pub kind: EventType,
    /// What it says.
    pub body: Body,
}

/// Whether a message is on file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Known {
    /// It is not.
    Fresh,
    /// It is.
    Filed,
}

/// A message that comes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// It.
    pub message: Message,
    /// Whether it came before.
    pub known: Known,
}

/// What an answer means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It was taken.
    Taken,
    /// Nothing is wanted any more.
    Gone,
    /// It is to be sent again after a pause; without one this was the last attempt.
    Again {
        /// The pause.
        pause: Option<Millis>,
    },
}

/// What an attempt came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Came {
    /// What it means.
    pub outcome: Outcome,
    /// The answer's status; none when there was no answer.
    pub status: Option<u16>,
    /// Why there was none.
    pub error: Option<ErrorWord>,
    /// How long it took.
    pub took: Millis,
}

/// One request to an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Make it. The same again changes nothing.
    Open {
        /// Whose it is.
        tenant: TenantId,
        /// Where messages go.
        url: Url,
        /// What it is for.
        description: Option<Label>,
    },
    /// Change where messages go, what it is for, or both: what is none stays.
    Change {
        /// Where messages go.
        url: Option<Url>,
        /// What it is for; none inside for nothing in particular.
        description: Option<Option<Label>>,
    },
    /// Call it again.
    Enable,
    /// Call it no more for now.
    Disable,
    /// Sign with a new secret, and so long with the former as well.
    Rotate {
        /// At most [`crate::limits::OVERLAP`]; zero ends every former one at once.
        overlap: Millis,
    },
    /// Messages come.
    Accept {
        /// They, oldest first.
        arrivals: Vec<Arrival>,
    },
    /// Its tenant wants to see a message arrive, which is refused when it cannot.
    Test {
        /// The message, of an id of its own.
        message: Message,
    },
    /// An attempt has come to something.
    Answered {
        /// Of which message.
        message: WebhookId,
        /// Which attempt, counted from 1.
        attempt: u32,
        /// To what.
        result: Came,
    },
    /// Send a message once more, as if it were new.
    Resend {
        /// Which.
        message: WebhookId,
        /// Whether it is on file.
        known: Known,
    },
    /// Send what was missed or has failed.
    Recover {
        /// What is on file of that kind, oldest first. The shell has looked.
        messages: Vec<WebhookId>,
    },
    /// It is not wanted any more.
    Remove,
    /// Time has passed.
    Wake,
}

impl Command {
    /// Messages that come for the first time, as far as anybody has looked.
    pub fn accept(messages: impl IntoIterator<Item = Message>) -> Self {
        let arrival = |message| Arrival { message, known: Known::Fresh };
        Self::Accept { arrivals: messages.into_iter().map(arrival).collect() }
    }
}

impl Came {
    /// An attempt that an answer has come to.
    pub const fn answered(outcome: Outcome, status: u16, took: Millis) -> Self {
        Self { outcome, status: Some(status), error: None, took }
    }

    /// When it is to be tried again after a failure at `now`, if ever.
    pub(crate) fn next_at(&self, now: UnixMillis) -> Option<UnixMillis> {
        match self.outcome {
            Outcome::Again { pause } => pause.map(|pause| now.plus(pause)),
            Outcome::Taken | Outcome::Gone => None,
        }
    }
}
