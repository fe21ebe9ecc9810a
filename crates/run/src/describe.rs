//! The timeline: a line for people for everything that can happen.

use primitives::{BaseUnits, UnixMillis};

use crate::money::reais;
use crate::{Assessment, Confirmation, Consenter, Fact, Intent, Signal};

/// What has happened, in a line. It holds no secret and no line break. A table, so that a new fact does not compile before
/// it has its line.
pub fn describe(fact: &Fact) -> String {
    let text = match fact {
        Fact::IntentCreated(creation) => return wanted(&creation.intent),
        Fact::MarketSearchFailed { reason, again_at, .. } => return port("The market", reason, *again_at),
        Fact::MarketSearched { source, candidates, .. } => {
            return format!("The market ({source}) has {} that can be bought.", offers(candidates.len()));
        }
        Fact::CandidateSelected { candidate_id } => {
            return format!("Trying {candidate_id}, the cheapest left.");
        }
        Fact::BrowserNeedsUser { reason, .. } => return format!("You are needed in the browser: {reason}"),
        Fact::CommandFailed { reason, .. } => return format!("That came to nothing: {reason}"),
        Fact::ExecutorBound { executor } => return format!("{executor} looks at the shops from now on."),
        Fact::QuoteValidated { quote } => {
            return format!("{} has it for {}.", quote.cart.merchant, reais(quote.cart.total));
        }
        Fact::CandidateRejected { candidate_id, reasons } => {
            return format!("Not {candidate_id}: {}.", reasons.join(", "));
        }
        Fact::CheckoutReady { quote } => return format!("The checkout says {}.", reais(quote.cart.total)),
        Fact::CheckoutInvalidated { reason } => return format!("The checkout holds no more: {reason}."),
        Fact::PixDetected { target } => return format!("{} are due by Pix.", reais(target.amount)),
        Fact::WalletConnected { report } => return wallet(report.address.as_deref()),
        Fact::FundsCheckFailed { reason, again_at, .. } => {
            return port("Wallet or off-ramp", reason, *again_at);
        }
        Fact::FundsChecked { requirement, assessment, .. } => return funds(requirement.gross, *assessment),
        Fact::ShieldRequired { missing } => return format!("{missing} base units are to be shielded first."),
        Fact::ConfirmationRequested { confirmation } => return question(confirmation),
        Fact::SignalRefused { signal, refusal } => return format!("Not taken ({signal}): {refusal}"),
        Fact::UserConfirmed { amount, .. } => return format!("Confirmed: {}.", reais(*amount)),
        Fact::BudgetRefused { code, reason, .. } => return format!("The mandate refuses ({code}): {reason}"),
        Fact::PaymentAuthorized { authorization } => {
            return format!("{} may be paid from {}.", reais(authorization.amount), authorization.wallet);
        }
        Fact::PaymentSubmitted { payment } => return format!("The wallet has paid: {}.", payment.signature),
        Fact::PaymentTraceFailed { reason, .. } => return format!("Nobody knows yet of a payment: {reason}"),
        Fact::PaymentFound { payment } => return format!("There is a payment: {}.", payment.signature),
        Fact::SettlementUnresolved { reason, .. } => {
            return format!("Nobody knows yet if it arrived: {reason}");
        }
        Fact::SettlementVerified { reference, .. } => {
            return format!("The payment has arrived ({reference}).");
        }
        Fact::SettlementFailed { code, reason, .. } => {
            return format!("The payment failed ({code}): {reason}");
        }
        Fact::RunFailed { code, reason } => return format!("The run has failed ({code}): {reason}"),
        Fact::TokenReissued { .. } => "The run's token was issued anew.",
        Fact::TokenUsed => "The run's token was used for the first time.",
        Fact::MarketSearchStarted { .. } => "Searching the market…",
        Fact::RevalidationRequested { .. } => "Asking the executor to look at the shop…",
        Fact::RevalidationStarted { .. } => "The executor looks at the shop.",
        Fact::CommandStarted { .. } => "The executor has begun.",
        Fact::CommandTimedOut { .. } => "The executor has not answered in time.",
        Fact::ExecutorOffline { .. } => "The executor is away. Start it, or bind another one.",
        Fact::CheckoutRequested { .. } => "Asking the executor for the checkout…",
        Fact::PixRequested { .. } => "Asking the executor what is due by Pix…",
        Fact::WalletRequired => "Waiting for a wallet.",
        Fact::WalletDisconnected { .. } => "The wallet is disconnected.",
        Fact::WalletIgnored { .. } => {
            "The wallet has changed. The payment stays with the one it was authorized for."
        }
        Fact::FundsCheckStarted { .. } => "Checking the wallet's funds…",
        Fact::PaymentReady => "Everything is there to pay.",
        Fact::SignalHeld { signal: Signal::Confirm { .. } } => {
            "A confirmation came before its question. It is kept."
        }
        Fact::SignalHeld { signal: Signal::Pay { .. } } => {
            "A payment was named before it was due. It is kept."
        }
        Fact::UserRejected => "Rejected. This run has taken no payment.",
        Fact::BudgetRequested { .. } => "Asking the mandate to hold the amount…",
        Fact::BudgetHeld { .. } => "The mandate holds the amount.",
        Fact::BudgetNeedsApproval { .. } => "The mandate wants its owner to be asked first.",
        Fact::BudgetReturned { .. } => "What the mandate held goes back.",
        Fact::BudgetLapsed { .. } => "Time has ended what the mandate held.",
        Fact::PaymentWindowClosed => "The payment is not waited for any more. It is looked for.",
        Fact::PaymentTraceStarted { .. } => "Looking for a payment…",
        Fact::PaymentAbsent => "There is no payment, and there cannot be one any more.",
        Fact::SettlementLookStarted { .. } => "Looking at the chain…",
        Fact::SettlementAbandoned => {
            "Nobody could say whether the payment has arrived. It is not looked at any more."
        }
        Fact::OrderRequested { .. } => "Asking the executor for the order…",
        Fact::OrderPending { .. } => "The shop does not have the order yet. It is asked again.",
        Fact::OrderConfirmed { .. } => "The shop has confirmed the order.",
        Fact::OrderAbandoned { .. } => "It was paid, and the shop has not confirmed the order.",
        Fact::CancelRequested => "Asked to stop. Whether a payment was made is looked up first.",
        Fact::Cancelled => "Cancelled. This run has taken no payment.",
        Fact::CancelLost => "The payment was faster than the wish to stop.",
        Fact::NoOptionLeft => "No offer is left.",
    };
    text.to_owned()
}

