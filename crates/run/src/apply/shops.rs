//! From the search for offers to what has to be paid.

use primitives::{ExecutorId, UnixMillis};

use super::{Why, require};
use crate::asking::{Asking, Wait};
use crate::pending::{Failures, Fate, Pending, Presence};
use crate::rules;
use crate::stage::{Due, Funding, Order, OrderStep, Outcome, Paying, Prepared, Quoted, Shopping, Stage};
use crate::{BrowserCommand, Candidate, PixTarget, Quote, RejectedCandidate, Run, Task, limits};

impl Run {
    fn searching(&mut self) -> Result<&mut Asking, Why> {
        if let Stage::Shopping(Shopping::Searching(asking)) = &mut self.stage {
            return Ok(asking);
        }
        Err("the market is not asked")
    }

    pub(super) fn search_started(&mut self, attempt: u32, at: UnixMillis) -> Result<(), Why> {
        let asking = self.searching()?;
        require(asking.may_be(attempt), "the search is out of turn")?;
        *asking = Asking::asked(attempt, at);
        Ok(())
    }

    pub(super) fn search_failed(&mut self, attempt: u32, again_at: Option<UnixMillis>) -> Result<(), Why> {
        let asking = self.searching()?;
        require(asking.awaits(attempt), "the search is not under way")?;
        *asking = asking.failed(again_at);
        Ok(())
    }

    pub(super) fn searched(
        &mut self,
        candidates: &[Candidate],
        rejected: &[RejectedCandidate],
    ) -> Result<(), Why> {
        let asking = self.searching()?;
        require(matches!(asking.wait, Wait::Answer(_)), "the search is not under way")?;
        require(candidates.len() <= limits::CANDIDATES, "there are too many candidates")?;
        self.candidates = candidates.to_vec();
        self.rejected = rejected.to_vec();
        self.stage = Stage::Shopping(Shopping::Normalized);
        Ok(())
    }

    pub(super) fn candidate_selected(&mut self, candidate_id: &str) -> Result<(), Why> {
        require(self.stage == Stage::Shopping(Shopping::Normalized), "another candidate is selected")?;
        let next = self.candidate().is_some_and(|candidate| candidate.candidate_id == candidate_id);
        require(next, "it is not the cheapest that is left")?;
        self.failures = Failures::default();
        self.stage = Stage::Shopping(Shopping::Selected);
        Ok(())
    }

    /// A command for the bound executor, under the name of the event that asks for it (R10). One at a time.
    pub(super) fn give_out(&mut self, command: &BrowserCommand) -> Result<(), Why> {
        require(self.pending.is_none(), "another command is pending")?;
        require(command.command_id == self.next_command_id(), "the command has another's name")?;
        require(command.executor == self.executor, "the command is for another executor")?;
        self.pending = Some(Pending::new(command.clone()));
        Ok(())
    }

