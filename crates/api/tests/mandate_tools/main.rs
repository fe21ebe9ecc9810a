//! The MCP tools of mandates from outside: what they take, and what they say.
//!
//! The modules are marked `cfg(test)` because the lints look for that mark to tell test code from the product's.

#[cfg(test)]
mod answering;
#[cfg(test)]
mod arguments;
#[cfg(test)]
mod cast;
