//! Standard Webhooks 1.0.0: secrets, signatures, the retry schedule, and which addresses may be called.
//!
//! Pure rules over texts and bytes; nothing here calls anybody. What is sent, when, and what became of it is the business of
//! the core of an endpoint.
//!
//! - [`Secret`] is what an endpoint's messages are signed with; [`sign`] and [`verify`] are the two ends.
//! - [`pause`] is the time until the next attempt, [`Meaning`] what an answer's status says.
//! - [`Target`] is an address that may be called, as far as its text shows it; [`is_public`] judges what its name stands for,
//!   and [`resolution`] reads it from an answer of DNS over HTTPS.
//!
//! What holds, always:
//!
//! - **H1** A signature is over id, timestamp and body as they were sent, byte for byte; the id has no dot, so that no two
//!   messages have the same signed text.
//! - **H2** A signature is compared in a time that says nothing about where it differs, and one that is empty or cut short
//!   is none.
//! - **H3** A message that was signed more than [`TOLERANCE_SECONDS`] before or after now is refused.
//! - **H4** No secret is shown by `Debug`; its text is made by [`Secret::reveal`] alone.
//! - **H5** Nothing but `https` on port 443 to a name is called, and no name that stands for an address that is not public.
//!   Only a development's own list lets more through.
//! - **H6** An attempt is never sooner than its schedule says, nor sooner than the receiver asks for, within a day.

mod address;
mod answer;
pub mod resolution;
mod schedule;
mod secret;
mod signature;
mod target;

pub use address::is_public;
pub use answer::Meaning;
pub use schedule::{ATTEMPTS, RETRY_AFTER_MAX, pause};
pub use secret::Secret;
pub use signature::{BODY_BYTES, Headers, Rejected, TOLERANCE_SECONDS, sign, verify};
pub use target::{Allowed, Refused, Target};
