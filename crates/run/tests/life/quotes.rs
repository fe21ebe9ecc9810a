//! R1: what is wrong with a cart, judged twice: by the core, and by the witness in other words.

use proptest::prelude::*;
use run::{Cart, Cents, Fact, Item, Line};

use crate::answers::*;
use crate::cast::*;
use crate::script::walk;
use crate::witness::faults_of;

/// A cart with anything wrong in it, or nothing.
fn carts() -> impl Strategy<Value = Cart> {
    let amount =
        || prop_oneof![8 => 0_u64..1_300, 1 => Just(Cents::MAX.0), 1 => Just(u64::MAX)].prop_map(Cents);
    let product = prop_oneof![
        6 => Just("Refrigerante Coca-Cola Zero 2L"),
        1 => Just("COCA COLA 2l retornavel"),
        1 => Just("Coca-Cola 350ml"),
        1 => Just("Coca-Cola 12L"),
        1 => Just(""),
    ];
    let quantity = prop_oneof![6 => Just(2_u32), 2 => 0_u32..4, 1 => Just(u32::MAX)];
    let honest = prop::bool::weighted(0.9);
    let item = (product, quantity, amount(), amount(), honest).prop_map(
        |(product, quantity, unit, total, honest)| {
            let sum = Cents(unit.0.saturating_mul(u64::from(quantity)));
            Item {
                product: product.to_owned(),
                quantity,
                unit_price: unit,
                total: if honest { sum } else { total },
            }
        },
    );
    let line = || amount().prop_map(|amount| Line { name: "delivery".to_owned(), amount });
    let lines = |most| prop::collection::vec(line(), 0..most);
    let items =
        prop_oneof![6 => prop::collection::vec(item.clone(), 1..2), 1 => prop::collection::vec(item, 0..3)];
    let shop = prop_oneof![8 => Just("Shop A"), 1 => Just("Shop B"), 1 => Just("shop a")];
    (shop, items, lines(3), lines(2), amount(), prop::bool::weighted(0.9)).prop_map(
        |(shop, items, fees, discounts, total, honest)| {
            let sum =
                |lines: &[Line]| lines.iter().fold(0_u64, |sum, line| sum.saturating_add(line.amount.0));
            let items_sum = items.iter().fold(0_u64, |sum, item| sum.saturating_add(item.total.0));
            let exact = items_sum.saturating_add(sum(&fees)).saturating_sub(sum(&discounts));
            let total = if honest { Cents(exact) } else { total };
            Cart { merchant: shop.to_owned(), items, fees, discounts, total, eta_minutes: None }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn a_cart_is_taken_if_and_only_if_nothing_is_wrong_with_it(cart in carts()) {
        let (mut life, now) = walk("create max:2000; market A:1003");
        let intent = run::Intent { max_total: Cents(2_000), ..intent() };
        let expected = faults_of(&intent, &candidate("A", 1_003, now), &cart);
        let heard = life.hears(cart_read(&life, cart.clone(), now), now);
        let Ok(heard) = heard else {
            // What is beyond every bound is no cart.
            prop_assert!(!expected.is_empty(), "{:?}", heard);
            return Ok(());
        };
        let facts = heard.events.iter().find_map(|event| match &event.fact {
            Fact::QuoteValidated { .. } => Some(Vec::new()),
            Fact::CandidateRejected { reasons, .. } => Some(reasons.clone()),
            _ => None,
        });
        prop_assert_eq!(facts, Some(expected.into_iter().map(str::to_owned).collect::<Vec<_>>()));
    }
}
