//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state with the number of moments
//! that are kept and the facts that were recorded, or `refused` and the code. `scripts/gate/README.md` has the words.

use executor::gate::Command;
use rehearsal::every_story;

use crate::cast::Life;

#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts/gate"), 2, || {
        |life: &mut Life, now, words: &[&str]| match *words {
            ["admit"] => Some(life.hears(Command::Admit, now)),
            ["wake"] => Some(life.hears(Command::Wake, now)),
            _ => None,
        }
    });
}
