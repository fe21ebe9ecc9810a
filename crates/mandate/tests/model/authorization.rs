//! Every reason of authorization one below, at, and one above its boundary.

use alloy_primitives::{Address, B256, U256};
use mandate::*;

use crate::cast::*;

/// What a scene answers at three steps over a boundary: `+` passes, `-` is refused.
struct Row {
    reason: Reason,
    answers: [char; 3],
    set: fn(&mut Scene, u64),
    numbers: fn(&Scene) -> (U256, U256),
}

const PASS_THEN_FAIL: [char; 3] = ['+', '+', '-'];
const PASS_FAIL_FAIL: [char; 3] = ['+', '-', '-'];
const FAIL_PASS_PASS: [char; 3] = ['-', '+', '+'];
const FAIL_FAIL_PASS: [char; 3] = ['-', '-', '+'];
const EQUAL: [char; 3] = ['-', '+', '-'];

fn row(
    reason: Reason,
    answers: [char; 3],
    set: fn(&mut Scene, u64),
    numbers: fn(&Scene) -> (U256, U256),
) -> Row {
    Row { reason, answers, set, numbers }
}

fn figures(got: impl Figure, limit: impl Figure) -> (U256, U256) {
    (got.figure(), limit.figure())
}

fn nothing(_: &Scene) -> (U256, U256) {
    (U256::ZERO, U256::ZERO)
}

/// One of two choices at the step in the middle.
fn at<T>(step: u64, usual: T, else_: T) -> T {
    if step == 1 { usual } else { else_ }
}

/// The amount 69 + step of a request, 70 being the boundary.
fn around_70(scene: &mut Scene, step: u64) {
    scene.request.max_amount = units(69 + u128::from(step));
}

fn about_the_mandate() -> Vec<Row> {
    vec![
        row(
            Reason::PolicyVersion,
            EQUAL,
            |s, step| s.request.policy_version = step,
            |s| figures(s.request.policy_version, 1),
        ),
        row(
            Reason::Revoked,
            EQUAL,
            |s, step| s.mandate.status = at(step, Status::Active, Status::Revoked),
            nothing,
        ),
        row(
            Reason::Paused,
            EQUAL,
            |s, step| s.mandate.status = at(step, Status::Active, Status::Paused),
            nothing,
        ),
        row(
            Reason::MandateNotStarted,
            FAIL_PASS_PASS,
            |s, step| s.now = UnixSeconds(NOON.0 - 1 + step),
            |_| figures(NOON.0 - 1, NOON),
        ),
        row(
            Reason::MandateExpired,
            PASS_FAIL_FAIL,
            |s, step| s.mandate.policy.valid_before = UnixSeconds(s.now.0 + 1 - step),
            |s| figures(s.now, s.mandate.policy.valid_before),
        ),
    ]
}

fn about_times() -> Vec<Row> {
    vec![
        row(
            Reason::Token,
            EQUAL,
            |s, step| s.request.token = [AGENT, TOKEN, STRANGER][step as usize],
            |s| figures(s.request.token, TOKEN),
        ),
        row(
            Reason::RequestNotStarted,
            PASS_THEN_FAIL,
            |s, step| s.request.valid_after = UnixSeconds(s.now.0 - 1 + step),
            |s| figures(s.now, s.now.0 + 1),
        ),
        row(
            Reason::RequestExpired,
            FAIL_FAIL_PASS,
            |s, step| s.request.valid_before = UnixSeconds(s.now.0 - 1 + step),
            |s| figures(s.now, s.request.valid_before),
        ),
        row(
            Reason::DeliverBy,
            FAIL_FAIL_PASS,
            |s, step| s.request.deliver_by = UnixSeconds(s.now.0 - 1 + step),
            |s| figures(s.now, s.request.deliver_by),
        ),
        row(
            Reason::CaptureBy,
            FAIL_FAIL_PASS,
            |s, step| s.request.capture_by = UnixSeconds(s.request.deliver_by.0 + HOUR - 1 + step),
            |s| figures(s.request.capture_by, s.request.deliver_by.0 + HOUR),
        ),
        row(
            Reason::RefundBy,
            FAIL_PASS_PASS,
            |s, step| s.request.refund_by = UnixSeconds(s.request.capture_by.0 - 1 + step),
            |s| figures(s.request.capture_by.0 - 1, s.request.capture_by),
        ),
        row(
            Reason::Terms,
            EQUAL,
            |s, step| s.request.terms.silence_bps = 2_499 + step as u16,
            |s| figures(s.request.terms.packed(), TERMS.packed()),
        ),
    ]
}

