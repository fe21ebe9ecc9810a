//! A tenant: a provider that meters what agents use. Its keys, services with their prices, webhook endpoints, agents'
//! accounts, limits and pause.
//!
//! ```text
//!           open            pause                  suspend
//!  UNKNOWN ──────► ACTIVE ◄────────► PAUSED   … ◄─────────► SUSPENDED
//!                           unpause                resume
//!
//!  a key:                  rotate            until
//!           create  ACTIVE ──────► ROTATED ─────────► over        from everywhere: revoked, or expired ► over
//!
//!  a service:                disable             delete           register
//!           register ENABLED ◄──────► DISABLED ──────────► DELETED ────────► ENABLED, with its next price
//!                            enable
//! ```
//!
//! [`admit()`] lets a key in and [`Admitted::may`] says what it may do; [`Command::asker`] says what each command needs.
//! [`decide()`] judges a command, [`apply()`] folds an event into the state, [`effects`] lists what is owed once the event
//! is on disk. Time alone changes nothing ([`deadline`]): whether a key has expired is judged whenever it is shown.
//!
//! What there can be any number of is on file with the shell: meters that were used, and accounts of agents. The shell fills
//! in what is there before it asks, and keeps the rows that events bring ([`Row`]).
//!
//! What holds, always:
//!
//! - **K1** Of a key only the digest of its secret is kept (S4). One that does not verify learns nothing, not even whether
//!   there is one; one that does learns what is wrong with it. Its rate is charged before its scopes are looked at.
//! - **K2** A key does what its scopes name, and gives no scope that it does not have. The scope `admin` has all others.
//! - **K3** While a tenant is paused or suspended nothing is written, whoever asks; to look, to unpause and to see to keys is
//!   never refused for it. Only the operator resumes what the operator has suspended.
//! - **K4** There is always a key with the scope `admin` that was not rotated or revoked and does not expire: nobody is
//!   locked out.
//! - **K5** A service's prices are numbered upwards from 1, over deletion and registering again. Each begins after the one
//!   before it, and none begins in the past: what was used keeps its price. Scale and shards are for ever.
//! - **K6** The offer of a mandate belongs to whoever has made it until that one or the tenant takes it back. An agent is
//!   prepaid by a mandate that the tenant has named, never by one that was put in its place.
//! - **K7** Whoever changes what it has read says which revision; another one is refused unless all is so already.
//! - **K8** Keys, services and endpoints together are bounded in number and in bytes, so that the state stays below a
//!   megabyte. What does not fit is refused before it is kept.
//! - **K9** In no window are more requests let through than its quota ([`rate`]).
//! - **K10** A key gets another secret only while no use of it is on file: what opens is never taken away from its holder.
//!
//! What this crate refuses to know: secrets, HTTP, where keys are typed in, what a meter counts, and what a webhook says.

mod admit;
mod apply;
mod command;
mod decide;
mod effect;
mod event;
pub mod key;
pub mod limits;
pub mod rate;
mod refusal;
mod size;
mod state;
mod text;

pub use admit::{Access, Admitted, Presented, admit, open, service};
pub use apply::apply;
pub use command::{Asker, Change, Command, Known, NewKey, NewService};
pub use decide::decide;
pub use effect::{Effect, News, Row, deadline, effects};
pub use event::{Corrupt, Event, Fact};
pub use refusal::Refusal;
pub use state::{
    Account, Book, Configuration, Key, KeyStatus, Mode, Offer, Paused, Rotation, Scope, Service,
    ServiceStatus, State, Subscription,
};
pub use text::{EventType, Label, Metadata, PayTo};
