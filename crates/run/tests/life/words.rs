//! What every refusal, fault and state says to programs and to people.

use expect_test::expect_file;
use run::{Refusal, RunState, Value};

use crate::matrix::states;
use crate::purchase::*;
use crate::script::walk;

const VALUES: [Value; 11] = [
    Value::Requirement,
    Value::Quantity,
    Value::MaxTotal,
    Value::User,
    Value::Mandate,
    Value::Rails,
    Value::Cart,
    Value::Page,
    Value::Evidence,
    Value::Wallet,
    Value::Signature,
];

#[test]
fn codes_are_stable_and_sentences_whole() {
    let mut refusals = vec![
        Refusal::Unknown,
        Refusal::AnotherCreation,
        Refusal::TokenUsed,
        Refusal::RealNotAvailable,
        Refusal::WrongExecutor,
        Refusal::UnknownCommand,
        Refusal::CommandAnswered,
        Refusal::CommandWithdrawn,
        Refusal::WrongResult { expected: "QUOTE".to_owned() },
        Refusal::TooManyAsks,
        Refusal::WalletReportStale,
        Refusal::TooManyChecks,
        Refusal::ConfirmationMismatch,
        Refusal::ConfirmationOver,
        Refusal::NothingToConfirm,
        Refusal::NothingToPay,
        Refusal::OwnerSignatureRequired,
        Refusal::SignatureUsed,
        Refusal::PaymentUnderWay,
        Refusal::AlreadyPaid,
        Refusal::Over(RunState::Failed),
        Refusal::Inconsistent { why: "time goes back".to_owned() },
    ];
    refusals.extend(VALUES.map(Refusal::Malformed));
    let mut picture = String::new();
    for refusal in refusals {
        let (code, words) = (refusal.code(), refusal.to_string());
        assert!(words.ends_with('.') && words.len() > 30, "{words}");
        assert!(code.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'_'), "{code}");
        let kept = serde_json::to_string(&refusal).unwrap();
        assert_eq!(serde_json::from_str::<Refusal>(&kept).unwrap(), refusal);
        let again = if refusal.may_retry() { ", may be tried again" } else { "" };
        picture.push_str(&format!("{code}{again}\n  {words}\n  {kept}\n"));
    }
    expect_file!["refusals.txt"].assert_eq(&picture);
}

/// The names that are published are those of the stored form.
#[test]
fn a_state_has_one_name() {
    for (_, path) in states() {
        let Some(shown) = view(&walk(&path).0.state) else { continue };
        assert_eq!(serde_json::to_value(shown.state).unwrap(), shown.state.name());
        assert_eq!(shown.state.is_terminal(), is_terminal(shown.state));
    }
}
