//! What a unit costs, and since when.

use core::str::FromStr;

use primitives::{Malformed, UnixMillis};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::quantity::{decimal, written};
use crate::{Exact, Quantity, TooLarge};

/// The most tiers of one price: more than a price list shows.
pub const TIERS_MAX: usize = 20;

const DIGITS: usize = 9;

/// What one unit costs, in billionths of a base unit. On the wire a decimal text of base units, such as `0.5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitPrice(pub u128);

impl UnitPrice {
    fn times(self, quantity: Quantity) -> Result<Exact, TooLarge> {
        let product = self.0.checked_mul(quantity.0).ok_or(TooLarge)?;
        i128::try_from(product).map(Exact).map_err(|_| TooLarge)
    }
}

impl FromStr for UnitPrice {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        decimal(text, DIGITS, 15).map(Self).ok_or(Malformed {
            what: "price",
            allowed: "a decimal number of base units such as 250 or 0.5, of at most 15 digits before and 9 after the point, without sign or exponent",
        })
    }
}

impl core::fmt::Display for UnitPrice {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(&written(self.0, DIGITS))
    }
}

impl Serialize for UnitPrice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for UnitPrice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// One tier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tier {
    /// The largest quantity in it; none for the last.
    pub up_to: Option<Quantity>,
    /// What a unit costs.
    pub unit: UnitPrice,
}

/// How a quantity is priced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields say what they are by name")]
pub enum Pricing {
    /// Each unit the same.
    Flat { unit: UnitPrice },
    /// Each part by its own tier.
    Graduated { tiers: Vec<Tier> },
    /// All by the tier of the whole.
    Volume { tiers: Vec<Tier> },
}

/// What is wrong with a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malpriced {
    /// There is no tier.
    NoTiers,
    /// More than [`TIERS_MAX`].
    TooManyTiers,
    /// A bound is not above the one before it, or is zero.
    NotAscending,
    /// The last tier has a bound, or an earlier one has none.
    NotOpen,
}

impl core::fmt::Display for Malpriced {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NoTiers => formatter.write_str("needs at least one tier"),
            Self::TooManyTiers => write!(formatter, "has more than {TIERS_MAX} tiers"),
            Self::NotAscending => {
                formatter.write_str("needs bounds above zero, each above the one before it")
            }
            Self::NotOpen => formatter.write_str("needs a bound in every tier but the last, which has none"),
        }
    }
}

impl core::error::Error for Malpriced {}

impl Pricing {
    /// Whether its tiers make sense.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn check(&self) -> Result<(), Malpriced> {
        let (Self::Graduated { tiers } | Self::Volume { tiers }) = self else { return Ok(()) };
        if tiers.len() > TIERS_MAX {
            return Err(Malpriced::TooManyTiers);
        }
        let (last, bounded) = tiers.split_last().ok_or(Malpriced::NoTiers)?;
        let bounds: Option<Vec<Quantity>> = bounded.iter().map(|tier| tier.up_to).collect();
        let bounds = bounds.filter(|_| last.up_to.is_none()).ok_or(Malpriced::NotOpen)?;
        let is_ascending =
            core::iter::once(&Quantity::ZERO).chain(&bounds).is_sorted_by(|one, next| one < next);
        if is_ascending { Ok(()) } else { Err(Malpriced::NotAscending) }
    }

    /// What `quantity` costs (T1, T2).
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn exact(&self, quantity: Quantity) -> Result<Exact, TooLarge> {
        match self {
            Self::Flat { unit } => unit.times(quantity),
            Self::Volume { tiers } => {
                let tier = tiers.iter().find(|tier| tier.up_to.is_none_or(|up_to| quantity <= up_to));
                tier.ok_or(TooLarge)?.unit.times(quantity)
            }
            Self::Graduated { tiers } => {
                let (mut sum, mut from) = (Exact::ZERO, Quantity::ZERO);
                for tier in tiers {
                    let to = tier.up_to.map_or(quantity, |up_to| up_to.min(quantity));
                    if let Some(part) = to.minus(from) {
                        sum = sum.plus(tier.unit.times(part)?)?;
                        from = to;
                    }
                }
                Ok(sum)
            }
        }
    }

    /// The most that any quantity up to `quantity` costs. With volume tiers, less can cost more.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn highest(&self, quantity: Quantity) -> Result<Exact, TooLarge> {
        let whole = self.exact(quantity)?;
        match self {
            Self::Flat { .. } | Self::Graduated { .. } => Ok(whole),
            Self::Volume { tiers } => {
                let bounds = tiers.iter().filter_map(|tier| tier.up_to).filter(|up_to| *up_to < quantity);
                bounds
                    .map(|up_to| self.exact(up_to))
                    .try_fold(whole, |most, at_bound| Ok(most.max(at_bound?)))
            }
        }
    }

    /// What `quantity` would cost by the dearest tier alone. No part of it, and no way to share it out, costs more; and that of
    /// two quantities together is the sum of theirs.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn ceiling(&self, quantity: Quantity) -> Result<Exact, TooLarge> {
        let dearest = match self {
            Self::Flat { unit } => Some(*unit),
            Self::Graduated { tiers } | Self::Volume { tiers } => tiers.iter().map(|tier| tier.unit).max(),
        };
        dearest.map_or(Ok(Exact::ZERO), |unit| unit.times(quantity))
    }
}

/// A price and since when it is in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Counts from 1 in each service.
    pub number: u32,
    /// From this moment on.
    pub from: UnixMillis,
    /// What is charged.
    pub pricing: Pricing,
}

/// The version that is in force at `moment`, of versions in the order of their beginnings (T3). None before the first.
pub fn at(versions: &[Version], moment: UnixMillis) -> Option<&Version> {
    versions.iter().rev().find(|version| version.from <= moment)
}
