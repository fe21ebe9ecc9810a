//! Every number that bounds what comes from outside, with its reason.

use primitives::Millis;

/// The longest request body, in bytes. A real request is about 2 KiB; a contract wallet's signature and a server's
/// extensions fit many times over.
pub(crate) const BODY_BYTES: usize = 64 * 1024;

/// How long the simulator stays silent when it hangs: longer than any caller should wait, short enough that a test
/// run ends.
pub(crate) const HANG: Millis = Millis::from_seconds(60);

/// The longest delay that the simulator can be told to take.
pub(crate) const DELAY_MAX: Millis = HANG;
