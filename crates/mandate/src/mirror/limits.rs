//! Every bound of a mirror, with its reason. The state is written whole at each command.

use primitives::Millis;

pub use crate::life::limits::{APPROVAL_WAIT, ENTRIES, LABEL_BYTES, NOTE_BYTES, STEPS};

/// Requests of ours that are not over, whatever they wait for: 310 kilobytes with the longest signatures. More than one agent has under way in the
/// minutes that a chain needs.
pub const ASKS: usize = 100;

/// Payments that are open on the chain, or closed and not final yet: 220 kilobytes in each of the two views. An agent can
/// open more without us; such a mandate is not mirrored on.
pub const PAYMENTS: usize = 200;

/// What was told since the newest final block, by [`super::News::weight`]: 500 kilobytes. Past it the mirror waits for a
/// final block. An amendment of all entries fits.
pub const TAIL: usize = 1_600;

/// What one observation tells, by the same weight, because one row of the journal holds it. The rest is told by the next.
pub const TOLD: usize = TAIL;

/// The longest signature, in bytes. One of a key has 65; a contract that signs may need some keys' signatures and more.
pub const SIGNATURE_BYTES: usize = 1_024;

/// The transactions that are remembered of one job: the first, and all that a relayer needs to raise fees in a busy hour.
pub const TRANSACTIONS: usize = 8;

/// The shortest wait for an answer, and between two looks: some blocks of a fast chain.
pub const PAUSE_MIN: Millis = Millis(15_000);

/// The longest wait between two looks at something that does not move.
pub const PAUSE_MAX: Millis = Millis(600_000);
