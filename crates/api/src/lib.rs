//! The only place where protocol words meet domain words.
//!
//! [`route`] names what a path asks for; [`inbound`] turns bodies and headers into commands and says what is wrong
//! with them; [`outbound`] turns views, refusals and outcomes into bodies; [`paywall`] is what is sold and what came of
//! a payment; [`sign_in`] is how owners come in; [`binding`] is what objects say to each other; [`document`] holds what
//! the product publishes about itself; [`settings`] reads how a deployment is set up. Nothing here does I/O.

pub mod binding;
pub mod document;
pub mod inbound;
pub mod limits;
pub mod outbound;
pub mod paywall;
pub mod problem;
pub mod route;
pub mod settings;
pub mod sign_in;
pub mod wire;
