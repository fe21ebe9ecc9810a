//! How much is kept and for how long.

use executor::{Command, Order, Refusal, limits};
use primitives::{Millis, UnixMillis};

use crate::cast::*;

const BEFORE: Millis = Millis(1);

/// An order whose body has so many bytes, which become twice as many in JSON.
fn heavy(word: &str, bytes: usize, until: UnixMillis) -> Command {
    let body = "\"".repeat(bytes).parse().unwrap();
    Command::Enqueue { order: Order { body, ..order(word, until) } }
}

const fn full_until(retry_at: UnixMillis) -> Refusal {
    Refusal::QueueFull { retry_at }
}

/// X9
#[test]
fn an_order_too_many_is_refused_until_the_first_one_ends() {
    let mut life = Life::of([register("S1"), enqueue("O0", after(300))]);
    for number in 1..limits::ORDERS {
        life.hears(enqueue(&format!("O{number}"), after(900)), START).unwrap();
    }
    for now in [START, after(300).minus(BEFORE)] {
        assert_eq!(life.hears(enqueue("new", after(900)), now), Err(full_until(after(300))));
        life.hears(enqueue("O1", after(900)), now).expect("what is there already is no more than it was");
    }
    life.hears(enqueue("new", after(900)), after(300)).unwrap();
    assert_eq!(life.hears(enqueue("another", after(950)), after(300)), Err(full_until(after(900))));
    life.hears(settle("new", after(900)), after(300)).unwrap();
    life.hears(enqueue("another", after(950)), after(300)).unwrap();
}

/// X9: as many bytes as fit, however few orders they belong to.
#[test]
fn a_byte_too_many_is_refused_until_the_first_order_ends() {
    let mut life = Life::of([register("S1")]);
    for number in 0..limits::BODIES_BYTES / limits::BODY_BYTES {
        let end = after(900 - number as u64);
        life.hears(heavy(&format!("O{number}"), limits::BODY_BYTES, end), START).unwrap();
    }
    let first = after(900 - 31);
    for now in [START, first.minus(BEFORE)] {
        assert_eq!(life.hears(heavy("new", 1, after(900)), now), Err(full_until(first)));
    }
    life.hears(heavy("new", limits::BODY_BYTES, after(900)), first).unwrap();
}

/// X4, X9: names are kept to the end of what they stand for. What is pending closes whenever it likes.
#[test]
fn a_name_too_many_is_refused_until_the_first_one_says_nothing_any_more() {
    let mut life = Life::of([register("S1"), withdraw("W0", after(300)), enqueue("O1", after(900))]);
    for number in 2..limits::NAMES {
        life.hears(withdraw(&format!("W{number}"), after(600)), START).unwrap();
    }
    for now in [START, after(300).minus(BEFORE)] {
        assert_eq!(life.hears(enqueue("new", after(900)), now), Err(full_until(after(300))));
        assert_eq!(life.hears(settle("unheard-of", after(900)), now), Err(full_until(after(300))));
        life.hears(withdraw("W2", after(600)), now).expect("it is kept already");
        life.hears(withdraw("unheard-of", now), now).expect("it need not be kept");
    }
    life.hears(settle("O1", after(900)), START).unwrap();
    life.hears(enqueue("new", after(900)), after(300)).unwrap();
    assert_eq!(life.hears(enqueue("another", after(900)), after(300)), Err(full_until(after(600))));
    life.hears(enqueue("another", after(900)), after(600)).unwrap();
    assert_eq!(life.state.queue().unwrap().closed.len(), 1, "O1 alone");
}

/// X4, X9: however far away somebody says that an order's end is, none ends later than a day from now.
#[test]
fn a_name_is_kept_for_a_day_at_most() {
    let mut life = Life::of([register("S1"), withdraw("O1", UnixMillis(u64::MAX))]);
    let day = after(86_400);
    let heard = life.hears(enqueue("O1", day.plus(Millis(1))), day.minus(BEFORE));
    assert_eq!(heard, Ok(Heard::default()));
    life.hears(withdraw("O2", after(90_000)), day).unwrap();
    assert_eq!(life.state.queue().unwrap().closed.len(), 1);
}

/// X4, X9: an order that was here is known as closed to its own end, whatever end it is closed with.
#[test]
fn a_name_is_kept_to_the_end_of_its_order() {
    for (closed_at, said) in [(0, 900), (299, 900), (0, 1)] {
        let mut life = Life::of([register("S1"), enqueue("O1", after(300))]);
        life.hears(settle("O1", after(said)), after(closed_at)).unwrap();
        let closed = &life.state.queue().unwrap().closed;
        assert_eq!(closed.get(&id("O1")), Some(&after(300)));
    }
}

/// X9: as much as fits is a good half of what a row can hold.
#[test]
fn the_fullest_queue_fits_into_a_row() {
    let mut life = Life::of([register("S1")]);
    let long = |kind: &str, number: usize| format!("{kind}{number:063}");
    for number in 0..limits::NAMES - limits::ORDERS {
        life.hears(withdraw(&long("w", number), after(600)), START).unwrap();
    }
    for number in 0..limits::ORDERS {
        let bytes = limits::BODIES_BYTES / limits::ORDERS;
        life.hears(heavy(&long("o", number), bytes, after(900)), START).unwrap();
    }
    let heard = life.hears(Command::Wake, after(90)).unwrap();
    assert_eq!((heard.events.len(), heard.owed.len()), (1, limits::ORDERS), "one row for all of them");
    let size = serde_json::to_string(&life.state).unwrap().len();
    assert!((1_100_000..1_250_000).contains(&size), "{size}");
}

/// X2, X9, X10: a browser that works through a thousand orders in a day leaves no more than those of the last hours.
#[test]
fn a_busy_day_leaves_little() {
    let mut life = Life::of([register("S1")]);
    for number in 0..1_000_u64 {
        let (word, now) = (format!("O{number}"), after(number * 86));
        let until = now.plus(Millis::from_minutes(180));
        for command in [enqueue(&word, until), POLL, started(&word), settle(&word, until)] {
            life.hears(command, now).unwrap();
        }
    }
    assert_eq!(life.journal.len(), 4_001);
    let size = serde_json::to_string(&life.state).unwrap().len();
    assert!(size < 5_000, "{size}");
}
