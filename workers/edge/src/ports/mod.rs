//! What comes from outside: storage that is not an object's own, other objects, the facilitator with its chain, and the chain
//! of mandates.

pub mod board;
pub mod custody;
pub mod facilitator;
pub mod ledger;
pub mod mandates;
pub mod objects;
pub mod vouch;
