//! Where a gig stands. A variant carries only what is true there.

use primitives::{AgentIdentity, Digest, MessageId, PaymentId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::{Delivery, Expiry, Terms, limits};

/// The two parties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Who posted the gig.
    Buyer,
    /// Who claimed it.
    Worker,
}

/// The published name of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the state picture of the crate says what each is")]
pub enum Lifecycle {
    Posted,
    Discoverable,
    Claimed,
    TunnelGranted,
    InProgress,
    Delivered,
    Completed,
    Closed,
    Cancelled,
    Expired,
    Failed,
}

/// A ticket waiting for its socket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// What was stored of it.
    pub digest: Digest,
    /// When it lapses.
    pub expires_at: UnixMillis,
}

/// What a seat's one grant is good for now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Door {
    /// The grant has not opened a socket yet.
    Unused,
    /// The grant was exchanged for a ticket, which has not opened a socket yet.
    Ticketed(Ticket),
    /// The grant has opened its socket; it still signs lifecycle messages.
    Used,
}

/// The last replacement of a grant, kept so that a lost answer can be asked for again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rotation {
    /// The grant that asked.
    pub from: Digest,
    /// The message that asked.
    pub message_id: MessageId,
}

/// One party's place in the tunnel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// Whose it is.
    pub identity: AgentIdentity,
    /// Digest of the grant in force.
    pub grant: Digest,
    /// What that grant still opens.
    pub door: Door,
    /// How the grant in force came to replace another.
    pub rotation: Option<Rotation>,
    /// How often a grant was replaced or a ticket issued.
    pub rotations: u32,
}

impl Seat {
    /// A seat whose grant has not been used.
    pub(crate) fn new(identity: AgentIdentity, grant: Digest) -> Self {
        Self { identity, grant, door: Door::Unused, rotation: None, rotations: 0 }
    }

    /// Puts another grant into force; whatever the old one could open, it cannot any more.
    pub(crate) fn renew(&mut self, grant: Digest) {
        self.grant = grant;
        self.door = Door::Unused;
        self.rotations = self.rotations.saturating_add(1);
    }

    /// Exchanges the grant's one socket for a ticket's.
    pub(crate) fn admit_by(&mut self, ticket: Ticket) {
        self.door = Door::Ticketed(ticket);
        self.rotations = self.rotations.saturating_add(1);
    }

    /// Whether neither the grant nor a ticket made from it has opened a socket.
    pub const fn is_unused(&self) -> bool {
        matches!(self.door, Door::Unused | Door::Ticketed(_))
    }

    /// Whether nothing further is issued for this seat.
    pub(crate) const fn is_worn_out(&self) -> bool {
        self.rotations >= limits::ROTATIONS_MAX
    }
}

/// Who means to fund a gig: a payment, and when it was claimed for this. A payment that was let go and claimed again
/// is another payer, so that a late word about its first try cannot touch its second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payer {
    /// The payment.
    pub payment: PaymentId,
    /// When it was claimed.
    pub claimed_at: UnixMillis,
}

/// Who may fund a reservation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hold {
    /// This one, when its payment is final.
    Held(Payer),
    /// Nobody yet; the next payment may take it.
    Released,
}

/// What every funded gig has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gig {
    /// What was posted.
    pub terms: Terms,
    /// What paid for it.
    pub payment: PaymentId,
    /// The settlement's transaction.
    pub transaction: String,
    /// When the terms were first reserved.
    pub posted_at: UnixMillis,
    /// When its time is up.
    pub expires_at: UnixMillis,
    /// The buyer's place.
    pub buyer: Seat,
    /// Transitions so far.
    pub version: u32,
    /// The last transition.
    pub updated_at: UnixMillis,
}

/// A claimed gig's worker, and what passed between the parties.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The worker's place.
    pub worker: Seat,
    /// The claiming message.
    pub claimed_by: MessageId,
    /// What the buyer asked to be changed, oldest first.
    pub revisions: Vec<String>,
}

/// How a delivery came to count as accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Completion {
    /// The buyer said so.
    Accepted,
    /// The review window passed without a word.
    ReviewWindowPassed,
}

/// How a gig ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// CLOSED.
    Closed {
        /// How it was completed.
        completion: Completion,
        /// What was handed over.
        delivery: Delivery,
    },
    /// CANCELLED by the buyer.
    Cancelled,
    /// FAILED: the worker gave up.
    Abandoned,
    /// EXPIRED.
    Expired(Expiry),
}

