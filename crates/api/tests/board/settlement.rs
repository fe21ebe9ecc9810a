//! What a facilitator's answer means. S5: only what it clearly says is success or failure.

use api::inbound::{Asked, Memory, settlement};
use api::limits::FACILITATOR_ANSWER_BYTES;
use payment::Outcome;

const SETTLED: &str = r#"{"success":true,"transaction":"0xfeed","network":"eip155:84532"}"#;
const NO_FUNDS: &str =
    r#"{"success":false,"errorReason":"insufficient_funds","transaction":"","network":"eip155:84532"}"#;
const PENDING: &str =
    r#"{"success":false,"errorReason":"settlement_pending","transaction":"0xfeed","network":"eip155:84532"}"#;

fn word(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Settled { transaction, .. } => format!("settled {transaction}"),
        Outcome::Refused { reason, .. } => format!("refused {reason}"),
        Outcome::Unknown { cause, transaction } => {
            format!("unknown {cause} {}", transaction.as_deref().unwrap_or("-"))
        }
    }
}

#[test]
fn an_answer_says_what_it_clearly_says_and_nothing_else() {
    let too_long = format!("{SETTLED}{}", " ".repeat(FACILITATOR_ANSWER_BYTES));
    for (status, text, expected) in [
        (200, SETTLED, "settled 0xfeed"),
        (200, NO_FUNDS, "refused insufficient_funds"),
        (402, NO_FUNDS, "refused insufficient_funds"),
        (500, NO_FUNDS, "unknown facilitator_error -"),
        (200, PENDING, "unknown settlement_pending 0xfeed"),
        (500, PENDING, "unknown settlement_pending 0xfeed"),
        (200, r#"{"success":true,"transaction":"","network":"n"}"#, "unknown unreadable_answer -"),
        (200, r#"{"success":true,"network":"n"}"#, "unknown unreadable_answer -"),
        (200, r#"{"success":false,"transaction":"","network":"n"}"#, "unknown facilitator_error -"),
        (200, "<h1>It works</h1>", "unknown unreadable_answer -"),
        (502, "<h1>Bad Gateway</h1>", "unknown facilitator_error -"),
        (200, "", "unknown unreadable_answer -"),
        (200, too_long.as_str(), "unknown unreadable_answer -"),
    ] {
        let outcome = settlement(status, text, Asked::First, Memory::Unproven);
        assert_eq!(word(&outcome), expected, "{status} {}", text.get(..80).unwrap_or(text));
    }
}

#[test]
fn a_refused_lookup_is_final_only_where_the_first_answer_is_kept() {
    let used = NO_FUNDS.replace("insufficient_funds", "invalid_exact_evm_nonce_already_used");
    let lookup = |text: &str, memory| word(&settlement(200, text, Asked::Again, memory));
    assert_eq!(lookup(&used, Memory::Unproven), "unknown refused_on_lookup -");
    assert_eq!(lookup(&used, Memory::Kept), "refused invalid_exact_evm_nonce_already_used");
    assert_eq!(lookup(SETTLED, Memory::Unproven), "settled 0xfeed");
    let first = settlement(200, &used, Asked::First, Memory::Unproven);
    assert_eq!(word(&first), "refused invalid_exact_evm_nonce_already_used");
}
