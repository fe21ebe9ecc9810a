//! What is asked and signed against known answers, and what is refused when it is answered.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the test's own")]

mod accounts;
mod answers;
mod calls;
mod faults;
mod hostile;
mod receipts;
mod tokens;
mod transactions;

use eip712::{Address, B256};
use serde_json::Value;

/// What another implementation encodes; see the note in the file.
fn known() -> Value {
    serde_json::from_str(include_str!("../vectors/calldata.json")).unwrap()
}

fn known_bytes(name: &str) -> Vec<u8> {
    bytes(known()[name].as_str().unwrap())
}

fn bytes(text: &str) -> Vec<u8> {
    hex::decode(text.strip_prefix("0x").unwrap()).unwrap()
}

/// An address and a hash that are easy to see.
fn address(byte: u8) -> Address {
    Address::repeat_byte(byte)
}

fn hash(byte: u8) -> B256 {
    B256::repeat_byte(byte)
}
