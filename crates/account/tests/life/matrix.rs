//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use account::{Command, limits};
use expect_test::expect_file;

use crate::cast::*;

fn states() -> Vec<(&'static str, Life)> {
    let agents = (0..limits::AGENTS_MAX).map(|number| name(&format!("A{number}"), "Scout"));
    let drafts = (0..limits::DRAFTS_MAX).map(|number| draft(&format!("K{number}"), "spring"));
    vec![
        ("EMPTY", Life::default()),
        ("KEEPING A0's name", Life::of([name("A0", "Scout")])),
        ("KEEPING draft K0", Life::of([draft("K0", "spring")])),
        (
            "KEEPING draft K0, changed",
            Life::of([draft("K0", "spring"), change("K0", None, vec![label("summer")])]),
        ),
        ("KEEPING as many names as it may", Life::of(agents)),
        ("KEEPING as many drafts as it may", Life::of(drafts)),
    ]
}

fn commands() -> Vec<(&'static str, Command)> {
    let to_summer = || vec![label("summer")];
    vec![
        ("name A0 Scout", name("A0", "Scout")),
        ("name A0 Buyer", name("A0", "Buyer")),
        ("name new", name("new", "Scout")),
        ("forget A0", forget("A0")),
        ("forget new", forget("new")),
        ("draft K0 as it was", draft("K0", "spring")),
        ("draft K0 otherwise", draft("K0", "summer")),
        ("draft new", draft("new", "spring")),
        ("change K0", change("K0", None, to_summer())),
        ("change K0, seen 1", change("K0", Some(1), to_summer())),
        ("change K0, seen 2", change("K0", Some(2), vec![label("winter")])),
        ("change K0, nothing", change("K0", Some(9), Vec::new())),
        ("change new", change("new", None, to_summer())),
        ("discard K0", discard("K0")),
        ("discard new", discard("new")),
        ("wake", Command::Wake),
    ]
}

#[test]
fn every_state_answers_every_command() {
    let mut picture = String::new();
    for (state_name, life) in states() {
        picture.push_str(&format!("{state_name}\n"));
        for (command_name, command) in commands() {
            picture.push_str(&format!("  {command_name:20} {}\n", life.tried(command, START)));
        }
        picture.push('\n');
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
