//! Where a payment stands, in words for a model and in JSON for its program.

use mcp::{InputRequired, ToolContent, ToolOutcome};
use primitives::BaseUnits;
use serde::Serialize;
use serde_json::value::to_raw_value;

use super::RequestPayment;
use crate::document::agent_card::dollars;
use crate::wire::{Payment, Progress};

/// A payment with what is to be done about it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    message: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_url: Option<&'a str>,
    #[serde(flatten)]
    payment: &'a Payment,
}

/// What `request_payment` says of the payment that was asked for, which its owner approves at `approval_url`.
///
/// A person is asked once for each time the model calls. Whatever they said, the call that brings it is answered: the
/// owner may be another person, and may take their time.
///
/// # Errors
/// The answer could not be written.
pub fn requested(
    asked: &RequestPayment,
    payment: &Payment,
    approval_url: &str,
) -> serde_json::Result<ToolOutcome> {
    let content = told(payment, approval_url)?;
    Ok(match payment.progress {
        Progress::AwaitingApproval if asked.action.is_none() => ToolOutcome::InputRequired(InputRequired {
            message: question(payment),
            url: approval_url.to_owned(),
            // The arguments say everything that the repeated call needs.
            request_state: None,
            otherwise: content,
        }),
        Progress::Rejected | Progress::Expired | Progress::Cancelled | Progress::Failed => {
            ToolOutcome::Failed(content)
        }
        Progress::AwaitingApproval
        | Progress::Approved
        | Progress::Requested
        | Progress::Submitted
        | Progress::Cancelling
        | Progress::Escrowed
        | Progress::Delivered
        | Progress::Disputed
        | Progress::Settled
        | Progress::Refunded
        | Progress::Voided
        | Progress::TimedOut => ToolOutcome::Succeeded(content),
    })
}

/// What `get_payment` says: where the payment stands, whatever that is.
///
/// # Errors
/// The answer could not be written.
pub fn looked(payment: &Payment, approval_url: &str) -> serde_json::Result<ToolOutcome> {
    told(payment, approval_url).map(ToolOutcome::Succeeded)
}

fn told(payment: &Payment, approval_url: &str) -> serde_json::Result<ToolContent> {
    let approval_url = (payment.progress == Progress::AwaitingApproval).then_some(approval_url);
    let structured = to_raw_value(&Told { message: message(payment.progress), approval_url, payment })?;
    Ok(ToolContent { text: structured.get().to_owned(), structured: Some(structured) })
}

/// What the owner is asked, in words for a person.
fn question(payment: &Payment) -> String {
    let Payment { agent, amount, recipient, owner, .. } = payment;
    let amount = amount.parse().map_or_else(|_| amount.clone(), |units| dollars(BaseUnits(units)));
    format!(
        "The agent {agent} asks to pay up to {amount} in USDC to {recipient}. This is above what its mandate allows \
         without you. Sign in as {owner} to approve or reject it."
    )
}

const fn message(progress: Progress) -> &'static str {
    match progress {
        Progress::AwaitingApproval => {
            "It waits for the owner, who alone can approve it, at approvalUrl. Call again with the same request and \
             signature once that is done. Sign no other request for this purchase."
        }
        Progress::Approved => {
            "The owner approved it. Call request_payment with the same request and signature to have it escrowed."
        }
        Progress::Requested | Progress::Submitted => {
            "It is on its way to the contract, which has the last word. Look again with get_payment until it is escrowed."
        }
        Progress::Cancelling => {
            "Its cancellation is on its way to the contract, which says which came first."
        }
        Progress::Failed => {
            "The contract refused it for `reason`. Nothing was reserved. Call request_payment with the same request and \
             signature to have it tried again."
        }
        Progress::Rejected => "The owner rejected it. Nothing was reserved.",
        Progress::Expired => {
            "It ran out, or the policy changed, before it was escrowed. Nothing was reserved. If it is still wanted, \
             evaluate it again and sign a new request."
        }
        Progress::Cancelled => "It was cancelled before it was escrowed. Nothing was reserved.",
        Progress::Escrowed => "The amount is escrowed, and the recipient may deliver.",
        Progress::Delivered => {
            "It is delivered. The owner may dispute it until the deadline; then the recipient may take the amount."
        }
        Progress::Disputed => "The owner disputes the delivery, and the resolver decides.",
        Progress::Settled => "The recipient was paid.",
        Progress::Refunded => "Nothing was paid, and the amount is available again.",
        Progress::Voided => "The recipient gave back what was held.",
        Progress::TimedOut => "The resolver was silent, and the amount was split as the terms say.",
    }
}