fn about_the_entry() -> Vec<Row> {
    vec![
        row(
            Reason::ZeroRecipient,
            EQUAL,
            |s, step| s.request.recipient = at(step, PROVIDER, Address::ZERO),
            nothing,
        ),
        row(Reason::ZeroService, EQUAL, |s, step| s.request.service = at(step, SERVICE, B256::ZERO), nothing),
        row(
            Reason::RecipientIsResolver,
            EQUAL,
            |s, step| s.request.recipient = at(step, PROVIDER, TERMS.resolver),
            |_| figures(TERMS.resolver, TERMS.resolver),
        ),
        row(
            Reason::NotAllowed,
            EQUAL,
            |s, step| s.request.recipient = at(step, PROVIDER, STRANGER),
            |_| figures(STRANGER, SERVICE),
        ),
        row(
            Reason::ZeroAmount,
            FAIL_PASS_PASS,
            |s, step| s.request.max_amount = units(step.into()),
            |_| figures(0, 1),
        ),
        row(
            Reason::EntryPaymentCap,
            PASS_THEN_FAIL,
            |s, step| s.request.max_amount = units(89 + u128::from(step)),
            |_| figures(91, 90),
        ),
        row(
            Reason::PaymentCap,
            PASS_THEN_FAIL,
            |s, step| {
                s.mandate.policy.payment_cap = units(70);
                around_70(s, step);
            },
            |_| figures(71, 70),
        ),
    ]
}

fn about_sums() -> Vec<Row> {
    vec![
        row(
            Reason::EntryWindowCap,
            PASS_THEN_FAIL,
            |s, step| {
                let _ = s.pay(1, 75, s.now);
                let _ = s.pay(2, 55, s.now);
                s.request = request(0x21);
                around_70(s, step);
            },
            |_| figures(201, 200),
        ),
        row(
            Reason::DayCount,
            PASS_THEN_FAIL,
            |s, step| {
                s.mandate.spent = Spent { day_count: 3 + step as u32, ..s.mandate.spent.seen_at(s.now) };
            },
            |_| figures(6, 5),
        ),
        row(
            Reason::DayCap,
            PASS_THEN_FAIL,
            |s, step| {
                s.mandate.spent = Spent { day_sum: units(180), ..s.mandate.spent.seen_at(s.now) };
                around_70(s, step);
            },
            |_| figures(251, 250),
        ),
        row(
            Reason::MonthCap,
            PASS_THEN_FAIL,
            |s, step| {
                s.mandate.spent = Spent { month_sum: units(930), ..s.mandate.spent.seen_at(s.now) };
                around_70(s, step);
            },
            |_| figures(1_001, 1_000),
        ),
        row(
            Reason::LifetimeCap,
            PASS_THEN_FAIL,
            |s, step| {
                s.mandate.lifetime_spent = units(2_930);
                around_70(s, step);
            },
            |_| figures(3_001, 3_000),
        ),
        row(
            Reason::Ceiling,
            PASS_THEN_FAIL,
            |s, step| {
                s.ceiling.set(units(100), s.now);
                let _ = s.pay(1, 30, s.now);
                s.request = request(0x21);
                around_70(s, step);
            },
            |_| figures(101, 100),
        ),
        row(
            Reason::Funds,
            PASS_THEN_FAIL,
            |s, step| {
                s.mandate.funds = Funds { balance: units(100), reserved: units(30) };
                around_70(s, step);
            },
            |_| figures(71, 70),
        ),
    ]
}

