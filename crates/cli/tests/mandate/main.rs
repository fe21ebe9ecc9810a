//! The command `guildhall mandate`, run as people and programs run it, against a ledger in a script: what it says on which
//! stream, with which exit code, and what it has sent.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

#[cfg(test)]
mod approving;
#[cfg(test)]
mod budgets;
#[cfg(test)]
mod cast;
#[cfg(test)]
#[path = "../../../client/src/double.rs"]
mod double;
#[cfg(test)]
mod requests;
