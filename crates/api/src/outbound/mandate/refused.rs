//! The refusals of a mandate as problem documents.

use mandate::life::{Bound, Refusal};
use mandate::{Reason, Refused};

use crate::problem::{FieldFault, Problem};

/// The caller is another than the one who may, or its signature is of something else.
const FORBIDDEN: [Reason; 4] =
    [Reason::NotPermitted, Reason::Signature, Reason::AgentSignature, Reason::ApprovalSignature];

/// What is asked for stands elsewhere, or its window is not now. All other rules are about what is asked.
const CONFLICTS: [Reason; 14] = [
    Reason::MandateExists,
    Reason::NoAmendment,
    Reason::AmendmentEarly,
    Reason::NotPaused,
    Reason::State,
    Reason::DeliveryClosed,
    Reason::DeliveryOpen,
    Reason::ChallengeClosed,
    Reason::ChallengeOpen,
    Reason::CaptureClosed,
    Reason::CaptureOpen,
    Reason::ResolutionClosed,
    Reason::ResolutionOpen,
    Reason::RefundClosed,
];

/// The problem document of a mandate's refusal. Each broken rule stands in `errors` under its code; the document's own code
/// is that of the first.
pub fn refused(refusal: &Refusal) -> Problem {
    let broken = match refusal {
        Refusal::Rules { first, more } => faults(first, more),
        Refusal::Unborn
        | Refusal::UnknownRequest
        | Refusal::RequestIdReused
        | Refusal::AlreadyDecided
        | Refusal::Unavailable(_)
        | Refusal::UnknownReservation
        | Refusal::ReservationReused
        | Refusal::ReservationOver(_)
        | Refusal::Beyond(_) => Vec::new(),
    };
    let problem = Problem::new(status(refusal), refusal.code(), refusal.to_string()).with_faults(broken);
    if refusal.may_retry() { problem.retryable() } else { problem }
}

/// The broken rules.
pub(in crate::outbound) fn faults(first: &Refused, more: &[Refused]) -> Vec<FieldFault> {
    let fault = |refused: &Refused| FieldFault {
        field: refused.reason.code().to_owned(),
        message: refused.to_string(),
    };
    [first].into_iter().chain(more).map(fault).collect()
}

/// The status of a refusal by the rules, of which the first that is broken counts.
pub(in crate::outbound) fn ruled(first: Reason) -> u16 {
    if first == Reason::UnknownMandate {
        404
    } else if FORBIDDEN.contains(&first) {
        403
    } else if CONFLICTS.contains(&first) {
        409
    } else {
        422
    }
}

fn status(refusal: &Refusal) -> u16 {
    match refusal {
        Refusal::Unborn | Refusal::UnknownRequest | Refusal::UnknownReservation => 404,
        Refusal::Rules { first, .. } => ruled(first.reason),
        Refusal::AlreadyDecided | Refusal::Unavailable(_) | Refusal::ReservationOver(_) => 409,
        Refusal::Beyond(Bound::Open | Bound::Waiting | Bound::Reservations) => 409,
        Refusal::RequestIdReused
        | Refusal::ReservationReused
        | Refusal::Beyond(Bound::Entries | Bound::Label | Bound::Note | Bound::Asker | Bound::Reservation) => {
            422
        }
    }
}
