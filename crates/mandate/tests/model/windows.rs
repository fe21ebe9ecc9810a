//! What counts in which window, which entry decides, and what is left.

use alloy_primitives::{Address, B256};
use mandate::*;

use crate::cast::*;

/// The last second of November 2026.
const LAST: UnixSeconds = UnixSeconds(1_796_083_199);
const OTHER_SERVICE: B256 = B256::repeat_byte(0x44);

fn generous() -> Scene {
    let mut scene = Scene::new();
    let wide = Mandate::create(
        None,
        Creation {
            policy: Policy {
                valid_after: UnixSeconds(0),
                day_cap: units(90),
                month_cap: units(150),
                approval_above: AMOUNT_MAX,
                ..policy()
            },
            entries: vec![entry(Address::ZERO, B256::ZERO, 100, u128::from(u64::MAX), Window::UtcMonth)],
            ..creation()
        },
        Token::Answers,
        NOON,
    );
    scene.mandate = wide.unwrap();
    scene.mandate.fund(alloy_primitives::U256::from(10_000), Arrival::Whole).unwrap();
    scene
}

// M1
#[test]
fn m1_a_day_ends_with_its_last_second_and_a_month_with_its_last_day() {
    let mut scene = generous();
    scene.pay(1, 90, LAST).unwrap();
    assert_eq!(scene.pay(2, 1, LAST), Err(refused(Reason::DayCap, 91, 90)));
    // A second later it is December.
    scene.pay(3, 90, after(LAST, 1)).unwrap();
    assert_eq!(scene.pay(4, 1, after(LAST, DAY)), Err(refused(Reason::DayCap, 91, 90)));
    // On 2 December the day is new and the month is not.
    assert_eq!(scene.pay(5, 61, after(LAST, DAY + 1)), Err(refused(Reason::MonthCap, 151, 150)));
    scene.pay(6, 60, after(LAST, DAY + 1)).unwrap();
    let Spent { day_count, day_sum, month_sum, .. } = scene.mandate.spent;
    assert_eq!((day_count, day_sum, month_sum), (1, units(60), units(150)));
}

// M1
#[test]
fn m1_missed_windows_are_lost() {
    let mut scene = generous();
    scene.pay(1, 90, NOON).unwrap();
    let later = after(NOON, 40 * DAY);
    assert_eq!(scene.pay(2, 91, later), Err(refused(Reason::DayCap, 91, 90)));
    scene.pay(3, 90, later).unwrap();
    assert_eq!(scene.mandate.spent.month_sum, units(90));
}

#[test]
fn a_month_of_another_year_is_another_month() {
    let mut scene = generous();
    scene.pay(1, 90, NOON).unwrap();
    scene.pay(2, 90, after(NOON, 365 * DAY)).unwrap();
    assert_eq!(scene.mandate.spent.month_sum, units(90));
}

#[test]
fn an_entry_counts_in_its_own_window() {
    for (window, next_day, next_month) in [
        (Window::UtcDay, Reason::None, Reason::None),
        (Window::UtcMonth, Reason::EntryWindowCap, Reason::None),
    ] {
        let mut scene = generous();
        scene.mandate.entries.clear();
        let only = entry(PROVIDER, SERVICE, 50, 50, window);
        let spent = Spent::NOTHING;
        scene.mandate.entries.insert(only.key, Allowed { limits: only.limits, spent });
        scene.pay(1, 50, UnixSeconds(LAST.0 - DAY)).unwrap();
        assert_eq!(reason(&scene.clone().pay(2, 1, UnixSeconds(LAST.0 - DAY))), Reason::EntryWindowCap);
        assert_eq!(reason(&scene.clone().pay(3, 1, UnixSeconds(LAST.0 - DAY + 1))), next_day);
        assert_eq!(reason(&scene.pay(4, 1, after(LAST, 1))), next_month);
    }
}

#[test]
fn the_most_specific_entry_decides_and_a_zero_cap_forbids() {
    let mut scene = generous();
    scene.mandate.entries.clear();
    let keys = EntryKey::widening(PROVIDER, SERVICE);
    // From the widest to the most specific: each new one decides in place of the one before.
    for (cap, key) in (1..).zip(keys.iter().rev()) {
        let Entry { limits, .. } = entry(Address::ZERO, B256::ZERO, cap, 1_000, Window::UtcDay);
        scene.mandate.entries.insert(*key, Allowed { limits, spent: Spent::NOTHING });
        assert_eq!(scene.mandate.entry_for(PROVIDER, SERVICE).unwrap().0, *key);
        assert_eq!(
            scene.pay(cap as u8, cap + 1, NOON),
            Err(refused(
                Reason::EntryPaymentCap,
                u64::try_from(cap + 1).unwrap(),
                u64::try_from(cap).unwrap()
            ))
        );
    }
    let expected = [(PROVIDER, OTHER_SERVICE, 1), (STRANGER, SERVICE, 2), (STRANGER, OTHER_SERVICE, 3)];
    for (recipient, service, place) in expected {
        assert_eq!(scene.mandate.entry_for(recipient, service).unwrap().0, keys[place]);
    }
    scene.mandate.entries.get_mut(&keys[0]).unwrap().limits.payment_cap = units(0);
    assert_eq!(scene.pay(9, 1, NOON), Err(refused(Reason::NotAllowed, PROVIDER, SERVICE)));
}

