//! What every refusal says to programs and to people.

use mandate::life::{Bound, Ending, Progress, Refusal};
use mandate::{Reason, Refused};

fn rules(reasons: &[Reason]) -> Refusal {
    let mut rules = reasons.iter().map(|reason| Refused::new(*reason, 1_u64, 2_u64));
    Refusal::Rules { first: rules.next().unwrap(), more: rules.collect() }
}

const BOUNDS: [Bound; 8] = [
    Bound::Entries,
    Bound::Open,
    Bound::Waiting,
    Bound::Reservations,
    Bound::Label,
    Bound::Note,
    Bound::Asker,
    Bound::Reservation,
];

#[test]
fn codes_are_stable_and_sentences_whole() {
    let mut refusals = vec![
        (Refusal::Unborn, "unknown_mandate", true),
        (rules(&[Reason::DayCap, Reason::Funds]), "day_cap", true),
        (rules(&[Reason::DayCap, Reason::RequestExpired]), "day_cap", false),
        (Refusal::UnknownRequest, "unknown_request", true),
        (Refusal::AlreadyDecided, "already_decided", false),
        (Refusal::Unavailable(Progress::Escrowed), "request_unavailable_in_state", true),
        (Refusal::Unavailable(Progress::Settled), "request_unavailable_in_state", false),
        (Refusal::UnknownReservation, "unknown_reservation", true),
        (Refusal::ReservationReused, "reservation_reused", false),
        (Refusal::ReservationOver(Ending::Expired), "reservation_over", false),
    ];
    for bound in BOUNDS {
        let is_count = matches!(bound, Bound::Open | Bound::Waiting | Bound::Reservations);
        refusals.push((Refusal::Beyond(bound), bound.name(), is_count));
    }
    for (refusal, code, may_retry) in refusals {
        assert_eq!((refusal.code(), refusal.may_retry()), (code, may_retry), "{refusal:?}");
        let words = refusal.to_string();
        assert!(words.ends_with('.') && words.len() > 30, "{words}");
    }
}

/// Names are what JSON says, too.
#[test]
fn names_are_those_of_the_stored_form() {
    assert_eq!(serde_json::to_string(&Progress::TimedOut).unwrap(), "\"timed_out\"");
    assert_eq!(Progress::AwaitingApproval.name(), "awaiting_approval");
    assert_eq!(serde_json::to_string(&Ending::Committed).unwrap(), "\"committed\"");
    assert_eq!(Bound::Open.name(), "too_many_open_payments");
}
