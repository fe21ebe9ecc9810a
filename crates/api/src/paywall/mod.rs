//! Selling: what a paid route asks for, whether a payment meets it, and what came of it.
//!
//! Everything here is objects in x402's words, whatever carries them: the headers of HTTP, or the results of MCP. A
//! route makes an [`Offer`]; [`judge()`] turns a payment into a [`Purchase`] that the payment's own object can carry
//! through; [`concluded`] says what its answer means for the caller, as [`Sold`] or [`Unsold`].

mod bill;
mod judge;
mod offer;
mod outcome;
mod posting;

pub use bill::bill;
pub use judge::{Name, Purchase, Signatures, judge, resource};
pub use offer::{Asset, Offer, Till};
pub use outcome::{Sold, Unsold, concluded};
pub use posting::posting;
