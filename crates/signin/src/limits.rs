//! Every bound of this crate, with its reason.

use primitives::Millis;

/// The longest message that is read, in bytes. A message with a statement and a few resources takes about 600.
pub const MESSAGE_BYTES: usize = 4 * 1024;

/// The longest signature, in bytes. A key's has 65; a contract account with some dozen owners takes a few thousand.
pub const SIGNATURE_BYTES: usize = 4 * 1024;

/// How far a message's Issued At may lie from our clock, in either direction: time to read a wallet's dialogue, and a
/// clock that is wrong.
pub const ISSUED_WITHIN: Millis = Millis::from_minutes(5);
