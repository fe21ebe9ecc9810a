//! Every number that bounds a payment, with its reason.

/// The longest header value that is read. Common servers and clients stop at 8 KiB of headers; a real payment is
/// about 1 KiB.
pub const HEADER_BYTES: usize = 8 * 1024;

/// How long, in seconds, an authorization must still hold when it is verified. The reference facilitator asks for
/// six: time for three blocks of two seconds in which the transfer must land.
pub const MARGIN_SECONDS: u64 = 6;

/// How far, in seconds, a client's clock may run ahead of ours before its authorization counts as too long-lived.
/// Ten minutes: some clients also open their window ten minutes early.
pub const SKEW_SECONDS: u64 = 600;

/// The length of an address in text: `0x` and 40 hexadecimal digits.
pub(crate) const ADDRESS_CHARACTERS: usize = 42;

/// The longest text of a `uint256`: 2^256 has 78 decimal digits.
pub(crate) const DECIMAL_DIGITS: usize = 78;
