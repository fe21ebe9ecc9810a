//! What a meter owes once an event is on disk.

use std::collections::BTreeMap;

use primitives::{BaseUnits, Digest, ReservationId, SettlementId, UnixMillis};
use serde::{Deserialize, Serialize};
use tariff::Quantity;

use crate::{
    Book, Event, EventKey, Fact, Means, Outcome, Place, Recorded, Reservation, ReservationState, Settlement,
    SettlementState, Source, State, bill, limits,
};

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

/// A row on file, written with its event. The shell keeps these and hands the fitting one in with a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Row {
    /// Recorded events, all of one commit.
    Events { items: Vec<crate::Recorded>, source: Source, received_at: UnixMillis },
    /// An event that took back another one: both rows say so.
    Reversal { key: EventKey, fingerprint: Digest, of: EventKey, received_at: UnixMillis },
    /// A shard's credit has counted.
    Credit { key: EventKey, received_at: UnixMillis },
    /// What was recorded before and is in no earlier round is in this one.
    Round { round: u64 },
    /// A settlement, in place of what is on file under its number.
    Settlement(Box<Settlement>),
    /// A reservation, in the same way.
    Reservation(Box<Reservation>),
    /// Usage of an hour, to be added to what is there; less is taken away. `hour` is its first moment.
    Hour { hour: UnixMillis, added: Quantity, taken: Quantity, events: u64 },
    /// Identities of events that were received before then may be forgotten.
    Forget { before: UnixMillis },
}

/// What is told to whoever follows the tenant's events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum News {
    /// `usage.recorded`
    Recorded { events: u64, quantity: Quantity },
    /// `usage.reversed`
    Reversed { key: EventKey, of: EventKey, quantity: Quantity },
    /// `usage.reset`
    WrittenOff(Box<Settlement>),
    /// `settlement.drafted`
    Drafted(Box<Settlement>),
    /// `settlement.submitted`
    Submitted(Box<Settlement>),
    /// `usage.settled`: paid and closed
    Settled(Box<Settlement>),
    /// `settlement.failed`: its usage is open again
    Failed(Box<Settlement>),
    /// `reservation.held`, `.refused`, `.committed`, `.released`, `.expired`, by its state
    Reservation(Box<Reservation>),
}

/// What the shell owes, once, after the event is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Effect {
    /// Keep a row, in the transaction of the event.
    Keep(Row),
    /// Keep a line of the tenant's audit log, likewise.
    Tell(News),
    /// Send it to the endpoints that follow it.
    Announce(News),
    /// Make the tenant know this meter, before anything is said of it.
    Register,
    /// Tell the first shard of a reversal of what was handed over.
    Credit { key: EventKey, round: u64, version: u32, quantity: Quantity },
    /// Have a mandate hold the amount of a reservation, until [`crate::limits::GRACE`] after the reservation's end.
    Hold { reservation: Box<Reservation> },
    /// Have a mandate give back what a reservation holds.
    Unhold { id: ReservationId, mandate: String },
    /// Pay a bill: from a mandate, or from what a reservation holds (its rest goes back). What came of it is reported.
    /// `since` is when it was submitted: asked again, it is the same hold with the same end.
    Pay { id: SettlementId, means: Means, amount: BaseUnits, since: UnixMillis },
    /// Look how a payment by a transaction stands, and report it. `since` is when the bill was drawn up.
    Look { id: SettlementId, means: Means, amount: BaseUnits, since: UnixMillis },
}

/// What is owed once `event` has led away from `before` (B10).
pub fn effects(before: &State, event: &Event) -> Vec<Effect> {
    match before {
        // Nothing else happens to what was never used.
        State::Unused => vec![Effect::Register],
        State::Used(book) => owed(book, &event.fact, event.at),
    }
}

