//! The life of one relayer key on one chain: which nonce carries what, from a job's submission to its report.
//!
//! ```text
//!            Submit             Sign                          Observe: a receipt of its own
//! settlement ───────► waiting ────────► open under a nonce ──────────────────────────────► reported Mined
//!                      │   ▲             │   │   └─ unmined too long: same call, same nonce, higher fees
//!                      │   └─ taken by ──┘   └─ its time is up: a void transaction under the same nonce
//!                      │      a stranger                        └─ Observe: that one is mined ─┐
//!                      └─ its time is up ──────────────────────────────────────────────────────┴► reported Expired,
//!                                                              or Displaced, had a nonce of it ever been taken
//! ```
//!
//! [`decide()`] judges a command, [`apply()`] folds an event into the state, [`effects`] lists what is owed once the event
//! is on disk, [`deadline`] is the next moment at which time alone changes the state. Three queries say what the shell is
//! to do with a key and a chain that this crate never sees: [`unsigned`], [`to_send`] and [`to_look_up`].
//!
//! # What the shell does, in this order
//!
//! After a submission, as soon as the nonce is known (the lifecycle is not [`Lifecycle::Unsynchronized`]), and after each
//! look:
//!
//! 1. Ask [`unsigned`], sign what it lists, and run [`Command::Sign`], with no `await` in between.
//! 2. Send what was signed. On a cold start send all of [`to_send`].
//!
//! On the alarm run [`Command::Wake`]. When its events hold [`Fact::ResendStarted`], send all of [`to_send`]. When they
//! hold [`Fact::LookStarted`], and after a submission to a key whose nonce is not known, look:
//!
//! 1. Take [`to_look_up`] from the state.
//! 2. Ask the chain for the key's transaction count in the latest block, and **after it** for the receipts of those
//!    hashes (one JSON-RPC batch in this order will do). A transaction that is in the count has its receipt by then, so
//!    "counted, and no receipt" is no race between the two questions. In the other order it would be.
//! 3. Run [`Command::Observe`] with the answers. Without all of them, run nothing: the next look follows by itself.
//!
//! # Nonces
//!
//! The first nonce is the count of *mined* transactions. The count that includes pending ones would leave a gap for ever
//! once one of those is dropped. Another's pending transaction under a nonce of ours is outbid or mined, and both are
//! resolved.
//!
//! A nonce that is counted as used while no transaction of ours under it has a receipt was taken by a stranger who holds
//! the key, or the node does not serve the receipt. Seen so at two looks [`limits::TAKEN_CONFIRMATION`] apart, its job is
//! put back to the front of the queue and gets a new nonce. This cannot execute the job twice: what a job calls carries
//! an authorization that the chain itself accepts once. At worst a transaction reverts, and its gas is wasted.
//!
//! A reorganization can leave nonces below the open ones unused. Their jobs are reported, and the settlements have the
//! signed bytes and send them again; what stays unused for [`limits::GAP_CONFIRMATION`] is filled with void
//! transactions, because nothing above it would ever be mined.
//!
//! # What holds, always
//!
//! - **R1** A nonce carries one job and a job is under one nonce at a time; the same id submitted twice is one job.
//! - **R2** Nonces are given in order and without a gap, and one that is given is used until the chain has used it.
//! - **R3** Signed bytes are on record before anyone can send them, and the latest stay until the nonce is used.
//! - **R4** Each job is reported exactly once.
//! - **R5** A job is reported mined only by a receipt of one of its own transactions, and expired only when none of them
//!   can be executed any more.
//! - **R6** No fee exceeds the cap, and a replacement raises both fees by at least an eighth.
//! - **R7** The gas counted for a payer on one UTC day never exceeds the budget.
//! - **R8** While anything waits or is open there is a deadline, and every job ends once the chain serves the key.
//! - **R9** Everything kept is bounded; what does not fit is refused before it is kept.
//!
//! What this crate refuses to know: keys, RPC, HTTP, x402, and what a job's call means.

mod apply;
mod bytes;
mod command;
mod decide;
mod effect;
mod event;
mod fees;
pub mod limits;
mod query;
mod refusal;
mod spending;
mod state;

pub use apply::apply;
pub use bytes::{Address, Bytes, Fixed, Hash};
pub use command::{Command, Job, Observation, Policy, Purpose, Receipt, Signed, Verdict};
pub use decide::decide;
pub use effect::{Effect, Outcome, deadline, effects};
pub use event::{Corrupt, Event, Fact};
pub use fees::{Fees, Market};
pub use query::{Call, Unsigned, to_look_up, to_send, unsigned};
pub use refusal::Refusal;
pub use spending::Spending;
pub use state::{Attempt, Cargo, Gap, Lifecycle, Look, Open, Standing, State, Task};
