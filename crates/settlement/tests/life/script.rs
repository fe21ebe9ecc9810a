//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state with the transaction that
//! a caller is told, the facts that were recorded and what they owe, or `refused` and the code. `scripts/README.md` has
//! the words.

use rehearsal::every_story;
use settlement::{Asker, Command, Sighting, Tier, Window};

use crate::cast::{self, Life};

fn tier(word: &str) -> Option<Tier> {
    Some(match word {
        "included" => Tier::Included,
        "safe" => Tier::Safe,
        "final" => Tier::Final,
        _ => return None,
    })
}

fn sighting(words: &[&str]) -> Option<Sighting> {
    Some(match *words {
        ["transfer", transaction, block, at] => {
            let (branch, number) = block.split_at_checked(1)?;
            cast::transferred(transaction, number.parse().ok()?, branch, tier(at)?)
        }
        ["used", transaction, at] => cast::used_otherwise(transaction, tier(at)?),
        ["unused"] => cast::unused(None, Window::Open),
        ["unused", "closed"] => cast::unused(None, Window::Closed),
        ["mined", transaction] => cast::unused(Some(transaction), Window::Open),
        ["mined", transaction, "closed"] => cast::unused(Some(transaction), Window::Closed),
        _ => return None,
    })
}

/// The command that `words` ask of `life`.
fn command(life: &Life, words: &[&str]) -> Option<Command> {
    Some(match *words {
        ["start", request, at] => cast::start(request, tier(at)?),
        ["start", request, at, key] => cast::start_by(cast::key(key), request, tier(at)?),
        ["collect", request] => cast::collect(Asker::Anonymous, request),
        ["collect", request, key] => cast::collect(cast::key(key), request),
        ["announce", hash] => cast::announce(hash),
        ["decline", reason] => cast::decline(reason),
        ["look"] => Command::LookNow,
        ["see", ref seen @ ..] => {
            let look = life.state.unfinished().map_or(0, |pursuit| pursuit.looks);
            Command::See { look, sighting: sighting(seen)? }
        }
        ["late", look, ref seen @ ..] => Command::See { look: look.parse().ok()?, sighting: sighting(seen)? },
        ["wake"] => Command::Wake,
        _ => return None,
    })
}

#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts"), 14, || {
        |life: &mut Life, now, words: &[&str]| Some(life.hears(command(life, words)?, now))
    });
}
