//! What should happen next, and by whom, for people.

use primitives::UnixMillis;

use crate::clock::{due_until, holds_until};
use crate::money::reais;
use crate::pending::{Pending, Presence};
use crate::stage::{Consent, Due, Funded, Funding, OrderStep, Outcome, Paying, Shopping, Stage};
use crate::{Actor, Consenter, NextAction, Run, Task};

/// What should happen next in a run, as of `now`.
pub fn next_action(run: &Run, now: UnixMillis) -> NextAction {
    if let Some(pending) = &run.pending {
        return with_executor(pending);
    }
    let next = match &run.stage {
        Stage::Shopping(Shopping::Searching(_)) => wait(Actor::Agent, "The market is being searched."),
        Stage::Shopping(
            Shopping::Normalized
            | Shopping::Selected
            | Shopping::RevalidationRequested
            | Shopping::Revalidating,
        )
        | Stage::Quoted(_)
        | Stage::Prepared(_) => wait(Actor::Agent, "The agent goes on with the next shop or step."),
        Stage::Due { due, step } => with_wallet(due, step),
        Stage::Funded { funded, step } => with_consent(funded, step),
        Stage::Authorized { bill, step } => match step {
            Paying::Open => NextAction {
                until: Some(bill.authorization.submit_by),
                ..action(
                    Actor::Wallet,
                    "pay",
                    format!(
                        "Pay {} base units from {}, and report the payment's signature.",
                        bill.authorization.gross, bill.authorization.wallet
                    ),
                )
            },
            Paying::Closed { .. } | Paying::Absent if run.is_stopping => {
                wait(Actor::Chain, "You want to stop. Whether a payment was made is being looked up.")
            }
            Paying::Closed { .. } | Paying::Absent => wait(
                Actor::Chain,
                "No payment was reported in time. Whether one was made is being looked up. If you have paid, report it.",
            ),
            Paying::Submitted { .. } => wait(Actor::Chain, "The payment is being looked up on its chain."),
            Paying::Settled { order, .. } => NextAction {
                until: if let OrderStep::Again(at) = order.step { Some(at) } else { None },
                ..wait(Actor::Agent, "It is paid. The shop will be asked for the order again.")
            },
        },
        Stage::Ended { outcome, .. } => over(run, outcome),
    };
    NextAction { until: next.until.map(|until| until.max(now)), ..next }
}

const fn action(actor: Actor, action: &'static str, message: String) -> NextAction {
    NextAction { actor, action, message, until: None }
}

fn wait(actor: Actor, message: &str) -> NextAction {
    action(actor, "wait", message.to_owned())
}

fn with_executor(pending: &Pending) -> NextAction {
    let until = Some(pending.command.until);
    if pending.presence == Presence::Away {
        let message = "The executor is away. Start it, or bind the run to another one.".to_owned();
        return NextAction { until, ..action(Actor::User, "start_executor", message) };
    }
    if let Some(wanted) = &pending.wanted {
        let message = format!("Do this in the browser of the executor: {}.", wanted.trim_end_matches('.'));
        return NextAction { until, ..action(Actor::User, "act_in_browser", message) };
    }
    let (name, message) = match pending.command.task {
        Task::RevalidateCandidate { .. } => ("revalidate", "The executor looks at the shop."),
        Task::PrepareCheckout => ("prepare_checkout", "The executor prepares the checkout."),
        Task::ReadCheckout => ("read_checkout", "The executor reads the checkout again."),
        Task::ReadPix { .. } => ("read_pix", "The executor reads what has to be paid by Pix."),
        Task::VerifyOrder => {
            ("verify_order", "It is paid. The executor looks whether the shop has the order.")
        }
    };
    NextAction { until, ..action(Actor::Browser, name, message.to_owned()) }
}

fn with_wallet(due: &Due, step: &Funding) -> NextAction {
    let next = match step {
        Funding::Detected | Funding::WalletConnected(_) => {
            wait(Actor::Chain, "The wallet's funds are being checked.")
        }
        Funding::WalletRequired => {
            action(Actor::Wallet, "connect_wallet", "Connect the wallet that pays.".to_owned())
        }
    };
    NextAction { until: Some(due_until(due).0), ..next }
}

fn with_consent(funded: &Funded, step: &Consent) -> NextAction {
    let next = match step {
        Consent::Checked => action(
            Actor::Wallet,
            "add_funds",
            "The wallet has too little. Add funds and report it again, or connect another one.".to_owned(),
        ),
        Consent::ShieldRequired => action(
            Actor::Wallet,
            "shield",
            "The wallet has enough, but not privately. Shield what is missing, and report the wallet again."
                .to_owned(),
        ),
        Consent::Ready(_) => wait(Actor::System, "The mandate is asked to hold the amount."),
        Consent::Confirmed(_) => {
            wait(Actor::System, "It is confirmed. The mandate is asked to hold the amount.")
        }
        Consent::Asked(asked) => {
            let amount = reais(asked.amount);
            match asked.by {
                Consenter::RunOwner => action(
                    Actor::User,
                    "confirm",
                    format!(
                        "Confirm that {amount} are paid, with the digest and amount of the confirmation, or reject."
                    ),
                ),
                Consenter::MandateOwner => action(
                    Actor::User,
                    "confirm_as_mandate_owner",
                    format!(
                        "The mandate's owner has to confirm with a signature that {amount} are paid, or reject."
                    ),
                ),
            }
        }
    };
    NextAction { until: Some(holds_until(funded).0), ..next }
}

fn over(run: &Run, outcome: &Outcome) -> NextAction {
    let message = match outcome {
        Outcome::OrderConfirmed(_) => "The shop has confirmed the order. Nothing is left to do.",
        Outcome::NoValidOption => "No offer could be bought. Widen the request and start another run.",
        Outcome::Cancelled => "The run is cancelled.",
        Outcome::SettlementFailed(_) | Outcome::Failed(_) => "The run has failed.",
        Outcome::SettlementUnknown(_) => "Look at the wallet before you buy again.",
        Outcome::OrderUnknown(_) => "Ask the shop for the order.",
    };
    let why = run.ending().map(|ending| format!(" {}.", ending.reason.trim_end_matches('.')));
    action(Actor::User, "none", format!("{message}{}", why.unwrap_or_default()))
}
