//! A relayer from outside: its stories, the picture of every state and command, its bounds, the journals of old, and
//! its laws on a chain that does what it likes.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

#[cfg(test)]
mod bounds;
#[cfg(test)]
mod cast;
#[cfg(test)]
mod chain;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod script;
#[cfg(test)]
mod world;
