//! What a receiver's answer means.

use primitives::Millis;
use serde::{Deserialize, Serialize};

/// What a status says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Meaning {
    /// 2xx: it was taken.
    Taken,
    /// 410: nothing is wanted any more.
    Gone,
    /// Anything else, redirects included, which are never followed: send it again, if asked so not before this time.
    Again {
        /// How long the receiver asks to be left alone, with 429 and 503.
        after: Option<Millis>,
    },
}

impl Meaning {
    /// Of an answer with this status and this Retry-After.
    pub fn of(status: u16, retry_after: Option<&str>) -> Self {
        match status {
            200..=299 => Self::Taken,
            410 => Self::Gone,
            429 | 503 => Self::Again { after: retry_after.and_then(seconds) },
            _ => Self::Again { after: None },
        }
    }
}

/// `Retry-After` in seconds (RFC 9110, section 10.2.3). Its other form, a date, says the same to whoever has the same
/// clock; it is left to the schedule.
fn seconds(text: &str) -> Option<Millis> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| Millis::from_seconds(text.parse().unwrap_or(u64::MAX)))
}
