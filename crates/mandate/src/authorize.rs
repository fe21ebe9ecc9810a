//! A request becomes an escrow, or is killed before it can.

use crate::amount::plus;
use crate::refusal::require;
use crate::{
    Authorized, By, Ceiling, Mandate, Payment, Proof, Reason, Refused, Relation, Request, Signature, State,
    UnixSeconds, evaluate,
};
use alloy_primitives::Address;

impl Mandate {
    /// Reserves the amount when every rule allows it, and counts it in every window.
    ///
    /// # Errors
    /// What [`evaluate()`] says; nothing changes then.
    pub fn authorize(
        &mut self,
        request: &Request,
        proof: &Proof,
        now: UnixSeconds,
        ceiling: &mut Ceiling,
    ) -> Result<Authorized, Refused> {
        let authorized = evaluate(Some(self), request, proof, now, ceiling)?;
        let amount = request.max_amount;
        self.spent = authorized.spent.with(amount);
        self.lifetime_spent = plus(self.lifetime_spent, amount);
        self.funds.reserved = plus(self.funds.reserved, amount);
        if let Some(allowed) = self.entries.get_mut(&authorized.entry) {
            allowed.spent = authorized.entry_spent.with(amount);
        }
        ceiling.count(amount, now);
        self.payments.insert(request.payment, Payment::new(State::Escrowed, now));
        Ok(authorized)
    }

    /// Makes sure that a request which was not authorized never is, by the owner or the agent. Answers which of them.
    ///
    /// # Errors
    /// [`Reason::NotPermitted`], [`Reason::Signature`] or [`Reason::State`].
    pub fn cancel_request(
        &mut self,
        request: &Request,
        by: By,
        now: UnixSeconds,
    ) -> Result<Address, Refused> {
        let canceller = self.canceller(by)?;
        require(self.state_of(request.payment), Relation::Equal, State::None, Reason::State)?;
        self.payments.insert(request.payment, Payment::new(State::Cancelled, now));
        Ok(canceller)
    }

    fn canceller(&self, by: By) -> Result<Address, Refused> {
        let parties = [self.agent, self.owner];
        match by.signature {
            Signature::Empty if parties.contains(&by.caller) => Ok(by.caller),
            Signature::Empty => Err(Refused::new(Reason::NotPermitted, by.caller, self.owner)),
            Signature::Of(signer) if parties.contains(&signer) => Ok(signer),
            Signature::Of(_) | Signature::Bad => Err(Refused::new(Reason::Signature, 0, self.owner)),
        }
    }
}
