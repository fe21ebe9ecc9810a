//! The life of one settlement: one authorization, carried to the chain once.
//!
//! ```text
//!        start               announce         transfer seen               tier reached
//!  NEW ─────────► SUBMITTED ──────────► SENT ───────────────► INCLUDED ───────────────► SETTLED
//!                   ▲  │                ▲  │                    ▲
//!             start │  │ decline        │  │ own call mined,    │ transfer seen,
//!                   │  ▼                │  ▼ nothing moved      │ by another call
//!                 DECLINED              REVERTED ───────────────┘
//!
//!  the block leaves the chain:   SETTLED, INCLUDED or REVERTED ─► SENT; SUBMITTED if nothing was announced
//!  a final block proves that the authorization can never make this transfer:   all but NEW and a final SETTLED ─► FAILED
//! ```
//!
//! [`decide()`] judges a command, [`apply()`] folds an event into the state, [`effects`] lists what is owed once the event
//! is on disk, [`deadline`] is the next moment at which time alone changes the state. [`answer()`] is what a caller is
//! told, [`matches()`] whether it may be told. That it is settled is told only in return for [`Command::Collect`], which
//! changes no state of the picture; [`is_open_to()`] is whether a request is still good.
//!
//! A relayer sends the call, but its word settles nothing: whatever it reports makes the settlement look at the chain,
//! where anybody may have sent the same call. A look is numbered and recorded before it is made
//! ([`Fact::LookStarted`]); the shell then asks the chain for what [`look()`] lists and tells what it saw with
//! [`Command::See`]. A look that is lost, or that learns nothing, is followed by another.
//!
//! What holds, always:
//!
//! - **T1** An authorization serves one request; another is refused, unless the relayer declined before anything was
//!   sent.
//! - **T2** Each start that is recorded owes the relayer exactly one job.
//! - **T3** Only the chain settles or fails a settlement, and only the answer to the latest look counts. What is not
//!   known is pending.
//! - **T4** Settled is said only of a transfer that the latest look found standing, at the tier that was asked for.
//! - **T5** Failed is said only when a final block proves that the authorization can never make this transfer. It is
//!   said for ever.
//! - **T6** A transfer whose block left the chain is pending again, and the journal says so; no answer turns from
//!   settled into anything else without that.
//! - **T7** The catalogue is owed at most one entry.
//! - **T8** Every state in which something may still come has a deadline. A settled transfer is watched until it is
//!   final, or for [`limits::WATCH_MAX`].
//! - **T9** The transactions that may carry the call are remembered until the outcome is final, with the bytes of the
//!   newest, so that a call that a chain has dropped can be sent again.
//! - **T10** That it is settled is told to nobody but the asker that began it: to one with a key as often as it asks, to
//!   one without at most once, even if the chain undoes the transfer and makes it again. A seller that keeps no books
//!   would sell twice for a payment that it is told of twice.
//!
//! What this crate refuses to know: payment protocols, how a chain is asked, signatures, fees and nonces of transactions.

mod collect;
mod command;
mod decide;
mod effect;
mod event;
pub mod limits;
mod refusal;
mod see;
mod state;
mod terms;
mod view;

pub use collect::{Asker, is_open_to};
pub use command::{Command, Sighting, Window};
pub use decide::decide;
pub use effect::{Effect, Job, deadline, effects};
pub use event::{Corrupt, Event, Fact, apply};
pub use refusal::Refusal;
pub use state::{Calls, Cause, Lifecycle, Order, Pursuit, State};
pub use terms::{Bytes, Call, Inclusion, Terms, Tier};
pub use view::{Answer, Look, answer, look, matches};
