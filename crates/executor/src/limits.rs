//! Every bound of an executor's queue and of the gate, with its reason. The state is written whole with each event and must
//! fit into one row of an object's store, which holds two megabytes.

use primitives::Millis;

/// Orders that are pending at once. A browser works on a few at a time; more than this wait too long to be worth anything.
pub const ORDERS: usize = 64;

/// The longest body of an order, in bytes. A command names one candidate or nothing but itself; this is ten times that.
pub const BODY_BYTES: usize = 16 * 1024;

/// The bodies of all pending orders together, in bytes. Inside the state's JSON each is at most twice as long.
pub const BODIES_BYTES: usize = 512 * 1024;

/// The longest id of a command, in bytes.
pub const COMMAND_ID_BYTES: usize = 64;

/// The longest label, in characters: a line.
pub const LABEL_CHARS: usize = 80;

/// Ids of orders that are pending or were closed before their end, at 84 bytes each. Closed ones are kept to their end, so
/// that a late copy of such an order is known.
pub const NAMES: usize = 1_024;

/// The longest time for which an order can be pending: a day, for what waits for its user.
pub const ORDER_MAX: Millis = Millis::from_minutes(24 * 60);

/// How long an order that was given out is not given out again: time to say that the work has begun. A message that was
/// lost on its way is made up for after this.
pub const LEASE: Millis = Millis::from_seconds(60);

/// How long an order whose work has begun is not given out again: a page or two that are slow to load. An executor that
/// takes longer says once more that it works.
pub const WORK: Millis = Millis::from_minutes(3);

/// How long an order that waits for its user is left alone: time to sign in somewhere or to fill a bag. Whoever is faster
/// asks for parked orders as well.
pub const PARK: Millis = Millis::from_minutes(10);

/// How often a renewal that says nothing new is recorded.
pub const RENEW_EVERY: Millis = Millis::from_seconds(30);

/// How often it is recorded that the executor was heard: each costs a write, and many poll every few seconds.
pub const SEEN_EVERY: Millis = Millis::from_seconds(30);

/// How long after it was last recorded as heard an executor is offline.
pub const OFFLINE_AFTER: Millis = Millis::from_seconds(90);

/// So long an executor that was heard is not offline, even if nothing of it was recorded: two of the alarms with which a
/// browser wakes an extension.
pub const HEARD_LATELY: Millis = Millis(OFFLINE_AFTER.0.saturating_sub(SEEN_EVERY.0));

/// How many registrations from one source are admitted in any span of this length, shortest span first: a few browsers
/// that are set up in one go, and an office in one day.
pub const REGISTRATIONS: [(usize, Millis); 2] =
    [(10, Millis::from_minutes(10)), (50, Millis::from_minutes(24 * 60))];
