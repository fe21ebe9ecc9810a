//! The command queue of one browser executor: what runs want of it, and whether it is there.
//!
//! ```text
//!                 register           enqueue
//!  UNREGISTERED ───────────► IDLE ◄───────────► BUSY ─────────► OFFLINE
//!                                settle,         ▲    silence      │ heard
//!                                withdraw, end   └─────────────────┘
//!
//!  one order:
//!     enqueue            lease             started
//!    ─────────► WAITING ───────► LEASED ─┬─────────► STARTED
//!                  ▲ push                │ needs       ▲│
//!                  │                     │ user        │▼
//!                  │                     └──────────► PARKED
//!                  └─── time runs out ────┴─────────────┘
//!
//!    from everywhere: settled, withdrawn, or over ► gone
//! ```
//!
//! An executor looks at shops for purchase runs. It gets a run's commands from its own queue, by polling or through a
//! socket, and gives the results to the run, which then settles the order here. The queue decides nothing about a
//! purchase: it only sees to it that an order reaches the executor, that it does so again if the first time came to
//! nothing, and that the run hears of it when nobody is there.
//!
//! [`decide()`] judges a command, [`apply()`] folds an event into the state, [`effects`] lists what is owed once the event
//! is on disk, [`deadline`] is the next moment at which time alone changes the state. [`given`] says which orders a lease
//! gave out, [`authorize`] whether a secret is the executor's, [`State::status`] where it stands at a moment.
//!
//! What the shell does besides: on [`Effect::Push`], and when a socket opens, it runs [`Command::Lease`] with
//! [`Occasion::Push`] and sends what was given. Whenever a socket says something it runs [`Command::Seen`]; and so, on the
//! alarm and before [`Command::Wake`], if a socket has answered a ping by itself within [`limits::HEARD_LATELY`].
//!
//! What holds, always:
//!
//! - **X1** An executor is one secret's, of which only the digest is kept (S4). Registering again with it changes nothing.
//! - **X2** No order is lost: it is pending until it is settled, withdrawn, or over, and of its end its run is told.
//! - **X3** Whoever holds an order is not given it again, and nobody else is, before the hold has run out. Only its user
//!   makes an executor ask for what it has parked.
//! - **X4** An order that was settled, withdrawn or over is never given out again, however often and in whatever order its
//!   messages come.
//! - **X5** What was said once is not done twice: an order that comes again is the same order, and changes nothing.
//! - **X6** Older orders are given out first.
//! - **X7** Every order has an end, and whatever is pending has a deadline. The clock decides, not the alarm: one that comes
//!   late changes no answer.
//! - **X8** While an order is pending and the executor silent, its run is told so once, at the latest
//!   [`limits::OFFLINE_AFTER`] after the last sign of life or the order, whichever is later. Of an executor that was heard
//!   within [`limits::HEARD_LATELY`] nobody is told so.
//! - **X9** Everything kept is bounded. What does not fit is refused before it is kept, with the next moment at which
//!   time makes room; to close an order that is pending there is always room.
//! - **X10** However often the executor asks, as long as nothing is given out that is recorded at most once in
//!   [`limits::SEEN_EVERY`].
//!
//! [`gate`] is a second, smaller core: how many executors may be registered from one source.
//!
//! - **Y1** In no span of [`limits::REGISTRATIONS`] more are admitted than it allows.
//! - **Y2** A refusal names the first moment at which the next registration is admitted.
//! - **Y3** What is kept is bounded, and forgotten when it says nothing any more.
//!
//! What this crate refuses to know: what a command says, what a run is, tokens as text, HTTP, sockets, and addresses.

mod command;
mod decide;
mod effect;
mod event;
pub mod gate;
pub mod limits;
mod refusal;
mod state;
mod text;

pub use command::{Command, Occasion, Order, Progress};
pub use decide::{authorize, decide, given};
pub use effect::{Effect, deadline, effects};
pub use event::{Corrupt, Event, Fact, apply};
pub use refusal::Refusal;
pub use state::{Lifecycle, Pending, Queue, Standing, State};
pub use text::{Body, CommandId, Label};
