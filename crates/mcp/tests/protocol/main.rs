//! The dispatcher from outside: what comes in, what goes out, and the invariant that each test keeps.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.

#[cfg(test)]
mod any_text;
#[cfg(test)]
mod asking;
#[cfg(test)]
mod eras;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod headers;
#[cfg(test)]
mod offers;
