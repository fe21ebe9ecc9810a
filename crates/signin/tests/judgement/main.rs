//! Sign-in messages: their grammar, the checklist, and who signed.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod checklist;
mod peers;
mod reading;
mod signatures;

use eip712::{Signer, personal_digest};
use primitives::UnixMillis;
use signin::{Expected, Message};

/// 2027-01-15T08:00:00Z, when the message below is issued.
const ISSUED: u64 = 1_800_000_000_000;
const MINUTE: u64 = 60_000;

/// The person who signs in.
fn person() -> Signer {
    Signer::from_bytes(&[0x11; 32]).unwrap()
}

/// A good message of [`person`]'s, with everything that we ask for.
fn message() -> Message {
    Message {
        scheme: Some("https".parse().unwrap()),
        domain: "guildhall.example".parse().unwrap(),
        address: person().address(),
        statement: Some("Sign in to Guildhall.".parse().unwrap()),
        uri: "https://guildhall.example/owner".parse().unwrap(),
        chain_id: 84_532,
        nonce: "8sBGdAvxVQxLdFKE".parse().unwrap(),
        issued_at: UnixMillis(ISSUED).into(),
        expiration_time: None,
        not_before: None,
        request_id: None,
        resources: Some(vec!["https://guildhall.example/terms".parse().unwrap()]),
    }
}

/// What we asked for when [`message`] came.
fn expected() -> Expected {
    Expected {
        origin: "https://guildhall.example".parse().unwrap(),
        chain_ids: vec![8_453, 84_532],
        statement: Some("Sign in to Guildhall.".parse().unwrap()),
        resources: vec!["https://guildhall.example/terms".parse().unwrap()],
        nonce: "8sBGdAvxVQxLdFKE".parse().unwrap(),
    }
}

/// [`person`]'s signature of a text, as a wallet gives it.
fn signed(text: &str) -> String {
    hexadecimal(&person().sign(personal_digest(text)))
}

fn hexadecimal(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}
