//! What usage costs: quantities, prices in versions, and amounts that are exact until a bill rounds them.
//!
//! A vocabulary that the cores of tenants and meters share, and pure arithmetic over it. Nothing here knows who used what.
//!
//! - **T1** What is computed is exact: a quantity counts millionths of a unit, a price counts billionths of a base unit, and
//!   an amount counts both multiplied. What does not fit is refused; nothing is clamped and nothing is a float.
//! - **T2** Graduated tiers price each part of a quantity by the tier that it lies in; volume tiers price all of it by the
//!   tier that the whole lies in. A tier ends with its bound, which it includes; the last one has none.
//! - **T3** Usage has the price that was in force at its moment: the version that began last, at or before it. Versions
//!   begin one after the other, and none is changed.
//! - **T4** An amount is rounded down, once, to whole base units. What is cut off is carried to the next bill.

mod amount;
mod price;
mod quantity;

pub use amount::{Exact, TooLarge};
pub use price::{Malpriced, Pricing, TIERS_MAX, Tier, UnitPrice, Version, at};
pub use quantity::{Quantity, SCALE_MAX, Scale};
