//! What executors are asked, and what they have read.

use primitives::{RunId, UnixMillis};
use run::{BrowserCommand, Cart, Evidence, Line, OrderEvidence, PixTarget, Quote, Task};

use super::PROTOCOL_VERSION;
use crate::wire::{self, AgentBrowserCommand, BrowserTask};

/// A command of a run as its executor is given it.
pub fn command(run: &RunId, command: &BrowserCommand) -> AgentBrowserCommand {
    AgentBrowserCommand {
        task: task(&command.task),
        command_id: command.command_id.clone(),
        run_id: run.to_string(),
        executor_id: command.executor.to_string(),
        expires_at: command.until.to_rfc3339(),
        protocol_version: PROTOCOL_VERSION.to_owned(),
    }
}

fn task(task: &Task) -> BrowserTask {
    match task {
        Task::RevalidateCandidate { candidate, requirement, quantity } => BrowserTask::RevalidateCandidate {
            candidate: wire::CandidateTask {
                candidate_id: candidate.candidate_id.clone(),
                source: candidate.source.clone(),
                merchant_name: candidate.merchant.clone(),
                requirement: requirement.clone(),
                quantity: *quantity,
                observed_total_cents: candidate.observed_total.to_string(),
            },
        },
        Task::PrepareCheckout => BrowserTask::PrepareCheckout {},
        Task::ReadCheckout => BrowserTask::ReadCheckout {},
        Task::ReadPix { expected } => BrowserTask::ReadPix { expected_amount_cents: expected.to_string() },
        Task::VerifyOrder => BrowserTask::VerifyOrder {},
    }
}

pub(super) fn quote(quote: &Quote) -> wire::ExecutorQuote {
    wire::ExecutorQuote {
        cart: cart(&quote.cart),
        captured_at: quote.captured_at.to_rfc3339(),
        executor_id: quote.executor.to_string(),
        page_ref: quote.page.clone(),
    }
}

fn cart(cart: &Cart) -> wire::Cart {
    let item = |item: &run::Item| wire::CartItem {
        product: item.product.clone(),
        quantity: item.quantity,
        unit_price_cents: item.unit_price.to_string(),
        total_cents: item.total.to_string(),
    };
    let line =
        |line: &Line| wire::CartLine { name: line.name.clone(), amount_cents: line.amount.to_string() };
    wire::Cart {
        merchant_name: cart.merchant.clone(),
        items: cart.items.iter().map(item).collect(),
        fees: cart.fees.iter().map(line).collect(),
        discounts: cart.discounts.iter().map(line).collect(),
        total_cents: cart.total.to_string(),
        eta_minutes: cart.eta_minutes,
    }
}

pub(super) fn target(target: &PixTarget) -> wire::PixTarget {
    wire::PixTarget {
        amount_cents: target.amount.to_string(),
        evidence: match target.evidence {
            Evidence::PixCode => wire::PixEvidence::PixCode,
            Evidence::PixSelected => wire::PixEvidence::PixSelected,
        },
        expires_at: target.expires_at.map(UnixMillis::to_rfc3339),
        payload_digest: target.payload_digest.map(|digest| digest.to_string()),
    }
}

pub(super) fn order(order: &OrderEvidence) -> wire::OrderReport {
    wire::OrderReport { confirmed: order.confirmed, evidence: order.evidence.clone() }
}
