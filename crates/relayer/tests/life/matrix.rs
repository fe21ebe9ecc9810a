//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use expect_test::expect_file;
use primitives::Millis;
use relayer::{Command, Verdict};

use crate::cast::*;

fn synchronized() -> Life {
    let mut life = Life::default();
    life.hears(look(5, Vec::new()), START).unwrap();
    life
}

fn waiting() -> Life {
    let mut life = synchronized();
    life.hears(submit("A"), START).unwrap();
    life
}

fn open() -> Life {
    let mut life = waiting();
    life.signs(&market(10, 2), START).unwrap();
    life
}

fn then(mut life: Life, command: Command) -> Life {
    life.hears(command, START).unwrap();
    life
}

fn given_up() -> Life {
    let mut life = open();
    life.signs(&market(10, 2), START.plus(Millis::from_seconds(75))).unwrap();
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

/// The name of a command, what it is in a life, and how many milliseconds after the start it comes.
type Asked = (&'static str, fn(&Life) -> Command, u64);

const COMMANDS: [Asked; 11] = [
    ("submit A", |_| submit("A"), 1),
    ("submit C", |_| submit("C"), 1),
    ("submit C, too late", |_| submit("C"), 60_000),
    ("look, nothing new", |_| look(5, Vec::new()), 10_000),
    ("look, one more used", |_| look(6, Vec::new()), 10_000),
    ("look, one less used", |_| look(4, Vec::new()), 10_000),
    ("look, A mined", |life| look(6, vec![receipt(life.hash(5, 1), Verdict::Succeeded)]), 1),
    ("look, last mined", |life| look(6, vec![receipt(last(life), Verdict::Succeeded)]), 1),
    ("wake", |_| Command::Wake, 1),
    ("wake, when due", |_| Command::Wake, 5_000),
    ("wake, when expired", |_| Command::Wake, 60_000),
];

fn last(life: &Life) -> relayer::Hash {
    life.hash(5, life.state.open.get(&5).map_or(1, |open| open.attempts.len()))
}

#[test]
fn every_state_answers_every_command() {
    let mut picture = String::new();
    for (state_name, life) in states() {
        picture.push_str(&format!("{state_name}\n"));
        let mut line = |name: &str, life: Life, outcome| {
            let outcome = match outcome {
                Err(refusal) => format!("- {}", relayer::Refusal::code(refusal)),
                Ok(heard) => format!("{}: {}", life.state.lifecycle().name(), told(&heard)),
            };
            picture.push_str(&format!("  {name:22} {outcome}\n"));
        };
        for (name, command, after) in COMMANDS {
            let mut life = life.clone();
            let outcome = life.hears(command(&life), START.plus(Millis(after)));
            line(name, life, outcome);
        }
        for (name, after) in [("sign", 1), ("sign, when stuck", 15_000), ("sign, much later", 90_000)] {
            let mut life = life.clone();
            let outcome = life.signs(&market(10, 2), START.plus(Millis(after)));
            line(name, life, outcome);
        }
        picture.push('\n');
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