    /// Nobody waits for the command that is pending, if one is.
    pub(super) fn withdraw(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.fates.push(pending.command.command_id, Fate::Withdrawn);
        }
    }

    pub(super) fn revalidation_requested(&mut self, command: &BrowserCommand) -> Result<(), Why> {
        let is_its_turn = match &self.stage {
            Stage::Shopping(
                Shopping::Selected | Shopping::RevalidationRequested | Shopping::Revalidating,
            ) => true,
            Stage::Shopping(Shopping::Searching(_) | Shopping::Normalized)
            | Stage::Quoted(_)
            | Stage::Prepared(_)
            | Stage::Due { .. }
            | Stage::Funded { .. }
            | Stage::Authorized { .. }
            | Stage::Ended { .. } => false,
        };
        require(is_its_turn, "no candidate is selected")?;
        self.give_out(command)?;
        self.stage = Stage::Shopping(Shopping::RevalidationRequested);
        Ok(())
    }

    fn pending(&mut self, command_id: &str) -> Result<&mut Pending, Why> {
        let pending = self.pending.as_mut().filter(|pending| pending.command.command_id == command_id);
        pending.ok_or("the command is not pending")
    }

    pub(super) fn revalidation_started(&mut self, command_id: &str, at: UnixMillis) -> Result<(), Why> {
        let is_requested = self.stage == Stage::Shopping(Shopping::RevalidationRequested);
        require(is_requested, "no revalidation was requested")?;
        self.command_started(command_id, at)?;
        self.stage = Stage::Shopping(Shopping::Revalidating);
        Ok(())
    }

    pub(super) fn command_started(&mut self, command_id: &str, at: UnixMillis) -> Result<(), Why> {
        let pending = self.pending(command_id)?;
        pending.heard();
        pending.is_started = true;
        pending.wanted = None;
        pending.command.until = at.plus(limits::COMMAND_WAIT);
        Ok(())
    }

    pub(super) fn needs_user(
        &mut self,
        command_id: &str,
        reason: &str,
        until: UnixMillis,
    ) -> Result<(), Why> {
        let pending = self.pending(command_id)?;
        pending.heard();
        pending.wanted = Some(reason.to_owned());
        pending.asks = pending.asks.saturating_add(1);
        pending.command.until = until;
        Ok(())
    }

    pub(super) fn command_failed(&mut self, is_answer: bool, attempt: u32) -> Result<(), Why> {
        require(is_answer, "nobody has said so")?;
        self.failures.all = self.failures.all.saturating_add(1);
        require(self.failures.all == attempt, "the attempts are miscounted")
    }

    pub(super) fn command_timed_out(&mut self, command_id: &str, attempt: u32) -> Result<(), Why> {
        self.pending(command_id)?;
        self.withdraw();
        if let Stage::Authorized { step: Paying::Settled { order, .. }, .. } = &mut self.stage {
            order.step = OrderStep::Silent;
            return require(order.attempt == attempt, "the attempts are miscounted");
        }
        self.failures.all = self.failures.all.saturating_add(1);
        self.failures.silent = self.failures.silent.saturating_add(1);
        require(self.failures.all == attempt, "the attempts are miscounted")
    }

    pub(super) fn executor_offline(&mut self, executor: &ExecutorId) -> Result<(), Why> {
        let pending = self.pending.as_mut().ok_or("no command is pending")?;
        require(pending.command.executor == *executor, "another executor is bound")?;
        require(pending.presence == Presence::Presumed, "it was told before")?;
        pending.presence = Presence::Away;
        Ok(())
    }

    /// What the first executor read is dropped, unless it was paid (R2).
    pub(super) fn executor_bound(&mut self, executor: &ExecutorId) -> Result<(), Why> {
        require(self.executor != *executor, "it is bound already")?;
        self.executor = executor.clone();
        self.withdraw();
        if let Stage::Authorized { step, .. } = &mut self.stage {
            if let Paying::Settled { order: Order { step: step @ OrderStep::Asked, .. }, .. } = step {
                *step = OrderStep::Due;
            }
            return Ok(());
        }
        if self.stage.is_selected() {
            self.drop_reading()?;
            self.stage = Stage::Shopping(Shopping::Selected);
        }
        Ok(())
    }

    pub(super) fn quote_validated(&mut self, quote: &Quote) -> Result<(), Why> {
        let is_looked_at =
            matches!(self.stage, Stage::Shopping(Shopping::RevalidationRequested | Shopping::Revalidating));
        require(is_looked_at, "no revalidation was requested")?;
        self.check_quote(quote)?;
        self.failures = Failures::default();
        self.stage = Stage::Quoted(Quoted { quote: quote.clone(), is_filled: false });
        Ok(())
    }

    /// Comes from the bound executor, adds up, and is within the budget (R1).
    fn check_quote(&self, quote: &Quote) -> Result<(), Why> {
        require(self.pending.is_none(), "it answers nothing")?;
        require(quote.executor == self.executor, "another executor has read it")?;
        require(rules::reconciles(&quote.cart), "it does not add up")?;
        require(quote.cart.total <= self.creation.intent.max_total, "it is above the budget")
    }

    pub(super) fn candidate_rejected(&mut self, candidate_id: &str, reasons: &[String]) -> Result<(), Why> {
        require(!self.stage.is_authorized(), "it was paid")?;
        let selected = self.selected().is_some_and(|candidate| candidate.candidate_id == candidate_id);
        require(selected, "it is not selected")?;
        require(self.hold().is_none(), "a hold is left behind")?;
        self.withdraw();
        self.forget_question();
        self.rejected
            .push(RejectedCandidate { candidate_id: candidate_id.to_owned(), reasons: reasons.to_vec() });
        self.tried = self.tried.saturating_add(1);
        self.stage = Stage::Shopping(Shopping::Normalized);
        Ok(())
    }

    pub(super) fn checkout_requested(&mut self, command: &BrowserCommand) -> Result<(), Why> {
        let Stage::Quoted(quoted) = &self.stage else { return Err("nothing was quoted") };
        let expected = if quoted.is_filled { Task::ReadCheckout } else { Task::PrepareCheckout };
        require(command.task == expected, "the command is out of turn")?;
        self.give_out(command)
    }

    pub(super) fn checkout_ready(&mut self, checkout: &Quote) -> Result<(), Why> {
        self.check_quote(checkout)?;
        let Stage::Quoted(Quoted { quote, .. }) = self.leave() else { return Err("nothing was quoted") };
        self.failures = Failures::default();
        self.stage = Stage::Prepared(Prepared { quote, checkout: checkout.clone() });
        Ok(())
    }

    pub(super) fn checkout_invalidated(&mut self) -> Result<(), Why> {
        require(!self.stage.is_authorized(), "it was paid")?;
        let prepared = self.stage.prepared().ok_or("there is no checkout")?;
        let quote = prepared.quote.clone();
        self.drop_reading()?;
        self.stage = Stage::Quoted(Quoted { quote, is_filled: true });
        Ok(())
    }

    /// What was read does not hold any more. That does not happen often.
    fn drop_reading(&mut self) -> Result<(), Why> {
        require(self.hold().is_none(), "a hold is left behind")?;
        require(!self.is_unstable(), "it happened too often")?;
        self.withdraw();
        self.forget_question();
        self.failures = Failures::default();
        self.invalidations = self.invalidations.saturating_add(1);
        Ok(())
    }

    pub(super) fn pix_requested(&mut self, command: &BrowserCommand) -> Result<(), Why> {
        let Stage::Prepared(prepared) = &self.stage else { return Err("no checkout is prepared") };
        let expected = Task::ReadPix { expected: prepared.checkout.cart.total };
        require(command.task == expected, "another amount is expected")?;
        self.give_out(command)
    }

    /// The target is the checkout's (R2).
    pub(super) fn pix_detected(&mut self, pix: &PixTarget, at: UnixMillis) -> Result<(), Why> {
        require(self.pending.is_none(), "it answers nothing")?;
        let Stage::Prepared(prepared) = self.leave() else { return Err("no checkout is prepared") };
        require(pix.amount == prepared.checkout.cart.total, "the target has another amount")?;
        require(pix.expires_at.is_none_or(|end| at < end), "the target is over")?;
        self.failures = Failures::default();
        let due = Due { prepared, pix: pix.clone() };
        self.stage = Stage::Due { due, step: Funding::Detected };
        Ok(())
    }

    pub(super) fn no_option_left(&mut self) -> Result<(), Why> {
        require(self.stage == Stage::Shopping(Shopping::Normalized), "a candidate is selected")?;
        require(self.candidate().is_none(), "a candidate is left")?;
        self.end(Outcome::NoValidOption)
    }
}
