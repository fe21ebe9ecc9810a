//! The budget gate for the rest of the product.

use alloy_primitives::{Address, U256};
use mandate::life::{
    Bound, Change, Closed, Command, Effect, Ending, Event, Fact, Hold, Kind, Outcome, Refusal, Role, apply,
    limits,
};
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

/// L6
#[test]
fn the_owners_yes_lets_a_reservation_pass_the_threshold_and_nothing_else() {
    let held = |hold| code(&hears(&mut alive([]), reserve("R", hold), START));
    assert_eq!((held(hold(60, at(60))), held(hold(61, at(60)))), ("none", "approval_missing"));
    assert_eq!((held(approved(61, at(60))), held(approved(90, at(60)))), ("none", "none"));
    let elsewhere = Hold { recipient: STRANGER, ..approved(61, at(60)) };
    let for_else = Hold { service: named("other"), ..approved(61, at(60)) };
    let forbidden = [
        (vec![], approved(91, at(60)), "entry_payment_cap"),
        (vec![], approved(0, at(60)), "zero_amount"),
        (vec![], approved(61, at(0)), "request_expired"),
        (vec![], elsewhere, "not_allowed"),
        (vec![], for_else, "not_allowed"),
        (vec![change(Change::Pause, OWNER)], approved(61, at(60)), "paused"),
        (vec![change(Change::Revoke, OWNER)], approved(61, at(60)), "revoked"),
        (vec![change(Change::Withdraw { amount: U256::from(440) }, OWNER)], approved(61, at(60)), "funds"),
        (
            vec![reserve("S", approved(90, at(60))), reserve("T", hold(60, at(60)))],
            approved(61, at(60)),
            "entry_window_cap",
        ),
    ];
    for (before, hold, refusal) in forbidden {
        let mut life = alive(before);
        assert_eq!(code(&hears(&mut life, reserve("R", hold.clone()), START)), refusal, "{hold:?}");
    }
}

/// L8
#[test]
fn the_owners_yes_is_a_part_of_what_is_held() {
    let mut life = alive([reserve("R", approved(61, at(60)))]);
    assert_eq!(hears(&mut life, reserve("R", approved(61, at(60))), START), Ok(Heard::default()));
    assert_eq!(hears(&mut life, reserve("R", hold(61, at(60))), START), Err(Refusal::ReservationReused));
}

/// Journals of before there was an owner's yes hold what they held, in the same words.
#[test]
fn a_hold_without_the_owners_yes_is_written_without_a_word_of_it() {
    let text = serde_json::to_string(&hold(50, at(60))).unwrap();
    assert!(!text.contains("approved"), "{text}");
    assert_eq!(serde_json::from_str::<Hold>(&text).unwrap(), hold(50, at(60)));
    let text = serde_json::to_string(&approved(50, at(60))).unwrap();
    assert_eq!(serde_json::from_str::<Hold>(&text).unwrap(), approved(50, at(60)));
}

/// L8: what overtakes its reservation ends it before it begins.
#[test]
fn what_was_ended_before_it_was_reserved_is_never_held() {
    for end in [release("R"), commit("R", 20)] {
        let mut life = alive([]);
        assert_eq!(hears(&mut life, end, at(1)).unwrap().events.len(), 1);
        assert_eq!(counted(&life, 1), (0, 0, 0, 0));
        let over = Err(Refusal::ReservationOver(Ending::Released));
        assert_eq!(hears(&mut life, reserve("R", hold(50, at(600))), at(2)), over);
        assert_eq!(hears(&mut life, release("R"), at(3)), Ok(Heard::default()));
        assert_eq!(hears(&mut life, commit("R", 20), at(4)), over);
        let by_another = Hold { asker: "meter".to_owned(), ..hold(50, at(600)) };
        assert_eq!(hears(&mut life, reserve("R", by_another), at(5)), Err(Refusal::ReservationReused));
        assert_eq!(
            (book(&life).mandate.funds.reserved, book(&life).mandate.funds.balance),
            (units(0), units(500))
        );
    }
}

/// L8: only what nobody holds can be ended before it begins.
#[test]
fn a_journal_that_bars_what_is_held_is_corrupt() {
    let life = alive([reserve("R", hold(50, at(600)))]);
    let barred = |word| {
        let fact = Fact::ReservationBarred { reservation: named(word), asker: "run".to_owned() };
        apply(life.state.clone(), &Event { at: at(1), fact, outcome: Outcome::Done })
    };
    assert!(barred("R").is_err());
    assert!(barred("S").is_ok());
}

/// L8: it stays on file for longer than any reservation could be asked for.
#[test]
fn what_was_never_held_is_kept_as_released_to_nobody() {
    let mut life = alive([]);
    let heard = hears(&mut life, release("R"), at(1)).unwrap();
    let [Effect::Close { reservation, closed }, Effect::Log(line)] = heard.owed.as_slice() else {
        panic!("{:?}", heard.owed)
    };
    let until = at(1 + u64::from(limits::RESERVATION_WAIT)).into();
    let expected = Closed {
        asker: "run".to_owned(),
        recipient: Address::ZERO,
        until,
        ending: Ending::Released,
        paid: units(0),
    };
    assert_eq!((*reservation, closed), (named("R"), &expected));
    assert_eq!((line.kind, line.role, line.subject), (Kind::Release, Role::Product, Some(named("R"))));
    assert_eq!((line.result.as_str(), line.reason.as_deref(), line.amount), ("released", Some("run"), None));
    let asker = "r".repeat(limits::ASKER_BYTES + 1);
    let nameless = Command::Release { reservation: named("S"), asker, closed: None };
    assert_eq!(hears(&mut life, nameless, at(2)), Err(Refusal::Beyond(Bound::Asker)));
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
    let named_at_length = Hold { asker: "r".repeat(limits::ASKER_BYTES + 1), ..hold(5, at(60)) };
    assert_eq!(hears(&mut life, reserve("S", named_at_length), START), Err(Refusal::Beyond(Bound::Asker)));
}

/// L5: the sums above lie on two sides of a month's end.
#[test]
fn the_story_begins_on_the_last_day_of_a_month() {
    let [before, after] =
        [MIDNIGHT - 1, MIDNIGHT].map(|seconds| calendar::month(calendar::day(at(seconds).into())));
    assert_eq!(before + 1, after);
}
