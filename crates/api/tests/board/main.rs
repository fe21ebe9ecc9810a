//! Protocol words against domain words: what is read, what is refused and where, what is shown.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

#[cfg(test)]
mod act;
#[cfg(test)]
mod body;
#[cfg(test)]
mod posting;
#[cfg(test)]
mod refusal;
#[cfg(test)]
mod settlement;
#[cfg(test)]
mod view;
