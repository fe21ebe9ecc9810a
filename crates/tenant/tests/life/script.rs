//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the state with its services' prices
//! and the facts that were recorded with what they owe, or `refused` and the code. `scripts/README.md` has the words.

use primitives::{Millis, UnixMillis};
use rehearsal::every_story;
use tenant::{Access, Command, Known, Mode, Presented, Refusal, Scope, admit};

use crate::cast::{self, Life, after};

fn moment(word: &str) -> Option<Option<UnixMillis>> {
    if word == "now" { Some(None) } else { word.parse().ok().map(|seconds| Some(after(seconds))) }
}

/// The command that `words` ask for.
fn command(life: &Life, words: &[&str]) -> Option<Command> {
    Some(match *words {
        ["open"] => cast::open(),
        ["create", key, ref scopes @ ..] => cast::create(key, scopes),
        ["rotate", old, new, overlap, ref scopes @ ..] => {
            cast::rotate(old, new, scopes, Millis::from_seconds(overlap.parse().ok()?))
        }
        ["reissue", key, with] => cast::reissue(key, with, Known::Fresh),
        ["reissue", key, with, "used"] => cast::reissue(key, with, Known::Filed),
        ["revoke", key] => cast::revoke(key),
        ["reset", key] => Command::Reset { by: cast::key_id(key) },
        ["register", name, units] => cast::register(name, units.parse().ok()?),
        ["price", name, units, from] => cast::price(name, units.parse().ok()?, moment(from)?),
        ["disable", name] => Command::DisableService { service: cast::service(name) },
        ["enable", name] => Command::EnableService { service: cast::service(name) },
        ["delete", name] => cast::delete(name),
        ["follow", id, ref types @ ..] => cast::follow(id, types),
        ["remove", id] => Command::RemoveEndpoint { id: cast::endpoint(id) },
        ["offer", agent, mandate, signer] => cast::offer(agent, mandate, signer, cast::filed(life, agent)),
        ["withdraw", agent, signer] => cast::withdraw(agent, signer, cast::filed(life, agent)),
        ["prepaid", agent, mandate] => {
            cast::mode(agent, Mode::Prepaid, Some(mandate), cast::filed(life, agent))
        }
        ["postpaid", agent] => cast::mode(agent, Mode::Postpaid, None, cast::filed(life, agent)),
        ["use", agent] => cast::used(agent, Known::Fresh),
        ["pause"] => Command::Pause { reason: None },
        ["unpause"] => Command::Unpause,
        ["suspend"] => Command::Suspend { reason: None },
        ["resume"] => Command::Resume,
        ["wake"] => Command::Wake,
        _ => return None,
    })
}

fn writes(life: &Life, now: UnixMillis, key: Presented) -> Result<rehearsal::Heard<cast::Tenant>, Refusal> {
    let admitted = admit(&life.state, &key, now)?;
    admitted.may(Access::Write(Scope::UsageWrite)).map(|()| rehearsal::Heard::default())
}

#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts"), 6, || {
        |life: &mut Life, now, words: &[&str]| match *words {
            // `K2 writes`: whether the key is let in to record usage.
            [key, "writes"] => Some(writes(life, now, cast::shown(key))),
            // `K2 writes K3`: likewise, with the secret that K3 would have.
            [key, "writes", with] => {
                Some(writes(life, now, Presented { secret: cast::digest(with), ..cast::shown(key) }))
            }
            _ => Some(life.hears(command(life, words)?, now)),
        }
    });
}
