//! Runs in words for people. What a stranger wrote is made harmless for a terminal.

use std::path::Path;

use client::{
    runs::Question,
    wire::{Assessment, Cart, NextAction, Run, RunEvent, RunPayment, RunState, Settlement},
};

pub(super) use crate::output::name;
use crate::{
    money::{reais, shown},
    output::{printable, table},
};

/// An event in a line.
pub(super) fn line(event: &RunEvent) -> String {
    format!("{:>4}  {}  {}", event.seq, printable(&event.at), printable(&event.message))
}

/// A run, line by line.
pub(super) fn run(run: &Run) -> String {
    let wanted = &run.intent;
    let mut lines = vec![
        ("run", printable(&run.id)),
        ("stands", format!("{}, event {}", name(run.state), run.version)),
        ("wanted", format!("{} x {}", wanted.quantity, printable(&wanted.requirement))),
        ("at most", reais(&wanted.max_budget_cents)),
        ("executor", printable(&run.executor_id)),
    ];
    if let Some(mandate) = &run.mandate {
        lines.push(("mandate", printable(&mandate.mandate)));
    }
    for rejected in &run.rejected_candidates {
        let reasons = printable(&rejected.reasons.join(", "));
        lines.push(("not taken", format!("{}: {reasons}", printable(&rejected.candidate_id))));
    }
    if let Some(candidate) = &run.selected_candidate {
        lines.push(("shop", printable(&candidate.merchant_name)));
    }
    if let Some(checkout) = &run.checkout {
        lines.push(("cart", reais(&checkout.quote.cart.total_cents)));
    }
    let payment = run.payment.as_ref();
    if let Some(address) = payment.and_then(|payment| payment.wallet.as_ref()?.address.as_deref()) {
        lines.push(("wallet", printable(address)));
    }
    if let Some(authorization) = payment.and_then(|payment| payment.authorization.as_ref()) {
        lines.push(("may pay", shown(&authorization.gross)));
    }
    if let Some(signature) = payment.and_then(|payment| payment.signature.as_deref()) {
        lines.push(("payment", printable(signature)));
    }
    if let Some(place) = payment.and_then(|payment| payment.settlement.as_deref()) {
        lines.push(("settled", printable(place)));
    }
    if let Some(order) = &run.order {
        lines.push(("order", printable(&order.evidence)));
    }
    if let Some(failure) = &run.failure {
        lines.push(("why", format!("{}: {}", printable(&failure.code), printable(&failure.reason))));
    }
    if matches!(run.settlement, Settlement::Simulated { .. }) {
        lines.push(("simulated", "no money moves".to_owned()));
    }
    table(lines)
}

/// Everything that a yes agrees to.
pub(super) fn question(question: &Question<'_>) -> String {
    let Question { run, confirmation, requirement, quote, pix } = question;
    let mut lines = vec![("run", printable(&run.id)), ("shop", printable(&quote.cart.merchant_name))];
    lines.extend(cart(&quote.cart));
    lines.push(("the shop gets", reais(&confirmation.amount_cents)));
    lines.push(("at most", reais(&run.intent.max_budget_cents)));
    lines.push((
        "your wallet pays",
        format!("{} ({} units)", shown(&confirmation.gross), printable(&confirmation.gross)),
    ));
    lines.push(("of", printable(&requirement.asset)));
    lines.push(("from", printable(&confirmation.wallet)));
    lines.push(("to", printable(&requirement.pay_to)));
    if let Some(mandate) = &run.mandate {
        lines.push(("out of mandate", printable(&mandate.mandate)));
        lines.push(("for recipient", printable(&requirement.recipient)));
    }
    if let Some(code) = &pix.payload_digest {
        lines.push(("payment code", printable(code)));
    }
    lines.push(("read at", printable(&quote.captured_at)));
    lines.push(("agree until", printable(&confirmation.expires_at)));
    lines.push(("digest", printable(&confirmation.digest)));
    if requirement.simulated {
        lines.push(("simulated", "the shop is not paid".to_owned()));
    }
    table(lines)
}

fn cart(cart: &Cart) -> impl Iterator<Item = (&'static str, String)> {
    let items = cart.items.iter().map(|item| {
        let (product, each) = (printable(&item.product), reais(&item.unit_price_cents));
        ("item", format!("{} x {product} at {each} = {}", item.quantity, reais(&item.total_cents)))
    });
    let fees =
        cart.fees.iter().map(|fee| ("fee", format!("{} {}", reais(&fee.amount_cents), printable(&fee.name))));
    let discounts = cart
        .discounts
        .iter()
        .map(|less| ("discount", format!("{} {}", reais(&less.amount_cents), printable(&less.name))));
    items.chain(fees).chain(discounts).collect::<Vec<_>>().into_iter()
}

