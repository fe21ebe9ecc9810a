//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use expect_test::expect_file;
use primitives::Millis;
use session::{Command, deadline};

use crate::cast::*;

/// One state of every kind, as it stands at its start.
fn states() -> Vec<(&'static str, Life)> {
    let presented = || vec![challenge("N1"), present("N1")];
    let last = |count: u32| (1..=count).map(|number| challenge(&format!("N{number}"))).collect::<Vec<_>>();
    vec![
        ("UNUSED", Life::default()),
        ("CHALLENGED with N1", Life::of([challenge("N1")])),
        ("CHALLENGED with N10, the last", Life::of(last(10))),
        ("PRESENTED N1", Life::of(presented())),
        ("SIGNED IN as A", Life::of([begin(A, START)])),
        ("ENDED, rotated", Life::of([presented(), vec![sign_in("N1", A, "S1")]].concat())),
        ("ENDED, signed out", Life::of([begin(A, START), Command::SignOut])),
        ("ENDED, revoked", Life::of([Command::Revoke])),
    ]
}

fn commands() -> Vec<(&'static str, Command)> {
    vec![
        ("challenge with N1", challenge("N1")),
        ("challenge with N2", challenge("N2")),
        ("present N1", present("N1")),
        ("present N2", present("N2")),
        ("sign in, N1", sign_in("N1", A, "S1")),
        ("sign in, N2", sign_in("N2", A, "S1")),
        ("begin for A", begin(A, START)),
        ("begin for A, later", begin(A, START.plus(Millis(1)))),
        ("begin for B", begin(account("B").unwrap(), START)),
        ("begin on a chain", begin(account("A2").unwrap(), START)),
        ("visit", Command::Visit),
        ("sign out", Command::SignOut),
        ("revoke", Command::Revoke),
        ("wake", Command::Wake),
    ]
}

#[test]
fn every_state_answers_every_command_in_time_and_too_late() {
    let mut picture = String::new();
    for (state_name, life) in states() {
        let in_time = START.plus(Millis::from_minutes(6));
        let moments = [("", Some(in_time)), (", when its time is over", deadline(&life.state))];
        for (suffix, now) in moments.into_iter().filter_map(|(suffix, now)| Some((suffix, now?))) {
            picture.push_str(&format!("{state_name}{suffix}\n"));
            for (command_name, command) in commands() {
                picture.push_str(&format!("  {command_name:20} {}\n", life.tried(command, now)));
            }
            picture.push('\n');
        }
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
