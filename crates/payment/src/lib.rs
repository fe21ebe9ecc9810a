//! The life of one payment authorization: claimed once, for one resource, and settled at most once.
//!
//! ```text
//!              claim            settle              final answer
//!  UNCLAIMED ─────────► CLAIMED ───────► SETTLING ───────────────► SETTLED
//!      ▲                  │               │  │ ▲
//!      └──── release ─────┘   no answer   │  └─┼── final refusal ► REFUSED
//!                                         ▼    │                      ▲
//!                                      UNKNOWN ┘ look up, again and ──┘
//!                                                again, until known
//! ```
//!
//! [`decide()`] judges a command, [`apply()`] folds an event into the state, [`effects`] lists what is owed once the event
//! is on disk, [`deadline`] is the next moment at which time alone changes the state. The authorization itself is text
//! that this crate passes on and never reads.
//!
//! What holds, always:
//!
//! - **P1** An authorization is claimed for one resource; for another it is refused until it is released uncharged.
//! - **P2** Settlement starts only after its intent is recorded, and a second one never starts from a settled state.
//! - **P3** An outcome that is not known is neither success nor failure; it is looked up until it is known.
//! - **P4** Settled and refused are final.
//! - **P5** A settled payment owes its target exactly one fulfilment; a refused or lapsed one owes exactly one
//!   withdrawal.
//! - **P6** Every state that is not final has a deadline.
//!
//! [`identifier`] is a second, smaller core: a payer's own name for a purchase, and the payment that answers for it.
//!
//! - **I1** A name stands for one request; with another it is refused.
//! - **I2** Whatever payment comes with the same name and request, the payment that is bound answers for it.
//! - **I3** Another payment is bound only in place of one that the asker names, so that of many askers one wins.
//!
//! What this crate refuses to know: x402, HTTP, and what a payment is for.

mod decide;
mod event;
pub mod identifier;
pub mod limits;
mod state;

pub use decide::{Command, Outcome, Refusal, decide};
pub use event::{Corrupt, Effect, Event, Fact, apply, deadline, effects};
pub use state::{Claim, Credential, Lifecycle, State, Target};
