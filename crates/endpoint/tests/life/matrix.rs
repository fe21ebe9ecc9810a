//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use endpoint::{Command, Known, Outcome};
use expect_test::expect_file;

use crate::cast::*;

fn states() -> Vec<(&'static str, Life)> {
    let with = |more: Vec<Command>| Life::of([vec![open("https://a.example/")], more].concat());
    vec![
        ("UNKNOWN", Life::default()),
        ("ENABLED", with(vec![])),
        ("ENABLED, M1 under way", with(vec![accept("M1")])),
        ("FAILING, M1 waiting", with(vec![accept("M1"), answered("M1", 1, pause(300))])),
        ("ENABLED, rotated", with(vec![rotate(60)])),
        ("DISABLED, M1 under way", with(vec![accept("M1"), Command::Disable])),
        ("REMOVED", with(vec![Command::Remove])),
    ]
}

fn commands() -> Vec<(&'static str, Command)> {
    let other = Command::Change { url: Some("https://b.example/".parse().unwrap()), description: None };
    let named = Command::Change { url: None, description: Some(Some("mine".parse().unwrap())) };
    vec![
        ("open", open("https://a.example/")),
        ("open other", open("https://b.example/")),
        ("change address", other),
        ("change description", named),
        ("change nothing", Command::Change { url: None, description: None }),
        ("enable", Command::Enable),
        ("disable", Command::Disable),
        ("rotate", rotate(60)),
        ("rotate at once", rotate(0)),
        ("accept M1", accept("M1")),
        ("accept M2", accept("M2")),
        ("accept M2 again", again("M2")),
        ("test M3", Command::Test { message: message("M3") }),
        ("M1 taken", answered("M1", 1, Outcome::Taken)),
        ("M1 gone", answered("M1", 1, Outcome::Gone)),
        ("M1 failed", answered("M1", 1, pause(5))),
        ("M1 failed for good", answered("M1", 1, LAST)),
        ("M1 failed, attempt 2", answered("M1", 2, pause(5))),
        ("resend M1", resend("M1")),
        ("resend M2", resend("M2")),
        ("resend unknown", Command::Resend { message: id("M9"), known: Known::Fresh }),
        ("recover M1 M2", recover(&["M1", "M2"])),
        ("recover nothing", recover(&[])),
        ("remove", Command::Remove),
        ("wake", Command::Wake),
    ]
}

#[test]
fn every_state_answers_every_command() {
    let mut picture = String::new();
    for (state_name, life) in states() {
        picture.push_str(&format!("{state_name}\n"));
        for (command_name, command) in commands() {
            picture.push_str(&format!("  {command_name:20} {}\n", life.tried(command, after(5))));
        }
        picture.push('\n');
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
