//! The shell of the product: one generic loop around every core, and what it needs of the runtime.
//!
//! [`Shell`] loads a state, has its [`Core`] judge a command, records what follows together with everything that is owed,
//! arms the one alarm, answers, and drains. What does not belong here: anything that knows which core it carries.

mod adapter;
mod drain;
mod failure;
mod interface;
mod journal;
pub mod log;
mod message;
mod object;
mod outside;

pub use failure::Failure;
pub use interface::Core;
pub use journal::{Journal, Kept, number};
pub use message::{answer, only_messages, send, unknown_subject};
pub use object::{Shell, Step};
pub use outside::{fresh_correlation_id, fresh_secret, go_ahead, now, random, within};
