//! The only place where the object of a mandate says no: bounds and repetitions here, all else by the step itself.

use std::collections::BTreeSet;

use alloy_primitives::B256;
use primitives::{BaseUnits, UnixMillis};

use super::clock::overdue;
use super::effect::{closed, filed};
use super::refusal::Bound;
use super::step::{born, step};
use super::{
    Act, Book, Change, Closed, Command, Ending, Event, Fact, Filed, Hold, Outcome, Progress, Refusal, Stage,
    State, limits,
};
use crate::request::permit;
use crate::{Approval, By, Entry, EntryKey, Request, UnixSeconds};

/// Judges one command at `now`. What time has done comes first (L9): the events begin with it, and the command is judged by
/// the state after it.
///
/// # Errors
/// The [`Refusal`]; nothing is to be recorded then.
pub fn decide(state: &State, mut command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    let Some(book) = state.book() else { return begin(command, now) };
    let mut turn = Turn { book: book.clone(), events: Vec::new(), at: now.max(book.latest) };
    for fact in overdue(book, command.subject(), turn.at) {
        turn.record(fact)?;
    }
    for event in &turn.events {
        command.learn(book, event);
    }
    if let Some(fact) = judge(&turn.book, command, turn.at)? {
        turn.record(fact)?;
    }
    Ok(turn.events)
}

/// One command on its way.
struct Turn {
    book: Book,
    events: Vec<Event>,
    at: UnixMillis,
}

impl Turn {
    fn record(&mut self, fact: Fact) -> Result<(), Refusal> {
        let outcome = step(&mut self.book, &fact, self.at)?;
        self.events.push(Event { at: self.at, fact, outcome });
        Ok(())
    }
}

impl Command {
    /// The payment or reservation that it names.
    fn subject(&self) -> Option<B256> {
        match self {
            Self::Request { request, .. } | Self::Cancel { request, .. } => Some(request.payment),
            Self::Act { payment, .. } => Some(*payment),
            Self::Reserve { reservation, .. }
            | Self::Commit { reservation, .. }
            | Self::Release { reservation, .. } => Some(*reservation),
            Self::Create { .. } | Self::Change { .. } | Self::Wake => None,
        }
    }

    /// Takes note that time has ended what it names, which is not on file yet.
    fn learn(&mut self, before: &Book, event: &Event) {
        let subject = self.subject();
        match self {
            // What has the id of the request, be it another request.
            Self::Request { request, filed, .. } | Self::Cancel { request, filed, .. } => {
                let its =
                    self::filed(before, event).filter(|row| row.request.request_id == request.request_id);
                *filed = its.map(Box::new).or(filed.take());
            }
            Self::Act { filed, .. } => {
                let its = self::filed(before, event).filter(|row| Some(row.request.payment) == subject);
                *filed = its.map(Box::new).or(filed.take());
            }
            Self::Reserve { closed, .. } | Self::Commit { closed, .. } | Self::Release { closed, .. } => {
                let now_closed = self::closed(before, event);
                let its = now_closed.filter(|(reservation, _)| Some(*reservation) == subject);
                *closed = its.map(|(_, its)| its).or(closed.take());
            }
            Self::Create { .. } | Self::Change { .. } | Self::Wake => {}
        }
    }
}

fn begin(command: Command, now: UnixMillis) -> Result<Vec<Event>, Refusal> {
    match command {
        Command::Create { creation, token, label } => {
            bound(label.len(), Bound::Label)?;
            bound_entries(&[], &creation.entries)?;
            born(&creation, token, &label, now)?;
            Ok(vec![Event {
                at: now,
                fact: Fact::Created { creation, token, label },
                outcome: Outcome::Done,
            }])
        }
        Command::Wake => Ok(Vec::new()),
        Command::Change { .. }
        | Command::Request { .. }
        | Command::Cancel { .. }
        | Command::Act { .. }
        | Command::Reserve { .. }
        | Command::Commit { .. }
        | Command::Release { .. } => Err(Refusal::Unborn),
    }
}

