//! An endpoint from outside: its stories, the picture of every state and command, the laws beside a second model, its
//! bounds, and the journals of old.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]
#![allow(clippy::wildcard_enum_match_arm, reason = "most of what looks at facts is about few of them")]

#[cfg(test)]
mod bounds;
#[cfg(test)]
mod cast;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod paper;
#[cfg(test)]
mod script;
