//! What the agent itself does next. As long as there is something, a run does not rest.

use primitives::UnixMillis;

use crate::asking::Wait;
use crate::clock::{holds_until, lapsed};
use crate::confirmation::{digest_of, reservation};
use crate::event::HELD_CONFIRM;
use crate::retry::order_pending;
use crate::rules::Fault;
use crate::stage::{Approval, Consent, Funded, Funding, OrderStep, Paying, Shopping, Stage};
use crate::{
    Assessment, Authorization, Basis, BrowserCommand, Budget, BudgetState, Confirmation, Consenter, Fact,
    Refusal, Run, Task, limits,
};

/// What time has done, else what is the agent's to do; none when others have the next move.
pub(crate) fn step(run: &Run, now: UnixMillis) -> Option<Fact> {
    if run.is_over() { None } else { lapsed(run, now).or_else(|| next(run, now)) }
}

/// What is the agent's to do at `now`.
pub(crate) fn next(run: &Run, now: UnixMillis) -> Option<Fact> {
    match &run.stage {
        Stage::Shopping(shopping) => shop(run, shopping, now),
        Stage::Quoted(quoted) => {
            let task = if quoted.is_filled { Task::ReadCheckout } else { Task::PrepareCheckout };
            given_out(run, task, now, |command| Fact::CheckoutRequested { command })
        }
        Stage::Prepared(prepared) => {
            let task = Task::ReadPix { expected: prepared.checkout.cart.total };
            given_out(run, task, now, |command| Fact::PixRequested { command })
        }
        Stage::Due { step: Funding::Detected, .. } if run.wallet.is_none() => Some(Fact::WalletRequired),
        Stage::Due { step: Funding::Detected, .. } => question(run),
        Stage::Due { step: Funding::WalletRequired, .. } => None,
        Stage::Due { step: Funding::WalletConnected(check), .. } => match check.asking.wait {
            Wait::Nothing => question(run),
            Wait::Answer(_) | Wait::Again(_) => None,
            Wait::Over => {
                Some(failed("funding_unavailable", "Neither balances nor the off-ramp's word could be had."))
            }
        },
        Stage::Funded { funded, step } => consent(run, funded, step, now),
        Stage::Authorized { step, .. } => pay(run, step, now),
        Stage::Ended { .. } => None,
    }
}

fn failed(code: &str, reason: &str) -> Fact {
    Fact::RunFailed { code: code.to_owned(), reason: reason.to_owned() }
}

/// What was read does not hold any more; or the run does not, because that happened too often.
pub(crate) fn invalidated(run: &Run, why: &str) -> Fact {
    if run.is_unstable() {
        return failed("checkout_unstable", "What was read at the checkout stopped to hold too often.");
    }
    Fact::CheckoutInvalidated { reason: why.to_owned() }
}

fn shop(run: &Run, shopping: &Shopping, now: UnixMillis) -> Option<Fact> {
    match shopping {
        Shopping::Searching(asking) => match asking.wait {
            Wait::Nothing => question(run),
            Wait::Answer(_) | Wait::Again(_) => None,
            Wait::Over => Some(failed("market_unavailable", "The market did not answer.")),
        },
        Shopping::Normalized => Some(run.candidate().map_or(Fact::NoOptionLeft, |candidate| {
            Fact::CandidateSelected { candidate_id: candidate.candidate_id.clone() }
        })),
        Shopping::Selected | Shopping::RevalidationRequested | Shopping::Revalidating => {
            let task = Task::RevalidateCandidate {
                candidate: run.candidate()?.clone(),
                requirement: run.creation.intent.requirement.clone(),
                quantity: run.creation.intent.quantity,
            };
            given_out(run, task, now, |command| Fact::RevalidationRequested { command })
        }
    }
}

