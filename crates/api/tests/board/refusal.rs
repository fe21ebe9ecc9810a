//! Every refusal has its status and code, and says something that a person can act on.

use std::collections::BTreeSet;

use api::outbound::{gig_refused, payment_refused};
use api::problem::Problem;
use gig::{Lifecycle, Refusal};
use serde_json::{Value, json};

#[test]
fn every_refusal_of_a_gig_has_its_status() {
    let table = Refusal::ALL.map(|refusal| {
        let problem = gig_refused(&refusal);
        assert_eq!(problem.code, refusal.code());
        assert_eq!(problem.retryable, refusal.may_retry());
        assert!(problem.detail.len() > 20 && problem.detail.ends_with('.'), "{}", problem.detail);
        format!("{} {}{}", problem.status, problem.code, if problem.retryable { " retryable" } else { "" })
    });
    let expected = [
        "404 gig_not_found",
        "401 invalid_grant",
        "401 identity_mismatch",
        "401 grant_expired",
        "401 grant_used",
        "401 tunnel_inactive retryable",
        "422 message_id_reused",
        "409 payment_in_progress retryable",
        "409 not_reserved",
        "403 own_gig",
        "409 already_claimed",
        "409 gig_ended",
        "409 unavailable_in_state",
        "409 revisions_used_up",
        "409 rotations_used_up",
    ];
    assert_eq!(table, expected);
}

#[test]
fn codes_are_unique_across_gigs_and_payments() {
    let mut codes: Vec<&str> = Refusal::ALL.iter().map(Refusal::code).collect();
    let payments =
        [payment::Refusal::ClaimedElsewhere, payment::Refusal::Unavailable(payment::Lifecycle::Settling)];
    codes.extend(payments.iter().map(payment::Refusal::code));
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
    assert!(codes.iter().all(|code| code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')));
}

#[test]
fn every_refusal_of_a_payment_is_a_conflict() {
    let elsewhere = payment_refused(&payment::Refusal::ClaimedElsewhere);
    assert_eq!((elsewhere.status, elsewhere.retryable), (409, false));
    assert_eq!(elsewhere.code, "authorization_already_claimed");
    let busy = payment_refused(&payment::Refusal::Unavailable(payment::Lifecycle::Settling));
    assert_eq!((busy.status, busy.retryable), (409, true));
}

#[test]
fn the_refusal_names_the_state_that_it_is_about() {
    assert!(gig_refused(&Refusal::Ended(Lifecycle::Expired)).detail.contains("EXPIRED"));
    assert!(gig_refused(&Refusal::Unavailable(Lifecycle::Delivered)).detail.contains("DELIVERED"));
}

#[test]
fn a_problem_travels_as_contract_1_and_rfc_9457_want_it() {
    let mut problem = Problem::new(409, "already_claimed", "This gig is taken.");
    problem.request_id = "c-1".to_owned();
    let travelled: Value = serde_json::to_value(&problem).unwrap();
    let expected = json!({
        "type": "https://guildhall.dev/problems/already_claimed",
        "title": "Conflict",
        "status": 409,
        "detail": "This gig is taken.",
        "code": "already_claimed",
        "requestId": "c-1",
        "retryable": false,
        "error": true,
        "message": "This gig is taken.",
    });
    assert_eq!(travelled, expected);
    assert_eq!(serde_json::from_value::<Problem>(travelled).unwrap(), problem);
}
