//! Refusals as problem documents.

use std::collections::BTreeSet;

use api::outbound::mandate::refused;
use mandate::life::{Bound, Ending, Progress, Refusal};
use mandate::{Reason, Refused};

fn rules(reasons: &[Reason]) -> Refusal {
    let mut all = reasons.iter().map(|reason| Refused::new(*reason, 7_u64, 5_u64));
    Refusal::Rules { first: all.next().unwrap(), more: all.collect() }
}

fn with_status(status: u16) -> BTreeSet<&'static str> {
    let reasons = Reason::ALL.iter().filter(|reason| refused(&rules(&[**reason])).status == status);
    reasons.map(|reason| reason.code()).collect()
}

#[test]
fn every_rule_has_its_status() {
    assert_eq!(with_status(404), BTreeSet::from(["unknown_mandate"]));
    let forbidden = ["not_permitted", "agent_signature", "signature", "approval_signature"];
    assert_eq!(with_status(403), BTreeSet::from(forbidden));
    let conflicts = [
        "mandate_exists",
        "no_amendment",
        "amendment_early",
        "not_paused",
        "state",
        "delivery_closed",
        "delivery_open",
        "challenge_closed",
        "challenge_open",
        "capture_closed",
        "capture_open",
        "resolution_closed",
        "resolution_open",
        "refund_closed",
    ];
    assert_eq!(with_status(409), BTreeSet::from(conflicts));
    assert_eq!(with_status(422).len(), Reason::ALL.len() - 1 - forbidden.len() - conflicts.len());
}

#[test]
fn what_is_no_rule_has_its_status() {
    let table = |refusal: Refusal| {
        let problem = refused(&refusal);
        let retry = if problem.retryable { " retryable" } else { "" };
        format!("{} {}{retry}", problem.status, problem.code)
    };
    let refusals = [
        (Refusal::Unborn, "404 unknown_mandate retryable"),
        (Refusal::UnknownRequest, "404 unknown_request retryable"),
        (Refusal::UnknownReservation, "404 unknown_reservation retryable"),
        (Refusal::AlreadyDecided, "409 already_decided"),
        (Refusal::Unavailable(Progress::Escrowed), "409 request_unavailable_in_state retryable"),
        (Refusal::Unavailable(Progress::Settled), "409 request_unavailable_in_state"),
        (Refusal::ReservationOver(Ending::Released), "409 reservation_over"),
        (Refusal::RequestIdReused, "422 request_id_reused"),
        (Refusal::ReservationReused, "422 reservation_reused"),
        (Refusal::Beyond(Bound::Open), "409 too_many_open_payments retryable"),
        (Refusal::Beyond(Bound::Waiting), "409 too_many_waiting_requests retryable"),
        (Refusal::Beyond(Bound::Reservations), "409 too_many_reservations retryable"),
        (Refusal::Beyond(Bound::Entries), "422 too_many_entries"),
        (Refusal::Beyond(Bound::Label), "422 label_too_long"),
        (Refusal::Beyond(Bound::Note), "422 note_too_long"),
        (Refusal::Beyond(Bound::Asker), "422 asker_too_long"),
        (Refusal::Beyond(Bound::Reservation), "422 reservation_too_long"),
    ];
    for (refusal, expected) in refusals {
        assert!(refused(&refusal).errors.is_empty(), "{expected}");
        assert_eq!(table(refusal), expected);
    }
}

#[test]
fn every_broken_rule_stands_in_the_errors_and_the_first_is_the_code() {
    let problem = refused(&rules(&[Reason::DayCap, Reason::Funds, Reason::AgentSignature]));
    assert_eq!((problem.status, problem.code.as_str(), problem.retryable), (422, "day_cap", false));
    let fields: Vec<_> = problem.errors.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(fields, ["day_cap", "funds", "agent_signature"]);
    assert!(problem.errors[1].message.contains("The request is for 7, and 5"), "{problem:?}");
    assert!(refused(&rules(&[Reason::DayCap, Reason::Funds])).retryable);
}
