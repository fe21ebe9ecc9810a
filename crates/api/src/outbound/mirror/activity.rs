//! A line of the log of a mirrored mandate.

use eip712::B256;
use mandate::life::Activity;
use mandate::mirror::Place;

use crate::outbound::mandate as shown;
use crate::wire::ActivityLine;

/// The result of a line whose block has left the chain.
const UNDONE: &str = "undone";

/// A line as the owner reads it; nobody else does. `seq` is the number of its event in the mandate's journal, `place` where
/// the chain tells it, and `stands` whether that block is still on it.
pub fn activity(
    line: &Activity,
    place: Option<&Place>,
    stands: bool,
    mandate: B256,
    seq: u64,
) -> ActivityLine {
    let mut shown = shown::activity(line, mandate, seq);
    shown.source = if place.is_some() { "chain" } else { "mirror" }.to_owned();
    shown.transaction = place.map(|place| place.transaction.to_string());
    if !stands {
        UNDONE.clone_into(&mut shown.result);
    }
    shown
}
