//! The only place where an endpoint says no.

use primitives::{Millis, TenantId, UnixMillis, WebhookId};

use crate::{
    Arrival, Came, Command, Event, Fact, Hook, Known, Label, Outcome, Refusal, State, Url, Why, apply, limits,
};

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let facts = match state {
        State::Unknown => begin(command)?,
        State::Open(hook) => judge(hook, command, now)?,
        State::Removed => after_the_end(&command)?,
    };
    let mut events: Vec<Event> = facts.into_iter().map(|fact| Event { at: now, fact }).collect();
    // Whatever was asked, what is due then begins, whether or not the alarm was in time.
    let after = events.iter().try_fold(state.clone(), apply);
    if let Some(begun) = after.ok().as_ref().and_then(State::hook).and_then(|hook| due(hook, now)) {
        events.push(Event { at: now, fact: begun });
    }
    Ok(events)
}

/// Whether the endpoint is this tenant's.
///
/// # Errors
/// [`Refusal::UnknownEndpoint`], which does not tell another's endpoint from one that is not there.
pub fn authorize(state: &State, tenant: &TenantId) -> Result<(), Refusal> {
    let its = state.hook().filter(|hook| hook.tenant == *tenant);
    its.map(|_| ()).ok_or(Refusal::UnknownEndpoint)
}

fn begin(command: Command) -> Result<Vec<Fact>, Refusal> {
    match command {
        Command::Open { tenant, url, description } => Ok(vec![Fact::Opened { tenant, url, description }]),
        Command::Accept { .. } | Command::Answered { .. } | Command::Remove | Command::Wake => Ok(Vec::new()),
        Command::Change { .. }
        | Command::Enable
        | Command::Disable
        | Command::Rotate { .. }
        | Command::Test { .. }
        | Command::Resend { .. }
        | Command::Recover { .. } => Err(Refusal::UnknownEndpoint),
    }
}

/// Of what was removed nothing is owed, and whoever still sends is not told to come again.
fn after_the_end(command: &Command) -> Result<Vec<Fact>, Refusal> {
    match command {
        Command::Accept { .. } | Command::Answered { .. } | Command::Remove | Command::Wake => Ok(Vec::new()),
        Command::Open { .. }
        | Command::Change { .. }
        | Command::Enable
        | Command::Disable
        | Command::Rotate { .. }
        | Command::Test { .. }
        | Command::Resend { .. }
        | Command::Recover { .. } => Err(Refusal::UnknownEndpoint),
    }
}

fn judge(hook: &Hook, command: Command, now: UnixMillis) -> Result<Vec<Fact>, Refusal> {
    match command {
        Command::Open { tenant, url, description } => {
            let is_same = hook.tenant == tenant && hook.url == url && hook.description == description;
            if is_same { Ok(Vec::new()) } else { Err(Refusal::EndpointExists) }
        }
        Command::Change { url, description } => Ok(change(hook, url, description)),
        Command::Enable => Ok(hook.disabled.map(|_| Fact::Enabled).into_iter().collect()),
        Command::Disable => {
            let fact = hook.disabled.is_none().then_some(Fact::Disabled { why: Why::Asked });
            Ok(fact.into_iter().collect())
        }
        Command::Rotate { overlap } => rotate(hook, overlap, now),
        Command::Accept { arrivals } => Ok(accept(hook, arrivals)),
        Command::Test { message } => {
            room(hook)?;
            Ok(accept(hook, vec![Arrival { message, known: Known::Fresh }]))
        }
        Command::Answered { message, attempt, result } => Ok(answered(hook, message, attempt, result, now)),
        Command::Resend { message, known } => resend(hook, message, known),
        Command::Recover { messages } => recover(hook, messages),
        Command::Remove => Ok(vec![Fact::Removed]),
        Command::Wake => Ok(Vec::new()),
    }
}

fn change(hook: &Hook, url: Option<Url>, description: Option<Option<Label>>) -> Vec<Fact> {
    let url = url.unwrap_or_else(|| hook.url.clone());
    let description = description.unwrap_or_else(|| hook.description.clone());
    let is_new = url != hook.url || description != hook.description;
    is_new.then_some(Fact::Changed { url, description }).into_iter().collect()
}

