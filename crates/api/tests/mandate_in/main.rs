//! Mandates on their way in: what is read, what is refused and where, whose signatures are whose, and who is calling.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

#[cfg(test)]
mod act;
#[cfg(test)]
mod ask;
#[cfg(test)]
mod callers;
#[cfg(test)]
mod cast;
#[cfg(test)]
mod create;
#[cfg(test)]
mod ledger;
#[cfg(test)]
mod request;
#[cfg(test)]
mod shapes;
