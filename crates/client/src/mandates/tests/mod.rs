//! What is signed, what is refused before anything is, and what is repeated.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

mod asking;
pub(crate) mod cast;
mod owning;
mod pinning;
mod seats;
