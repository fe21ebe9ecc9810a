//! Mandates and payments as they are shown, and to whom.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

#[cfg(test)]
mod cast;
#[cfg(test)]
mod chance;
#[cfg(test)]
mod evaluation;
#[cfg(test)]
mod log;
#[cfg(test)]
mod payment;
#[cfg(test)]
mod proposal;
#[cfg(test)]
mod refusal;
#[cfg(test)]
mod secrecy;
#[cfg(test)]
mod typed_data;
#[cfg(test)]
mod view;
