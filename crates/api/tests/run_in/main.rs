//! Runs and executors on their way in: what is read, and what is refused and where.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.

#[cfg(test)]
mod browser;
#[cfg(test)]
mod cast;
#[cfg(test)]
mod chance;
#[cfg(test)]
mod create;
#[cfg(test)]
mod owner;
#[cfg(test)]
mod read;
#[cfg(test)]
mod token;
