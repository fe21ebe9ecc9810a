//! The only place where a queue says no.

use core::mem::discriminant;

use primitives::{Digest, UnixMillis};

use crate::{
    Command, CommandId, Event, Fact, Occasion, Order, Pending, Progress, Queue, Refusal, Standing, State,
    limits,
};

/// Judges one command at `now`.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let facts = match state {
        State::Unregistered => begin(command)?.into_iter().collect(),
        State::Registered(queue) => {
            // Time comes first, whether or not the alarm was in time (X7). What it has done is not folded into the queue
            // that judges: all that is asked of it there is asked for this moment.
            let mut facts: Vec<_> = overdue(queue, &command, now).collect();
            facts.extend(judge(queue, command, now)?);
            facts
        }
    };
    Ok(facts.into_iter().map(|fact| Event { at: now, fact }).collect())
}

/// Whether an executor's secret has this digest.
///
/// # Errors
/// [`Refusal::NotRegistered`], which does not tell another's secret from one that is nobody's.
pub fn authorize(state: &State, secret: &Digest) -> Result<(), Refusal> {
    let its = state.queue().filter(|queue| queue.secret.same_as(secret));
    its.map(|_| ()).ok_or(Refusal::NotRegistered)
}

/// The orders that `events` gave out, oldest first, as the state after them has them.
pub fn given<'a>(state: &'a State, events: &[Event]) -> Vec<&'a Order> {
    let leased = events.iter().filter_map(|event| {
        let Fact::Leased { command_ids, .. } = &event.fact else { return None };
        Some(command_ids)
    });
    let command_ids: Vec<&CommandId> = leased.flatten().collect();
    let orders = state.queue().into_iter().flat_map(|queue| &queue.orders).map(|pending| &pending.order);
    orders.filter(|order| command_ids.contains(&&order.command_id)).collect()
}

/// What time has done by `now` and nobody has recorded when this command comes.
fn overdue(queue: &Queue, command: &Command, now: UnixMillis) -> impl Iterator<Item = Fact> {
    let which = |is_meant: &dyn Fn(&Pending) -> bool| -> Option<Vec<CommandId>> {
        let meant = queue.orders.iter().filter(|pending| is_meant(pending));
        let command_ids: Vec<_> = meant.map(|pending| pending.order.command_id.clone()).collect();
        (!command_ids.is_empty()).then_some(command_ids)
    };
    // Of what is over nothing else is said; and nobody is told that an executor is offline at the moment at which it is back.
    let expired = which(&|pending| pending.is_over(now));
    let returned = which(&|pending| !pending.is_over(now) && pending.is_let_go(now));
    let is_lost = |pending: &Pending| queue.lost_at(pending).is_some_and(|lost_at| lost_at <= now);
    let lost = which(&|pending| !command.is_sign_of_life() && !pending.is_over(now) && is_lost(pending));
    let facts = [
        expired.map(|command_ids| Fact::Expired { command_ids }),
        returned.map(|command_ids| Fact::Returned { command_ids }),
        lost.map(|command_ids| Fact::Lost { command_ids }),
    ];
    facts.into_iter().flatten()
}

fn begin(command: Command) -> Result<Option<Fact>, Refusal> {
    match command {
        Command::Register { secret, label } => Ok(Some(Fact::Registered { secret, label })),
        Command::Wake => Ok(None),
        Command::Enqueue { .. }
        | Command::Lease { .. }
        | Command::Renew { .. }
        | Command::Settle { .. }
        | Command::Withdraw { .. }
        | Command::Seen => Err(Refusal::NotRegistered),
    }
}

fn judge(queue: &Queue, command: Command, now: UnixMillis) -> Result<Option<Fact>, Refusal> {
    match command {
        Command::Register { secret, .. } => register(queue, &secret),
        Command::Enqueue { order } => enqueue(queue, order, now),
        Command::Lease { limit, occasion } => Ok(lease(queue, limit, occasion, now)),
        Command::Renew { command_id, progress } => Ok(renew(queue, command_id, progress, now)),
        Command::Settle { command_id, until } => {
            let end = close(queue, &command_id, until, now)?;
            Ok(end.map(|until| Fact::Settled { command_id, until }))
        }
        Command::Withdraw { command_id, until } => {
            let end = close(queue, &command_id, until, now)?;
            Ok(end.map(|until| Fact::Withdrawn { command_id, until }))
        }
        Command::Seen => Ok(seen(queue, now)),
        Command::Wake => Ok(None),
    }
}

