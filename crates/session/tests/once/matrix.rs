//! Every state × every command, as one picture that a reader can check and a change cannot slip past.

use expect_test::expect_file;
use primitives::Millis;
use session::once::Command;

use crate::cast::*;

fn commands() -> Vec<(&'static str, Command)> {
    vec![
        ("use K1", use_key("K1", after(330))),
        ("use K1, later end", use_key("K1", after(450))),
        ("use K1, earlier end", use_key("K1", after(61))),
        ("use new", use_key("new", after(330))),
        ("use new, over", use_key("new", after(60))),
        ("use new, longest", use_key("new", after(960))),
        ("use new, too long", use_key("new", after(960).plus(Millis(1)))),
        ("use K1, too long", use_key("K1", after(960).plus(Millis(1)))),
        ("use K1, over", use_key("K1", after(60))),
        ("wake", Command::Wake),
    ]
}

#[test]
fn every_state_answers_every_command() {
    let states = [
        ("EMPTY", Life::default()),
        ("KEEPING K1", Life::of([use_key("K1", after(330))])),
        ("KEEPING K1 until a minute ago", Life::of([use_key("K1", after(59))])),
        ("FULL until the last one's minute is over", full()),
    ];
    let mut picture = String::new();
    for (state_name, life) in states {
        picture.push_str(&format!("{state_name}\n"));
        for (command_name, command) in commands() {
            // A minute after the start; a full one still counts the key whose minute is not over.
            let now = if state_name.starts_with("FULL") { after(60).minus(Millis(1)) } else { after(60) };
            picture.push_str(&format!("  {command_name:20} {}\n", life.tried(command, now)));
        }
        picture.push('\n');
    }
    expect_file!["matrix.txt"].assert_eq(&picture);
}
