//! Every bound of a meter, with its reason. The state is written whole with each event, so it holds open things only.

use primitives::Millis;

/// The longest source of an event, in bytes: a URI.
pub const SOURCE_BYTES: usize = 256;
/// The longest id of an event, in bytes: a UUID three times over.
pub const ID_BYTES: usize = 128;
/// The most events of one bulk: with the longest names they are half of what one row of a journal can hold.
pub const BULK: usize = 1_000;
/// The most units of one event, in whole units. More is a mistake; several events say it as well.
pub const EVENT_UNITS: u64 = 1_000_000_000_000;
/// How far ahead of the receiver's clock an event's time may lie.
pub const EARLY: Millis = Millis::from_minutes(5);
/// The longest time after which an event is still taken: a month with its days of grace.
pub const LATE_MAX: Millis = Millis::from_minutes(35 * 24 * 60);
/// How long an event's identity is kept after it was received: longer than any event that could repeat it is taken.
pub const KEPT: Millis = Millis::from_minutes(40 * 24 * 60);
/// Price versions with open usage at once.
pub const OPEN_VERSIONS: usize = 64;
/// Adjustments that wait for the next bill, each for one settled line.
pub const ADJUSTMENTS: usize = 200;
/// Reservations that are held at once.
pub const RESERVATIONS: usize = 100;
/// The longest reservation: a day of work.
pub const RESERVATION_MAX: Millis = Millis::from_minutes(24 * 60);
/// How long a mandate goes on holding after a reservation has ended, so that what was committed in time is paid in time.
pub const GRACE: Millis = Millis::from_seconds(60);
/// The longest time that a draft waits for its payment.
pub const DRAFT_WAIT: Millis = Millis::from_minutes(30 * 24 * 60);
/// How long a payment whose outcome nobody knows is looked for before it counts as not made.
pub const PAYMENT_WAIT: Millis = Millis::from_minutes(24 * 60);
/// The pause before a payment is first looked at again; each pause is twice the one before it.
pub const LOOK_FIRST: Millis = Millis::from_seconds(15);
/// The longest of these pauses.
pub const LOOK_MAX: Millis = Millis::from_minutes(15);
/// The most that the open and pending usage of one shard may come to by its dearest tiers, and that what is to be credited
/// may come to: a 64th of what can be counted, so that all shards, a bill that returns and credits count together.
pub const AMOUNT: tariff::Exact = tariff::Exact(i128::MAX / 64);
/// The most shards of one meter.
pub const SHARDS: u8 = 16;
