//! Every bound of this crate, with its reason.

/// The longest code that is read, in bytes: what EMVCo QRCPS lets a code have.
pub const CODE_BYTES: usize = 512;

/// The longest name of a payee, in characters (tag 59).
pub const NAME_CHARS: usize = 25;

/// The longest city of a payee, in characters (tag 60).
pub const CITY_CHARS: usize = 15;

/// The longest transaction id of a static code, in characters (tag 62-05).
pub const TXID_CHARS: usize = 25;

/// The most digits before the point of an amount (tag 54).
pub const REAIS_DIGITS: usize = 10;
