//! What a meter has a mandate hold: the amount of a bill, or of work that is about to be done.

use alloy_primitives::keccak256;
use mandate::UnixSeconds;
use mandate::life::Hold;
use meter::Reservation;
use meter::limits::{GRACE, PAYMENT_WAIT};
use primitives::{BaseUnits, Digest, Malformed, ReservationId, SettlementId, UnixMillis};

use crate::problem::Problem;

/// What metered usage is called among the services of a mandate.
pub const USAGE_SERVICE: &str = "meter.usage";

/// The name under which a mandate holds a bill's amount: SHA-256 of `guildhall settlement v1`, a zero byte, and the bill's id.
/// It is what proves that the bill is paid.
pub fn bill_name(bill: &SettlementId) -> Digest {
    Digest::of(&[b"guildhall settlement v1\0", bill.as_str().as_bytes()])
}

/// The name under which a mandate holds what work may cost: SHA-256 of `guildhall reservation v1`, a zero byte, and the
/// reservation's id.
pub fn reservation_name(reservation: &ReservationId) -> Digest {
    Digest::of(&[b"guildhall reservation v1\0", reservation.as_str().as_bytes()])
}

/// What the mandate is asked to hold for a bill that was submitted at `since`: until shortly before the meter gives that up, so
/// that neither clock can have the one end what the other still pays.
///
/// # Errors
/// When the recipient is no address, which those of a meter are.
pub fn bill_hold(
    bill: &SettlementId,
    recipient: &str,
    amount: BaseUnits,
    since: UnixMillis,
) -> Result<Hold, Malformed> {
    hold(bill.as_str(), recipient, amount, since.plus(PAYMENT_WAIT).minus(GRACE))
}

/// What the mandate is asked to hold for work.
///
/// # Errors
/// When the recipient is no address, which those of a meter are.
pub fn reservation_hold(reservation: &Reservation) -> Result<Hold, Malformed> {
    let Reservation { id, recipient, amount, until, .. } = reservation;
    hold(id.as_str(), recipient, *amount, until.plus(GRACE))
}

fn hold(asker: &str, recipient: &str, amount: BaseUnits, until: UnixMillis) -> Result<Hold, Malformed> {
    let malformed = |_| Malformed { what: "recipient", allowed: "0x and 40 hexadecimal digits" };
    Ok(Hold {
        asker: asker.to_owned(),
        recipient: recipient.parse().map_err(malformed)?,
        service: keccak256(USAGE_SERVICE),
        amount,
        until: UnixSeconds(until.seconds()),
        approved: false,
    })
}

/// Why a mandate does not hold or pay it: the first of its reasons, as a code and a sentence.
pub fn reason(problem: &Problem) -> (String, String) {
    match problem.errors.first() {
        Some(fault) => (fault.field.clone(), fault.message.clone()),
        None => (problem.code.clone(), problem.detail.clone()),
    }
}

#[cfg(test)]
mod tests {
    use primitives::MeterId;
    use tariff::{Pricing, Quantity, UnitPrice, Version};

    use super::*;
    use crate::problem::FieldFault;

    const PAYEE: &str = "0x00000000000000000000000000000000000000aa";

    fn meter() -> MeterId {
        MeterId::derive(&[b"meter"])
    }

    /// The digests are those of `hashlib` in Python.
    #[test]
    fn the_names_of_holds_are_kept_for_ever() {
        let bill: SettlementId = "set_aaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbba".parse().unwrap();
        let work: ReservationId = "rsv_aaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbba".parse().unwrap();
        assert_eq!(
            bill_name(&bill).to_string(),
            "e4a34dea3c15bf8f7be754861d15169accce160340ee5a1c336adfc660b612a2"
        );
        assert_eq!(
            reservation_name(&work).to_string(),
            "d27f68e4f69a1f1750b774b4b9fb004386d94d8a9c38aa106bea32fc1c4ab416"
        );
    }

    #[test]
    fn a_bills_hold_is_the_same_however_often_it_is_asked_for_and_ends_before_the_meter_gives_up() {
        let bill = SettlementId::derive(&meter(), &[b"bill"]);
        let since = UnixMillis(1_800_000_000_500);
        let hold = bill_hold(&bill, PAYEE, BaseUnits(7), since).unwrap();
        assert_eq!(bill_hold(&bill, PAYEE, BaseUnits(7), since).unwrap(), hold);
        assert_eq!((hold.asker.as_str(), hold.amount, hold.approved), (bill.as_str(), BaseUnits(7), false));
        assert_eq!(hold.service, keccak256("meter.usage"));
        assert!(UnixMillis::from(hold.until) < since.plus(PAYMENT_WAIT));
        assert!(hold.until > UnixSeconds(since.seconds()));
        assert!(bill_hold(&bill, "0x1", BaseUnits(7), since).is_err());
    }

    #[test]
    fn what_is_held_for_work_outlives_the_work() {
        let pricing = Pricing::Flat { unit: UnitPrice(1) };
        let reservation = Reservation {
            id: ReservationId::derive(&meter(), &[b"work"]),
            mandate: format!("0x{}", "11".repeat(32)),
            recipient: PAYEE.to_owned(),
            quantity: Quantity::whole(3),
            amount: BaseUnits(9),
            price: Version { number: 1, from: UnixMillis(0), pricing },
            at: UnixMillis(1_000),
            until: UnixMillis(61_000),
            state: meter::ReservationState::Asked,
        };
        let hold = reservation_hold(&reservation).unwrap();
        assert_eq!((hold.until, hold.amount), (UnixSeconds(121), BaseUnits(9)));
        assert_eq!(hold.asker, reservation.id.as_str());
        assert!(hold.asker.len() <= mandate::life::limits::ASKER_BYTES);
    }

    #[test]
    fn the_first_of_a_mandates_reasons_is_passed_on() {
        let whole = Problem::new(422, "mandate_revoked", "in words");
        assert_eq!(reason(&whole), ("mandate_revoked".to_owned(), "in words".to_owned()));
        let fault = |code: &str| FieldFault { field: code.to_owned(), message: format!("about {code}") };
        let faults = whole.with_faults(vec![fault("day_cap"), fault("approval_missing")]);
        assert_eq!(reason(&faults), ("day_cap".to_owned(), "about day_cap".to_owned()));
    }
}
