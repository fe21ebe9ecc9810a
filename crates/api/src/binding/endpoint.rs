//! What the edge and other objects say to the object of a webhook endpoint.

use endpoint::{Label, Message, Refusal, Url, View};
use primitives::{CorrelationId, Millis, Operation, TenantId, UnixMillis, WebhookId};
use serde::{Deserialize, Deserializer, Serialize};

/// A message for the object of an endpoint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EndpointCall {
    /// Whose it is to be. What is another's looks like what is not there.
    pub tenant: TenantId,
    /// What caused it.
    pub correlation_id: CorrelationId,
    /// What is asked.
    pub ask: EndpointAsk,
}

/// What is asked of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum EndpointAsk {
    /// Make it.
    Open { url: Url, description: Option<Label> },
    /// Show it.
    Show,
    /// Change it; what is none stays.
    Change {
        url: Option<Url>,
        #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
        description: Option<Option<Label>>,
    },
    /// Call it again.
    Enable,
    /// Call it no more for now.
    Disable,
    /// Sign with a new secret, and so long with the former as well.
    Rotate { overlap: Millis, operation: Option<Operation> },
    /// It is not wanted any more.
    Remove,
    /// Send messages to it. Whoever asks has nothing to do with what becomes of them.
    Deliver { messages: Vec<Message> },
    /// Send it a message of the type `webhook.test`.
    Test,
    /// Attempts, newest first.
    Attempts { before: Option<u64>, limit: u32 },
    /// Send a message once more.
    Resend { message: WebhookId },
    /// Send what was missed or has failed since a moment.
    Recover { since: UnixMillis },
}

/// What is there is given, even if it is null: that takes a description away.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Label>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// What came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum EndpointAnswer {
    /// As it is now.
    Shown { view: Box<View>, replayed: bool },
    /// The message is under way.
    Sent { message: WebhookId },
    /// As they are on file, and before which to go on.
    Attempts { rows: Vec<AttemptRow>, next: Option<u64> },
    /// So many messages are sent again; whether there are more.
    Recovered { count: usize, has_more: bool },
    /// There is nothing to say.
    Done,
}

/// An attempt on file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub struct AttemptRow {
    pub message: String,
    pub kind: Option<String>,
    pub attempt: u32,
    pub at: u64,
    pub taken: u8,
    pub status: Option<u16>,
    pub error: Option<String>,
    pub took: u64,
    pub next_at: Option<u64>,
    /// Where its message stands now; none when that is not on file any more.
    pub message_status: Option<String>,
}

/// What it answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum EndpointReply {
    /// It took effect, now or before.
    Done(EndpointAnswer),
    /// It said no.
    Refused(Refusal),
    /// The operation's key stands for another request.
    OperationReused,
}
