//! What an owner keeps for their own eyes: the names of their agents, and drafts of mandates.
//!
//! ```text
//!   name            name again            forget
//!  ───────► agent ──────────────► agent ─────────►  gone
//!
//!   draft           change                discard
//!  ───────► draft ──────────────► draft ─────────►  gone
//! ```
//!
//! One object stands for each owner's address, so that what is another owner's cannot be told from what is not there. A
//! name permits nobody anything, and a draft is text that nothing follows from until its owner creates the mandate.
//!
//! [`decide()`] judges a command, [`apply()`] folds an event into the state. An account owes the world nothing
//! ([`effects`]), and time changes nothing in it ([`deadline`]).
//!
//! What holds, always:
//!
//! - **O1** An agent has one name. A new name takes the old one's place and leaves the agent's since as it was.
//! - **O2** An id stands for one draft: whoever asks for it in the same words again is shown the draft as it stands, and in
//!   other words is refused. A draft that was discarded may be asked for anew.
//! - **O3** What changes a draft makes its version one higher. Whoever has seen another version changes nothing, and is
//!   refused unless all is so already.
//! - **O4** At most [`limits::AGENTS_MAX`] names and [`limits::DRAFTS_MAX`] drafts are kept, and the text of both fits into
//!   one row of an object's store.
//! - **O5** What was forgotten or discarded is nowhere in the state, and makes room.
//!
//! What this crate refuses to know: who may ask, what a mandate is, HTTP, and chains.

mod command;
mod decide;
mod effect;
mod event;
mod id;
pub mod limits;
mod refusal;
mod state;
mod text;

pub use command::Command;
pub use decide::decide;
pub use effect::{Effect, deadline, effects};
pub use event::{Corrupt, Event, Fact, apply};
pub use id::DraftId;
pub use refusal::Refusal;
pub use state::{Agent, Change, Content, Draft, State};
pub use text::{Label, Name, Note, Plan};
