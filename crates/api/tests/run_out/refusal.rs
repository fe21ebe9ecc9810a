//! Refusals as problem documents.

use std::collections::BTreeSet;

use api::outbound::run::{no_such_executor, refused, signature_missing, ticket_used};
use run::{Refusal, RunState, Value};

#[test]
fn every_refusal_has_its_status() {
    let table = |refusal: &Refusal| {
        let problem = refused(refusal);
        assert_eq!(problem.detail, refusal.to_string());
        let retry = if problem.retryable { " retryable" } else { "" };
        format!("{} {}{retry}", problem.status, problem.code)
    };
    let refusals = [
        (Refusal::Unknown, "404 unknown_run"),
        (Refusal::AnotherCreation, "422 idempotency_key_reused"),
        (Refusal::TokenUsed, "409 token_used"),
        (Refusal::RealNotAvailable, "422 real_not_available"),
        (Refusal::Malformed(Value::Cart), "422 malformed_cart"),
        (Refusal::Malformed(Value::Signature), "422 malformed_signature"),
        (Refusal::WrongExecutor, "403 wrong_executor"),
        (Refusal::UnknownCommand, "404 unknown_command"),
        (Refusal::CommandAnswered, "409 command_answered"),
        (Refusal::CommandWithdrawn, "409 command_withdrawn"),
        (Refusal::WrongResult { expected: "PIX".to_owned() }, "422 wrong_result"),
        (Refusal::TooManyAsks, "409 too_many_asks"),
        (Refusal::WalletReportStale, "422 wallet_report_stale"),
        (Refusal::TooManyChecks, "409 too_many_checks"),
        (Refusal::ConfirmationMismatch, "409 confirmation_mismatch"),
        (Refusal::ConfirmationOver, "409 confirmation_over"),
        (Refusal::NothingToConfirm, "409 nothing_to_confirm retryable"),
        (Refusal::NothingToPay, "409 nothing_to_pay retryable"),
        (Refusal::OwnerSignatureRequired, "403 owner_signature_required"),
        (Refusal::SignatureUsed, "409 signature_used"),
        (Refusal::PaymentUnderWay, "409 payment_under_way"),
        (Refusal::AlreadyPaid, "409 already_paid"),
        (Refusal::Over(RunState::Cancelled), "409 run_over"),
        (Refusal::Inconsistent { why: "x".to_owned() }, "500 run_inconsistent"),
    ];
    for (refusal, expected) in &refusals {
        assert_eq!(table(refusal), *expected);
    }
    // What a refusal can be, a reader of another one is told.
    let complaint = serde_json::from_str::<Refusal>("\"?\"").unwrap_err().to_string();
    let all: BTreeSet<&str> = complaint.split('`').skip(3).step_by(2).collect();
    let named = refusals.iter().map(|(refusal, _)| format!("{refusal:?}"));
    let told: BTreeSet<String> =
        named.map(|name| name.split([' ', '(', '{']).next().unwrap().to_owned()).collect();
    assert_eq!(told.iter().map(String::as_str).collect::<BTreeSet<_>>(), all);
}

#[test]
fn what_is_refused_before_a_run_is_asked() {
    let id = crate::cast::executor();
    for (problem, expected) in [
        (ticket_used(), (401, "ticket_used")),
        (signature_missing(), (401, "missing_credentials")),
        (no_such_executor(&id), (422, "unknown_executor")),
    ] {
        assert_eq!((problem.status, problem.code.as_str()), expected);
        assert!(problem.detail.ends_with('.') && problem.detail.len() > 40, "{problem:?}");
    }
}
