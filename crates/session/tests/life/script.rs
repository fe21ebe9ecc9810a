//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state with the facts that were
//! recorded and what they owe, or `refused` and the code. `scripts/README.md` has the words.

use primitives::Millis;
use rehearsal::every_story;
use session::Command;

use crate::cast::{self, Life, START};

/// The command that `words` ask for.
fn command(words: &[&str]) -> Option<Command> {
    Some(match *words {
        ["challenge", nonce] => cast::challenge(nonce),
        ["present", nonce] => cast::present(nonce),
        ["sign-in", nonce, account, successor] => cast::sign_in(nonce, cast::account(account)?, successor),
        ["begin", account, "since", minute] => {
            let since = START.plus(Millis::from_minutes(minute.parse().ok()?));
            cast::begin(cast::account(account)?, since)
        }
        ["visit"] => Command::Visit,
        ["sign-out"] => Command::SignOut,
        ["revoke"] => Command::Revoke,
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