fn wanted(intent: &Intent) -> String {
    format!("Wanted: {} × {}, for at most {}.", intent.quantity, intent.requirement, reais(intent.max_total))
}

fn offers(count: usize) -> String {
    if count == 1 { "1 offer".to_owned() } else { format!("{count} offers") }
}

fn port(who: &str, reason: &str, again_at: Option<UnixMillis>) -> String {
    let then = if again_at.is_some() { ", and will be asked again" } else { "" };
    format!("{who} did not answer{then}: {reason}")
}

fn wallet(address: Option<&str>) -> String {
    format!("The wallet {} is connected.", address.unwrap_or_default())
}

fn funds(gross: BaseUnits, assessment: Assessment) -> String {
    match assessment {
        Assessment::Ready => format!("The wallet can pay the {gross} base units that are asked."),
        Assessment::ShieldRequired { .. } => {
            format!("The wallet has the {gross} base units that are asked, but not all of them privately.")
        }
        Assessment::Insufficient { missing } => {
            format!("The wallet lacks {missing} of the {gross} base units that are asked.")
        }
    }
}

fn question(asked: &Confirmation) -> String {
    let (amount, wallet) = (reais(asked.amount), &asked.wallet);
    match asked.by {
        Consenter::RunOwner => format!("Please confirm {amount} from {wallet}."),
        Consenter::MandateOwner => format!("The mandate's owner is asked to confirm {amount} from {wallet}."),
    }
}
