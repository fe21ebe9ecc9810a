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

/// How long a payment identifier may be, in characters (extension `payment-identifier`).
pub(crate) const PAYMENT_IDENTIFIER_CHARACTERS: core::ops::RangeInclusive<usize> = 16..=128;

/// The longest `bazaar` block that is listed, in bytes of JSON. It came through a header of at most [`HEADER_BYTES`];
/// one catalogue page of a hundred then stays below a megabyte.
pub(crate) const BAZAAR_BYTES: usize = HEADER_BYTES;

/// How deeply a `bazaar` block may be nested. Schemas of real requests reach about ten.
pub(crate) const BAZAAR_DEPTH: usize = 24;

/// The longest URL of a listed resource; browsers and proxies agree on no more.
pub(crate) const URL_BYTES: usize = 2_048;

/// The longest description that a catalogue shows, in characters: one paragraph.
pub(crate) const DESCRIPTION_CHARACTERS: usize = 500;

/// The longest service name or tag that a catalogue shows, in characters (core specification, section 5.1.2).
pub(crate) const WORD_CHARACTERS: usize = 32;

/// The longest media type that a catalogue shows: what RFC 6838 allows one half of it; real ones stay far below.
pub(crate) const MEDIA_TYPE_CHARACTERS: usize = 127;

/// How many tags a resource may have (core specification, section 5.1.2).
pub(crate) const TAGS: usize = 5;

/// How often the escapes of a route template are undone before it counts as a trick: five, as the reference does.
pub(crate) const DECODE_PASSES: usize = 5;

/// How many resources one page of discovery holds if the caller does not say (core specification, section 8).
pub(crate) const DISCOVERY_LIMIT: u64 = 20;

/// How many resources one page of discovery may hold (core specification, section 8).
pub(crate) const DISCOVERY_LIMITS: core::ops::RangeInclusive<u64> = 1..=100;

/// The longest query of discovery; its seven parameters need a few hundred bytes.
pub(crate) const QUERY_BYTES: usize = 2_048;
