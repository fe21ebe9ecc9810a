//! What comes from outside: storage that is not an object's own, other objects, the facilitator with its chain, the chain of
//! mandates, the market, and the chains on which runs are paid.

pub mod bills;
pub mod board;
pub mod custody;
pub mod delivery;
pub mod endpoints;
pub mod facilitator;
pub mod funding;
pub mod holds;
pub mod ledger;
pub mod mandates;
pub mod market;
pub mod metering;
pub mod meters;
pub mod objects;
pub mod runs;
pub mod settlement;
pub mod tenants;
pub mod vouch;
