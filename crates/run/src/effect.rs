//! What a run owes the world once an event is on disk. Each is given until it is taken; taking it twice is taking it once.

use primitives::{BaseUnits, Digest, ExecutorId};
use serde::{Deserialize, Serialize};

use crate::{
    Authorization, BrowserCommand, Budget, BudgetState, Cents, Event, Fact, Intent, Payment, Rails,
    Requirement, Run, State, WalletReport, apply,
};

/// What the shell owes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Effect {
    /// Ask the market; [`crate::Command::Market`] answers.
    Search { attempt: u32, intent: Intent },
    /// Put a command into its executor's queue; [`crate::Command::Browser`] answers.
    Dispatch { command: BrowserCommand },
    /// Take a command out of its executor's queue: it has its result, or nobody waits for one.
    Withdraw { executor: ExecutorId, command_id: String },
    /// Have the simulated wallet connect; [`crate::Command::Wallet`] answers.
    ConnectWallet,
    /// Ask for balances and the off-ramp's word; [`crate::Command::Funds`] answers.
    CheckFunds { number: u32, report: WalletReport, amount: Cents, rails: Rails },
    /// Have a part of the mandate held; [`crate::Command::Budget`] answers.
    Reserve { mandate: String, budget: Budget },
    /// Pay what is held: the amount has left the wallet, or may have.
    Commit { mandate: String, reservation: Digest, amount: BaseUnits },
    /// Give back what is held.
    Release { mandate: String, reservation: Digest },
    /// Have the simulated wallet pay; [`crate::Command::Pay`] answers.
    SignPayment { authorization: Authorization, requirement: Requirement },
    /// Look at the chain; [`crate::Command::Settlement`] answers.
    Look {
        attempt: u32,
        payment: Payment,
        authorization: Authorization,
        requirement: Requirement,
        rails: Rails,
    },
    /// Look for a payment that nobody has named; [`crate::Command::Traced`] answers.
    Trace { attempt: u32, authorization: Authorization, requirement: Requirement, rails: Rails },
}

/// What is owed once `event` has led away from `before`. A command that stopped to be pending is taken out of its queue
/// whatever the reason; everything else follows from the fact.
pub fn effects(before: &State, event: &Event) -> Vec<Effect> {
    let Ok(State::Live(after)) = apply(before.clone(), event) else { return Vec::new() };
    let before = before.run();
    withdrawn(before, &after).into_iter().chain(follows(before, &after, &event.fact)).collect()
}

fn withdrawn(before: Option<&Run>, after: &Run) -> Option<Effect> {
    let BrowserCommand { command_id, executor, .. } = &before?.pending.as_ref()?.command;
    let is_kept = after.pending.as_ref().is_some_and(|kept| kept.command.command_id == *command_id);
    (!is_kept).then(|| Effect::Withdraw { executor: executor.clone(), command_id: command_id.clone() })
}

