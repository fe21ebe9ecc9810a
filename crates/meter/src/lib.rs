//! The life of one meter: what one agent used of one service of a tenant, what that costs, and how it is paid.
//!
//! ```text
//!  a meter:    UNUSED ───── first usage, reservation or hand-over ─────► USED, for ever
//!
//!  usage:                ┌────────────────── taken back ─────────────────► gone
//!             record     │                     draft
//!            ─────────► OPEN ◄──────────────┬─────────► in a BILL ─► settled ── taken back ─► credited to the next bill
//!                        │ ├─ write off ─► over         │
//!                        │ └─ hand over ─► with the first shard
//!                        └──────────────── failed ──────┘
//!
//!  a bill:     draft ─► DRAFTED ── submit ──► SUBMITTED ── paid ───────► VERIFIED
//!              nothing due ►│                 │ ▲ └ nobody knows: looked at again
//!              VERIFIED     │ void, time      └─┘ failed, not found in time
//!                           └──────────────────────┴──────────────────► FAILED: its usage is open again
//!
//!  money held before work:
//!     reserve ─► ASKED ─┬─► HELD ── commit ──► COMMITTED: a settlement of its own, SUBMITTED at once
//!                       ├─► REFUSED └──┬─► RELEASED
//!                       └──────────────┴─► EXPIRED
//! ```
//!
//! [`decide()`] judges a command and [`verdicts`] says what becomes of each event of a bulk; [`apply()`] folds an event into
//! the state, [`effects`] lists what is owed once the event is on disk, [`deadline`] is the next moment at which time alone
//! changes the state. [`quote()`] is what a bill would be now.
//!
//! What is over is on file, in rows that the shell keeps in the transaction of the event ([`Row`]). It hands them in again
//! with the commands that need them: what is known of an event's identity ([`Known`]), of an event that is to be taken back
//! ([`Original`]), of a settlement or reservation that has ended.
//!
//! What holds, always:
//!
//! - **B1** An event is named by source and id, and counts once. The same name for something else is refused, in a bulk and
//!   for as long as names are kept, which is longer than any event is late enough to be refused.
//! - **B2** A bulk is its events one by one: each is recorded, known or refused as if it came alone, and those that are
//!   recorded are one event of the journal. What is refused leaves nothing behind.
//! - **B3** Usage has the price of its moment, for ever. A quantity is above zero, as fine as its service counts, and no more
//!   than [`limits::EVENT_UNITS`]; a moment is at most [`limits::EARLY`] ahead and no older than the window.
//! - **B4** A bill is exactly its quote. Its lines are in the order of price versions, each rounded down once; what is cut off
//!   goes to the next line, and from the last one to the next bill. Credits come off first. What is below zero is carried.
//! - **B5** Usage is in one place at a time: recorded and taken over = open + pending + settled + written off + handed over
//!   + reversed. What was not paid comes back, once, with its credits and what was carried.
//! - **B6** Usage is taken back whole and once, from where it is. What was billed is credited by as much as its line would
//!   have been less, with the next bill that begins after its own is paid; of a bill that fails, it does not come back.
//! - **B7** What cannot be counted is refused before it is recorded. Nothing is clamped, and no bill is too large to be drawn
//!   up: all that one shard has open, pending or reserved stays below [`limits::AMOUNT`] by the dearest tiers.
//! - **B8** Whatever is pending has a deadline, and what time does there it does once. The clock decides, not the alarm. That
//!   nobody knows how a payment ended is no end: it is looked at again, and asked again of a mandate, which forgets nothing;
//!   other payments are given up after [`limits::PAYMENT_WAIT`]. Money that arrives late, but before that was recorded, has
//!   arrived.
//! - **B9** A bill is paid by one means, and one bill at a time is drawn up. A reservation is paid from or given back, once,
//!   and pays no more than it holds; what it does not pay is carried.
//! - **B10** Effects are owed after the event is on disk, and each may be done twice.
//! - **B11** Shards are one meter. What a shard hands over in a round is the same however often it is asked; the first shard
//!   takes all parts of a round or none, and each round once. What a shard takes back of it counts once, before and after.
//! - **B12** The agent's mode decides what lets its usage through, not what it has: prepaid usage is reserved first.
//! - **B13** The state holds what is open only, and is bounded however much was recorded.
//!
//! What this crate refuses to know: who may ask, how requests are written, which shard an event belongs to, what a payment or
//! a mandate is, money's name, HTTP, and whoever follows the events.

mod apply;
mod bill;
mod command;
mod decide;
mod effect;
mod event;
mod hold;
mod key;
pub mod limits;
mod rate;
mod refusal;
mod settlement;
mod state;
mod usage;
mod view;

pub use apply::apply;
pub use command::{Command, Credit, Gate, Handed, Item, Known, Order, Original, Part, Reversal, Window};
pub use decide::decide;
pub use effect::{Effect, News, Row, deadline, effects};
pub use event::{Corrupt, Event, Fact, Place, Recorded};
pub use key::{EventId, EventKey, EventSource};
pub use refusal::Refusal;
pub use settlement::{
    Adjustment, Credited, Line, Means, Outcome, Reservation, ReservationState, Settlement, SettlementState,
    Source,
};
pub use state::{Book, Open, State, Subject, Totals};
pub use usage::verdicts;
pub use view::{Quote, Verdict, quote};
