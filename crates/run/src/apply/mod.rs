//! How each event moves the state. It is here that what must hold of money is held: whoever wrote the event.

mod funds;
mod paying;
mod shops;

use core::mem::replace;

use primitives::Digest;

use crate::pending::Fate;
use crate::stage::{Outcome, Shopping, Stage};
use crate::state::Yes;
use crate::{BudgetState, Corrupt, Event, Fact, Run, Signal, State, VERSION, limits};

/// Why an event cannot follow.
type Why = &'static str;

/// Folds one event into the state.
///
/// # Errors
/// [`Corrupt`] when the event cannot follow; the state is lost then, and the journal must be looked at by a person.
pub fn apply(state: State, event: &Event) -> Result<State, Corrupt> {
    let corrupt = |why: Why| Corrupt { at: event.at, why: why.to_owned() };
    let event = lifted(event).map_err(corrupt)?;
    match state {
        State::Unborn => {
            if let Fact::IntentCreated(creation) = &event.fact {
                return Ok(State::Live(Box::new(Run::new((**creation).clone(), event.at))));
            }
            Err(corrupt("there is no run"))
        }
        State::Live(mut run) => {
            run.follow(event).map_err(corrupt)?;
            Ok(State::Live(run))
        }
    }
}

/// The state that a journal leads to.
///
/// # Errors
/// As [`apply`], for the first event that cannot follow.
pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<State, Corrupt> {
    events.into_iter().try_fold(State::default(), apply)
}

/// An event in the form of today. Those of older versions are lifted here; so far there is one.
fn lifted(event: &Event) -> Result<&Event, Why> {
    if event.v == VERSION { Ok(event) } else { Err("its version is not known") }
}

fn require(holds: bool, why: Why) -> Result<(), Why> {
    if holds { Ok(()) } else { Err(why) }
}

impl Run {
    /// One event further. After an error the run is to be dropped.
    pub(crate) fn follow(&mut self, event: &Event) -> Result<(), Why> {
        let is_issued_again = matches!(event.fact, Fact::TokenReissued { .. });
        require(!self.is_over() || is_issued_again, "the run is over")?;
        require(event.at >= self.updated_at, "time goes back")?;
        if let Some(answer) = &event.answers {
            let pending = self.pending.take().map(|pending| pending.command.command_id);
            require(pending.as_ref() == Some(&answer.command_id), "nobody waits for this answer")?;
            self.fates.push(answer.command_id.clone(), Fate::Answered(answer.result));
        }
        self.change(event)?;
        self.version = self.version.saturating_add(1);
        self.updated_at = event.at;
        Ok(())
    }

