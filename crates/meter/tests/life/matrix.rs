//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use expect_test::expect_file;
use meter::{Gate, Outcome, deadline};
use primitives::UnixMillis;

use crate::cast::*;
use crate::desk::{Ask, Desk};

/// A desk after these, each a minute after the one before it.
fn desk(asks: &[Ask]) -> Desk {
    let mut desk = Desk::new(0, 1);
    for (minute, ask) in (0..).zip(asks) {
        desk.hears(ask, after(minute)).unwrap();
    }
    desk
}

fn paid() -> Outcome {
    Outcome::Paid { proof: "0xproof".to_owned() }
}

fn failed() -> Outcome {
    Outcome::Failed { code: "insufficient_funds".to_owned(), reason: "The payer has too little.".to_owned() }
}

fn unknown() -> Outcome {
    Outcome::Unknown { reason: "The network does not answer.".to_owned() }
}

pub(crate) fn used(word: &str, quantity: &str, version: u32) -> Ask {
    Ask::Record(vec![item(word, quantity, version, START)], Gate::Postpaid)
}

fn reserve(word: &str) -> Ask {
    let (quantity, version, minutes, gate) = ("10".to_owned(), 1, 60, Gate::Prepaid);
    Ask::Reserve { word: word.to_owned(), quantity, version, minutes, gate }
}

fn answer(word: &str, refused: bool) -> Ask {
    Ask::Answer { word: word.to_owned(), refused }
}

fn commit(word: &str, event: &str, quantity: &str) -> Ask {
    Ask::Commit { word: word.to_owned(), item: item(event, quantity, 1, START) }
}

fn draft(word: &str) -> Ask {
    Ask::Draft(word.to_owned(), vec![])
}

fn submit(word: &str, way: &str) -> Ask {
    Ask::Submit(word.to_owned(), means(way))
}

fn report(word: &str, way: &str, outcome: Outcome) -> Ask {
    Ask::Report(word.to_owned(), means(way), outcome)
}

fn reverse(word: &str, of: &str) -> Ask {
    Ask::Reverse { word: word.to_owned(), of: of.to_owned() }
}

/// One state of every kind.
pub(crate) fn states() -> Vec<(&'static str, Desk)> {
    let one = || used("a", "10", 1);
    let billed = |more: Vec<Ask>| desk(&[vec![one(), draft("A")], more].concat());
    let by = |way: &str, outcome: Outcome| vec![submit("A", way), report("A", way, outcome)];
    let held = |more: Vec<Ask>| desk(&[vec![reserve("H"), answer("H", false)], more].concat());
    vec![
        ("unused", desk(&[])),
        ("begun", desk(&[Ask::Begin])),
        ("open", desk(&[one()])),
        ("all taken back", desk(&[one(), reverse("x", "a")])),
        ("free", desk(&[used("a", "10", 4)])),
        ("drafted", billed(vec![])),
        ("drafted, and more open", billed(vec![used("b", "5", 1)])),
        ("drafted and taken back", billed(vec![reverse("x", "a")])),
        ("submitted by x402", billed(vec![submit("A", "x402")])),
        ("submitted by a mandate", billed(vec![submit("A", "mandate")])),
        ("submitted by a transaction, unknown", billed(by("transaction", unknown()))),
        ("verified", billed(by("x402", paid()))),
        ("verified, and taken back", billed([by("x402", paid()), vec![reverse("x", "a")]].concat())),
        ("failed", billed(by("mandate", failed()))),
        ("voided", billed(vec![Ask::Void("A".to_owned())])),
        ("written off", desk(&[one(), Ask::WriteOff("A".to_owned(), vec![])])),
        ("asked", desk(&[reserve("H")])),
        ("held", held(vec![])),
        ("refused", desk(&[reserve("H"), answer("H", true)])),
        ("committed", held(vec![commit("H", "a", "10")])),
        ("committed and paid", held(vec![commit("H", "a", "10"), report("H", "H", paid())])),
        ("committed and not paid", held(vec![commit("H", "a", "10"), report("H", "H", failed())])),
        ("released", held(vec![Ask::Release("H".to_owned())])),
    ]
}

fn commands() -> Vec<(&'static str, Ask)> {
    vec![
        ("begin", Ask::Begin),
        ("use a", used("a", "10", 1)),
        ("use other a", used("a", "11", 1)),
        ("use c at 3", used("c", "10", 3)),
        ("use c, prepaid", Ask::Record(vec![item("c", "1", 1, START)], Gate::Prepaid)),
        ("reverse a", reverse("x", "a")),
        ("reverse a by y", reverse("y", "a")),
        ("reverse x", reverse("y", "x")),
        ("hand over 1", Ask::HandOver(1)),
        ("pass", Ask::Pass(vec![])),
        ("draft A", draft("A")),
        ("draft B", draft("B")),
        ("write off B", Ask::WriteOff("B".to_owned(), vec![])),
        ("submit A, x402", submit("A", "x402")),
        ("submit A, mandate", submit("A", "mandate")),
        ("submit A, transaction", submit("A", "transaction")),
        ("submit A, reservation", submit("A", "H")),
        ("A paid by x402", report("A", "x402", paid())),
        ("A failed by x402", report("A", "x402", failed())),
        ("A unknown by x402", report("A", "x402", unknown())),
        ("A paid by mandate", report("A", "mandate", paid())),
        ("A paid by transaction", report("A", "transaction", paid())),
        ("void A", Ask::Void("A".to_owned())),
        ("reserve H", reserve("H")),
        (
            "reserve other H",
            Ask::Reserve {
                word: "H".to_owned(),
                quantity: "9".to_owned(),
                version: 1,
                minutes: 60,
                gate: Gate::Prepaid,
            },
        ),
        (
            "reserve I, postpaid",
            Ask::Reserve {
                word: "I".to_owned(),
                quantity: "9".to_owned(),
                version: 1,
                minutes: 60,
                gate: Gate::Postpaid,
            },
        ),
        ("H is held", answer("H", false)),
        ("H is refused", answer("H", true)),
        ("commit 10 to H", commit("H", "a", "10")),
        ("commit 11 to H", commit("H", "c", "11")),
        ("commit 4 to H", commit("H", "d", "4")),
        ("H is paid", report("H", "H", paid())),
        ("release H", Ask::Release("H".to_owned())),
        ("wake", Ask::Wake),
    ]
}

#[test]
fn every_state_answers_every_command_at_once_and_when_time_has_done_something() {
    let mut picture = String::new();
    for (name, desk) in states() {
        let due = deadline(&desk.life.state);
        let moments: [(&str, Option<UnixMillis>); 2] = [("", Some(after(10))), (", at its deadline", due)];
        for (suffix, now) in moments.into_iter().filter_map(|(suffix, now)| Some((suffix, now?))) {
            // The first look at a payment is before that.
            let now = if suffix.is_empty() {
                now.min(due.map_or(now, |due| due.minus(primitives::Millis(1))))
            } else {
                now
            };
            picture.push_str(&format!("{name}{suffix}\n"));
            for (words, ask) in commands() {
                picture
                    .push_str(&format!("  {words:22} {}\n", desk.life.tried(desk.command(&ask, now), now)));
            }
            picture.push('\n');
        }
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
