//! What a facilitator's answer to a verify request means (x402 v2, facilitator API, section 7.1).

use x402::VerifyResponse;

use crate::limits::{FACILITATOR_ANSWER_BYTES, WORD_BYTES};

/// Whether the payer signed and could pay, as far as the facilitator can say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It did, and could when it was asked.
    Valid,
    /// It did not, or could not.
    Invalid {
        /// The reason as a code.
        reason: String,
        /// The same for people.
        message: String,
    },
    /// No answer, or none that says either.
    Unknown {
        /// Why not.
        cause: &'static str,
    },
}

/// Reads an answer. Only a well-formed one says anything; `isValid: true` counts only under a status of success.
pub fn verification(status: u16, text: &str) -> Verdict {
    if text.len() > FACILITATOR_ANSWER_BYTES {
        return Verdict::Unknown { cause: "unreadable_answer" };
    }
    let Ok(answer) = serde_json::from_str::<VerifyResponse>(text) else {
        return Verdict::Unknown {
            cause: if status >= 500 { "facilitator_error" } else { "unreadable_answer" },
        };
    };
    match (answer.is_valid, status) {
        (_, 500..) => Verdict::Unknown { cause: "facilitator_error" },
        (true, 200..300) => Verdict::Valid,
        (true, _) => Verdict::Unknown { cause: "unreadable_answer" },
        (false, _) => {
            let reason = answer.invalid_reason.filter(|reason| (1..=WORD_BYTES).contains(&reason.len()));
            let reason = reason.unwrap_or_else(|| "unexpected_verify_error".to_owned());
            let message = answer.invalid_message.unwrap_or_default();
            let message =
                format!("The facilitator refuses the payment ({reason}). {message}").trim_end().to_owned();
            if reason == "unexpected_verify_error" {
                // The facilitator does not know either.
                return Verdict::Unknown { cause: "facilitator_error" };
            }
            Verdict::Invalid { reason, message }
        }
    }
}