/// The question to a port that comes next, where one does.
pub(crate) fn question(run: &Run) -> Option<Fact> {
    match &run.stage {
        Stage::Shopping(Shopping::Searching(asking)) => {
            Some(Fact::MarketSearchStarted { attempt: asking.attempt.saturating_add(1) })
        }
        Stage::Due { due, step: Funding::Detected | Funding::WalletConnected(_) } => {
            let (number, wallet) = (run.checks.saturating_add(1), run.address()?.to_owned());
            Some(Fact::FundsCheckStarted { number, wallet, amount: due.pix.amount })
        }
        Stage::Authorized { step: Paying::Closed { trace, .. }, .. } => {
            Some(Fact::PaymentTraceStarted { attempt: trace.attempt.saturating_add(1) })
        }
        Stage::Authorized { step: Paying::Submitted { look, .. }, .. } => {
            Some(Fact::SettlementLookStarted { attempt: look.attempt.saturating_add(1) })
        }
        Stage::Shopping(
            Shopping::Normalized
            | Shopping::Selected
            | Shopping::RevalidationRequested
            | Shopping::Revalidating,
        )
        | Stage::Quoted(_)
        | Stage::Prepared(_)
        | Stage::Due { step: Funding::WalletRequired, .. }
        | Stage::Funded { .. }
        | Stage::Authorized { step: Paying::Open | Paying::Absent | Paying::Settled { .. }, .. }
        | Stage::Ended { .. } => None,
    }
}

/// A command for the executor, unless one is pending, or commands have come to nothing too often in a row.
fn given_out(
    run: &Run,
    task: Task,
    now: UnixMillis,
    fact: impl FnOnce(BrowserCommand) -> Fact,
) -> Option<Fact> {
    if run.pending.is_some() {
        return None;
    }
    if !run.failures.are_enough() {
        return Some(fact(command(run, task, now)));
    }
    if run.failures.are_silence() {
        return Some(failed("executor_unresponsive", "The executor has not answered any more."));
    }
    Some(Fact::CandidateRejected {
        candidate_id: run.candidate()?.candidate_id.clone(),
        reasons: vec![Fault::ExecutorFailed.code().to_owned()],
    })
}

fn command(run: &Run, task: Task, now: UnixMillis) -> BrowserCommand {
    BrowserCommand {
        command_id: run.next_command_id(),
        executor: run.executor.clone(),
        task,
        until: now.plus(limits::COMMAND_WAIT),
    }
}

/// The shop is asked for the order.
pub(crate) fn order_requested(run: &Run, now: UnixMillis) -> Fact {
    Fact::OrderRequested { command: command(run, Task::VerifyOrder, now) }
}

fn consent(run: &Run, funded: &Funded, step: &Consent, now: UnixMillis) -> Option<Fact> {
    if run.address() != Some(&funded.wallet) {
        return Some(invalidated(run, "wallet_changed"));
    }
    match step {
        Consent::Checked => match funded.assessment {
            Assessment::Ready => Some(Fact::PaymentReady),
            Assessment::ShieldRequired { missing } => Some(Fact::ShieldRequired { missing }),
            Assessment::Insufficient { .. } => None,
        },
        Consent::ShieldRequired => None,
        Consent::Ready(approval) => match (&run.creation.mandate, approval) {
            (None, _) => asked(run, funded, Consenter::RunOwner),
            (Some(_), Approval::Needed) => asked(run, funded, Consenter::MandateOwner),
            (Some(_), Approval::Unneeded) => held(run, funded, None, now),
        },
        Consent::Asked(confirmation) => answered(run, confirmation),
        Consent::Confirmed(confirmation) => held(run, funded, Some(confirmation), now),
    }
}

fn asked(run: &Run, funded: &Funded, by: Consenter) -> Option<Fact> {
    let mut confirmation = Confirmation {
        number: run.questions.saturating_add(1),
        amount: funded.due.pix.amount,
        gross: funded.requirement.gross,
        wallet: funded.wallet.clone(),
        digest: primitives::Digest::ZERO,
        by,
        expires_at: holds_until(funded).0,
    };
    confirmation.digest = digest_of(run, &confirmation).ok()?;
    Some(Fact::ConfirmationRequested { confirmation })
}

