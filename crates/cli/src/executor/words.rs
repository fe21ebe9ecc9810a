//! The browser protocol's words for what a synthetic executor is asked and says.

use ::run::{self as seen, Candidate, Cents, Task};
use client::{
    UnixMillis,
    wire::{BrowserResult, BrowserTask, CartBody, ItemBody, LineBody, PixEvidence},
};

/// A task out of its command, which was taken at `now`.
///
/// # Errors
/// When an amount is none; says which.
pub(super) fn task(task: &BrowserTask, now: UnixMillis) -> Result<Task, String> {
    let cents = |text: &str| text.parse::<Cents>().map_err(|why| format!("the amount {text:?} {why}"));
    Ok(match task {
        BrowserTask::RevalidateCandidate { candidate } => Task::RevalidateCandidate {
            candidate: Candidate {
                candidate_id: candidate.candidate_id.clone(),
                // The market's own name for what it saw does not travel: nothing depends on it here.
                observation_id: String::new(),
                source: candidate.source.clone(),
                merchant: candidate.merchant_name.clone(),
                observed_total: cents(&candidate.observed_total_cents)?,
                observed_at: now,
            },
            requirement: candidate.requirement.clone(),
            quantity: candidate.quantity,
        },
        BrowserTask::PrepareCheckout {} => Task::PrepareCheckout,
        BrowserTask::ReadCheckout {} => Task::ReadCheckout,
        BrowserTask::ReadPix { expected_amount_cents } => {
            Task::ReadPix { expected: cents(expected_amount_cents)? }
        }
        BrowserTask::VerifyOrder {} => Task::VerifyOrder,
    })
}

/// A result under the id of its command.
pub(super) fn result(command_id: &str, result: seen::BrowserResult) -> BrowserResult {
    let command_id = command_id.to_owned();
    match result {
        seen::BrowserResult::Started => BrowserResult::Started { command_id },
        seen::BrowserResult::NeedsUser { reason } => BrowserResult::NeedsUser { command_id, reason },
        seen::BrowserResult::Quote { cart, captured_at, page } => BrowserResult::Quote {
            command_id,
            quote: self::cart(cart),
            captured_at: captured_at.to_rfc3339(),
            page_ref: page,
        },
        seen::BrowserResult::Pix(target) => BrowserResult::Pix {
            command_id,
            amount_cents: target.amount.to_string(),
            evidence: match target.evidence {
                seen::Evidence::PixCode => PixEvidence::PixCode,
                seen::Evidence::PixSelected => PixEvidence::PixSelected,
            },
            expires_at: target.expires_at.map(UnixMillis::to_rfc3339),
            payload_digest: target.payload_digest.map(|digest| digest.to_string()),
            payload: None,
        },
        seen::BrowserResult::Order(order) => {
            BrowserResult::Order { command_id, confirmed: order.confirmed, evidence: order.evidence }
        }
        seen::BrowserResult::Unavailable { reason } => BrowserResult::Unavailable { command_id, reason },
        seen::BrowserResult::Error { reason } => BrowserResult::Error { command_id, reason },
    }
}

fn cart(cart: seen::Cart) -> CartBody {
    let items = cart.items.into_iter().map(|item| ItemBody {
        product: item.product,
        quantity: item.quantity,
        unit_price_cents: item.unit_price.to_string(),
        total_cents: item.total.to_string(),
    });
    CartBody {
        merchant_name: cart.merchant,
        items: items.collect(),
        fees: lines(cart.fees),
        discounts: lines(cart.discounts),
        total_cents: cart.total.to_string(),
        eta_minutes: cart.eta_minutes,
    }
}

fn lines(lines: Vec<seen::Line>) -> Vec<LineBody> {
    lines
        .into_iter()
        .map(|line| LineBody { name: line.name, amount_cents: line.amount.to_string() })
        .collect()
}
