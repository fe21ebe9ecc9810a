//! The extension `bazaar`: how a paid resource is called, in a form that a catalogue can list.
//!
//! A server says it in its 402 ([`Declaration`]); the client sends it back with its payment; a facilitator lists what was
//! paid for once the payment is settled ([`listing()`]). The block reaches the facilitator through a stranger, so it is
//! bounded, read and validated before it is shown to anyone, and nothing in it is ever fetched.

mod declaration;
mod listing;
mod route_template;

pub use declaration::{BodyMethod, BodyType, Declaration, Input, Output, QueryMethod, Route, Transport};
pub use listing::{ListingFault, listing};
pub use route_template::RouteTemplate;

/// The extension's name.
pub const NAME: &str = "bazaar";