fn register(queue: &Queue, secret: &Digest) -> Result<Option<Fact>, Refusal> {
    if queue.secret.same_as(secret) { Ok(None) } else { Err(Refusal::AlreadyRegistered) }
}

fn enqueue(queue: &Queue, order: Order, now: UnixMillis) -> Result<Option<Fact>, Refusal> {
    match queue.find(&order.command_id, now) {
        Some(pending) if pending.order == order => return Ok(None),
        Some(_) => return Err(Refusal::CommandIdReused),
        None => {}
    }
    if queue.is_closed(&order.command_id, now) {
        return Ok(None);
    }
    if order.until <= now {
        return Err(Refusal::OrderOver);
    }
    if order.until > now.plus(limits::ORDER_MAX) {
        return Err(Refusal::OrderTooLong);
    }
    let sizes = queue.pending(now).map(|pending| pending.order.body.as_str().len());
    let bytes = sizes.fold(order.body.as_str().len(), usize::saturating_add);
    if queue.pending(now).count() >= limits::ORDERS || bytes > limits::BODIES_BYTES {
        return Err(full(queue.pending(now).map(|pending| pending.order.until), now));
    }
    room_for_a_name(queue, now)?;
    Ok(Some(Fact::Enqueued { order }))
}

/// A pending order that closes keeps its name's place, so that it never lacks one.
fn room_for_a_name(queue: &Queue, now: UnixMillis) -> Result<(), Refusal> {
    if queue.ends(now).count() < limits::NAMES { Ok(()) } else { Err(full(queue.ends(now), now)) }
}

/// Time makes room when the first of these ends.
fn full(ends: impl Iterator<Item = UnixMillis>, now: UnixMillis) -> Refusal {
    Refusal::QueueFull { retry_at: ends.min().unwrap_or(now) }
}

fn lease(queue: &Queue, limit: usize, occasion: Occasion, now: UnixMillis) -> Option<Fact> {
    let free = queue.pending(now).filter(|pending| pending.may_be_given(occasion, now)).take(limit);
    let command_ids: Vec<_> = free.map(|pending| pending.order.command_id.clone()).collect();
    if !command_ids.is_empty() {
        return Some(Fact::Leased { command_ids, until: now.plus(limits::LEASE), occasion });
    }
    occasion.is_sign_of_life().then(|| seen(queue, now)).flatten()
}

fn renew(queue: &Queue, command_id: CommandId, progress: Progress, now: UnixMillis) -> Option<Fact> {
    let pending = queue.find(&command_id, now)?;
    let until = now.plus(match progress {
        Progress::Started => limits::WORK,
        Progress::NeedsUser => limits::PARK,
    });
    let is_same = discriminant(&pending.standing) == discriminant(&Standing::of(progress, until));
    let is_soon = |held: UnixMillis| until.since(held) < limits::RENEW_EVERY;
    let is_known = is_same && pending.standing.held_until().is_some_and(is_soon);
    (!is_known).then_some(Fact::Renewed { command_id, progress, until })
}

/// The end up to which the order is to be known as closed; nothing when that is known, or when no copy of it can come.
fn close(
    queue: &Queue,
    command_id: &CommandId,
    until: UnixMillis,
    now: UnixMillis,
) -> Result<Option<UnixMillis>, Refusal> {
    if let Some(pending) = queue.find(command_id, now) {
        return Ok(Some(pending.order.until));
    }
    if queue.is_closed(command_id, now) || until <= now {
        return Ok(None);
    }
    room_for_a_name(queue, now)?;
    Ok(Some(until.min(now.plus(limits::ORDER_MAX))))
}

fn seen(queue: &Queue, now: UnixMillis) -> Option<Fact> {
    (now.since(queue.seen_at) >= limits::SEEN_EVERY).then_some(Fact::Seen)
}
