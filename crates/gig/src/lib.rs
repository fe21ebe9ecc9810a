//! The life of one gig: posted, paid for, claimed, worked on, delivered, accepted.
//!
//! ```text
//!            fund          claim                    worker joins       deliver        accept, or review window
//!  POSTED ─────────► DISCOVERABLE ─► CLAIMED ─► TUNNEL_GRANTED ─► IN_PROGRESS ─► DELIVERED ─► COMPLETED ─► CLOSED
//!    │                 ▲   │                        │    │          │    ▲        │  │
//!    │                 └───┼────── claim lapses ────┘    │          │    └revision┘  │
//!    └ never funded        └ cancel, deadline ───────────┴ abandon ─┴────────────────┘
//!         ▼                                     ▼
//!       FAILED                        CANCELLED, EXPIRED, FAILED
//! ```
//!
//! Four functions carry it: [`decide()`] judges a command and is the only place that says no, [`apply()`] folds one event
//! into the state, [`effects`] lists what is owed to the world once the event is on disk, [`deadline`] is the next
//! moment at which time alone changes the state. [`authorize()`] comes before all of them for commands that a party
//! sends. None reads a clock, a random source or a network: time and fresh digests come in with the command.
//!
//! What holds, always:
//!
//! - **G1** A gig is visible only from its funding on; a released or never funded reservation was never seen.
//! - **G2** At most one payment funds a gig, and none does while another holds its reservation.
//! - **G3** Terms never change: another body under the same message id is refused.
//! - **G4** Only the worker's arrival starts the work; a buyer alone never stops the claim from lapsing.
//! - **G5** A grant or ticket opens one socket, for one role, gig and identity; only digests of them are kept.
//! - **G6** No event leaves an ended gig.
//! - **G7** A delivery at or after the deadline is refused, and nothing done after a deadline counts as done before it.
//! - **G8** After a delivery the buyer cannot cancel, not even by way of a revision; it accepts, asks for one of at most
//!   three revisions, or the review window decides.
//! - **G9** The lifecycle version grows by exactly one with every transition, and with nothing else.
//! - **G10** Every state ends by itself: it has a deadline or is over.
//!
//! What this crate refuses to know: HTTP, x402, sockets, D1, and how a payment was made.

mod apply;
mod command;
mod decide;
mod effect;
mod event;
pub mod limits;
mod refusal;
mod state;
mod tunnel;

pub use apply::apply;
pub use command::{Bearer, Command, Delivery, Terms};
pub use decide::{authorize, decide};
pub use effect::{Effect, deadline, effects};
pub use event::{Corrupt, Event, Expiry, Fact};
pub use refusal::Refusal;
pub use state::{
    Completion, Door, Ending, Gig, Hold, Lifecycle, Payer, Role, Rotation, Seat, State, Ticket, Work,
};
