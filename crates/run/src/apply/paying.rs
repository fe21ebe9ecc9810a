//! From the authorization to the order, and how a run ends.

use primitives::{BaseUnits, UnixMillis};

use super::{Why, require};
use crate::asking::{Asking, Wait};
use crate::clock::holds_until;
use crate::stage::{Bill, Consent, Order, OrderStep, Outcome, Paying, Stage};
use crate::{
    Authorization, Basis, BrowserCommand, BudgetState, Confirmation, Ending, OrderEvidence, Payment, Run,
    Task,
};

impl Run {
    /// One amount, one wallet, one ground, once (R2, R3, R4).
    pub(super) fn payment_authorized(&mut self, given: &Authorization, at: UnixMillis) -> Result<(), Why> {
        let held = self.hold().filter(|hold| hold.state == BudgetState::Held).cloned();
        let connected = self.address().map(str::to_owned);
        let Stage::Funded { funded, step } = self.leave() else { return Err("the payment is not ready") };
        let confirmation = match step {
            Consent::Ready(_) => None,
            Consent::Confirmed(confirmation) => Some(confirmation),
            Consent::Checked | Consent::ShieldRequired | Consent::Asked(_) => {
                return Err("the payment is not ready");
            }
        };
        let agreed = confirmation.as_ref().map(|confirmation| confirmation.digest);
        let is_grounded = match &given.basis {
            Basis::UserConfirmation { digest } => self.creation.mandate.is_none() && agreed == Some(*digest),
            Basis::Mandate { mandate, reservation, confirmation } => {
                let granted = self.creation.mandate.as_ref().is_some_and(|of| of.mandate == *mandate);
                let hold = held.filter(|hold| hold.reservation == *reservation);
                granted && *confirmation == agreed && hold.is_some_and(|hold| hold.amount == given.gross)
            }
        };
        require(is_grounded, "nobody has agreed to it")?;
        let same = |confirmation: &Confirmation| {
            (confirmation.amount, confirmation.gross) == (given.amount, given.gross)
                && confirmation.wallet == given.wallet
        };
        require(confirmation.as_ref().is_none_or(same), "another thing was confirmed")?;
        let due = &funded.due;
        require(given.amount == due.pix.amount, "the target has another amount")?;
        require(given.amount == due.prepared.checkout.cart.total, "the checkout has another amount")?;
        require(given.gross == funded.requirement.gross, "another amount is required")?;
        require(given.wallet == funded.wallet, "another wallet was checked")?;
        require(connected.as_ref() == Some(&given.wallet), "another wallet is connected")?;
        let (end, _) = holds_until(&funded);
        require(
            given.at == at && at < given.submit_by && given.submit_by <= end,
            "it does not hold any more",
        )?;
        let bill = Box::new(Bill { funded, confirmation, authorization: given.clone() });
        self.stage = Stage::Authorized { bill, step: Paying::Open };
        Ok(())
    }

    fn paying(&mut self) -> Result<&mut Paying, Why> {
        if let Stage::Authorized { step, .. } = &mut self.stage {
            return Ok(step);
        }
        Err("nothing was authorized")
    }

    /// One payment for one run (R4).
    pub(super) fn payment_submitted(&mut self, payment: &Payment, at: UnixMillis) -> Result<(), Why> {
        let step = self.paying()?;
        let is_waited_for = match step {
            Paying::Open | Paying::Closed { .. } => true,
            Paying::Absent | Paying::Submitted { .. } | Paying::Settled { .. } => false,
        };
        require(is_waited_for, "no payment is waited for")?;
        *step = Paying::Submitted { payment: payment.clone(), since: at, look: Asking::NEW };
        self.held.payment = None;
        Ok(())
    }

    pub(super) fn payment_window_closed(&mut self, at: UnixMillis) -> Result<(), Why> {
        let step = self.paying()?;
        require(*step == Paying::Open, "it is closed")?;
        *step = Paying::Closed { since: at, trace: Asking::NEW };
        Ok(())
    }

    fn trace(&mut self) -> Result<&mut Asking, Why> {
        if let Paying::Closed { trace, .. } = self.paying()? {
            return Ok(trace);
        }
        Err("no payment is looked for")
    }

    pub(super) fn trace_started(&mut self, attempt: u32, at: UnixMillis) -> Result<(), Why> {
        let trace = self.trace()?;
        require(trace.may_be(attempt), "the search is out of turn")?;
        *trace = Asking::asked(attempt, at);
        Ok(())
    }

    pub(super) fn trace_failed(&mut self, attempt: u32, again_at: UnixMillis) -> Result<(), Why> {
        let trace = self.trace()?;
        require(trace.awaits(attempt), "the search is not under way")?;
        *trace = trace.failed(Some(again_at));
        Ok(())
    }

    pub(super) fn payment_absent(&mut self) -> Result<(), Why> {
        let is_asked = matches!(self.trace()?.wait, Wait::Answer(_));
        require(is_asked, "the search is not under way")?;
        *self.paying()? = Paying::Absent;
        Ok(())
    }

    fn look(&mut self) -> Result<&mut Asking, Why> {
        if let Paying::Submitted { look, .. } = self.paying()? {
            return Ok(look);
        }
        Err("no payment was submitted")
    }

    pub(super) fn look_started(&mut self, attempt: u32, at: UnixMillis) -> Result<(), Why> {
        let look = self.look()?;
        require(look.may_be(attempt), "the look is out of turn")?;
        *look = Asking::asked(attempt, at);
        Ok(())
    }