/// What is to be recorded; nothing when the command only repeats what was done.
fn judge(book: &Book, command: Command, now: UnixMillis) -> Result<Option<Fact>, Refusal> {
    match command {
        // The step refuses it.
        Command::Create { creation, token, label } => Ok(Some(Fact::Created { creation, token, label })),
        Command::Change { change, by } => {
            match &change {
                Change::Amend(amendment) | Change::ApplyAmendment(amendment) => {
                    let kept: Vec<EntryKey> = book.mandate.entries.keys().copied().collect();
                    bound_entries(&kept, &amendment.entries)?;
                }
                // Into a contract anyone may pay what is its own; what comes into the ledger, its owner says.
                Change::Fund { .. } => permit(by, book.mandate.owner)?,
                Change::CancelAmendment
                | Change::Pause
                | Change::Unpause
                | Change::Revoke
                | Change::Renounce
                | Change::Withdraw { .. } => {}
            }
            Ok(Some(Fact::Changed { change, by }))
        }
        Command::Request { request, by, filed } => request_payment(book, request, by, filed.as_deref()),
        Command::Cancel { request, by, filed } => cancel(book, request, by, filed.as_deref()),
        Command::Act { payment, act, by, filed } => self::act(book, payment, act, by, filed),
        Command::Reserve { reservation, hold, closed } => reserve(book, reservation, hold, closed, now),
        Command::Commit { reservation, asker, amount, closed } => {
            commit(book, reservation, &asker, amount, closed)
        }
        Command::Release { reservation, asker, closed } => release(book, reservation, &asker, closed),
        Command::Wake => Ok(None),
    }
}

fn bound(count: usize, what: Bound) -> Result<(), Refusal> {
    if count > what.most() { Err(Refusal::Beyond(what)) } else { Ok(()) }
}

/// Bounds the entries that there are once `new` ones are added, and those that one event carries.
fn bound_entries(kept: &[EntryKey], new: &[Entry]) -> Result<(), Refusal> {
    let keys: BTreeSet<_> = kept.iter().chain(new.iter().map(|entry| &entry.key)).collect();
    bound(new.len().max(keys.len()), Bound::Entries)
}

fn request_payment(
    book: &Book,
    request: Box<Request>,
    by: By,
    filed: Option<&Filed>,
) -> Result<Option<Fact>, Refusal> {
    check_id(book, &request, filed)?;
    if filed.is_some() {
        return Ok(None);
    }
    if let Some(ask) = book.requests.get(&request.payment) {
        return match ask.stage {
            Stage::Approved { .. } => act(book, request.payment, Act::Submit, by, None),
            Stage::Waiting { .. } | Stage::Open => Ok(None),
        };
    }
    match book.mandate.approval_for(request.max_amount) {
        Approval::Unneeded => bound(book.open().saturating_add(1), Bound::Open)?,
        Approval::Needed => bound(book.waiting().saturating_add(1), Bound::Waiting)?,
    }
    Ok(Some(Fact::Requested { request, by }))
}

/// The agent's id of a request stands for one request.
fn check_id(book: &Book, request: &Request, filed: Option<&Filed>) -> Result<(), Refusal> {
    let is_other =
        |other: &Request| other.request_id == request.request_id && other.payment != request.payment;
    let taken = filed.is_some_and(|filed| is_other(&filed.request))
        || book.requests.values().any(|ask| is_other(&ask.request));
    if taken { Err(Refusal::RequestIdReused) } else { Ok(()) }
}

fn cancel(
    book: &Book,
    request: Box<Request>,
    by: By,
    filed: Option<&Filed>,
) -> Result<Option<Fact>, Refusal> {
    check_id(book, &request, filed)?;
    match filed.map(|filed| filed.progress).or_else(|| book.progress(request.payment)) {
        Some(Progress::Cancelled) => Ok(None),
        None | Some(Progress::AwaitingApproval | Progress::Approved) => {
            Ok(Some(Fact::Cancelled { request, by }))
        }
        Some(
            progress @ (Progress::Rejected
            | Progress::Expired
            | Progress::Escrowed
            | Progress::Delivered
            | Progress::Disputed
            | Progress::Settled
            | Progress::Refunded
            | Progress::Voided
            | Progress::TimedOut),
        ) => Err(Refusal::Unavailable(progress)),
    }
}

