//! From the reserved amount to its one end. What a policy says later changes nothing here.

use alloy_primitives::{B256, U256};
use primitives::BaseUnits;

use crate::amount::{ZERO, minus, plus};
use crate::policy::WHOLE_BPS;
use crate::refusal::require;
use crate::{Arrival, By, Mandate, Payment, Reason, Refused, Relation, Request, State, UnixSeconds};

/// What a step of an escrow moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// What is to be paid to the provider now. When that fails, it becomes a [`Credit`](crate::Credit).
    pub to_provider: BaseUnits,
    /// What is free again in the mandate.
    pub returned: BaseUnits,
    /// Where the payment is after it.
    pub state: State,
}

impl Mandate {
    /// Escrowed → Delivered, by the provider before `deliver_by`. Answers when the challenge period ends.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Signature`], [`Reason::State`] or [`Reason::DeliveryClosed`].
    pub fn deliver(&mut self, request: &Request, by: By, now: UnixSeconds) -> Result<UnixSeconds, Refused> {
        by.require(request.recipient)?;
        let payment = self.in_state(request, [State::Escrowed])?;
        require(now, Relation::Below, request.deliver_by, Reason::DeliveryClosed)?;
        self.put(request, Payment { state: State::Delivered, since: now, ..payment });
        Ok(now.plus(request.terms.challenge_period))
    }

    /// Delivered or Disputed → Settled, all of what is held to the provider, by the owner.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Signature`] or [`Reason::State`].
    pub fn accept(&mut self, request: &Request, by: By) -> Result<Moved, Refused> {
        by.require(self.owner)?;
        let payment = self.in_state(request, [State::Delivered, State::Disputed])?;
        Ok(self.close(request, payment, State::Settled, held(request, &payment)))
    }

    /// Delivered → Disputed, by the owner within the challenge period. Evidence is the hash of why; zero leaves all to
    /// the provider if the resolver is silent. Answers when the resolver's time ends.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Signature`], [`Reason::State`] or [`Reason::ChallengeClosed`].
    pub fn dispute(
        &mut self,
        request: &Request,
        evidence: B256,
        by: By,
        now: UnixSeconds,
    ) -> Result<UnixSeconds, Refused> {
        by.require(self.owner)?;
        let payment = self.in_state(request, [State::Delivered])?;
        require(now, Relation::Below, challenge_ends(request, &payment), Reason::ChallengeClosed)?;
        let has_evidence = !evidence.is_zero();
        self.put(request, Payment { state: State::Disputed, has_evidence, since: now, ..payment });
        Ok(now.plus(request.terms.resolution_timeout))
    }

    /// Pays the provider until it got `total` in all, by the provider after the challenge period and before
    /// `capture_by`, as often as it likes; → Settled with the last part.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Signature`], [`Reason::State`], [`Reason::ChallengeOpen`],
    /// [`Reason::CaptureClosed`], [`Reason::AboveTotal`] or [`Reason::NothingNew`].
    pub fn capture(
        &mut self,
        request: &Request,
        total: BaseUnits,
        by: By,
        now: UnixSeconds,
    ) -> Result<Moved, Refused> {
        by.require(request.recipient)?;
        let payment = self.capturable(request, now)?;
        require(total, Relation::AtMost, request.max_amount, Reason::AboveTotal)?;
        require(total, Relation::Above, payment.paid, Reason::NothingNew)?;
        let amount = minus(total, payment.paid);
        if total == request.max_amount {
            return Ok(self.close(request, payment, State::Settled, amount));
        }
        self.put(request, Payment { paid: total, ..payment });
        self.funds.balance = minus(self.funds.balance, amount);
        self.funds.reserved = minus(self.funds.reserved, amount);
        Ok(Moved { to_provider: amount, returned: ZERO, state: payment.state })
    }

    /// Delivered → Settled, all of what is held to the provider, after the challenge period and before `capture_by`.
    /// Anyone may.
    ///
    /// # Errors
    /// [`Reason::State`], [`Reason::ChallengeOpen`] or [`Reason::CaptureClosed`].
    pub fn claim(&mut self, request: &Request, now: UnixSeconds) -> Result<Moved, Refused> {
        let payment = self.capturable(request, now)?;
        Ok(self.close(request, payment, State::Settled, held(request, &payment)))
    }

    /// Escrowed, Delivered or Disputed → Voided, all of what is held back to the mandate, by the provider.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Signature`] or [`Reason::State`].
    pub fn void(&mut self, request: &Request, by: By) -> Result<Moved, Refused> {
        by.require(request.recipient)?;
        let payment = self.in_state(request, [State::Escrowed, State::Delivered, State::Disputed])?;
        Ok(self.close(request, payment, State::Voided, ZERO))
    }

    /// Disputed → Settled or Refunded, `to_provider` to the provider and the rest back, by the resolver before its time
    /// is over.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Signature`], [`Reason::State`], [`Reason::ResolutionClosed`] or
    /// [`Reason::AboveTotal`].
    pub fn resolve(
        &mut self,
        request: &Request,
        to_provider: BaseUnits,
        by: By,
        now: UnixSeconds,
    ) -> Result<Moved, Refused> {
        by.require(request.terms.resolver)?;
        let payment = self.in_state(request, [State::Disputed])?;
        require(now, Relation::Below, resolution_ends(request, &payment), Reason::ResolutionClosed)?;
        require(to_provider, Relation::AtMost, request.max_amount, Reason::AboveTotal)?;
        let state = if to_provider > ZERO { State::Settled } else { State::Refunded };
        Ok(self.close(request, payment, state, to_provider))
    }