/// How the caller goes on with a run: on this board, with the token in this file.
pub(super) struct Prompt<'a> {
    pub(super) api: &'a str,
    pub(super) token_file: &'a Path,
}

impl Prompt<'_> {
    fn command(&self, act: &str) -> String {
        format!("  guildhall --api {} run {act} --token-file {}", self.api, self.token_file.display())
    }

    /// What should happen next, and the command with which the caller goes on.
    pub(super) fn next(&self, run: &Run, next: &NextAction) -> String {
        let until = next.until.as_deref().map(|until| format!(", until {}", printable(until)));
        let message = format!("Next{}: {}", until.unwrap_or_default(), printable(&next.message));
        match self.turn(run, next) {
            Some(turn) => format!("{message}\n{turn}"),
            None if run.is_terminal => message,
            None => format!("{message}\n{}", self.command("watch")),
        }
    }

    /// The command with which the caller goes on, if the run waits for the caller.
    pub(super) fn turn(&self, run: &Run, next: &NextAction) -> Option<String> {
        let is_external = run.settlement != Settlement::Simulated { wallet: true };
        let (what, act) = match next.action.as_str() {
            "confirm" => ("It waits for your yes:".to_owned(), "confirm".to_owned()),
            "confirm_as_mandate_owner" => (
                "It waits for the mandate's owner, who agrees with the owner's key:".to_owned(),
                "confirm --key-file FILE".to_owned(),
            ),
            "connect_wallet" if is_external => {
                ("It waits for a wallet:".to_owned(), "wallet --address ADDRESS".to_owned())
            }
            "shield" | "add_funds" => lacking(run.payment.as_ref()?)?,
            "pay" if is_external => (due(run.payment.as_ref()?)?, "pay --signature SIGNATURE".to_owned()),
            "start_executor" => (
                "It waits for its executor. To have another one go on:".to_owned(),
                "rebind --executor EXECUTOR".to_owned(),
            ),
            _ => return None,
        };
        Some(format!("{what}\n{}", self.command(&act)))
    }
}

/// Whether a run that stands so may wait for somebody here. Whether it does now, it says when it is asked.
pub(super) const fn may_wait(state: RunState) -> bool {
    match state {
        RunState::WalletRequired
        | RunState::FundsChecked
        | RunState::ShieldRequired
        | RunState::UserConfirmation
        | RunState::PaymentAuthorized => true,
        RunState::IntentCaptured
        | RunState::CandidatesNormalized
        | RunState::BestOptionSelected
        | RunState::RevalidationRequested
        | RunState::Revalidating
        | RunState::QuoteValidated
        | RunState::CheckoutPrepared
        | RunState::PixDetected
        | RunState::WalletConnected
        | RunState::PaymentReady
        | RunState::Settling
        | RunState::Settled
        | RunState::OrderConfirmed
        | RunState::NoValidOption
        | RunState::Cancelled
        | RunState::SettlementFailed
        | RunState::Failed
        | RunState::SettlementUnknown
        | RunState::OrderUnknown => false,
    }
}

/// What the wallet lacks, and how it says that it has it.
fn lacking(payment: &RunPayment) -> Option<(String, String)> {
    let what = match payment.assessment.as_ref()? {
        Assessment::Ready {} => return None,
        Assessment::ShieldRequired { missing } => format!("The wallet has to shield {} more", shown(missing)),
        Assessment::Insufficient { missing } => format!("The wallet lacks {}", shown(missing)),
    };
    let address = payment.wallet.as_ref()?.address.as_deref()?;
    Some((
        format!("{what}; say so when it has:"),
        format!("wallet --address {} --shielded UNITS", printable(address)),
    ))
}

/// What the wallet has to pay.
fn due(payment: &RunPayment) -> Option<String> {
    let (authorization, requirement) = (payment.authorization.as_ref()?, payment.requirement.as_ref()?);
    let reference = requirement.reference.as_deref().map(|name| format!(", naming {}", printable(name)));
    Some(format!(
        "The wallet {} may pay until {}:\n  {} units of {}\n  to {}{}\nThen say so:",
        printable(&authorization.wallet),
        printable(&authorization.submit_by),
        printable(&authorization.gross),
        printable(&requirement.asset),
        printable(&requirement.pay_to),
        reference.unwrap_or_default(),
    ))
}
