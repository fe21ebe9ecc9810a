//! How long we wait, how often we ask and how much we read.

use core::time::Duration;

use primitives::Millis;

/// A connection that has not come about by then will not.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// One request with its whole answer. The board itself waits at most 30 seconds for a settlement.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(45);

/// The most that one answer may hold. The largest honest one is a page of 100 gigs of about 12 KiB each.
pub(crate) const ANSWER_BYTES: usize = 8 * 1024 * 1024;

/// How often an operation that may be repeated safely is tried.
pub(crate) const ATTEMPTS: u32 = 4;

/// How often one payment is sent before its outcome is left open. With [`LONGEST_PAUSE`] this is about half a minute,
/// in which a facilitator that lost an answer has normally found it again.
pub(crate) const PAYMENT_ATTEMPTS: u32 = 8;

/// The pause before the first repetition; it doubles each time.
pub(crate) const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// The longest pause, also when the board asks for more.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The largest message that the board relays: 64 KiB.
pub const TUNNEL_MESSAGE_BYTES: usize = 64 * 1024;

/// How long a signature of one HTTP request holds: long enough for a slow connection.
pub(crate) const SIGNATURE_LIFETIME: Millis = Millis::from_minutes(1);

/// The pause before the first look at a request that waits for its owner; it doubles each time, because a person who
/// has not answered at once takes minutes.
pub(crate) const FIRST_LOOK: Duration = Duration::from_secs(1);

/// The longest pause between two looks.
pub(crate) const LONGEST_LOOK: Duration = Duration::from_secs(15);

/// How far the times in a message that the board completed may lie from what was asked for, by the clocks' difference.
pub(crate) const CLOCK_SKEW: Millis = Millis::from_minutes(5);

/// The longest time for which a request is signed when its asker names no end: the board sits on it at most that long.
pub(crate) const REQUEST_LIFETIME: Millis = Millis::from_minutes(24 * 60);

/// The longest life of one stream of events. The board ends one after five minutes, and it is opened anew.
pub(crate) const STREAM_TIMEOUT: Duration = Duration::from_secs(600);

/// A stream that is silent for so long is lost: the board says something every 15 seconds.
pub(crate) const STREAM_SILENCE: Duration = Duration::from_secs(45);

/// The pause before a stream is opened anew, unless the board names another.
pub(crate) const STREAM_PAUSE: Duration = Duration::from_secs(3);

/// How long the board holds a poll of an executor open while nothing is to be done.
pub(crate) const POLL_WAIT: Duration = Duration::from_secs(25);
