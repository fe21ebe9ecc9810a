//! Purchase runs and browser executors: from bodies, headers and queries to what the cores are asked.
//!
//! What is bounded here is bounded by [`run::limits`] and [`::executor::limits`]. Whether a value is right for its run, such as
//! an amount or a command id, is the core's to say.

mod browser;
mod create;
mod executor;
mod network;
mod owner;
mod read;
mod token;
mod value;

pub use super::mandate::empty as nothing;
pub use browser::{browser_result, progress};
pub use create::{Wanted, created, new_run};
pub use executor::{Poll, poll, registration};
pub use network::{transaction_on, wallet_on};
pub use owner::{confirmation, payment, rebind, wallet_state};
pub(super) use read::once;
pub use read::{From, Reading, Watching, balances, offers, reading, socket, watching};
pub use token::bearer;
