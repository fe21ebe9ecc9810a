//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use expect_test::expect_file;
use payment::Command;
use primitives::Millis;

use crate::cast::*;

/// One state of every kind, at a moment before any of its deadlines.
fn states() -> Vec<(&'static str, Life)> {
    let asked = || vec![claim("R1"), Command::Settle];
    let life = |command: Command| Life::of([asked(), vec![command]].concat());
    vec![
        ("UNCLAIMED", Life::default()),
        ("UNCLAIMED, released", Life::of([claim("R1"), release()])),
        ("CLAIMED", Life::of([claim("R1")])),
        ("SETTLING", Life::of(asked())),
        ("SETTLED", life(settled("0xfeed"))),
        ("REFUSED", life(refused("insufficient_funds"))),
        ("UNKNOWN", life(unknown("timeout", None))),
        ("UNKNOWN, pending", life(unknown("settlement_pending", Some("0xfeed")))),
    ]
}

fn commands() -> Vec<(&'static str, Command)> {
    vec![
        ("claim", claim("R1")),
        ("claim, other resource", claim("R2")),
        ("release", release()),
        ("settle", Command::Settle),
        ("hear settled", settled("0xbeef")),
        ("hear refused", refused("expired")),
        ("hear unknown", unknown("timeout", None)),
        ("wake", Command::Wake),
    ]
}

#[test]
fn every_state_answers_every_command() {
    let mut picture = String::new();
    for (state_name, life) in states() {
        picture.push_str(&format!("{state_name}\n"));
        for (command_name, command) in commands() {
            let outcome = life.tried(command, START.plus(Millis(1)));
            picture.push_str(&format!("  {command_name:22} {outcome}\n"));
        }
        picture.push('\n');
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