/// The state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Nothing recorded yet; where every replay begins.
    #[default]
    Unposted,
    /// POSTED: terms are kept, nothing is shown.
    Posted {
        /// What was posted.
        terms: Terms,
        /// Who may fund it.
        hold: Hold,
        /// The buyer's first grant.
        grant: Digest,
        /// When the terms were first reserved.
        posted_at: UnixMillis,
        /// When the wait for a payment ends.
        fund_by: UnixMillis,
    },
    /// FAILED without ever having been shown.
    NeverFunded {
        /// What was posted.
        terms: Terms,
        /// When it ended.
        ended_at: UnixMillis,
    },
    /// DISCOVERABLE: anyone but the buyer may claim it.
    Discoverable(Gig),
    /// CLAIMED: between the two events of one claim.
    Claimed {
        /// The gig.
        gig: Gig,
        /// Who claimed it.
        worker: AgentIdentity,
        /// The claiming message.
        claimed_by: MessageId,
    },
    /// TUNNEL_GRANTED: the worker is expected in the tunnel.
    TunnelGranted {
        /// The gig.
        gig: Gig,
        /// The work.
        work: Work,
        /// When the claim lapses.
        claim_expires_at: UnixMillis,
    },
    /// IN_PROGRESS: the worker has joined.
    InProgress {
        /// The gig.
        gig: Gig,
        /// The work.
        work: Work,
    },
    /// DELIVERED: the buyer's word is expected.
    Delivered {
        /// The gig.
        gig: Gig,
        /// The work.
        work: Work,
        /// What was handed over.
        delivery: Delivery,
        /// When silence counts as acceptance, if the gig lives that long.
        review_until: UnixMillis,
    },
    /// COMPLETED: between the last two events.
    Completed {
        /// The gig.
        gig: Gig,
        /// The work.
        work: Work,
        /// What was handed over.
        delivery: Delivery,
        /// How it was completed.
        completion: Completion,
    },
    /// Over. No event leaves it.
    Ended {
        /// The gig.
        gig: Gig,
        /// Who held the worker's seat at the end, if anyone.
        work: Option<Work>,
        /// How it ended.
        ending: Ending,
    },
}

impl State {
    /// The published name; `None` before anything was recorded.
    pub const fn lifecycle(&self) -> Option<Lifecycle> {
        Some(match self {
            Self::Unposted => return None,
            Self::Posted { .. } => Lifecycle::Posted,
            Self::Discoverable(_) => Lifecycle::Discoverable,
            Self::Claimed { .. } => Lifecycle::Claimed,
            Self::TunnelGranted { .. } => Lifecycle::TunnelGranted,
            Self::InProgress { .. } => Lifecycle::InProgress,
            Self::Delivered { .. } => Lifecycle::Delivered,
            Self::Completed { .. } => Lifecycle::Completed,
            Self::NeverFunded { .. } | Self::Ended { ending: Ending::Abandoned, .. } => Lifecycle::Failed,
            Self::Ended { ending: Ending::Closed { .. }, .. } => Lifecycle::Closed,
            Self::Ended { ending: Ending::Cancelled, .. } => Lifecycle::Cancelled,
            Self::Ended { ending: Ending::Expired(_), .. } => Lifecycle::Expired,
        })
    }

    /// The funded gig; `None` while it is not on the board.
    pub const fn gig(&self) -> Option<&Gig> {
        match self {
            Self::Unposted | Self::Posted { .. } | Self::NeverFunded { .. } => None,
            Self::Discoverable(gig)
            | Self::Claimed { gig, .. }
            | Self::TunnelGranted { gig, .. }
            | Self::InProgress { gig, .. }
            | Self::Delivered { gig, .. }
            | Self::Completed { gig, .. }
            | Self::Ended { gig, .. } => Some(gig),
        }
    }

    /// The worker's side; `None` while nobody has the gig.
    pub const fn work(&self) -> Option<&Work> {
        match self {
            Self::Unposted
            | Self::Posted { .. }
            | Self::NeverFunded { .. }
            | Self::Discoverable(_)
            | Self::Claimed { .. } => None,
            Self::TunnelGranted { work, .. }
            | Self::InProgress { work, .. }
            | Self::Delivered { work, .. }
            | Self::Completed { work, .. } => Some(work),
            Self::Ended { work, .. } => work.as_ref(),
        }
    }

    /// One party's seat.
    pub fn seat(&self, role: Role) -> Option<&Seat> {
        match role {
            Role::Buyer => self.gig().map(|gig| &gig.buyer),
            Role::Worker => self.work().map(|work| &work.worker),
        }
    }

    /// Whether no event can follow.
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Ended { .. } | Self::NeverFunded { .. })
    }

    /// Whether sockets may be open.
    pub const fn has_tunnel(&self) -> bool {
        matches!(self, Self::TunnelGranted { .. } | Self::InProgress { .. } | Self::Delivered { .. })
    }
}
