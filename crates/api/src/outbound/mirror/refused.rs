//! The refusals of a mirror as problem documents.

use mandate::mirror::{Bound, Refusal};

use crate::outbound::mandate::{faults, ruled};
use crate::problem::Problem;

/// The problem document of a mirror's refusal. Each broken rule stands in `errors` under its code; the document's own code is
/// that of the first.
pub fn refused(refusal: &Refusal) -> Problem {
    let problem = Problem::new(status(refusal), refusal.code(), refusal.to_string());
    let problem = match refusal {
        Refusal::Rules { first, more } => problem.with_faults(faults(first, more)),
        Refusal::Unborn
        | Refusal::UnknownRequest
        | Refusal::AlreadyDecided
        | Refusal::Unavailable(_)
        | Refusal::RequestIdReused
        | Refusal::Unsigned
        | Refusal::NoReservations
        | Refusal::Beyond(_)
        | Refusal::Gap(_)
        | Refusal::Forked(_)
        | Refusal::Sealed(_)
        | Refusal::Disordered
        | Refusal::Contradiction(_) => problem,
    };
    if refusal.may_retry() { problem.retryable() } else { problem }
}

fn status(refusal: &Refusal) -> u16 {
    match refusal {
        Refusal::Unborn | Refusal::UnknownRequest => 404,
        Refusal::Rules { first, .. } => ruled(first.reason),
        Refusal::AlreadyDecided
        | Refusal::Unavailable(_)
        | Refusal::NoReservations
        | Refusal::Beyond(Bound::Asks | Bound::Payments | Bound::Tail)
        | Refusal::Gap(_)
        | Refusal::Forked(_)
        | Refusal::Sealed(_)
        | Refusal::Contradiction(_) => 409,
        Refusal::RequestIdReused
        | Refusal::Unsigned
        | Refusal::Disordered
        | Refusal::Beyond(Bound::Entries | Bound::Told | Bound::Label | Bound::Note | Bound::Signature) => {
            422
        }
    }
}
