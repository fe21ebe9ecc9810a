//! Stories as text. Each line is `minute:second  command  =>  outcome`; the outcome is the mandate's status with its
//! balance and what of it is reserved, the facts that were recorded and what they owe, or `refused` and the code.
//! `scripts/README.md` has the words.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, Bytes, U256};
use mandate::life::{Act, Change, Command};
use mandate::{Request, Signature, SignedApproval};
use primitives::{Millis, UnixMillis};
use rehearsal::every_story;

use crate::cast::*;

fn who(word: &str) -> Option<Address> {
    Some(match word {
        "owner" => OWNER,
        "agent" => AGENT,
        "provider" => PROVIDER,
        "resolver" => RESOLVER,
        "stranger" => STRANGER,
        _ => return None,
    })
}

/// What is done with the mandate itself.
fn change_of(words: &[&str]) -> Option<Command> {
    let number = |word: &str| word.parse::<u128>().ok();
    Some(match *words {
        ["create"] => create(),
        ["fund", amount] => fund(number(amount)?),
        ["withdraw", amount, by] => {
            change(Change::Withdraw { amount: U256::from(number(amount)?) }, who(by)?)
        }
        ["amend", "tighter"] => change(Change::Amend(amendment(tighter(), 1)), OWNER),
        ["amend", "looser"] => change(Change::Amend(amendment(looser(), 1)), OWNER),
        ["apply", "looser"] => change(Change::ApplyAmendment(amendment(looser(), 1)), STRANGER),
        ["forget"] => change(Change::CancelAmendment, OWNER),
        ["pause", by] => change(Change::Pause, who(by)?),
        ["unpause", by] => change(Change::Unpause, who(by)?),
        ["revoke", by] => change(Change::Revoke, who(by)?),
        ["renounce", by] => change(Change::Renounce, who(by)?),
        ["wake"] => Command::Wake,
        _ => return None,
    })
}

/// What is done with one payment or reservation.
fn act_of(words: &[&str], now: UnixMillis) -> Option<Command> {
    let number = |word: &str| word.parse::<u128>().ok();
    let in_minutes = |word: &str| Some(now.plus(Millis::from_minutes(word.parse().ok()?)));
    Some(match *words {
        ["approve", word, minutes] => approve(word, in_minutes(minutes)?),
        ["forge", word] => {
            let approval = SignedApproval { valid_before: at(DAY).into(), signature: Signature::Of(AGENT) };
            act(word, Act::Approve { approval, bytes: Bytes::new() }, AGENT)
        }
        ["reject", word] => reject(word),
        ["submit", word, by] => act(word, Act::Submit, who(by)?),
        ["deliver", word] => deliver(word),
        ["accept", word, by] => act(word, Act::Accept, who(by)?),
        ["dispute", word] => dispute(word),
        ["dispute", word, "unfounded"] => act(word, Act::Dispute { evidence: B256::ZERO }, OWNER),
        ["capture", word, total] => capture(word, number(total)?),
        ["claim", word] => act(word, Act::Claim, STRANGER),
        ["void", word] => act(word, Act::Void, PROVIDER),
        ["resolve", word, amount] => resolve(word, number(amount)?),
        ["timeout", word] => act(word, Act::TimeOut, STRANGER),
        ["expire", word] => act(word, Act::Expire, STRANGER),
        ["refund", word, total] => refund(word, number(total)?),
        ["reserve", word, amount, minutes] => reserve(word, hold(number(amount)?, in_minutes(minutes)?)),
        ["reserve", word, amount, minutes, "approved"] => {
            reserve(word, approved(number(amount)?, in_minutes(minutes)?))
        }
        ["commit", word, amount] => commit(word, number(amount)?),
        ["release", word] => release(word),
        _ => return None,
    })
}

/// A request keeps its body from the line that first makes it.
fn request_of(
    made: &mut BTreeMap<String, Request>,
    life: &Life,
    words: &[&str],
    now: UnixMillis,
) -> Option<Command> {
    let policy_version = life.state.book().map_or(1, |book| book.mandate.policy_version);
    let mut named = |word: &str, amount: u128, recipient: Address| {
        let fresh = Request { policy_version, recipient, ..request_at(word, amount, now) };
        *made.entry(word.to_owned()).or_insert(fresh)
    };
    Some(match *words {
        ["request", word, amount] => ask(named(word, amount.parse().ok()?, PROVIDER)),
        ["request", word, amount, "to", recipient] => ask(named(word, amount.parse().ok()?, who(recipient)?)),
        ["cancel", word, by] => cancel(named(word, 40, PROVIDER), who(by)?),
        _ => return None,
    })
}

/// L1 to L10, as they are told.
#[test]
fn every_story_goes_as_it_is_told() {
    every_story(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts"), 18, || {
        let mut made = BTreeMap::new();
        move |life: &mut Life, now, words: &[&str]| {
            let command = change_of(words)
                .or_else(|| act_of(words, now))
                .or_else(|| request_of(&mut made, life, words, now))?;
            Some(hears(life, command, now))
        }
    });
}
