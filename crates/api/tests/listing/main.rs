//! Lists: what a query may ask for, what the rows hold, and activity as a file.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.

#[cfg(test)]
mod file;
#[cfg(test)]
mod query;
#[cfg(test)]
mod row;
