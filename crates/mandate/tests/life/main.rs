//! The object of a mandate from outside: its stories, the picture of every state and command, the laws in lives by chance,
//! its size, and the journals of old.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

#[cfg(test)]
mod cast;
#[cfg(test)]
mod chance;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod log;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod queue;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod reservations;
#[cfg(test)]
mod script;
#[cfg(test)]
mod size;
