//! Prices, as they are written on the command line.

use core::str::FromStr;

use clap::Args;
use client::{
    metering::{Quantity, UnitPrice},
    wire::metering::{PricingBody, TierBody},
};

/// What a unit costs: one price, or tiers.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Price {
    /// What each unit costs, in base units of the board's token; up to nine digits behind a point, such as 250 or 0.5.
    #[arg(long, value_name = "PRICE")]
    price: Option<UnitPrice>,
    /// Each part of the quantity by its own tier, once for each tier: up-to=1000,price=250, and the last price=200.
    #[arg(long, value_name = "TIER")]
    graduated: Vec<Tier>,
    /// All of the quantity by the tier that it lies in, written likewise.
    #[arg(long, value_name = "TIER")]
    volume: Vec<Tier>,
}

impl Price {
    pub(crate) fn body(&self) -> PricingBody {
        let tiers = |tiers: &[Tier]| tiers.iter().map(|Tier(tier)| tier.clone()).collect();
        match &self.price {
            Some(price) => PricingBody::Flat { price: price.to_string() },
            None if self.volume.is_empty() => PricingBody::Graduated { tiers: tiers(&self.graduated) },
            None => PricingBody::Volume { tiers: tiers(&self.volume) },
        }
    }
}

/// One tier.
#[derive(Debug, Clone)]
pub(crate) struct Tier(TierBody);

impl FromStr for Tier {
    type Err = String;

    /// `up-to=QUANTITY,price=PRICE`, and `price=PRICE` for the last one.
    fn from_str(text: &str) -> Result<Self, String> {
        let (mut up_to, mut price) = (None, None);
        for part in text.split(',') {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| format!("{part:?} is not a part name=value; names are up-to and price"))?;
            let fault = |why: client::Malformed| format!("{name} {why}");
            let place = match name {
                "up-to" => {
                    let quantity: Quantity = value.parse().map_err(fault)?;
                    up_to.replace(quantity.to_string())
                }
                "price" => {
                    let unit: UnitPrice = value.parse().map_err(fault)?;
                    price.replace(unit.to_string())
                }
                _ => return Err(format!("there is no part {name:?}; names are up-to and price")),
            };
            if place.is_some() {
                return Err(format!("{name} stands twice"));
            }
        }
        let price = price.ok_or_else(|| "price is missing, such as up-to=1000,price=250".to_owned())?;
        Ok(Self(TierBody { up_to, price }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tier_is_read_part_by_part() {
        let Tier(tier) = "up-to=1000,price=0.5".parse().unwrap();
        assert_eq!((tier.up_to.as_deref(), tier.price.as_str()), (Some("1000"), "0.5"));
        let Tier(last) = "price=250".parse().unwrap();
        assert_eq!((last.up_to, last.price.as_str()), (None, "250"));
        for bad in [
            "",
            "price",
            "up-to=1",
            "price=-1",
            "price=1,price=2",
            "up-to=1e3,price=1",
            "price=1,from=2",
            "price=01",
        ] {
            assert!(bad.parse::<Tier>().is_err(), "{bad:?} was taken for a tier");
        }
    }
}
