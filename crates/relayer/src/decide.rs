//! The only place where a relayer says no.

use primitives::{Millis, UnixMillis};

use crate::{
    Command, Event, Fact, Job, Observation, Policy, Refusal, Signed, Standing, State, apply, limits,
};

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let facts = match command {
        Command::Submit { job, policy } => submit(state, job, &policy, now)?,
        Command::Sign(signed) => sign(state, signed, now)?,
        Command::Observe(observation) => observe(state, &observation, now),
        Command::Wake => wake(state, now),
    };
    Ok(facts.into_iter().map(|fact| Event { at: now, fact }).collect())
}

fn submit(state: &State, job: Job, policy: &Policy, now: UnixMillis) -> Result<Vec<Fact>, Refusal> {
    if state.task(&job.id).is_some() {
        return Ok(Vec::new());
    }
    let names = 1..=limits::NAME_BYTES_MAX;
    let is_in_bounds = names.contains(&job.id.len())
        && names.contains(&job.payer.len())
        && job.input.0.len() <= limits::INPUT_BYTES_MAX
        && (limits::TRANSFER_GAS..=limits::JOB_GAS_MAX).contains(&job.gas_limit);
    if !is_in_bounds {
        return Err(Refusal::OutOfBounds);
    }
    if now >= job.not_after {
        return Err(Refusal::Expired);
    }
    if state.waiting.len().saturating_add(state.open.len()) >= limits::JOBS_MAX {
        return Err(Refusal::Busy);
    }
    state.spending.admits(&job, policy, now)?;
    Ok(vec![Fact::Submitted { job }])
}

/// What was signed is in turn when it can be applied, and what it replaces gives way to it (R6).
fn sign(state: &State, signed: Vec<Signed>, now: UnixMillis) -> Result<Vec<Fact>, Refusal> {
    let mut state = state.clone();
    let mut facts = Vec::with_capacity(signed.len());
    for signed in signed {
        let replaced = state.open.get(&signed.nonce);
        if replaced.is_some_and(|open| !signed.fees.replaces(&open.fees)) {
            return Err(Refusal::OutOfTurn);
        }
        let event = Event { at: now, fact: Fact::Signed(signed) };
        state = apply(state, &event).map_err(|_| Refusal::OutOfTurn)?;
        facts.push(event.fact);
    }
    Ok(facts)
}

fn observe(state: &State, seen: &Observation, now: UnixMillis) -> Vec<Fact> {
    let mut facts: Vec<Fact> = gap(state, seen.mined_nonce).into_iter().collect();
    if state.open.is_empty() && state.next_nonce.is_none_or(|known| known < seen.mined_nonce) {
        facts.push(Fact::Synchronized { next_nonce: seen.mined_nonce });
    }
    let mut displaced = Vec::new();
    for (nonce, open) in &state.open {
        let (nonce, is_used) = (*nonce, *nonce < seen.mined_nonce);
        if let Some(receipt) = seen.receipts.iter().find(|receipt| open.attempt(&receipt.hash).is_some()) {
            facts.push(Fact::Mined { nonce, receipt: receipt.clone() });
            continue;
        }
        match open.standing {
            Standing::Pending if is_used => facts.push(Fact::Taken { nonce }),
            Standing::Pending => {}
            Standing::Taken { .. } if !is_used => facts.push(Fact::Restored { nonce }),
            Standing::Taken { since } if now.since(since) >= limits::TAKEN_CONFIRMATION => {
                displaced.push(Fact::Displaced { nonce });
            }
            Standing::Taken { .. } => {}
        }
    }
    // Each goes to the front of the queue: the last one first, so that they keep their order.
    facts.extend(displaced.into_iter().rev());
    facts
}

/// What has changed about the nonces below the open ones.
fn gap(state: &State, mined_nonce: u64) -> Option<Fact> {
    let seen = state.first_open().filter(|first| mined_nonce < *first).map(|_| mined_nonce);
    if seen == state.gap.map(|gap| gap.from) {
        return None;
    }
    Some(seen.map_or(Fact::GapGone, |from| Fact::GapSeen { from }))
}

fn wake(state: &State, now: UnixMillis) -> Vec<Fact> {
    let expired = state.waiting.iter().filter(|task| task.is_expired(now));
    let mut facts: Vec<Fact> = expired.map(|task| Fact::Expired { job: task.job.id.clone() }).collect();
    let has_work = !state.open.is_empty() || facts.len() < state.waiting.len();
    if has_work && now >= state.look.at {
        let pause = state.look.pause.0.saturating_mul(2);
        let pause = Millis(pause.clamp(limits::LOOK_PAUSE_MIN.0, limits::LOOK_PAUSE_MAX.0));
        facts.push(Fact::LookStarted { next_at: now.plus(pause) });
        if !state.open.is_empty() && now >= state.resend_at {
            facts.push(Fact::ResendStarted { next_at: now.plus(limits::RESEND_PAUSE) });
        }
    }
    facts
}