fn owed(book: &Book, fact: &Fact, at: UnixMillis) -> Vec<Effect> {
    match fact {
        Fact::Begun { .. } | Fact::RoundPassed => Vec::new(),
        Fact::Recorded { items, .. } => recorded(book, items, at),
        Fact::Reversed { key, fingerprint, of, used_at, quantity, version, place } => {
            let (key, of, taken) = (key.clone(), of.clone(), *quantity);
            let row = Row::Reversal {
                key: key.clone(),
                fingerprint: *fingerprint,
                of: of.clone(),
                received_at: at,
            };
            let less = Row::Hour { hour: hour(*used_at), added: Quantity::ZERO, taken, events: 0 };
            let mut owed = vec![Effect::Keep(row), Effect::Keep(less)];
            owed.extend(told(News::Reversed { key: key.clone(), of, quantity: taken }));
            match place {
                Place::Open | Place::Untaken => {}
                Place::HandedOver { round } => {
                    owed.push(Effect::Credit { key, round: *round, version: *version, quantity: taken });
                }
                Place::Settled { settlement, .. } => owed.push(kept(settlement)),
            }
            owed
        }
        Fact::Credited { key, place, .. } => {
            let mut owed = vec![Effect::Keep(Row::Credit { key: key.clone(), received_at: at })];
            match place {
                Place::Open | Place::Untaken | Place::HandedOver { .. } => {}
                Place::Settled { settlement, .. } => owed.push(kept(settlement)),
            }
            owed
        }
        Fact::HandedOver { handed } => vec![Effect::Keep(Row::Round { round: handed.round })],
        Fact::Drafted { settlement, .. } | Fact::WrittenOff { settlement, .. } => {
            let round = settlement.round.map(|round| Effect::Keep(Row::Round { round }));
            round.into_iter().chain([kept(settlement)]).chain(moved(settlement)).collect()
        }
        Fact::Submitted { .. } | Fact::Reported { .. } | Fact::Voided { .. } | Fact::DraftExpired { .. } => {
            let Some(settlement) = bill::moved(book, fact, at) else { return Vec::new() };
            let is_known = matches!(fact, Fact::Reported { outcome: Outcome::Unknown { .. }, .. });
            let news = if is_known { Vec::new() } else { moved(&settlement) };
            [kept(&settlement)].into_iter().chain(news).collect()
        }
        Fact::Looked { .. } => {
            let Some(settlement) = bill::moved(book, fact, at) else { return Vec::new() };
            [kept(&settlement)].into_iter().chain(look(&settlement)).collect()
        }
        Fact::Reserved { reservation } => {
            let row = Effect::Keep(Row::Reservation(reservation.clone()));
            vec![row, Effect::Hold { reservation: reservation.clone() }]
        }
        Fact::Held { id } => ended(book, id, ReservationState::Held),
        Fact::HoldRefused { id, code, reason } => {
            ended(book, id, ReservationState::Refused { code: code.clone(), reason: reason.clone() })
        }
        Fact::Released { id } => ended(book, id, ReservationState::Released),
        Fact::ReservationExpired { id } => ended(book, id, ReservationState::Expired),
        Fact::Committed { id, item, settlement } => committed(book, id, item, settlement, at),
    }
}

fn told(news: News) -> [Effect; 2] {
    [Effect::Tell(news.clone()), Effect::Announce(news)]
}

fn kept(settlement: &Settlement) -> Effect {
    Effect::Keep(Row::Settlement(Box::new(settlement.clone())))
}

/// The first moment of the hour in which that is.
fn hour(at: UnixMillis) -> UnixMillis {
    UnixMillis(at.0.saturating_sub(at.0.checked_rem(HOUR).unwrap_or_default()))
}

fn recorded(book: &Book, items: &[Recorded], at: UnixMillis) -> Vec<Effect> {
    let mut hours: BTreeMap<UnixMillis, (Quantity, u64)> = BTreeMap::new();
    let mut all = Quantity::ZERO;
    for item in items {
        let (added, events) = hours.entry(hour(item.at)).or_default();
        *added = added.plus(item.quantity).unwrap_or(*added);
        *events = events.saturating_add(1);
        all = all.plus(item.quantity).unwrap_or(all);
    }
    let rows = Row::Events { items: items.to_vec(), source: Source::Open, received_at: at };
    let taken = Quantity::ZERO;
    let hours = hours.into_iter().map(|(hour, (added, events))| Row::Hour { hour, added, taken, events });
    let rows = [rows].into_iter().chain(hours).chain(forgotten(book, at)).map(Effect::Keep);
    let events = u64::try_from(items.len()).unwrap_or(u64::MAX);
    rows.chain(told(News::Recorded { events, quantity: all })).collect()
}

/// What nobody can send again. Once a day is often enough to forget it.
fn forgotten(book: &Book, at: UnixMillis) -> Option<Row> {
    let day = |at: UnixMillis| at.0.checked_div(DAY);
    (day(book.last_at) != day(at)).then_some(Row::Forget { before: at.minus(limits::KEPT) })
}

