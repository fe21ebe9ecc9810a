//! A mandate from outside: dates, every reason at its boundary, every state with every command, and the laws.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

#[cfg(test)]
mod authorization;
#[cfg(test)]
mod cast;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod dates;
#[cfg(test)]
mod escrow;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod money;
#[cfg(test)]
mod proofs;
#[cfg(test)]
mod reasons;
#[cfg(test)]
mod windows;
