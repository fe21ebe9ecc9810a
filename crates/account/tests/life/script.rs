//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state with what is kept and the
//! facts that were recorded, or `refused` and the code. `scripts/README.md` has the words.

use account::{Change, Command};
use rehearsal::every_story;

use crate::cast::{self, Life};

/// The command that `words` ask for.
fn command(words: &[&str]) -> Option<Command> {
    Some(match *words {
        ["name", agent, name] => cast::name(agent, name),
        ["forget", agent] => cast::forget(agent),
        ["draft", id, label] => cast::draft(id, label),
        ["change", id, ref rest @ ..] => {
            let (seen, parts) = match *rest {
                ["seen", version, ref parts @ ..] => (Some(version.parse().ok()?), parts),
                ref parts => (None, parts),
            };
            let changes = parts.chunks(2).map(change).collect::<Option<_>>()?;
            cast::change(id, seen, changes)
        }
        ["discard", id] => cast::discard(id),
        ["wake"] => Command::Wake,
        _ => return None,
    })
}

fn change(words: &[&str]) -> Option<Change> {
    Some(match *words {
        ["label", word] => cast::label(word),
        ["plan", word] => Change::Plan(cast::plan(word).parse().ok()?),
        ["transaction", word] => Change::Transaction(cast::transaction(word)),
        ["note", word] => Change::Note(word.parse().ok()?),
        _ => return None,
    })
}

#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts"), 5, || {
        |life: &mut Life, now, words: &[&str]| Some(life.hears(command(words)?, now))
    });
}