/// What is to be done and said of a settlement that stands like this from now on.
fn moved(settlement: &Settlement) -> Vec<Effect> {
    let its = Box::new(settlement.clone());
    match &settlement.state {
        SettlementState::Drafted { .. } => told(News::Drafted(its)).into(),
        SettlementState::Submitted { means, .. } => {
            let mut owed = Vec::from(told(News::Submitted(its)));
            match means {
                // Whoever has submitted it makes the payment now. If that comes to nothing, it is looked at in a while.
                Means::X402 { .. } => {}
                Means::Mandate { .. } | Means::Reservation { .. } | Means::Transaction { .. } => {
                    owed.extend(look(settlement));
                }
            }
            owed
        }
        SettlementState::Verified { .. } => told(News::Settled(its)).into(),
        SettlementState::Failed { .. } => {
            let mut owed = Vec::from(told(News::Failed(its)));
            // A payment that has failed holds nothing; a reservation still may.
            if let Some(Means::Reservation { reservation, mandate }) = settlement.state.means() {
                owed.push(Effect::Unhold { id: reservation.clone(), mandate: mandate.clone() });
            }
            owed
        }
        SettlementState::WrittenOff { .. } => told(News::WrittenOff(its)).into(),
    }
}

/// What finds out how a payment stands: mandates are asked again, as often as it takes.
fn look(settlement: &Settlement) -> Option<Effect> {
    let SettlementState::Submitted { means, since, .. } = &settlement.state else { return None };
    let (id, means, amount) = (settlement.id.clone(), means.clone(), settlement.amount);
    Some(match means {
        Means::Mandate { .. } | Means::Reservation { .. } => Effect::Pay { id, means, amount, since: *since },
        Means::X402 { .. } | Means::Transaction { .. } => {
            Effect::Look { id, means, amount, since: settlement.at }
        }
    })
}

/// What is owed once a reservation stands like this.
fn ended(book: &Book, id: &ReservationId, state: ReservationState) -> Vec<Effect> {
    let Some(reservation) = book.reservations.get(id) else { return Vec::new() };
    let unhold = match state {
        ReservationState::Released | ReservationState::Expired => {
            Some(Effect::Unhold { id: id.clone(), mandate: reservation.mandate.clone() })
        }
        ReservationState::Asked
        | ReservationState::Held
        | ReservationState::Refused { .. }
        | ReservationState::Committed { .. } => None,
    };
    let reservation = Box::new(Reservation { state, ..reservation.clone() });
    let row = Effect::Keep(Row::Reservation(reservation.clone()));
    [row].into_iter().chain(told(News::Reservation(reservation))).chain(unhold).collect()
}

fn committed(
    book: &Book,
    id: &ReservationId,
    item: &Recorded,
    settlement: &Settlement,
    at: UnixMillis,
) -> Vec<Effect> {
    let source = Source::Reserved(settlement.number);
    let (added, taken, events) = (item.quantity, Quantity::ZERO, 1);
    let mut owed = vec![
        Effect::Keep(Row::Events { items: vec![item.clone()], source, received_at: at }),
        Effect::Keep(Row::Hour { hour: hour(item.at), added, taken, events }),
        kept(settlement),
    ];
    owed.extend(forgotten(book, at).map(Effect::Keep));
    owed.extend(told(News::Recorded { events, quantity: added }));
    owed.extend(ended(book, id, ReservationState::Committed { settlement: settlement.id.clone() }));
    owed.extend(moved(settlement));
    if let (SettlementState::Verified { .. }, Some(reservation)) =
        (&settlement.state, book.reservations.get(id))
    {
        // Nothing of what is held is paid.
        owed.push(Effect::Unhold { id: id.clone(), mandate: reservation.mandate.clone() });
    }
    owed
}

/// The next moment at which time alone changes the meter (B8).
pub fn deadline(state: &State) -> Option<UnixMillis> {
    let book = state.book()?;
    let bills = book.pending.values().filter_map(|settlement| match &settlement.state {
        SettlementState::Drafted { until } => Some(*until),
        SettlementState::Submitted { means, until, next_at, .. } => {
            Some(if means.is_given_up() { *until.min(next_at) } else { *next_at })
        }
        SettlementState::Verified { .. }
        | SettlementState::Failed { .. }
        | SettlementState::WrittenOff { .. } => None,
    });
    bills.chain(book.reservations.values().map(|reservation| reservation.until)).min()
}
