//! The deliveries of one webhook endpoint: what it is owed, what became of each attempt, and whether it is called at all.
//!
//! ```text
//!            open            an attempt fails            120 h of failures, 410, disable
//!  UNKNOWN ───────► ENABLED ◄────────────────► FAILING ──────────┐
//!                      ▲  │  one is taken                       ▼
//!                      │  └────── 410, disable ──────────► DISABLED
//!                      └────────────── enable ─────────────────┘
//!                                                 from everywhere: remove ► REMOVED
//!
//!  one message:
//!     accept          begin               taken
//!    ────────► WAITING ────► UNDER WAY ─────────► delivered
//!                 ▲                │ failed
//!                 └────────────────┴──────────► failed      (after the last attempt)
//!
//!     while disabled or full: missed.     resend, recover: WAITING again, from the first attempt on
//! ```
//!
//! [`decide()`] judges a command, [`apply()`] folds an event into the state, [`effects`] lists what is owed once the event
//! is on disk, [`deadline`] is the next moment at which time alone changes the state. [`authorize`] says whether it is a
//! tenant's own.
//!
//! What the shell does besides: it keeps messages and attempts as rows, says of each message that comes whether it is on
//! file, and on [`Effect::Attempt`] calls the address and answers with [`Command::Answered`]. An attempt that was cut off is
//! made again under the same number.
//!
//! What holds, always:
//!
//! - **N1** A message is accepted once, whatever and however often its sender repeats: its id is the name of what it tells.
//! - **N2** What was accepted is attempted until it is taken, its attempts are used up, or the endpoint is disabled or
//!   removed; and then its row says which.
//! - **N3** No attempt is made that was not recorded as begun, none before its moment, none while the endpoint is disabled,
//!   and never more than [`limits::AT_ONCE`] at once.
//! - **N4** An answer counts once, and only for the attempt that is under way.
//! - **N5** Every answer leaves a row: when, which attempt, its status or the word for what went wrong, and how long it took.
//! - **N6** An endpoint is disabled when it says 410, and by a failure [`limits::FAILING_MAX`] or more after the first of
//!   failures without a success between them. Of that there is news, once.
//! - **N7** Disabled, it is owed nothing: what comes is kept as missed, and what waited as well. Recovering sends what was
//!   missed or failed since a moment, oldest first.
//! - **N8** After a rotation the former secret signs as well until its end, and no third one ever does.
//! - **N9** Everything kept in the state is bounded; what waits beyond [`limits::PENDING`] is kept as missed, not dropped.
//!
//! What this crate refuses to know: what a message says, how it is signed, secrets, addresses, HTTP, and schedules.

mod command;
mod decide;
mod effect;
mod event;
pub mod limits;
mod refusal;
mod state;
mod text;

pub use command::{Arrival, Came, Command, Known, Message, Outcome};
pub use decide::{authorize, decide};
pub use effect::{Attempt, Effect, News, Row, Status, deadline, effects};
pub use event::{Corrupt, Event, Fact, apply};
pub use refusal::Refusal;
pub use state::{Disabled, Former, Hook, Pending, State, View, Why};
pub use text::{Body, ErrorWord, EventType, Label, Url};
