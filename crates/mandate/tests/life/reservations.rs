//! The budget gate for the rest of the product.

use mandate::life::{Bound, Change, Command, Effect, Refusal, limits};
use mandate::{Entry, EntryKey, Spent, calendar};

use crate::cast::*;

const MIDNIGHT: u64 = 10 * HOUR;

/// What counts in the mandate's day, its month and its life.
fn counted(life: &Life, seconds: u64) -> (u32, u128, u128, u128) {
    let mandate = &book(life).mandate;
    let Spent { day_count, day_sum, month_sum, .. } = mandate.spent.seen_at(at(seconds).into());
    (day_count, day_sum.0, month_sum.0, mandate.lifetime_spent.0)
}

/// L5
#[test]
fn what_is_released_was_never_counted() {
    let mut life = alive([ask(request("A", 40)), reserve("R", hold(50, at(600)))]);
    assert_eq!(counted(&life, 0), (2, 90, 90, 90));
    hears(&mut life, release("R"), at(1)).unwrap();
    assert_eq!(counted(&life, 1), (1, 40, 40, 40));
    let entry = book(&life).mandate.entries.values().next().unwrap();
    assert_eq!((entry.spent.day_count, entry.spent.day_sum), (1, units(40)));
}

/// L5
#[test]
fn what_is_committed_counts_as_one_payment_for_ever() {
    let mut life = alive([reserve("R", hold(50, at(600)))]);
    hears(&mut life, commit("R", 20), at(1)).unwrap();
    assert_eq!(counted(&life, 1), (1, 20, 20, 20));
    assert_eq!(book(&life).mandate.funds.balance, units(480));
    assert_eq!(book(&life).mandate.funds.reserved, units(0));
}

/// L5: the day is over; the month goes on, and gets its part back.
#[test]
fn a_reservation_of_yesterday_returns_to_the_month_alone() {
    let eve = 11 * DAY;
    let noon = |day: u64| eve + day * DAY;
    let mut life = alive([]);
    hears(&mut life, reserve("R", hold(50, at(noon(3)))), at(noon(0))).unwrap();
    hears(&mut life, reserve("S", hold(30, at(noon(3)))), at(noon(1))).unwrap();
    assert_eq!(counted(&life, noon(1)), (1, 30, 80, 80));
    hears(&mut life, release("R"), at(noon(1))).unwrap();
    assert_eq!(counted(&life, noon(1)), (1, 30, 30, 30));
}

/// L5: nobody has spent anything since, so the counters are still those of the day that is over.
#[test]
fn a_reservation_that_is_given_back_first_thing_in_a_month_leaves_the_new_windows_as_they_are() {
    let mut life = alive([]);
    hears(&mut life, reserve("R", hold(50, at(MIDNIGHT + 10))), at(MIDNIGHT - 1)).unwrap();
    hears(&mut life, Command::Wake, at(MIDNIGHT + 10)).unwrap();
    assert_eq!(counted(&life, MIDNIGHT + 10), (0, 0, 0, 0));
    hears(&mut life, reserve("S", hold(40, at(MIDNIGHT + 60))), at(MIDNIGHT + 11)).unwrap();
    assert_eq!(counted(&life, MIDNIGHT + 11), (1, 40, 40, 40));
}

/// L5: of a month that has ended, nothing comes back into the one that runs.
#[test]
fn a_reservation_of_last_month_gives_the_new_one_nothing() {
    let mut life = alive([]);
    hears(&mut life, reserve("R", hold(50, at(MIDNIGHT + 60))), at(MIDNIGHT - 1)).unwrap();
    hears(&mut life, reserve("S", hold(40, at(MIDNIGHT + 600))), at(MIDNIGHT)).unwrap();
    hears(&mut life, release("R"), at(MIDNIGHT + 1)).unwrap();
    assert_eq!(counted(&life, MIDNIGHT + 1), (1, 40, 40, 40));
}

