//! Money in and out, refunds, and credits.

use alloy_primitives::U256;
use mandate::*;

use crate::cast::*;

const fn whole(amount: u64) -> U256 {
    U256::from_limbs([amount, 0, 0, 0])
}

#[test]
fn what_arrives_must_be_what_was_sent_and_fit() {
    let mut mandate = funded();
    assert_eq!(mandate.fund(U256::ZERO, Arrival::Whole), Err(refused(Reason::ZeroAmount, 0, 1)));
    let short = mandate.fund(whole(100), Arrival::Other(whole(99)));
    assert_eq!(short, Err(refused(Reason::TokenDelta, 99, 100)));
    let room = U256::from(AMOUNT_MAX.0 - 500);
    let over = mandate.fund(room + whole(1), Arrival::Whole);
    assert_eq!(over, Err(refused(Reason::AmountTooLarge, room + whole(1), room)));
    let long = mandate.fund(whole(100), Arrival::Other(whole(101)));
    assert_eq!(long, Err(refused(Reason::TokenDelta, 101, 100)));
    assert_eq!(mandate, funded());
    mandate.clone().fund(whole(1), Arrival::Whole).unwrap();
    mandate.fund(room, Arrival::Other(room)).unwrap();
    assert_eq!(mandate.funds.balance, AMOUNT_MAX);
}

#[test]
fn the_owner_withdraws_what_is_not_reserved() {
    let mut scene = Scene::new();
    scene.authorize().unwrap();
    let mandate = &mut scene.mandate;
    assert_eq!(mandate.withdraw(whole(1), AGENT), Err(refused(Reason::NotPermitted, AGENT, OWNER)));
    assert_eq!(mandate.withdraw(whole(0), OWNER), Err(refused(Reason::ZeroAmount, 0, 1)));
    assert_eq!(mandate.withdraw(whole(461), OWNER), Err(refused(Reason::Withdrawal, 461, 460)));
    assert_eq!(mandate.withdraw(U256::MAX, OWNER), Err(refused(Reason::Withdrawal, U256::MAX, 460)));
    mandate.withdraw(whole(1), OWNER).unwrap();
    mandate.withdraw(whole(459), OWNER).unwrap();
    assert_eq!(mandate.funds, Funds { balance: units(40), reserved: units(40) });
}

// M10
#[test]
fn m10_a_refund_restores_money_and_no_budget() {
    let mut scene = Scene::new();
    scene.authorize().unwrap();
    let (request, by, now) = (scene.request, By::caller(PROVIDER), scene.now);
    scene.mandate.deliver(&request, by, now).unwrap();
    scene.mandate.accept(&request, By::caller(OWNER)).unwrap();
    let before = scene.mandate.remaining(PROVIDER, SERVICE, now, &scene.ceiling);
    let mandate = &mut scene.mandate;
    let mut refund = |total, arrival| mandate.refund(&request, units(total), by, now, arrival);
    assert_eq!(refund(0, Arrival::Whole), Err(refused(Reason::NothingNew, 0, 0)));
    assert_eq!(refund(41, Arrival::Whole), Err(refused(Reason::AboveTotal, 41, 40)));
    assert_eq!(refund(30, Arrival::Other(whole(29))), Err(refused(Reason::TokenDelta, 29, 30)));
    assert_eq!(refund(30, Arrival::Whole), Ok(units(30)));
    assert_eq!(refund(30, Arrival::Whole), Err(refused(Reason::NothingNew, 30, 30)));
    assert_eq!(refund(40, Arrival::Whole), Ok(units(10)));
    let after = scene.mandate.remaining(PROVIDER, SERVICE, now, &scene.ceiling);
    assert_eq!(after, Remaining { available: units(500), ..before });
}

#[test]
fn a_credit_is_withdrawn_once_by_its_recipient() {
    let mut credit = Credit::NOTHING;
    credit.book(units(30));
    credit.book(units(10));
    let (by, relayed) = (By::caller(PROVIDER), By { caller: STRANGER, signature: Signature::Of(PROVIDER) });
    let stranger = credit.withdraw(units(1), PROVIDER, By::caller(STRANGER));
    assert_eq!(stranger, Err(refused(Reason::NotPermitted, STRANGER, PROVIDER)));
    assert_eq!(credit.withdraw(units(41), PROVIDER, by), Err(refused(Reason::Withdrawal, 41, 40)));
    assert_eq!(credit.withdraw(units(0), PROVIDER, by), Err(refused(Reason::NothingNew, 0, 0)));
    assert_eq!(credit.withdraw(units(25), PROVIDER, by), Ok(units(25)));
    assert_eq!(credit.withdraw(units(25), PROVIDER, relayed), Err(refused(Reason::NothingNew, 25, 25)));
    assert_eq!(credit.withdraw(units(40), PROVIDER, relayed), Ok(units(15)));
}

#[test]
fn all_of_it_survives_json() {
    let mut scene = Scene::new();
    scene.ceiling.set(units(90), NOON);
    scene.authorize().unwrap();
    scene.mandate.pending = Some(Pending { hash: SERVICE, effective_at: NOON });
    let text = serde_json::to_string(&(&scene.mandate, &scene.ceiling)).unwrap();
    assert!(text.contains(r#""balance":"500""#), "amounts are decimal text: {text}");
    assert_eq!(serde_json::from_str::<(Mandate, Ceiling)>(&text).unwrap(), (scene.mandate, scene.ceiling));
}