    /// Disputed → TimedOut, split as the terms say, once the resolver's time is over. Anyone may.
    ///
    /// # Errors
    /// [`Reason::State`] or [`Reason::ResolutionOpen`].
    pub fn time_out(&mut self, request: &Request, now: UnixSeconds) -> Result<Moved, Refused> {
        let payment = self.in_state(request, [State::Disputed])?;
        require(now, Relation::AtLeast, resolution_ends(request, &payment), Reason::ResolutionOpen)?;
        let share = if payment.has_evidence { request.terms.silence_bps } else { WHOLE_BPS };
        Ok(self.close(request, payment, State::TimedOut, portion(request.max_amount, share)))
    }

    /// Escrowed after `deliver_by`, or Delivered after `capture_by` → Refunded, or Settled when parts were captured; what
    /// is held goes back. Anyone may.
    ///
    /// # Errors
    /// [`Reason::State`], [`Reason::CaptureOpen`] or [`Reason::DeliveryOpen`].
    pub fn expire(&mut self, request: &Request, now: UnixSeconds) -> Result<Moved, Refused> {
        let payment = self.in_state(request, [State::Escrowed, State::Delivered])?;
        let (end, reason) = if payment.state == State::Delivered {
            (request.capture_by, Reason::CaptureOpen)
        } else {
            (request.deliver_by, Reason::DeliveryOpen)
        };
        require(now, Relation::AtLeast, end, reason)?;
        let state = if payment.paid > ZERO { State::Settled } else { State::Refunded };
        Ok(self.close(request, payment, state, ZERO))
    }

    /// Gives money of a closed payment back to the mandate until `total` was given back in all, by the provider before
    /// `refund_by`. Answers what was given back now.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Signature`], [`Reason::State`], [`Reason::RefundClosed`],
    /// [`Reason::AboveTotal`], [`Reason::NothingNew`], [`Reason::TokenDelta`] or [`Reason::AmountTooLarge`].
    pub fn refund(
        &mut self,
        request: &Request,
        total: BaseUnits,
        by: By,
        now: UnixSeconds,
        arrival: Arrival,
    ) -> Result<BaseUnits, Refused> {
        by.require(request.recipient)?;
        let payment = self.in_state(request, [State::Settled, State::TimedOut, State::Voided])?;
        require(now, Relation::Below, request.refund_by, Reason::RefundClosed)?;
        require(total, Relation::AtMost, payment.paid, Reason::AboveTotal)?;
        require(total, Relation::Above, payment.refunded, Reason::NothingNew)?;
        let amount = minus(total, payment.refunded);
        self.add(U256::from(amount.0), arrival)?;
        self.put(request, Payment { refunded: total, ..payment });
        Ok(amount)
    }

    /// The payment, in one of the states. The refusal names the first.
    fn in_state<const N: usize>(&self, request: &Request, states: [State; N]) -> Result<Payment, Refused> {
        let found = self.payments.get(&request.payment);
        found.filter(|payment| states.contains(&payment.state)).copied().ok_or_else(|| {
            let needed = states.first().copied().unwrap_or(State::None);
            Refused::new(Reason::State, self.state_of(request.payment), needed)
        })
    }

    fn capturable(&self, request: &Request, now: UnixSeconds) -> Result<Payment, Refused> {
        let payment = self.in_state(request, [State::Delivered])?;
        require(now, Relation::AtLeast, challenge_ends(request, &payment), Reason::ChallengeOpen)?;
        require(now, Relation::Below, request.capture_by, Reason::CaptureClosed)?;
        Ok(payment)
    }

    /// The one way to a final state of an escrow: frees all of what is held, and pays the provider's part of it.
    fn close(&mut self, request: &Request, payment: Payment, state: State, to_provider: BaseUnits) -> Moved {
        let held = held(request, &payment);
        self.put(request, Payment { state, paid: plus(payment.paid, to_provider), ..payment });
        self.funds.reserved = minus(self.funds.reserved, held);
        self.funds.balance = minus(self.funds.balance, to_provider);
        Moved { to_provider, returned: minus(held, to_provider), state }
    }

    fn put(&mut self, request: &Request, payment: Payment) {
        self.payments.insert(request.payment, payment);
    }
}

/// What is held of a payment that is open.
const fn held(request: &Request, payment: &Payment) -> BaseUnits {
    minus(request.max_amount, payment.paid)
}

pub(crate) const fn challenge_ends(request: &Request, payment: &Payment) -> UnixSeconds {
    payment.since.plus(request.terms.challenge_period)
}

pub(crate) const fn resolution_ends(request: &Request, payment: &Payment) -> UnixSeconds {
    payment.since.plus(request.terms.resolution_timeout)
}

/// A share of an amount in basis points, rounded down; the rest is the mandate's.
fn portion(amount: BaseUnits, share: u16) -> BaseUnits {
    let product = U256::from(amount.0).saturating_mul(U256::from(share));
    BaseUnits(product.checked_div(U256::from(WHOLE_BPS)).unwrap_or_default().saturating_to())
}
