//! Moments and spans in whole milliseconds. Windows are `[start, end)` everywhere.

use serde::{Deserialize, Serialize};

/// A moment: milliseconds since 1970-01-01T00:00:00Z. On the wire it is RFC 3339 UTC with milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnixMillis(pub u64);

/// A span in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// A span of whole seconds.
    pub const fn from_seconds(seconds: u64) -> Self {
        Self(seconds.saturating_mul(1_000))
    }

    /// A span of whole minutes.
    pub const fn from_minutes(minutes: u64) -> Self {
        Self::from_seconds(minutes.saturating_mul(60))
    }
}

impl UnixMillis {
    /// The moment `span` later; stays at the end of time instead of wrapping.
    pub const fn plus(self, span: Millis) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// The moment `span` earlier; stays at 1970 instead of wrapping.
    pub const fn minus(self, span: Millis) -> Self {
        Self(self.0.saturating_sub(span.0))
    }

    /// The span from `earlier` to this moment, zero if it lies ahead.
    pub const fn since(self, earlier: Self) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }

    /// Whole seconds since 1970, rounded down.
    pub const fn seconds(self) -> u64 {
        self.0 / 1_000
    }

    /// RFC 3339 in UTC with milliseconds, such as `2026-11-30T14:25:08.000Z`.
    pub fn to_rfc3339(self) -> String {
        const FORM: &[time::format_description::BorrowedFormatItem<'_>] = time::macros::format_description!(
            "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z"
        );
        time::OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0).saturating_mul(1_000_000))
            .ok()
            .and_then(|moment| moment.format(FORM).ok())
            // Only moments after the year 9999 have no such text.
            .unwrap_or_else(|| "9999-12-31T23:59:59.999Z".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_have_their_known_text() {
        assert_eq!(UnixMillis(0).to_rfc3339(), "1970-01-01T00:00:00.000Z");
        assert_eq!(UnixMillis(1_709_210_096_007).to_rfc3339(), "2024-02-29T12:34:56.007Z");
        assert_eq!(UnixMillis(u64::MAX).to_rfc3339(), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn the_ends_of_time_do_not_wrap() {
        assert_eq!(UnixMillis(u64::MAX).plus(Millis(1)), UnixMillis(u64::MAX));
        assert_eq!(UnixMillis(1).minus(Millis(2)), UnixMillis(0));
        assert_eq!(UnixMillis(1).since(UnixMillis(2)), Millis(0));
        assert_eq!(Millis::from_minutes(u64::MAX), Millis(u64::MAX));
    }

    #[test]
    fn seconds_are_rounded_down() {
        assert_eq!(UnixMillis(1_999).seconds(), 1);
    }
}
