//! Every bound of a settlement, with its reason.

use primitives::Millis;

/// The first pause before the chain is looked at, and the shortest between two looks. One block of the fast chains; the
/// relayer's reports, which make a look happen at once, are usually sooner.
pub const LOOK_PAUSE_MIN: Millis = Millis::from_seconds(2);

/// The longest pause between two looks. Pauses grow with the time since the last change; a chain that was out of reach
/// for hours is heard again within this.
pub const LOOK_PAUSE_MAX: Millis = Millis::from_seconds(60);

/// How long a settled transfer is watched for its block to become final. Chains that settle on another one need about
/// twenty minutes, and an hour on a bad day.
pub const WATCH_MAX: Millis = Millis::from_minutes(120);

/// How long before the end of its window a call is started at the latest. It needs one block of time; a call that comes
/// too late burns its fee for nothing.
pub const LAST_START: Millis = Millis::from_seconds(2);

/// Transactions that are remembered; the oldest is forgotten first. A relayer that raises its fees by an eighth each time
/// reaches ten thousand times its first fee before. A forgotten one that carries the transfer is still found, by the
/// trace that the authorization's use leaves on the chain.
pub const TRANSACTIONS_MAX: usize = 80;

/// The longest key of an asker, in bytes. Room for two UUIDs and a prefix; it is kept with the order.
pub const KEY_BYTES: usize = 128;
