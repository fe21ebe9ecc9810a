//! The mirror of one mandate that the contract keeps: what the chain says of it, and the requests on their way there.
//!
//! ```text
//!            passes                 a transaction      the chain says so
//!  request ──────────► REQUESTED ──────────────► SUBMITTED ──────────────► ESCROWED, and on as the chain says
//!     │                 ▲      │                     │
//!     │ only the        │      └──────── refused ────┴──► FAILED ── submit ──► REQUESTED
//!     │ approval misses │ submit
//!     ▼         approve │
//!  AWAITING_APPROVAL ─► APPROVED        cancel ► CANCELLING, and CANCELLED once the chain says so
//!     │ reject ► REJECTED
//!     └ time, cancel ► EXPIRED, CANCELLED
//!
//!  a final block past its end, or under another policy, without a word of it:   all of ours ► EXPIRED, or FAILED
//! ```
//!
//! The four functions are those of every core: [`decide()`] judges a command, [`apply()`] folds an event into the state,
//! [`effects()`] lists what is owed once the event is on disk, [`deadline()`] is when time alone changes the state.
//!
//! What the chain says stands in two [`View`]s: one at the newest final block, and one at the newest block that was told,
//! with all that was told between them. A reorganization goes back to the first and tells anew.
//!
//! What is on its way counts against the budget as if it were authorized, until the chain tells of it, the contract refuses
//! it, or a final block ends it. So the second of two that race for the last of a budget is refused here with the contract's
//! reason, and may be asked again once the first is known not to have passed. The contract decides in any case; this spares
//! the fee of a transaction that would be reverted.
//!
//! # What a port does
//!
//! - It reads blocks and events of the contract, and tells them with [`Command::Observe`] in spans that leave nothing out:
//!   each begins at the block where the last one ended. It tells of empty spans too, as final blocks come, because only a
//!   final block ends what the contract might still take. After a reorganization it first fetches what took the place of the
//!   lost blocks, and tells that with [`Command::Rewind`].
//! - It carries out [`Effect::Send`]: at most one job is open for each kind of call under a payment's name, and the same again
//!   is that job. It says [`Command::Sent`] before it sends, and [`Command::Answered`] with the turn of the question when it knows what came
//!   of it. [`Answer::Refused`] and [`Answer::Unavailable`] are said only when no transaction of that job can be mined.
//! - It carries out [`Effect::Look`]: it asks the contract for the payment and the chain for every transaction of the job,
//!   and says [`Answer::Pending`] or [`Answer::Absent`]. Who has lost all memory of a job says that it is absent: the contract
//!   takes a payment's name once, so a second transaction moves nothing.
//! - It hands in what is on file under a payment's name and under a request's id with every command that takes it.
//!
//! What holds, always:
//!
//! - **MR1** The mirrored mandate is what the contract's events say, each once and in order; a gap, another history and what
//!   does not follow are refused.
//! - **MR2** A reorganization leaves what a clean retelling leaves. What a final block has said is never taken back.
//! - **MR3** Only the chain says that a request is escrowed, or anything after it; and its word stands against ours.
//! - **MR4** A request is sent only if the contract's rules allow it beside all that is on its way.
//! - **MR5** An approval serves the one payment that it was given for, before its end, and the owner's word is heard once.
//! - **MR6** What may have been sent is looked for before it is sent again, and only the answer to the latest question counts.
//! - **MR7** A request that the contract could still take ends only by the chain: by an event, or by a final block past its
//!   end or under another policy.
//! - **MR8** What is over is filed once its end is final, and only refunds follow.
//! - **MR9** The state is bounded, and so is what one command does.
//! - **MR10** Who is refused changes nothing.
//! - **MR11** Nothing is reserved here: the contract knows no reservation, and what one object promised another could spend.
//!
//! What this module refuses to know: how events are encoded, how a chain is asked, keys, fees and nonces.

mod ahead;
mod clock;
mod command;
mod decide;
mod effect;
mod event;
mod filing;
pub mod limits;
mod line;
mod progress;
mod refusal;
mod state;
mod step;
mod told;
mod view;

pub use clock::deadline;
pub use command::{Answer, Command, Signed};
pub use decide::decide;
pub use effect::{Call, Effect, effects};
pub use event::{Corrupt, Event, Fact, apply};
pub use progress::{Filed, Progress, progress};
pub use refusal::{Bound, Refusal};
pub use state::{Approved, Ask, Errand, Ground, Mirror, Next, Stage, State};
pub use told::{Block, News, Observation, Place, Told};
pub use view::{Escrow, View};
