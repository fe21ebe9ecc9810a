//! Who may open a socket: grants, tickets and their replacement (G5).

use primitives::{AgentIdentity, Digest, MessageId, UnixMillis};

use crate::decide::{authorize, unavailable};
use crate::state::{Door, State};
use crate::{Bearer, Fact, Refusal, Role, limits};

const ROLES: [Role; 2] = [Role::Buyer, Role::Worker];

/// The seat that a grant belongs to, whoever shows it.
fn seat_of_grant(state: &State, grant: &Digest) -> Option<Role> {
    ROLES.into_iter().find(|role| state.seat(*role).is_some_and(|seat| seat.grant.same_as(grant)))
}

/// The seat that a waiting ticket belongs to.
fn seat_of_ticket(state: &State, ticket: &Digest, now: UnixMillis) -> Option<Role> {
    ROLES.into_iter().find(|role| match state.seat(*role).map(|seat| &seat.door) {
        Some(Door::Ticketed(kept)) => now < kept.expires_at && kept.digest.same_as(ticket),
        Some(Door::Unused | Door::Used) | None => false,
    })
}

/// Whether there is a tunnel to enter.
fn open_tunnel(state: &State) -> Result<(), Refusal> {
    match state {
        State::TunnelGranted { .. } | State::InProgress { .. } | State::Delivered { .. } => Ok(()),
        State::Completed { .. } | State::Ended { .. } => Err(Refusal::GrantExpired),
        State::Unposted | State::Posted { .. } | State::NeverFunded { .. } => Err(Refusal::UnknownGig),
        State::Discoverable(_) | State::Claimed { .. } => Err(Refusal::TunnelInactive),
    }
}

pub(crate) fn issue_ticket(
    state: &State,
    by: &AgentIdentity,
    grant: &Digest,
    ticket: Digest,
    now: UnixMillis,
) -> Result<Vec<Fact>, Refusal> {
    state.gig().ok_or(Refusal::UnknownGig)?;
    let role = seat_of_grant(state, grant).ok_or(Refusal::InvalidGrant)?;
    let seat = authorize(state, role, by, grant)?;
    open_tunnel(state)?;
    match seat.door {
        Door::Unused | Door::Ticketed(_) if seat.is_worn_out() => Err(Refusal::RotationsUsedUp),
        // A ticket that lapsed or got lost does not cost the grant.
        Door::Unused | Door::Ticketed(_) => {
            Ok(vec![Fact::TicketIssued { role, ticket, expires_at: now.plus(limits::TICKET_LIFETIME) }])
        }
        Door::Used => Err(Refusal::GrantUsed),
    }
}

pub(crate) fn join(state: &State, bearer: &Bearer, now: UnixMillis) -> Result<Vec<Fact>, Refusal> {
    state.gig().ok_or(Refusal::UnknownGig)?;
    let role = match bearer {
        Bearer::Grant { by, grant } => {
            // Before a claim nobody can enter; saying so to any caller tells only what the board shows.
            open_tunnel(state)?;
            let role = seat_of_grant(state, grant).ok_or(Refusal::InvalidGrant)?;
            let seat = authorize(state, role, by, grant)?;
            match seat.door {
                Door::Unused => role,
                // The grant's one socket was promised to the ticket.
                Door::Ticketed(_) | Door::Used => return Err(Refusal::GrantUsed),
            }
        }
        Bearer::Ticket { ticket } => {
            open_tunnel(state)?;
            seat_of_ticket(state, ticket, now).ok_or(Refusal::InvalidGrant)?
        }
    };
    let mut facts = vec![Fact::Joined { role }];
    // G4: only the worker's arrival starts the work.
    if role == Role::Worker && matches!(state, State::TunnelGranted { .. }) {
        facts.push(Fact::WorkStarted);
    }
    Ok(facts)
}

pub(crate) fn reconnect(
    state: &State,
    by: &AgentIdentity,
    role: Role,
    grant: Digest,
    message_id: MessageId,
    replacement: Digest,
) -> Result<Vec<Fact>, Refusal> {
    state.gig().ok_or(Refusal::UnknownGig)?;
    let seat = state.seat(role).ok_or(Refusal::InvalidGrant)?;
    if let Some(rotation) = &seat.rotation {
        // The answer to this very message was lost: its unused grant is replaced once more.
        let repeats =
            rotation.from.same_as(&grant) && rotation.message_id == message_id && seat.identity == *by;
        if repeats && seat.is_unused() && !seat.is_worn_out() && state.has_tunnel() {
            return Ok(vec![Fact::GrantReissued { role, grant: replacement }]);
        }
    }
    let seat = authorize(state, role, by, &grant)?;
    if !state.has_tunnel() {
        return Err(if state.is_over() { Refusal::GrantExpired } else { unavailable(state) });
    }
    if seat.is_worn_out() {
        return Err(Refusal::RotationsUsedUp);
    }
    Ok(vec![Fact::GrantRotated { role, grant: replacement, from: grant, message_id }])
}
