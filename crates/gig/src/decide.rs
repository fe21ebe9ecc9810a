//! The only place where a gig says no.

use primitives::{AgentIdentity, Digest, MessageId, UnixMillis};

use crate::apply::apply;
use crate::state::{Hold, State};
use crate::tunnel::{issue_ticket, join, reconnect};
use crate::{
    Command, Completion, Delivery, Event, Expiry, Fact, Lifecycle, Payer, Refusal, Role, Seat, Terms,
    deadline, limits,
};

/// Judges one command at `now`. If a deadline has passed unnoticed, what time did comes first: the events begin with
/// it, and the command is judged by the state after it (G7).
///
/// # Errors
/// The [`Refusal`] with the highest precedence; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let (current, mut events) = catch_up(state.clone(), now);
    let facts = judge(&current, command, now)?;
    events.extend(facts.into_iter().map(|fact| Event { at: now, fact }));
    Ok(events)
}

/// Lets every deadline up to `now` take effect, in order, so that what becomes of a gig does not depend on how late
/// the alarm is: the state then, and the events that lead there.
fn catch_up(mut state: State, now: UnixMillis) -> (State, Vec<Event>) {
    let mut events = Vec::new();
    loop {
        let lapsed: Vec<Event> = lapse(&state, now).into_iter().map(|fact| Event { at: now, fact }).collect();
        // What lapses follows from the state that it was read from; were it ever not so, the state stays as it is.
        match lapsed.iter().try_fold(state.clone(), apply) {
            Ok(next) if !lapsed.is_empty() => state = next,
            Ok(_) | Err(_) => return (state, events),
        }
        events.extend(lapsed);
    }
}

fn judge(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Fact>, Refusal> {
    match command {
        Command::Reserve { terms, payer, grant } => reserve(state, terms, payer, grant, now),
        Command::Release { payer, reason } => Ok(release(state, payer, reason)),
        Command::Fund { payer, transaction } => fund(state, payer, transaction, now),
        Command::Claim { by, message_id, grant } => claim(state, by, message_id, grant, now),
        Command::IssueTicket { by, grant, ticket } => issue_ticket(state, &by, &grant, ticket, now),
        Command::Join { bearer } => join(state, &bearer, now),
        Command::Reconnect { by, role, grant, message_id, replacement } => {
            reconnect(state, &by, role, grant, message_id, replacement)
        }
        Command::Deliver { by, grant, delivery } => deliver(state, &by, &grant, delivery, now),
        Command::Accept { by, grant, reason } => accept(state, &by, &grant, reason),
        Command::Revise { by, grant, reason } => revise(state, &by, &grant, reason),
        Command::Cancel { by, grant, reason } => cancel(state, &by, &grant, reason),
        Command::Abandon { by, grant, reason } => abandon(state, &by, &grant, reason),
        Command::Wake => Ok(Vec::new()),
    }
}

/// Whether `by` holds the grant in force for `role`. A shell asks this before it looks up a recorded answer, so that
/// knowing a message id opens nothing. Grants of an ended gig still identify their party.
///
/// # Errors
/// [`Refusal::UnknownGig`], [`Refusal::IdentityMismatch`] or [`Refusal::InvalidGrant`].
pub fn authorize<'a>(
    state: &'a State,
    role: Role,
    by: &AgentIdentity,
    grant: &Digest,
) -> Result<&'a Seat, Refusal> {
    state.gig().ok_or(Refusal::UnknownGig)?;
    let seat = state.seat(role).ok_or(Refusal::InvalidGrant)?;
    if !seat.grant.same_as(grant) {
        return Err(Refusal::InvalidGrant);
    }
    if seat.identity != *by {
        return Err(Refusal::IdentityMismatch);
    }
    Ok(seat)
}

/// What time alone has done to the state by `now`.
fn lapse(state: &State, now: UnixMillis) -> Vec<Fact> {
    if deadline(state).is_none_or(|deadline| now < deadline) {
        return Vec::new();
    }
    match state {
        State::Unposted | State::NeverFunded { .. } | State::Ended { .. } => Vec::new(),
        State::Posted { .. } => vec![Fact::NeverFunded],
        State::Discoverable(_) | State::Claimed { .. } => vec![Fact::Expired { why: Expiry::NotClaimed }],
        // A claim that would have lasted longer than the gig is still held at the gig's deadline.
        State::TunnelGranted { gig, claim_expires_at, .. } if *claim_expires_at >= gig.expires_at => {
            vec![Fact::Expired { why: Expiry::NotDelivered }]
        }
        State::TunnelGranted { .. } => vec![Fact::ClaimLapsed],
        State::InProgress { .. } => vec![Fact::Expired { why: Expiry::NotDelivered }],
        State::Delivered { gig, review_until, .. } if *review_until <= gig.expires_at => {
            vec![Fact::Completed { completion: Completion::ReviewWindowPassed, reason: None }, Fact::Closed]
        }
        State::Delivered { .. } => vec![Fact::Expired { why: Expiry::NotReviewed }],
        State::Completed { .. } => vec![Fact::Closed],
    }
}

