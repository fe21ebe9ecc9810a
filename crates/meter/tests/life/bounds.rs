//! Nothing grows without end (B7, B13).

use meter::{Gate, Item, Outcome, Refusal, Verdict, limits, quote};
use primitives::Digest;
use tariff::{Pricing, Quantity, UnitPrice, Version};

use crate::cast::*;
use crate::desk::{Ask, Desk};

fn size(desk: &Desk) -> usize {
    serde_json::to_string(&desk.life.state).unwrap().len()
}

fn priced(number: u32, word: &str) -> Item {
    let pricing = Pricing::Flat { unit: "1".parse().unwrap() };
    let version = Version { number, from: START, pricing };
    Item { price: Some(version), ..item(word, "1", 1, START) }
}

#[test]
fn the_state_is_as_large_after_many_events_and_bills_as_after_one() {
    let mut desk = Desk::new(0, 1);
    let mut sizes = Vec::new();
    for bulk in 0..30 {
        let items = (0..100).map(|number| item(&format!("{bulk}-{number}"), "1", 1, START)).collect();
        desk.hears(&Ask::Record(items, Gate::Postpaid), START).unwrap();
        let word = format!("b{bulk}");
        desk.hears(&Ask::Draft(word.clone(), vec![]), START).unwrap();
        desk.hears(&Ask::Submit(word.clone(), means("x402")), START).unwrap();
        let paid = Outcome::Paid { proof: "proof".to_owned() };
        desk.hears(&Ask::Report(word, means("x402"), paid), START).unwrap();
        sizes.push(size(&desk));
    }
    // Only numbers get longer.
    assert!(sizes[29] < sizes[0] + 20, "{sizes:?}");
    assert!(sizes[29] < 1_000, "{sizes:?}");
}

#[test]
fn a_bulk_is_bounded() {
    let mut desk = Desk::new(0, 1);
    let items = |count: usize| {
        (0..count).map(|number| item(&format!("e{number}"), "1", 1, START)).collect::<Vec<_>>()
    };
    let too_many = items(limits::BULK + 1);
    let said = desk.verdicts(&too_many, Gate::Postpaid, START);
    assert!(said.iter().all(|verdict| *verdict == Verdict::Refused(Refusal::BulkTooLarge)));
    assert_eq!(desk.hears(&Ask::Record(too_many, Gate::Postpaid), START), Err(Refusal::BulkTooLarge));
    desk.hears(&Ask::Record(items(limits::BULK), Gate::Postpaid), START).unwrap();
}

#[test]
fn open_prices_are_bounded_also_by_what_can_come_back() {
    let mut desk = Desk::new(0, 1);
    let half = u32::try_from(limits::OPEN_VERSIONS).unwrap() / 2;
    let bulk = |from: u32, to: u32| {
        Ask::Record((from..to).map(|it| priced(it, &format!("e{it}"))).collect(), Gate::Postpaid)
    };
    desk.hears(&bulk(1, half + 1), START).unwrap();
    desk.hears(&Ask::Draft("b".to_owned(), vec![]), START).unwrap();
    desk.hears(&bulk(half + 1, 2 * half + 1), START).unwrap();
    let one_more = priced(2 * half + 1, "more");
    let said = desk.verdicts(&[one_more], Gate::Postpaid, START);
    assert_eq!(said, [Verdict::Refused(Refusal::TooManyPrices)]);
    let known = priced(1, "known");
    assert_eq!(desk.verdicts(&[known], Gate::Postpaid, START), [Verdict::Recorded { version: 1 }]);
    desk.hears(&Ask::Void("b".to_owned()), START).unwrap();
    assert_eq!(desk.life.state.book().unwrap().open.len(), limits::OPEN_VERSIONS);
    assert!(size(&desk) < 20_000);
}

