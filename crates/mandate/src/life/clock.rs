//! When time alone changes the mandate, and what it does then.

use alloy_primitives::B256;
use primitives::UnixMillis;

use super::{Ask, Book, Fact, Stage, State, limits};
use crate::amount::ZERO;
use crate::escrow::{challenge_ends, resolution_ends};
use crate::{Request, UnixSeconds};

/// The next moment at which time alone changes the mandate; `None` when nothing is open. It has passed when one command
/// could not record all that time has done.
pub fn deadline(state: &State) -> Option<UnixMillis> {
    let moment = dues(state.book()?).map(|(due, _)| due).min()?;
    Some(moment.into())
}

/// When time alone changes a request that is not over.
pub fn due_of(book: &Book, payment: B256) -> Option<UnixMillis> {
    book.requests.get(&payment).map(|ask| due(book, ask).into())
}

/// What time has done by `now` and nobody has recorded, the earliest first and at most [`limits::STEPS`] of it. What
/// concerns `subject` comes before all else, so that a command is never judged by what is over for its subject.
pub(super) fn overdue(book: &Book, subject: Option<B256>, now: UnixMillis) -> Vec<Fact> {
    let now = UnixSeconds::from(now);
    let mut due: Vec<_> = dues(book).filter(|(due, _)| *due <= now).collect();
    due.sort_by_key(|(due, wait)| (subject != Some(wait.name()), *due, wait.name()));
    due.into_iter().take(limits::STEPS).map(|(due, wait)| wait.fact(due)).collect()
}

/// When the wait of a request for its owner ends.
pub(super) fn queue_end(request: &Request, now: UnixSeconds) -> UnixSeconds {
    request.valid_before.min(request.deliver_by).min(now.plus(limits::APPROVAL_WAIT))
}

/// What waits.
#[derive(Debug, Clone, Copy)]
enum Wait {
    Request(B256),
    Reservation(B256),
}

impl Wait {
    const fn name(&self) -> B256 {
        match self {
            Self::Request(name) | Self::Reservation(name) => *name,
        }
    }

    const fn fact(&self, due: UnixSeconds) -> Fact {
        match *self {
            Self::Request(payment) => Fact::Lapsed { payment, due },
            Self::Reservation(reservation) => Fact::ReservationLapsed { reservation },
        }
    }
}

/// Everything that waits, with its end.
fn dues(book: &Book) -> impl Iterator<Item = (UnixSeconds, Wait)> {
    let requests = book.requests.iter().map(|(name, ask)| (due(book, ask), Wait::Request(*name)));
    let reservations = book.reservations.iter();
    requests.chain(reservations.map(|(name, held)| (held.hold.until, Wait::Reservation(*name))))
}

fn due(book: &Book, ask: &Ask) -> UnixSeconds {
    let request = &ask.request;
    match &ask.stage {
        Stage::Waiting { until } | Stage::Approved { until, .. } => return *until,
        Stage::Open => {}
    }
    let Some(payment) = book.mandate.payments.get(&request.payment) else { return request.deliver_by };
    match payment.state {
        crate::State::Delivered if payment.paid == ZERO => {
            let ahead = UnixSeconds(request.capture_by.0.saturating_sub(limits::CLAIM_AHEAD));
            ahead.max(challenge_ends(request, payment))
        }
        crate::State::Delivered => request.capture_by,
        crate::State::Disputed => resolution_ends(request, payment),
        crate::State::Escrowed
        | crate::State::None
        | crate::State::Cancelled
        | crate::State::Settled
        | crate::State::Refunded
        | crate::State::Voided
        | crate::State::TimedOut => request.deliver_by,
    }
}
