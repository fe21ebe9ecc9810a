//! What a unit costs.

use tariff::{Pricing, Tier, Version};

use crate::wire::metering::{PriceView, PricingView, TierView};

/// How a quantity is priced.
pub fn pricing(pricing: &Pricing) -> PricingView {
    match pricing {
        Pricing::Flat { unit } => PricingView::Flat { price: unit.to_string() },
        Pricing::Graduated { tiers } => PricingView::Graduated { tiers: shown(tiers) },
        Pricing::Volume { tiers } => PricingView::Volume { tiers: shown(tiers) },
    }
}

fn shown(tiers: &[Tier]) -> Vec<TierView> {
    let tier = |tier: &Tier| TierView {
        up_to: tier.up_to.map(|up_to| up_to.to_string()),
        price: tier.unit.to_string(),
    };
    tiers.iter().map(tier).collect()
}

/// A price and since when it is in force.
pub fn price(version: &Version) -> PriceView {
    PriceView {
        version: version.number,
        effective_from: version.from.to_rfc3339(),
        pricing: pricing(&version.pricing),
    }
}
