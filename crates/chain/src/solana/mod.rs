//! Solana: what a node is asked, and whether a transaction is a certain transfer of tokens (SPL Token).
//!
//! ```text
//!  transaction(signature) ──► verify_transfer ─► Verdict
//!  epoch(), then status(signature) ──► never_landed
//!  signatures(an address or a reference) ──► transactions that may be the one
//! ```
//!
//! Everything is asked at the commitment `finalized`, so nothing that is answered can be taken back. The bodies are those
//! of [`rpc`](crate::rpc), and the methods those of Agave's JSON-RPC API, in the encoding `jsonParsed`.

mod base58;
mod call;
mod json;
mod landing;
mod transaction;
mod transfer;

pub use base58::{Address, Signature};
pub use call::{block_time, epoch, lamports, signatures, status, token_balance, transaction};
pub use landing::{Epoch, Status, never_landed};
pub use transaction::{Holding, Transaction};
pub use transfer::{Expected, Token, verify_transfer};
