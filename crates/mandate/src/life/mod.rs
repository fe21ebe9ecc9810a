//! The life of one mandate as an object: the authority over a budget, and over every request that is made of it.
//!
//! ```text
//!            passes                  deliver               dispute
//!  request ───────────► ESCROWED ─────────────► DELIVERED ─────────► DISPUTED
//!     │                   ▲    │                 │                    │
//!     │ only the          │    ├ time ► REFUNDED ├ accept, capture,   ├ accept, resolve ► SETTLED, REFUNDED
//!     │ approval misses   │    └ void ► VOIDED   │ time ► SETTLED     ├ time ► TIMED_OUT
//!     ▼          approve  │ submit              └ void ► VOIDED      └ void ► VOIDED
//!  AWAITING_APPROVAL ──► APPROVED
//!     │ reject ► REJECTED   │
//!     └─────────────────────┴ time, another policy ► EXPIRED; cancel ► CANCELLED
//!
//!  reserve ► held ► commit ► COMMITTED;  release ► RELEASED;  time ► EXPIRED
//!  commit, release of what was never reserved ► RELEASED
//! ```
//!
//! [`decide()`] judges a command, [`apply()`] folds an event into the state, [`effects()`] lists what is owed once the
//! event is on disk, [`deadline()`] is the next moment at which time alone changes the state. Both of the first two take
//! the one step that [`crate::Mandate`] takes, so that what is judged is what is replayed.
//!
//! The state is written whole at each command, so it holds open things only. What is over leaves it with
//! [`Effect::File`] or [`Effect::Close`]; the shell keeps those rows and hands one in with every command that names it.
//! Nothing else may be handed in: a row is believed.
//!
//! What holds, always:
//!
//! - **L1** A request is authorized only if the contract's rules allow it at that moment; one that waits for its owner
//!   passed every other rule when it was made.
//! - **L2** An approval serves the one payment that it was given for, once, and before its end.
//! - **L3** The owner's word on a request is heard once.
//! - **L4** Reserved money is what open escrows and reservations hold, and balance = funded + refunded − withdrawn − paid.
//! - **L5** A reservation counts in every window of the day on which it was made, like a payment (M1). What is committed
//!   counts for ever. What is not goes back to the windows that counted it, once; a window that has begun since never
//!   gains by it. Nothing of it was paid, so this is no refund, which restores no budget (M10).
//! - **L6** A reservation passes every rule for a payment that nobody approves, or, with the owner's yes to exactly it, for
//!   one that the owner approves. From then on it stands like an open escrow: no pause, amendment or revocation touches
//!   either of them.
//! - **L7** A new policy ends what waits under the old one; what waits while the mandate is paused or revoked is refused
//!   at its submission.
//! - **L8** What was said once is not done twice: a payment or reservation that was used is never used again, and an
//!   agent's id of a request stands for one request. What was ended before it was reserved is never held.
//! - **L9** Every wait ends. What time does, it does at its moment, however late the alarm: nothing done after a deadline
//!   counts as done before it, and the clock of a mandate never goes back.
//! - **L10** Silence does not pay the owner: before `capture_by` the object claims for a provider that has delivered and
//!   captured nothing. One that has captured parts has said what it wants.
//! - **L11** The state is bounded, whatever was done before, and so is what one command does.
//! - **L12** Who is refused changes nothing, and every change is told to the owner's log.
//!
//! Custody is the ledger's: this object holds the money. Custody of the contract adds the states that a request has
//! between its evaluation and a block: requested, submitted and failed.
//!
//! What this module refuses to know: HTTP, sign-in, how signatures are made, and who has which wallet.

mod activity;
mod clock;
mod command;
mod decide;
mod effect;
mod event;
mod hold;
pub mod limits;
mod progress;
mod refusal;
mod state;
mod step;

pub use activity::{Activity, Kind, Role};
pub use clock::{deadline, due_of};
pub use command::{Act, Change, Command, Hold};
pub use decide::decide;
pub use effect::{Effect, effects, progress};
pub use event::{Corrupt, Event, Fact, Outcome, apply};
pub use progress::{Closed, Ending, Filed, Progress, Trail};
pub use refusal::{Bound, Refusal};
pub use state::{Ask, Book, Custody, Reservation, Stage, State};
