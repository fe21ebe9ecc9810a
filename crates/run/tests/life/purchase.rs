//! The core, and the words in which stories speak of it.

use rehearsal::{Core, core_of};
use run::{Basis, BrowserCommand, Consenter, Effect, Event, Fact, RunState, Signal, State, View};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Purchase;

pub(crate) type Life = rehearsal::Life<Purchase>;
pub(crate) type Heard = rehearsal::Heard<Purchase>;

/// The run as it is shown, once there is one.
pub(crate) fn view(state: &State) -> Option<View> {
    state.view()
}

/// Whether nothing can happen any more.
pub(crate) const fn is_terminal(state: RunState) -> bool {
    matches!(
        state,
        RunState::OrderConfirmed
            | RunState::NoValidOption
            | RunState::Cancelled
            | RunState::SettlementFailed
            | RunState::Failed
            | RunState::SettlementUnknown
            | RunState::OrderUnknown
    )
}

impl Purchase {
    /// Whether somebody is asked to agree.
    pub(crate) const fn is_question(event: &Event) -> bool {
        matches!(event.fact, Fact::ConfirmationRequested { .. })
    }
}

impl Core for Purchase {
    core_of!(run);

    const FACTS: usize = 63;

    fn name(event: &Event) -> &'static str {
        name(&event.fact)
    }

    fn lifecycle(state: &State) -> &'static str {
        state.name()
    }

    fn told(event: &Event) -> String {
        format!("{}({})", name(&event.fact), about(&event.fact)).replace("()", "")
    }

    fn owed(effect: &Effect) -> String {
        match effect {
            Effect::Search { attempt, .. } => format!("+search({attempt})"),
            Effect::Dispatch { command } => format!("+dispatch({})", command.command_id),
            Effect::Withdraw { command_id, .. } => format!("+withdraw({command_id})"),
            Effect::ConnectWallet => "+connect".to_owned(),
            Effect::CheckFunds { number, .. } => format!("+funds({number})"),
            Effect::Reserve { budget, .. } if budget.approved => {
                format!("+reserve({},approved)", budget.number)
            }
            Effect::Reserve { budget, .. } => format!("+reserve({})", budget.number),
            Effect::Commit { .. } => "+commit".to_owned(),
            Effect::Release { .. } => "+release".to_owned(),
            Effect::SignPayment { .. } => "+sign".to_owned(),
            Effect::Look { attempt, .. } => format!("+look({attempt})"),
            Effect::Trace { attempt, .. } => format!("+trace({attempt})"),
        }
    }
}

