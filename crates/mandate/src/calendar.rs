//! UTC days and months of a moment, without leap seconds, as POSIX time has none.

use serde::{Deserialize, Serialize};

/// A moment: whole seconds since 1970-01-01T00:00:00Z, as a block has them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnixSeconds(pub u64);

impl UnixSeconds {
    /// The largest moment that the contract's 48 bits hold.
    pub const MAX: Self = Self((1 << 48) - 1);

    /// The moment `span` seconds later.
    pub const fn plus(self, span: u32) -> Self {
        Self(self.0.saturating_add(span as u64))
    }
}

impl From<primitives::UnixMillis> for UnixSeconds {
    /// Rounds down.
    fn from(moment: primitives::UnixMillis) -> Self {
        Self(moment.seconds())
    }
}

impl From<UnixSeconds> for primitives::UnixMillis {
    fn from(moment: UnixSeconds) -> Self {
        Self(moment.0.saturating_mul(1_000))
    }
}

/// The number of whole UTC days since 1970-01-01.
pub const fn day(moment: UnixSeconds) -> u64 {
    moment.0 / 86_400
}

/// The number of whole months of the proleptic Gregorian calendar from January of the year 0 to a day, itself counted
/// since 1970-01-01.
///
/// Counts in years that begin on 1 March, so that a leap day is the last of its year: 400 years have 146,097 days, and
/// from March on the lengths of months repeat 31, 30, 31, 30, 31, which is 153 days in 5 months.
#[expect(clippy::arithmetic_side_effects, reason = "a day is below 2^48, and no difference is negative")]
pub const fn month(day: u64) -> u64 {
    let since_march_0 = day + 719_468;
    let era = since_march_0 / 146_097;
    let day_of_era = since_march_0 % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    (era * 400 + year_of_era) * 12 + (5 * day_of_year + 2) / 153 + 2
}
