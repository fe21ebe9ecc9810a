//! What the object of a mandate owes once an event is on disk: what to file, what to show, and whom to tell.

use alloy_primitives::B256;
use serde::{Deserialize, Serialize};

use super::activity::activity;
use super::{
    Activity, Ask, Book, Closed, Ending, Event, Fact, Filed, Hold, Outcome, Progress, Stage, State, Trail,
};
use crate::Payment;
use crate::amount::{ZERO, plus};

/// What the shell owes, once, after the event is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Put a request on file, in place of what is there under its payment's name. In the transaction that records the
    /// event: the next command may name it.
    File(Box<Filed>),
    /// Put a reservation on file, in the same way.
    Close {
        /// Its name.
        reservation: B256,
        /// What is to be kept of it.
        closed: Closed,
    },
    /// Append a line to the log that the owner reads.
    Log(Box<Activity>),
    /// Tell the asker of a reservation that time has ended it.
    Tell {
        /// The asker's name.
        asker: String,
        /// The reservation's name.
        reservation: B256,
    },
}

/// What is owed once `event` has led away from `before`. Rows are filed before the log tells of them.
pub fn effects(before: &State, event: &Event) -> Vec<Effect> {
    let mut owed = Vec::new();
    if let State::Live(book) = before {
        owed.extend(filed(book, event).map(|filed| Effect::File(Box::new(filed))));
        for ask in outdated(book, event) {
            let Ask { request, trail, .. } = ask;
            let filed =
                Filed { request: *request, progress: Progress::Expired, payment: None, trail: trail.clone() };
            owed.push(Effect::File(Box::new(filed)));
            owed.push(Effect::Log(Box::new(Activity::outdated(request, event.at))));
        }
        if let Some((reservation, closed)) = closed(book, event) {
            let told = (closed.ending == Ending::Expired)
                .then(|| Effect::Tell { asker: closed.asker.clone(), reservation });
            owed.push(Effect::Close { reservation, closed });
            owed.extend(told);
        }
    }
    owed.extend(activity(before, event).map(|line| Effect::Log(Box::new(line))));
    owed
}

/// The request that an event ends or refunds, as it is to be kept.
pub(super) fn filed(book: &Book, event: &Event) -> Option<Filed> {
    let Outcome::Request { progress, paid, returned } = event.outcome else { return None };
    let (request, payment, trail) = match &event.fact {
        Fact::Refunded { filed, .. } => {
            let refunded =
                |payment: Payment| Payment { refunded: plus(payment.refunded, returned), ..payment };
            return Some(Filed { payment: filed.payment.map(refunded), ..(**filed).clone() });
        }
        Fact::Cancelled { request, .. } => {
            let trail = book.requests.get(&request.payment).map(|ask| ask.trail.clone());
            (**request, None, trail.unwrap_or(Trail::new(event.at)))
        }
        Fact::Requested { .. }
        | Fact::Acted { .. }
        | Fact::Lapsed { .. }
        | Fact::Created { .. }
        | Fact::Changed { .. }
        | Fact::Reserved { .. }
        | Fact::Committed { .. }
        | Fact::Released { .. }
        | Fact::ReservationLapsed { .. }
        | Fact::ReservationBarred { .. } => {
            let name = payment_of(event)?;
            let Ask { request, trail, .. } = book.requests.get(&name)?.clone();
            let trail = if let Fact::Acted { act, .. } = &event.fact { trail.after(act) } else { trail };
            (request, book.mandate.payments.get(&name).copied(), trail)
        }
    };
    let payment =
        payment.map(|payment| Payment { state: progress.state(), paid: plus(payment.paid, paid), ..payment });
    progress.is_over().then_some(Filed { request, progress, payment, trail })
}

/// The payment that an event is about.
pub(super) fn payment_of(event: &Event) -> Option<B256> {
    match &event.fact {
        Fact::Requested { request, .. } | Fact::Cancelled { request, .. } => Some(request.payment),
        Fact::Acted { payment, .. } | Fact::Lapsed { payment, .. } => Some(*payment),
        Fact::Refunded { filed, .. } => Some(filed.request.payment),
        Fact::Created { .. }
        | Fact::Changed { .. }
        | Fact::Reserved { .. }
        | Fact::Committed { .. }
        | Fact::Released { .. }
        | Fact::ReservationLapsed { .. }
        | Fact::ReservationBarred { .. } => None,
    }
}

/// The requests that a new policy ends.
fn outdated<'a>(book: &'a Book, event: &Event) -> impl Iterator<Item = &'a Ask> + use<'a> {
    let is_new = matches!(
        (&event.fact, event.outcome),
        (
            Fact::Changed { change: super::Change::Amend(_) | super::Change::ApplyAmendment(_), .. },
            Outcome::Done
        )
    );
    book.requests.values().filter(move |ask| is_new && ask.stage != Stage::Open)
}

/// The reservation that an event ends, as it is to be kept.
pub(super) fn closed(book: &Book, event: &Event) -> Option<(B256, Closed)> {
    let (reservation, ending, paid) = match &event.fact {
        Fact::Committed { reservation, amount } => (*reservation, Ending::Committed, *amount),
        Fact::Released { reservation } => (*reservation, Ending::Released, ZERO),
        Fact::ReservationLapsed { reservation } => (*reservation, Ending::Expired, ZERO),
        Fact::ReservationBarred { reservation, asker } => {
            return Some((*reservation, Closed::barred(asker.clone(), event.at)));
        }
        Fact::Created { .. }
        | Fact::Changed { .. }
        | Fact::Requested { .. }
        | Fact::Cancelled { .. }
        | Fact::Acted { .. }
        | Fact::Refunded { .. }
        | Fact::Lapsed { .. }
        | Fact::Reserved { .. } => return None,
    };
    let Hold { asker, recipient, until, .. } = book.reservations.get(&reservation)?.hold.clone();
    Some((reservation, Closed { asker, recipient, until, ending, paid }))
}

/// Where a request stands: by the state, else by what is on file once the command's own rows are. None when it was never
/// made.
pub fn progress(state: &State, payment: B256, filed: Option<&Filed>) -> Option<Progress> {
    let open = state.book().and_then(|book| book.progress(payment));
    open.or(filed.map(|filed| filed.progress))
}