#[test]
fn what_could_not_be_counted_is_refused_in_the_middle_of_a_bulk_and_the_rest_counts() {
    let mut desk = Desk::new(0, 1);
    // The dearest price there can be: 10^15 base units, less a billionth of one.
    let unit: UnitPrice = "999999999999999.999999999".parse().unwrap();
    let dear = |word: &str, quantity: Quantity| {
        let version = Version { number: 7, from: START, pricing: Pricing::Flat { unit } };
        let fingerprint = Digest::of(&[word.as_bytes()]);
        Item { price: Some(version), quantity, fingerprint, ..item(word, "1", 1, START) }
    };
    let most = u128::try_from(limits::AMOUNT.0).unwrap() / unit.0 / 1_000 * 1_000;
    let items = vec![
        dear("a", Quantity(most - 1_000)),
        dear("b", Quantity(2_000)),
        dear("c", Quantity(1_000)),
        item("free", "1", 4, START),
        item("cheap", "1", 1, START),
    ];
    let said = desk.verdicts(&items, Gate::Postpaid, START);
    let refused = Verdict::Refused(Refusal::AmountTooLarge);
    let (dear, free) = (Verdict::Recorded { version: 7 }, Verdict::Recorded { version: 4 });
    assert_eq!(said[..4], [dear.clone(), refused, dear, free]);
    desk.hears(&Ask::Record(items, Gate::Postpaid), START).unwrap();
    quote(&desk.life.state, &[]).unwrap();
    desk.hears(&Ask::Draft("b".to_owned(), vec![]), START).unwrap();
}

#[test]
fn reservations_are_bounded() {
    let mut desk = Desk::new(0, 1);
    let reserve = |number: usize| Ask::Reserve {
        word: format!("h{number}"),
        quantity: "1".to_owned(),
        version: 1,
        minutes: 5,
        gate: Gate::Prepaid,
    };
    for number in 0..limits::RESERVATIONS {
        desk.hears(&reserve(number), START).unwrap();
    }
    assert_eq!(desk.hears(&reserve(limits::RESERVATIONS), START), Err(Refusal::TooManyReservations));
    assert!(size(&desk) < 100_000);
    desk.hears(&Ask::Release("h0".to_owned()), START).unwrap();
    desk.hears(&reserve(limits::RESERVATIONS), START).unwrap();
}

#[test]
fn credits_that_wait_are_bounded_by_lines() {
    let mut desk = Desk::new(0, 1);
    let mut told = 0;
    for bill in 0..limits::ADJUSTMENTS / 10 {
        let items = (1..11).map(|version| priced(version, &format!("{bill}-{version}"))).collect();
        desk.hears(&Ask::Record(items, Gate::Postpaid), START).unwrap();
        let word = format!("b{bill}");
        desk.hears(&Ask::Draft(word.clone(), vec![]), START).unwrap();
        desk.hears(&Ask::Submit(word.clone(), means("x402")), START).unwrap();
        let paid = Outcome::Paid { proof: "proof".to_owned() };
        desk.hears(&Ask::Report(word, means("x402"), paid), START).unwrap();
    }
    desk.hears(&Ask::Record(vec![priced(1, "more")], Gate::Postpaid), START).unwrap();
    desk.hears(&Ask::Draft("more".to_owned(), vec![]), START).unwrap();
    let reverse = |of: String| Ask::Reverse { word: format!("r{of}"), of };
    for bill in 0..limits::ADJUSTMENTS / 10 {
        for version in 1..11 {
            desk.hears(&reverse(format!("{bill}-{version}")), START).unwrap();
            told += 1;
        }
    }
    assert_eq!(told, limits::ADJUSTMENTS);
    assert_eq!(desk.hears(&reverse("more".to_owned()), START), Err(Refusal::TooManyAdjustments));
    desk.hears(&Ask::Void("more".to_owned()), START).unwrap();
    desk.hears(&Ask::Draft("next".to_owned(), vec![]), START).unwrap();
    desk.hears(&reverse("more".to_owned()), START).unwrap();
}
