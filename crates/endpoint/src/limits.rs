//! Every bound of an endpoint, with its reason. The state is written whole with each event.

use primitives::Millis;

/// Messages that wait or are under way at once: at 100 bytes each the state stays below 32 KB. More are kept as missed and
/// can be recovered.
pub const PENDING: usize = 256;

/// Attempts that are under way at once: enough that one slow answer holds up nothing, few enough for a small receiver.
pub const AT_ONCE: usize = 8;

/// Messages that one recovery takes up.
pub const BATCH: usize = 100;

/// The longest body, in bytes, as the specification of webhooks advises.
pub const BODY_BYTES: usize = 20_000;

/// The longest address, in bytes.
pub const URL_BYTES: usize = 2_048;

/// How long an endpoint may fail without a success between: five days, which outlasts every attempt of one message.
pub const FAILING_MAX: Millis = Millis::from_minutes(120 * 60);

/// How long the former secret signs after a rotation unless another time is asked for, and at most.
pub const OVERLAP: Millis = Millis::from_minutes(24 * 60);

/// How long messages and attempts are kept: that far back one can be sent again.
pub const KEPT: Millis = Millis::from_minutes(30 * 24 * 60);
