//! Tenants, services, accounts and configuration: what comes in, what it becomes, and what is said to what is wrong.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.

#[cfg(test)]
mod body;
#[cfg(test)]
mod door;
#[cfg(test)]
mod query;
#[cfg(test)]
mod view;
