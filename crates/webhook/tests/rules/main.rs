//! Webhooks from outside: what the official library signs and takes, which addresses are called, and when.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

#[cfg(test)]
mod addresses;
#[cfg(test)]
mod answers;
#[cfg(test)]
mod signatures;
#[cfg(test)]
mod targets;
#[cfg(test)]
mod vectors;