/// L5: the entry that counted it is the one that gets it back, though a closer one has come since.
#[test]
fn a_reservation_returns_to_the_entry_that_allowed_it() {
    let mut wide = creation();
    wide.entries[0].key = EntryKey { service: Default::default(), ..wide.entries[0].key };
    let key = wide.entries[0].key;
    // One that comes first in every order and is not meant.
    let other = EntryKey { recipient: Default::default(), service: named("other") };
    wide.entries.push(Entry { key: other, ..wide.entries[0] });
    let mut life = Life::of([create_as(wide.clone()), fund(500), reserve("R", hold(50, at(DAY)))]);
    let closer = EntryKey { service: SERVICE, ..key };
    let mut amended = amendment(policy(), 1);
    amended.entries = vec![Entry { key: closer, limits: wide.entries[0].limits }];
    hears(&mut life, change(Change::Amend(amended.clone()), OWNER), START).unwrap();
    hears(&mut life, change(Change::ApplyAmendment(amended), OWNER), at(HOUR)).unwrap();
    let spent = |life: &Life, key| {
        let spent = book(life).mandate.entries[&key].spent;
        (spent.day_count, spent.day_sum.0)
    };
    assert_eq!((spent(&life, key), spent(&life, closer)), ((1, 50), (0, 0)));
    hears(&mut life, release("R"), at(HOUR)).unwrap();
    assert_eq!((spent(&life, key), spent(&life, closer)), ((0, 0), (0, 0)));
}

/// L6
#[test]
fn nothing_the_owner_says_takes_a_reservation_back() {
    let stops = [
        change(Change::Pause, OWNER),
        change(Change::Revoke, OWNER),
        change(Change::Renounce, AGENT),
        change(Change::Amend(amendment(tighter(), 1)), OWNER),
    ];
    for stop in stops {
        let mut life = alive([reserve("R", hold(50, at(600))), stop]);
        assert_eq!(code(&hears(&mut life, commit("R", 50), at(599))), "none");
    }
}

/// L9
#[test]
fn a_reservation_ends_at_its_second_and_its_asker_is_told_once() {
    let held = alive([reserve("R", hold(50, at(600)))]);
    assert_eq!(code(&hears(&mut held.clone(), commit("R", 50), at(599))), "none");
    let mut late = held.clone();
    assert_eq!(code(&hears(&mut late, commit("R", 50), at(600))), "reservation_over");
    hears(&mut late, Command::Wake, at(600)).unwrap();
    assert_eq!(hears(&mut late, Command::Wake, at(601)), Ok(Heard::default()));
    let told = late.owed.iter().filter(|owed| matches!(owed, Effect::Tell { .. })).count();
    assert_eq!(told, 1);
}

/// L8
#[test]
fn a_reservation_belongs_to_its_asker() {
    let mut life = alive([reserve("R", hold(50, at(600)))]);
    let other =
        |asker: &str| Command::Release { reservation: named("R"), asker: asker.to_owned(), closed: None };
    assert_eq!(code(&hears(&mut life, other("meter"), START)), "unknown_reservation");
    assert_eq!(code(&hears(&mut life, other("run"), START)), "none");
    assert_eq!(code(&hears(&mut life, other("meter"), START)), "unknown_reservation");
}

/// L9
#[test]
fn a_reservation_is_bounded() {
    let mut life = alive([]);
    let longest = u64::from(limits::RESERVATION_WAIT);
    let held = |seconds| reserve("R", hold(50, at(seconds)));
    assert_eq!(hears(&mut life, held(longest + 1), START), Err(Refusal::Beyond(Bound::Reservation)));
    assert_eq!(code(&hears(&mut life, held(0), START)), "request_expired");
    assert_eq!(code(&hears(&mut life, held(longest), START)), "none");
    let named_at_length =
        mandate::life::Hold { asker: "r".repeat(limits::ASKER_BYTES + 1), ..hold(5, at(60)) };
    assert_eq!(hears(&mut life, reserve("S", named_at_length), START), Err(Refusal::Beyond(Bound::Asker)));
}

/// L5: the sums above lie on two sides of a month's end.
#[test]
fn the_story_begins_on_the_last_day_of_a_month() {
    let [before, after] =
        [MIDNIGHT - 1, MIDNIGHT].map(|seconds| calendar::month(calendar::day(at(seconds).into())));
    assert_eq!(before + 1, after);
}
