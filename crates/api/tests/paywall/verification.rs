//! What a facilitator's word about a signature means: only a clear yes is one.

use api::inbound::{Verdict, verification};
use api::limits::FACILITATOR_ANSWER_BYTES;

fn word(status: u16, text: &str) -> String {
    match verification(status, text) {
        Verdict::Valid => "valid".to_owned(),
        Verdict::Invalid { reason, .. } => format!("invalid {reason}"),
        Verdict::Unknown { cause } => format!("unknown {cause}"),
    }
}

#[test]
fn only_a_clear_yes_is_one() {
    let too_long = format!("{{\"isValid\":true}}{}", " ".repeat(FACILITATOR_ANSWER_BYTES));
    for (status, text, expected) in [
        (200, r#"{"isValid":true}"#, "valid"),
        (200, r#"{"isValid":true,"invalidReason":null,"payer":"0x1","more":1}"#, "valid"),
        (400, r#"{"isValid":true}"#, "unknown unreadable_answer"),
        (302, r#"{"isValid":true}"#, "unknown unreadable_answer"),
        (500, r#"{"isValid":true}"#, "unknown facilitator_error"),
        (200, r#"{"isValid":false,"invalidReason":"insufficient_funds"}"#, "invalid insufficient_funds"),
        (400, r#"{"isValid":false,"invalidReason":"invalid_payload"}"#, "invalid invalid_payload"),
        (500, r#"{"isValid":false,"invalidReason":"invalid_payload"}"#, "unknown facilitator_error"),
        (200, r#"{"isValid":false,"invalidReason":"unexpected_verify_error"}"#, "unknown facilitator_error"),
        (200, r#"{"isValid":false}"#, "unknown facilitator_error"),
        (200, r#"{"isValid":"true"}"#, "unknown unreadable_answer"),
        (200, "{}", "unknown unreadable_answer"),
        (200, "<p>It works", "unknown unreadable_answer"),
        (502, "<p>Bad Gateway", "unknown facilitator_error"),
        (200, too_long.as_str(), "unknown unreadable_answer"),
    ] {
        assert_eq!(word(status, text), expected, "{status} {}", text.get(..80).unwrap_or(text));
    }
}
