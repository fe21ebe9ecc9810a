//! The only place where a settlement says no.

use primitives::{Digest, Millis, UnixMillis};

use crate::collect::collect;
use crate::see::see;
use crate::{
    Asker, Bytes, Command, Event, Fact, Lifecycle, Pursuit, Refusal, State, Terms, deadline, limits, matches,
};

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let facts = match command {
        Command::Start { fingerprint, asker, terms } => start(state, fingerprint, asker, terms)?,
        Command::Collect { fingerprint, asker } => collect(state, &fingerprint, &asker)?,
        Command::Announce { hash, raw } => announce(state, hash, raw)?,
        Command::Decline { reason } => decline(state, reason)?,
        Command::LookNow => look_now(state, now),
        Command::See { look, sighting } => see(state, look, sighting),
        Command::Wake => wake(state, now),
    };
    Ok(facts.into_iter().map(|fact| Event { at: now, fact }).collect())
}

/// Starts what has not been started; the same request again, by whomever, only hears how it stands.
fn start(state: &State, fingerprint: Digest, asker: Asker, terms: Box<Terms>) -> Result<Vec<Fact>, Refusal> {
    asker.check()?;
    matches(state, &fingerprint)?;
    Ok(match state {
        State::New | State::Declined { .. } => vec![Fact::Started { fingerprint, asker, terms }],
        State::Underway(_) | State::Reverted { .. } | State::Transferred { .. } | State::Failed { .. } => {
            Vec::new()
        }
    })
}

/// Announcements come at least once and in any order, so one may come when the outcome is final already.
fn announce(state: &State, hash: String, raw: Bytes) -> Result<Vec<Fact>, Refusal> {
    if state.lifecycle() == Lifecycle::New {
        return Err(Refusal::Unavailable(Lifecycle::New));
    }
    let is_news = state
        .unfinished()
        .is_some_and(|pursuit| pursuit.calls.as_ref().is_none_or(|calls| !calls.hashes.contains(&hash)));
    Ok(if is_news { vec![Fact::Announced { hash, raw }] } else { Vec::new() })
}

/// Once it has counted as settled, the authorization serves no other request, even if the chain undid that.
fn decline(state: &State, reason: String) -> Result<Vec<Fact>, Refusal> {
    match state {
        State::Declined { .. } => Ok(Vec::new()),
        State::Underway(Pursuit { calls: None, settled_at: None, .. }) => Ok(vec![Fact::Declined { reason }]),
        State::New
        | State::Underway(_)
        | State::Reverted { .. }
        | State::Transferred { .. }
        | State::Failed { .. } => Err(Refusal::Unavailable(state.lifecycle())),
    }
}

fn look_now(state: &State, now: UnixMillis) -> Vec<Fact> {
    match state {
        State::Declined { pursuit, .. } | State::Underway(pursuit) | State::Reverted { pursuit, .. } => {
            vec![look_started(pursuit, now)]
        }
        // Where the transfer was seen, it is looked at again in its own time.
        State::New | State::Transferred { .. } | State::Failed { .. } => Vec::new(),
    }
}

fn wake(state: &State, now: UnixMillis) -> Vec<Fact> {
    if deadline(state).is_none_or(|deadline| now < deadline) {
        return Vec::new();
    }
    match state {
        State::New | State::Declined { .. } | State::Failed { .. } => Vec::new(),
        State::Transferred { pursuit, .. }
            if state.lifecycle() == Lifecycle::Settled && now.since(pursuit.since) >= limits::WATCH_MAX =>
        {
            vec![Fact::WatchEnded]
        }
        State::Underway(pursuit) | State::Reverted { pursuit, .. } | State::Transferred { pursuit, .. } => {
            vec![look_started(pursuit, now)]
        }
    }
}

/// A look is as long after the last one as that was after the last change, so that pauses double; bounded.
fn look_started(pursuit: &Pursuit, now: UnixMillis) -> Fact {
    let age = now.since(pursuit.since).0;
    let pause = Millis(age.clamp(limits::LOOK_PAUSE_MIN.0, limits::LOOK_PAUSE_MAX.0));
    Fact::LookStarted { next_look_at: now.plus(pause) }
}
