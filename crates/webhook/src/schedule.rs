//! When a message is sent again.

use primitives::Millis;

const MINUTE: u64 = 60;
const HOUR: u64 = 3_600;

/// Seconds from each attempt that failed to the next one: the specification's example, three days in all.
const PAUSES: [u64; 9] =
    [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/// How often a message is sent at most; the first time at once.
pub const ATTEMPTS: u32 = 10;

/// The longest pause that a receiver can ask for.
pub const RETRY_AFTER_MAX: Millis = Millis::from_minutes(24 * 60);

/// How long to wait after the attempt `attempts`, counted from 1, has failed; none when it was the last (H6).
///
/// `chance` is random: up to a tenth of the pause is added, so that what failed together does not come back together.
/// `asked` is what the receiver asks for: the later of both counts.
pub fn pause(attempts: u32, chance: u16, asked: Option<Millis>) -> Option<Millis> {
    let index = usize::try_from(attempts.checked_sub(1)?).ok()?;
    let scheduled = Millis::from_seconds(*PAUSES.get(index)?);
    let tenth = scheduled.0.checked_div(10).unwrap_or_default();
    let jitter = tenth.saturating_mul(u64::from(chance)).checked_div(u64::from(u16::MAX)).unwrap_or_default();
    let asked = asked.map_or(Millis(0), |asked| asked.min(RETRY_AFTER_MAX));
    Some(Millis(scheduled.0.saturating_add(jitter)).max(asked))
}