    pub(super) fn look_failed(&mut self, attempt: u32, again_at: UnixMillis) -> Result<(), Why> {
        let look = self.look()?;
        require(look.awaits(attempt), "the look is not under way")?;
        *look = look.failed(Some(again_at));
        Ok(())
    }

    /// It has paid what was asked, and is counted as paid where it was held (R5, R8).
    pub(super) fn settlement_verified(
        &mut self,
        signature: &str,
        reference: &str,
        received: BaseUnits,
        at: UnixMillis,
    ) -> Result<(), Why> {
        let Stage::Authorized { bill, step: Paying::Submitted { payment, look, .. } } = &self.stage else {
            return Err("no payment was submitted");
        };
        require(matches!(look.wait, Wait::Answer(_)), "nobody looks")?;
        require(payment.signature == signature, "another payment was submitted")?;
        require(received >= bill.authorization.gross, "less has arrived than was asked")?;
        let (payment, order) = (payment.clone(), Order { attempt: 0, step: OrderStep::Due });
        *self.paying()? = Paying::Settled { payment, reference: reference.to_owned(), since: at, order };
        self.end_hold(BudgetState::Committed);
        Ok(())
    }

    /// Ends what is held, if anything is.
    fn end_hold(&mut self, state: BudgetState) {
        if let Some(budget) = self.budget.as_mut().filter(|budget| budget.state == BudgetState::Held) {
            budget.state = state;
        }
    }

    pub(super) fn settlement_failed(&mut self, signature: &str, code: &str, reason: &str) -> Result<(), Why> {
        require(matches!(self.look()?.wait, Wait::Answer(_)), "nobody looks")?;
        let is_its = self.stage.payment().is_some_and(|payment| payment.signature == signature);
        require(is_its, "another payment was submitted")?;
        self.end_hold(BudgetState::Released);
        self.end(Outcome::SettlementFailed(Ending { code: code.to_owned(), reason: reason.to_owned() }))
    }

    /// It may have been paid: under a mandate it counts as paid (R5).
    pub(super) fn settlement_abandoned(&mut self) -> Result<(), Why> {
        match self.paying()? {
            Paying::Closed { .. } | Paying::Submitted { .. } => {}
            Paying::Open | Paying::Absent | Paying::Settled { .. } => return Err("nobody looks for it"),
        }
        self.end_hold(BudgetState::Committed);
        self.end(Outcome::SettlementUnknown(Ending {
            code: "settlement_unknown".to_owned(),
            reason: "For as long as anyone looked, nobody could say whether the payment had arrived."
                .to_owned(),
        }))
    }

    fn order(&mut self) -> Result<&mut Order, Why> {
        if let Paying::Settled { order, .. } = self.paying()? {
            return Ok(order);
        }
        Err("the payment is not settled")
    }

    pub(super) fn order_requested(&mut self, command: &BrowserCommand) -> Result<(), Why> {
        require(command.task == Task::VerifyOrder, "the command is out of turn")?;
        let order = self.order()?;
        order.attempt = order.attempt.saturating_add(1);
        order.step = OrderStep::Asked;
        self.give_out(command)
    }

    pub(super) fn order_pending(&mut self, again_at: UnixMillis) -> Result<(), Why> {
        require(self.pending.is_none(), "the shop is being asked")?;
        self.order()?.step = OrderStep::Again(again_at);
        Ok(())
    }

    pub(super) fn order_confirmed(&mut self, is_answer: bool, evidence: &OrderEvidence) -> Result<(), Why> {
        self.order()?;
        require(is_answer && evidence.confirmed, "the shop has not said so")?;
        self.end(Outcome::OrderConfirmed(evidence.clone()))
    }

    pub(super) fn order_abandoned(&mut self) -> Result<(), Why> {
        self.order()?;
        self.end(Outcome::OrderUnknown(Ending {
            code: "order_unknown".to_owned(),
            reason: "It was paid, and for as long as anyone asked, the shop did not confirm the order."
                .to_owned(),
        }))
    }

    pub(super) fn cancel_requested(&mut self) -> Result<(), Why> {
        match self.paying()? {
            Paying::Open | Paying::Closed { .. } => {}
            Paying::Absent | Paying::Submitted { .. } | Paying::Settled { .. } => {
                return Err("it cannot be stopped");
            }
        }
        require(!core::mem::replace(&mut self.is_stopping, true), "it is being stopped")
    }

    pub(super) fn cancel_lost(&mut self) -> Result<(), Why> {
        let was_stopping = core::mem::replace(&mut self.is_stopping, false);
        require(was_stopping && self.stage.payment().is_some(), "nothing was lost")
    }

    /// Only where no money can have moved.
    pub(super) fn cancelled(&mut self) -> Result<(), Why> {
        require(!self.stage.may_be_paid(), "a payment may be on its way")?;
        let is_wanted = self.is_stopping || !self.stage.is_authorized();
        require(is_wanted, "nobody has asked for it")?;
        self.end(Outcome::Cancelled)
    }

    /// Only where no money can have moved.
    pub(super) fn failed(&mut self, code: &str, reason: &str) -> Result<(), Why> {
        require(!self.stage.may_be_paid(), "a payment may be on its way")?;
        self.end(Outcome::Failed(Ending { code: code.to_owned(), reason: reason.to_owned() }))
    }
}
