//! What comes from outside: storage that is not an object's own, other objects, and the facilitator.

pub mod board;
pub mod facilitator;
pub mod objects;
