//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state with the facts that were
//! recorded and what they owe, or `refused` and the code. `scripts/README.md` has the words.

use payment::Command;
use rehearsal::every_story;

use crate::cast::{self, Life};

/// The command that `words` ask for.
fn command(words: &[&str]) -> Option<Command> {
    Some(match *words {
        ["claim", resource] => cast::claim(resource),
        ["release"] => cast::release(),
        ["settle"] => Command::Settle,
        ["hear", "settled", transaction] => cast::settled(transaction),
        ["hear", "refused", reason] => cast::refused(reason),
        ["hear", "unknown", cause] => cast::unknown(cause, None),
        ["hear", "unknown", cause, transaction] => cast::unknown(cause, Some(transaction)),
        ["wake"] => Command::Wake,
        _ => return None,
    })
}

#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts"), 9, || {
        |life: &mut Life, now, words: &[&str]| Some(life.hears(command(words)?, now))
    });
}
