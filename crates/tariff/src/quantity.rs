//! How much was used.

use core::str::FromStr;

use primitives::Malformed;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The most fraction digits that a quantity can have.
pub const SCALE_MAX: u8 = 6;
const PER_UNIT: u128 = 1_000_000;

/// A quantity in millionths of a unit. On the wire a decimal text without needless zeros, such as `1.5`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(pub u128);

impl Quantity {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// Whole units.
    pub const fn whole(units: u64) -> Self {
        // 2^64 times a million is far below 2^128.
        Self((units as u128).saturating_mul(PER_UNIT))
    }

    /// Both together, unless that is more than there can be.
    pub const fn plus(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }

    /// What is left without `other`, unless that is more.
    pub const fn minus(self, other: Self) -> Option<Self> {
        match self.0.checked_sub(other.0) {
            Some(rest) => Some(Self(rest)),
            None => None,
        }
    }

    /// How many digits its fraction needs.
    pub fn fraction_digits(self) -> u8 {
        let needs_more = |digits: &u8| {
            let step = 10_u128.saturating_pow(u32::from(SCALE_MAX.saturating_sub(*digits)));
            self.0.checked_rem(step) != Some(0)
        };
        (0..SCALE_MAX).take_while(needs_more).fold(0, |digits: u8, _| digits.saturating_add(1))
    }
}

impl FromStr for Quantity {
    type Err = Malformed;

    /// Digits, and after a point at most six more. No sign, no exponent, no leading zeros.
    fn from_str(text: &str) -> Result<Self, Malformed> {
        const MALFORMED: Malformed = Malformed {
            what: "quantity",
            allowed: "a decimal number such as 3 or 0.25, of at most 20 digits before and 6 after the point, without sign or exponent",
        };
        decimal(text, usize::from(SCALE_MAX), 20).map(Self).ok_or(MALFORMED)
    }
}

/// Reads `text` in units of 10^-`digits`.
pub(crate) fn decimal(text: &str, digits: usize, whole_max: usize) -> Option<u128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_whole = (1..=whole_max).contains(&whole.len()) && (whole == "0" || !whole.starts_with('0'));
    let has_point = text.contains('.');
    if !is_whole
        || !is_number(whole)
        || !is_number(fraction)
        || fraction.len() > digits
        || (has_point && fraction.is_empty())
    {
        return None;
    }
    format!("{whole}{fraction:0<digits$}").parse().ok()
}

/// Writes `value`, which counts 10^-`digits`, without needless zeros.
pub(crate) fn written(value: u128, digits: usize) -> String {
    let padded = format!("{value:0>width$}", width = digits.saturating_add(1));
    let (whole, fraction) = padded.split_at(padded.len().saturating_sub(digits));
    match fraction.trim_end_matches('0') {
        "" => whole.to_owned(),
        fraction => format!("{whole}.{fraction}"),
    }
}

impl core::fmt::Display for Quantity {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(&written(self.0, usize::from(SCALE_MAX)))
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// How many fraction digits a service's quantities have: 0 for requests, 3 for seconds in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Scale(u8);

impl Scale {
    /// Whether a quantity has no more digits than this.
    pub fn fits(self, quantity: Quantity) -> bool {
        quantity.fraction_digits() <= self.0
    }

    /// The number of digits.
    pub const fn digits(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Scale {
    type Error = Malformed;

    fn try_from(digits: u8) -> Result<Self, Malformed> {
        (digits <= SCALE_MAX)
            .then_some(Self(digits))
            .ok_or(Malformed { what: "scale", allowed: "a whole number from 0 to 6" })
    }
}

impl From<Scale> for u8 {
    fn from(scale: Scale) -> Self {
        scale.0
    }
}
