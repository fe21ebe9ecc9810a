//! What is sent for a run, what is refused before anything is, and what is shown of its stream.
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]

mod agreeing;
mod cast;
mod executing;
mod owning;
mod watching;
