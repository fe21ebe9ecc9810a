//! What a shop asks for.

use core::str::FromStr;

use primitives::Malformed;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An amount in the shop's currency, in its smallest unit: BRL cents. A decimal string in JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(pub u64);

impl FromStr for Cents {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let is_canonical =
            text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
        text.parse().ok().filter(|_| is_canonical).filter(|cents| *cents <= Self::MAX.0).map(Self).ok_or(
            Malformed {
                what: "amount in cents",
                allowed: "a decimal integer of at most 1000000000000, without sign or leading zeros",
            },
        )
    }
}

impl Cents {
    /// The most that any amount may be: ten billion in whole units, so that no sum of a cart overflows.
    pub const MAX: Self = Self(1_000_000_000_000);
}

impl core::fmt::Display for Cents {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for Cents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// An amount as people in Brazil write it, such as `R$ 1.234,56`.
pub(crate) fn reais(amount: Cents) -> String {
    let (reais, cents) = (amount.0 / 100, amount.0 % 100);
    let digits = reais.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && digits.len().saturating_sub(place).is_multiple_of(3) {
            grouped.push('.');
        }
        grouped.push(digit);
    }
    format!("R$ {grouped},{cents:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_with_two_places_and_groups_of_three() {
        for (cents, text) in [
            (0, "R$ 0,00"),
            (5, "R$ 0,05"),
            (1_234, "R$ 12,34"),
            (123_456, "R$ 1.234,56"),
            (100_000_000, "R$ 1.000.000,00"),
        ] {
            assert_eq!(reais(Cents(cents)), text);
        }
    }

    #[test]
    fn one_amount_has_one_text() {
        assert_eq!("1000000000000".parse(), Ok(Cents::MAX));
        for bad in ["", "-1", "+1", "01", "1.0", "1e3", " 1", "1000000000001"] {
            assert!(bad.parse::<Cents>().is_err(), "{bad:?} was taken for an amount");
        }
    }
}
