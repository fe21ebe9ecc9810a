//! The life of one visitor's cookie: a challenge, the sign-in that answers it, or the session that follows.
//!
//! ```text
//!              challenge              present             sign in
//!  UNUSED ─┬─────────────► CHALLENGED ───────► PRESENTED ──────────┐
//!          │                   ▲ └─ again ─┐       │               │ the successor
//!          │                   └───────────┴───────┘               │ is owed a begin
//!          │                                                       ▼
//!          └─────────────► SIGNED IN ──────────────────────────► ENDED
//!              begin         ▲   │     signed out, revoked,
//!                            └───┘     expired, or rotated
//!                            visit
//! ```
//!
//! A name is the digest of a cookie's secret, and one object stands for each. Before the sign-in the cookie only ties a
//! nonce to the browser that asked for it. The sign-in ends that name and begins another, whose secret nobody has seen
//! before, so that whoever planted the first cookie holds nothing.
//!
//! [`decide()`] judges a command, [`apply()`] folds an event into the state, [`effects`] lists what is owed once the event
//! is on disk, [`deadline`] is the next moment at which time alone changes the state. [`holder`] says who is calling.
//!
//! A sign-in takes two steps. [`Command::Present`] comes as soon as a message names the nonce, before anything else of
//! the message is judged. What proves the account may then take its time, such as a question to a chain, and is asked
//! once for each nonce. [`Command::SignIn`] brings the account that was proven; of a message that proves nothing nothing
//! more is heard.
//!
//! What holds, always:
//!
//! - **V1** A nonce is presented at most once, before its end, and whatever is then said of its message it is spent.
//! - **V2** Only the nonce that was asked for last counts, and at most [`limits::CHALLENGES_MAX`] are asked for under one
//!   name.
//! - **V3** Only a presented nonce signs in, once. The name under which that happens ends and names its successor, to
//!   which exactly one beginning is owed.
//! - **V4** A session begins only under a name that nobody has used: what was challenged or has ended is never signed in.
//! - **V5** The first end stands for ever. Signing out and revoking hold at once, even for a session that has not begun.
//! - **V6** A session is one account's on one chain. It is over [`limits::SESSION_MAX`] after the sign-in or
//!   [`limits::IDLE_MAX`] after the last recorded visit, that very moment not included.
//! - **V7** Whatever is pending has a deadline, and the clock decides, not the alarm: an alarm that comes late changes no
//!   answer.
//! - **V8** A sign-in says who is calling, and owes nothing but the session. It is never a consent to move money: wallets
//!   may sign in without asking (ERC-8019).
//!
//! [`once`] is a second, smaller core: the keys of an agent's signatures that were used.
//!
//! - **U1** A key is used once; again it is refused as long as it is live, whatever end it comes with.
//! - **U2** What may have been forgotten is refused as expired, even if the clock goes back.
//! - **U3** What is kept is bounded: a key that does not fit is refused before it is kept, with the moment from which on
//!   there is room.
//! - **U4** Keys are forgotten once the minute of their end is over: at the next use, or when the last of them is.
//! - **U5** Two different keys are taken for one with a chance of 1 in 2⁶⁴. Then the second is refused.
//!
//! [`ticket`] is a third: passes that open one stream each.
//!
//! What this crate refuses to know: the texts that are signed, signatures, cookies, HTTP, and chains.

mod command;
mod decide;
mod effect;
mod event;
pub mod limits;
pub mod once;
mod refusal;
mod state;
pub mod ticket;

pub use command::Command;
pub use decide::{decide, holder};
pub use effect::{Effect, deadline, effects, forgettable_from};
pub use event::{Corrupt, Event, Fact, apply};
pub use refusal::Refusal;
pub use state::{Account, Challenge, End, Lifecycle, Session, State};