/// The published name of a fact: a match without a catch-all, so that a new fact does not compile until it is told.
pub(crate) const fn name(fact: &Fact) -> &'static str {
    match fact {
        Fact::IntentCreated(_) => "INTENT_CREATED",
        Fact::TokenReissued { .. } => "TOKEN_REISSUED",
        Fact::TokenUsed => "TOKEN_USED",
        Fact::MarketSearchStarted { .. } => "MARKET_SEARCH_STARTED",
        Fact::MarketSearchFailed { .. } => "MARKET_SEARCH_FAILED",
        Fact::MarketSearched { .. } => "MARKET_SEARCHED",
        Fact::CandidateSelected { .. } => "CANDIDATE_SELECTED",
        Fact::RevalidationRequested { .. } => "REVALIDATION_REQUESTED",
        Fact::RevalidationStarted { .. } => "REVALIDATION_STARTED",
        Fact::CommandStarted { .. } => "COMMAND_STARTED",
        Fact::BrowserNeedsUser { .. } => "BROWSER_NEEDS_USER",
        Fact::CommandFailed { .. } => "COMMAND_FAILED",
        Fact::CommandTimedOut { .. } => "COMMAND_TIMED_OUT",
        Fact::ExecutorOffline { .. } => "EXECUTOR_OFFLINE",
        Fact::ExecutorBound { .. } => "EXECUTOR_BOUND",
        Fact::QuoteValidated { .. } => "QUOTE_VALIDATED",
        Fact::CandidateRejected { .. } => "CANDIDATE_REJECTED",
        Fact::CheckoutRequested { .. } => "CHECKOUT_REQUESTED",
        Fact::CheckoutReady { .. } => "CHECKOUT_READY",
        Fact::CheckoutInvalidated { .. } => "CHECKOUT_INVALIDATED",
        Fact::PixRequested { .. } => "PIX_REQUESTED",
        Fact::PixDetected { .. } => "PIX_DETECTED",
        Fact::WalletRequired => "WALLET_REQUIRED",
        Fact::WalletConnected { .. } => "WALLET_CONNECTED",
        Fact::WalletDisconnected { .. } => "WALLET_DISCONNECTED",
        Fact::WalletIgnored { .. } => "WALLET_IGNORED",
        Fact::FundsCheckStarted { .. } => "FUNDS_CHECK_STARTED",
        Fact::FundsCheckFailed { .. } => "FUNDS_CHECK_FAILED",
        Fact::FundsChecked { .. } => "FUNDS_CHECKED",
        Fact::ShieldRequired { .. } => "SHIELD_REQUIRED",
        Fact::PaymentReady => "PAYMENT_READY",
        Fact::ConfirmationRequested { .. } => "CONFIRMATION_REQUESTED",
        Fact::SignalHeld { .. } => "SIGNAL_HELD",
        Fact::SignalRefused { .. } => "SIGNAL_REFUSED",
        Fact::UserConfirmed { .. } => "USER_CONFIRMED",
        Fact::UserRejected => "USER_REJECTED",
        Fact::BudgetRequested { .. } => "BUDGET_REQUESTED",
        Fact::BudgetHeld { .. } => "BUDGET_HELD",
        Fact::BudgetNeedsApproval { .. } => "BUDGET_NEEDS_APPROVAL",
        Fact::BudgetRefused { .. } => "BUDGET_REFUSED",
        Fact::BudgetReturned { .. } => "BUDGET_RETURNED",
        Fact::BudgetLapsed { .. } => "BUDGET_LAPSED",
        Fact::PaymentAuthorized { .. } => "PAYMENT_AUTHORIZED",
        Fact::PaymentSubmitted { .. } => "PAYMENT_SUBMITTED",
        Fact::PaymentWindowClosed => "PAYMENT_WINDOW_CLOSED",
        Fact::PaymentTraceStarted { .. } => "PAYMENT_TRACE_STARTED",
        Fact::PaymentTraceFailed { .. } => "PAYMENT_TRACE_FAILED",
        Fact::PaymentFound { .. } => "PAYMENT_FOUND",
        Fact::PaymentAbsent => "PAYMENT_ABSENT",
        Fact::SettlementLookStarted { .. } => "SETTLEMENT_LOOK_STARTED",
        Fact::SettlementUnresolved { .. } => "SETTLEMENT_UNRESOLVED",
        Fact::SettlementVerified { .. } => "SETTLEMENT_VERIFIED",
        Fact::SettlementFailed { .. } => "SETTLEMENT_FAILED",
        Fact::SettlementAbandoned => "SETTLEMENT_ABANDONED",
        Fact::OrderRequested { .. } => "ORDER_REQUESTED",
        Fact::OrderPending { .. } => "ORDER_PENDING",
        Fact::OrderConfirmed { .. } => "ORDER_CONFIRMED",
        Fact::OrderAbandoned { .. } => "ORDER_ABANDONED",
        Fact::CancelRequested => "CANCEL_REQUESTED",
        Fact::Cancelled => "CANCELLED",
        Fact::CancelLost => "CANCEL_LOST",
        Fact::NoOptionLeft => "NO_OPTION_LEFT",
        Fact::RunFailed { .. } => "RUN_FAILED",
    }
}

