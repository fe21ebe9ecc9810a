//! Usage, bills and their lists on the way in and out: every form of an event says the same, every fault has its place, and
//! no page shows a row twice.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

#[cfg(test)]
mod bill;
#[cfg(test)]
mod bulk;
#[cfg(test)]
mod cast;
#[cfg(test)]
mod event;
#[cfg(test)]
mod list;
#[cfg(test)]
mod view;
