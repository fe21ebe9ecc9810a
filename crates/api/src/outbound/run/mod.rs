//! Purchase runs and browser executors, as they are shown. What is shown holds no secret and no digest of one.

mod answer;
mod event;
mod executor;
mod funds;
mod hold;
mod problem;
mod quote;
mod refused;
mod view;

pub use answer::{accepted, created, frame, journal, page, reset, shown, snapshot, spendable, ticket};
pub use event::event;
pub use executor::{
    balances, commands, demo, executor, gate_refused, order, queue_refused, queued, registered, source,
};
pub use hold::{PURCHASE_SERVICE, hold, not_held};
pub use problem::{no_such_executor, no_such_secret, signature_missing, ticket_used};
pub use quote::command;
pub use refused::refused;
pub use view::{next_action, run};

/// The version of the browser command protocol.
pub const PROTOCOL_VERSION: &str = "1";

/// The subprotocol of a run's socket.
pub const RUN_PROTOCOL: &str = "guildhall.run.v1";

/// The subprotocol of an executor's socket.
pub const EXECUTOR_PROTOCOL: &str = "guildhall.executor.v1";