fn about_who_asks() -> Vec<Row> {
    vec![
        row(
            Reason::ZeroRequestId,
            EQUAL,
            |s, step| s.request.request_id = at(step, SERVICE, B256::ZERO),
            nothing,
        ),
        row(
            Reason::RequestUsed,
            PASS_FAIL_FAIL,
            |s, step| {
                if step > 0 {
                    let _ = s.authorize();
                }
            },
            |_| figures(State::Escrowed, 0),
        ),
        row(
            Reason::RequestCancelled,
            PASS_FAIL_FAIL,
            |s, step| {
                if step > 0 {
                    let _ = s.mandate.cancel_request(&s.request, By::caller(OWNER), s.now);
                }
            },
            |_| figures(State::Cancelled, 0),
        ),
        row(
            Reason::ApprovalMissing,
            PASS_THEN_FAIL,
            |s, step| {
                s.proof.approval = SignedApproval::default();
                s.request.max_amount = units(59 + u128::from(step));
            },
            |_| figures(61, 60),
        ),
        row(
            Reason::AgentSignature,
            EQUAL,
            |s, step| {
                s.proof.agent =
                    By { caller: STRANGER, signature: at(step, Signature::Of(AGENT), Signature::Bad) }
            },
            |_| figures(STRANGER, AGENT),
        ),
        row(
            Reason::ApprovalExpired,
            FAIL_FAIL_PASS,
            |s, step| {
                s.request.max_amount = units(61);
                s.proof.approval.valid_before = UnixSeconds(s.now.0 - 1 + step);
            },
            |s| figures(s.now, s.proof.approval.valid_before),
        ),
        row(
            Reason::ApprovalSignature,
            EQUAL,
            |s, step| {
                s.request.max_amount = units(61);
                s.proof.approval.signature = at(step, Signature::Of(OWNER), Signature::Of(AGENT));
            },
            |_| figures(0, OWNER),
        ),
    ]
}

fn table() -> Vec<Row> {
    [about_the_mandate(), about_times(), about_the_entry(), about_sums(), about_who_asks()]
        .into_iter()
        .flatten()
        .collect()
}

#[test]
fn each_rule_refuses_on_its_side_of_its_boundary_and_names_both_numbers() {
    for Row { reason, answers, set, numbers } in table() {
        for (step, answer) in (0..).zip(answers) {
            let mut scene = Scene::new();
            set(&mut scene, step);
            let verdict = scene.verdict();
            if answer == '+' {
                assert!(verdict.is_ok(), "{reason} at step {step}: {verdict:?}");
            } else {
                let (got, limit) = numbers(&scene);
                assert_eq!(verdict, Err(refused(reason, got, limit)), "{reason} at step {step}");
            }
        }
    }
}

// M9
#[test]
fn m9_the_verdict_is_the_first_rule_that_does_not_pass_whatever_else_is_wrong() {
    let rules: Vec<_> = Scene::new().findings().iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, Reason::ALL[1..=34], "the order is that of the contract");
    for first in table() {
        for second in table() {
            let mut scene = Scene::new();
            (second.set)(&mut scene, 0);
            (first.set)(&mut scene, 2);
            let broken = scene.findings().into_iter().find(|finding| !finding.passes());
            let verdict = scene.verdict().err();
            assert_eq!(verdict, broken.and_then(|finding| finding.verdict().err()));
        }
    }
}

#[test]
fn the_table_has_every_rule_but_that_of_existence() {
    let rules: Vec<_> = table().iter().map(|row| row.reason).collect();
    assert_eq!(rules, Reason::ALL[2..=34]);
}
