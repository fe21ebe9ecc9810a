//! How each event moves the state. A fact follows from the states that are named here, and from no other.

use primitives::{Digest, UnixMillis};

use crate::state::{Door, Hold, Rotation, Ticket};
use crate::{Corrupt, Ending, Event, Fact, Gig, Payer, Role, Seat, State, Terms, Work};

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow; the state is lost then, and the journal must be looked at by a person.
pub fn apply(state: State, event: &Event) -> Result<State, Corrupt> {
    let corrupt = Corrupt { at: event.at, lifecycle: state.lifecycle() };
    after(state, &event.fact, event.at).ok_or(corrupt)
}

fn after(state: State, fact: &Fact, at: UnixMillis) -> Option<State> {
    match fact {
        Fact::Reserved { terms, payer, grant, fund_by } => {
            reserved(state, terms.clone(), payer.clone(), *grant, *fund_by, at)
        }
        Fact::ReservedAgain { payer, grant, fund_by } => {
            reserved_again(state, payer.clone(), *grant, *fund_by)
        }
        Fact::Released { .. } => released(state),
        Fact::NeverFunded => never_funded(state, at),
        Fact::Funded { payer, transaction, expires_at } => {
            funded(state, payer.clone(), transaction.clone(), *expires_at, at)
        }
        Fact::Claimed { by, message_id } => {
            let State::Discoverable(gig) = state else { return None };
            Some(State::Claimed { gig: moved(gig, at), worker: by.clone(), claimed_by: message_id.clone() })
        }
        Fact::TunnelGranted { grant, claim_expires_at } => {
            let State::Claimed { gig, worker, claimed_by } = state else { return None };
            let work = Work { worker: Seat::new(worker, *grant), claimed_by, revisions: Vec::new() };
            Some(State::TunnelGranted { gig: moved(gig, at), work, claim_expires_at: *claim_expires_at })
        }
        Fact::ClaimLapsed => {
            let State::TunnelGranted { gig, .. } = state else { return None };
            Some(State::Discoverable(moved(gig, at)))
        }
        Fact::GrantReissued { role, grant } => seat(state, *role, |seat| seat.renew(*grant)),
        Fact::GrantRotated { role, grant, from, message_id } => seat(state, *role, |seat| {
            seat.renew(*grant);
            seat.rotation = Some(Rotation { from: *from, message_id: message_id.clone() });
        }),
        Fact::TicketIssued { role, ticket, expires_at } => {
            let ticket = Ticket { digest: *ticket, expires_at: *expires_at };
            seat(state, *role, |seat| seat.admit_by(ticket))
        }
        Fact::Joined { role } => seat(state, *role, |seat| seat.door = Door::Used),
        Fact::WorkStarted => {
            let State::TunnelGranted { gig, work, .. } = state else { return None };
            Some(State::InProgress { gig: moved(gig, at), work })
        }
        Fact::Delivered { delivery, review_until } => {
            let State::InProgress { gig, work } = state else { return None };
            let (delivery, review_until) = (delivery.clone(), *review_until);
            Some(State::Delivered { gig: moved(gig, at), work, delivery, review_until })
        }
        Fact::RevisionRequested { reason } => revision_requested(state, reason.clone(), at),
        Fact::Completed { completion, .. } => {
            let State::Delivered { gig, work, delivery, .. } = state else { return None };
            Some(State::Completed { gig: moved(gig, at), work, delivery, completion: *completion })
        }
        Fact::Closed => closed(state, at),
        Fact::Cancelled { .. } => end(state, Ending::Cancelled, at),
        Fact::Abandoned { .. } => end(state, Ending::Abandoned, at),
        Fact::Expired { why } => end(state, Ending::Expired(*why), at),
    }
}

/// One transition further (G9).
fn moved(mut gig: Gig, at: UnixMillis) -> Gig {
    gig.version = gig.version.saturating_add(1);
    gig.updated_at = at;
    gig
}

fn reserved(
    state: State,
    terms: Terms,
    payer: Payer,
    grant: Digest,
    fund_by: UnixMillis,
    at: UnixMillis,
) -> Option<State> {
    let State::Unposted = state else { return None };
    Some(State::Posted { terms, hold: Hold::Held(payer), grant, posted_at: at, fund_by })
}

fn reserved_again(state: State, payer: Payer, grant: Digest, fund_by: UnixMillis) -> Option<State> {
    let State::Posted { terms, posted_at, .. } = state else { return None };
    Some(State::Posted { terms, hold: Hold::Held(payer), grant, posted_at, fund_by })
}

fn released(state: State) -> Option<State> {
    let State::Posted { terms, grant, posted_at, fund_by, .. } = state else { return None };
    Some(State::Posted { terms, hold: Hold::Released, grant, posted_at, fund_by })
}

fn never_funded(state: State, at: UnixMillis) -> Option<State> {
    let State::Posted { terms, .. } = state else { return None };
    Some(State::NeverFunded { terms, ended_at: at })
}

fn funded(
    state: State,
    payer: Payer,
    transaction: String,
    expires_at: UnixMillis,
    at: UnixMillis,
) -> Option<State> {
    let State::Posted { terms, grant, posted_at, .. } = state else { return None };
    let buyer = Seat::new(terms.buyer.clone(), grant);
    let payment = payer.payment;
    let gig = Gig { terms, payment, transaction, posted_at, expires_at, buyer, version: 0, updated_at: at };
    Some(State::Discoverable(moved(gig, at)))
}

fn revision_requested(state: State, reason: String, at: UnixMillis) -> Option<State> {
    let State::Delivered { gig, mut work, .. } = state else { return None };
    work.revisions.push(reason);
    Some(State::InProgress { gig: moved(gig, at), work })
}

fn closed(state: State, at: UnixMillis) -> Option<State> {
    let State::Completed { gig, work, delivery, completion } = state else { return None };
    let ending = Ending::Closed { completion, delivery };
    Some(State::Ended { gig: moved(gig, at), work: Some(work), ending })
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