fn act(
    book: &Book,
    payment: B256,
    act: Act,
    by: By,
    filed: Option<Box<Filed>>,
) -> Result<Option<Fact>, Refusal> {
    if let Act::Reject { note } = &act {
        bound(note.len(), Bound::Note)?;
    }
    if let (Some(ask), Act::Submit) = (book.requests.get(&payment), &act)
        && ask.stage != Stage::Open
    {
        bound(book.open().saturating_add(1), Bound::Open)?;
    }
    match (act, filed) {
        (Act::Refund { total }, Some(filed)) => Ok(Some(Fact::Refunded { filed, total, by })),
        (Act::Approve { .. } | Act::Reject { .. }, Some(filed)) if filed.progress == Progress::Rejected => {
            Err(Refusal::AlreadyDecided)
        }
        // Time, or another, has done it.
        (Act::Claim | Act::Expire, Some(filed)) if filed.progress == Progress::Settled => Ok(None),
        (Act::Expire, Some(filed)) if filed.progress == Progress::Refunded => Ok(None),
        (Act::TimeOut, Some(filed)) if filed.progress == Progress::TimedOut => Ok(None),
        (_, Some(filed)) => Err(Refusal::Unavailable(filed.progress)),
        (act, None) => Ok(Some(Fact::Acted { payment, act, by })),
    }
}

fn reserve(
    book: &Book,
    reservation: B256,
    hold: Hold,
    closed: Option<Closed>,
    now: UnixMillis,
) -> Result<Option<Fact>, Refusal> {
    bound(hold.asker.len(), Bound::Asker)?;
    if let Some(closed) = closed {
        return Err(over(&hold.asker, &closed, Refusal::ReservationReused));
    }
    if let Some(held) = book.reservations.get(&reservation) {
        return if held.hold == hold { Ok(None) } else { Err(Refusal::ReservationReused) };
    }
    if hold.until > UnixSeconds::from(now).plus(limits::RESERVATION_WAIT) {
        return Err(Refusal::Beyond(Bound::Reservation));
    }
    bound(book.reservations.len().saturating_add(1), Bound::Reservations)?;
    Ok(Some(Fact::Reserved { reservation, hold }))
}

/// What is said of a reservation that has ended: `other` to whoever did not hold it.
fn over(asker: &str, closed: &Closed, other: Refusal) -> Refusal {
    if closed.asker == asker { Refusal::ReservationOver(closed.ending) } else { other }
}

fn commit(
    book: &Book,
    reservation: B256,
    asker: &str,
    amount: BaseUnits,
    closed: Option<Closed>,
) -> Result<Option<Fact>, Refusal> {
    match closed {
        Some(closed)
            if closed.asker == asker && closed.ending == Ending::Committed && closed.paid == amount =>
        {
            Ok(None)
        }
        Some(closed) => Err(over(asker, &closed, Refusal::UnknownReservation)),
        None => end(book, reservation, asker, Fact::Committed { reservation, amount }).map(Some),
    }
}

fn release(
    book: &Book,
    reservation: B256,
    asker: &str,
    closed: Option<Closed>,
) -> Result<Option<Fact>, Refusal> {
    match closed {
        Some(closed) if closed.asker == asker && closed.ending != Ending::Committed => Ok(None),
        Some(closed) => Err(over(asker, &closed, Refusal::UnknownReservation)),
        None => end(book, reservation, asker, Fact::Released { reservation }).map(Some),
    }
}

/// Ends what the asker holds, or sees to it that what nobody has asked for is never held.
fn end(book: &Book, reservation: B256, asker: &str, ending: Fact) -> Result<Fact, Refusal> {
    match book.reservations.get(&reservation) {
        Some(held) if held.hold.asker == asker => Ok(ending),
        Some(_) => Err(Refusal::UnknownReservation),
        None => {
            bound(asker.len(), Bound::Asker)?;
            Ok(Fact::ReservationBarred { reservation, asker: asker.to_owned() })
        }
    }
}
