//! Reservations: money that a mandate holds before the work is done.

use api::wire::metering::{CommitAnswer, CommitBody, ReservationView, ReserveBody};
use primitives::{MessageId, ReservationId};
use reqwest::Method;

use super::Metering;
use crate::{Error, Recorded};

impl Metering {
    /// Has the mandate of a prepaying agent hold the most that the work can come to, once under `id`.
    ///
    /// # Errors
    /// [`Error::Refused`]: `hold_refused` with the mandate's reasons, `agent_not_prepaid`; [`Error::Unresolved`] when it is
    /// not known whether it holds: ask again under the same id; and what every call can meet.
    pub async fn reserve(
        &self,
        wanted: &ReserveBody,
        id: &MessageId,
    ) -> Result<Recorded<ReservationView>, Error> {
        self.once("reserving", "v1/reservations", wanted, id).await
    }

    /// A reservation.
    ///
    /// # Errors
    /// [`Error::Refused`] with `404`, and what every call can meet.
    pub async fn reservation(&self, reservation: &ReservationId) -> Result<ReservationView, Error> {
        self.get("reading the reservation", &format!("v1/reservations/{reservation}"), |_| {}).await
    }

    /// Takes what the work has used out of what is held, and gives the rest back. A reservation is committed once: the same
    /// again is answered the same.
    ///
    /// # Errors
    /// [`Error::Refused`]: `above_reservation`, `reservation_not_held`, `reservation_expired`; and what every call can meet.
    pub async fn commit(
        &self,
        reservation: &ReservationId,
        used: &CommitBody,
    ) -> Result<CommitAnswer, Error> {
        let path = format!("v1/reservations/{reservation}/commit");
        self.say("committing the reservation", Method::POST, &path, used).await
    }

    /// Gives all of it back.
    ///
    /// # Errors
    /// [`Error::Refused`]: `reservation_not_held`; and what every call can meet.
    pub async fn release(&self, reservation: &ReservationId) -> Result<ReservationView, Error> {
        let path = format!("v1/reservations/{reservation}/release");
        self.act("releasing the reservation", Method::POST, &path).await
    }
}
