//! The judgement of payments: what is paid, what is refused, and with which code.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the test's own")]

mod any_payment;
mod cast;
mod reasons;
mod stages;
mod tampering;
mod verification;
