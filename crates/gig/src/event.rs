//! What has happened to a gig: the journal's format, and how each event moves the state.

use primitives::{AgentIdentity, Digest, MessageId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Completion, Delivery, Lifecycle, Payer, Role, Terms};

/// One event of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it was recorded.
    pub at: UnixMillis,
    /// What happened.
    pub fact: Fact,
}

/// Why a gig's time ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expiry {
    /// Nobody had it at the deadline.
    NotClaimed,
    /// A worker had it, and no delivery lay before the buyer.
    NotDelivered,
    /// It was delivered so late that the gig's time ended before the review window did, and the buyer said nothing.
    NotReviewed,
}

/// What can have happened. Variants are only added, and fields only with a default: old journals must replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields carry the names of the command that caused them")]
pub enum Fact {
    /// Terms kept for a payment.
    Reserved { terms: Terms, payer: Payer, grant: Digest, fund_by: UnixMillis },
    /// Kept terms taken up by another payment.
    ReservedAgain { payer: Payer, grant: Digest, fund_by: UnixMillis },
    /// The payment will not come.
    Released { payer: Payer, reason: String },
    /// The wait for a payment ended.
    NeverFunded,
    /// Paid for: on the board.
    Funded { payer: Payer, transaction: String, expires_at: UnixMillis },
    /// Taken.
    Claimed { by: AgentIdentity, message_id: MessageId },
    /// The worker's grant is in force.
    TunnelGranted { grant: Digest, claim_expires_at: UnixMillis },
    /// The worker did not come; back on the board.
    ClaimLapsed,
    /// An unused grant was replaced because its answer was asked for again.
    GrantReissued { role: Role, grant: Digest },
    /// A grant was replaced on request.
    GrantRotated { role: Role, grant: Digest, from: Digest, message_id: MessageId },
    /// An unused grant was exchanged for a ticket.
    TicketIssued { role: Role, ticket: Digest, expires_at: UnixMillis },
    /// A socket was opened.
    Joined { role: Role },
    /// The worker's first arrival.
    WorkStarted,
    /// Handed over.
    Delivered { delivery: Delivery, review_until: UnixMillis },
    /// Sent back.
    RevisionRequested { reason: String },
    /// Good.
    Completed { completion: Completion, reason: Option<String> },
    /// Over, well.
    Closed,
    /// Taken back by the buyer.
    Cancelled { reason: Option<String> },
    /// Given up by the worker.
    Abandoned { reason: Option<String> },
    /// Time is up.
    Expired { why: Expiry },
}

/// An event that does not follow from the state: the stored journal contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrupt {
    /// When the event was recorded.
    pub at: UnixMillis,
    /// Where the gig stood; `None` before anything was recorded.
    pub lifecycle: Option<Lifecycle>,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let at = self.at.to_rfc3339();
        let lifecycle = self.lifecycle.map_or("UNPOSTED", Lifecycle::name);
        write!(formatter, "an event recorded at {at} does not follow from {lifecycle}")
    }
}

impl core::error::Error for Corrupt {}