    /// What a fact does: a table, so that a new fact does not compile before it has its place.
    fn change(&mut self, event: &Event) -> Result<(), Why> {
        let at = event.at;
        match &event.fact {
            Fact::IntentCreated(_) => Err("it was made before"),
            Fact::TokenReissued { token } => self.token_reissued(*token),
            Fact::TokenUsed => self.token_used(),
            Fact::MarketSearchStarted { attempt } => self.search_started(*attempt, at),
            Fact::MarketSearchFailed { attempt, again_at, .. } => self.search_failed(*attempt, *again_at),
            Fact::MarketSearched { candidates, rejected, .. } => self.searched(candidates, rejected),
            Fact::CandidateSelected { candidate_id } => self.candidate_selected(candidate_id),
            Fact::RevalidationRequested { command } => self.revalidation_requested(command),
            Fact::RevalidationStarted { command_id } => self.revalidation_started(command_id, at),
            Fact::CommandStarted { command_id } => self.command_started(command_id, at),
            Fact::BrowserNeedsUser { command_id, reason, until } => {
                self.needs_user(command_id, reason, *until)
            }
            Fact::CommandFailed { attempt, .. } => self.command_failed(event.answers.is_some(), *attempt),
            Fact::CommandTimedOut { command_id, attempt } => self.command_timed_out(command_id, *attempt),
            Fact::ExecutorOffline { executor } => self.executor_offline(executor),
            Fact::ExecutorBound { executor } => self.executor_bound(executor),
            Fact::QuoteValidated { quote } => self.quote_validated(quote),
            Fact::CandidateRejected { candidate_id, reasons } => {
                self.candidate_rejected(candidate_id, reasons)
            }
            Fact::CheckoutRequested { command } => self.checkout_requested(command),
            Fact::CheckoutReady { quote } => self.checkout_ready(quote),
            Fact::CheckoutInvalidated { .. } => self.checkout_invalidated(),
            Fact::PixRequested { command } => self.pix_requested(command),
            Fact::PixDetected { target } => self.pix_detected(target, at),
            Fact::WalletRequired => self.wallet_required(),
            Fact::WalletConnected { report } => self.wallet_connected(report),
            Fact::WalletDisconnected { .. } => self.wallet_disconnected(),
            Fact::WalletIgnored { .. } => self.noted(),
            Fact::FundsCheckStarted { number, wallet, amount } => {
                self.funds_check_started(*number, wallet, *amount, at)
            }
            Fact::FundsCheckFailed { number, again_at, .. } => self.funds_check_failed(*number, *again_at),
            Fact::FundsChecked { number, balances, requirement, assessment } => {
                self.funds_checked(*number, balances, requirement, *assessment, at)
            }
            Fact::ShieldRequired { missing } => self.shield_required(*missing),
            Fact::PaymentReady => self.payment_ready(),
            Fact::ConfirmationRequested { confirmation } => self.confirmation_requested(confirmation, at),
            Fact::SignalHeld { signal } => self.signal_held(signal),
            Fact::SignalRefused { signal, .. } => self.signal_refused(signal),
            Fact::UserConfirmed { digest, amount, signer } => {
                self.confirmed(digest, *amount, signer.as_deref(), at)
            }
            Fact::UserRejected => self.user_rejected(),
            Fact::BudgetRequested { budget } => self.budget_requested(budget, at),
            Fact::BudgetHeld { reservation } => {
                self.budget_moved(reservation, BudgetState::Requested, BudgetState::Held)
            }
            Fact::BudgetNeedsApproval { reservation, .. } => self.budget_needs_approval(reservation),
            Fact::BudgetRefused { reservation, .. } => {
                self.budget_moved(reservation, BudgetState::Requested, BudgetState::Released)
            }
            Fact::BudgetReturned { reservation } => self.budget_returned(reservation),
            Fact::BudgetLapsed { reservation } => {
                self.budget_moved(reservation, BudgetState::Held, BudgetState::Released)
            }
            Fact::PaymentAuthorized { authorization } => self.payment_authorized(authorization, at),
            Fact::PaymentSubmitted { payment } | Fact::PaymentFound { payment } => {
                self.payment_submitted(payment, at)
            }
            Fact::PaymentWindowClosed => self.payment_window_closed(at),
            Fact::PaymentTraceStarted { attempt } => self.trace_started(*attempt, at),
            Fact::PaymentTraceFailed { attempt, again_at, .. } => self.trace_failed(*attempt, *again_at),
            Fact::PaymentAbsent => self.payment_absent(),
            Fact::SettlementLookStarted { attempt } => self.look_started(*attempt, at),
            Fact::SettlementUnresolved { attempt, again_at, .. } => self.look_failed(*attempt, *again_at),
            Fact::SettlementVerified { signature, reference, received } => {
                self.settlement_verified(signature, reference, *received, at)
            }
            Fact::SettlementFailed { signature, code, reason } => {
                self.settlement_failed(signature, code, reason)
            }
            Fact::SettlementAbandoned => self.settlement_abandoned(),
            Fact::OrderRequested { command } => self.order_requested(command),
            Fact::OrderPending { again_at, .. } => self.order_pending(*again_at),
            Fact::OrderConfirmed { evidence } => self.order_confirmed(event.answers.is_some(), evidence),
            Fact::OrderAbandoned { .. } => self.order_abandoned(),
            Fact::CancelRequested => self.cancel_requested(),
            Fact::Cancelled => self.cancelled(),
            Fact::CancelLost => self.cancel_lost(),
            Fact::NoOptionLeft => self.no_option_left(),
            Fact::RunFailed { code, reason } => self.failed(code, reason),
        }
    }

    fn token_reissued(&mut self, token: Digest) -> Result<(), Why> {
        require(!self.is_token_used, "the token was used")?;
        self.creation.token = token;
        Ok(())
    }

    fn token_used(&mut self) -> Result<(), Why> {
        require(!replace(&mut self.is_token_used, true), "the token was used before")
    }

    /// The stage, to be replaced by what follows from it.
    fn leave(&mut self) -> Stage {
        replace(&mut self.stage, Stage::Shopping(Shopping::Normalized))
    }

    /// Nothing happens any more (R6). Holds have ended before (R8).
    fn end(&mut self, outcome: Outcome) -> Result<(), Why> {
        require(self.hold().is_none(), "a hold is left behind")?;
        self.withdraw();
        let last = Box::new(self.leave());
        self.stage = Stage::Ended { last, outcome };
        Ok(())
    }

    /// A signal changes nothing but the record.
    fn noted(&mut self) -> Result<(), Why> {
        self.signals = self.signals.saturating_add(1);
        Ok(())
    }

    fn signal_held(&mut self, signal: &Signal) -> Result<(), Why> {
        require(!self.stage.is_authorized(), "its question was asked")?;
        match signal {
            Signal::Confirm { digest, amount, signer } => {
                self.held.confirm = Some(Yes { digest: *digest, amount: *amount, signer: signer.clone() });
            }
            Signal::Pay { payment } => self.held.payment = Some(payment.clone()),
        }
        self.noted()
    }

    fn signal_refused(&mut self, signal: &str) -> Result<(), Why> {
        if signal == crate::event::HELD_CONFIRM {
            return require(self.held.confirm.take().is_some(), "nothing is held");
        }
        self.noted()
    }

    /// Remembers a question that is over, so that its late answer is known as one.
    fn forget_question(&mut self) {
        let Some(digest) = self.stage.confirmation().map(|confirmation| confirmation.digest) else { return };
        if self.over.len() >= limits::QUESTIONS {
            self.over.pop_front();
        }
        self.over.push_back(digest);
    }
}
