//! What is bought here, judged by arithmetic of its own: markets, carts and stories (Y1, Y2).
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

use primitives::{RunId, UnixMillis};
use proptest::prelude::*;
use run::{BrowserResult, Candidate, Cart, Cents, Found, Intent, Task};
use synthetic::{Errand, SOURCE, Story, executor, market};

const NOW: UnixMillis = UnixMillis(1_800_000_000_000);

fn intent(requirement: &str, quantity: u32, most: u64) -> Intent {
    Intent { requirement: requirement.to_owned(), quantity, max_total: Cents(most) }
}

#[track_caller]
fn offers(intent: &Intent) -> Vec<Candidate> {
    match market(intent, NOW) {
        Found::Candidates { source, candidates } => {
            assert_eq!(source, SOURCE);
            candidates
        }
        Found::Unavailable { reason } => panic!("the synthetic market is never down: {reason}"),
    }
}

fn revalidate(candidate: &Candidate, intent: &Intent) -> Task {
    let Intent { requirement, quantity, .. } = intent.clone();
    Task::RevalidateCandidate { candidate: candidate.clone(), requirement, quantity }
}

fn say(task: &Task, errand: Option<&Errand>) -> Vec<BrowserResult> {
    executor(&RunId::derive(&[b"a run"]), task, errand, NOW)
}

#[track_caller]
fn cart(result: &BrowserResult) -> Cart {
    let BrowserResult::Quote { cart, captured_at, page } = result else { panic!("no cart: {result:?}") };
    assert_eq!((*captured_at, page.starts_with("synthetic:")), (NOW, true));
    cart.clone()
}

/// What is wrong with a cart, in the field's words.
fn faults(cart: &Cart, intent: &Intent, candidate: &Candidate) -> Vec<&'static str> {
    let sum =
        |amounts: &mut dyn Iterator<Item = Cents>| amounts.map(|cents| u128::from(cents.0)).sum::<u128>();
    let lines_hold = cart
        .items
        .iter()
        .all(|item| u128::from(item.unit_price.0) * u128::from(item.quantity) == u128::from(item.total.0));
    let on_top =
        sum(&mut cart.items.iter().map(|item| item.total)) + sum(&mut cart.fees.iter().map(|fee| fee.amount));
    let off = sum(&mut cart.discounts.iter().map(|discount| discount.amount));
    let quantity: u32 = cart.items.iter().map(|item| item.quantity).sum();
    let most = u128::from(candidate.observed_total.0) * 110;
    let found = [
        (!lines_hold || on_top - off != u128::from(cart.total.0), "does_not_reconcile"),
        (cart.items.iter().any(|item| item.product != intent.requirement), "wrong_product"),
        (quantity != intent.quantity, "wrong_quantity"),
        (cart.merchant != candidate.merchant, "wrong_merchant"),
        (cart.total > intent.max_total, "over_budget"),
        (u128::from(cart.total.0) * 100 > most, "drift_too_high"),
    ];
    found.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, fault)| fault).collect()
}

/// What an executor says to one candidate after another, in short.
fn course(requirement: &str) -> Vec<String> {
    let intent = intent(requirement, 2, 8_000);
    let tell = |candidate: &Candidate| {
        let said = say(&revalidate(candidate, &intent), None);
        let in_short = said.iter().map(|result| match result {
            BrowserResult::Started => "started".to_owned(),
            BrowserResult::NeedsUser { .. } => "needs user".to_owned(),
            BrowserResult::Unavailable { .. } => "unavailable".to_owned(),
            BrowserResult::Quote { cart, .. } => format!("quote {:?}", faults(cart, &intent, candidate)),
            BrowserResult::Pix(_) | BrowserResult::Order(_) | BrowserResult::Error { .. } => {
                format!("{result:?}")
            }
        });
        in_short.collect::<Vec<_>>().join(", ")
    };
    offers(&intent).iter().map(tell).collect()
}

