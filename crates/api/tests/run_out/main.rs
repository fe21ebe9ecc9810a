//! Runs and executors as they are shown: whole, event by event, and without what is secret.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.

#[cfg(test)]
mod answer;
#[cfg(test)]
mod cast;
#[cfg(test)]
mod event;
#[cfg(test)]
mod executor;
#[cfg(test)]
mod facts;
#[cfg(test)]
mod refusal;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod view;
