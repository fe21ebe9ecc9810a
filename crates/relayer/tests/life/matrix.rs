//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use expect_test::expect_file;
use primitives::{Millis, UnixMillis};
use relayer::{Command, Verdict};

use crate::cast::*;

fn synchronized() -> Life {
    Life::of([look(5, Vec::new())])
}

fn waiting() -> Life {
    let mut life = synchronized();
    life.hears(submit("A"), START).unwrap();
    life
}

fn open() -> Life {
    let mut life = waiting();
    signs(&mut life, &market(10, 2), START).unwrap();
    life
}

fn then(mut life: Life, command: Command) -> Life {
    life.hears(command, START).unwrap();
    life
}

fn given_up() -> Life {
    let mut life = open();
    signs(&mut life, &market(10, 2), START.plus(Millis::from_seconds(75))).unwrap();
    life
}

/// A state of every kind, as it is at the start or soon after.
fn states() -> Vec<(&'static str, Life)> {
    vec![
        ("UNSYNCHRONIZED", Life::default()),
        ("UNSYNCHRONIZED, A waits", then(Life::default(), submit("A"))),
        ("IDLE", synchronized()),
        ("WORKING, A waits", waiting()),
        ("WORKING, A is open under 5", open()),
        ("WORKING, A is open under 5 and B waits", then(open(), submit("B"))),
        ("WORKING, the 5 of A is taken", then(open(), look(6, Vec::new()))),
        ("WORKING, A is open above a gap", then(open(), look(3, Vec::new()))),
        ("WORKING, A is given up", given_up()),
    ]
}

/// The name of a command, what it is in a life at a moment, and how many milliseconds after the start that is.
type Asked = (&'static str, fn(&Life, UnixMillis) -> Command, u64);

const COMMANDS: [Asked; 14] = [
    ("submit A", |_, _| submit("A"), 1),
    ("submit C", |_, _| submit("C"), 1),
    ("submit C, too late", |_, _| submit("C"), 60_000),
    ("look, nothing new", |_, _| look(5, Vec::new()), 10_000),
    ("look, one more used", |_, _| look(6, Vec::new()), 10_000),
    ("look, one less used", |_, _| look(4, Vec::new()), 10_000),
    ("look, A mined", |life, _| look(6, vec![receipt(hash(life, 5, 1), Verdict::Succeeded)]), 1),
    ("look, last mined", |life, _| look(6, vec![receipt(last(life), Verdict::Succeeded)]), 1),
    ("wake", |_, _| Command::Wake, 1),
    ("wake, when due", |_, _| Command::Wake, 5_000),
    ("wake, when expired", |_, _| Command::Wake, 60_000),
    ("sign", sign_all, 1),
    ("sign, when stuck", sign_all, 15_000),
    ("sign, much later", sign_all, 90_000),
];

fn sign_all(life: &Life, now: UnixMillis) -> Command {
    signing(life, &market(10, 2), now)
}

fn last(life: &Life) -> relayer::Hash {
    hash(life, 5, life.state.open.get(&5).map_or(1, |open| open.attempts.len()))
}

#[test]
fn every_state_answers_every_command() {
    let mut picture = String::new();
    for (state_name, life) in states() {
        picture.push_str(&format!("{state_name}\n"));
        for (name, command, after) in COMMANDS {
            let now = START.plus(Millis(after));
            let outcome = life.tried(command(&life, now), now);
            picture.push_str(&format!("  {name:22} {outcome}\n"));
        }
        picture.push('\n');
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
