//! What a facilitator's answer to a settle request means for a payment (x402 v2, facilitator API, section 7.2).

use payment::Outcome;
use x402::SettleResponse;

use crate::limits::{FACILITATOR_ANSWER_BYTES, WORD_BYTES};

/// Whether the facilitator was asked before and its answer is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// It was not.
    First,
    /// It was: this is a lookup.
    Again,
}

/// What a facilitator says when it is asked a second time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// What it said the first time: it keeps one answer per authorization.
    Kept,
    /// Anything: it may refuse as used up what it settled itself.
    Unproven,
}

/// Reads an answer. Only a well-formed one says anything, and what cannot be understood is an unknown outcome, never a
/// refusal (S5). `success: false` is final, unless it says pending, or comes from a lookup that proves nothing.
pub fn settlement(status: u16, text: &str, asked: Asked, memory: Memory) -> Outcome {
    if text.len() > FACILITATOR_ANSWER_BYTES {
        return unknown("unreadable_answer");
    }
    let Ok(answer) = serde_json::from_str::<SettleResponse>(text) else {
        return unknown(if status >= 500 { "facilitator_error" } else { "unreadable_answer" });
    };
    let receipt = text.to_owned();
    let named = Some(answer.transaction).filter(|name| (1..=WORD_BYTES).contains(&name.len()));
    if answer.success {
        return match named {
            Some(transaction) => Outcome::Settled { transaction, receipt },
            // A settlement without a transaction cannot be shown to anyone.
            None => unknown("unreadable_answer"),
        };
    }
    let reason = answer.error_reason.unwrap_or_else(|| "unexpected_settle_error".to_owned());
    match reason.as_str() {
        "settlement_pending" => Outcome::Unknown { cause: reason, transaction: named },
        // The facilitator does not know either.
        "unexpected_settle_error" => unknown("facilitator_error"),
        _ if status >= 500 => unknown("facilitator_error"),
        _ if asked == Asked::Again && memory == Memory::Unproven => unknown("refused_on_lookup"),
        _ => Outcome::Refused { reason, receipt },
    }
}

/// No answer, or none that says anything.
pub fn unknown(cause: &str) -> Outcome {
    Outcome::Unknown { cause: cause.to_owned(), transaction: None }
}
