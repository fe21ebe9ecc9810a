//! How the object of a mandate says no.

use serde::{Deserialize, Serialize};

use super::progress::named;
use super::{Ending, Progress, limits};
use crate::{Reason, Refused};

named! {
    /// What there is only so much of, or so long.
    Bound {
        /// Entries of the mandate.
        Entries "too_many_entries",
        /// Open escrows.
        Open "too_many_open_payments",
        /// Requests that wait.
        Waiting "too_many_waiting_requests",
        /// Reservations.
        Reservations "too_many_reservations",
        /// Bytes of the label.
        Label "label_too_long",
        /// Bytes of a note.
        Note "note_too_long",
        /// Bytes of an asker's name.
        Asker "asker_too_long",
        /// Seconds of a reservation.
        Reservation "reservation_too_long",
    }
}

impl Bound {
    /// The most that there can be.
    pub const fn most(self) -> usize {
        match self {
            Self::Entries => limits::ENTRIES,
            Self::Open => limits::OPEN,
            Self::Waiting => limits::WAITING,
            Self::Reservations => limits::RESERVATIONS,
            Self::Label => limits::LABEL_BYTES,
            Self::Note => limits::NOTE_BYTES,
            Self::Asker => limits::ASKER_BYTES,
            Self::Reservation => limits::RESERVATION_WAIT as usize,
        }
    }
}

/// A refusal. Nothing changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// There is no mandate.
    Unborn,
    /// The mandate's rules do not allow it.
    Rules {
        /// The first rule that is broken: the contract's answer.
        first: Refused,
        /// The others, in the order of [`Reason`]; only where a payment or reservation was asked for.
        more: Vec<Refused>,
    },
    /// Nothing is known of such a request.
    UnknownRequest,
    /// The request's id is that of another request under this mandate.
    RequestIdReused,
    /// The owner's word on the request was heard.
    AlreadyDecided,
    /// This is not done with a request that stands there.
    Unavailable(Progress),
    /// Nothing is known of such a reservation, or another holds it.
    UnknownReservation,
    /// The name is that of another reservation.
    ReservationReused,
    /// The reservation has ended.
    ReservationOver(Ending),
    /// There are as many as there can be, or it is as long as it can be.
    Beyond(Bound),
}

impl Refusal {
    /// Stable, for programs; a rule's is that of its [`Reason`].
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unborn => Reason::UnknownMandate.code(),
            Self::Rules { first, .. } => first.reason.code(),
            Self::UnknownRequest => "unknown_request",
            Self::RequestIdReused => "request_id_reused",
            Self::AlreadyDecided => "already_decided",
            Self::Unavailable(_) => "request_unavailable_in_state",
            Self::UnknownReservation => "unknown_reservation",
            Self::ReservationReused => "reservation_reused",
            Self::ReservationOver(_) => "reservation_over",
            Self::Beyond(bound) => bound.name(),
        }
    }

    /// Whether the same can succeed later.
    pub fn may_retry(&self) -> bool {
        match self {
            Self::Rules { first, more } => {
                [first].into_iter().chain(more).all(|rule| rule.reason.may_retry())
            }
            Self::Unborn | Self::UnknownRequest | Self::UnknownReservation => true,
            Self::Unavailable(progress) => !progress.is_over(),
            Self::RequestIdReused
            | Self::AlreadyDecided
            | Self::ReservationReused
            | Self::ReservationOver(_) => false,
            Self::Beyond(bound) => match bound {
                Bound::Open | Bound::Waiting | Bound::Reservations => true,
                Bound::Entries | Bound::Label | Bound::Note | Bound::Asker | Bound::Reservation => false,
            },
        }
    }
}

impl From<Refused> for Refusal {
    fn from(first: Refused) -> Self {
        Self::Rules { first, more: Vec::new() }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Unborn => formatter.write_str("There is no such mandate. Create it first."),
            Self::Rules { first, more } => {
                write!(formatter, "{first}")?;
                more.iter().try_for_each(|rule| write!(formatter, " {rule}"))
            }
            Self::UnknownRequest => {
                formatter.write_str("There is no such request under this mandate. Make it first.")
            }
            Self::RequestIdReused => formatter.write_str(
                "Another request under this mandate has this id. Repeat that request as it was, or ask under a new id.",
            ),
            Self::AlreadyDecided => {
                formatter.write_str("This request was decided. To stop it before it is submitted, cancel it.")
            }
            Self::Unavailable(progress) => {
                write!(formatter, "This is not possible with a request that is {}.", progress.name())
            }
            Self::UnknownReservation => {
                formatter.write_str("There is no such reservation of yours. Reserve first.")
            }
            Self::ReservationReused => {
                formatter.write_str("Another reservation has this name. Reserve under a name of its own.")
            }
            Self::ReservationOver(ending) => write!(
                formatter,
                "This reservation has ended: it is {}. Reserve anew under another name.",
                ending.name()
            ),
            Self::Beyond(bound) => {
                let most = bound.most();
                match bound {
                    Bound::Entries => {
                        write!(formatter, "A mandate has at most {most} entries. Use wider ones.")
                    }
                    Bound::Open => write!(
                        formatter,
                        "At most {most} payments of a mandate are open at once. Wait until one ends."
                    ),
                    Bound::Waiting => write!(
                        formatter,
                        "At most {most} requests of a mandate wait at once. Wait until one is decided or submitted."
                    ),
                    Bound::Reservations => write!(
                        formatter,
                        "At most {most} reservations of a mandate are held at once. Wait until one ends."
                    ),
                    Bound::Label | Bound::Note | Bound::Asker => {
                        write!(formatter, "This text is too long. Use at most {most} bytes.")
                    }
                    Bound::Reservation => {
                        write!(formatter, "A reservation ends within {most} seconds. Choose an earlier end.")
                    }
                }
            }
        }
    }
}

impl core::error::Error for Refusal {}