#[test]
fn each_story_takes_its_course() {
    const GOOD: &str = "started, quote []";
    const DEAR: &str = r#"started, quote ["over_budget"]"#;
    assert_eq!(course("coca-cola 2l"), [GOOD, GOOD, GOOD]);
    assert_eq!(course("Coca-Cola GONE 2l"), ["started, unavailable", GOOD, GOOD]);
    assert_eq!(course("coca-cola drift"), [r#"started, quote ["drift_too_high"]"#, GOOD, GOOD]);
    assert_eq!(course("login, coca-cola"), ["started, needs user, quote []"; 3]);
    assert_eq!(course("dear coca-cola"), [DEAR; 3]);
    assert_eq!(course("nothing"), [""; 0]);
    for (story, courses) in
        [(Story::Gone, 3), (Story::Drift, 3), (Story::Login, 3), (Story::Dear, 3), (Story::Nothing, 0)]
    {
        assert_eq!(course(story.word()).len(), courses);
        assert_ne!(course(story.word()), [GOOD; 3], "{}", story.plot());
    }
}

#[test]
fn what_is_dear_is_over_the_budget_in_the_market_already() {
    let intent = intent("dear coca-cola", 1, 99_999_999);
    assert!(offers(&intent).iter().all(|offer| offer.observed_total > intent.max_total));
}

/// Documents and demonstrations name it.
#[test]
fn a_known_product_keeps_its_price() {
    let totals: Vec<u64> =
        offers(&intent("coca-cola 2l", 2, 0)).iter().map(|offer| offer.observed_total.0).collect();
    let same: Vec<u64> =
        offers(&intent(" COCA cola, 2L ", 2, 0)).iter().map(|offer| offer.observed_total.0).collect();
    assert_eq!(totals, [4_364, 4_570, 4_912]);
    assert_eq!(totals, same);
}

#[test]
fn the_checkout_reads_what_was_put_into_the_cart() {
    let intent = intent("coca-cola drift login", 3, 20_000);
    let offer = offers(&intent).remove(1);
    let task = revalidate(&offer, &intent);
    let errand = Errand::begun_by(&task).unwrap();
    let first = cart(say(&task, None).last().unwrap());
    for task in [Task::PrepareCheckout, Task::ReadCheckout] {
        let said = say(&task, Some(&errand));
        assert_eq!((said.len(), cart(&said[0])), (1, first.clone()));
        assert!(matches!(say(&task, None).as_slice(), [BrowserResult::Error { .. }]));
    }
    let said = say(&Task::ReadPix { expected: first.total }, None);
    let [BrowserResult::Pix(target)] = said.as_slice() else { panic!("{said:?}") };
    assert_eq!(target.amount, first.total);
    assert!(target.expires_at > Some(NOW) && target.payload_digest.is_some());
    let said = say(&Task::VerifyOrder, None);
    let [BrowserResult::Order(order)] = said.as_slice() else { panic!("{said:?}") };
    assert!(order.confirmed && order.evidence.starts_with("simulated"));
}

#[test]
fn the_demo_executor_looks_at_no_other_shop() {
    let intent = intent("coca-cola", 1, 9_000);
    let first = offers(&intent).remove(0);
    for stranger in [
        Candidate { source: "ifood".to_owned(), ..first.clone() },
        Candidate { candidate_id: "synthetic-4".to_owned(), ..first },
    ] {
        let said = say(&revalidate(&stranger, &intent), None);
        assert!(matches!(said.last(), Some(BrowserResult::Unavailable { .. })), "{said:?}");
    }
}

#[test]
fn the_bound_of_no_text_is_passed() {
    let requirement = "é".repeat(run::limits::REQUIREMENT_BYTES / 2);
    let intent = intent(&requirement, run::limits::QUANTITY, Cents::MAX.0);
    for offer in offers(&intent) {
        let cart = cart(say(&revalidate(&offer, &intent), None).last().unwrap());
        let names = [&offer.candidate_id, &offer.observation_id, &offer.source, &cart.merchant];
        let products = cart.items.iter().map(|item| &item.product);
        assert!(names.into_iter().chain(products).all(|name| name.len() <= run::limits::NAME_BYTES));
    }
}

proptest! {
    /// Y1, Y2: whatever is wanted, and however much of it.
    #[test]
    fn every_cart_reconciles_and_costs_what_the_market_showed(
        requirement in "[\\PC]{1,40}( (gone|drift|login|dear))?",
        quantity in 1..=run::limits::QUANTITY,
    ) {
        let intent = intent(&requirement, quantity, Cents::MAX.0);
        let offers = offers(&intent);
        prop_assert!(offers.iter().is_sorted_by(|one, next| one.observed_total < next.observed_total));
        for (place, offer) in offers.iter().enumerate() {
            prop_assert_eq!((offer.source.as_str(), offer.observed_at), (SOURCE, NOW));
            prop_assert!(offer.merchant.ends_with("(synthetic)"));
            let is_first = place == 0;
            let said = say(&revalidate(offer, &intent), None);
            if is_first && Story::Gone.is_told_by(&requirement) {
                continue;
            }
            let cart = cart(said.last().unwrap());
            let drifts = is_first && Story::Drift.is_told_by(&requirement);
            let expected: &[&str] = if drifts { &["drift_too_high"] } else { &[] };
            prop_assert_eq!(faults(&cart, &intent, offer), expected);
            prop_assert_eq!(cart.total == offer.observed_total, !drifts);
        }
    }
}
