//! The mirror of a mandate from outside: its stories, the picture of every state and command, what a port may tell it, the laws
//! in lives by chance beside a contract, and its size.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

#[cfg(test)]
mod cast;
#[cfg(test)]
mod chance;
#[cfg(test)]
mod contract;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod observing;
#[cfg(test)]
mod script;
#[cfg(test)]
mod size;
