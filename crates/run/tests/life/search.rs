//! Everything that a few commands can do in any order: a breadth-first search over the distinct states of small worlds, with
//! a witness at each step. Two states are the same here if they differ by the moments and names of what happened alone.

use std::collections::HashSet;

use primitives::{Digest, Millis, UnixMillis};
use run::{Command, deadline};
use serde_json::Value;

use crate::cast::START;
use crate::purchase::*;
use crate::script::{command, walk_seen};
use crate::witness::Witness;

/// One state of the world.
#[derive(Clone)]
struct Place {
    life: Life,
    witness: Witness,
    now: UnixMillis,
}

impl Place {
    /// The place that a phrase leads to, if it is another one; `due` is the alarm at the deadline, `+` four minutes without it.
    fn after(&self, phrase: &str) -> Option<Self> {
        let mut next = self.clone();
        let words: Vec<&str> = phrase.split_whitespace().collect();
        let asked = match phrase {
            "due" => {
                next.now = next.now.max(deadline(&next.life.state)?);
                Command::Wake
            }
            "+" => {
                next.now = next.now.plus(Millis::from_minutes(4));
                return Some(next);
            }
            _ => command(&next.life, &words, next.now).unwrap(),
        };
        // A refusal changes nothing; whether it should have been one is what stories and matrix say.
        let heard = next.witness.hears(&mut next.life, asked, next.now).ok()?;
        let asked_last = next.life.journal.iter().rposition(|(_, event)| Purchase::is_question(event));
        next.life.journal.drain(..asked_last.unwrap_or(next.life.journal.len()));
        next.life.granted.clear();
        (!heard.events.is_empty()).then_some(next)
    }

    fn key(&self) -> Digest {
        let mut state = serde_json::to_value(&self.life.state).unwrap();
        blur(&mut state, self.now);
        Digest::of(&[state.to_string().as_bytes()])
    }
}

/// Puts moments from now on in the place of moments, and one name in the place of all names of commands.
fn blur(value: &mut Value, now: UnixMillis) {
    match value {
        Value::Number(number) if number.as_u64().is_some_and(|at| at > START.0 / 2) => {
            let at = i64::try_from(number.as_u64().unwrap()).unwrap();
            *value = (at - i64::try_from(now.0).unwrap()).into();
        }
        Value::String(text) if text.starts_with("cmd_") => *value = "cmd".into(),
        Value::Array(parts) => parts.iter_mut().for_each(|part| blur(part, now)),
        Value::Object(parts) => {
            for (name, part) in parts.iter_mut() {
                match name.as_str() {
                    "version" | "updated_at" | "created_at" | "signals" | "fates" => *part = Value::Null,
                    _ => blur(part, now),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Walks every way from a place, the shortest first, until so many places are known or there are no more. Answers how many
/// phrases deep all of them were walked.
fn search(from: &str, phrases: &[&str], most: usize) -> usize {
    let (life, witness, now) = walk_seen(from);
    let start = Place { life, witness, now };
    let mut seen = HashSet::from([start.key()]);
    let (mut edge, mut depth) = (vec![start], 0);
    while !edge.is_empty() {
        let mut next = Vec::new();
        for place in &edge {
            let there = phrases.iter().filter_map(|phrase| place.after(phrase));
            next.extend(there.filter(|there| seen.insert(there.key())));
            if seen.len() > most {
                return depth;
            }
        }
        (edge, depth) = (next, depth + 1);
    }
    depth
}

const SHOPPING: [&str; 12] = [
    "due",
    "+",
    "started",
    "needs-user",
    "unavailable",
    "error",
    "quote 1000",
    "quote 1112",
    "pix 1000",
    "pix 1001",
    "rebind F",
    "cancel",
];
const FUNDING: [&str; 13] = [
    "due",
    "+",
    "wallet W",
    "wallet V",
    "wallet off",
    "funds full",
    "funds public",
    "funds short",
    "funds down",
    "confirm",
    "pay S",
    "quote 1000",
    "cancel",
];
const SPENDING: [&str; 12] = [
    "due",
    "+",
    "budget held",
    "budget approval",
    "budget refused",
    "lapsed",
    "confirm by:owner",
    "reject",
    "wallet V",
    "pay S",
    "rebind F",
    "cancel",
];
const PAYING: [&str; 13] = [
    "due",
    "+",
    "pay S",
    "pay T",
    "look verified",
    "look failed",
    "look unknown",
    "trace found S",
    "trace absent",
    "trace unknown",
    "cancel",
    "lapsed",
    "order yes",
];

const ASKED: &str = "wallet W; market A:1003 B:1049; quote 1000; quote 1000; pix 1000; funds full";

#[test]
fn a_small_world_of_shops_has_no_wrong_place() {
    assert!(search("create; market A:1003 B:1049", &SHOPPING, 1_500) >= 3);
}

#[test]
fn a_small_world_of_wallets_has_no_wrong_place() {
    let from = "create; market A:1003; quote 1000; quote 1000; pix 1000";
    assert!(search(from, &FUNDING, 1_500) >= 4);
}

#[test]
fn a_small_world_of_mandates_has_no_wrong_place() {
    assert!(search(&format!("create mandate; {ASKED}"), &SPENDING, 1_500) >= 4);
}

#[test]
fn a_small_world_of_payments_has_no_wrong_place() {
    assert!(search(&format!("create; {ASKED}; confirm"), &PAYING, 1_500) >= 4);
    assert!(search(&format!("create mandate; {ASKED}; budget held"), &PAYING, 1_500) >= 4);
}
