//! What waits for the owner: who may decide, on what, and how often.

use alloy_primitives::{Bytes, U256};
use mandate::life::{Act, Bound, Change, Command, Progress, Refusal, Stage, limits};
use mandate::{By, Reason, Request, Signature, SignedApproval, UnixSeconds};

use crate::cast::*;

fn reasons(refusal: &Refusal) -> Vec<Reason> {
    let Refusal::Rules { first, more } = refusal else { panic!("{refusal:?}") };
    [first].into_iter().chain(more).map(|rule| rule.reason).collect()
}

/// L1
#[test]
fn a_refusal_shows_every_rule_that_fails_the_contracts_own_first() {
    let mut life = alive([change(Change::Pause, OWNER)]);
    let asked = Request { max_amount: units(700), recipient: STRANGER, ..request("A", 0) };
    let refusal = hears(&mut life, ask(asked), START).unwrap_err();
    let expected = [
        Reason::Paused,
        Reason::NotAllowed,
        Reason::EntryPaymentCap,
        Reason::PaymentCap,
        Reason::EntryWindowCap,
        Reason::DayCap,
        Reason::MonthCap,
        Reason::Funds,
    ];
    assert_eq!(reasons(&refusal), expected);
    assert_eq!(refusal.to_string().matches(". ").count(), expected.len() * 2 - 1, "{refusal}");
}

/// L1: between the owner's yes and the submission, other things can have come in the way.
#[test]
fn a_submission_shows_every_rule_that_fails() {
    let mut life = alive([ask(request("A", 80)), approve("A", at(HOUR)), change(Change::Pause, OWNER)]);
    let all = Change::Withdraw { amount: U256::from(500) };
    hears(&mut life, change(all, OWNER), START).unwrap();
    let refusal = hears(&mut life, act("A", Act::Submit, AGENT), START).unwrap_err();
    assert_eq!(reasons(&refusal), [Reason::Paused, Reason::Funds]);
}

/// L1: what lacks the agent's signature, too, is not put before the owner.
#[test]
fn a_stranger_cannot_fill_the_queue() {
    let mut life = alive([]);
    let by = By { caller: STRANGER, signature: Signature::Bad };
    let asked = Command::Request { request: Box::new(request("A", 80)), by, filed: None };
    assert_eq!(code(&hears(&mut life, asked, START)), "agent_signature");
    let by = By { caller: STRANGER, signature: Signature::Of(AGENT) };
    let asked = Command::Request { request: Box::new(request("A", 80)), by, filed: None };
    assert_eq!(code(&hears(&mut life, asked, START)), "none");
}

/// L1
#[test]
fn a_request_under_another_mandate_is_refused() {
    let mut life = alive([]);
    let asked = Request { mandate: named("other"), ..request("A", 40) };
    assert_eq!(code(&hears(&mut life, ask(asked), START)), "unknown_mandate");
    assert_eq!(code(&hears(&mut life, cancel(asked, OWNER), START)), "unknown_mandate");
}

/// L2
#[test]
fn an_approval_is_of_its_own_payment_by_its_own_owner_and_not_over() {
    let mut life = alive([ask(request("A", 80)), ask(request("B", 80))]);
    let now = at(60);
    let given = |word, signature, end: u64| {
        act(
            word,
            Act::Approve {
                approval: SignedApproval { valid_before: UnixSeconds(end), signature },
                bytes: Bytes::new(),
            },
            OWNER,
        )
    };
    let second = UnixSeconds::from(now).0;
    for signature in [Signature::Bad, Signature::Empty, Signature::Of(AGENT)] {
        assert_eq!(code(&hears(&mut life, given("A", signature, second + 9), now)), "approval_signature");
    }
    assert_eq!(code(&hears(&mut life, given("A", Signature::Of(OWNER), second), now)), "approval_expired");
    assert_eq!(code(&hears(&mut life, given("C", Signature::Of(OWNER), second + 9), now)), "unknown_request");
    assert_eq!(code(&hears(&mut life, given("A", Signature::Of(OWNER), second + 1), now)), "none");
    // A's approval is not B's.
    assert_eq!(code(&hears(&mut life, act("B", Act::Submit, AGENT), now)), "request_unavailable_in_state");
    assert!(
        matches!(book(&life).requests[&named("A")].stage, Stage::Approved { until, .. } if until.0 == second + 1)
    );
}

/// L2: an approval ends at its second, with a punctual alarm or without one.
#[test]
fn an_approval_is_good_up_to_its_end() {
    let approved = alive([ask(request("A", 80)), approve("A", at(600))]);
    let submit = || act("A", Act::Submit, AGENT);
    assert_eq!(code(&hears(&mut approved.clone(), submit(), at(599))), "none");
    assert_eq!(code(&hears(&mut approved.clone(), submit(), at(600))), "request_unavailable_in_state");
}

/// L3
#[test]
fn a_note_is_kept_in_bounds() {
    let mut life = alive([ask(request("A", 80))]);
    let no = |length| act("A", Act::Reject { note: "n".repeat(length) }, OWNER);
    assert_eq!(hears(&mut life, no(limits::NOTE_BYTES + 1), START), Err(Refusal::Beyond(Bound::Note)));
    assert_eq!(code(&hears(&mut life, no(limits::NOTE_BYTES), START)), "none");
}

