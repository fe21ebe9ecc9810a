//! Money in an asset's smallest unit.

use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::Malformed;

/// An amount in base units of an asset (1 USDC is 1,000,000). A decimal string in JSON, TEXT in SQL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BaseUnits(pub u128);

impl FromStr for BaseUnits {
    type Err = Malformed;

    /// Only plain decimal digits without leading zeros: one amount has one text.
    fn from_str(text: &str) -> Result<Self, Malformed> {
        let canonical =
            text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
        text.parse().ok().filter(|_| canonical).map(Self).ok_or(Malformed {
            what: "amount",
            allowed: "a decimal integer of base units below 2^128, without sign or leading zeros",
        })
    }
}

impl core::fmt::Display for BaseUnits {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for BaseUnits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BaseUnits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_amount_has_one_text() {
        assert_eq!("340282366920938463463374607431768211455".parse(), Ok(BaseUnits(u128::MAX)));
        for bad in
            ["", "-1", "+1", "01", "1.0", "1e3", " 1", "0x1", "340282366920938463463374607431768211456"]
        {
            assert!(bad.parse::<BaseUnits>().is_err(), "{bad:?} was taken for an amount");
        }
    }
}
