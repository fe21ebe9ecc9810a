//! The words of the contract `Mandates` against its sources, its compiled interface, and what viem makes of both.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod calls;
mod declarations;
mod names;
mod structs;
mod values;

use serde_json::Value;

/// What another implementation computes; see the note in the file.
fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../../tests/vectors/mandates.json")).unwrap()
}

/// The elements of a list of the vectors.
fn list(name: &str) -> Vec<Value> {
    vectors()[name].as_array().unwrap().clone()
}

/// The text that stands under a name.
fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap()
}

fn bytes(object: &Value, name: &str) -> Vec<u8> {
    hex::decode(text(object, name).strip_prefix("0x").unwrap()).unwrap()
}

/// An address or a hash.
fn parsed<T: core::str::FromStr<Err: core::fmt::Debug>>(object: &Value, name: &str) -> T {
    text(object, name).parse().unwrap()
}

/// A number, which stands as text where JavaScript has no exact one.
fn number<T: core::str::FromStr<Err: core::fmt::Debug>>(object: &Value, name: &str) -> T {
    let number = &object[name];
    number.as_str().map_or_else(|| number.to_string(), str::to_owned).parse().unwrap()
}

/// The domain of the vectors, put together by our own function.
fn domain() -> eip712::Domain {
    let vectors = vectors();
    let domain = &vectors["domain"];
    eip712::mandates::domain(number(domain, "chainId"), parsed(domain, "verifyingContract"))
}

/// One of the parties, with its key.
fn signer(party: &str) -> eip712::Signer {
    let party = &vectors()["parties"][party];
    let signer = eip712::Signer::from_bytes(&parsed::<eip712::B256>(party, "privateKey").0).unwrap();
    assert_eq!(signer.address(), parsed::<eip712::Address>(party, "address"));
    signer
}
