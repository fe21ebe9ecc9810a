//! How long we wait, how often we ask and how much we read.

use core::time::Duration;

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
