//! `tests/vectors/mandate_sequences.json` says what the bytecode and the model say.
//!
//! `DIFFERENTIAL_VECTORS=write cargo test -p differential --test vectors` writes it anew.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, env};

use differential::{Book, Outcome, Record, World};
use mandate::Reason;

#[test]
fn the_kept_sequences_are_answered_as_they_say() {
    let world = World::deployed();
    if env::var("DIFFERENTIAL_VECTORS").is_ok_and(|value| value == "write") {
        Record::make(&world).write();
    }
    let record = Record::read();
    let mut shown = BTreeSet::from([Reason::None]);
    for (number, sequence) in record.sequences.iter().enumerate() {
        let mut book = Book::new(record.sites());
        let mut world = world.clone();
        for (index, taken) in sequence.iter().enumerate() {
            let place = format!("sequence {number}, step {index}");
            assert_eq!(book.take(&taken.step), taken.outcome, "the model, {place}");
            assert_eq!(world.take(&taken.step), taken.outcome, "the bytecode, {place}");
            match &taken.outcome {
                Outcome::Done | Outcome::TokenRefused => {}
                Outcome::Refused(refused) => drop(shown.insert(refused.reason)),
                Outcome::Batch(reasons) => shown.extend(reasons),
            }
        }
    }
    // The model knows nothing of gas.
    let is_missing = |reason: &&Reason| **reason != Reason::Gas && !shown.contains(*reason);
    let missing: Vec<_> = Reason::ALL.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "no kept sequence shows {missing:?}");
}
