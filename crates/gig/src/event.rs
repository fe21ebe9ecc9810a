//! What has happened to a gig: the journal's format, and how each event moves the state.

use primitives::{AgentIdentity, Digest, MessageId, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::state::{Door, Hold, Rotation, Ticket};
use crate::{Completion, Delivery, Ending, Gig, Payer, Role, Seat, State, Terms, Work};

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
    /// A worker had it and nothing was delivered.
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
    /// The event.
    pub event: Event,
}

impl core::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "an event recorded at {} does not follow from the state", self.event.at.to_rfc3339())
    }
}

impl core::error::Error for Corrupt {}

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow; the state is lost then, and the journal must be looked at by a person.
pub fn apply(state: State, event: &Event) -> Result<State, Corrupt> {
    let at = event.at;
    let next = match &event.fact {
        Fact::Reserved { .. }
        | Fact::ReservedAgain { .. }
        | Fact::Released { .. }
        | Fact::NeverFunded
        | Fact::Funded { .. } => funding(state, &event.fact, at),
        Fact::Claimed { .. } | Fact::TunnelGranted { .. } | Fact::ClaimLapsed | Fact::WorkStarted => {
            claiming(state, &event.fact, at)
        }
        Fact::GrantReissued { role, grant } => seat(state, *role, |seat| {
            seat.grant = *grant;
            seat.door = Door::Unused;
        }),
        Fact::GrantRotated { role, grant, from, message_id } => seat(state, *role, |seat| {
            seat.grant = *grant;
            seat.door = Door::Unused;
            seat.rotation = Some(Rotation { from: *from, message_id: message_id.clone() });
            seat.rotations = seat.rotations.saturating_add(1);
        }),
        Fact::TicketIssued { role, ticket, expires_at } => seat(state, *role, |seat| {
            seat.door = Door::Ticketed(Ticket { digest: *ticket, expires_at: *expires_at });
        }),
        Fact::Joined { role } => seat(state, *role, |seat| seat.door = Door::Used),
        Fact::Delivered { .. } | Fact::RevisionRequested { .. } | Fact::Completed { .. } | Fact::Closed => {
            reviewing(state, &event.fact, at)
        }
        Fact::Cancelled { .. } => end(state, Ending::Cancelled, at),
        Fact::Abandoned { .. } => end(state, Ending::Abandoned, at),
        Fact::Expired { why } => end(state, Ending::Expired(*why), at),
    };
    next.ok_or_else(|| Corrupt { event: event.clone() })
}

/// One transition further.
fn moved(mut gig: Gig, at: UnixMillis) -> Gig {
    gig.version = gig.version.saturating_add(1);
    gig.updated_at = at;
    gig
}

fn funding(state: State, fact: &Fact, at: UnixMillis) -> Option<State> {
    match (fact, state) {
        (Fact::Reserved { terms, payer, grant, fund_by }, State::Unposted) => Some(State::Posted {
            terms: terms.clone(),
            hold: Hold::Held(payer.clone()),
            grant: *grant,
            posted_at: at,
            fund_by: *fund_by,
        }),
        (Fact::ReservedAgain { payer, grant, fund_by }, State::Posted { terms, posted_at, .. }) => {
            let hold = Hold::Held(payer.clone());
            Some(State::Posted { terms, hold, grant: *grant, posted_at, fund_by: *fund_by })
        }
        (Fact::Released { .. }, State::Posted { terms, grant, posted_at, fund_by, .. }) => {
            Some(State::Posted { terms, hold: Hold::Released, grant, posted_at, fund_by })
        }
        (Fact::NeverFunded, State::Posted { terms, .. }) => Some(State::NeverFunded { terms, ended_at: at }),
        (Fact::Funded { payer, transaction, expires_at }, State::Posted { terms, grant, posted_at, .. }) => {
            let buyer = Seat::new(terms.buyer.clone(), grant);
            let (payment, transaction) = (payer.payment.clone(), transaction.clone());
            let gig = Gig {
                terms,
                payment,
                transaction,
                posted_at,
                expires_at: *expires_at,
                buyer,
                version: 0,
                updated_at: at,
            };
            Some(State::Discoverable(moved(gig, at)))
        }
        _ => None,
    }
}

fn claiming(state: State, fact: &Fact, at: UnixMillis) -> Option<State> {
    match (fact, state) {
        (Fact::Claimed { by, message_id }, State::Discoverable(gig)) => {
            let (worker, claimed_by) = (by.clone(), message_id.clone());
            Some(State::Claimed { gig: moved(gig, at), worker, claimed_by })
        }
        (Fact::TunnelGranted { grant, claim_expires_at }, State::Claimed { gig, worker, claimed_by }) => {
            let work = Work { worker: Seat::new(worker, *grant), claimed_by, revisions: Vec::new() };
            Some(State::TunnelGranted { gig: moved(gig, at), work, claim_expires_at: *claim_expires_at })
        }
        (Fact::ClaimLapsed, State::TunnelGranted { gig, .. }) => Some(State::Discoverable(moved(gig, at))),
        (Fact::WorkStarted, State::TunnelGranted { gig, work, .. }) => {
            Some(State::InProgress { gig: moved(gig, at), work })
        }
        _ => None,
    }
}

fn reviewing(state: State, fact: &Fact, at: UnixMillis) -> Option<State> {
    match (fact, state) {
        (Fact::Delivered { delivery, review_until }, State::InProgress { gig, work }) => {
            let (delivery, review_until) = (delivery.clone(), *review_until);
            Some(State::Delivered { gig: moved(gig, at), work, delivery, review_until })
        }
        (Fact::RevisionRequested { reason }, State::Delivered { gig, mut work, .. }) => {
            work.revisions.push(reason.clone());
            Some(State::InProgress { gig: moved(gig, at), work })
        }
        (Fact::Completed { completion, .. }, State::Delivered { gig, work, delivery, .. }) => {
            Some(State::Completed { gig: moved(gig, at), work, delivery, completion: *completion })
        }
        (Fact::Closed, State::Completed { gig, work, delivery, completion }) => Some(State::Ended {
            gig: moved(gig, at),
            work: Some(work),
            ending: Ending::Closed { completion, delivery },
        }),
        _ => None,
    }
}

fn end(state: State, ending: Ending, at: UnixMillis) -> Option<State> {
    let (gig, work) = match state {
        State::Discoverable(gig) => (gig, None),
        State::TunnelGranted { gig, work, .. }
        | State::InProgress { gig, work }
        | State::Delivered { gig, work, .. } => (gig, Some(work)),
        State::Unposted
        | State::Posted { .. }
        | State::NeverFunded { .. }
        | State::Claimed { .. }
        | State::Completed { .. }
        | State::Ended { .. } => return None,
    };
    Some(State::Ended { gig: moved(gig, at), work, ending })
}

/// Changes one seat and leaves everything else, the version included, as it was.
fn seat(mut state: State, role: Role, change: impl FnOnce(&mut Seat)) -> Option<State> {
    let (gig, work) = match &mut state {
        State::Discoverable(gig) => (gig, None),
        State::TunnelGranted { gig, work, .. }
        | State::InProgress { gig, work }
        | State::Delivered { gig, work, .. } => (gig, Some(work)),
        State::Unposted
        | State::Posted { .. }
        | State::NeverFunded { .. }
        | State::Claimed { .. }
        | State::Completed { .. }
        | State::Ended { .. } => return None,
    };
    match role {
        Role::Buyer => change(&mut gig.buyer),
        Role::Worker => change(&mut work?.worker),
    }
    Some(state)
}
