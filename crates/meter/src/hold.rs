//! Money that is held before work, and what is paid of it.

use primitives::{BaseUnits, ReservationId, SettlementId, UnixMillis};
use tariff::{Exact, TooLarge};

use crate::bill::NOTHING_DUE;
use crate::rate::{ByVersion, rated};
use crate::usage::{check_quantity, check_time, counted};
use crate::{
    Book, Fact, Gate, Item, Known, Means, Open, Order, Quote, Recorded, Refusal, Reservation,
    ReservationState, Settlement, SettlementState, Window, limits,
};

pub(crate) fn reserve(
    book: &Book,
    order: Order,
    filed: Option<&Reservation>,
    now: UnixMillis,
) -> Result<Option<Fact>, Refusal> {
    if let Some(known) = book.reservations.get(&order.id).or(filed) {
        // Asked again, it ends when it was to end first, at the price of that time.
        let is_same = (known.quantity, &known.mandate) == (order.quantity, &order.mandate);
        return if is_same { Ok(None) } else { Err(Refusal::ReservationReused) };
    }
    if book.subject.shard > 0 {
        return Err(Refusal::NotFirstShard);
    }
    match order.gate {
        Gate::Postpaid => return Err(Refusal::NotPrepaid),
        Gate::Prepaid => {}
    }
    check_quantity(order.quantity, &book.subject)?;
    if order.until <= now {
        return Err(Refusal::ReservationExpired);
    }
    if order.until > now.plus(limits::RESERVATION_MAX) {
        return Err(Refusal::ReservationTooLong);
    }
    if book.reservations.len() >= limits::RESERVATIONS {
        return Err(Refusal::TooManyReservations);
    }
    let versions = book.versions();
    if !versions.contains(&order.price.number) && versions.len() >= limits::OPEN_VERSIONS {
        return Err(Refusal::TooManyPrices);
    }
    counted(book.ceiling(), &order.price, order.quantity)?;
    let amount = held(&order).map_err(|TooLarge| Refusal::AmountTooLarge)?;
    let Order { id, mandate, recipient, quantity, price, until, .. } = order;
    let state = ReservationState::Asked;
    let reservation = Reservation { id, mandate, recipient, quantity, amount, price, at: now, until, state };
    Ok(Some(Fact::Reserved { reservation: Box::new(reservation) }))
}

/// What a mandate is to hold: the most that the work can cost, and a unit for what is carried to it.
fn held(order: &Order) -> Result<BaseUnits, TooLarge> {
    let most = order.price.pricing.highest(order.quantity)?.rounded_up();
    most.0.checked_add(1).map(BaseUnits).ok_or(TooLarge)
}

/// What the mandate says. It is not asked any more once the reservation has ended.
pub(crate) fn answered(book: &Book, id: ReservationId, refused: Option<(String, String)>) -> Option<Fact> {
    match book.reservations.get(&id)?.state {
        ReservationState::Asked => Some(match refused {
            None => Fact::Held { id },
            Some((code, reason)) => Fact::HoldRefused { id, code, reason },
        }),
        ReservationState::Held
        | ReservationState::Refused { .. }
        | ReservationState::Committed { .. }
        | ReservationState::Released
        | ReservationState::Expired => None,
    }
}

pub(crate) fn commit(
    book: &Book,
    id: ReservationId,
    item: Item,
    settlement: SettlementId,
    filed: Option<&Reservation>,
    now: UnixMillis,
) -> Result<Option<Fact>, Refusal> {
    let Some(reservation) = book.reservations.get(&id) else {
        return match (over(filed)?, item.known) {
            (Ended::Committed, Known::Same) => Ok(None),
            (Ended::Committed | Ended::Returned, _) => Err(Refusal::ReservationNotHeld),
            (Ended::Expired, _) => Err(Refusal::ReservationExpired),
        };
    };
    if reservation.state != ReservationState::Held {
        return Err(Refusal::ReservationNotHeld);
    }
    if item.known != Known::Fresh {
        return Err(Refusal::EventConflict);
    }
    check_quantity(item.quantity, &book.subject)?;
    check_time(item.at, Window { late: limits::LATE_MAX }, now)?;
    if item.quantity > reservation.quantity {
        return Err(Refusal::AboveReservation { reserved: reservation.quantity });
    }
    let quote = due(book, reservation, &item).map_err(|TooLarge| Refusal::AmountTooLarge)?;
    let number = book.number.checked_add(1).ok_or(Refusal::AmountTooLarge)?;
    let settlement = paid(reservation, quote, settlement, number, now);
    let Item { key, fingerprint, at, quantity, .. } = item;
    let item = Recorded { key, fingerprint, at, quantity, version: reservation.price.number };
    Ok(Some(Fact::Committed { id, item, settlement: Box::new(settlement) }))
}

/// What the usage costs, at most what is held; the rest is carried on.
fn due(book: &Book, reservation: &Reservation, item: &Item) -> Result<Quote, TooLarge> {
    let version = reservation.price.number;
    let pricing = reservation.price.pricing.clone();
    let (quantity, from, to) = (item.quantity, item.at, item.at);
    let open = Open { version, pricing, quantity, events: 1, from, to };
    let mut quote = rated(&ByVersion::from([(version, open)]), Vec::new(), book.carry)?;
    if let Some(above) = quote.amount.0.checked_sub(reservation.amount.0) {
        quote.carried_out = quote.carried_out.plus(Exact::of(BaseUnits(above))?)?;
        quote.amount = reservation.amount;
        quote.lines.iter_mut().for_each(|line| line.amount = reservation.amount);
    }
    Ok(quote)
}

fn paid(
    reservation: &Reservation,
    quote: Quote,
    id: SettlementId,
    number: u64,
    at: UnixMillis,
) -> Settlement {
    let Quote { lines, adjustments, amount, carried_in, carried_out, .. } = quote;
    let state = SettlementState::Verified { means: None, proof: NOTHING_DUE.to_owned(), at };
    let (round, reopened_in, is_free) = (None, None, amount == BaseUnits(0));
    let settlement = Settlement {
        id,
        number,
        round,
        reopened_in,
        at,
        lines,
        adjustments,
        amount,
        carried_in,
        carried_out,
        state,
    };
    if is_free {
        return settlement;
    }
    let (reservation, mandate) = (reservation.id.clone(), reservation.mandate.clone());
    settlement.paid_by(Means::Reservation { reservation, mandate }, at)
}

/// What is held is given back.
pub(crate) fn release(
    book: &Book,
    id: ReservationId,
    filed: Option<&Reservation>,
) -> Result<Option<Fact>, Refusal> {
    if book.reservations.contains_key(&id) {
        return Ok(Some(Fact::Released { id }));
    }
    match over(filed)? {
        Ended::Returned | Ended::Expired => Ok(None),
        Ended::Committed => Err(Refusal::ReservationNotHeld),
    }
}

/// How a reservation has ended.
enum Ended {
    Committed,
    /// Nothing is held, or was.
    Returned,
    Expired,
}

fn over(filed: Option<&Reservation>) -> Result<Ended, Refusal> {
    match filed.ok_or(Refusal::UnknownReservation)?.state {
        ReservationState::Committed { .. } => Ok(Ended::Committed),
        // What is on file as pending and is not: time has just ended it.
        ReservationState::Expired | ReservationState::Asked | ReservationState::Held => Ok(Ended::Expired),
        ReservationState::Refused { .. } | ReservationState::Released => Ok(Ended::Returned),
    }
}
