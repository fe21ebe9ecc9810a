//! Sign-In with Ethereum (EIP-4361): someone proves that an account is theirs by signing a text that we asked for.
//!
//! ```text
//!  text ──► Message::parse ──► check ──► signed_with ──► SIGNED IN
//!            the grammar        what we     who signed      ▲
//!                               asked for,  │               │ a contract vouches
//!                               and now     └► NEEDS CHAIN ─┘
//! ```
//!
//! [`verify()`] is all of it. What stands around it belongs to whoever keeps sessions: a nonce is made by the server, bound
//! to the visitor's cookie, good for ten minutes, and burnt when it first comes back, whatever is then said of the message.
//!
//! What holds, always:
//!
//! - **W1** A message has one text and a text is at most one message; reading and writing are inverse to each other.
//! - **W2** A text outside of the grammar is refused with the line and what belongs there; no text makes reading fail
//!   otherwise, and reading is bounded.
//! - **W3** Nothing is accepted in a message that we did not ask for: its scheme, domain, URI, chain, nonce, statement,
//!   resources and request id are ours.
//! - **W4** A message counts from five minutes before Issued At to five minutes after it, both included; before its
//!   Expiration Time, and from its Not Before on, each by itself.
//! - **W5** A sign-in is made only by the key of the message's address or by a contract there that vouches; a signature
//!   over any other text makes none.
//! - **W6** Of several faults the first in the order of [`Refusal`] is named, by a code that stays.
//!
//! What this crate refuses to know: clocks, random numbers, cookies, HTTP, and how a chain is asked.

mod check;
mod grammar;
pub mod limits;
mod message;
mod origin;
mod part;
mod read;
mod refusal;
mod timestamp;
mod verify;

pub use check::{Checked, Expected, SignIn, check};
pub use message::{Message, Unreadable};
pub use origin::Origin;
pub use part::{Authority, Nonce, RequestId, Scheme, Statement, Uri};
pub use refusal::Refusal;
pub use timestamp::Timestamp;
pub use verify::{Answer, Question, Verdict, verify};
