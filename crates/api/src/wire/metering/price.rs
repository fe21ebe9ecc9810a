//! What a unit costs.

use serde::{Deserialize, Serialize};

/// How a quantity is priced, in base units of the asset that the deployment is paid in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
pub enum PricingView {
    /// Each unit the same.
    Flat {
        /// What one unit costs: a decimal text of base units, such as `0.5`.
        price: String,
    },
    /// Each part of a quantity by the tier that it lies in.
    Graduated {
        /// Ascending; the last one has no bound.
        tiers: Vec<TierView>,
    },
    /// All of a quantity by the tier that the whole lies in.
    Volume {
        /// Ascending; the last one has no bound.
        tiers: Vec<TierView>,
    },
}

/// One tier of a price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TierView {
    /// The largest quantity in it, which it includes; null for the last.
    pub up_to: Option<String>,
    /// What one unit costs, in base units.
    pub price: String,
}
