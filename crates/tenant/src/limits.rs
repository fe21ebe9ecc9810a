//! Every bound of a tenant, with its reason. The state is written whole with each event and must stay below a megabyte: one
//! row of an object's store holds two.

use core::ops::RangeInclusive;

use primitives::Millis;

use crate::Configuration;
use crate::rate::Rate;

const DAY: u64 = 24 * 60;

/// The longest name of a tenant, a key or an owner, in characters: a line.
pub const LABEL_CHARS: usize = 120;
/// The longest description of a service, in characters: a paragraph.
pub const METADATA_CHARS: usize = 500;
/// The longest event type, in bytes: four words.
pub const TYPE_BYTES: usize = 64;

/// All keys, services and endpoints together, in bytes of the state's JSON. What else is in the state takes at most 16 kB.
pub const BYTES: usize = 900_000;

/// Price versions of one service, at most: a change a week for two years. When another one comes, the oldest gives way if
/// no event can come any more that it would price.
pub const VERSIONS: usize = 100;
/// How far ahead a price may begin. Prices cannot be taken back, so that a mistake must not last longer.
pub const AHEAD: Millis = Millis::from_minutes(366 * DAY);
/// How many shards the meters of a service may have: so many objects answer for one bill.
pub const SHARDS: RangeInclusive<u8> = 1..=16;

/// Event types that one endpoint names, at most.
pub const TYPES: usize = 20;

/// Keys that open nothing any more and are still shown, the newest of them. The others are forgotten.
pub const OVER_KEYS: usize = 50;
/// How long a key that was replaced may still open: time to bring the new one to every machine.
pub const OVERLAP_MAX: Millis = Millis::from_minutes(30 * DAY);

/// How often a key may ask in one window.
pub const QUOTA: RangeInclusive<u32> = 1..=1_000_000;
/// How long a window may be, in whole seconds.
pub const WINDOW: RangeInclusive<Millis> = Millis::from_seconds(1)..=Millis::from_minutes(60);
/// The most events of one bulk that can be set: what one row of a meter's journal can hold.
pub const BULK_MAX: RangeInclusive<usize> = 1..=1_000;
/// How late an event may be. It is longer for no tenant: identities are not kept for longer than 40 days.
pub const LATE: RangeInclusive<Millis> = Millis(0)..=LATE_MAX;
/// The longest time after which an event is still taken: a month with its days of grace.
pub const LATE_MAX: Millis = Millis::from_minutes(35 * DAY);
/// How many services can be allowed. With short names and few prices so many fit.
pub const SERVICES_MAX: RangeInclusive<usize> = 1..=2_000;
/// How many keys can be allowed: one for each machine of a small company.
pub const KEYS_MAX: RangeInclusive<usize> = 1..=200;
/// How many webhook endpoints can be allowed: each is called for each event that it follows.
pub const ENDPOINTS_MAX: RangeInclusive<usize> = 0..=50;
/// How long a drafted bill may wait for its payment.
pub const DRAFT_WAIT: RangeInclusive<Millis> = Millis::from_minutes(1)..=Millis::from_minutes(30 * DAY);

impl Default for Configuration {
    /// What is set before anybody has said otherwise.
    fn default() -> Self {
        Self {
            rate: Rate { quota: 6_000, window: Millis::from_seconds(60) },
            bulk_max: 1_000,
            late: LATE_MAX,
            services_max: 1_000,
            keys_max: 100,
            endpoints_max: 20,
            draft_wait: Millis::from_minutes(7 * DAY),
        }
    }
}
