//! How a meter says no.

use primitives::refusals;
use tariff::Quantity;

use crate::limits;

refusals! {
    /// Nothing was ever used.
    NothingUsed "meter_not_found"
        "This agent has never used this service. Check both names, or record usage first.";
    /// Nothing is open, and nothing is to be credited.
    NothingToSettle "nothing_to_settle"
        "Nothing is open at this meter, and nothing is to be credited. Record usage first.";
    /// The name stands for something else.
    EventConflict "event_conflict"
        "This source and id stand for an event that says something else. Give each event an id of its own, and repeat one as it was.";
    /// It says that nothing was used.
    QuantityZero "quantity_zero"
        "The quantity is zero. Send events for what was used only.";
    /// More than one event can say.
    QuantityTooLarge "quantity_too_large"
        "The quantity is more than {} units. Share it out among several events.", limits::EVENT_UNITS;
    /// Finer than the service counts.
    QuantityTooFine { digits: u8 } "quantity_too_fine"
        "The quantity has more digits after the point than the {digits} that this service counts. Round it, or measure by a service with a larger scale.";
    /// It happened too long ago.
    TooLate "event_too_late"
        "The event's time is longer ago than the window in which events are taken. Send events sooner, or have the window made longer; at most it is {} days.", limits::LATE_MAX.0 / 86_400_000;
    /// It has not happened yet.
    TooEarly "event_in_future"
        "The event's time is more than {} minutes ahead. Check the clock that gave it, or send the event once it has happened.", limits::EARLY.0 / 60_000;
    /// The service had no price then.
    BeforeService "event_before_service"
        "The service had no price at the event's time. Send a time from its first price on.";
    /// As many prices as can be open are.
    TooManyPrices "too_many_open_prices"
        "Usage at {} prices of this service is open, as much as one bill has lines. Settle this meter, then send the event again.", limits::OPEN_VERSIONS;
    /// It could not be billed.
    AmountTooLarge "amount_too_large"
        "With this, what is open would come to more than can be counted. Settle this meter first, or check price and quantity.";
    /// More events than are taken at once.
    BulkTooLarge "bulk_too_large"
        "A bulk has at most {} events. Send several.", limits::BULK;
    /// No event of that name is on file.
    UnknownEvent "event_not_found"
        "No event of this source and id is on file at this meter. Check both; identities are kept for {} days.", limits::KEPT.0 / 86_400_000;
    /// Another event has taken it back.
    AlreadyReversed "event_already_reversed"
        "This event was taken back before, by another event. Nothing is left to reverse.";
    /// It takes something back itself, or what it said is not where it was.
    NotReversible "event_not_reversible"
        "This event cannot be taken back: it takes back another one itself, or its usage was taken back with others. Send the usage anew under another id.";
    /// A bill is drawn up and not paid.
    SettlementOpen "settlement_open"
        "A bill of this meter waits for its payment. Pay it, void it, or wait for how its payment ends; then settle again.";
    /// As many credits wait as can.
    TooManyAdjustments "too_many_adjustments"
        "{} billed lines are to be credited with the next bill, as many as one has. Settle this meter, then reverse again.", limits::ADJUSTMENTS;
    /// There is none of that id.
    UnknownSettlement "settlement_not_found"
        "There is no such settlement. Use the id that was given when it was drafted.";
    /// It is over, or being paid.
    NotDrafted "settlement_not_drafted"
        "This settlement does not wait for a payment any more. Look at its status; what is open again is settled anew.";
    /// Somebody else is paying it, or in another way.
    PaidOtherwise "settlement_paid_otherwise"
        "This settlement is not being paid in this way. Look at its status, and wait for how the payment under way ends.";
    /// There is none of that id.
    UnknownReservation "reservation_not_found"
        "There is no such reservation. Use the id that was given when it was made.";
    /// Nothing is held under it.
    ReservationNotHeld "reservation_not_held"
        "Nothing is held under this reservation: the mandate has not answered, or it was refused, committed or released. Look at its status.";
    /// It has ended, or would have.
    ReservationExpired "reservation_expired"
        "This reservation's time is over, and what was held is given back. Reserve again before the work, with a longer time.";
    /// More was used than was reserved.
    AboveReservation { reserved: Quantity } "above_reservation"
        "More was used than the {reserved} that were reserved. Commit at most that, and reserve again for the rest.";
    /// As many reservations as can be are held.
    TooManyReservations "too_many_reservations"
        "{} reservations are held at this meter, as many as there can be. Commit or release one first.", limits::RESERVATIONS;
    /// It would be held too long.
    ReservationTooLong "reservation_too_long"
        "A reservation is held for at most {} hours. Ask for a shorter time.", limits::RESERVATION_MAX.0 / 3_600_000;
    /// The id stands for another one.
    ReservationReused "reservation_reused"
        "A reservation of another quantity, or from another mandate, was made under this key. Repeat that one as it was, or use a new key.";
    /// The agent pays before it uses.
    ReservationRequired "reservation_required"
        "This agent is prepaid: what it uses is reserved first. Reserve the quantity, and commit what was used.";
    /// The agent pays after it has used.
    NotPrepaid "agent_not_prepaid"
        "This agent is not prepaid: its usage is billed later. Record the usage, or make the agent prepaid first.";
    /// Only the first shard does this.
    NotFirstShard "not_first_shard"
        "The first shard of a meter bills for all, and this is another one. Ask the first.";
    /// A shard's part is missing, or is of another round.
    WrongRound "wrong_round"
        "What the shards have handed over is not all of the next round. Have them hand over again.";
}

impl Refusal {
    /// Whether the same request can succeed later, once a bill is paid or time has passed.
    pub const fn may_retry(&self) -> bool {
        matches!(
            self,
            Self::TooEarly
                | Self::TooManyPrices
                | Self::AmountTooLarge
                | Self::SettlementOpen
                | Self::TooManyAdjustments
                | Self::TooManyReservations
                | Self::WrongRound
        )
    }
}

impl core::error::Error for Refusal {}
