//! The refusals of a meter as problem documents.

use meter::Refusal;

use crate::problem::Problem;

/// The problem document of a meter's refusal.
pub fn meter_problem(refusal: &Refusal) -> Problem {
    let status = match refusal {
        Refusal::NothingUsed
        | Refusal::UnknownEvent
        | Refusal::UnknownSettlement
        | Refusal::UnknownReservation => 404,
        Refusal::EventConflict
        | Refusal::AlreadyReversed
        | Refusal::NotReversible
        | Refusal::SettlementOpen
        | Refusal::NotDrafted
        | Refusal::PaidOtherwise
        | Refusal::ReservationNotHeld
        | Refusal::ReservationExpired
        | Refusal::TooManyPrices
        | Refusal::TooManyAdjustments
        | Refusal::TooManyReservations
        | Refusal::WrongRound => 409,
        Refusal::NothingToSettle
        | Refusal::QuantityZero
        | Refusal::QuantityTooLarge
        | Refusal::QuantityTooFine { .. }
        | Refusal::TooLate
        | Refusal::TooEarly
        | Refusal::BeforeService
        | Refusal::AmountTooLarge
        | Refusal::BulkTooLarge
        | Refusal::AboveReservation { .. }
        | Refusal::ReservationTooLong
        | Refusal::ReservationReused
        | Refusal::ReservationRequired
        | Refusal::NotPrepaid => 422,
        // Only shards of the product's own say so, never whoever asks.
        Refusal::NotFirstShard => 500,
    };
    Problem::new(status, refusal.code(), refusal.to_string())
}
