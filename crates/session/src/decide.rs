//! The only place where a name says no.

use primitives::{Digest, UnixMillis};

use crate::{Account, Command, End, Event, Fact, Refusal, Session, State, limits};

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    // Time comes first, whether or not the alarm was in time (V7).
    let expired = state.expired(now);
    let state = expired.as_ref().unwrap_or(state);
    let fact = match command {
        Command::Challenge { nonce } => challenge(state, nonce, now)?,
        Command::Present { nonce } => present(state, &nonce)?,
        Command::SignIn { nonce, account, successor } => sign_in(state, &nonce, account, successor)?,
        Command::Begin { account, since } => begin(state, account, since)?,
        Command::Visit => visit(open(state)?, now),
        Command::SignOut => end(state, Fact::SignedOut),
        Command::Revoke => end(state, Fact::Revoked),
        Command::Wake => None,
    };
    let facts = expired.is_some().then_some(Fact::Expired).into_iter().chain(fact);
    Ok(facts.map(|fact| Event { at: now, fact }).collect())
}

/// The session that the name is at `now`.
///
/// # Errors
/// [`Refusal::NotSignedIn`] and [`Refusal::Ended`], as [`Command::Visit`] would hear them.
pub fn holder(state: &State, now: UnixMillis) -> Result<&Session, Refusal> {
    match state.expired(now) {
        Some(_) => Err(Refusal::Ended(End::Expired)),
        None => open(state),
    }
}

fn open(state: &State) -> Result<&Session, Refusal> {
    match state {
        State::SignedIn(session) => Ok(session),
        State::Unused | State::Challenged(_) | State::Presented(_) => Err(Refusal::NotSignedIn),
        State::Ended { end, .. } => Err(Refusal::Ended(*end)),
    }
}

fn challenge(state: &State, nonce: Digest, now: UnixMillis) -> Result<Option<Fact>, Refusal> {
    match state {
        State::Challenged(challenge) if challenge.nonce == nonce => return Ok(None),
        State::Presented(challenge) if challenge.nonce == nonce => return Err(Refusal::NonceUsed),
        State::Challenged(challenge) | State::Presented(challenge)
            if challenge.number >= limits::CHALLENGES_MAX =>
        {
            return Err(Refusal::TooManyChallenges);
        }
        State::Unused | State::Challenged(_) | State::Presented(_) => {}
        State::SignedIn(_) => return Err(Refusal::AlreadySignedIn),
        State::Ended { end, .. } => return Err(Refusal::Ended(*end)),
    }
    Ok(Some(Fact::Challenged { nonce, until: now.plus(limits::NONCE_LIFETIME) }))
}

fn present(state: &State, nonce: &Digest) -> Result<Option<Fact>, Refusal> {
    match state {
        State::Challenged(challenge) if challenge.nonce == *nonce => Ok(Some(Fact::Presented)),
        State::Presented(challenge) if challenge.nonce == *nonce => Err(Refusal::NonceUsed),
        State::Unused | State::Challenged(_) | State::Presented(_) => Err(Refusal::NonceUnknown),
        State::SignedIn(_) => Err(Refusal::AlreadySignedIn),
        State::Ended { end, .. } => Err(Refusal::Ended(*end)),
    }
}

fn sign_in(
    state: &State,
    nonce: &Digest,
    account: Account,
    successor: Digest,
) -> Result<Option<Fact>, Refusal> {
    match state {
        State::Presented(challenge) if challenge.nonce == *nonce => {
            Ok(Some(Fact::SignedIn { account, successor }))
        }
        State::Unused | State::Challenged(_) | State::Presented(_) => Err(Refusal::NonceUnknown),
        State::SignedIn(_) => Err(Refusal::AlreadySignedIn),
        State::Ended { end, .. } => Err(Refusal::Ended(*end)),
    }
}

/// A beginning comes at least once; the second one changes nothing.
fn begin(state: &State, account: Account, since: UnixMillis) -> Result<Option<Fact>, Refusal> {
    match state {
        State::Unused => Ok(Some(Fact::Begun { account, since })),
        State::SignedIn(session) if session.account == account && session.since == since => Ok(None),
        State::Challenged(_) | State::Presented(_) | State::SignedIn(_) => Err(Refusal::NameUsed),
        State::Ended { end, .. } => Err(Refusal::Ended(*end)),
    }
}

fn visit(session: &Session, now: UnixMillis) -> Option<Fact> {
    (now.since(session.visited_at) >= limits::VISIT_EVERY).then_some(Fact::Visited)
}

/// A name that nobody has used ends as well, so that a beginning under way comes too late (V5).
fn end(state: &State, fact: Fact) -> Option<Fact> {
    match state {
        State::Unused | State::Challenged(_) | State::Presented(_) | State::SignedIn(_) => Some(fact),
        State::Ended { .. } => None,
    }
}