/// What a fact owes: a table, so that a new fact does not compile before it says so.
fn follows(before: Option<&Run>, after: &Run, fact: &Fact) -> Option<Effect> {
    match fact {
        Fact::MarketSearchStarted { attempt } => {
            Some(Effect::Search { attempt: *attempt, intent: after.creation.intent.clone() })
        }
        Fact::RevalidationRequested { command }
        | Fact::CheckoutRequested { command }
        | Fact::PixRequested { command }
        | Fact::OrderRequested { command } => Some(Effect::Dispatch { command: command.clone() }),
        Fact::WalletRequired | Fact::WalletDisconnected { .. } => connected(after),
        Fact::FundsCheckStarted { number, amount, .. } => checked(after, *number, *amount),
        Fact::BudgetRequested { budget } => {
            Some(Effect::Reserve { mandate: mandate(after)?, budget: budget.clone() })
        }
        Fact::BudgetReturned { reservation } => {
            Some(Effect::Release { mandate: mandate(after)?, reservation: *reservation })
        }
        Fact::SettlementVerified { .. } | Fact::SettlementAbandoned | Fact::SettlementFailed { .. } => {
            hold_ended(before?, after)
        }
        Fact::PaymentAuthorized { authorization } => signed(after, authorization),
        Fact::SettlementLookStarted { attempt } => looked_at(after, *attempt),
        Fact::PaymentTraceStarted { attempt } => traced(after, *attempt),
        Fact::IntentCreated(_)
        | Fact::TokenReissued { .. }
        | Fact::TokenUsed
        | Fact::MarketSearchFailed { .. }
        | Fact::MarketSearched { .. }
        | Fact::CandidateSelected { .. }
        | Fact::RevalidationStarted { .. }
        | Fact::CommandStarted { .. }
        | Fact::BrowserNeedsUser { .. }
        | Fact::CommandFailed { .. }
        | Fact::CommandTimedOut { .. }
        | Fact::ExecutorOffline { .. }
        | Fact::ExecutorBound { .. }
        | Fact::QuoteValidated { .. }
        | Fact::CandidateRejected { .. }
        | Fact::CheckoutReady { .. }
        | Fact::CheckoutInvalidated { .. }
        | Fact::PixDetected { .. }
        | Fact::WalletConnected { .. }
        | Fact::WalletIgnored { .. }
        | Fact::FundsCheckFailed { .. }
        | Fact::FundsChecked { .. }
        | Fact::ShieldRequired { .. }
        | Fact::PaymentReady
        | Fact::ConfirmationRequested { .. }
        | Fact::SignalHeld { .. }
        | Fact::SignalRefused { .. }
        | Fact::UserConfirmed { .. }
        | Fact::UserRejected
        | Fact::BudgetHeld { .. }
        | Fact::BudgetNeedsApproval { .. }
        | Fact::BudgetRefused { .. }
        | Fact::BudgetLapsed { .. }
        | Fact::PaymentSubmitted { .. }
        | Fact::PaymentWindowClosed
        | Fact::PaymentTraceFailed { .. }
        | Fact::PaymentFound { .. }
        | Fact::PaymentAbsent
        | Fact::SettlementUnresolved { .. }
        | Fact::OrderPending { .. }
        | Fact::OrderConfirmed { .. }
        | Fact::OrderAbandoned { .. }
        | Fact::CancelRequested
        | Fact::Cancelled
        | Fact::CancelLost
        | Fact::NoOptionLeft
        | Fact::RunFailed { .. } => None,
    }
}

fn mandate(run: &Run) -> Option<String> {
    run.creation.mandate.as_ref().map(|mandate| mandate.mandate.clone())
}

fn connected(run: &Run) -> Option<Effect> {
    let is_ours = run.stage.is_wallet_required() && run.has_simulated_wallet();
    is_ours.then_some(Effect::ConnectWallet)
}

fn checked(run: &Run, number: u32, amount: Cents) -> Option<Effect> {
    let report = run.wallet.clone()?;
    Some(Effect::CheckFunds { number, report, amount, rails: run.creation.rails.clone() })
}

/// A payment that came before its time is taken up: then no other one is made.
fn signed(run: &Run, authorization: &Authorization) -> Option<Effect> {
    let signs = run.has_simulated_wallet() && run.held.payment.is_none();
    let requirement = run.stage.funded().filter(|_| signs)?.requirement.clone();
    Some(Effect::SignPayment { authorization: authorization.clone(), requirement })
}

fn looked_at(run: &Run, attempt: u32) -> Option<Effect> {
    let (payment, bill) = (run.stage.payment()?.clone(), run.stage.bill()?);
    let (authorization, requirement) = (bill.authorization.clone(), bill.funded.requirement.clone());
    let rails = run.creation.rails.clone();
    Some(Effect::Look { attempt, payment, authorization, requirement, rails })
}

fn traced(run: &Run, attempt: u32) -> Option<Effect> {
    let bill = run.stage.bill()?;
    let (authorization, requirement) = (bill.authorization.clone(), bill.funded.requirement.clone());
    Some(Effect::Trace { attempt, authorization, requirement, rails: run.creation.rails.clone() })
}

/// What ends the hold that the payment was made from, if there was one (R8).
fn hold_ended(before: &Run, after: &Run) -> Option<Effect> {
    let (hold, mandate) = (before.hold()?, mandate(after)?);
    let (reservation, amount) = (hold.reservation, hold.amount);
    match after.budget.as_ref()?.state {
        BudgetState::Committed => Some(Effect::Commit { mandate, reservation, amount }),
        BudgetState::Released => Some(Effect::Release { mandate, reservation }),
        BudgetState::Requested | BudgetState::Held => None,
    }
}