/// L9: a request whose windows are open for a year waits for a week.
#[test]
fn no_wait_for_an_owner_is_longer_than_a_week() {
    let far = UnixSeconds::from(at(300 * DAY));
    let challenge_over = far.plus(policy().terms.challenge_period + 1);
    let asked = Request {
        valid_before: far,
        deliver_by: far,
        capture_by: challenge_over,
        refund_by: challenge_over,
        ..request("A", 80)
    };
    let mut life = alive([ask(asked)]);
    let week = u64::from(limits::APPROVAL_WAIT);
    assert_eq!(hears(&mut life, Command::Wake, at(week - 1)), Ok(Heard::default()));
    assert_eq!(hears(&mut life, Command::Wake, at(week)).unwrap().events.len(), 1);
}

/// L9: a clock that goes back over midnight would give a day its budget twice.
#[test]
fn a_clock_that_goes_back_does_no_harm() {
    let midnight = 10 * HOUR;
    let big = |word, seconds| ask(request_at(word, 60, at(seconds)));
    let mut life = alive([]);
    for (word, seconds) in [("A", midnight - 3), ("B", midnight - 2), ("C", midnight - 1)] {
        assert_eq!(code(&hears(&mut life, big(word, seconds), at(seconds))), "none");
    }
    assert_eq!(code(&hears(&mut life, big("D", midnight), at(midnight))), "none");
    for word in ["E", "F"] {
        let heard = hears(&mut life, big(word, midnight - 1), at(midnight - 1)).unwrap();
        assert_eq!(heard.events.last().map(|event| event.at), Some(at(midnight)));
    }
    assert_eq!(code(&hears(&mut life, big("G", midnight - 1), at(midnight - 1))), "entry_window_cap");
}

/// L1: of fifty that want the last of a budget for three, three get it.
#[test]
fn fifty_race_for_three() {
    let mut life = alive([]);
    let granted = (0..50_u32).filter(|number| {
        let asked = ask(request(&format!("N{number}"), 60));
        hears(&mut life, asked, START).is_ok()
    });
    assert_eq!(granted.count(), 3);
    assert_eq!(book(&life).mandate.spent.day_sum, units(180));
}

/// L9, L10: where the challenge period ends in the last minute, the object claims as soon as it may.
#[test]
fn a_claim_never_comes_before_the_challenge_period_is_over() {
    let deliver_by = UnixSeconds::from(at(2 * HOUR));
    let end = deliver_by.plus(policy().terms.challenge_period + 1);
    let mut life = alive([ask(Request { capture_by: end, refund_by: end, ..request("A", 40) })]);
    hears(&mut life, deliver("A"), at(2 * HOUR - 1)).unwrap();
    let challenge_ends = 3 * HOUR - 1;
    assert_eq!(hears(&mut life, Command::Wake, at(challenge_ends - 1)), Ok(Heard::default()));
    hears(&mut life, Command::Wake, at(challenge_ends)).unwrap();
    assert_eq!(filed(&life, named("A")).unwrap().progress, Progress::Settled);
}

/// L8
#[test]
fn an_id_stands_for_one_request_while_it_is_open_and_afterwards() {
    let mut life = alive([ask(request("A", 80))]);
    let other = Request { payment: named("other"), max_amount: units(41), ..request("A", 0) };
    assert_eq!(code(&hears(&mut life, ask(other), START)), "request_id_reused");
    assert_eq!(code(&hears(&mut life, cancel(other, OWNER), START)), "request_id_reused");
    assert_eq!(code(&hears(&mut life, reject("A"), START)), "none");
    let row = filed(&life, named("A"));
    let again = Command::Request { request: Box::new(other), by: By::caller(AGENT), filed: row };
    assert_eq!(life.hears(again, START).unwrap_err().code(), "request_id_reused");
    // Nor does it in the very step in which time ends the one that has it.
    let mut life = alive([ask(request("A", 40))]);
    assert_eq!(code(&hears(&mut life, ask(other), at(2 * HOUR))), "request_id_reused");
    assert_eq!(code(&hears(&mut life, cancel(other, OWNER), at(2 * HOUR))), "request_id_reused");
}

/// L2, L8
#[test]
fn asking_again_submits_what_was_approved_and_nothing_twice() {
    let mut life = alive([ask(request("A", 80))]);
    let until = START.plus(primitives::Millis::from_minutes(30));
    assert_eq!(code(&hears(&mut life, approve("A", until), START)), "none");
    let stranger =
        Command::Request { request: Box::new(request("A", 80)), by: By::caller(STRANGER), filed: None };
    assert_eq!(code(&hears(&mut life, stranger, START)), "agent_signature");
    assert_eq!(hears(&mut life, ask(request("A", 80)), START).unwrap().told(), "submit:escrowed +submit");
    assert!(hears(&mut life, ask(request("A", 80)), START).unwrap().events.is_empty());
    assert_eq!(book(&life).mandate.funds.reserved, units(80));
}