fn reserve(
    state: &State,
    terms: Terms,
    payer: Payer,
    grant: Digest,
    now: UnixMillis,
) -> Result<Vec<Fact>, Refusal> {
    let fund_by = now.plus(limits::FUNDING_WAIT);
    match state {
        State::Unposted => Ok(vec![Fact::Reserved { terms, payer, grant, fund_by }]),
        State::Posted { terms: kept, hold, .. } => {
            same_terms(kept, &terms)?;
            match hold {
                Hold::Held(holder) if holder.payment != payer.payment => Err(Refusal::PaymentInProgress),
                // A late copy of a try that was given up must not unseat the one that is under way.
                Hold::Held(holder) if holder.claimed_at > payer.claimed_at => Err(Refusal::PaymentInProgress),
                Hold::Held(_) | Hold::Released => Ok(vec![Fact::ReservedAgain { payer, grant, fund_by }]),
            }
        }
        State::NeverFunded { terms: kept, .. } => {
            same_terms(kept, &terms)?;
            Err(Refusal::Ended(Lifecycle::Failed))
        }
        State::Discoverable(gig)
        | State::Claimed { gig, .. }
        | State::TunnelGranted { gig, .. }
        | State::InProgress { gig, .. }
        | State::Delivered { gig, .. }
        | State::Completed { gig, .. }
        | State::Ended { gig, .. } => {
            same_terms(&gig.terms, &terms)?;
            Ok(reissue(state, Role::Buyer, grant))
        }
    }
}

fn same_terms(kept: &Terms, asked: &Terms) -> Result<(), Refusal> {
    // The timeouts are the board's, not the buyer's: a change of configuration does not make another gig.
    let same =
        Terms { claim_timeout: kept.claim_timeout, review_window: kept.review_window, ..asked.clone() };
    if same == *kept { Ok(()) } else { Err(Refusal::MessageReused) }
}

/// A fresh grant in the place of one whose answer may have been lost, as long as it has opened nothing.
fn reissue(state: &State, role: Role, grant: Digest) -> Vec<Fact> {
    match state.seat(role) {
        Some(seat) if seat.is_unused() && !seat.is_worn_out() && !state.is_over() => {
            vec![Fact::GrantReissued { role, grant }]
        }
        Some(_) | None => Vec::new(),
    }
}

fn release(state: &State, payer: Payer, reason: String) -> Vec<Fact> {
    match state {
        State::Posted { hold: Hold::Held(holder), .. } if *holder == payer => {
            vec![Fact::Released { payer, reason }]
        }
        // Released twice, or for a payment that never held it: there is nothing to release.
        State::Unposted
        | State::Posted { .. }
        | State::NeverFunded { .. }
        | State::Discoverable(_)
        | State::Claimed { .. }
        | State::TunnelGranted { .. }
        | State::InProgress { .. }
        | State::Delivered { .. }
        | State::Completed { .. }
        | State::Ended { .. } => Vec::new(),
    }
}

fn fund(state: &State, payer: Payer, transaction: String, now: UnixMillis) -> Result<Vec<Fact>, Refusal> {
    match state {
        State::Posted { hold: Hold::Held(holder), .. } if holder.payment != payer.payment => {
            Err(Refusal::NotReserved)
        }
        // A payment settles at most once, so it does not matter which of its tries did. Were its hold let go before the
        // money moved after all, refusing would leave the buyer charged and without a gig.
        State::Posted { terms, .. } => {
            let expires_at = now.plus(terms.lifetime);
            Ok(vec![Fact::Funded { payer, transaction, expires_at }])
        }
        State::Unposted | State::NeverFunded { .. } => Err(Refusal::NotReserved),
        State::Discoverable(gig)
        | State::Claimed { gig, .. }
        | State::TunnelGranted { gig, .. }
        | State::InProgress { gig, .. }
        | State::Delivered { gig, .. }
        | State::Completed { gig, .. }
        | State::Ended { gig, .. } => {
            if gig.payment == payer.payment {
                Ok(Vec::new())
            } else {
                Err(Refusal::NotReserved)
            }
        }
    }
}

