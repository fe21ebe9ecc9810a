//! The refusals of a run as problem documents.

use run::Refusal;

use crate::problem::Problem;

/// The problem document of a run's refusal.
pub fn refused(refusal: &Refusal) -> Problem {
    let status = match refusal {
        Refusal::Unknown | Refusal::UnknownCommand => 404,
        Refusal::WrongExecutor | Refusal::OwnerSignatureRequired => 403,
        Refusal::AnotherCreation
        | Refusal::RealNotAvailable
        | Refusal::Malformed(_)
        | Refusal::WrongResult { .. }
        | Refusal::WalletReportStale => 422,
        Refusal::TokenUsed
        | Refusal::CommandAnswered
        | Refusal::CommandWithdrawn
        | Refusal::TooManyAsks
        | Refusal::TooManyChecks
        | Refusal::ConfirmationMismatch
        | Refusal::ConfirmationOver
        | Refusal::NothingToConfirm
        | Refusal::NothingToPay
        | Refusal::SignatureUsed
        | Refusal::PaymentUnderWay
        | Refusal::AlreadyPaid
        | Refusal::Over(_) => 409,
        Refusal::Inconsistent { .. } => 500,
    };
    let problem = Problem::new(status, refusal.code(), refusal.to_string());
    if refusal.may_retry() { problem.retryable() } else { problem }
}
