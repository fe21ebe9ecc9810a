//! What is said of a request beforehand is what is said when it comes.

use api::outbound::mandate::{evaluation, message, request as shown, typed_data};
use api::wire::{Evaluation, Verdict};
use eip712::B256;
use mandate::life::{Act, Command, Progress, Refusal, State, limits, progress};
use mandate::{AMOUNT_MAX, Creation, Policy, Request};
use primitives::{BaseUnits, UnixMillis};
use proptest::prelude::*;
use serde_json::json;

use crate::cast::*;
use crate::chance::{altered, lived, turns};

fn said(life: &Life, asked: &Request, now: UnixMillis) -> Evaluation {
    evaluation(&life.state, asked, life.filed_as(asked.request_id), &LEDGER, now).unwrap()
}

fn code(life: &Life, asked: &Request, now: UnixMillis) -> String {
    said(life, asked, now).code.unwrap_or_else(|| "none".to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// M9, L1
    #[test]
    fn an_evaluation_says_what_the_request_would_be_answered(
        turns in turns(),
        (id, amount) in (1..9_u8, 1..110_u128),
        how in 0..30_usize,
        minutes in prop_oneof![Just(0), 0..3_000_u64],
    ) {
        let mut world = lived(&turns);
        let asked = altered(world.request(id, amount), how, world.now);
        let now = UnixMillis(world.now.0 + 60_000 * minutes);
        let before = world.life.clone();
        let said = said(&world.life, &asked, now);
        prop_assert_eq!(&world.life.state, &before.state);

        // The alarm rings; beforehand nobody had recorded what time has done.
        world.life.hears(Command::Wake, now).unwrap();
        let answer = world.life.hears(ask(asked), now);
        let stands = progress(&world.life.state, asked.payment, world.life.filed_as(asked.request_id));
        let broken = said.checks.iter().find(|check| !check.passes).map(|check| &check.rule);
        prop_assert_eq!(broken, said.code.as_ref());
        match (answer, said.verdict) {
            (Err(refusal), Verdict::Refused) => {
                prop_assert_eq!(said.code.as_deref(), Some(refusal.code()));
                let failing = said.checks.iter().filter(|check| !check.passes).map(|check| &check.message);
                let messages = failing.cloned().collect::<Vec<_>>().join(" ");
                prop_assert!(messages.starts_with(&refusal.to_string()), "{messages} for {refusal}");
            }
            (Ok(()), Verdict::Refused) => {
                prop_assert_eq!(said.code.as_deref(), Some("request_unavailable_in_state"));
                // It was answered by what had become of it before.
                prop_assert!(!matches!(stands, None | Some(Progress::AwaitingApproval | Progress::Approved)));
            }
            (Ok(()), Verdict::Allowed) => prop_assert_eq!(stands, Some(Progress::Escrowed)),
            (Ok(()), Verdict::NeedsApproval) => prop_assert_eq!(stands, Some(Progress::AwaitingApproval)),
            (Err(refusal), verdict) => prop_assert!(false, "{verdict:?} for {refusal}"),
        }
    }
}

#[test]
fn all_is_said_that_there_is_to_say() {
    let (life, asked) = (Life::new(), request(1, 70));
    let said = said(&life, &asked, START);
    assert_eq!((said.verdict, said.code), (Verdict::NeedsApproval, None));
    assert_eq!(said.checks.len(), 34);
    assert!(said.checks.iter().all(|check| check.passes && check.message.is_empty()));
    assert_eq!(said.remaining, api::outbound::mandate::budget(life.book(), PROVIDER, SERVICE, START));
    assert_eq!((said.request, said.payment), (shown(&message(&asked)), asked.payment.to_string()));
    assert_eq!(said.typed_data, typed_data(&message(&asked), &LEDGER.domain()));
}

#[test]
fn a_check_is_in_words() {
    let life = Life::new();
    let said = said(&life, &request(1, 150), START);
    let check = |rule: &str| json!(said.checks.iter().find(|check| check.rule == rule).unwrap());
    let cap = json!({
        "rule": "payment_cap",
        "passes": false,
        "got": "150",
        "limit": "100",
        "message": "The mandate allows 100 for one payment, and the request is for 150. Ask for less.",
    });
    assert_eq!(check("payment_cap"), cap);
    let paused = json!({ "rule": "paused", "passes": true, "got": "", "limit": "", "message": "" });
    assert_eq!(check("paused"), paused);
    assert_eq!(check("mandate_expired")["limit"], json!("2028-01-04T14:00:00.000Z"));
    assert_eq!((said.verdict, said.code.as_deref()), (Verdict::Refused, Some("entry_payment_cap")));
}

#[test]
fn no_cap_is_none() {
    let policy = Policy { month_cap: AMOUNT_MAX, day_count: u32::MAX, ..policy() };
    let life = Life::labelled("", Creation { policy, ..creation() });
    let said = said(&life, &request(1, 40), START);
    let limit = |rule: &str| said.checks.iter().find(|check| check.rule == rule).unwrap().limit.clone();
    let limits = ["month_cap", "day_count", "ceiling", "day_cap", "policy_version"].map(limit);
    assert_eq!(limits, ["none", "none", "none", "250", "1"]);
}

#[test]
fn what_has_become_of_a_request_comes_before_the_rules() {
    let (asked, now) = (request(1, 70), at(60));
    let waits = Life::after([ask(asked)]);
    assert_eq!(said(&waits, &asked, now).verdict, Verdict::NeedsApproval);
    let approved = Life::after([ask(asked), approve(&asked, at(HOUR), b"signature")]);
    assert_eq!(said(&approved, &asked, now).verdict, Verdict::Allowed);
    let rejected = Life::after([ask(asked), reject(&asked, "No.")]);
    assert_eq!(code(&rejected, &asked, now), "request_unavailable_in_state");
    let open = Life::after([ask(request(1, 40))]);
    assert_eq!(code(&open, &request(1, 40), now), "request_unavailable_in_state");
    // It is open, and so its id is taken; nothing else is wrong with either.
    assert_eq!(code(&open, &request(1, 41), now), "request_id_reused");
    let over = Life::after([ask(request(1, 40)), act(&request(1, 40), Act::Void, PROVIDER)]);
    assert_eq!(code(&over, &request(1, 41), now), "request_id_reused");
}

/// L9
#[test]
fn what_time_has_done_is_known_though_nobody_recorded_it() {
    let asked = request(1, 70);
    let life = Life::after([ask(asked)]);
    let said_then = said(&life, &asked, at(2 * HOUR));
    assert_eq!(said_then.code.as_deref(), Some("request_unavailable_in_state"));
    assert!(said_then.checks[0].message.contains("expired"), "{:?}", said_then.checks[0]);
    // Money that an undelivered payment held is free again.
    let mut life = Life::new();
    for id in 1..=2 {
        life.hears(ask(named(Request { max_amount: BaseUnits(60), ..request(id, 60) })), START).unwrap();
    }
    let withdraw = mandate::life::Change::Withdraw { amount: eip712::U256::from(380) };
    life.hears(Command::Change { change: withdraw, by: OWNER }, START).unwrap();
    assert_eq!(code(&life, &request(3, 40), at(60)), "funds");
    let later = request_at(3, 40, at(2 * HOUR));
    assert_eq!(code(&life, &later, at(2 * HOUR)), "none");
}

#[test]
fn bounds_are_no_rules_and_are_said_first() {
    let policy = Policy { day_count: u32::MAX, day_cap: BaseUnits(200), ..policy() };
    let mut life = Life::labelled("", Creation { policy, ..creation() });
    for number in 0..limits::OPEN {
        let request_id = B256::left_padding_from(&(number + 1).to_be_bytes());
        life.hears(ask(named(Request { request_id, ..request(1, 1) })), START).unwrap();
    }
    let said = said(&life, &request(0xff, 1), START);
    assert_eq!((said.verdict, said.code.as_deref()), (Verdict::Refused, Some("too_many_open_payments")));
    assert!(said.checks.iter().any(|check| check.rule == "day_cap" && !check.passes));
}

#[test]
fn there_is_nothing_to_say_without_a_mandate() {
    let nothing = evaluation(&State::Unborn, &request(1, 1), None, &LEDGER, START);
    assert_eq!(nothing, Err(Refusal::Unborn));
}
