//! The rules, one by one and in any order.

use payment::identifier::{Command, Fact, Refusal, State, apply, deadline};
use proptest::prelude::*;

use crate::cast::*;

fn bound(state: &State) -> Option<primitives::PaymentId> {
    state.binding().map(|binding| binding.payment.clone())
}

#[test]
fn i1_another_request_under_the_same_name_is_refused_and_changes_nothing() {
    let mut state = State::default();
    hear(&mut state, bind("R1", 1, None)).unwrap();
    let before = state.clone();
    for in_place_of in [None, Some(1), Some(2)] {
        let refusal = hear(&mut state, bind("R2", 2, in_place_of)).unwrap_err();
        assert_eq!((refusal.clone(), refusal.code()), (Refusal::Reused, "payment_identifier_reused"));
        assert_eq!(state, before);
    }
}

#[test]
fn i2_the_first_payment_answers_for_every_later_one() {
    let mut state = State::default();
    assert_eq!(hear(&mut state, bind("R1", 1, None)).unwrap().len(), 1);
    for number in [1, 2, 3] {
        assert!(hear(&mut state, bind("R1", number, None)).unwrap().is_empty());
        assert_eq!(state.binding(), Some(&binding(1)), "with its authorization");
    }
}

#[test]
fn i3_of_many_that_replace_a_failed_payment_one_wins() {
    let mut state = State::default();
    hear(&mut state, bind("R1", 1, None)).unwrap();
    let events = hear(&mut state, bind("R1", 2, Some(1))).unwrap();
    assert!(matches!(&events[..], [event] if matches!(event.fact, Fact::Rebound { .. })));
    for (number, in_place_of) in [(3, Some(1)), (3, None), (2, Some(2)), (1, Some(1))] {
        assert!(hear(&mut state, bind("R1", number, in_place_of)).unwrap().is_empty());
        assert_eq!(bound(&state), Some(payment(2)));
    }
}

#[test]
fn time_changes_nothing() {
    let mut state = State::default();
    assert_eq!(hear(&mut state, Command::Wake), Ok(Vec::new()));
    hear(&mut state, bind("R1", 1, None)).unwrap();
    assert_eq!(hear(&mut state, Command::Wake), Ok(Vec::new()));
    assert_eq!(deadline(&state), None);
}

#[test]
fn an_event_that_cannot_follow_is_corrupt() {
    let mut one = State::default();
    let first = hear(&mut one, bind("R1", 1, None)).unwrap().remove(0);
    assert!(apply(one.clone(), &first).is_err());
    let second = hear(&mut one, bind("R1", 2, Some(1))).unwrap().remove(0);
    assert!(apply(one, &second).is_err());
    assert!(apply(State::default(), &second).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    // I1, I2, I3: the request never changes, and the payment changes only where the one that is bound is named.
    #[test]
    fn a_bound_payment_stays_until_it_is_named(
        requests in prop::collection::vec((0_u8..2, 0_u8..4, prop::option::of(0_u8..4)), 1..30)
    ) {
        let (mut state, mut request_of_all) = (State::default(), None);
        for (request, number, in_place_of) in requests {
            let before = state.clone();
            let outcome = hear(&mut state, bind(&format!("R{request}"), number, in_place_of));
            let owner = *request_of_all.get_or_insert(request);
            prop_assert_eq!(outcome.is_err(), request != owner);
            match bound(&before) {
                None => prop_assert_eq!(bound(&state), Some(payment(number))),
                Some(old) if bound(&state) != Some(old.clone()) => {
                    prop_assert_eq!(in_place_of.map(payment), Some(old));
                    prop_assert_eq!(bound(&state), Some(payment(number)));
                }
                Some(_) => prop_assert_eq!(state.clone(), before),
            }
        }
    }
}
