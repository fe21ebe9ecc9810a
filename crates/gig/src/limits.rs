//! Every bound of a gig, with its reason.

use primitives::Millis;

/// A buyer may send a delivery back this often; more is a quarrel, and the worker must be able to see its end.
pub const REVISIONS_MAX: usize = 3;

/// A seat's grant may be replaced, and a ticket issued for it, this often together. A party that loses its socket every
/// few seconds for two hours stays below it; a loop, which would fill the journal, does not.
pub const ROTATIONS_MAX: u32 = 1_000;

/// How long a browser's ticket waits for its socket: one page load, not one coffee.
pub const TICKET_LIFETIME: Millis = Millis::from_seconds(60);

/// How long a reservation waits for its payment. An authorization lives at most minutes; this outlasts a day on which
/// the facilitator cannot say what became of it.
pub const FUNDING_WAIT: Millis = Millis::from_minutes(24 * 60);
