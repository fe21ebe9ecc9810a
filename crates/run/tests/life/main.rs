//! A run from outside: its stories, the picture of every state and command, the laws in lives by chance and in a small world
//! walked to its end, a seeded world of everything around it, its size, and the journals of old.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]
#![allow(clippy::wildcard_enum_match_arm, reason = "most of what looks at facts is about few of them")]

#[cfg(test)]
mod answers;
#[cfg(test)]
mod bounds;
#[cfg(test)]
mod cast;
#[cfg(test)]
mod chance;
#[cfg(test)]
mod digest;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod guards;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod purchase;
#[cfg(test)]
mod quotes;
#[cfg(test)]
mod receipts;
#[cfg(test)]
mod script;
#[cfg(test)]
mod search;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod size;
#[cfg(test)]
mod tampering;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod witness;
#[cfg(test)]
mod words;