fn claim(
    state: &State,
    by: AgentIdentity,
    message_id: MessageId,
    grant: Digest,
    now: UnixMillis,
) -> Result<Vec<Fact>, Refusal> {
    let gig = state.gig().ok_or(Refusal::UnknownGig)?;
    if gig.buyer.identity == by {
        return Err(Refusal::OwnGig);
    }
    match state {
        State::Discoverable(gig) => {
            let claim_expires_at = now.plus(gig.terms.claim_timeout).min(gig.expires_at);
            Ok(vec![Fact::Claimed { by, message_id }, Fact::TunnelGranted { grant, claim_expires_at }])
        }
        State::TunnelGranted { work, .. } if work.worker.identity == by && work.claimed_by == message_id => {
            match reissue(state, Role::Worker, grant) {
                facts if facts.is_empty() => Err(Refusal::AlreadyClaimed),
                facts => Ok(facts),
            }
        }
        State::Ended { .. } => Err(Refusal::Ended(state.lifecycle().unwrap_or(Lifecycle::Closed))),
        State::Unposted
        | State::Posted { .. }
        | State::NeverFunded { .. }
        | State::Claimed { .. }
        | State::TunnelGranted { .. }
        | State::InProgress { .. }
        | State::Delivered { .. }
        | State::Completed { .. } => Err(Refusal::AlreadyClaimed),
    }
}

fn deliver(
    state: &State,
    by: &AgentIdentity,
    grant: &Digest,
    delivery: Delivery,
    now: UnixMillis,
) -> Result<Vec<Fact>, Refusal> {
    authorize(state, Role::Worker, by, grant)?;
    let State::InProgress { gig, .. } = state else { return Err(unavailable(state)) };
    Ok(vec![Fact::Delivered { delivery, review_until: now.plus(gig.terms.review_window) }])
}

fn accept(
    state: &State,
    by: &AgentIdentity,
    grant: &Digest,
    reason: Option<String>,
) -> Result<Vec<Fact>, Refusal> {
    authorize(state, Role::Buyer, by, grant)?;
    let State::Delivered { .. } = state else { return Err(unavailable(state)) };
    Ok(vec![Fact::Completed { completion: Completion::Accepted, reason }, Fact::Closed])
}

fn revise(state: &State, by: &AgentIdentity, grant: &Digest, reason: String) -> Result<Vec<Fact>, Refusal> {
    authorize(state, Role::Buyer, by, grant)?;
    let State::Delivered { work, .. } = state else { return Err(unavailable(state)) };
    if work.revisions.len() >= limits::REVISIONS_MAX {
        return Err(Refusal::RevisionsUsedUp);
    }
    Ok(vec![Fact::RevisionRequested { reason }])
}

fn cancel(
    state: &State,
    by: &AgentIdentity,
    grant: &Digest,
    reason: Option<String>,
) -> Result<Vec<Fact>, Refusal> {
    authorize(state, Role::Buyer, by, grant)?;
    match state {
        // G8: who has seen a delivery and sent it back cannot walk away with it.
        State::InProgress { work, .. } if !work.revisions.is_empty() => Err(unavailable(state)),
        State::Discoverable(_) | State::TunnelGranted { .. } | State::InProgress { .. } => {
            Ok(vec![Fact::Cancelled { reason }])
        }
        State::Unposted
        | State::Posted { .. }
        | State::NeverFunded { .. }
        | State::Claimed { .. }
        | State::Delivered { .. }
        | State::Completed { .. }
        | State::Ended { .. } => Err(unavailable(state)),
    }
}

fn abandon(
    state: &State,
    by: &AgentIdentity,
    grant: &Digest,
    reason: Option<String>,
) -> Result<Vec<Fact>, Refusal> {
    authorize(state, Role::Worker, by, grant)?;
    match state {
        State::TunnelGranted { .. } | State::InProgress { .. } | State::Delivered { .. } => {
            Ok(vec![Fact::Abandoned { reason }])
        }
        State::Unposted
        | State::Posted { .. }
        | State::NeverFunded { .. }
        | State::Discoverable(_)
        | State::Claimed { .. }
        | State::Completed { .. }
        | State::Ended { .. } => Err(unavailable(state)),
    }
}

/// The refusal for an act that the state has no place for.
pub(crate) fn unavailable(state: &State) -> Refusal {
    match state.lifecycle() {
        None => Refusal::UnknownGig,
        Some(lifecycle) if state.is_over() => Refusal::Ended(lifecycle),
        Some(lifecycle) => Refusal::Unavailable(lifecycle),
    }
}
