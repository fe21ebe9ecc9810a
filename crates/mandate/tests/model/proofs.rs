//! Whose call it is, whose approval it has, and what is said where little can be.

use alloy_primitives::U256;
use mandate::*;

use crate::cast::*;

#[test]
fn of_a_mandate_that_is_not_there_nothing_else_is_said() {
    let Scene { request, proof, now, ceiling, .. } = Scene::new();
    let unknown = refused(Reason::UnknownMandate, MANDATE, 0);
    assert_eq!(evaluate(None, &request, &proof, now, &ceiling), Err(unknown));
    let findings = explain(None, &request, &proof, now, &ceiling);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].verdict(), Err(unknown));
}

#[test]
fn below_the_threshold_an_approval_is_not_read() {
    let mut scene = Scene::new();
    scene.proof.approval = SignedApproval { valid_before: UnixSeconds(0), signature: Signature::Bad };
    assert_eq!(scene.verdict().unwrap().approval, Approval::Unneeded);
    scene.request.max_amount = units(61);
    assert_eq!(reason(&scene.verdict()), Reason::ApprovalExpired);
    scene.proof = proof();
    assert_eq!(scene.verdict().unwrap().approval, Approval::Needed);
}

#[test]
fn the_agent_calls_or_signs() {
    let mut scene = Scene::new();
    for (caller, signature, passes) in [
        (AGENT, Signature::Empty, true),
        (AGENT, Signature::Bad, true),
        (STRANGER, Signature::Of(AGENT), true),
        (STRANGER, Signature::Empty, false),
        (STRANGER, Signature::Of(STRANGER), false),
        (OWNER, Signature::Of(OWNER), false),
    ] {
        scene.proof.agent = By { caller, signature };
        assert_eq!(scene.verdict().is_ok(), passes, "{caller} {signature:?}");
    }
}

#[test]
fn the_largest_amount_overflows_nothing() {
    let mut scene = Scene::new();
    scene.request.max_amount = units(u128::MAX);
    scene.mandate.spent =
        Spent { day_sum: AMOUNT_MAX, month_sum: AMOUNT_MAX, ..scene.mandate.spent.seen_at(scene.now) };
    let day_cap = scene.findings().into_iter().find(|finding| finding.rule == Reason::DayCap).unwrap();
    assert_eq!(day_cap.got, U256::from(u128::MAX) + U256::from(AMOUNT_MAX.0));
}

#[test]
fn a_request_is_cancelled_by_the_owner_or_the_agent_and_then_never_authorized() {
    let mut scene = Scene::new();
    let request = scene.request;
    for (by, refusal) in [
        (By::caller(STRANGER), refused(Reason::NotPermitted, STRANGER, OWNER)),
        (By { caller: OWNER, signature: Signature::Bad }, refused(Reason::Signature, 0, OWNER)),
        (By { caller: STRANGER, signature: Signature::Of(PROVIDER) }, refused(Reason::Signature, 0, OWNER)),
    ] {
        assert_eq!(scene.mandate.cancel_request(&request, by, scene.now), Err(refusal));
    }
    let relayed = By { caller: STRANGER, signature: Signature::Of(AGENT) };
    assert_eq!(scene.mandate.clone().cancel_request(&request, By::caller(OWNER), scene.now), Ok(OWNER));
    assert_eq!(scene.mandate.cancel_request(&request, relayed, scene.now), Ok(AGENT));
    assert_eq!(reason(&scene.authorize()), Reason::RequestCancelled);
}
