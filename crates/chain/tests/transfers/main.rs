//! Whether a transaction is a transfer, by what nodes answer about it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the test's own")]

mod base58;
mod ethereum;
mod ethereum_random;
mod faults;
mod landing;
mod solana;
mod solana_random;
mod wallets;

use chain::Verdict;
use chain::rpc::Fault;
use serde_json::Value;

/// What a verdict is called.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified { .. } => "verified",
        Verdict::Failed(reason) => reason.code(),
        Verdict::Unknown(why) => why.code(),
    }
}

fn fault() -> Fault {
    Fault { code: -32_005, message: "Node is behind by 160 slots".into(), data: None }
}

/// The answer with another value at one place.
fn with(answer: &Value, pointer: &str, value: impl Into<Value>) -> Value {
    let mut answer = answer.clone();
    *answer.pointer_mut(pointer).unwrap() = value.into();
    answer
}

/// The answer without the member at one place.
fn without(answer: &Value, pointer: &str) -> Value {
    let mut answer = answer.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    assert!(answer.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name).is_some(), "{pointer}");
    answer
}

/// The places of everything in an answer.
fn places(answer: &Value) -> Vec<String> {
    let inner = |name: String, value: &Value| {
        let below = places(value).into_iter().map(|place| format!("/{name}{place}")).collect::<Vec<_>>();
        [vec![format!("/{name}")], below].concat()
    };
    match answer {
        Value::Object(members) => {
            members.iter().flat_map(|(name, value)| inner(name.clone(), value)).collect()
        }
        Value::Array(values) => {
            values.iter().enumerate().flat_map(|(at, value)| inner(at.to_string(), value)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}
