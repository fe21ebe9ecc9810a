//! Reservations: the budget gate for the rest of the product. A hold counts in every window like a payment; what was never
//! paid of it goes back to where it was counted.

use alloy_primitives::B256;
use primitives::BaseUnits;

use super::step::judged;
use super::{Book, Hold, Outcome, Refusal, Reservation};
use crate::amount::{ZERO, minus};
use crate::calendar::{day, month};
use crate::refusal::require;
use crate::{By, Ceiling, Proof, Reason, Relation, Request, SignedApproval, Spent, UnixSeconds};

impl Book {
    /// Holds by the rules for a request that the agent makes now, and that nobody approves but an owner who has said yes to
    /// the hold.
    pub(super) fn hold(
        &mut self,
        reservation: B256,
        hold: &Hold,
        now: UnixSeconds,
    ) -> Result<Outcome, Refusal> {
        let request = self.as_request(reservation, hold, now);
        let approval = if hold.approved { self.owners_yes() } else { SignedApproval::default() };
        let proof = Proof { agent: By::caller(self.mandate.agent), approval };
        judged(&self.mandate, &request, &proof, now)?;
        let authorized = self.mandate.authorize(&request, &proof, now, &mut Ceiling::Unset)?;
        let held = Reservation { hold: hold.clone(), entry: authorized.entry, day: day(now) };
        self.reservations.insert(reservation, held);
        Ok(Outcome::Done)
    }

    /// Ends a reservation: pays a part of it, and gives the rest back to the mandate and its windows.
    pub(super) fn end_hold(&mut self, reservation: B256, paid: BaseUnits) -> Result<Outcome, Refusal> {
        let held = self.reservations.get(&reservation).ok_or(Refusal::UnknownReservation)?;
        let (amount, entry, day) = (held.hold.amount, held.entry, held.day);
        require(paid, Relation::AtMost, amount, Reason::AboveTotal)?;
        self.reservations.remove(&reservation);
        let returned = minus(amount, paid);
        let payments = u32::from(paid == ZERO);
        let mandate = &mut self.mandate;
        mandate.payments.remove(&reservation);
        mandate.funds.reserved = minus(mandate.funds.reserved, amount);
        mandate.funds.balance = minus(mandate.funds.balance, paid);
        mandate.lifetime_spent = minus(mandate.lifetime_spent, returned);
        mandate.spent = without(mandate.spent, returned, payments, day);
        if let Some(allowed) = mandate.entries.get_mut(&entry) {
            allowed.spent = without(allowed.spent, returned, payments, day);
        }
        Ok(Outcome::Reservation { paid, returned })
    }

    /// The request that a reservation would be. It can be delivered as long as it is held.
    fn as_request(&self, reservation: B256, hold: &Hold, now: UnixSeconds) -> Request {
        let terms = self.mandate.policy.terms;
        let capture_by = hold.until.plus(terms.challenge_period).plus(1);
        Request {
            payment: reservation,
            mandate: self.mandate.id,
            policy_version: self.mandate.policy_version,
            request_id: reservation,
            token: self.mandate.token,
            max_amount: hold.amount,
            recipient: hold.recipient,
            service: hold.service,
            job_hash: B256::ZERO,
            valid_after: now,
            valid_before: hold.until,
            deliver_by: hold.until,
            capture_by,
            refund_by: capture_by,
            terms,
        }
    }
}

/// The windows without what was counted in them on `counted` and is given back. A window that has begun since never had
/// it, and one that is over is left as it is.
fn without(spent: Spent, amount: BaseUnits, payments: u32, counted: u64) -> Spent {
    let month_sum =
        if month(spent.day) == month(counted) { minus(spent.month_sum, amount) } else { spent.month_sum };
    if spent.day != counted {
        return Spent { month_sum, ..spent };
    }
    let day_count = spent.day_count.saturating_sub(payments);
    Spent { day: spent.day, day_count, day_sum: minus(spent.day_sum, amount), month_sum }
}
