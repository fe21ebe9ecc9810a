//! The only place where protocol words meet domain words.
//!
//! [`route`] names what a path asks for; [`inbound`] turns bodies and headers into commands and says what is wrong
//! with them; [`outbound`] turns views, refusals and outcomes into bodies; [`binding`] is what objects say to each
//! other; [`document`] holds what the product publishes about itself. Nothing here does I/O.

pub mod binding;
pub mod document;
pub mod inbound;
pub mod limits;
pub mod outbound;
pub mod paywall;
pub mod problem;
pub mod route;
pub mod wire;
