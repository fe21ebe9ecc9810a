//! The contract `Mandates` as bytecode, beside the model of it in the crate `mandate`.
//!
//! [`World`] is a chain in memory with the committed bytecode; [`Book`] is the model of all that it keeps. [`Player`]
//! chooses steps from what the model knows of the present: amounts at what each rule leaves, times at the edge of each
//! window, −1, 0 and +1. [`play()`] lets both take each step and compares answers, previews and all views. [`Jury`] holds
//! evaluators that are wrong in one small way each: a run that kills them all has looked closely enough.
//!
//! `tests/vectors/mandate_sequences.json` keeps some of the sequences for those who have the model alone.
//! `tests/object` lets the object of a mandate, `mandate::life`, take the same steps.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking"
)]
#![allow(clippy::arithmetic_side_effects, reason = "small numbers of the tests' own")]
#![allow(clippy::wildcard_enum_match_arm, reason = "most of what looks at steps is about few of them")]

mod book;
mod cast;
mod chain;
mod dice;
mod facts;
mod mutants;
mod play;
mod player;
mod record;
mod step;
mod tokens;
mod views;
mod words;
mod world;

pub use book::Book;
pub use cast::{Actor, Cast, Signed};
pub use dice::Dice;
pub use mutants::Jury;
pub use play::{Seen, Tally, play, start};
pub use player::Player;
pub use record::{Record, Taken};
pub use step::*;
pub use world::{Sites, World};

pub(crate) use views::{compare, compare_preview};
pub(crate) use words::{sealed, sealed_amendment};
pub(crate) use world::first_balance;
