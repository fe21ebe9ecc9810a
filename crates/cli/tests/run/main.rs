//! The commands `guildhall run` and `guildhall executor`, run as people and programs run them, against a board in a script:
//! what they say on which stream, with which exit code, what they keep and what they have sent.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

#[cfg(test)]
mod agreeing;
#[cfg(test)]
mod cast;
#[cfg(test)]
#[path = "../../../client/src/double.rs"]
mod double;
#[cfg(test)]
mod executing;
#[cfg(test)]
mod journals;
#[cfg(test)]
mod owning;
#[cfg(test)]
mod watching;