/// The answer that came before its question, if one did.
fn answered(run: &Run, asked: &Confirmation) -> Option<Fact> {
    let yes = run.held.confirm.as_ref()?;
    Some(match run.judge_yes(asked, yes) {
        Ok(()) => Fact::UserConfirmed { digest: yes.digest, amount: yes.amount, signer: yes.signer.clone() },
        Err(refusal) => Fact::SignalRefused { signal: HELD_CONFIRM.to_owned(), refusal },
    })
}

impl Run {
    /// Whether a yes is one to exactly what is asked, by whom it is asked (R3).
    pub(crate) fn judge_yes(&self, asked: &Confirmation, yes: &crate::state::Yes) -> Result<(), Refusal> {
        match asked.by {
            Consenter::MandateOwner if !self.is_mandate_owner(yes.signer.as_deref()) => {
                return Err(Refusal::OwnerSignatureRequired);
            }
            Consenter::MandateOwner | Consenter::RunOwner => {}
        }
        let is_same = yes.digest.same_as(&asked.digest) && yes.amount == asked.amount;
        if is_same { Ok(()) } else { Err(Refusal::ConfirmationMismatch) }
    }
}

/// Once somebody has agreed, or under a mandate: the hold, and with it the authorization.
fn held(run: &Run, funded: &Funded, confirmation: Option<&Confirmation>, now: UnixMillis) -> Option<Fact> {
    let agreed = confirmation.map(|confirmation| confirmation.digest);
    let basis = match (&run.creation.mandate, run.hold()) {
        (None, _) => Basis::UserConfirmation { digest: agreed? },
        (Some(_), None) => {
            return Some(Fact::BudgetRequested { budget: budget(run, funded, confirmation, now) });
        }
        (Some(mandate), Some(hold)) => match hold.state {
            BudgetState::Held => Basis::Mandate {
                mandate: mandate.mandate.clone(),
                reservation: hold.reservation,
                confirmation: agreed,
            },
            BudgetState::Requested | BudgetState::Committed | BudgetState::Released => return None,
        },
    };
    let authorization = Authorization {
        amount: funded.due.pix.amount,
        gross: funded.requirement.gross,
        wallet: funded.wallet.clone(),
        basis,
        at: now,
        submit_by: holds_until(funded).0.min(now.plus(limits::PAYMENT_WAIT)),
    };
    Some(Fact::PaymentAuthorized { authorization })
}

fn budget(run: &Run, funded: &Funded, confirmation: Option<&Confirmation>, now: UnixMillis) -> Budget {
    let number = run.budget.as_ref().map_or(0, |budget| budget.number).saturating_add(1);
    Budget {
        reservation: reservation(run.id(), number),
        number,
        amount: funded.requirement.gross,
        recipient: funded.requirement.recipient.clone(),
        until: now.plus(limits::HOLD),
        approved: confirmation.is_some(),
        state: BudgetState::Requested,
    }
}

fn pay(run: &Run, step: &Paying, now: UnixMillis) -> Option<Fact> {
    match step {
        Paying::Open => {
            let payment = run.held.payment.clone()?;
            Some(Fact::PaymentSubmitted { payment })
        }
        Paying::Closed { trace, .. } => match trace.wait {
            Wait::Nothing => question(run),
            Wait::Answer(_) | Wait::Again(_) | Wait::Over => None,
        },
        Paying::Absent if run.is_stopping => Some(Fact::Cancelled),
        Paying::Absent => Some(failed(
            "payment_not_submitted",
            "The wallet has not paid in time, and its payment cannot land any more.",
        )),
        Paying::Submitted { look, .. } => match look.wait {
            Wait::Nothing => question(run),
            Wait::Answer(_) | Wait::Again(_) | Wait::Over => None,
        },
        Paying::Settled { order, .. } => match order.step {
            OrderStep::Due => Some(order_requested(run, now)),
            OrderStep::Silent => order_pending(run, "The executor has not answered in time.", now),
            OrderStep::Asked | OrderStep::Again(_) => None,
        },
    }
}
