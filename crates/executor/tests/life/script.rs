//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state with the facts that were
//! recorded and what they owe, or `refused` and the code. `scripts/README.md` has the words.

use executor::{Command, Occasion};
use primitives::UnixMillis;
use rehearsal::every_story;

use crate::cast::{self, Life};

/// The command that `words` ask for.
fn command(words: &[&str]) -> Option<Command> {
    Some(match *words {
        ["register", secret] => cast::register(secret),
        ["enqueue", order, "until", end] => cast::enqueue(order, moment(end)?),
        ["enqueue", "other", order, "until", end] => {
            Command::Enqueue { order: cast::other_order(order, moment(end)?) }
        }
        ["poll"] => cast::POLL,
        ["poll", limit] => cast::lease(limit.parse().ok()?, Occasion::Poll),
        ["poll-all"] => cast::POLL_ALL,
        ["push"] => cast::PUSH,
        ["started", order] => cast::started(order),
        ["needs-user", order] => cast::needs_user(order),
        ["settle", order, "until", end] => cast::settle(order, moment(end)?),
        ["withdraw", order, "until", end] => cast::withdraw(order, moment(end)?),
        ["seen"] => Command::Seen,
        ["wake"] => Command::Wake,
        _ => return None,
    })
}

/// `12:30` after the start.
fn moment(text: &str) -> Option<UnixMillis> {
    let (minutes, seconds) = text.split_once(':')?;
    Some(cast::after(minutes.parse::<u64>().ok()? * 60 + seconds.parse::<u64>().ok()?))
}

#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts"), 10, || {
        |life: &mut Life, now, words: &[&str]| Some(life.hears(command(words)?, now))
    });
}
