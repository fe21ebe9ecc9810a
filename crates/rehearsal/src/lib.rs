//! How the tests of a core play its lives: told as a story, kept in a journal of old, or made up by chance.
//!
//! A core gives its four functions and the words of its tests once, in an `impl` of [`Core`]. For that it gets:
//!
//! - [`Life`], a core as a shell would keep it: the state, the journal that led there, and what is owed.
//! - [`every_story`], which plays a folder of stories as text and lists each line that came out otherwise.
//! - [`endings`], which replays journals that were written long ago, and compares the states of that time.
//! - [`Wait`], [`Life::live`] and [`by_chance`], for lives in which anything happens at any time.
//!
//! Whatever goes wrong panics with words for the person who reads the failed test. What this crate refuses to know: any
//! core, and anything that the product itself runs.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a panic is how a test fails")]

mod chance;
mod core;
mod journal;
mod life;
mod story;

pub use crate::core::Core;
pub use chance::{Wait, by_chance};
pub use journal::{endings, replay};
pub use life::{Heard, Life};
pub use story::{START, every_story};
