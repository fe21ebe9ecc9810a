//! How each event moves the state.

use primitives::UnixMillis;

use crate::{
    Attempt, Cargo, Corrupt, Event, Fact, Gap, Job, Look, Open, Purpose, Receipt, Signed, Standing, State,
    Task, limits,
};

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow.
pub fn apply(mut state: State, event: &Event) -> Result<State, Corrupt> {
    let corrupt = Corrupt { at: event.at, lifecycle: state.lifecycle() };
    let at = event.at;
    let folded = match &event.fact {
        Fact::Submitted { job } => submitted(&mut state, job, at),
        Fact::Synchronized { next_nonce } => synchronized(&mut state, *next_nonce),
        Fact::Signed(signed) => signed_one(&mut state, signed, at),
        Fact::Mined { nonce, receipt } => mined(&mut state, *nonce, receipt),
        Fact::Taken { nonce } => {
            stand(&mut state, *nonce, Standing::Taken { since: at }, |is| is == Standing::Pending)
        }
        Fact::Restored { nonce } => {
            stand(&mut state, *nonce, Standing::Pending, |is| is != Standing::Pending)
        }
        Fact::Displaced { nonce } => displaced(&mut state, *nonce),
        Fact::Expired { job } => expired(&mut state, job),
        Fact::GapSeen { from } => state.first_open().filter(|first| from < first).map(|_| {
            state.gap = Some(Gap { from: *from, since: at });
        }),
        Fact::GapGone => state.gap.take().map(|_| ()),
        Fact::LookStarted { next_at } => state.has_work().then(|| {
            state.look = Look { at: *next_at, pause: next_at.since(at) };
        }),
        Fact::ResendStarted { next_at } => state.first_open().map(|_| state.resend_at = *next_at),
    };
    folded.map(|()| state).ok_or(corrupt)
}

fn submitted(state: &mut State, job: &Job, at: UnixMillis) -> Option<()> {
    if state.task(&job.id).is_some() {
        return None;
    }
    hurry(state, at);
    state.spending.count(job, at);
    state.waiting.push_back(Task { job: job.clone(), submitted_at: at, displacements: 0 });
    Some(())
}

/// Something new: looks begin at their shortest pause again.
fn hurry(state: &mut State, at: UnixMillis) {
    let pause = limits::LOOK_PAUSE_MIN;
    let soon = at.plus(pause);
    let at = if state.has_work() { state.look.at.min(soon) } else { soon };
    state.look = Look { at, pause };
}

fn synchronized(state: &mut State, next_nonce: u64) -> Option<()> {
    let follows = state.open.is_empty() && state.next_nonce.is_none_or(|known| known < next_nonce);
    follows.then(|| state.next_nonce = Some(next_nonce))
}

fn signed_one(state: &mut State, signed: &Signed, at: UnixMillis) -> Option<()> {
    hurry(state, at);
    let attempt = Attempt { hash: signed.hash, purpose: signed.purpose.clone() };
    if let Some(open) = state.open.get_mut(&signed.nonce) {
        if open.standing != Standing::Pending || !open.takes(&signed.purpose) {
            return None;
        }
        open.attempts.push(attempt);
        (open.raw, open.fees, open.signed_at) = (signed.raw.clone(), signed.fees, at);
        return Some(());
    }
    let cargo = match &signed.purpose {
        Purpose::Job(id) => {
            if state.next_nonce != Some(signed.nonce) {
                return None;
            }
            state.next_nonce = Some(signed.nonce.checked_add(1)?);
            let position = state.waiting.iter().position(|task| task.job.id == *id)?;
            Cargo::Task(state.waiting.remove(position)?)
        }
        Purpose::Void => {
            let gap = state.gap?.from..state.next_nonce?;
            gap.contains(&signed.nonce).then_some(Cargo::Nothing)?
        }
    };
    if state.open.is_empty() {
        state.resend_at = at.plus(limits::RESEND_PAUSE);
    }
    let (raw, fees) = (signed.raw.clone(), signed.fees);
    let open = Open { cargo, standing: Standing::Pending, attempts: vec![attempt], raw, fees, signed_at: at };
    state.open.insert(signed.nonce, open);
    Some(())
}

fn mined(state: &mut State, nonce: u64, receipt: &Receipt) -> Option<()> {
    state.open.get(&nonce)?.attempt(&receipt.hash)?;
    if let Cargo::Task(task) = close(state, nonce)?.cargo {
        state.spending.correct(&task, receipt.gas_used);
    }
    Some(())
}

fn close(state: &mut State, nonce: u64) -> Option<Open> {
    let open = state.open.remove(&nonce)?;
    if state.open.is_empty() {
        state.gap = None;
    }
    Some(open)
}

fn stand(
    state: &mut State,
    nonce: u64,
    standing: Standing,
    follows: impl Fn(Standing) -> bool,
) -> Option<()> {
    let open = state.open.get_mut(&nonce)?;
    follows(open.standing).then(|| open.standing = standing)
}

fn displaced(state: &mut State, nonce: u64) -> Option<()> {
    if state.open.get(&nonce)?.standing == Standing::Pending {
        return None;
    }
    match close(state, nonce)?.cargo {
        Cargo::Task(task) => {
            let displacements = task.displacements.saturating_add(1);
            state.waiting.push_front(Task { displacements, ..task });
        }
        Cargo::Nothing => {}
    }
    Some(())
}

fn expired(state: &mut State, id: &str) -> Option<()> {
    let position = state.waiting.iter().position(|task| task.job.id == id)?;
    let task = state.waiting.remove(position)?;
    state.spending.correct(&task, 0);
    Some(())
}
