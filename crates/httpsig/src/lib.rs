//! Signed HTTP requests: how an agent's key speaks for each request that it sends.
//!
//! A request carries `Signature-Input`, `Signature` and, if it has a body, `Content-Digest`; the signature is HTTP's own
//! (RFC 9421 with RFC 9530), made by an Ethereum account (ERC-8128):
//!
//! ```text
//! Content-Digest: sha-256=:…:
//! Signature-Input: eth=("@scheme" "@authority" "@method" "@path" "@query" "content-digest");created=…;expires=…;nonce="…";keyid="eip155:84532:0x…";tag="erc8128"
//! Signature: eth=:…:
//! ```
//!
//! [`verify()`] answers who signed; [`sign()`] makes the headers. ERC-8128 is a draft with two editions in use
//! ([`Edition`]), and both are taken. It knows looser signatures as well, good for a class of requests or more than once:
//! they are not taken. Where it lets the last of two equal names win, both are refused; and the signature of an account's
//! own key is believed without asking whether the account has code. The older form of three headers ([`sign_older`])
//! binds less, and is verified only where a request has no `Signature-Input`.
//!
//! What always holds:
//! - **H1** A verified signature covers method, authority, path, the query if there is one, the body if there is one, and
//!   what its edition and the policy add: whoever changes one of them, a covered header or a parameter has no signature.
//! - **H2** The body is the one whose SHA-256 the covered `Content-Digest` states.
//! - **H3** A signature holds in `[created − skew, expires + skew)`, where the two are at most the policy's lifetime
//!   apart; one of the older form holds within five minutes of its timestamp.
//! - **H4** Every verified request has a key that is good for one request, [`Verified::once_key`]: no two accounts share
//!   one, and no second text of the same signature has another.
//! - **H5** What is signed is what came: a header has one text that is read, a name stands once, and what is not known is
//!   refused with its place.
//! - **H6** A signature for another authority, chain or purpose is not one for us; the older form names no authority.
//! - **H7** A signature that only a contract account can vouch for is neither believed nor refused ([`Pending`]).
//! - **H8** No header, however written, makes verification fail otherwise than by a [`Refusal`], and its cost is bounded.
//!
//! What it refuses to know: HTTP libraries, clocks, randomness, chains, and which keys were used.

mod digest;
mod edition;
mod fields;
mod input;
mod limits;
mod older;
mod policy;
mod profile;
mod refusal;
mod request;
mod sign;
mod verified;

pub use digest::{check_content_digest, content_digest};
pub use edition::Edition;
pub use input::Input;
pub use limits::{
    COMPONENTS, DIGEST_HEADER_BYTES, INPUT_BYTES, LIFETIME, MEMBERS, NONCE_CHARACTERS, OLDER_WINDOW,
    PARAMETERS, SIGNATURE_HEADER_BYTES, SKEW,
};
pub use older::sign_older;
pub use policy::{OlderForm, Policy, verify};
pub use refusal::Refusal;
pub use request::Request;
pub use sign::{Stamp, sign};
pub use verified::{Form, Judgement, Pending, Verified};