fn rotate(hook: &Hook, overlap: Millis, now: UnixMillis) -> Result<Vec<Fact>, Refusal> {
    if overlap > limits::OVERLAP {
        return Err(Refusal::OverlapTooLong);
    }
    let until = (overlap.0 > 0).then(|| now.plus(overlap));
    match hook.former.filter(|former| former.until > now) {
        Some(former) if until.is_some() => Err(Refusal::RotationPending { until: former.until }),
        Some(_) | None => Ok(vec![Fact::Rotated { until }]),
    }
}

/// What comes is owed, or kept as missed. Of the same message twice, within what comes as well, the first counts (N1).
fn accept(hook: &Hook, arrivals: Vec<Arrival>) -> Vec<Fact> {
    let (mut room, mut seen, mut facts) = (hook.room(), Vec::new(), Vec::new());
    if hook.disabled.is_some() {
        room = 0;
    }
    for Arrival { message, known } in arrivals {
        if known == Known::Filed || hook.pending.contains_key(&message.id) || seen.contains(&message.id) {
            continue;
        }
        seen.push(message.id.clone());
        if room > 0 {
            room = room.saturating_sub(1);
            facts.push(Fact::Accepted { message });
        } else {
            facts.push(Fact::Missed { message });
        }
    }
    facts
}

/// An answer counts for the attempt that is under way (N4), and can be the last one that is put up with (N6).
fn answered(hook: &Hook, message: WebhookId, attempt: u32, result: Came, now: UnixMillis) -> Vec<Fact> {
    let is_under_way = |pending: &&crate::Pending| pending.is_under_way && pending.attempt() == attempt;
    if hook.pending.get(&message).filter(is_under_way).is_none() {
        return Vec::new();
    }
    let why = match result.outcome {
        Outcome::Taken => None,
        Outcome::Gone => Some(Why::Gone),
        Outcome::Again { .. } => {
            let is_lasting = hook.failing_since.is_some_and(|since| now.since(since) >= limits::FAILING_MAX);
            is_lasting.then_some(Why::Failing)
        }
    };
    // Whoever is not called any more is not owed another attempt.
    let is_called = hook.disabled.is_none() && why.is_none();
    let next_at = result.next_at(now).filter(|_| is_called);
    let disabled = why.filter(|_| hook.disabled.is_none()).map(|why| Fact::Disabled { why });
    core::iter::once(Fact::Answered { message, attempt, result, next_at }).chain(disabled).collect()
}

fn room(hook: &Hook) -> Result<(), Refusal> {
    match hook.disabled {
        Some(_) => Err(Refusal::EndpointDisabled),
        None if hook.room() == 0 => Err(Refusal::TooManyPending),
        None => Ok(()),
    }
}

fn resend(hook: &Hook, message: WebhookId, known: Known) -> Result<Vec<Fact>, Refusal> {
    if known == Known::Fresh {
        return Err(Refusal::UnknownMessage);
    }
    match hook.pending.get(&message) {
        // It is being sent right now.
        Some(pending) if pending.is_under_way => return Ok(Vec::new()),
        Some(_) => {}
        None => room(hook)?,
    }
    Ok(vec![Fact::Resent { messages: vec![message] }])
}

fn recover(hook: &Hook, messages: Vec<WebhookId>) -> Result<Vec<Fact>, Refusal> {
    if hook.disabled.is_some() {
        return Err(Refusal::EndpointDisabled);
    }
    let is_lost = |id: &WebhookId| !hook.pending.contains_key(id);
    let most = hook.room().min(limits::BATCH);
    let messages: Vec<WebhookId> = messages.into_iter().filter(is_lost).take(most).collect();
    Ok((!messages.is_empty()).then_some(Fact::Resent { messages }).into_iter().collect())
}

/// What begins at `now`: what is due longest, as many as may be under way (N3).
fn due(hook: &Hook, now: UnixMillis) -> Option<Fact> {
    if hook.disabled.is_some() {
        return None;
    }
    let free = limits::AT_ONCE.saturating_sub(hook.under_way());
    let waits = hook.pending.iter().filter(|(_, pending)| !pending.is_under_way && pending.next_at <= now);
    let mut waits: Vec<_> = waits.map(|(id, pending)| (pending.next_at, id)).collect();
    waits.sort();
    let messages: Vec<WebhookId> = waits.into_iter().take(free).map(|(_, id)| id.clone()).collect();
    (!messages.is_empty()).then_some(Fact::Begun { messages })
}
