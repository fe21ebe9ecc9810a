//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state with the facts that were
//! recorded and what they owe, or `refused` and the code. `M1=2!` is a message of which two attempts have failed and another
//! is under way.

use endpoint::{Command, Outcome};
use rehearsal::every_story;

use crate::cast::{self, Life};

/// The command that `words` ask for.
fn command(words: &[&str]) -> Option<Command> {
    let attempt = |text: &str| text.parse().ok();
    Some(match *words {
        ["open", url] => cast::open(url),
        ["change", url] => Command::Change { url: Some(url.parse().ok()?), description: None },
        ["enable"] => Command::Enable,
        ["disable"] => Command::Disable,
        ["rotate", seconds] => cast::rotate(seconds.parse().ok()?),
        ["accept", word] => cast::accept(word),
        ["accept", one, other] => Command::accept([cast::message(one), cast::message(other)]),
        ["again", word] => cast::again(word),
        ["test", word] => Command::Test { message: cast::message(word) },
        ["taken", word, number] => cast::answered(word, attempt(number)?, Outcome::Taken),
        ["gone", word, number] => cast::answered(word, attempt(number)?, Outcome::Gone),
        ["failed", word, number, "last"] => cast::answered(word, attempt(number)?, cast::LAST),
        ["failed", word, number, seconds] => {
            cast::answered(word, attempt(number)?, cast::pause(seconds.parse().ok()?))
        }
        ["resend", word] => cast::resend(word),
        ["resend-unknown", word] => {
            Command::Resend { message: cast::id(word), known: endpoint::Known::Fresh }
        }
        ["recover", ref words @ ..] => cast::recover(words),
        ["remove"] => Command::Remove,
        ["wake"] => Command::Wake,
        _ => return None,
    })
}

#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts"), 6, || {
        |life: &mut Life, now, words: &[&str]| Some(life.hears(command(words)?, now))
    });
}
