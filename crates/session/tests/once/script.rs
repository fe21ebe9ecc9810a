//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state with the number of keys
//! that are kept and the facts that were recorded, or `refused` and the code. `scripts/once/README.md` has the words.

use rehearsal::every_story;
use session::once::Command;

use crate::cast::{self, Life};

/// The command that `words` ask for.
fn command(words: &[&str]) -> Option<Command> {
    Some(match *words {
        ["use", key, "until", seconds] => cast::use_key(key, cast::after(seconds.parse().ok()?)),
        ["wake"] => Command::Wake,
        _ => return None,
    })
}

#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts/once"), 3, || {
        |life: &mut Life, now, words: &[&str]| Some(life.hears(command(words)?, now))
    });
}
