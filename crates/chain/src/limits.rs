//! Every bound of this crate, with its reason.

use primitives::Millis;

/// The longest answer of a node that is read. Receipts of the calls made here take about 2 KiB each and a contract's
/// code at most 48 KiB as text; a batch of several hundred fits.
pub const ANSWER_BYTES: usize = 1024 * 1024;

/// How much of a node's fault message is kept, in characters: enough to see what is meant, short enough to log.
pub const FAULT_CHARS: usize = 512;

/// The longest data of a revert that is kept; reasons and custom errors take a few words of 32 bytes.
pub const REVERT_BYTES: usize = 4 * 1024;

/// The longest name or version that a token may have, in bytes: whole words of 32. Known tokens stay below 40.
pub const TOKEN_TEXT_BYTES: usize = 256;

/// The longest ERC-6492 signature that is unwrapped. A payment header holds at most 8 KiB.
pub const WRAPPED_BYTES: usize = 8 * 1024;

/// The most topics that a log has (the EVM's LOG4).
pub const TOPICS_MAX: usize = 4;

/// The most digits of a quantity: 256 bits, leading zeros included.
pub const QUANTITY_DIGITS: usize = 64;

/// How long before a transfer was allowed a block with it may say that it was made: clocks of chains are estimates, and
/// run some seconds behind ours.
pub const CLOCK_SKEW: Millis = Millis::from_minutes(1);

/// How many transactions of an address are listed. One with a reference of its own has one or two, whatever else names it
/// is somebody's noise.
pub const SIGNATURES: usize = 100;
