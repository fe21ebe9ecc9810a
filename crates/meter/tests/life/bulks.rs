//! A bulk is its events one by one (B1, B2, B3).

use meter::{Gate, Item, Known, Refusal, Verdict, limits};
use primitives::Millis;
use proptest::prelude::*;
use tariff::Quantity;

use crate::cast::*;
use crate::desk::{Ask, Desk};
use crate::laws::event;

/// Events, some of them more than once, some of them not to be taken.
fn items() -> impl Strategy<Value = Vec<Item>> {
    let odd = |item: Item, kind: usize| match kind {
        0 => Item { quantity: Quantity::ZERO, ..item },
        1 => Item { quantity: quantity("0.0001"), ..item },
        2 => Item { at: START.plus(limits::EARLY).plus(Millis(1)), ..item },
        3 => Item { at: START.minus(limits::LATE_MAX).minus(Millis(1)), ..item },
        4 => Item { price: None, ..item },
        _ => item,
    };
    let one = (0_usize..30, 0_usize..20).prop_map(move |(number, kind)| {
        let at = START.minus(Millis::from_minutes(number as u64));
        // What is odd about an event is so each time that it is sent.
        odd(event(number, true, at), if kind == 0 { number } else { kind + 5 })
    });
    prop::collection::vec(one, 1..40)
}

fn singly(items: &[Item]) -> (Desk, Vec<Verdict>) {
    let mut desk = Desk::new(0, 1);
    let verdicts = items.iter().map(|item| {
        let one = core::slice::from_ref(item);
        let verdict = desk.verdicts(one, Gate::Postpaid, START).remove(0);
        desk.hears(&Ask::Record(one.to_vec(), Gate::Postpaid), START).unwrap();
        verdict
    });
    let verdicts = verdicts.collect();
    (desk, verdicts)
}

proptest! {
    #[test]
    fn a_bulk_comes_to_the_same_as_its_events_one_by_one(items in items()) {
        let mut desk = Desk::new(0, 1);
        let verdicts = desk.verdicts(&items, Gate::Postpaid, START);
        let recorded = desk.hears(&Ask::Record(items.clone(), Gate::Postpaid), START).unwrap();
        prop_assert!(recorded.len() <= 2, "one event, and the first one's beginning");
        let (single, said) = singly(&items);
        prop_assert_eq!(verdicts, said);
        prop_assert_eq!(desk.life.state, single.life.state);
        prop_assert_eq!(desk.hours, single.hours);
    }

    #[test]
    fn the_order_of_events_does_not_matter(
        (items, shuffled) in items().prop_flat_map(|items| (Just(items.clone()), Just(items).prop_shuffle()))
    ) {
        // What is odd of an event that was sent otherwise before depends on which came first.
        let is_sound = |item: &Item| item.price.is_some() && item.quantity == event(number(item), true, START).quantity;
        let sound = |items: Vec<Item>| -> Vec<Item> { items.into_iter().filter(is_sound).filter(|item| item.at <= START && item.at >= START.minus(limits::LATE_MAX)).collect() };
        let book = |items: Vec<Item>| singly(&sound(items)).0.life.state;
        prop_assert_eq!(book(items), book(shuffled));
    }
}

fn number(item: &Item) -> usize {
    item.key.id.as_str()[1..].parse().unwrap()
}

fn verdict(item: Item, gate: Gate) -> Verdict {
    Desk::new(0, 1).verdicts(&[item], gate, START).remove(0)
}

#[test]
fn what_is_not_taken_is_refused_by_name_at_its_bound_and_not_before() {
    let sound = || item("e", "1", 1, START);
    let refusals = [
        (Item { quantity: Quantity::ZERO, ..sound() }, Refusal::QuantityZero),
        (
            Item { quantity: Quantity(Quantity::whole(limits::EVENT_UNITS).0 + 1_000), ..sound() },
            Refusal::QuantityTooLarge,
        ),
        (Item { quantity: quantity("0.0001"), ..sound() }, Refusal::QuantityTooFine { digits: 3 }),
        (Item { at: START.plus(limits::EARLY).plus(Millis(1)), ..sound() }, Refusal::TooEarly),
        (Item { at: START.minus(limits::LATE_MAX).minus(Millis(1)), ..sound() }, Refusal::TooLate),
        (Item { price: None, ..sound() }, Refusal::BeforeService),
        (Item { known: Known::Other, ..sound() }, Refusal::EventConflict),
    ];
    for (item, refusal) in refusals {
        let items = [item];
        let window = WINDOW;
        let said =
            meter::verdicts(&meter::State::Unused, &subject(0, 1), &items, window, Gate::Postpaid, START);
        assert_eq!(said, [Verdict::Refused(refusal)]);
    }
    for item in [
        Item { quantity: Quantity::whole(limits::EVENT_UNITS), ..sound() },
        Item { quantity: quantity("0.001"), ..sound() },
        Item { at: START.plus(limits::EARLY), ..sound() },
        Item { at: START.minus(limits::LATE_MAX), ..sound() },
    ] {
        assert_eq!(verdict(item, Gate::Postpaid), Verdict::Recorded { version: 1 });
    }
    assert_eq!(verdict(sound(), Gate::Prepaid), Verdict::Refused(Refusal::ReservationRequired));
}

#[test]
fn the_same_name_for_something_else_is_refused_within_a_bulk_too() {
    let mut desk = Desk::new(0, 1);
    let items = vec![item("e", "1", 1, START), item("e", "2", 1, START), item("e", "1", 1, START)];
    let said = desk.verdicts(&items, Gate::Postpaid, START);
    let conflict = Verdict::Refused(Refusal::EventConflict);
    assert_eq!(said, [Verdict::Recorded { version: 1 }, conflict, Verdict::Duplicate]);
    desk.hears(&Ask::Record(items, Gate::Postpaid), START).unwrap();
    assert_eq!(desk.life.state.book().unwrap().totals.recorded, quantity("1"));
}
