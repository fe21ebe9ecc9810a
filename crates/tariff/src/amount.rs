//! Amounts before they are rounded.

use core::str::FromStr;

use primitives::{BaseUnits, Malformed};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::quantity::{decimal, written};

/// Digits after the point of a base unit: six of a quantity and nine of a price.
const DIGITS: usize = 15;
const PER_BASE_UNIT: i128 = 1_000_000_000_000_000;

/// An amount in 10^-15 of a base unit; negative when it is owed to whoever pays. A decimal text in JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exact(pub i128);

/// An amount that is larger than can be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl core::fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("the amount is larger than can be counted")
    }
}

impl core::error::Error for TooLarge {}

impl Exact {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// Both together.
    pub fn plus(self, other: Self) -> Result<Self, TooLarge> {
        self.0.checked_add(other.0).map(Self).ok_or(TooLarge)
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Result<Self, TooLarge> {
        self.0.checked_sub(other.0).map(Self).ok_or(TooLarge)
    }

    /// Whole base units, rounded down, and what is left. Of less than nothing no unit is due, and all of it is left.
    pub fn rounded(self) -> (BaseUnits, Self) {
        match u128::try_from(self.0.checked_div(PER_BASE_UNIT).unwrap_or_default()) {
            Ok(units) if self.0 > 0 => {
                (BaseUnits(units), Self(self.0.checked_rem(PER_BASE_UNIT).unwrap_or_default()))
            }
            Ok(_) | Err(_) => (BaseUnits(0), self),
        }
    }

    /// Whole base units, rounded up: enough to pay it.
    pub fn rounded_up(self) -> BaseUnits {
        let (units, left) = self.rounded();
        if left.0 > 0 { BaseUnits(units.0.saturating_add(1)) } else { units }
    }

    /// Whole base units as an exact amount.
    pub fn of(units: BaseUnits) -> Result<Self, TooLarge> {
        let units = i128::try_from(units.0).map_err(|_| TooLarge)?;
        units.checked_mul(PER_BASE_UNIT).map(Self).ok_or(TooLarge)
    }
}

impl FromStr for Exact {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        const MALFORMED: Malformed = Malformed {
            what: "exact amount",
            allowed: "a decimal number with at most 15 digits after the point",
        };
        let (is_negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        let value =
            decimal(digits, DIGITS, 24).and_then(|value| i128::try_from(value).ok()).ok_or(MALFORMED)?;
        match (is_negative, value) {
            (true, 0) => Err(MALFORMED),
            (true, value) => value.checked_neg().map(Self).ok_or(MALFORMED),
            (false, value) => Ok(Self(value)),
        }
    }
}

impl core::fmt::Display for Exact {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(formatter, "{sign}{}", written(self.0.unsigned_abs(), DIGITS))
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