/// What a fact is about, in a few letters.
#[rustfmt::skip]
fn about(fact: &Fact) -> String {
    match fact {
        Fact::IntentCreated(_) | Fact::TokenReissued { .. } | Fact::TokenUsed | Fact::WalletRequired | Fact::PaymentReady
        | Fact::UserRejected | Fact::PaymentWindowClosed | Fact::PaymentAbsent | Fact::SettlementAbandoned
        | Fact::CancelRequested | Fact::Cancelled | Fact::CancelLost | Fact::NoOptionLeft | Fact::BudgetHeld { .. }
        | Fact::BudgetReturned { .. } | Fact::BudgetLapsed { .. } | Fact::BudgetNeedsApproval { .. }
        | Fact::OrderAbandoned { .. } | Fact::OrderPending { .. } | Fact::OrderConfirmed { .. } => String::new(),
        Fact::MarketSearchStarted { attempt } | Fact::MarketSearchFailed { attempt, .. }
        | Fact::PaymentTraceStarted { attempt } | Fact::PaymentTraceFailed { attempt, .. }
        | Fact::SettlementLookStarted { attempt } | Fact::SettlementUnresolved { attempt, .. } => attempt.to_string(),
        Fact::MarketSearched { candidates, rejected, .. } => {
            let names = |ids: Vec<&str>| ids.join("<");
            let kept = names(candidates.iter().map(|kept| kept.candidate_id.as_str()).collect());
            let out: Vec<String> = rejected.iter().map(|out| format!("-{}:{}", out.candidate_id, out.reasons.join("+"))).collect();
            format!("{kept}{}", out.join(""))
        }
        Fact::CandidateSelected { candidate_id } => candidate_id.clone(),
        Fact::CandidateRejected { candidate_id, reasons } => format!("{candidate_id}:{}", reasons.join("+").replace(' ', "_")),
        Fact::RevalidationRequested { command } | Fact::PixRequested { command } | Fact::OrderRequested { command }
        | Fact::CheckoutRequested { command } => asked(command),
        Fact::RevalidationStarted { command_id } | Fact::CommandStarted { command_id }
        | Fact::BrowserNeedsUser { command_id, .. } => command_id.clone(),
        Fact::CommandFailed { command_id, attempt, .. } | Fact::CommandTimedOut { command_id, attempt } => format!("{command_id}#{attempt}"),
        Fact::ExecutorOffline { executor } | Fact::ExecutorBound { executor } => letter(executor),
        Fact::QuoteValidated { quote } | Fact::CheckoutReady { quote } => quote.cart.total.to_string(),
        Fact::CheckoutInvalidated { reason } => reason.clone(),
        Fact::PixDetected { target } => target.amount.to_string(),
        Fact::WalletConnected { report } | Fact::WalletDisconnected { report } => report.address.clone().unwrap_or_default(),
        Fact::WalletIgnored { address } => address.clone().unwrap_or_default(),
        Fact::FundsCheckStarted { number, wallet, amount } => format!("{number}:{wallet},{amount}"),
        Fact::FundsCheckFailed { number, .. } => number.to_string(),
        Fact::FundsChecked { number, requirement, .. } => format!("{number}:{}", requirement.gross),
        Fact::ShieldRequired { missing } => missing.to_string(),
        Fact::ConfirmationRequested { confirmation } => format!("{}:{},{}", confirmation.number, confirmation.amount, consenter(confirmation.by)),
        Fact::SignalHeld { signal: Signal::Confirm { amount, .. } } => format!("confirm,{amount}"),
        Fact::SignalHeld { signal: Signal::Pay { payment } } => format!("pay,{}", payment.signature),
        Fact::SignalRefused { signal, refusal } => format!("{signal},{}", refusal.code()),
        Fact::UserConfirmed { amount, signer, .. } => format!("{amount}{}", signer.as_ref().map_or("", |_| ",signed")),
        Fact::BudgetRequested { budget } => format!("{}:{}{}", budget.number, budget.amount, if budget.approved { ",approved" } else { "" }),
        Fact::BudgetRefused { code, .. } | Fact::RunFailed { code, .. } => code.clone(),
        Fact::PaymentAuthorized { authorization } => format!("{},{}", authorization.amount, basis(&authorization.basis)),
        Fact::PaymentSubmitted { payment } | Fact::PaymentFound { payment } => payment.signature.clone(),
        Fact::SettlementVerified { signature, .. } => signature.clone(),
        Fact::SettlementFailed { signature, code, .. } => format!("{signature},{code}"),
    }
}

fn asked(command: &BrowserCommand) -> String {
    format!("{},{},{}", command.command_id, letter(&command.executor), command.task.name())
}

fn letter(executor: &primitives::ExecutorId) -> String {
    let known = ["E", "F", "G"].into_iter().find(|word| crate::cast::executor(word) == *executor);
    known.unwrap_or("?").to_owned()
}

const fn consenter(by: Consenter) -> &'static str {
    match by {
        Consenter::RunOwner => "run_owner",
        Consenter::MandateOwner => "mandate_owner",
    }
}

const fn basis(basis: &Basis) -> &'static str {
    match basis {
        Basis::UserConfirmation { .. } => "user",
        Basis::Mandate { confirmation: None, .. } => "mandate",
        Basis::Mandate { confirmation: Some(_), .. } => "mandate+owner",
    }
}
