//! Every bound of a payment, with its reason.

use primitives::Millis;

/// How long a claim may wait for its settlement to start. The steps between take milliseconds; a claim this old was
/// left behind by a process that died.
pub const CLAIM_LIFETIME: Millis = Millis::from_seconds(5);

/// How long a settlement may wait for its answer. Above the longest facilitator time limit (30 s), so that it passes
/// only when the process that waited has died.
pub const SETTLEMENT_WAIT: Millis = Millis::from_seconds(45);

/// The first pause before an unknown outcome is looked up; it doubles with every look.
pub const LOOKUP_PAUSE_MIN: Millis = Millis::from_seconds(1);

/// The longest pause between two looks, and so the longest that a payer waits for a facilitator that has come back.
pub const LOOKUP_PAUSE_MAX: Millis = Millis::from_seconds(60);
