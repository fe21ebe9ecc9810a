//! What can be asked of a gig, and what can be reported to it.

use primitives::{AgentIdentity, Digest, GigId, MessageId, Millis};
use serde::{Deserialize, Serialize};

use crate::{Payer, Role};

/// What a buyer posts; fixed from the reservation on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The gig, derived from payer, buyer and message.
    pub gig_id: GigId,
    /// Who posts it.
    pub buyer: AgentIdentity,
    /// The posting message.
    pub message_id: MessageId,
    /// What it is, in a line.
    pub title: String,
    /// What is wanted.
    pub description: String,
    /// The kind of work, in the board's word.
    pub task_type: String,
    /// The task's parameters as JSON text.
    pub task_params: String,
    /// What the buyer offers, in satoshi. Not moved by the board.
    pub bounty_sats: u32,
    /// How long the gig lives from its funding.
    pub lifetime: Millis,
    /// How long a claim waits for its worker to join.
    pub claim_timeout: Millis,
    /// How long a delivery waits for the buyer's word.
    pub review_window: Millis,
}

/// What a worker hands over.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// A remark.
    pub remark: Option<String>,
    /// SHA-256 of the result.
    pub result_hash: Option<Digest>,
    /// The result as JSON text.
    pub result: Option<String>,
    /// Where the result lies.
    pub result_url: Option<String>,
}

/// What a party shows at the tunnel's door; only digests come in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name and type")]
pub enum Bearer {
    /// A grant, with the identity that it is bound to.
    Grant { by: AgentIdentity, grant: Digest },
    /// A browser's ticket, which carries its identity.
    Ticket { ticket: Digest },
}

/// One request to a gig. `grant` and `ticket` are digests of secrets made outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name and type")]
pub enum Command {
    /// Keep these terms for this payment; nothing is shown yet.
    Reserve { terms: Terms, payer: Payer, grant: Digest },
    /// The payment will not come; another may.
    Release { payer: Payer, reason: String },
    /// The payment is final.
    Fund { payer: Payer, transaction: String },
    /// Take the gig.
    Claim { by: AgentIdentity, message_id: MessageId, grant: Digest },
    /// Exchange an unused grant for a ticket that a browser can offer.
    IssueTicket { by: AgentIdentity, grant: Digest, ticket: Digest },
    /// Open a socket.
    Join { bearer: Bearer },
    /// Replace the seat's grant.
    Reconnect { by: AgentIdentity, role: Role, grant: Digest, message_id: MessageId, replacement: Digest },
    /// The work is done.
    Deliver { by: AgentIdentity, grant: Digest, delivery: Delivery },
    /// The work is good.
    Accept { by: AgentIdentity, grant: Digest, reason: Option<String> },
    /// The work must change.
    Revise { by: AgentIdentity, grant: Digest, reason: String },
    /// The buyer takes the gig back.
    Cancel { by: AgentIdentity, grant: Digest, reason: Option<String> },
    /// The worker gives up.
    Abandon { by: AgentIdentity, grant: Digest, reason: Option<String> },
    /// Time has passed. Sent by the alarm, never by an agent; harmless at any time.
    Wake,
}