#[test]
fn each_entry_counts_alone_and_the_mandate_counts_all() {
    let mut scene = generous();
    let narrow = entry(PROVIDER, SERVICE, 30, 30, Window::UtcDay);
    scene.mandate.entries.insert(narrow.key, Allowed { limits: narrow.limits, spent: Spent::NOTHING });
    scene.pay(1, 30, NOON).unwrap();
    let left = |scene: &Scene, service| scene.mandate.remaining(PROVIDER, service, NOON, &scene.ceiling);
    assert_eq!(left(&scene, SERVICE).entry_window, units(0));
    assert_eq!(left(&scene, OTHER_SERVICE).entry_window, units(u64::MAX.into()));
    assert_eq!(left(&scene, OTHER_SERVICE).today, units(60));
}

#[test]
fn what_remains_is_what_still_passes() {
    let mut scene = Scene::new();
    scene.ceiling.set(units(120), NOON);
    scene.pay(1, 40, NOON).unwrap();
    let left = scene.mandate.remaining(PROVIDER, SERVICE, NOON, &scene.ceiling);
    let expected = Remaining {
        available: units(460),
        per_payment: units(100),
        today: units(210),
        this_month: units(960),
        lifetime: units(2_960),
        count_today: 4,
        entry_per_payment: units(90),
        entry_window: units(160),
        ceiling: Some(units(80)),
    };
    assert_eq!(left, expected);
    assert_eq!(reason(&scene.clone().pay(2, 81, NOON)), Reason::Ceiling);
    assert!(scene.pay(2, 80, NOON).is_ok());
    let nowhere = scene.mandate.remaining(STRANGER, SERVICE, NOON, &Ceiling::Unset);
    assert_eq!(
        (nowhere.entry_per_payment, nowhere.entry_window, nowhere.ceiling),
        (units(0), units(0), None)
    );
}

#[test]
fn on_the_next_day_the_day_is_whole_again_and_the_month_is_not() {
    let mut scene = generous();
    let key = entry(PROVIDER, SERVICE, 90, 90, Window::UtcDay).key;
    let limits = EntryLimits { payment_cap: units(90), window_cap: units(90), window: Window::UtcDay };
    scene.mandate.entries.insert(key, Allowed { limits, spent: Spent::NOTHING });
    scene.ceiling.set(units(100), NOON);
    scene.pay(1, 70, after(LAST, 1)).unwrap();
    let left = |now| scene.mandate.remaining(PROVIDER, SERVICE, now, &scene.ceiling);
    let (today, tomorrow) = (left(after(LAST, DAY)), left(after(LAST, DAY + 1)));
    assert_eq!((today.today, today.this_month, today.entry_window), (units(20), units(80), units(20)));
    assert_eq!(
        (tomorrow.today, tomorrow.this_month, tomorrow.entry_window),
        (units(90), units(80), units(90))
    );
    assert_eq!((today.ceiling, tomorrow.ceiling), (Some(units(30)), Some(units(100))));
    assert_eq!(left(after(LAST, 40 * DAY)).this_month, units(150));
}

#[test]
fn a_cap_below_what_was_spent_leaves_nothing() {
    let mut scene = Scene::new();
    scene.pay(1, 40, NOON).unwrap();
    scene.mandate.policy.day_cap = units(39);
    scene.mandate.policy.day_count = 0;
    let left = scene.mandate.remaining(PROVIDER, SERVICE, NOON, &scene.ceiling);
    assert_eq!((left.today, left.count_today), (units(0), 0));
}

#[test]
fn a_ceiling_falls_at_once_and_rises_after_a_day() {
    let mut ceiling = Ceiling::Unset;
    let cap = |ceiling: &Ceiling, now| match ceiling {
        Ceiling::Unset => None,
        Ceiling::Set(caps) => Some(caps.cap_at(now)),
    };
    assert_eq!(ceiling.set(units(100), NOON), NOON);
    assert_eq!(ceiling.set(units(200), NOON), after(NOON, DAY));
    assert_eq!(cap(&ceiling, after(NOON, DAY - 1)), Some(units(100)));
    assert_eq!(cap(&ceiling, after(NOON, DAY)), Some(units(200)));
    // A second raise waits anew, from what holds at the time; a lower one takes its place.
    assert_eq!(ceiling.set(units(300), after(NOON, HOUR)), after(NOON, DAY + HOUR));
    assert_eq!(cap(&ceiling, after(NOON, DAY)), Some(units(100)));
    ceiling.set(units(50), after(NOON, HOUR));
    assert_eq!(cap(&ceiling, after(NOON, 9 * DAY)), Some(units(50)));
    // The same again is no raise, and forgets one that waits.
    ceiling.set(units(60), NOON);
    assert_eq!(ceiling.set(units(50), NOON), NOON);
    assert_eq!(cap(&ceiling, after(NOON, 9 * DAY)), Some(units(50)));
    ceiling.set(AMOUNT_MAX, NOON);
    assert_eq!(cap(&ceiling, after(NOON, DAY)), Some(AMOUNT_MAX));
}

// M1
#[test]
fn m1_a_ceiling_holds_over_two_mandates() {
    let mut first = Scene::new();
    first.ceiling.set(units(100), NOON);
    first.pay(1, 60, NOON).unwrap();
    let mut second = Scene { ceiling: first.ceiling, ..Scene::new() };
    assert_eq!(second.pay(2, 41, NOON), Err(refused(Reason::Ceiling, 101, 100)));
    second.pay(2, 40, NOON).unwrap();
    let tomorrow = after(NOON, DAY);
    assert_eq!(second.pay(3, 60, tomorrow).map(|found| found.approval), Ok(Approval::Unneeded));
}
