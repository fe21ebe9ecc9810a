//! The only place where protocol words meet domain words.
//!
//! [`route`] names what a path asks for; [`caller`] says who signed a request, [`sign_in`] how owners come in, [`vouch`]
//! what contracts say of signatures. [`inbound`] turns bodies and headers into commands and says what is wrong with them;
//! [`outbound`] turns views, refusals and outcomes into bodies; [`listing`] is what lists are asked for and made of.
//! [`paywall`] is what is sold and what came of a payment; [`mandate_tools`] is mandates over MCP; [`chain_mandates`] reads
//! and writes what the contract Mandates says and is told, [`market`] what an observer of the market does. [`binding`] is what
//! objects say to each other; [`document`] holds what the product publishes about itself; [`settings`] reads how a deployment
//! is set up. Nothing here does I/O.

pub mod binding;
pub mod caller;
pub mod chain_mandates;
pub mod document;
pub mod inbound;
pub mod limits;
pub mod listing;
pub mod mandate_tools;
pub mod market;
pub mod outbound;
pub mod paywall;
pub mod problem;
pub mod route;
pub mod run_tools;
pub mod settings;
pub mod sign_in;
pub mod vouch;
pub mod wire;
